package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// Delete deletes the message behind a receipt. It returns ErrReceiptInvalid,
// ErrReceiptStale and ErrReceiptExpired as the strictness has it, ErrMessageGone
// when it is deleted already, has expired or moved, and ErrQueueNotFound.
func (e *Engine) Delete(ctx context.Context, receipt Receipt, strictness Strictness) error {
	results, err := e.DeleteBatch(ctx, []Receipt{receipt}, strictness)
	if err != nil {
		return err
	}
	return results[0]
}

// DeleteBatch deletes 1 to 500 messages as one change, and returns what Delete
// would for each.
func (e *Engine) DeleteBatch(ctx context.Context, receipts []Receipt, strictness Strictness) ([]error, error) {
	if n := len(receipts); n < 1 || n > MaxBatch {
		return nil, &InvalidError{"Receipts", fmt.Sprintf("a batch takes 1 to %d, not %d", MaxBatch, n)}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	o, err := e.begin()
	if err != nil {
		return nil, err
	}
	results := make([]error, len(receipts))
	refused := false
	for i, r := range receipts {
		q, id, err := o.behind(r, strictness)
		if err != nil {
			results[i] = fmt.Errorf("delete: %w", err)
			o.noteLate(r)
			refused = true
			continue
		}
		o.remove(q, id, &r)
	}
	g := o.end()
	if refused {
		g = e.last() // the refusals rest on earlier changes
	}
	return results, g.wait()
}

// remove deletes a touched message, for the receiver who has this receipt, or
// for an operator, who has none and is never late.
func (o *op) remove(q *queue, id slotID, r *Receipt) {
	s := q.contents.slab.at(id)
	ev := Event{
		Kind: EventDeleted, Queue: q.name, Ref: q.contents.refOf(s),
		Receives: int(s.receives), Holder: o.e.holders.name(s.holder),
	}
	if r != nil {
		ev.Stale = r.Delivery < s.delivery-uint32(s.since)
		if s.phase == phaseReady {
			ev.Late = time.Duration(max(0, o.now-s.due)) * time.Millisecond
		}
	}
	o.drop(q, id)
	q.counters.Deleted++
	o.touchCounters(q)
	o.event(ev)
}

// Remove deletes messages by identity, whatever their state, as an operator
// does; a message in flight loses its lease. Those already gone are passed
// over and not counted. It takes 1 to 500 messages, and returns ErrMessageGone
// when there is only one and it is gone.
func (e *Engine) Remove(ctx context.Context, refs []Ref) (removed int, err error) {
	err = e.each(ctx, "delete", refs, func(o *op, q *queue, l *lane, pos uint64, id slotID) error {
		removed++
		if id != 0 {
			o.remove(q, id, nil)
			return nil
		}
		o.dropUntouched(q, l, pos)
		q.counters.Deleted++
		o.touchCounters(q)
		o.event(Event{Kind: EventDeleted, Queue: q.name, Ref: l.ref(pos)})
		return nil
	})
	return removed, err
}

// Move sends ready and delayed messages on to another queue of the same type:
// there they are new, with a new id, sent time and receive count. Those in
// flight or gone are passed over and not counted. It takes 1 to 500 messages,
// and returns ErrQueueNotFound, ErrStoreFull, *InvalidError, and ErrMessageGone
// or ErrInFlight when there is only one and it was passed over.
func (e *Engine) Move(ctx context.Context, refs []Ref, destination string) (moved int, err error) {
	messages, err := e.headers(refs)
	if err != nil {
		return 0, err
	}
	at := map[Ref]*Message{}
	for i, m := range messages {
		at[refs[i]] = m
	}
	var refusal, there error
	err = e.each(ctx, "move", refs, func(o *op, q *queue, l *lane, pos uint64, id slotID) error {
		to := e.byName[destination]
		m := at[l.ref(pos)]
		switch {
		case to == nil:
			refusal = fmt.Errorf("move to %q: %w", destination, ErrQueueNotFound)
		case to == q:
			there = &InvalidError{"Destination", "is the queue where the messages are"}
			return there // the others may come from elsewhere
		case to.attributes.Type != q.attributes.Type:
			refusal = &InvalidError{"Destination", fmt.Sprintf("must be a %s queue", q.attributes.Type)}
		default:
			refusal = e.full(SpaceLow)
		}
		switch {
		case refusal != nil:
			return refusal
		case m == nil, millis(m.Sent) <= q.cutoff(o.now):
			return ErrMessageGone
		case id != 0 && q.contents.slab.at(id).phase == phaseFlight:
			return ErrInFlight
		}
		o.resend(q, l, pos, id, to, m)
		moved++
		return nil
	})
	if refusal = cmp.Or(refusal, there); refusal != nil && moved == 0 {
		return 0, fmt.Errorf("move: %w", refusal)
	}
	return moved, err
}

// headers reads messages without their bodies; nil for those that are gone.
func (e *Engine) headers(refs []Ref) ([]*Message, error) {
	if n := len(refs); n < 1 || n > MaxBatch {
		return nil, &InvalidError{"Messages", fmt.Sprintf("takes 1 to %d messages, not %d", MaxBatch, n)}
	}
	messages, err := e.read(refs, 0)
	if err != nil {
		return nil, errors.Join(err, e.usableNow())
	}
	return messages, nil
}

func (e *Engine) usableNow() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.usable()
}

// resend moves one message to another queue as a new one. The destination's
// delay applies, its maximum size does not; priority and group stay.
func (o *op) resend(q *queue, l *lane, pos uint64, id slotID, to *queue, m *Message) Ref {
	from := l.ref(pos)
	at := o.laneFor(to, m.Priority, m.Group).entry(o.now)
	ref := o.arrive(to, m.Priority, m.Group, at, m.Size, o.now+to.attributes.Delay.Milliseconds())
	move := Move{
		From: from, To: ref, Redrive: true, ID: o.e.options.NewID(),
		Sent: moment(at), Arrived: moment(at), Size: m.Size,
	}
	if to.contents.fifo.on {
		move.Sequence = o.nextSequence(to)
	}
	o.change.Moves = append(o.change.Moves, move)
	if id != 0 {
		o.vacate(q, id)
	} else {
		o.vacateUntouched(q, l, pos)
	}
	q.counters.RedrivenOut++
	to.counters.Sent++
	o.touchCounters(q)
	o.touchCounters(to)
	o.event(Event{Kind: EventRedriven, Queue: q.name, Ref: from, ID: m.ID, Other: to.name})
	return ref
}
