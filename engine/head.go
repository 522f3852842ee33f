package engine

// moveHead moves a lane's head on. Whatever it passes must be touched, or be
// accounted for by the caller.
func (o *op) moveHead(q *queue, l *lane, to uint64) {
	if to == l.head {
		return
	}
	c := q.contents
	passed := l.between(l.head, to)
	for _, id := range passed {
		c.leave(id)
	}
	l.passAhead(o.e, to)
	l.rest()
	l.tally(-int(to-l.head), 0, 0)
	l.head = to
	l.age()
	c.fifo.unsettle(l)
	if l.removedAt(to) {
		c.untidy[l] = true
	}
	for _, id := range passed {
		if s := c.slab.at(id); s.phase == phaseRemoved {
			o.change.Unstates = append(o.change.Unstates, l.ref(s.pos))
			c.forget(id)
			continue
		}
		c.enter(id)
	}
	if len(l.ahead) > 0 && l.ahead[0] != nil {
		l.setOldest(millis(l.ahead[0].Arrived))
	} else if id := l.slotAt(to); c.fifo.on && id != 0 && c.slab.at(id).phase != phaseRemoved {
		l.setOldest(c.slab.at(id).sent) // in a FIFO queue that is when it arrived
	}
	o.touchLane(l)
}

// handOut is moveHead where nothing untouched is left behind.
func (o *op) handOut(q *queue, l *lane, to uint64) {
	if l.swept == l.head {
		l.swept = to
	}
	o.moveHead(q, l, to)
}

// between returns the slots at positions from up to, but not including, to.
func (l *lane) between(from, to uint64) []slotID {
	if !l.touchedFrom(from) {
		return nil
	}
	var ids []slotID
	l.c.slab.at(0).pos = from
	l.slots.ascend(0, func(id slotID) bool {
		if l.c.slab.at(id).pos >= to {
			return false
		}
		ids = append(ids, id)
		return true
	})
	return ids
}

// drop deletes a touched message. Ahead of head its position remains, as one
// that is passed over.
func (o *op) drop(q *queue, id slotID) {
	c := q.contents
	s := c.slab.at(id)
	l := c.laneOf(s)
	o.change.Drops = append(o.change.Drops, l.ref(s.pos))
	o.vacate(q, id)
}

// vacate is drop without the message's own record: it went elsewhere.
func (o *op) vacate(q *queue, id slotID) {
	c := q.contents
	s := c.slab.at(id)
	l := c.laneOf(s)
	c.leave(id)
	if s.pos < l.head {
		c.forget(id)
		return
	}
	c.bySent.remove(id)
	s.phase, s.due = phaseRemoved, 0
	c.enter(id)
	if s.pos == l.head && o.passed < trimAtOnce {
		o.trim(q, l)
		return
	}
	if o.keep(c, id); s.pos == l.head {
		c.untidy[l] = true
	}
}

// dropUntouched deletes a message that nothing has happened to.
func (o *op) dropUntouched(q *queue, l *lane, pos uint64) {
	o.change.Drops = append(o.change.Drops, l.ref(pos))
	o.vacateUntouched(q, l, pos)
}

func (o *op) vacateUntouched(q *queue, l *lane, pos uint64) {
	id := q.contents.create(l, pos, 0, 0)
	q.contents.enter(id)
	o.vacate(q, id)
}

// removedAt says whether the message at pos was deleted ahead of its turn.
func (l *lane) removedAt(pos uint64) bool {
	if !l.touchedFrom(pos) {
		return false
	}
	id := l.slotAt(pos)
	return id != 0 && l.c.slab.at(id).phase == phaseRemoved
}

// trimAtOnce bounds how many removed positions one operation passes.
const trimAtOnce = 400

// trim moves head past positions that were deleted ahead of their turn, and
// says past how many.
func (o *op) trim(q *queue, l *lane) (passed int) {
	to := l.head
	for to < l.tail && o.passed < trimAtOnce {
		if !l.removedAt(to) {
			break
		}
		to++
		o.passed++
	}
	passed = int(to - l.head)
	o.handOut(q, l, to)
	return passed
}

// record is what the store keeps of a lane.
func (l *lane) record() LaneRecord {
	return LaneRecord{
		Queue: l.c.queue.number, Epoch: l.c.epoch, Lane: l.number,
		Swept: l.swept, Head: l.head, Tail: l.tail,
		Oldest: moment(l.oldest), LastSent: moment(l.lastSent), Group: l.group, Ended: l.ended,
	}
}

// stateRecord is what the store keeps of a slot.
func (c *contents) stateRecord(id slotID) StateRecord {
	s := c.slab.at(id)
	r := StateRecord{
		Ref: c.refOf(s), Due: moment(s.due), Sent: moment(s.sent), LastReceived: moment(s.last),
		Mark: s.turnFrom(), Turn: s.turn, Receives: s.receives, Delivery: s.delivery,
		SinceReceive: s.since, Size: s.size, Holder: s.holder, Waits: s.waits, Removed: s.phase == phaseRemoved,
	}
	if s.last != 0 {
		r.FirstReceived = moment(s.last - int64(s.first))
	}
	return r
}
