package engine

// deadLetter moves a message that was received too often to its queue's
// dead-letter queue, which must exist. Its sent time, and so its expiry, stays
// (SQS, standard queues). The move is not a send.
func (o *op) deadLetter(q *queue, id slotID) {
	c := q.contents
	s := *c.slab.at(id)
	l := c.laneOf(&s)
	dlq := o.e.byName[q.attributes.Redrive.DLQ]
	from := l.ref(s.pos)
	at := o.laneFor(dlq, int(l.number), l.group).entry(o.now)
	sent := s.sent
	if c.fifo.on {
		sent = at // and FIFO queues start its retention anew
	}
	to := o.arrive(dlq, int(l.number), l.group, sent, int(s.size), 0)
	move := Move{
		From: from, To: to, Sent: moment(sent), Arrived: moment(at), Origin: q.name,
		EarlierReceives: int(s.receives), Size: int(s.size),
	}
	if c.fifo.on {
		move.Sequence, move.Deduplicate = o.nextSequence(dlq), true
	}
	if s.last != 0 {
		move.FirstReceived = moment(s.last - int64(s.first))
	}
	o.change.Moves = append(o.change.Moves, move)
	o.vacate(q, id)
	o.e.late.moved.put(from, movedOn{to: to, due: s.due, holder: s.holder})
	q.counters.DeadLetteredOut++
	dlq.counters.DeadLetteredIn++
	o.touchCounters(q)
	o.touchCounters(dlq)
	o.event(Event{
		Kind: EventDeadLettered, Queue: q.name, Ref: from, Other: dlq.name,
		Receives: int(s.receives), Holder: o.e.holders.name(s.holder),
	})
}

// arrive makes the place of a message that comes from another queue: a touched
// one, since its sent time need not follow the lane's.
func (o *op) arrive(q *queue, priority int, group string, sent int64, size int, due int64) Ref {
	c := q.contents
	l := o.laneFor(q, priority, group)
	pos := l.tail
	l.join(o.e, nil)
	o.extend(q, l)
	if due > o.now {
		o.delay(q, l, pos, due, sent, size)
		return l.ref(pos)
	}
	id := c.create(l, pos, sent, size)
	c.enter(id)
	o.keep(c, id)
	q.wake(1)
	return l.ref(pos)
}
