package storage

import (
	"errors"
	"reflect"
	"testing"

	"inflight/engine"
)

// fifoQueue is queue 1, and FIFO.
var fifoQueue = engine.QueueRecord{Number: 1, Name: "q.fifo", Epoch: 1, Attributes: engine.Attributes{Type: engine.FIFO}}

// grouped is a message of a FIFO queue.
func grouped(group string, sequence uint64) *engine.Message {
	m := message("x")
	m.Group, m.Sequence = group, sequence
	return m
}

func TestDeduplicationIdsAreRememberedAndForgotten(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		a, b, c := dedup(1, 0, 1), dedup(1, 8, 2), dedup(1, 0xff, 3)
		other := dedup(2, 8, 9)
		other.Epoch = 2
		queues := []engine.QueueRecord{fifoQueue, {Number: 2, Epoch: 2}}
		commit(t, s, &engine.Change{Queues: queues, Dedups: []engine.DedupRecord{b, c, other}}, &engine.Change{Dedups: []engine.DedupRecord{a}})
		if got, want := load(t, s).dedups, []engine.DedupRecord{a, b, c, other}; !reflect.DeepEqual(got, want) {
			t.Errorf("loaded %+v, want %+v", got, want)
		}
		commit(t, s, &engine.Change{Undedups: []engine.DedupRecord{{Queue: 1, Epoch: 1, Key: b.Key}, {Queue: 1, Epoch: 1, Key: [16]byte{5}}}})
		if got, want := load(t, s).dedups, []engine.DedupRecord{a, c, other}; !reflect.DeepEqual(got, want) {
			t.Errorf("loaded %+v after one was forgotten, want %+v", got, want)
		}
		anew := c
		anew.Until, anew.ID, anew.Sequence = at(900), engine.ID{7}, 10
		commit(t, s, &engine.Change{Dedups: []engine.DedupRecord{anew}, Undedups: []engine.DedupRecord{{Queue: 1, Epoch: 1, Key: c.Key}}})
		if got, want := load(t, s).dedups, []engine.DedupRecord{a, anew, other}; !reflect.DeepEqual(got, want) {
			t.Errorf("loaded %+v after one was forgotten and remembered anew, want %+v", got, want)
		}
	})
}

func TestABrokenDeduplicationIdEndsTheLoad(t *testing.T) {
	for what, raw := range map[string]write{
		"queue 1 epoch 1 deduplication id 00000000000000000000000000000000": {appendDedupKey(nil, 1, 1, [16]byte{}), []byte{1, 2}},
		"key 64000000010000000102030405060708":                              {append(appendEpochPrefix(nil, tableDedup, 1, 1), 2, 3, 4, 5, 6, 7, 8), []byte{1}},
	} {
		s := broken(t, &engine.Change{Queues: []engine.QueueRecord{fifoQueue}}, []write{raw})
		var corrupt *CorruptError
		if err := s.Load(new(contents)); !errors.As(err, &corrupt) || corrupt.What != what {
			t.Errorf("Load() = %v, want a CorruptError of %q", err, what)
		}
	}
}

func TestALaneThatEndedIsGone(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		lane := func(number uint64, tail uint64, ended bool) engine.LaneRecord {
			return engine.LaneRecord{Queue: 1, Epoch: 1, Lane: number, Head: tail, Swept: tail, Tail: tail, Group: "g", Ended: ended}
		}
		other := lane(2, 0, false)
		other.Epoch, other.Group = 2, "h"
		commit(t, s, &engine.Change{Queues: []engine.QueueRecord{fifoQueue}, Lanes: []engine.LaneRecord{lane(1, 1, false), lane(2, 3, false), other}})
		commit(t, s, &engine.Change{Lanes: []engine.LaneRecord{lane(2, 3, true)}})
		if got, want := load(t, s).lanes, []engine.LaneRecord{lane(1, 1, false), other}; !reflect.DeepEqual(got, want) {
			t.Errorf("loaded %+v, want %+v", got, want)
		}
		// One group of changes: a lane that came and went was never there.
		commit(t, s, &engine.Change{Lanes: []engine.LaneRecord{lane(3, 1, false)}}, &engine.Change{Lanes: []engine.LaneRecord{lane(3, 1, true), lane(1, 1, true)}},
			&engine.Change{Lanes: []engine.LaneRecord{lane(4, 1, false)}})
		if got, want := load(t, s).lanes, []engine.LaneRecord{lane(4, 1, false), other}; !reflect.DeepEqual(got, want) {
			t.Errorf("loaded %+v, want %+v", got, want)
		}
	})
}
