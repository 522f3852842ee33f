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
	results, duplicate := make([]SendResult, len(requests)), false
	o.change.Puts = make([]Put, 0, len(requests))
	for i := range requests {
		if err := requests[i].validate(q.attributes); err != nil {
			results[i].Err = err
			continue
		}
		results[i].Sent = o.send(q, &requests[i])
		duplicate = duplicate || results[i].Duplicate
	}
	g := o.end()
	if duplicate { // the answer rests on an earlier send
		g = e.last()
	}
	return results, g.wait()
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
	if err := r.validateFIFO(a); err != nil {
		return err
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
	fifo := q.attributes.Type == FIFO
	if fifo {
		if first, ok := o.duplicateOf(q, r); ok {
			return first
		}
		delay = q.attributes.Delay // also when the message says 0 (SQS)
	}
	l := o.laneFor(q, priority, r.Group)
	at := l.entry(o.now)
	m := &Message{
		ID: o.e.options.NewID(), Sent: moment(at), Arrived: moment(at), Priority: priority,
		Attributes: r.Attributes, System: r.System, Sender: r.Sender, Group: r.Group,
		Body: r.Body, Size: len(r.Body),
	}
	if fifo {
		o.number(q, r, m)
	}
	pos := l.tail
	ref := l.ref(pos)
	sent := Sent{ID: m.ID, Ref: ref, Sequence: m.Sequence}
	if delay == 0 {
		l.join(o.e, m)
		o.extend(q, l)
		q.wake(1)
	} else {
		l.join(o.e, nil)
		o.extend(q, l)
		o.delay(q, l, pos, o.now+delay.Milliseconds(), at, m.Size)
		sent.Receipt = o.e.receipt(ref, 0)
	}
	o.change.Puts = append(o.change.Puts, Put{Ref: ref, Message: m})
	q.counters.Sent++
	o.touchCounters(q)
	o.event(Event{Kind: EventSent, Queue: q.name, Ref: ref, ID: m.ID})
	return sent
}

// validateFIFO checks what only FIFO queues take, and what they do not.
func (r *SendRequest) validateFIFO(a Attributes) error {
	fifo := a.Type == FIFO
	switch {
	case r.Group != "" && !token(r.Group) || fifo && r.Group == "":
		return &InvalidError{"MessageGroupId", "must be 1 to 128 letters, digits or punctuation characters"}
	case r.Deduplication != "" && !fifo:
		return &InvalidError{"MessageDeduplicationId", "is for FIFO queues only"}
	case r.Deduplication != "" && !token(r.Deduplication):
		return &InvalidError{"MessageDeduplicationId", "must be 1 to 128 letters, digits or punctuation characters"}
	case fifo && r.Deduplication == "" && !a.ContentDeduplication:
		return &InvalidError{"MessageDeduplicationId", "must be given, or the queue deduplicate by content"}
	case fifo && r.Delay != nil && *r.Delay != 0:
		return &InvalidError{"DelaySeconds", "a FIFO queue delays all its messages alike"}
	case fifo && r.Priority != 0 && r.Priority != DefaultPriority:
		return &InvalidError{"Priority", "a FIFO queue has none"}
	}
	return nil
}

// token says whether s may be a group or deduplication id (SQS).
func token(s string) bool {
	for _, r := range s {
		if r <= ' ' || r > '~' {
			return false
		}
	}
	return len(s) <= 128
}

// deduplicationID is the one given, or the body's.
func (r *SendRequest) deduplicationID() string {
	if r.Deduplication != "" {
		return r.Deduplication
	}
	return contentID(r.Body)
}

// duplicateOf returns the message that was sent lately with the same
// deduplication id.
func (o *op) duplicateOf(q *queue, r *SendRequest) (first Sent, ok bool) {
	entry, ok := q.contents.fifo.dedup.seen[keyOf(q.attributes, r.Group, r.deduplicationID())]
	if !ok || entry.until <= o.now {
		return Sent{}, false
	}
	return Sent{ID: entry.id, Sequence: entry.sequence, Duplicate: true}, true
}

// number gives a FIFO message its sequence number, and remembers its
// deduplication id.
func (o *op) number(q *queue, r *SendRequest, m *Message) {
	m.Deduplication = r.deduplicationID()
	m.Sequence = o.nextSequence(q)
	o.remember(q, keyOf(q.attributes, r.Group, m.Deduplication), m)
}

func (o *op) nextSequence(q *queue) uint64 {
	q.lastSequence++
	o.touchCounters(q)
	return q.lastSequence
}

// extend gives the lane's next position away.
func (o *op) extend(q *queue, l *lane) {
	at, empty := l.entry(o.now), l.head == l.tail
	l.tail++
	l.lastSent = at
	l.tally(1, 0, 0)
	if empty {
		l.setOldest(at)
	}
	q.contents.fifo.unsettle(l)
	o.touchLane(l)
}

// delay makes a message just put in not ready until due.
func (o *op) delay(q *queue, l *lane, pos uint64, due, sent int64, size int) slotID {
	c := q.contents
	id := c.create(l, pos, sent, size)
	s := c.slab.at(id)
	s.phase, s.due, s.waits = phaseDelayed, due, true
	if !c.fifo.on {
		s.turn = q.nextTurn()
	}
	c.enter(id)
	o.keep(c, id)
	return id
}

// redelay moves the due times of the messages still delayed to the queue's
// new delay (SQS, FIFO queues only). It never hides a ready one.
func (e *Engine) redelay(q *queue) error {
	var ids []slotID
	var c *contents
	for {
		o, err := e.begin()
		if err != nil {
			return err
		}
		if c == nil {
			c = q.contents
			o.apply(q)
			c.delayed.scan(func(id slotID) bool { ids = append(ids, id); return true })
		}
		if q.contents != c {
			return o.abandon(nil)
		}
		for n := 0; n < MaxBatch && len(ids) > 0; n++ {
			o.redelayOne(q, ids[0])
			ids = ids[1:]
		}
		g := o.end()
		if len(ids) == 0 {
			return g.wait()
		}
	}
}

func (o *op) redelayOne(q *queue, id slotID) {
	c := q.contents
	if s := c.slab.at(id); s.phase == phaseDelayed {
		c.leave(id)
		s.due = s.sent + q.attributes.Delay.Milliseconds()
		c.enter(id)
		o.keep(c, id)
	}
}
