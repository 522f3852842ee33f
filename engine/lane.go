package engine

import "sort"

// lane is an ordered run of messages of one queue, at positions head to
// tail-1. Those that nothing has happened to are only numbers there. A
// standard queue has one for each priority in use, a FIFO queue one for each
// message group with messages.
type lane struct {
	c      *contents
	index  uint32 // in contents.lanes
	number uint64 // standard queues: the priority; FIFO: never given twice
	group  string // FIFO

	swept, head, tail uint64
	oldest            int64 // at most the sent time of the message at head
	lastSent          int64

	slots    index // every slot, by position
	returned index // ready ones behind head, by mark and turn; FIFO: by position
	holes    index // those from head on that are not ready, by position

	// ahead holds the messages from head on as far as they were read or just
	// sent; nil where a slot stands. See readahead.go.
	ahead   []*Message
	filling chan struct{} // closed when the read under way is over

	block   *block // where it stands in the order of lanes
	aging   bool   // in contents.aging
	ring    ringPlace
	dirty   bool    // in the present change
	ended   bool    // FIFO: has no messages and no place any more
	arrival arrival // of the oldest message
}

// beforeInTurn is the order in which what returned is delivered: by mark, then
// by turn. A message without a turn was never handed out for good, since the
// caller of its receive had gone: it stands where it lies, behind those that
// waited for that place.
func (c *contents) beforeInTurn(a, b slotID) bool {
	x, y := c.slab.at(a), c.slab.at(b)
	if x.turnFrom() != y.turnFrom() {
		return x.turnFrom() < y.turnFrom()
	}
	if x.turn != y.turn {
		return x.turn-1 < y.turn-1 // 0, none, is the last
	}
	return x.pos < y.pos
}

func (l *lane) ref(pos uint64) Ref {
	return Ref{Queue: l.c.queue.number, Epoch: l.c.epoch, Lane: l.number, Pos: pos}
}

// entry is the time that counts for a message that comes now. It never
// decreases within a lane, though the clock may have gone back between two
// runs: what has expired must lie before what has not.
func (l *lane) entry(now int64) int64 {
	if l.head == l.tail && l.slots.len() == 0 {
		return now
	}
	return max(now, l.lastSent)
}

// slotAt returns the slot at pos, or 0 when the message is untouched or gone.
func (l *lane) slotAt(pos uint64) slotID {
	l.c.slab.at(0).pos = pos
	return l.slots.find(0)
}

// touchedFrom says whether any slot stands at pos or after it.
func (l *lane) touchedFrom(pos uint64) bool {
	id := l.slots.last()
	return id != 0 && l.c.slab.at(id).pos >= pos
}

// ready counts what may be received from this lane.
func (l *lane) ready() int {
	return int(l.tail-l.head) + l.returned.len() - l.holes.len()
}

// plainBefore counts the ready messages between head and pos.
func (l *lane) plainBefore(pos uint64) int {
	if pos <= l.head {
		return 0
	}
	holes := l.holes.below(func(id slotID) bool { return l.c.slab.at(id).pos < pos })
	return int(pos-l.head) - holes
}

// plainAt returns the position of the k-th ready message from head on.
func (l *lane) plainAt(k int) uint64 {
	holes := sort.Search(l.holes.len(), func(i int) bool {
		return int(l.c.slab.at(l.holes.at(i)).pos-l.head)-i > k
	})
	return l.head + uint64(k+holes)
}

// order is where the j-th returned message stands in the order of delivery:
// behind those that lay before its mark.
func (l *lane) order(j int) int {
	return l.plainBefore(l.c.slab.at(l.returned.at(j)).turnFrom()) + j
}

// deliveryAt returns the k-th message in the order of delivery: its position,
// and its slot if it is touched.
func (l *lane) deliveryAt(k int) (uint64, slotID) {
	j := sort.Search(l.returned.len(), func(j int) bool { return l.order(j) > k })
	if j > 0 && l.order(j-1) == k {
		id := l.returned.at(j - 1)
		return l.c.slab.at(id).pos, id
	}
	pos := l.plainAt(k - j)
	return pos, l.slotAt(pos)
}

// deliveryOf is the inverse of deliveryAt; the message must be ready.
func (l *lane) deliveryOf(pos uint64, id slotID) int {
	if id != 0 && pos < l.head {
		return l.order(l.returned.below(func(other slotID) bool { return l.c.beforeInTurn(other, id) }))
	}
	before := l.returned.below(func(other slotID) bool {
		return l.c.slab.at(other).turnFrom() <= pos
	})
	return l.plainBefore(pos) + before
}
