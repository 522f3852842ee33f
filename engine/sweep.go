package engine

// sweep deletes what is no longer reachable in a queue: old epochs after a
// purge or a deletion, and messages that a lane's head passed unread. It works
// in slices and writes nothing when there is nothing to do.
func (e *Engine) sweep(q *queue) error {
	for _, epoch := range e.oldEpochs(q) {
		if err := e.sweepEpoch(q, epoch); err != nil {
			return err
		}
	}
	for {
		more, err := e.sweepLanes(q)
		if err != nil || !more {
			return err
		}
	}
}

func (e *Engine) oldEpochs(q *queue) []uint32 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]uint32(nil), q.old...)
}

// sweepEpoch empties one old epoch, then forgets it, and the queue with it if
// that was deleted.
func (e *Engine) sweepEpoch(q *queue, epoch uint32) error {
	// Changes of before the purge may still be under way; after this, nothing
	// writes to the old epoch again.
	if err := e.last().wait(); err != nil {
		return err
	}
	for done := false; !done; {
		var err error
		if done, err = e.store.Sweep(q.number, epoch, sweepSlice); err != nil {
			return err
		}
	}
	o, err := e.begin()
	if err != nil {
		return err
	}
	kept := q.old[:0]
	for _, other := range q.old {
		if other != epoch {
			kept = append(kept, other)
		}
	}
	q.old = kept
	if q.deleted && len(q.old) == 0 {
		delete(e.byID, q.number)
		o.change.Forget = append(o.change.Forget, q.number)
	} else {
		o.change.Queues = append(o.change.Queues, q.record())
	}
	return o.end().wait()
}

// sweepLanes deletes one slice of the messages that heads have passed unread,
// and says whether there was anything to do.
func (e *Engine) sweepLanes(q *queue) (more bool, err error) {
	o, err := e.begin()
	if err != nil {
		return false, err
	}
	left := sweepSlice
	if !q.deleted {
		for l := range q.contents.untidy {
			left -= o.trim(q, l) // what was removed ahead of its turn, as far as nothing passed it yet
			left -= o.sweepLane(l, left)
			if l.swept == l.head && !l.removedAt(l.head) {
				delete(q.contents.untidy, l)
				q.contents.fifo.unsettle(l) // it may end now
			}
			if left <= 0 {
				break
			}
		}
	}
	return left < sweepSlice, o.end().wait()
}

func (o *op) sweepLane(l *lane, limit int) (swept int) {
	if l.swept == l.head || limit <= 0 {
		return 0
	}
	to := min(l.head, l.swept+uint64(limit))
	touched := l.between(l.swept, to)
	for pos := l.swept; pos < to; pos++ {
		if len(touched) > 0 && l.c.slab.at(touched[0]).pos == pos {
			touched = touched[1:]
			continue
		}
		o.change.Drops = append(o.change.Drops, l.ref(pos))
	}
	swept = int(to - l.swept)
	l.swept = to
	o.touchLane(l)
	return swept
}
