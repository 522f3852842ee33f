package engine

import (
	"errors"
	"fmt"
	"slices"
)

// verify says where the engine's memory contradicts itself, or the store once
// everything is durable.
func (e *Engine) verify(store *memory) error {
	if err := e.last().wait(); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	var problems []error
	windows := 0
	for _, q := range e.byID {
		if q.deleted {
			continue
		}
		if e.byName[q.name] != q {
			problems = append(problems, fmt.Errorf("queue %d %q is not found by its name", q.number, q.name))
		}
		c := q.contents
		problems = append(problems, c.verify(e.clock.last)...)
		for _, l := range c.lanes {
			if l == nil {
				continue
			}
			for _, m := range l.ahead {
				if m != nil {
					windows += m.Size
				}
			}
			problems = append(problems, l.verifyStore(store)...)
		}
	}
	if windows != e.windows {
		problems = append(problems, fmt.Errorf("%d bytes read ahead, noted %d", windows, e.windows))
	}
	return errors.Join(problems...)
}

// verify recounts everything in c.
func (c *contents) verify(now int64) (problems []error) {
	bad := func(format string, a ...any) {
		problems = append(problems, fmt.Errorf("queue %q: "+format, append([]any{c.queue.name}, a...)...))
	}
	var waiting, returned, holes, flight, delayed, sent int
	for i, l := range c.lanes {
		if l == nil {
			continue
		}
		if int(l.index) != i || c.byNumber[l.number] != l || l.c != c {
			bad("lane %d is not where it says", l.number)
		}
		if l.swept > l.head || l.head > l.tail {
			bad("lane %d: swept %d, head %d, tail %d", l.number, l.swept, l.head, l.tail)
		}
		if l.dirty {
			bad("lane %d was left dirty", l.number)
		}
		waiting += int(l.tail - l.head)
		n := l.recount(bad)
		returned, holes, flight, delayed, sent = returned+n.returned, holes+n.holes, flight+n.flight, delayed+n.delayed, sent+n.sent
		if l.returned.len() != n.returned || l.holes.len() != n.holes {
			bad("lane %d: indexes hold %d returned and %d holes, want %d and %d", l.number, l.returned.len(), l.holes.len(), n.returned, n.holes)
		}
	}
	got := [...]int{c.waiting, c.returned, c.holes, c.flight.len(), c.delayed.len(), c.bySent.len()}
	if want := [...]int{waiting, returned, holes, flight, delayed, sent}; got != want {
		bad("waiting, returned, holes, flight, delayed, sent = %v, want %v", got, want)
	}
	var order []*lane
	c.each(func(l *lane) bool { order = append(order, l); return true })
	if !slices.IsSortedFunc(order, func(a, b *lane) int { return int(int64(a.number) - int64(b.number)) }) || len(order)+len(c.spare) != len(c.lanes) {
		bad("lanes are not asked in order")
	}
	c.verifyRing(bad)
	for _, b := range c.blocks {
		ready := 0
		for _, l := range b.lanes {
			ready += l.ready()
		}
		if ready != b.ready {
			bad("a block counts %d ready, its lanes %d", b.ready, ready)
		}
	}
	return problems
}

// verifyRing checks that exactly the groups that can deliver stand in the ring.
func (c *contents) verifyRing(bad func(string, ...any)) {
	in := map[*lane]bool{}
	for l := c.fifo.front; l != nil; l = l.ring.next {
		in[l] = true
	}
	groups := 0
	c.each(func(l *lane) bool {
		if !c.fifo.on {
			return true
		}
		groups++
		if l.delivers() != in[l] || l.ring.in != in[l] || c.fifo.groups[l.group] != l {
			bad("group %q: delivers %v, in the ring %v and %v", l.group, l.delivers(), in[l], l.ring.in)
		}
		return true
	})
	if groups != len(c.fifo.groups) {
		bad("%d groups are known, %d have lanes", len(c.fifo.groups), groups)
	}
}

// recounted is what a lane's slots are.
type recounted struct{ returned, holes, flight, delayed, sent int }

// recount looks at each slot of the lane and at the indexes that must hold it.
func (l *lane) recount(bad func(string, ...any)) (n recounted) {
	c := l.c
	l.slots.scan(func(id slotID) bool {
		s := c.slab.at(id)
		ahead := s.pos >= l.head
		want := map[*index]bool{
			&c.flight: s.phase == phaseFlight, &c.delayed: s.phase == phaseDelayed, &c.bySent: s.phase != phaseRemoved,
			&l.returned: s.phase == phaseReady && !ahead, &l.holes: s.phase != phaseReady && ahead,
		}
		for x, in := range want {
			if (x.find(id) == id) != in {
				bad("lane %d position %d, head %d, phase %d: is in an index where it should not, or the other way", l.number, s.pos, l.head, s.phase)
			}
		}
		switch {
		case s.pos >= l.tail || c.laneOf(s) != l || slices.Contains(c.slab.free, id):
			bad("lane %d position %d: a slot that nothing can reach", l.number, s.pos)
		case s.phase == phaseRemoved && !ahead:
			bad("lane %d position %d: removed behind head", l.number, s.pos)
		case s.phase == phaseFlight && ahead:
			bad("lane %d position %d: in flight ahead of head", l.number, s.pos)
		}
		for x, k := range map[*index]*int{&c.flight: &n.flight, &c.delayed: &n.delayed, &c.bySent: &n.sent, &l.returned: &n.returned, &l.holes: &n.holes} {
			if want[x] {
				*k++
			}
		}
		return true
	})
	for j := 1; j < l.returned.len(); j++ {
		if l.order(j) < l.order(j-1)+1 {
			bad("lane %d: the order of what returned is not one", l.number)
		}
	}
	return n
}

// verifyStore compares a lane with what is durable of it.
func (l *lane) verifyStore(store *memory) (problems []error) {
	store.mu.Lock()
	defer store.mu.Unlock()
	bad := func(format string, a ...any) {
		problems = append(problems, fmt.Errorf("queue %q lane %d: "+format, append([]any{l.c.queue.name, l.number}, a...)...))
	}
	if uint64(len(l.ahead)) > l.tail-l.head {
		bad("%d read ahead of %d", len(l.ahead), l.tail-l.head)
	}
	for i, m := range l.ahead {
		pos := l.head + uint64(i)
		stored := store.messages[l.ref(pos)]
		if id := l.slotAt(pos); id == 0 && (m == nil || stored == nil || m.ID != stored.ID) {
			bad("position %d was read as another message", pos)
		}
	}
	if got, want := store.lanes[Ref{l.c.queue.number, l.c.epoch, l.number, 0}], l.record(); got != want {
		got.Oldest = want.Oldest // kept lower in memory as it is learnt
		if got != want {
			bad("stored as %+v, is %+v", got, want)
		}
	}
	for pos := range l.tail {
		ref := l.ref(pos)
		state, touched := store.states[ref]
		stored := store.messages[ref] != nil
		id := l.slotAt(pos)
		switch {
		case touched != (id != 0):
			bad("position %d: slot %d, but stored state %v", pos, id, touched)
		case touched && state.Removed == stored:
			bad("position %d: a message %v with a removed state %v", pos, stored, state.Removed)
		case id == 0 && pos >= l.head && !stored:
			bad("position %d: no message", pos)
		case id == 0 && pos < l.swept && stored:
			bad("position %d: a message behind swept without a state", pos)
		}
	}
	return problems
}
