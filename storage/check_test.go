package storage

import (
	"reflect"
	"strings"
	"testing"

	"inflight/engine"
)

// sound is a change after which every rule holds.
func sound() *engine.Change {
	c := &engine.Change{
		Meta:    &engine.Meta{NextQueue: 3, NextTask: 10},
		Queues:  []engine.QueueRecord{{Number: 1, Name: "orders", Epoch: 1, Old: []uint32{0}}, {Number: 2, Name: "dead", Epoch: 1}},
		Holders: []engine.HolderRecord{{Number: 1, Name: "worker-1"}},
		Lanes: []engine.LaneRecord{
			{Queue: 1, Epoch: 1, Lane: 1, Swept: 2, Head: 4, Tail: 8, Oldest: start, LastSent: start},
			{Queue: 1, Epoch: 1, Lane: 2, Tail: 1, Oldest: start, LastSent: start},
		},
		// Lane 1: 1 was received, 2 has expired and is not swept, 5 was deleted
		// ahead of its turn.
		States: []engine.StateRecord{
			{Ref: ref(1, 1, 1), Sent: start, Receives: 1, Size: 1, Turn: 4, Holder: 1},
			{Ref: ref(1, 1, 5), Sent: start, Removed: true},
			{Ref: ref(1, 1, 6), Sent: start, Size: 1, Waits: true, Due: at(9)},
		},
		Tasks:  []engine.TaskRecord{{Task: engine.Task{ID: 9, Source: "dead", Selected: true}}},
		Choose: &engine.Selection{Task: 9, Refs: make([]engine.Ref, chunkRefs+1)},
	}
	for _, r := range []engine.Ref{ref(1, 1, 1), ref(1, 1, 2), ref(1, 1, 4), ref(1, 1, 6), ref(1, 1, 7), ref(1, 2, 0)} {
		c.Puts = append(c.Puts, engine.Put{Ref: r, Message: message("x")})
	}
	old := engine.Ref{Queue: 1, Epoch: 0, Lane: 1, Pos: 3} // purged, not swept
	c.Puts = append(c.Puts, engine.Put{Ref: old, Message: message("x")})
	c.States = append(c.States, engine.StateRecord{Ref: old, Turn: 99})
	c.Dedups = append(c.Dedups, engine.DedupRecord{Queue: 1, Epoch: 0, Sequence: 99})
	c.Counters = []engine.CounterRecord{{Queue: 1, LastTurn: 4, LastLane: 2}, {Queue: 2}}
	c.Counters[0].Counters = engine.Counters{Sent: 10, DeadLetteredIn: 1, Deleted: 2, Expired: 1, Purged: 1, DeadLetteredOut: 1, RedrivenOut: 1}
	return c
}

func check(t *testing.T, s *Store) (problems []string) {
	t.Helper()
	if err := s.Check(func(p string) { problems = append(problems, p) }); err != nil {
		t.Fatalf("Check() = %v", err)
	}
	return problems
}

// breaks are ways to break one rule each, and what Check says to it. Mended
// says that repair can put it right.
var breaks = []struct {
	name   string
	change *engine.Change
	raw    []write
	want   []string
	mended bool
}{
	{"a state without a message", &engine.Change{States: []engine.StateRecord{{Ref: ref(1, 1, 3), Turn: 1}}}, nil,
		[]string{"state at queue 1 epoch 1 lane 1 position 3 has no message"}, true},
	{"a message behind swept without a state", &engine.Change{Puts: []engine.Put{{Ref: ref(1, 1, 0), Message: message("x")}}}, nil,
		[]string{"message at queue 1 epoch 1 lane 1 position 0 is behind swept, 2, without a state"}, true},
	{"a message at the tail", &engine.Change{Puts: []engine.Put{{Ref: ref(1, 1, 8), Message: message("x")}}}, nil,
		[]string{"queue 1 epoch 1 lane 1 position 8 is not below the lane's tail, 8"}, true},
	{"a state at the tail", &engine.Change{States: []engine.StateRecord{{Ref: ref(1, 1, 8), Removed: true}}}, nil,
		[]string{"queue 1 epoch 1 lane 1 position 8 is not below the lane's tail, 8"}, true},
	{"waiting messages that are not there", nil, []write{{key: appendRefKey(nil, tableMessage, ref(1, 1, 4))}, {key: appendRefKey(nil, tableState, ref(1, 1, 5))}},
		[]string{
			"queue 1 epoch 1 lane 1 position 4 and the 1 after it: no message, though the lane counts on one",
			"counters of queue 1: 11 came and 6 went, but 4 are there",
		}, true},
	{"the last message of a lane that is not there", nil, []write{{key: appendRefKey(nil, tableMessage, ref(1, 2, 0))}},
		[]string{
			"queue 1 epoch 1 lane 2 position 0: no message, though the lane counts on one",
			"counters of queue 1: 11 came and 6 went, but 4 are there",
		}, true},
	{"a touched message that is not there", nil, []write{{key: appendRefKey(nil, tableMessage, ref(1, 1, 6))}},
		[]string{
			"state at queue 1 epoch 1 lane 1 position 6 has no message",
			"counters of queue 1: 11 came and 6 went, but 4 are there",
		}, true},
	{"a removed message that is there", &engine.Change{Puts: []engine.Put{{Ref: ref(1, 1, 5), Message: message("x")}}}, nil,
		[]string{"message at queue 1 epoch 1 lane 1 position 5 is there, though its state says that it was removed"}, true},
	{"a removed state behind the head", &engine.Change{States: []engine.StateRecord{{Ref: ref(1, 1, 3), Removed: true}}}, nil,
		[]string{"state at queue 1 epoch 1 lane 1 position 3 says that a message was removed, but lies behind the head, 4"}, true},
	{"a lane that does not exist", &engine.Change{Puts: []engine.Put{{Ref: ref(2, 7, 0), Message: message("x")}}, States: []engine.StateRecord{{Ref: ref(2, 7, 0)}}}, nil,
		[]string{"queue 2 epoch 1 lane 7 position 0: there is no such lane"}, true},
	{"a lane whose ends are not in order", &engine.Change{Lanes: []engine.LaneRecord{{Queue: 2, Epoch: 1, Lane: 1, Swept: 3, Head: 2, Tail: 2}}}, nil,
		[]string{"queue 2 epoch 1 lane 1: swept 3, head 2 and tail 2 are not in order"}, true},
	{"counters of no queue", &engine.Change{Counters: []engine.CounterRecord{{Queue: 7}}}, nil,
		[]string{"counters of queue 7: there is no such queue"}, true},
	{"counts that are off", &engine.Change{Counters: []engine.CounterRecord{{Queue: 1, LastTurn: 3, Counters: engine.Counters{Sent: 4}}}}, nil,
		[]string{
			"counters of queue 1: 4 came and 0 went, but 5 are there",
			"counters of queue 1: the last turn is 3, but there is one of 4",
		}, true},
	{"a fifo queue's last lane and sequence number", &engine.Change{
		Queues:   []engine.QueueRecord{{Number: 2, Name: "dead", Epoch: 1, Attributes: engine.Attributes{Type: engine.FIFO}}},
		Lanes:    []engine.LaneRecord{{Queue: 2, Epoch: 1, Lane: 6, Group: "g", Tail: 1}},
		Puts:     []engine.Put{{Ref: ref(2, 6, 0), Message: grouped("g", 7)}},
		Dedups:   []engine.DedupRecord{dedup(2, 1, 9)},
		Counters: []engine.CounterRecord{{Queue: 2, Counters: engine.Counters{Sent: 1}}},
	}, nil, []string{
		"counters of queue 2: the last lane is 0, but there is a lane 6",
		"counters of queue 2: the last sequence number is 0, but there is a 9",
	}, true},
	{"a queue that is lost with its counters", nil, []write{{key: appendNumberKey(nil, tableQueue, 1)}, {key: appendNumberKey(nil, tableCounters, 1)}},
		[]string{
			"queue 1 epoch 1 lane 1 and what follows belong to no queue",
			"message at queue 1 epoch 0 lane 1 position 3 and what follows belong to no queue",
			"message at queue 1 epoch 1 lane 1 position 1 and what follows belong to no queue",
			"state at queue 1 epoch 0 lane 1 position 3 and what follows belong to no queue",
			"state at queue 1 epoch 1 lane 1 position 1 and what follows belong to no queue",
			"queue 1 epoch 0 deduplication id 00000000000000000000000000000000 and what follows belong to no queue",
		}, false},
	{"a lane of an epoch that never was", &engine.Change{Lanes: []engine.LaneRecord{{Queue: 1, Epoch: 9, Lane: 1}}}, nil,
		[]string{"queue 1 epoch 9 lane 1 and what follows belong to no queue"}, false},
	{"two lanes of one message group", &engine.Change{
		Queues: []engine.QueueRecord{{Number: 2, Name: "dead", Epoch: 1, Old: []uint32{2}, Attributes: engine.Attributes{Type: engine.FIFO}}},
		Lanes: []engine.LaneRecord{{Queue: 2, Epoch: 1, Lane: 3, Group: "a"}, {Queue: 2, Epoch: 1, Lane: 4, Group: "b"},
			{Queue: 2, Epoch: 1, Lane: 5, Group: "a"}, {Queue: 2, Epoch: 2, Lane: 6, Group: "b"}},
		Counters: []engine.CounterRecord{{Queue: 2, LastLane: 6}},
	}, nil, []string{`queue 2 epoch 1 lane 5 is for group "a", and so is lane 3`}, false},
	{"messages out of their order and group", &engine.Change{
		Queues: []engine.QueueRecord{{Number: 2, Name: "dead", Epoch: 1, Attributes: engine.Attributes{Type: engine.FIFO}}},
		Lanes:  []engine.LaneRecord{{Queue: 2, Epoch: 1, Lane: 6, Group: "g", Tail: 3}, {Queue: 2, Epoch: 1, Lane: 7, Group: "h", Tail: 1}},
		Puts: []engine.Put{{Ref: ref(2, 6, 0), Message: grouped("g", 4)}, {Ref: ref(2, 6, 1), Message: grouped("h", 6)},
			{Ref: ref(2, 6, 2), Message: grouped("g", 5)}, {Ref: ref(2, 7, 0), Message: grouped("h", 1)}},
		Counters: []engine.CounterRecord{{Queue: 2, LastLane: 7, LastSequence: 6, Counters: engine.Counters{Sent: 4}}},
	}, nil, []string{
		`message at queue 2 epoch 1 lane 6 position 1 is of group "h", but its lane is for "g"`,
		"message at queue 2 epoch 1 lane 6 position 2 has sequence number 5, but comes after one of 6",
	}, false},
	{"a message in a lane that ended", &engine.Change{
		Queues: []engine.QueueRecord{{Number: 2, Name: "dead", Epoch: 1, Attributes: engine.Attributes{Type: engine.FIFO}}},
		Lanes:  []engine.LaneRecord{{Queue: 2, Epoch: 1, Lane: 6, Group: "g", Tail: 1, Ended: true}},
		Puts:   []engine.Put{{Ref: ref(2, 6, 0), Message: grouped("g", 4)}},
	}, nil, []string{"queue 2 epoch 1 lane 6 position 0: there is no such lane"}, true},
	{"a deduplication id of a standard queue", &engine.Change{Dedups: []engine.DedupRecord{dedup(1, 0xab, 1)}}, nil,
		[]string{"queue 1 epoch 1 deduplication id ab000000000000000000000000000007: the queue is not FIFO"}, true},
	{"a state of another size and holder", &engine.Change{States: []engine.StateRecord{{Ref: ref(1, 1, 1), Size: 2, Holder: 3}}}, nil,
		[]string{
			"state at queue 1 epoch 1 lane 1 position 1 says that the body has 2 bytes, but it has 1",
			"state at queue 1 epoch 1 lane 1 position 1 names holder 3, who does not exist",
		}, false},
	{"numbers that were given before", &engine.Change{Meta: &engine.Meta{NextQueue: 2, NextTask: 9}}, nil,
		[]string{"queue 2 is not below the next queue, 2", "task 9 is not below the next task, 9"}, true},
	{"two queues of one name", &engine.Change{Queues: []engine.QueueRecord{{Number: 2, Name: "orders", Epoch: 1}}}, nil,
		[]string{`queues 1 and 2 are both named "orders"`}, false},
	{"an epoch that is its own past", &engine.Change{Queues: []engine.QueueRecord{{Number: 2, Name: "dead", Epoch: 1, Old: []uint32{1}}}}, nil,
		[]string{"queue 2 lists its own epoch 1 as old"}, false},
	{"a selection that is not there", nil, []write{{key: appendChunkKey(nil, 9, 0)}, {key: appendChunkKey(nil, 9, 1)}},
		[]string{"task 9 moves a selection, and has none"}, false},
	{"a selection without its first chunk", nil, []write{{key: appendChunkKey(nil, 9, 0)}},
		[]string{"selection of task 9, chunk 1: something before it is missing"}, false},
	{"a selection of no task", &engine.Change{Choose: &engine.Selection{Task: 5, Refs: make([]engine.Ref, 1)}}, nil,
		[]string{"selection of task 5, chunk 0: there is no such task"}, true},
	{"values that cannot be read", nil, []write{
		{appendNumberKey(nil, tableQueue, 3), []byte{1}},
		{appendNumberKey(nil, tableHolder, 2), []byte{9, 1}},
		{appendTaskKey(nil, 4), []byte{1, 99}},
		{appendLaneKey(nil, 2, 1, 3), []byte{0}},
		{appendRefKey(nil, tableMessage, ref(1, 1, 2)), []byte{1, 2, 3}},
		{appendRefKey(nil, tableState, ref(1, 1, 3)), []byte{1}},
		{appendDedupKey(nil, 1, 1, [16]byte{1}), []byte{1}},
	}, []string{
		"queue 3 cannot be read: value is cut short",
		"holder 2 cannot be read: value has an unknown version",
		"task 4 cannot be read: value is out of range",
		"message at queue 1 epoch 1 lane 1 position 2 cannot be read: value is cut short",
		"state at queue 1 epoch 1 lane 1 position 3 cannot be read: value is cut short",
		"queue 2 epoch 1 lane 3 cannot be read: value has an unknown version",
		"queue 1 epoch 1 deduplication id 01000000000000000000000000000000 cannot be read: value is cut short",
	}, true},
	{"keys that are none", nil, []write{{[]byte("zebra"), []byte{1}}, {[]byte{tableQueue, 1}, []byte{1}}, {[]byte{tableState, 0, 0}, []byte{1}}, {[]byte{tableDedup, 7}, []byte{1}}},
		[]string{"key 7a65627261 belongs to no table", "key 7101 has a wrong length", "key 730000 has a wrong length", "key 6407 has a wrong length"}, true},
}

func TestCheckFindsNothingWrongWhereNothingIs(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		if got := check(t, s); got != nil {
			t.Errorf("Check() of a new store = %q", got)
		}
		commit(t, s, sound())
		if got := check(t, s); got != nil {
			t.Errorf("Check() of a sound store = %q", got)
		}
	})
}

func TestCheckFindsEachBrokenRule(t *testing.T) {
	for _, tt := range breaks {
		t.Run(tt.name, func(t *testing.T) {
			s := broken(t, tt.change, tt.raw)
			if got := check(t, s); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("Check() =\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

func TestRepairMendsWhatCanBeTorn(t *testing.T) {
	for _, tt := range breaks {
		t.Run(tt.name, func(t *testing.T) {
			s := broken(t, tt.change, tt.raw)
			if err := s.repair(); err != nil {
				t.Fatalf("repair() = %v", err)
			}
			if got := check(t, s); tt.mended && got != nil || !tt.mended && got == nil {
				t.Errorf("Check() after repair = %q, mended = %v", got, tt.mended)
			}
			if got := read(t, s, ref(1, 1, 1), ref(1, 1, 7)); got[0] != "x" || got[1] != "x" {
				t.Errorf("Read() of sound messages after repair = %q", got)
			}
		})
	}
}

// broken is a sound store in which one thing was broken afterwards.
func broken(t *testing.T, change *engine.Change, raw []write) *Store {
	t.Helper()
	s, err := OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	commit(t, s, sound())
	if change != nil {
		commit(t, s, change)
	}
	if err := s.tables.update(func(w writing) error { return apply(w, raw) }); err != nil {
		t.Fatal(err)
	}
	return s
}
