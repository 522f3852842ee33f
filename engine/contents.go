package engine

import "github.com/tidwall/btree"

// contents is everything in a queue since its last purge. A purge replaces it
// whole, so that its cost does not depend on what was in it.
type contents struct {
	queue *queue
	epoch uint32
	slab  slab

	lanes    []*lane // by index, nil where one has ended; a lane keeps its index
	spare    []uint32
	byNumber map[uint64]*lane
	blocks   []*block // all lanes, in the order of their numbers
	byPos    func(a, b slotID) bool

	flight  index                // in flight, by due time
	delayed index                // delayed, by due time
	bySent  index                // every slot but the removed, by sent time
	aging   *btree.BTreeG[*lane] // lanes with untouched messages, by oldest
	untidy  map[*lane]bool       // lanes with something to sweep: see sweepLanes

	waiting  int // positions from head on, over all lanes
	returned int // ready behind head
	holes    int // not ready from head on

	fifo fifo
}

func newContents(q *queue, epoch uint32) *contents {
	c := &contents{
		queue: q, epoch: epoch, slab: newSlab(),
		byNumber: map[uint64]*lane{}, untidy: map[*lane]bool{}, fifo: newFIFO(q.attributes.Type == FIFO),
	}
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
	c.flight.less, c.delayed.less = byDue, byDue
	c.bySent.less = func(a, b slotID) bool {
		x, y := c.slab.at(a), c.slab.at(b)
		if x.sent != y.sent {
			return x.sent < y.sent
		}
		return a < b
	}
	c.byPos = func(a, b slotID) bool { return c.slab.at(a).pos < c.slab.at(b).pos }
	c.aging = btree.NewBTreeGOptions(func(a, b *lane) bool {
		if a.oldest != b.oldest {
			return a.oldest < b.oldest
		}
		return a.index < b.index
	}, btree.Options{NoLocks: true})
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
	c.fifo.unsettle(l)
	switch s.phase {
	case phaseFlight:
		c.flight.add(id)
	case phaseDelayed:
		c.delayed.add(id)
	case phaseReady:
		if s.pos < l.head {
			l.returned.add(id)
			l.tally(0, 1, 0)
		}
		return
	}
	if s.pos >= l.head {
		l.holes.add(id)
		l.tally(0, 0, 1)
	}
}

func (c *contents) leave(id slotID) {
	s := c.slab.at(id)
	l := c.laneOf(s)
	c.fifo.unsettle(l)
	switch s.phase {
	case phaseFlight:
		c.flight.remove(id)
	case phaseDelayed:
		c.delayed.remove(id)
	case phaseReady:
		if s.pos < l.head {
			l.returned.remove(id)
			l.tally(0, -1, 0)
		}
		return
	}
	if s.pos >= l.head {
		l.holes.remove(id)
		l.tally(0, 0, -1)
	}
}
