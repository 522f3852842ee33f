package engine

import (
	"slices"
)

// fifo is what a FIFO queue has beside its lanes: which group has which lane,
// and the ring of lanes that can deliver. A receive looks at no other group,
// so that a million of them cost what ten do.
//
// Within a group messages are delivered from the first on, up to the first
// that is not ready (SQS). A group that was served, or could not deliver and
// now can, goes to the back of the ring.
type fifo struct {
	on        bool
	groups    map[string]*lane
	front     *lane
	back      *lane
	unsettled []*lane // something has happened to them: may they stand in the ring?
	dedup     dedup
	attempts  map[string]attempt
}

// ringPlace is a lane's place in the ring.
type ringPlace struct {
	prev, next *lane
	in         bool
	served     bool // since it was last settled
	unsettled  bool
}

func newFIFO(on bool) fifo {
	if !on {
		return fifo{}
	}
	return fifo{on: true, groups: map[string]*lane{}, dedup: newDedup(), attempts: map[string]attempt{}}
}

func (f *fifo) push(l *lane) {
	l.ring.in, l.ring.prev, l.ring.next = true, f.back, nil
	if f.back != nil {
		f.back.ring.next = l
	} else {
		f.front = l
	}
	f.back = l
}

func (f *fifo) pull(l *lane) {
	if l.ring.prev != nil {
		l.ring.prev.ring.next = l.ring.next
	} else {
		f.front = l.ring.next
	}
	if l.ring.next != nil {
		l.ring.next.ring.prev = l.ring.prev
	} else {
		f.back = l.ring.prev
	}
	l.ring.in, l.ring.prev, l.ring.next = false, nil, nil
}

// unsettle notes that something happened in a lane.
func (f *fifo) unsettle(l *lane) {
	if !f.on || l.ring.unsettled {
		return
	}
	if len(f.unsettled) == 0 {
		e := l.c.queue.engine
		e.unsettled = append(e.unsettled, l.c.queue)
	}
	l.ring.unsettled = true
	f.unsettled = append(f.unsettled, l)
}

// settle brings the ring up to date, and ends lanes that are empty.
func (o *op) settle(q *queue) {
	f := &q.contents.fifo
	for _, l := range f.unsettled {
		l.ring.unsettled = false
		can := l.delivers()
		if can && !l.ring.in {
			q.wake(1) // what blocked it may have gone without anything getting ready
		}
		if l.ring.in && (!can || l.ring.served) {
			f.pull(l)
		}
		if can && !l.ring.in {
			f.push(l)
		}
		l.ring.served = false
		if l.head == l.tail && l.swept == l.head && l.slots.len() == 0 && q.contents.byNumber[l.number] == l {
			o.endGroup(q, l)
		}
	}
	f.unsettled = f.unsettled[:0]
}

// endGroup forgets a message group that has no messages.
func (o *op) endGroup(q *queue, l *lane) {
	delete(q.contents.fifo.groups, l.group)
	o.e.windows -= l.forgetAhead()
	q.contents.endLane(l)
	l.ended = true
	o.touchLane(l)
}

// first returns the lane's first message; slot 0 means an untouched one. ok is
// false when there is none.
func (l *lane) first() (pos uint64, id slotID, ok bool) {
	if id := l.slots.first(); id != 0 {
		if s := l.c.slab.at(id); s.pos < l.head {
			return s.pos, id, true
		}
	}
	if l.head == l.tail {
		return 0, 0, false
	}
	if !l.touchedFrom(l.head) {
		return l.head, 0, true
	}
	return l.head, l.slotAt(l.head), true
}

// delivers says whether the lane's first message may be received. A receive
// passes positions that were deleted ahead of their turn, if something lies
// behind them.
func (l *lane) delivers() bool {
	_, id, ok := l.first()
	if !ok || id == 0 {
		return ok
	}
	phase := l.c.slab.at(id).phase
	return phase == phaseReady || phase == phaseRemoved && l.ready() > 0
}

// blocker returns the first message of a FIFO lane that is not ready and lies
// before pos, or 0.
func (l *lane) blocker(pos uint64) (found slotID) {
	if !l.c.fifo.on {
		return 0
	}
	l.slots.scan(func(id slotID) bool {
		s := l.c.slab.at(id)
		if s.pos >= pos {
			return false
		}
		if s.phase == phaseFlight || s.phase == phaseDelayed {
			found = id
		}
		return found == 0
	})
	return found
}

// blocked notes what a ready message of a FIFO queue waits for.
func (o *op) blocked(r row, l *lane, pos uint64) row {
	if r.State != Ready {
		return r
	}
	if id := l.blocker(pos); id != 0 {
		s := l.c.slab.at(id)
		r.Blocker, r.BlockedUntil = l.ref(s.pos), moment(s.due)
	}
	return r
}

// laneFor returns the lane that a message goes to, made if need be.
func (o *op) laneFor(q *queue, priority int, group string) *lane {
	c := q.contents
	if !c.fifo.on {
		if l := c.byNumber[uint64(priority)]; l != nil {
			return l
		}
		return c.newLane(uint64(priority), "")
	}
	if l := c.fifo.groups[group]; l != nil {
		return l
	}
	q.lastLane++
	o.touchCounters(q)
	l := c.newLane(q.lastLane, group)
	c.fifo.groups[group] = l
	return l
}

// fifoLanes walks the ring: as many messages as it can from one group, then
// from the next (SQS).
func (k *chooser) fifoLanes(f *fifo) {
	for l := f.front; l != nil && !k.done(); l = l.ring.next {
		k.group(l)
	}
}

// group takes from one FIFO lane, in order, up to the first message that is
// not ready or not read.
func (k *chooser) group(l *lane) {
	slab := &k.q.contents.slab
	head, blocked := l.head, false
	l.slots.scan(func(id slotID) bool { // those behind head come first
		s := slab.at(id)
		if s.pos >= l.head {
			return false
		}
		if s.phase != phaseReady || k.done() {
			blocked = true
			return false
		}
		if !k.touched(pick{lane: l, pos: s.pos, id: id}) {
			blocked = true
		}
		return !blocked
	})
	if blocked {
		return
	}
	touched := l.touchedFrom(head)
	for ; head < l.tail && !k.done(); head++ {
		p := pick{lane: l, pos: head}
		if touched {
			p.id = l.slotAt(head)
		}
		if p.id == 0 {
			if !k.untouched(p) {
				break
			}
			continue
		}
		phase := slab.at(p.id).phase
		if phase == phaseRemoved {
			k.left--
			k.found.more = true
			continue
		}
		if phase != phaseReady || !k.touched(p) {
			break
		}
	}
	if head != l.head {
		k.found.heads = append(k.found.heads, headMove{l, head})
	}
}

// rebuildRing puts the lanes that can deliver into the ring, in the order of
// the sent time of each one's first message: what the order was before a
// restart is not kept.
func (c *contents) rebuildRing() {
	if !c.fifo.on {
		return
	}
	var can []*lane
	sent := map[*lane]int64{}
	c.each(func(l *lane) bool {
		c.fifo.groups[l.group] = l
		if !l.delivers() {
			return true
		}
		sent[l] = l.oldest
		if _, id, _ := l.first(); id != 0 && c.slab.at(id).phase != phaseRemoved {
			sent[l] = c.slab.at(id).sent
		}
		can = append(can, l)
		return true
	})
	slices.SortStableFunc(can, func(a, b *lane) int { return int(sent[a] - sent[b]) })
	for _, l := range can {
		c.fifo.push(l)
	}
	c.fifo.unsettled = nil
}
