package storage

import "inflight/engine"

// groups says which lane each message group has, for one epoch at a time:
// lanes pass by in that order.
type groups struct {
	epoch epochID
	lanes map[string]uint64
}

func (a *audit) isFIFO(queue uint32) bool {
	return a.queues[queue].queue.Type == engine.FIFO
}

// group looks at the lane whose walk begins: in a FIFO queue no other has its
// message group.
func (a *audit) group(w *laneWalk, key []byte) {
	if !a.isFIFO(w.Queue) {
		return
	}
	if epoch := (epochID{w.Queue, w.Epoch}); a.groups.lanes == nil || a.groups.epoch != epoch {
		a.groups = groups{epoch, make(map[string]uint64)}
	}
	if other, twice := a.groups.lanes[w.Group]; twice {
		a.bad(nil, "%s is for group %q, and so is lane %d", describe(key), w.Group, other)
	}
	a.groups.lanes[w.Group] = w.Lane
}

// inGroup compares a message of a FIFO queue with its lane, and with the
// message before it: sequence numbers grow.
func (a *audit) inGroup(w *laneWalk, key []byte, msg *engine.Message) {
	if !a.isFIFO(w.Queue) {
		return
	}
	if msg.Group != w.Group {
		a.bad(nil, "%s is of group %q, but its lane is for %q", describe(key), msg.Group, w.Group)
	}
	if msg.Sequence <= w.sequence {
		a.bad(nil, "%s has sequence number %d, but comes after one of %d", describe(key), msg.Sequence, w.sequence)
	}
	w.sequence = msg.Sequence
}

// dedups looks at the deduplication ids, which outlive their messages.
func (a *audit) dedups() error {
	c := a.cursor(tableDedup)
	defer c.it.close()
	for ; c.ok; c.next() {
		k, _ := parseKey(c.it.key())
		err := a.value(c, func(value []byte) error {
			d, err := decodeDedup(value, k)
			if err != nil {
				return err
			}
			if !a.isFIFO(k.Ref.Queue) {
				key := k.append(nil)
				a.bad([]write{{key: key}}, "%s: the queue is not FIFO", describe(key))
				return nil
			}
			q := a.queues[k.Ref.Queue]
			q.sequence = max(q.sequence, d.Sequence)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
