package engine

import "slices"

// block is a stretch of a queue's lanes with its count of ready messages, so
// that a page's first row is found without a look at every message group.
type block struct {
	lanes []*lane
	ready int
}

// blockLanes is how many lanes share a block.
const blockLanes = 512

// newLane adds a lane with that number. Numbers of FIFO lanes only grow.
func (c *contents) newLane(number uint64, group string) *lane {
	l := &lane{c: c, number: number, group: group}
	l.slots.less, l.holes.less, l.returned.less = c.byPos, c.byPos, c.beforeInTurn
	if n := len(c.spare); n > 0 {
		l.index = c.spare[n-1]
		c.spare = c.spare[:n-1]
		c.lanes[l.index] = l
	} else {
		l.index = uint32(len(c.lanes))
		c.lanes = append(c.lanes, l)
	}
	c.byNumber[number] = l
	n := len(c.blocks)
	if n == 0 || len(c.blocks[n-1].lanes) == blockLanes {
		c.blocks = append(c.blocks, &block{})
		n++
	}
	b := c.blocks[n-1]
	i, _ := slices.BinarySearchFunc(b.lanes, number, func(l *lane, n uint64) int { return int(int64(l.number) - int64(n)) })
	b.lanes = slices.Insert(b.lanes, i, l)
	l.block = b
	return l
}

// endLane removes an empty lane.
func (c *contents) endLane(l *lane) {
	delete(c.byNumber, l.number)
	c.lanes[l.index] = nil
	c.spare = append(c.spare, l.index)
	b := l.block
	b.lanes = slices.DeleteFunc(b.lanes, func(other *lane) bool { return other == l })
	if len(b.lanes) == 0 {
		c.blocks = slices.DeleteFunc(c.blocks, func(other *block) bool { return other == b })
	}
}

// tally counts a change of what the lane has: waiting from head on, returned,
// holes.
func (l *lane) tally(waiting, returned, holes int) {
	l.c.waiting += waiting
	l.c.returned += returned
	l.c.holes += holes
	l.block.ready += waiting + returned - holes
}

// each calls do for every lane in the order of numbers, until it returns false.
func (c *contents) each(do func(*lane) bool) {
	for _, b := range c.blocks {
		for _, l := range b.lanes {
			if !do(l) {
				return
			}
		}
	}
}

// readyAt returns the lane of the k-th ready message, and its place there.
func (c *contents) readyAt(k int) (*lane, int) {
	for _, b := range c.blocks {
		if k >= b.ready {
			k -= b.ready
			continue
		}
		for _, l := range b.lanes {
			if n := l.ready(); k >= n {
				k -= n
				continue
			}
			return l, k
		}
	}
	panic("engine: counts of ready messages do not agree")
}

// readyBefore counts the ready messages of the lanes before l.
func (c *contents) readyBefore(l *lane) (n int) {
	for _, b := range c.blocks {
		if b != l.block {
			n += b.ready
			continue
		}
		for _, other := range b.lanes {
			if other == l {
				return n
			}
			n += other.ready()
		}
	}
	return n
}

// setOldest notes a better bound of the sent time of the message at head.
func (l *lane) setOldest(ms int64) {
	l.rest()
	l.oldest = ms
	l.age()
}

// age puts the lane among those whose untouched messages grow old, and rest
// takes it out.
func (l *lane) age() {
	if !l.aging && l.head < l.tail {
		l.c.aging.Set(l)
		l.aging = true
	}
}

func (l *lane) rest() {
	if l.aging {
		l.c.aging.Delete(l)
		l.aging = false
	}
}
