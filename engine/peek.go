package engine

import (
	"context"
	"errors"
	"fmt"
)

// Peek receives one message, by identity, with visibility 0: it counts as a
// receive, and the message keeps its place. A peek that would exceed the
// redrive policy's limit moves the message to the dead-letter queue, if the
// request allows that, and otherwise returns ErrWouldDeadLetter.
//
// It returns ErrInFlight, ErrDelayed and ErrBlocked for a message that no
// receive could get now, ErrMessageGone, and ErrStoreFull when it would have to move.
func (e *Engine) Peek(ctx context.Context, ref Ref, r PeekRequest) (Peeked, error) {
	if err := ctx.Err(); err != nil {
		return Peeked{}, err
	}
	read, err := e.read([]Ref{ref}, -1)
	if err != nil {
		return Peeked{}, errors.Join(err, e.usableNow())
	}
	o, err := e.begin()
	if err != nil {
		return Peeked{}, err
	}
	peeked, err := o.peek(ref, r, read[0])
	if err != nil {
		return Peeked{}, errors.Join(fmt.Errorf("peek: %w", err), o.endAfterRefusal())
	}
	return peeked, o.end().wait()
}

func (o *op) peek(ref Ref, r PeekRequest, m *Message) (Peeked, error) {
	q, l, id, err := o.locate(ref)
	if err != nil {
		return Peeked{}, err
	}
	c := q.contents
	if id != 0 {
		switch c.slab.at(id).phase {
		case phaseFlight:
			return Peeked{}, ErrInFlight
		case phaseDelayed:
			return Peeked{}, ErrDelayed
		}
	}
	if l.blocker(ref.Pos) != 0 {
		return Peeked{}, ErrBlocked
	}
	if m == nil || millis(m.Sent) <= q.cutoff(o.now) {
		return Peeked{}, ErrMessageGone
	}
	if err := o.e.full(SpaceOut); err != nil {
		return Peeked{}, err
	}
	policy := q.attributes.Redrive
	if id != 0 && o.wouldDeadLetter(q, id) {
		switch {
		case !r.DeadLetter:
			return Peeked{}, ErrWouldDeadLetter
		case o.e.space >= SpaceLow:
			return Peeked{}, ErrStoreFull
		}
		receives := int(c.slab.at(id).receives)
		o.deadLetter(q, id)
		return Peeked{Receives: receives, MaxReceives: policy.MaxReceives, DeadLettered: policy.DLQ}, nil
	}
	if id == 0 {
		id = c.create(l, ref.Pos, millis(m.Sent), m.Size)
		c.enter(id)
	}
	s := c.slab.at(id) // neither phase, due time nor turn change: it stays where it is indexed
	holder := o.holder(r.Holder)
	o.received(s, holder)
	o.keep(c, id).Append = &HistoryRecord{At: moment(o.now), Until: moment(o.now), Holder: holder, Kind: ByPeek}
	q.counters.Received++
	o.touchCounters(q)
	o.event(Event{
		Kind: EventPeeked, Queue: q.name, Ref: ref, ID: m.ID,
		Receives: int(s.receives), Holder: o.e.holders.name(holder),
	})
	return Peeked{Message: m, Receives: int(s.receives), MaxReceives: policy.MaxReceives}, nil
}

// wouldDeadLetter says whether the next receive moves the message.
func (o *op) wouldDeadLetter(q *queue, id slotID) bool {
	p := q.attributes.Redrive
	return p.MaxReceives > 0 && o.e.byName[p.DLQ] != nil && int(q.contents.slab.at(id).receives) >= p.MaxReceives
}
