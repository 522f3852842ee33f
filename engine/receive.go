package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// Receive hands out up to request.Max ready messages, hides each for the
// visibility timeout, and counts the delivery. A message that was received as
// often as the redrive policy allows moves to the dead-letter queue instead
// (SQS: on the receive that would exceed maxReceiveCount). When nothing is
// ready it waits, until a message is or request.Wait is over; then it returns
// none, and no error.
//
// A caller whose ctx ends gets nothing: what was handed out meanwhile is given
// back, count and place as before, and ctx's error returned. It returns
// ErrQueueNotFound, also when the queue is deleted during the wait, and
// *InvalidError.
func (e *Engine) Receive(ctx context.Context, name string, request ReceiveRequest) ([]Delivery, error) {
	if request.Max == 0 {
		request.Max = 1
	}
	if err := request.validate(); err != nil {
		return nil, fmt.Errorf("receive from %q: %w", name, err)
	}
	w := waiter{}
	var limit context.Context
	for {
		deliveries, wait, err := e.receiveNow(ctx, name, &request, &w)
		if err != nil {
			return nil, fmt.Errorf("receive from %q: %w", name, err)
		}
		if len(deliveries) > 0 || wait == 0 {
			return deliveries, nil
		}
		if limit == nil {
			var cancel context.CancelFunc
			limit, cancel = context.WithTimeout(ctx, wait)
			defer cancel()
		}
		if !e.await(ctx, limit, &w) {
			return nil, ctx.Err()
		}
	}
}

func (r *ReceiveRequest) validate() error {
	if r.Max < 1 || r.Max > MaxBatch {
		return &InvalidError{"MaxNumberOfMessages", fmt.Sprintf("must be 1 to %d", MaxBatch)}
	}
	var err error
	if r.Visibility != nil {
		err = seconds("VisibilityTimeout", *r.Visibility, 0, MaxVisibility)
	}
	if err == nil && r.Wait != nil && (*r.Wait < 0 || *r.Wait > MaxWait) {
		err = &InvalidError{"WaitTimeSeconds", fmt.Sprintf("must be 0 to %d seconds", MaxWait/time.Second)}
	}
	return err
}

// receiveNow is one attempt. When it finds nothing and the request waits, it
// has put w among the queue's waiters.
func (e *Engine) receiveNow(ctx context.Context, name string, r *ReceiveRequest, w *waiter) ([]Delivery, time.Duration, error) {
	for {
		if err := ctx.Err(); err != nil {
			e.passOn(w)
			return nil, 0, err
		}
		o, err := e.begin()
		if err != nil {
			return nil, 0, err
		}
		q, err := o.queue(name)
		switch {
		case err != nil:
		case w.queue != nil && w.queue != q: // deleted during the wait, and made again
			err = ErrQueueNotFound
		default:
			err = e.full(SpaceOut)
		}
		if err != nil {
			w.leave()
			return nil, 0, o.abandon(err)
		}
		if again, ok := o.remembered(q, r); ok {
			w.leave()
			return again, 0, o.end().wait()
		}
		found := o.choose(q, r.Max)
		if len(found.unread) > 0 { // nothing has changed yet: choose anew when that is known
			if err := o.readAhead(ctx, found.unread, r.Max); err != nil {
				e.passOn(w)
				return nil, 0, err
			}
			continue
		}
		taken := o.take(q, found, r)
		if len(taken) == 0 && found.more {
			o.end() // only what was in the way went; look again
			continue
		}
		if len(taken) == 0 {
			wait := cmp.Or(r.Wait, &q.attributes.ReceiveWait)
			if *wait > 0 {
				w.queue = q
				q.waiters.add(w)
			} else {
				q.counters.EmptyReceives++ // rides along with the next change
			}
			o.end() // an empty receive promises nothing, so it waits for nothing
			return nil, *wait, nil
		}
		c := q.contents
		deliveries, err := e.deliver(ctx, q, o, taken)
		if err != nil {
			return nil, 0, err
		}
		if len(deliveries) > 0 {
			return deliveries, 0, e.rememberAttempt(ctx, q, c, r, deliveries)
		}
	}
}

// await waits until w is woken, or limit ends, and says which. When the time
// is up, and the caller still there, that was a receive that found nothing.
func (e *Engine) await(ctx, limit context.Context, w *waiter) bool {
	select {
	case <-w.woken:
		return true
	case <-limit.Done():
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	select {
	case <-w.woken: // woken at the same moment: the message is for the next one
		w.queue.wake(1)
	default:
		w.queue.waiters.remove(w)
	}
	if ctx.Err() == nil {
		w.queue.counters.EmptyReceives++
	}
	return false
}

// passOn wakes the next waiter when w was woken and its caller has gone.
func (e *Engine) passOn(w *waiter) {
	if !w.again {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	w.queue.wake(1)
}

// taken is one message handed out, and how it was before.
type taken struct {
	pick
	before slot
	fresh  bool // it had no slot
	Delivery
}

// take applies a choice.
func (o *op) take(q *queue, found choice, r *ReceiveRequest) []taken {
	for _, h := range found.heads {
		o.handOut(q, h.lane, h.to)
	}
	for _, p := range found.expired {
		if p.id == 0 {
			o.change.Drops = append(o.change.Drops, p.lane.ref(p.pos))
			q.counters.Expired++
			o.touchCounters(q)
			o.event(Event{Kind: EventExpired, Queue: q.name, Ref: p.lane.ref(p.pos)})
			continue
		}
		o.expire(q, p.id)
	}
	for _, p := range found.dead {
		o.deadLetter(q, p.id)
	}
	if len(found.picks) == 0 {
		return nil
	}
	visibility := q.attributes.VisibilityTimeout
	if r.Visibility != nil {
		visibility = *r.Visibility
	}
	holder := o.holder(r.Holder)
	all := make([]taken, 0, len(found.picks))
	o.change.States = slices.Grow(o.change.States, len(found.picks)) // dead-lettering has put some there
	for _, p := range found.picks {
		all = append(all, o.lend(q, p, visibility, holder))
	}
	return all
}

// lend hands one message out.
func (o *op) lend(q *queue, p pick, visibility time.Duration, holder uint32) taken {
	c := q.contents
	t := taken{pick: p, fresh: p.id == 0}
	if t.fresh {
		t.id = c.create(p.lane, p.pos, millis(p.message.Sent), p.message.Size)
	} else {
		t.before = *c.slab.at(t.id)
		c.leave(t.id)
	}
	s := c.slab.at(t.id)
	o.received(s, holder)
	s.delivery++ // a peek issues no receipt
	s.since = 0
	s.due = o.now + visibility.Milliseconds()
	if p.lane.ring.served = c.fifo.on; !c.fifo.on { // FIFO: its place is its position
		s.setMark(p.lane.tail)
		s.turn = q.nextTurn()
	}
	s.phase = phaseFlight
	if visibility == 0 {
		s.phase = phaseReady
		q.wake(1)
	}
	c.enter(t.id)
	o.keep(c, t.id).Append = &HistoryRecord{At: moment(o.now), Until: moment(s.due), Holder: holder}
	q.counters.Received++
	o.touchCounters(q)
	ref := c.refOf(s)
	t.Delivery = Delivery{
		Message: p.message, Ref: ref, Receipt: o.e.receipt(ref, s.delivery), Receives: int(s.receives),
		FirstReceived: moment(s.last - int64(s.first)), Due: moment(s.due),
	}
	ev := Event{Kind: EventReceived, Queue: q.name, Ref: ref, Receives: int(s.receives), Holder: o.e.holders.name(holder)}
	if p.message != nil {
		ev.ID = p.message.ID
	}
	o.event(ev)
	return t
}

// received counts one receive.
func (o *op) received(s *slot, holder uint32) {
	if s.last == 0 {
		s.first = 0
	} else {
		s.first = uint32(min(int64(s.first)+max(0, o.now-s.last), 1<<32-1))
	}
	s.last = o.now
	s.receives++
	s.holder = holder
}
