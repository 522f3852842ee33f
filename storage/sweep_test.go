package storage

import (
	"reflect"
	"testing"

	"inflight/engine"
)

// purged is a change that leaves n messages, n states, n deduplication ids and
// 2 lanes in epoch 1 of queue 1, and one message in each epoch and queue beside
// it.
func purged(n uint64, q engine.QueueRecord) (*engine.Change, []engine.Ref) {
	c := &engine.Change{
		Queues: []engine.QueueRecord{q, {Number: 2, Name: "other", Epoch: 1}},
		Lanes:  []engine.LaneRecord{{Queue: 1, Epoch: 1, Lane: 1, Tail: n}, {Queue: 1, Epoch: 1, Lane: 2, Tail: 0}},
	}
	for i := range n {
		c.Puts = append(c.Puts, engine.Put{Ref: ref(1, 1, i), Message: message("x")})
		c.States = append(c.States, engine.StateRecord{Ref: ref(1, 1, i)})
		c.Dedups = append(c.Dedups, dedup(1, 25*byte(i), i))
	}
	stay := []engine.Ref{{Queue: 1, Epoch: 0, Lane: 1}, {Queue: 1, Epoch: 2, Lane: 1}, {Queue: 0, Epoch: 1, Lane: 1}, ref(2, 1, 0)}
	for _, r := range stay {
		c.Puts = append(c.Puts, engine.Put{Ref: r, Message: message("stays")})
		c.Dedups = append(c.Dedups, engine.DedupRecord{Queue: r.Queue, Epoch: r.Epoch})
	}
	return c, stay
}

// keys counts what is left in an epoch.
func keys(t *testing.T, s *Store, queue, epoch uint32) (n int) {
	t.Helper()
	s.tables.view(func(r reading) error {
		for _, table := range []byte{tableMessage, tableState, tableLane, tableDedup} {
			n += len(keysBelow(r, appendEpochPrefix(nil, table, queue, epoch)))
		}
		return nil
	})
	return n
}

func TestSweepRemovesAnOldEpochInSlices(t *testing.T) {
	for _, limit := range []int{1, 7, 10, 32, 1000} {
		both(t, func(t *testing.T, s *Store) {
			change, stay := purged(10, engine.QueueRecord{Number: 1, Epoch: 2, Old: []uint32{1}})
			commit(t, s, change)
			calls := 0
			for left, done := 32, false; !done; calls++ {
				var err error
				if done, err = s.Sweep(1, 1, limit); err != nil {
					t.Fatalf("Sweep() = %v", err)
				}
				now := keys(t, s, 1, 1)
				if now != max(0, left-limit) {
					t.Fatalf("limit %d: %d keys are left, were %d", limit, now, left)
				}
				if done != (left < limit) {
					t.Fatalf("limit %d: Sweep() = %v with %d keys before", limit, done, left)
				}
				left = now
			}
			for i, body := range read(t, s, stay...) {
				if body != "stays" {
					t.Errorf("Sweep(1, 1) removed the message at %v", stay[i])
				}
				if n := keys(t, s, stay[i].Queue, stay[i].Epoch); n != 2 {
					t.Errorf("Sweep(1, 1) left %d keys in the epoch of %v, want 2", n, stay[i])
				}
			}
		})
	}
}

func TestSweepWaitsUntilThePurgeIsDurable(t *testing.T) {
	tests := []struct {
		name  string
		queue engine.QueueRecord
		want  bool
	}{
		{"an epoch that is not old is not swept", engine.QueueRecord{Number: 1, Epoch: 1}, false},
		{"an old epoch is swept", engine.QueueRecord{Number: 1, Epoch: 2, Old: []uint32{1}}, true},
		{"a deleted queue is swept", engine.QueueRecord{Number: 1, Epoch: 1, Deleted: true}, true},
		{"a queue that is gone is swept", engine.QueueRecord{Number: 9}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := OpenMemory()
			defer s.Close()
			change, _ := purged(3, tt.queue)
			commit(t, s, change)
			done, err := s.Sweep(1, 1, 100)
			if left := keys(t, s, 1, 1); err != nil || done != tt.want || tt.want != (left == 0) {
				t.Errorf("Sweep() = %v, %v with %d keys left, want %v", done, err, left, tt.want)
			}
		})
	}
}

func TestWhatWaitsToBeSweptIsNotLoaded(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		change, _ := purged(10, engine.QueueRecord{Number: 1, Epoch: 2, Old: []uint32{1}})
		change.Lanes = append(change.Lanes, engine.LaneRecord{Queue: 1, Epoch: 2, Lane: 1}, engine.LaneRecord{Queue: 3, Epoch: 1, Lane: 1})
		change.States = append(change.States, engine.StateRecord{Ref: engine.Ref{Queue: 1, Epoch: 2, Lane: 1}}, engine.StateRecord{Ref: ref(3, 1, 1)})
		change.Dedups = append(change.Dedups, dedup(3, 1, 1))
		commit(t, s, change)
		c := load(t, s)
		want := []engine.DedupRecord{{Queue: 1}, {Queue: 1, Epoch: 2}, {Queue: 2, Epoch: 1}}
		if !reflect.DeepEqual(c.dedups, want) {
			t.Errorf("loaded deduplication ids %+v, want %+v", c.dedups, want)
		}
		if len(c.lanes) != 1 || c.lanes[0].Epoch != 2 || len(c.states) != 1 || c.states[0].Ref.Epoch != 2 {
			t.Errorf("loaded lanes %+v and states %+v, want those of epoch 2", c.lanes, c.states)
		}
	})
}
