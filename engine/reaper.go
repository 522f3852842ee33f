package engine

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"time"
)

// How much one slice under the lock does.
const (
	dueAtOnce     = 1024 // what an operation applies in its queue; the reaper does the rest
	reapSlice     = 256
	sweepSlice    = 500
	redriveAtOnce = 500
)

// Run calls Tick at every tick of the reaper until ctx ends, then returns nil.
// It returns the error that stopped the engine, if one does. The caller owns
// its goroutine.
func (e *Engine) Run(ctx context.Context) error {
	reaper := time.NewTicker(e.options.ReapEvery) // real time drives, Options.Now decides
	defer reaper.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-reaper.C:
			if err := e.Tick(e.options.Now()); err != nil {
				return err
			}
		}
	}
}

// Tick applies what time has brought by now: visibility timeouts and delays
// that are over, retention, redrive tasks, and the sweeping of purged and
// expired messages. It works in slices, so that others are not held up. It
// returns ErrStoreFailed or ErrClosed.
func (e *Engine) Tick(now time.Time) error {
	e.mu.Lock()
	if err := e.usable(); err != nil {
		e.mu.Unlock()
		return err
	}
	e.clock.atLeast(now)
	var queues []*queue
	for _, q := range e.byID {
		queues = append(queues, q)
	}
	slices.SortFunc(queues, func(a, b *queue) int { return cmp.Compare(a.number, b.number) }) // so that a run repeats
	e.mu.Unlock()
	e.measure()
	for _, q := range queues {
		if err := e.reap(q); err != nil {
			return err
		}
	}
	if err := e.runTasks(); err != nil {
		return err
	}
	for _, q := range queues {
		if err := e.sweep(q); err != nil {
			return err
		}
	}
	return nil
}

// reap applies everything due in a queue.
func (e *Engine) reap(q *queue) error {
	for more := true; more; {
		o, err := e.begin()
		if err != nil {
			return err
		}
		if more = !q.deleted; more {
			more, _ = o.applyDue(q, reapSlice)
		}
		o.end()
		runtime.Gosched() // who waits for the lock goes first
	}
	return e.expireLanes(q)
}

// apply applies what is due in a queue, once an operation, as far as one
// change may.
func (o *op) apply(q *queue) {
	if o.due > 0 && q.applied != o.serial {
		q.applied = o.serial
		_, n := o.applyDue(q, o.due)
		o.due -= n
	}
}

// current applies what is due to one message that an operation may have been
// too full to reach, and returns 0 if it is gone by that.
func (o *op) current(q *queue, id slotID) slotID {
	c := q.contents
	if id == 0 || c.slab.at(id).phase == phaseRemoved {
		return 0
	}
	switch s := c.slab.at(id); {
	case s.sent <= q.cutoff(o.now):
		o.expire(q, id)
		return 0
	case s.phase != phaseReady && s.due <= o.now:
		o.ripen(q, id, s.phase == phaseFlight)
		q.wake(1)
	}
	return id
}

// applyDue applies at most limit of what is due in a queue, earliest first,
// and says whether there is more. It writes nothing for an expired visibility
// or an ended delay: a state whose due time has passed is ready, also on disk.
func (o *op) applyDue(q *queue, limit int) (more bool, done int) {
	most := limit
	c := q.contents
	woken := 0
	for ; limit > 0; limit-- {
		id, lapsed := c.flight.first(), true
		if other := c.delayed.first(); id == 0 || other != 0 && c.slab.at(other).due < c.slab.at(id).due {
			id, lapsed = other, false
		}
		if id == 0 || c.slab.at(id).due > o.now {
			break
		}
		o.ripen(q, id, lapsed)
		woken++
	}
	q.wake(woken)
	limit -= o.forgetDedups(q, limit)
	cutoff := q.cutoff(o.now)
	for ; limit > 0; limit-- {
		id := c.bySent.first()
		if id == 0 || c.slab.at(id).sent > cutoff {
			return false, most - limit
		}
		o.expire(q, id)
	}
	return true, most
}

// ripen makes a message ready whose visibility timeout or delay is over.
func (o *op) ripen(q *queue, id slotID, lapsed bool) {
	c := q.contents
	c.leave(id)
	s := c.slab.at(id)
	due := s.due
	s.phase, s.waits = phaseReady, false
	c.enter(id)
	ev := Event{Kind: EventDelayOver, Queue: q.name, Ref: c.refOf(s), Receives: int(s.receives)}
	if lapsed {
		q.counters.Lapsed++ // written with the next change: it is no promise
		ev.Kind, ev.Holder = EventLapsed, o.e.holders.name(s.holder)
	}
	ev.At = moment(due)
	ev.Count = 1
	o.e.events.add(ev)
}

// expire removes a touched message whose retention is over.
func (o *op) expire(q *queue, id slotID) {
	c := q.contents
	ref := c.refOf(c.slab.at(id))
	o.drop(q, id)
	q.counters.Expired++
	o.touchCounters(q)
	o.event(Event{Kind: EventExpired, Queue: q.name, Ref: ref})
}

// expireLanes moves the heads of lanes past untouched messages whose retention
// is over. When the oldest was sent is known only from below, so a look at the
// disk decides, without the lock; positions and sent times never change.
func (e *Engine) expireLanes(q *queue) error {
	for {
		run, err := e.nextExpiring(q)
		if err != nil || run.lane == nil {
			return err
		}
		l := run.lane
		end, oldest, err := e.bisect(run)
		if err != nil {
			return err
		}
		o, err := e.begin()
		if err != nil {
			return err
		}
		if q.contents == l.c && !q.deleted && !l.ended {
			o.expireRun(q, l, end)
			// Even if that was never read: what is left was sent later.
			l.setOldest(max(l.oldest, oldest, run.cutoff+1))
		}
		o.end()
	}
}

// run is a stretch of a lane in which messages may have expired.
type run struct {
	lane     *lane
	from, to uint64
	cutoff   int64
}

// nextExpiring returns a lane that may hold expired untouched messages.
func (e *Engine) nextExpiring(q *queue) (run, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.usable(); err != nil || q.deleted {
		return run{}, err
	}
	cutoff := q.cutoff(e.clock.now())
	if l, ok := q.contents.aging.Min(); ok && l.oldest <= cutoff {
		return run{l, l.head, l.tail, cutoff}, nil
	}
	return run{}, nil
}

// bisect finds the first position of the run that arrived after its cutoff,
// and when that was, as far as it was read.
func (e *Engine) bisect(r run) (end uint64, oldest int64, err error) {
	for r.from < r.to {
		mid := r.from + (r.to-r.from)/2
		at, m, err := e.firstFrom(r.lane, mid, r.to)
		if err != nil {
			return 0, 0, err
		}
		switch {
		case m == nil:
			r.to = mid
		case millis(m.Arrived) > r.cutoff:
			r.to, oldest = mid, millis(m.Arrived)
		default:
			r.from = at + 1
		}
	}
	return r.from, oldest, nil
}

// firstFrom reads the first message at or after pos: a position that was
// deleted ahead of its turn has none, and the next one speaks for it.
func (e *Engine) firstFrom(l *lane, pos, to uint64) (uint64, *Message, error) {
	for ; pos < to; pos++ {
		found, err := e.read([]Ref{{Queue: l.c.queue.number, Epoch: l.c.epoch, Lane: l.number, Pos: pos}}, 0)
		if err != nil {
			return 0, nil, err
		}
		if found[0] != nil {
			return pos, found[0], nil
		}
	}
	return to, nil, nil
}

// expireRun moves a lane's head to end. The messages between have no state
// and are deleted behind it, by the sweep; touched ones keep theirs, and
// expire by their own sent time.
func (o *op) expireRun(q *queue, l *lane, end uint64) {
	if end <= l.head {
		o.touchLane(l)
		return
	}
	touched := l.slots.below(func(id slotID) bool { return l.c.slab.at(id).pos < end }) -
		l.slots.below(func(id slotID) bool { return l.c.slab.at(id).pos < l.head })
	n := int(end-l.head) - touched
	o.moveHead(q, l, end)
	q.contents.untidy[l] = true
	q.counters.Expired += uint64(n)
	o.touchCounters(q)
	if n > 0 {
		o.event(Event{Kind: EventExpired, Queue: q.name, Count: n})
	}
}
