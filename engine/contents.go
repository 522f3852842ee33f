package engine

import "slices"

// contents is everything in a queue since its last purge. A purge replaces it
// whole, so that its cost does not depend on what was in it.
type contents struct {
	queue *queue
	epoch uint32
	slab  slab

	lanes    []*lane          // by index; a lane keeps its index
	byNumber map[uint64]*lane // by number
	order    []*lane          // in the order in which they are asked: by priority

	flight  *index // in flight, by due time
	delayed *index // delayed, by due time
	bySent  *index // every slot but the removed, by sent time

	waiting  int // positions from head on, over all lanes
	returned int // ready behind head
	holes    int // not ready from head on
}

func newContents(q *queue, epoch uint32) *contents {
	c := &contents{queue: q, epoch: epoch, slab: newSlab(), byNumber: map[uint64]*lane{}}
	byDue := func(a, b slotID) bool {
		x, y := c.slab.at(a), c.slab.at(b)
		if x.due != y.due {
			return x.due < y.due
		}
		if x.turn != y.turn {
			return x.turn < y.turn
		}
		return a < b
	}
	c.flight, c.delayed = newIndex(byDue), newIndex(byDue)
	c.bySent = newIndex(func(a, b slotID) bool {
		x, y := c.slab.at(a), c.slab.at(b)
		if x.sent != y.sent {
			return x.sent < y.sent
		}
		return a < b
	})
	return c
}

func (c *contents) counts() Counts {
	return Counts{
		Ready:    c.waiting + c.returned - c.holes,
		InFlight: c.flight.len(),
		Delayed:  c.delayed.len(),
	}
}

// total counts the messages in every state.
func (c *contents) total() int {
	n := c.counts()
	return n.Ready + n.InFlight + n.Delayed
}

// lane returns the lane of that number, made if need be.
func (c *contents) lane(number uint64) *lane {
	if l := c.byNumber[number]; l != nil {
		return l
	}
	l := newLane(c, number)
	c.lanes = append(c.lanes, l)
	c.byNumber[number] = l
	i, _ := slices.BinarySearchFunc(c.order, number, func(l *lane, n uint64) int {
		return int(int64(l.number) - int64(n))
	})
	c.order = slices.Insert(c.order, i, l)
	return l
}

func (c *contents) laneOf(s *slot) *lane { return c.lanes[s.lane] }

func (c *contents) refOf(s *slot) Ref { return c.laneOf(s).ref(s.pos) }

// find returns the lane and slot of ref; slot 0 means untouched if its
// position is at head or after it, and gone otherwise.
func (c *contents) find(ref Ref) (*lane, slotID) {
	l := c.byNumber[ref.Lane]
	if l == nil || ref.Epoch != c.epoch {
		return nil, 0
	}
	return l, l.slotAt(ref.Pos)
}

// create makes the slot of an untouched message. The caller enters it when its fields are
// set.
func (c *contents) create(l *lane, pos uint64, sent int64, size int) slotID {
	id := c.slab.take()
	s := c.slab.at(id)
	s.pos, s.sent, s.size, s.lane = pos, sent, uint32(size), l.index
	l.slots.add(id)
	c.bySent.add(id)
	return id
}

// forget removes a slot for good; it must have left its phase's indexes.
func (c *contents) forget(id slotID) {
	s := c.slab.at(id)
	c.laneOf(s).slots.remove(id)
	if s.phase != phaseRemoved {
		c.bySent.remove(id)
	}
	c.slab.give(id)
}

// enter puts a slot into the indexes of its phase and place, and leave takes it out.
// Whatever decides where a slot belongs changes between the two: its phase,
// due time, turn, or the lane's head passing it.
func (c *contents) enter(id slotID) {
	s := c.slab.at(id)
	l := c.laneOf(s)
	switch s.phase {
	case phaseFlight:
		c.flight.add(id)
	case phaseDelayed:
		c.delayed.add(id)
	case phaseReady:
		if s.pos < l.head {
			l.returned.add(id)
			c.returned++
		}
		return
	}
	if s.pos >= l.head {
		l.holes.add(id)
		c.holes++
	}
}

func (c *contents) leave(id slotID) {
	s := c.slab.at(id)
	l := c.laneOf(s)
	switch s.phase {
	case phaseFlight:
		c.flight.remove(id)
	case phaseDelayed:
		c.delayed.remove(id)
	case phaseReady:
		if s.pos < l.head {
			l.returned.remove(id)
			c.returned--
		}
		return
	}
	if s.pos >= l.head {
		l.holes.remove(id)
		c.holes--
	}
}
