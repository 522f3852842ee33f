package engine

import (
	"context"
	"fmt"
	"unicode/utf8"
)

// SendResult is what became of one message of a batch.
type SendResult struct {
	Sent
	Err error // *InvalidError; the message was not sent
}

// Send puts one message into a queue and returns when it is durable. The
// engine keeps the request's byte slices: the caller must not change them
// afterwards. It returns ErrQueueNotFound, *InvalidError and ErrStoreFull.
func (e *Engine) Send(ctx context.Context, queue string, request SendRequest) (Sent, error) {
	results, err := e.SendBatch(ctx, queue, []SendRequest{request})
	if err != nil {
		return Sent{}, err
	}
	if results[0].Err != nil {
		return Sent{}, fmt.Errorf("send to %q: %w", queue, results[0].Err)
	}
	return results[0].Sent, nil
}

// SendBatch puts 1 to 500 messages, 16 MiB of bodies at most, into a queue in
// the given order. Each is judged alone: one with a fault does not keep the
// others from being sent. They become durable together.
func (e *Engine) SendBatch(ctx context.Context, queue string, requests []SendRequest) ([]SendResult, error) {
	bytes := 0
	for i := range requests {
		bytes += len(requests[i].Body)
	}
	if n := len(requests); n < 1 || n > MaxBatch {
		return nil, &InvalidError{"Messages", fmt.Sprintf("a batch takes 1 to %d messages, not %d", MaxBatch, n)}
	}
	if bytes > MaxBatchBytes {
		return nil, &InvalidError{"Messages", fmt.Sprintf("a batch takes at most %d bytes of bodies, not %d", MaxBatchBytes, bytes)}
	}
	if err := e.commits.reserve(ctx, bytes); err != nil {
		return nil, err
	}
	defer e.commits.release(bytes)
	o, err := e.begin()
	if err != nil {
		return nil, err
	}
	q, err := o.queue(queue)
	if err == nil {
		err = e.full(SpaceLow)
	}
	if err != nil {
		return nil, o.abandon(fmt.Errorf("send to %q: %w", queue, err))
	}
	results := make([]SendResult, len(requests))
	o.change.Puts = make([]Put, 0, len(requests))
	for i := range requests {
		if err := requests[i].validate(q.attributes); err != nil {
			results[i].Err = err
			continue
		}
		results[i].Sent = o.send(q, &requests[i])
	}
	return results, o.end().wait()
}

// validate checks one message against its queue.
func (r *SendRequest) validate(a Attributes) error {
	if len(r.Body) == 0 {
		return &InvalidError{"MessageBody", "must not be empty"}
	}
	size := len(r.Body)
	for _, at := range r.Attributes {
		size += len(at.Name) + len(at.Type) + len(at.Value)
	}
	if size > a.MaximumMessageSize {
		return &InvalidError{"MessageBody", fmt.Sprintf("body and attributes take %d bytes, the queue allows %d", size, a.MaximumMessageSize)}
	}
	if r.Priority != 0 && (r.Priority < HighestPriority || r.Priority > LowestPriority) {
		return &InvalidError{"Priority", fmt.Sprintf("must be %d to %d", HighestPriority, LowestPriority)}
	}
	if r.Delay != nil {
		if err := seconds("DelaySeconds", *r.Delay, 0, MaxDelay); err != nil {
			return err
		}
	}
	if n := len(r.Attributes); n > MaxAttributes {
		return &InvalidError{"MessageAttributes", fmt.Sprintf("at most %d, not %d", MaxAttributes, n)}
	}
	for _, at := range r.Attributes {
		if n := utf8.RuneCountInString(at.Name); n < 1 || n > MaxAttributeLength {
			return &InvalidError{"MessageAttributes", fmt.Sprintf("a name takes 1 to %d characters", MaxAttributeLength)}
		}
		if n := utf8.RuneCountInString(at.Type); n < 1 || n > MaxAttributeLength {
			return &InvalidError{"MessageAttributes", fmt.Sprintf("the type of %q takes 1 to %d characters", at.Name, MaxAttributeLength)}
		}
	}
	return nil
}

// send puts a message that was found good.
func (o *op) send(q *queue, r *SendRequest) Sent {
	delay := q.attributes.Delay
	if r.Delay != nil {
		delay = *r.Delay
	}
	priority := r.Priority
	if priority == 0 {
		priority = DefaultPriority
	}
	l := q.contents.lane(uint64(priority))
	at := l.entry(o.now)
	m := &Message{
		ID: o.e.options.NewID(), Sent: moment(at), Arrived: moment(at), Priority: priority,
		Attributes: r.Attributes, System: r.System, Sender: r.Sender, Group: r.Group,
		Body: r.Body, Size: len(r.Body),
	}
	pos := l.tail
	ref := l.ref(pos)
	if delay == 0 {
		l.join(o.e, m)
		o.extend(q, l)
		q.wake(1)
	} else {
		l.join(o.e, nil)
		o.extend(q, l)
		o.delay(q, l, pos, o.now+delay.Milliseconds(), at, m.Size)
	}
	o.change.Puts = append(o.change.Puts, Put{Ref: ref, Message: m})
	q.counters.Sent++
	o.touchCounters(q)
	o.event(Event{Kind: EventSent, Queue: q.name, Ref: ref, ID: m.ID})
	return Sent{ID: m.ID, Ref: ref}
}

// extend gives the lane's next position away.
func (o *op) extend(q *queue, l *lane) {
	at := l.entry(o.now)
	if l.head == l.tail {
		l.oldest = at
	}
	l.tail++
	l.lastSent = at
	q.contents.waiting++
	o.touchLane(l)
}

// delay makes a message just put in not ready until due.
func (o *op) delay(q *queue, l *lane, pos uint64, due, sent int64, size int) slotID {
	c := q.contents
	id := c.create(l, pos, sent, size)
	s := c.slab.at(id)
	s.phase, s.due, s.waits = phaseDelayed, due, true
	s.turn = q.nextTurn()
	c.enter(id)
	o.keep(c, id)
	return id
}
