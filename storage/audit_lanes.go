package storage

import (
	"cmp"
	"fmt"
	"slices"

	"inflight/engine"
)

// cursor walks the messages, the states, the lanes or the deduplication ids of
// living epochs.
type cursor struct {
	it    iterator
	table byte
	a     *audit
	ref   engine.Ref
	ok    bool
}

func (a *audit) cursor(table byte) *cursor {
	c := &cursor{it: a.r.iterate([]byte{table}), table: table, a: a}
	c.settle()
	return c
}

func (c *cursor) next() {
	c.it.next()
	c.settle()
}

// settle stops at the next key of the right width in a living epoch.
func (c *cursor) settle() {
	for c.ok = false; c.it.valid(); {
		b := c.it.key()
		k, ok := parseKey(b)
		switch {
		case !ok:
			c.a.bad([]write{{key: slices.Clone(b)}}, "%s has a wrong length", describe(b))
			c.it.next()
		case c.a.strays(k.Ref.Queue, k.Ref.Epoch):
			c.a.bad(nil, "%s and what follows belong to no queue", describe(b))
			c.it.seek(after(appendEpochPrefix(nil, c.table, k.Ref.Queue, k.Ref.Epoch)))
		case !c.a.living.has(k.Ref.Queue, k.Ref.Epoch):
			c.it.seek(after(appendEpochPrefix(nil, c.table, k.Ref.Queue, k.Ref.Epoch)))
		default:
			c.ref, c.ok = k.Ref, true
			return
		}
	}
}

// strays says that an epoch is none of a queue's that there is, nor one that
// waits to be swept.
func (a *audit) strays(queue, epoch uint32) bool {
	q := a.living[queue]
	return q == nil || !q.Deleted && q.Epoch != epoch && !slices.Contains(q.Old, epoch)
}

func compareLanes(x, y engine.Ref) int {
	return cmp.Or(cmp.Compare(x.Queue, y.Queue), cmp.Compare(x.Epoch, y.Epoch), cmp.Compare(x.Lane, y.Lane))
}

// laneWalk is one lane, while its messages and states pass by in order.
type laneWalk struct {
	engine.LaneRecord
	known    bool   // there is such a record
	want     uint64 // the next position from head on that must be filled
	sequence uint64 // the last seen, in a FIFO queue
}

// lanes walks lanes, messages and states side by side.
func (a *audit) lanes() error {
	lanes, messages, states := a.cursor(tableLane), a.cursor(tableMessage), a.cursor(tableState)
	defer lanes.it.close()
	defer messages.it.close()
	defer states.it.close()
	for lanes.ok || messages.ok || states.ok {
		at := first(lanes, messages, states)
		at.Pos = 0
		w, err := a.lane(lanes, at)
		if err != nil {
			return err
		}
		in := func(c *cursor) bool { return c.ok && compareLanes(c.ref, at) == 0 }
		for in(messages) || in(states) {
			var m, s *cursor
			order := 0
			switch {
			case !in(states):
				order = -1
			case !in(messages):
				order = 1
			default:
				order = messages.ref.Compare(states.ref)
			}
			if order <= 0 {
				m = messages
			}
			if order >= 0 {
				s = states
			}
			if err := a.position(w, m, s); err != nil {
				return err
			}
			for _, c := range []*cursor{m, s} {
				if c != nil {
					c.next()
				}
			}
		}
		a.gap(w, w.Tail)
	}
	return nil
}

// first is the smallest of what the cursors stand at.
func first(cursors ...*cursor) (at engine.Ref) {
	found := false
	for _, c := range cursors {
		if c.ok && (!found || compareLanes(c.ref, at) < 0) {
			at, found = c.ref, true
		}
	}
	return at
}

// lane begins the walk of the lane at, and moves the cursor past its record.
func (a *audit) lane(lanes *cursor, at engine.Ref) (*laneWalk, error) {
	w := &laneWalk{LaneRecord: engine.LaneRecord{Queue: at.Queue, Epoch: at.Epoch, Lane: at.Lane}}
	if !lanes.ok || compareLanes(lanes.ref, at) != 0 {
		return w, nil
	}
	key := slices.Clone(lanes.it.key())
	var broken error
	err := lanes.it.value(func(value []byte) error {
		var l engine.LaneRecord
		if l, broken = decodeLane(value, at.Queue, at.Epoch, at.Lane); broken == nil {
			w.LaneRecord, w.known = l, true
		}
		return nil
	})
	lanes.next()
	if err != nil {
		return w, err
	}
	if broken != nil {
		a.unreadable(key, broken)
		return w, nil
	}
	if q := a.queues[at.Queue]; at.Lane > q.lane {
		q.lane = at.Lane
	}
	if w.Swept > w.Head || w.Head > w.Tail {
		l := w.LaneRecord
		l.Tail = max(l.Tail, l.Head)
		l.Swept = min(l.Swept, l.Head)
		a.bad([]write{{key, appendLane(nil, &l)}}, "%s: swept %d, head %d and tail %d are not in order", describe(key), w.Swept, w.Head, w.Tail)
		w.LaneRecord = l
	}
	w.want = w.Head
	a.group(w, key)
	return w, nil
}

// position looks at one position, with its message or its state or both.
func (a *audit) position(w *laneWalk, m, s *cursor) error {
	var msg *engine.Message
	var state *engine.StateRecord
	at := engine.Ref{}
	if m != nil {
		at = m.ref
		err := a.value(m, func(value []byte) (err error) {
			msg, _, err = decodeHeader(value)
			return err
		})
		if err != nil {
			return err
		}
	}
	if s != nil {
		at = s.ref
		record := engine.StateRecord{Ref: at}
		err := a.value(s, func(value []byte) error {
			err := decodeState(value, &record)
			if err == nil {
				state = &record
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	all := []write{{key: appendRefKey(nil, tableMessage, at)}, {key: appendRefKey(nil, tableState, at)}}
	switch {
	case !w.known:
		a.bad(all, "%s: there is no such lane", describeRef(at))
		return nil
	case at.Pos >= w.Tail:
		a.bad(all, "%s is not below the lane's tail, %d", describeRef(at), w.Tail)
		return nil
	}
	if at.Pos >= w.Head {
		a.gap(w, at.Pos)
		w.want = at.Pos + 1
	}
	a.pair(w, at, msg, state)
	return nil
}

// value reads the value where the cursor stands; what cannot be read is
// reported, not returned.
func (a *audit) value(c *cursor, decode func([]byte) error) error {
	return c.it.value(func(value []byte) error {
		if err := decode(value); err != nil {
			a.unreadable(c.it.key(), err)
		}
		return nil
	})
}

// gap reports positions from head on that have neither a message nor a state
// that says so. They are filled with such states.
func (a *audit) gap(w *laneWalk, to uint64) {
	if !w.known || w.want >= to {
		return
	}
	var mend []write
	for pos := w.want; pos < to; pos++ {
		mend = append(mend, removed(engine.Ref{Queue: w.Queue, Epoch: w.Epoch, Lane: w.Lane, Pos: pos}))
	}
	where := describeRef(engine.Ref{Queue: w.Queue, Epoch: w.Epoch, Lane: w.Lane, Pos: w.want})
	if n := to - w.want; n > 1 {
		where += fmt.Sprintf(" and the %d after it", n-1)
	}
	a.bad(mend, "%s: no message, though the lane counts on one", where)
	w.want = to
}

// removed is the state of a position whose message is gone.
func removed(at engine.Ref) write {
	s := engine.StateRecord{Ref: at, Removed: true}
	return write{appendRefKey(nil, tableState, at), appendState(nil, &s, nil)}
}

// pair looks at what lies at one position of a known lane, below its tail.
func (a *audit) pair(w *laneWalk, at engine.Ref, msg *engine.Message, s *engine.StateRecord) {
	messageKey, stateKey := appendRefKey(nil, tableMessage, at), appendRefKey(nil, tableState, at)
	q := a.queues[at.Queue]
	ahead := at.Pos >= w.Head
	switch {
	case s == nil && msg == nil: // unreadable, and reported
	case s == nil && ahead:
		q.live++
	case s == nil && at.Pos < w.Swept:
		a.bad([]write{{key: messageKey}}, "%s is behind swept, %d, without a state", describe(messageKey), w.Swept)
	case s == nil: // passed by the head, and waits to be swept
	case s.Removed && msg != nil:
		a.bad([]write{{key: messageKey}}, "%s is there, though its state says that it was removed", describe(messageKey))
	case s.Removed && !ahead:
		a.bad([]write{{key: stateKey}}, "%s says that a message was removed, but lies behind the head, %d", describe(stateKey), w.Head)
	case s.Removed:
	case msg == nil && ahead:
		a.bad([]write{removed(at)}, "%s has no message", describe(stateKey))
	case msg == nil:
		a.bad([]write{{key: stateKey}}, "%s has no message", describe(stateKey))
	default:
		q.live++
		a.fields(stateKey, msg, s)
	}
	if msg != nil {
		q.sequence = max(q.sequence, msg.Sequence)
		a.inGroup(w, messageKey, msg)
	}
	if s != nil {
		q.turn = max(q.turn, s.Turn)
	}
}

// fields compares a message with its state.
func (a *audit) fields(key []byte, msg *engine.Message, s *engine.StateRecord) {
	if int(s.Size) != msg.Size {
		a.bad(nil, "%s says that the body has %d bytes, but it has %d", describe(key), s.Size, msg.Size)
	}
	if s.Holder != 0 && !a.holders[s.Holder] {
		a.bad(nil, "%s names holder %d, who does not exist", describe(key), s.Holder)
	}
}
