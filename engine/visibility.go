package engine

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Strictness says which receipts are still good. Protocols differ in it.
type Strictness uint8

const (
	// AnyDelivery accepts the receipt of any delivery of the message, also
	// after its visibility timeout (SQS, standard queues).
	AnyDelivery Strictness = iota
	// LastReceive accepts receipts since the last receive, in time (SQS, FIFO).
	LastReceive
	// LastDelivery accepts the newest receipt only, in time (SMQ).
	LastDelivery
)

// VisibilityRequest changes how long a delivery stays hidden.
type VisibilityRequest struct {
	Receipt    Receipt
	Visibility time.Duration // from now; whole seconds, 0..12 h; 0 gives it back
	Strictness Strictness
	// Renew issues a new receipt and makes the older ones stale (SMQ).
	Renew bool
	// CapTotal refuses what would hide the message for 12 h or more since its
	// receive (SQS, which refuses 43,200 s also right after the receive).
	CapTotal bool
}

// ChangeVisibility hides the message behind a receipt until Visibility from
// now, not from its receive, and returns that time, with the receipt to use
// from then on. A standard queue's message that is ready again is hidden again
// (SQS). A delayed one stays delayed, until then.
//
// It returns ErrReceiptInvalid, ErrReceiptStale and ErrReceiptExpired as the
// strictness has it, ErrMessageGone, ErrQueueNotFound and *InvalidError.
func (e *Engine) ChangeVisibility(ctx context.Context, r VisibilityRequest) (due time.Time, renewed Receipt, err error) {
	if err := ctx.Err(); err != nil {
		return time.Time{}, Receipt{}, err
	}
	if err := seconds("VisibilityTimeout", r.Visibility, 0, MaxVisibility); err != nil {
		return time.Time{}, Receipt{}, fmt.Errorf("change visibility: %w", err)
	}
	o, err := e.begin()
	if err != nil {
		return time.Time{}, Receipt{}, err
	}
	q, id, err := o.behind(r.Receipt, r.Strictness)
	if err != nil {
		// The refusal rests on what happened before: it waits until that is durable.
		return time.Time{}, Receipt{}, errors.Join(fmt.Errorf("change visibility: %w", err), o.endAfterRefusal())
	}
	if r.Visibility > 0 {
		if err := e.full(SpaceOut); err != nil {
			return time.Time{}, Receipt{}, o.abandon(fmt.Errorf("change visibility: %w", err))
		}
	}
	s := q.contents.slab.at(id)
	until := o.now + r.Visibility.Milliseconds()
	if r.CapTotal && until >= s.last+MaxVisibility.Milliseconds() {
		return time.Time{}, Receipt{}, o.abandon(fmt.Errorf("change visibility: %w", &InvalidError{
			"VisibilityTimeout", "a message is in flight for at most 43200 seconds after its receive",
		}))
	}
	if r.Renew {
		s.delivery++
		s.since = max(s.since, s.since+1) // LastReceive counts 255 of them
	}
	o.hide(q, id, until)
	receipt := e.receipt(q.contents.refOf(s), s.delivery)
	return moment(until), receipt, o.end().wait()
}

// endAfterRefusal gives the lock back and waits until everything handed in is durable.
func (o *op) endAfterRefusal() error {
	o.end()
	return o.e.last().wait()
}

// behind finds the message of a receipt.
func (o *op) behind(r Receipt, strictness Strictness) (*queue, slotID, error) {
	if !o.e.issued(r) {
		return nil, 0, ErrReceiptInvalid
	}
	q := o.e.byID[r.Ref.Queue]
	if q == nil || q.deleted {
		return nil, 0, ErrQueueNotFound
	}
	o.apply(q)
	_, id := q.contents.find(r.Ref)
	if id = o.current(q, id); id == 0 {
		return nil, 0, ErrMessageGone
	}
	s := q.contents.slab.at(id)
	oldest := uint32(0)
	switch strictness {
	case LastReceive:
		oldest = s.delivery - uint32(s.since)
	case LastDelivery:
		oldest = s.delivery
	}
	switch {
	case s.phase == phaseRemoved || s.sent <= q.cutoff(o.now):
		return nil, 0, ErrMessageGone
	case r.Delivery < oldest:
		return nil, 0, ErrReceiptStale
	case strictness != AnyDelivery && s.phase == phaseReady:
		return nil, 0, ErrReceiptExpired
	}
	return q, id, nil
}

// hide makes a touched message not ready until then, or ready when that is now.
func (o *op) hide(q *queue, id slotID, until int64) {
	c := q.contents
	c.leave(id)
	s := c.slab.at(id)
	s.due = until
	kind := EventExtended
	switch {
	case until <= o.now:
		s.phase, s.waits = phaseReady, false
		kind = EventReleased
	case s.waits:
		s.phase = phaseDelayed
	default:
		s.phase = phaseFlight
	}
	c.enter(id)
	o.keep(c, id).Change = moment(until)
	o.event(Event{
		Kind: kind, Queue: q.name, Ref: c.refOf(s), Receives: int(s.receives), Holder: o.e.holders.name(s.holder),
	})
	if s.phase == phaseReady {
		q.wake(1)
	}
}

// Extend hides each message in flight until d from now and returns that time.
// Whoever holds one keeps a good receipt, but not the time it counted on.
// Messages that are not in flight any more are passed over and not counted.
// It takes 1 to 500 messages, and returns ErrMessageGone or ErrNotInFlight
// when there is only one and it was passed over, ErrStoreFull, and
// *InvalidError.
func (e *Engine) Extend(ctx context.Context, refs []Ref, d time.Duration) (due time.Time, extended int, err error) {
	if err := seconds("VisibilityTimeout", d, 0, MaxVisibility); err != nil {
		return time.Time{}, 0, fmt.Errorf("extend: %w", err)
	}
	return e.change(ctx, "extend", refs, d)
}

// Release gives messages in flight back at once; otherwise it is Extend.
func (e *Engine) Release(ctx context.Context, refs []Ref) (released int, err error) {
	_, released, err = e.change(ctx, "release", refs, 0)
	return released, err
}

func (e *Engine) change(ctx context.Context, verb string, refs []Ref, d time.Duration) (time.Time, int, error) {
	n := 0
	var due time.Time
	var refusal error
	err := e.each(ctx, verb, refs, func(o *op, q *queue, l *lane, pos uint64, id slotID) error {
		due = moment(o.now + d.Milliseconds())
		if id == 0 || q.contents.slab.at(id).phase != phaseFlight {
			return ErrNotInFlight
		}
		if refusal = e.full(SpaceOut); refusal != nil && d > 0 {
			return refusal
		}
		o.hide(q, id, o.now+d.Milliseconds())
		n++
		return nil
	})
	if refusal != nil && d > 0 {
		return time.Time{}, 0, fmt.Errorf("%s: %w", verb, refusal)
	}
	return due, n, err
}

// each calls do for each of an operator's messages that is still there, as one
// change. An error of do passes that message over; it is returned when there
// is but one message.
func (e *Engine) each(ctx context.Context, verb string, refs []Ref, do func(*op, *queue, *lane, uint64, slotID) error) error {
	if n := len(refs); n < 1 || n > MaxBatch {
		return &InvalidError{"Messages", fmt.Sprintf("%s takes 1 to %d messages, not %d", verb, MaxBatch, n)}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	o, err := e.begin()
	if err != nil {
		return err
	}
	var passed error
	for _, ref := range refs {
		q, l, id, err := o.locate(ref)
		if err == nil {
			err = do(o, q, l, ref.Pos, id)
		}
		passed = err
	}
	if len(refs) == 1 && passed != nil {
		return errors.Join(fmt.Errorf("%s: %w", verb, passed), o.endAfterRefusal())
	}
	return o.end().wait()
}

// locate finds a message by identity; slot 0 means that it is untouched.
func (o *op) locate(ref Ref) (*queue, *lane, slotID, error) {
	q := o.e.byID[ref.Queue]
	if q == nil || q.deleted {
		return nil, nil, 0, ErrMessageGone
	}
	o.apply(q)
	l, id := q.contents.find(ref)
	if id != 0 && o.current(q, id) == 0 {
		return nil, nil, 0, ErrMessageGone
	}
	switch {
	case l == nil || ref.Pos >= l.tail || id == 0 && ref.Pos < l.head:
		return nil, nil, 0, ErrMessageGone
	case id != 0 && q.contents.slab.at(id).phase == phaseRemoved:
		return nil, nil, 0, ErrMessageGone
	}
	return q, l, id, nil
}
