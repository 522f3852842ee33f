package engine

import "time"

// A redrive of a FIFO queue walks the ring: a group whose first message is in
// flight is passed over whole, since to move what lies behind it would break
// its order.
const (
	groupsAtOnce = 2048 // lanes that a slice looks at
	groupRun     = 16   // messages of each
)

// nextGroups chooses the first messages of the groups that can deliver. What
// lies behind a task's bound shows only when they are read: see trim.
func (o *op) nextGroups(q *queue, n int) batch {
	o.settle(q)
	b := batch{cursors: map[uint64]uint64{}, cut: map[uint64]bool{}}
	looked := 0
	for l := q.contents.fifo.front; l != nil && looked < groupsAtOnce && len(b.refs) < 8*redriveAtOnce; l = l.ring.next {
		looked++
		b.cut[l.number] = o.frontRun(q, l, min(n, groupRun), &b)
	}
	return b
}

// frontRun adds the first messages of a lane, up to one that is not ready,
// and says whether more may follow.
func (o *op) frontRun(q *queue, l *lane, n int, b *batch) (cut bool) {
	cursor := uint64(0)
	for looked := 0; n > 0; looked++ {
		pos, id, ok := l.from(cursor)
		if !ok {
			return false
		}
		if looked == lookAtOnce {
			return true
		}
		cursor = pos + 1
		if id != 0 {
			switch q.contents.slab.at(id).phase {
			case phaseRemoved:
				continue
			case phaseFlight, phaseDelayed:
				return false
			}
		}
		b.refs = append(b.refs, l.ref(pos))
		n--
	}
	return true
}

// trim leaves of a batch, which is in order of arrival, what the task may
// move, and only as far as nothing older can lie behind the part of a group
// that was chosen. The task is done when nothing is left.
func (b *batch) trim(t *task, messages []*Message, order []int) []int {
	newest := map[uint64]*Message{}
	for _, i := range order {
		newest[b.refs[i].Lane] = messages[i]
	}
	var horizon time.Time
	more := false
	for number, cut := range b.cut {
		switch m := newest[number]; {
		case !cut, m != nil && m.Sequence > t.BoundSequence: // nothing of the task lies behind
		case m == nil:
			more = true // all that was chosen of it went meanwhile
		case horizon.IsZero() || m.Arrived.Before(horizon):
			horizon = m.Arrived
		}
	}
	kept := order[:0]
	for _, i := range order {
		m := messages[i]
		if m.Sequence <= t.BoundSequence && (horizon.IsZero() || !m.Arrived.After(horizon)) {
			kept = append(kept, i)
		}
	}
	b.last = len(kept) == 0 && !more
	return kept
}
