package storage

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"inflight/engine"
)

// everything is a change with each kind of record.
func everything() (*engine.Change, *contents) {
	c := &contents{
		queues: []engine.QueueRecord{{Number: 1, Name: "orders", Epoch: 1, Created: start}, {Number: 2, Name: "dead.fifo", Epoch: 1, Created: start, Attributes: engine.Attributes{
			Type: engine.FIFO, ContentDeduplication: true, DeduplicateByGroup: true, ThroughputPerGroup: true,
			Extra: map[string]string{"Policy": "{}", "KmsMasterKeyId": ""},
		}}},
		counters: []engine.CounterRecord{{Queue: 1, LastTurn: 4}, {Queue: 2}},
		lanes: []engine.LaneRecord{
			{Queue: 1, Epoch: 1, Lane: 1, Head: 1, Tail: 3, Oldest: start, LastSent: start},
			{Queue: 1, Epoch: 1, Lane: 2, Group: "g", Tail: 1, Oldest: start, LastSent: start},
			{Queue: 2, Epoch: 1, Lane: 1},
		},
		states: []engine.StateRecord{
			{Ref: ref(1, 1, 0), Sent: start, Due: at(30), Receives: 1, Delivery: 1, FirstReceived: at(1), LastReceived: at(1), Size: 5, Turn: 4, Holder: 1},
			{Ref: ref(1, 1, 2), Sent: start, Size: 3, Waits: true, Due: at(9)},
		},
		dedups:  []engine.DedupRecord{dedup(2, 5, 1), dedup(2, 0xee, 2)},
		holders: []engine.HolderRecord{{Number: 1, Name: "worker-1"}},
		tasks: []engine.TaskRecord{{Task: engine.Task{ID: 9, Source: "dead", Selected: true, Started: start},
			SourceNumber: 2, SourceEpoch: 1, BoundSequence: 1 << 40}},
	}
	change := &engine.Change{
		Meta:   &engine.Meta{Secret: [32]byte{1}, NextQueue: 3, NextTask: 10},
		Queues: c.queues, Dedups: c.dedups, Counters: c.counters, Lanes: c.lanes, States: slices.Clone(c.states), Holders: c.holders, Tasks: c.tasks,
		Puts: []engine.Put{
			{Ref: ref(1, 1, 0), Message: message("first")}, {Ref: ref(1, 1, 1), Message: message("second")},
			{Ref: ref(1, 1, 2), Message: message("3rd")}, {Ref: ref(1, 2, 0), Message: message(strings.Repeat("long ", 1000))},
		},
		Choose: &engine.Selection{Task: 9, Refs: []engine.Ref{ref(2, 1, 0)}},
	}
	change.States[0].Append = &engine.HistoryRecord{At: at(1), Until: at(30), Holder: 1}
	c.meta = *change.Meta
	c.order = []string{"meta", "queues", "counters", "lanes", "states", "dedups", "holders", "tasks"}
	return change, c
}

func TestWhatWasCommittedIsLoadedInOrder(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		change, want := everything()
		commit(t, s, change)
		if got := load(t, s); !reflect.DeepEqual(got, want) {
			t.Errorf("Load() =\n%+v, want\n%+v", got, want)
		}
		got := read(t, s, ref(1, 1, 0), ref(1, 1, 1), ref(1, 9, 9), ref(1, 2, 0))
		if want := []string{"first", "second", "-", strings.Repeat("long ", 1000)}; !reflect.DeepEqual(got, want) {
			t.Errorf("Read() = %q, want %q", got, want)
		}
	})
}

func TestWhatWasCommittedSurvivesReopening(t *testing.T) {
	for _, noSync := range []bool{false, true} {
		t.Run(fmt.Sprintf("NoSync %v", noSync), func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir, Options{NoSync: noSync})
			change, want := everything()
			commit(t, s, change)
			if err := s.Close(); err != nil {
				t.Fatalf("Close() = %v", err)
			}
			s = open(t, dir, Options{NoSync: noSync})
			if got := load(t, s); !reflect.DeepEqual(got, want) {
				t.Errorf("Load() after reopening =\n%+v, want\n%+v", got, want)
			}
			if got := read(t, s, ref(1, 1, 2)); got[0] != "3rd" {
				t.Errorf("Read() after reopening = %q, want 3rd", got)
			}
		})
	}
}

func TestAPreviewCopiesOnlyTheLimit(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		commit(t, s, &engine.Change{Puts: []engine.Put{{Ref: ref(1, 1, 0), Message: message(strings.Repeat("x", 5000))}}})
		for limit, want := range map[int]int{-1: 5000, 0: 0, 10: 10, 9000: 5000} {
			list, err := s.Read([]engine.Ref{ref(1, 1, 0)}, limit)
			if err != nil || len(list[0].Body) != want || list[0].Size != 5000 {
				t.Errorf("Read(limit %d) = %d bytes of %d, %v, want %d of 5000", limit, len(list[0].Body), list[0].Size, err, want)
			}
		}
	})
}

func TestOnlyTheLastOfEachRecordIsKept(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		var changes []*engine.Change
		for i := range uint64(100) {
			changes = append(changes, &engine.Change{
				Meta:     &engine.Meta{NextQueue: uint32(i)},
				Queues:   []engine.QueueRecord{{Number: 1, Name: fmt.Sprint(i)}},
				Lanes:    []engine.LaneRecord{{Queue: 1, Lane: 1, Tail: i}, {Queue: 1, Lane: 2, Ended: i == 99}},
				Counters: []engine.CounterRecord{{Queue: 1, LastTurn: i}},
			})
		}
		commit(t, s, changes...)
		got := load(t, s)
		if got.meta.NextQueue != 99 || got.queues[0].Name != "99" || got.counters[0].LastTurn != 99 {
			t.Errorf("Load() = %+v, want the last of each", got)
		}
		if len(got.lanes) != 1 || got.lanes[0].Tail != 99 {
			t.Errorf("lanes = %+v, want the first with tail 99, and not the one that ended", got.lanes)
		}
	})
}

func TestAMoveCopiesPatchesAndDrops(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		before := message("body")
		before.Group, before.Deduplication, before.Attributes = "g", "d", []engine.Attribute{{Name: "n", Type: "String", Value: []byte("v")}}
		from, to := ref(1, 1, 0), ref(2, 1, 7)
		commit(t, s, // the message is put earlier in the same group
			&engine.Change{Puts: []engine.Put{{Ref: from, Message: before}}, States: []engine.StateRecord{{Ref: from, Receives: 1, Append: &engine.HistoryRecord{At: at(1)}}}},
			&engine.Change{
				Queues: []engine.QueueRecord{{Number: 1, Epoch: 1}, {Number: 2, Epoch: 1}},
				Moves:  []engine.Move{{From: from, To: to, Arrived: at(5), Origin: "orders", EarlierReceives: 3, FirstReceived: at(1), Sequence: 12}},
			})
		want := *before
		want.Arrived, want.Origin, want.EarlierReceives, want.FirstReceived, want.Sequence = at(5), "orders", 3, at(1), 12
		want.EarlierHistory = []engine.HistoryRecord{{At: at(1)}}
		got, err := s.Read([]engine.Ref{from, to}, -1)
		if err != nil || got[0] != nil || !reflect.DeepEqual(got[1], &want) {
			t.Errorf("Read() after the move = %+v, %+v, %v, want nothing, %+v", got[0], got[1], err, want)
		}
		if states := load(t, s).states; len(states) != 0 {
			t.Errorf("states after the move = %+v, want none", states)
		}

		// A second dead-letter move adds its receives and keeps the first of all.
		for i := range uint32(engine.HistoryLength) {
			commit(t, s, &engine.Change{States: []engine.StateRecord{{Ref: to, Receives: i + 1, Append: &engine.HistoryRecord{At: at(int(i) + 10), Holder: i}}}})
			want.EarlierHistory = append(want.EarlierHistory, engine.HistoryRecord{At: at(int(i) + 10), Holder: i})
		}
		want.EarlierHistory = want.EarlierHistory[1:]
		commit(t, s, &engine.Change{Moves: []engine.Move{{From: to, To: from, Arrived: at(6), Origin: "dead", EarlierReceives: 2, FirstReceived: at(5), Sequence: 13}}})
		want.Arrived, want.Origin, want.EarlierReceives, want.Sequence = at(6), "dead", 5, 13
		if got, err := s.Read([]engine.Ref{from}, -1); err != nil || !reflect.DeepEqual(got[0], &want) {
			t.Errorf("Read() after the second move = %+v, %v, want %+v", got[0], err, want)
		}

		// Into a FIFO queue: sent anew, and its id is what it is deduplicated by.
		commit(t, s, &engine.Change{Moves: []engine.Move{{From: from, To: to, Sent: at(7), Arrived: at(7), Origin: "orders", EarlierReceives: 1, FirstReceived: at(6), Sequence: 14, Deduplicate: true}}})
		want.Sent, want.Arrived, want.Origin, want.EarlierReceives, want.Sequence = at(7), at(7), "orders", 6, 14
		want.Deduplication = "01020300-0000-0000-0000-000000000000"
		if got, err := s.Read([]engine.Ref{to}, -1); err != nil || !reflect.DeepEqual(got[0], &want) {
			t.Errorf("Read() after the move into a FIFO queue = %+v, %v, want %+v", got[0], err, want)
		}

		// A redrive: everything new but what it is deduplicated by.
		commit(t, s, &engine.Change{Moves: []engine.Move{{From: to, To: from, Redrive: true, ID: engine.ID{9}, Sent: at(8), Arrived: at(8)}}})
		want = engine.Message{ID: engine.ID{9}, Sent: at(8), Arrived: at(8), Deduplication: want.Deduplication, Group: "g", Priority: 8,
			Attributes: before.Attributes, Body: before.Body, Size: 4}
		if got, err := s.Read([]engine.Ref{from}, -1); err != nil || !reflect.DeepEqual(got[0], &want) {
			t.Errorf("Read() after the redrive = %+v, %v, want %+v", got[0], err, want)
		}
	})
}

func TestAGroupWithAMissingMessageWritesNothing(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		err := s.Commit([]*engine.Change{
			{Puts: []engine.Put{{Ref: ref(1, 1, 0), Message: message("a")}}},
			{Moves: []engine.Move{{From: ref(1, 1, 5), To: ref(2, 1, 0)}}},
		})
		var missing *MissingError
		if !errors.As(err, &missing) || missing.Ref != ref(1, 1, 5) {
			t.Errorf("Commit() = %v, want a MissingError for position 5", err)
		}
		if got := read(t, s, ref(1, 1, 0)); got[0] != "-" {
			t.Errorf("Read() = %q after the failed group, want nothing", got)
		}
		commit(t, s, &engine.Change{Puts: []engine.Put{{Ref: ref(1, 1, 0), Message: message("b")}}})
		if got := read(t, s, ref(1, 1, 0)); got[0] != "b" {
			t.Errorf("Read() = %q after the next group, want b", got)
		}
	})
}

func TestDropsAndUnstates(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		change, _ := everything()
		commit(t, s, change)
		commit(t, s, &engine.Change{Drops: []engine.Ref{ref(1, 1, 0), ref(1, 1, 1)}, Unstates: []engine.Ref{ref(1, 1, 2)}})
		if got := read(t, s, ref(1, 1, 0), ref(1, 1, 1), ref(1, 1, 2)); !reflect.DeepEqual(got, []string{"-", "-", "3rd"}) {
			t.Errorf("Read() = %q, want only the third", got)
		}
		if states := load(t, s).states; len(states) != 0 {
			t.Errorf("states = %+v, want none", states)
		}
		if h, err := s.History(ref(1, 1, 0)); err != nil || len(h) != 0 {
			t.Errorf("History() of a dropped message = %v, %v, want nothing", h, err)
		}
	})
}

func TestHistoryGrowsOverCommitsAndIsCapped(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		r := ref(1, 1, 0)
		var want []engine.HistoryRecord
		for i := 1; i <= 12; i++ {
			h := engine.HistoryRecord{At: at(i), Until: at(i + 30), Holder: uint32(i)}
			state := engine.StateRecord{Ref: r, Sent: start, Receives: uint32(i), Append: &h}
			changed := engine.StateRecord{Ref: r, Sent: start, Receives: uint32(i), Change: at(i + 60)}
			quiet := engine.StateRecord{Ref: r, Sent: start, Receives: uint32(i), Holder: 4}
			if i%2 == 0 { // in one group, or in three
				commit(t, s, &engine.Change{States: []engine.StateRecord{state}}, &engine.Change{States: []engine.StateRecord{changed, quiet}})
			} else {
				commit(t, s, &engine.Change{States: []engine.StateRecord{state}})
				commit(t, s, &engine.Change{States: []engine.StateRecord{changed}})
				commit(t, s, &engine.Change{States: []engine.StateRecord{quiet}})
			}
			h.Until = at(i + 60)
			want = append(want, h)
			last := want[max(0, len(want)-engine.HistoryLength):]
			if got, err := s.History(r); err != nil || !reflect.DeepEqual(got, last) {
				t.Fatalf("History() after %d receives = %v, %v, want %v", i, got, err, last)
			}
		}
	})
}

func TestSelectionsAreChunkedAndForgotten(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		refs := make([]engine.Ref, 2500)
		for i := range refs {
			refs[i] = ref(1, 1, uint64(len(refs)-i))
		}
		task := engine.TaskRecord{Task: engine.Task{ID: 4, Source: "dead"}}
		other := &engine.Selection{Task: 5, Refs: refs[:3]}
		commit(t, s, &engine.Change{Tasks: []engine.TaskRecord{task}, Choose: &engine.Selection{Task: 4, Refs: refs}}, &engine.Change{Choose: other})
		if got, err := s.Selection(4); err != nil || !slices.Equal(got, refs) {
			t.Errorf("Selection(4) = %d refs, %v, want %d in order", len(got), err, len(refs))
		}
		commit(t, s, &engine.Change{EndTasks: []uint64{4}})
		if got, err := s.Selection(4); err != nil || len(got) != 0 {
			t.Errorf("Selection(4) of an ended task = %d refs, %v, want none", len(got), err)
		}
		if got, err := s.Selection(5); err != nil || len(got) != 3 {
			t.Errorf("Selection(5) = %d refs, %v, want 3", len(got), err)
		}
		if tasks := load(t, s).tasks; len(tasks) != 0 {
			t.Errorf("tasks = %v, want none", tasks)
		}
	})
}

func TestForgettingAQueueRemovesItsRecordAndCounters(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		change, _ := everything()
		commit(t, s, change, &engine.Change{Forget: []uint32{2}})
		got := load(t, s)
		if len(got.queues) != 1 || len(got.counters) != 1 || got.queues[0].Number != 1 || got.counters[0].Queue != 1 {
			t.Errorf("after Forget(2): queues %+v, counters %+v, want those of 1", got.queues, got.counters)
		}
	})
}

func TestAGroupThatIsTooBigIsSplitBetweenChanges(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		var changes []*engine.Change
		var refs []engine.Ref
		for i := range 40 {
			c := new(engine.Change)
			for j := range 500 {
				refs = append(refs, ref(1, 1, uint64(i*500+j)))
				c.Puts = append(c.Puts, engine.Put{Ref: refs[len(refs)-1], Message: message("x")})
			}
			changes = append(changes, c)
		}
		commit(t, s, changes...)
		if got := read(t, s, refs...); slices.Contains(got, "-") {
			t.Error("a message of the split group is missing")
		}
	})
}

func TestLargestMessage(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		m := message(strings.Repeat("x", engine.MaxMessageSize))
		m.Attributes = []engine.Attribute{{Name: "n", Type: "Binary", Value: make([]byte, 100_000)}}
		var puts []engine.Put
		for i := range uint64(16) {
			puts = append(puts, engine.Put{Ref: ref(1, 1, i), Message: m})
		}
		commit(t, s, &engine.Change{Puts: puts})
		list, err := s.Read([]engine.Ref{ref(1, 1, 15)}, -1)
		if err != nil || !reflect.DeepEqual(list[0], m) {
			t.Errorf("Read() of the largest message: %v, or it differs", err)
		}
	})
}
