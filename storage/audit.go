package storage

import (
	"fmt"
	"slices"

	"inflight/engine"
)

// audit walks a store and compares its records with one another. Check and
// repair share it, so that what is reported is what is mended.
type audit struct {
	r       reading
	report  func(problem)
	own     metaRecord
	queues  map[uint32]*account
	holders map[uint32]bool
	living  living
	groups  groups
}

// account is what adds up for one queue.
type account struct {
	queue    engine.QueueRecord
	counters engine.CounterRecord
	live     uint64 // messages there are
	turn     uint64 // the highest seen
	lane     uint64
	sequence uint64
}

func (a *audit) bad(mend []write, format string, args ...any) {
	a.report(problem{fmt.Sprintf(format, args...), mend})
}

// unreadable reports a record that goes when it is mended.
func (a *audit) unreadable(key []byte, err error) {
	key = slices.Clone(key)
	a.bad([]write{{key: key}}, "%v", corrupt(key, err))
}

// unknown reports keys of no table, and steps over the tables.
func (a *audit) unknown() error {
	it := a.r.iterate(nil)
	defer it.close()
	for it.valid() {
		switch key := it.key(); key[0] {
		case tableMeta, tableCounters, tableDedup, tableHolder, tableTask, tableLane, tableMessage, tableQueue, tableState:
			it.seek([]byte{key[0] + 1})
		default:
			a.bad([]write{{key: slices.Clone(key)}}, "%s belongs to no table", describe(key))
			it.next()
		}
	}
	return nil
}

// table calls fn for each record whose key has the right form; fn's error
// means that its value cannot be read.
func (a *audit) table(table byte, fn func(k key, value []byte) error) error {
	return scan(a.r, []byte{table}, func(key, value []byte) error {
		k, ok := parseKey(key)
		if !ok {
			a.bad([]write{{key: slices.Clone(key)}}, "%s has a wrong length", describe(key))
			return nil
		}
		if err := fn(k, value); err != nil {
			a.unreadable(key, err)
		}
		return nil
	})
}

func (a *audit) meta() error {
	found := false
	err := a.table(tableMeta, func(_ key, value []byte) (err error) {
		found = true
		a.own, err = decodeMeta(value)
		return err
	})
	if err == nil && !found {
		a.bad(nil, "the store's own record is missing")
	}
	return err
}

func (a *audit) readQueues() error {
	names := make(map[string]uint32)
	return a.table(tableQueue, func(k key, value []byte) error {
		q, err := decodeQueue(value, k.Number)
		if err != nil {
			return err
		}
		a.queues[q.Number] = &account{queue: q}
		a.living[q.Number] = &q
		if q.Number >= a.own.NextQueue {
			a.raise(func(m *metaRecord) { m.NextQueue = q.Number + 1 }, "queue %d is not below the next queue, %d", q.Number, a.own.NextQueue)
		}
		if slices.Contains(q.Old, q.Epoch) && !q.Deleted {
			a.bad(nil, "queue %d lists its own epoch %d as old", q.Number, q.Epoch)
		}
		if !q.Deleted {
			if other, twice := names[q.Name]; twice {
				a.bad(nil, "queues %d and %d are both named %q", other, q.Number, q.Name)
			}
			names[q.Name] = q.Number
		}
		return nil
	})
}

// raise reports a number of the store's own that is too low.
func (a *audit) raise(change func(*metaRecord), format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	change(&a.own)
	a.report(problem{text, []write{{appendMetaKey(nil), appendMeta(nil, a.own)}}})
}

func (a *audit) readCounters() error {
	return a.table(tableCounters, func(k key, value []byte) error {
		c, err := decodeCounters(value, k.Number)
		if err != nil {
			return err
		}
		q := a.queues[k.Number]
		if q == nil {
			key := k.append(nil)
			a.bad([]write{{key: key}}, "%s: there is no such queue", describe(key))
			return nil
		}
		q.counters = c
		return nil
	})
}

func (a *audit) readHolders() error {
	return a.table(tableHolder, func(k key, value []byte) error {
		_, err := decodeHolder(value, k.Number)
		if err == nil {
			a.holders[k.Number] = true
		}
		return err
	})
}

// tasks looks at each task and at the chunks of its selection, which follow it.
func (a *audit) tasks() error {
	var task *engine.TaskRecord
	next, full := uint32(0), true
	finish := func() {
		if task != nil && task.Selected && task.State.Active() && next == 0 {
			a.bad(nil, "task %d moves a selection, and has none", task.ID)
		}
	}
	err := a.table(tableTask, func(k key, value []byte) error {
		if !k.Chunked {
			finish()
			task, next, full = nil, 0, true
			t, err := decodeTask(value, k.Task)
			if err != nil {
				return err
			}
			task = &t
			if t.ID >= a.own.NextTask {
				a.raise(func(m *metaRecord) { m.NextTask = t.ID + 1 }, "task %d is not below the next task, %d", t.ID, a.own.NextTask)
			}
			return nil
		}
		refs, err := decodeSelection(value, nil)
		if err != nil {
			return err
		}
		where := describe(k.append(nil))
		switch {
		case task == nil || task.ID != k.Task:
			a.bad([]write{{key: k.append(nil)}}, "%s: there is no such task", where)
		case k.Chunk != next || !full:
			a.bad(nil, "%s: something before it is missing", where)
		}
		next, full = k.Chunk+1, len(refs) == chunkRefs
		return nil
	})
	finish()
	return err
}

// balance compares each queue's counters with what was found.
func (a *audit) balance() {
	for number, q := range a.queues {
		if q.queue.Deleted {
			continue
		}
		c := q.counters
		c.Queue = number
		came := c.Sent + c.DeadLetteredIn
		went := c.Deleted + c.Expired + c.Purged + c.DeadLetteredOut + c.RedrivenOut
		var wrong []string
		if left, live := int64(came)-int64(went), int64(q.live); left != live {
			wrong = append(wrong, fmt.Sprintf("%d came and %d went, but %d are there", came, went, live))
			if left > live {
				c.Deleted += uint64(left - live)
			} else {
				c.Sent += uint64(live - left)
			}
		}
		if q.turn > c.LastTurn {
			wrong = append(wrong, fmt.Sprintf("the last turn is %d, but there is one of %d", c.LastTurn, q.turn))
			c.LastTurn = q.turn
		}
		if q.queue.Type == engine.FIFO && q.lane > c.LastLane {
			wrong = append(wrong, fmt.Sprintf("the last lane is %d, but there is a lane %d", c.LastLane, q.lane))
			c.LastLane = q.lane
		}
		if q.sequence > c.LastSequence {
			wrong = append(wrong, fmt.Sprintf("the last sequence number is %d, but there is a %d", c.LastSequence, q.sequence))
			c.LastSequence = q.sequence
		}
		for i, text := range wrong {
			var mend []write
			if i == 0 {
				mend = []write{{appendNumberKey(nil, tableCounters, number), appendCounters(nil, &c)}}
			}
			a.bad(mend, "counters of queue %d: %s", number, text)
		}
	}
}
