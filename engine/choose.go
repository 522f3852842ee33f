package engine

// pick is one message chosen to be handed out.
type pick struct {
	lane    *lane
	pos     uint64
	id      slotID   // 0: untouched
	message *Message // of an untouched one
}

// choice is what a receive found, before anything is changed.
type choice struct {
	picks   []pick
	dead    []pick // to the dead-letter queue instead
	expired []pick // retention is over
	heads   []headMove
	more    bool // something was passed: looking again may find more
	// unread are the lanes whose next message must be read before anything can
	// be chosen: what stands behind it must not overtake it.
	unread []*lane
}

type headMove struct {
	lane *lane
	to   uint64
}

// Bounds of one change.
const (
	deadAtOnce = 100  // dead-letter moves
	passAtOnce = 1000 // positions passed that are not ready
)

// choose finds the next messages without changing anything, so that none is
// handed out twice by one receive.
func (o *op) choose(q *queue, n int) choice {
	var found choice
	k := chooser{o: o, q: q, found: &found, cutoff: q.cutoff(o.now), max: n, left: passAtOnce}
	k.limit = q.attributes.Redrive.MaxReceives
	if o.e.byName[q.attributes.Redrive.DLQ] == nil {
		k.limit = 0 // no dead-letter queue: deliver
	}
	if q.contents.fifo.on {
		o.settle(q)
		k.fifoLanes(&q.contents.fifo)
		return found
	}
	q.contents.each(func(l *lane) bool {
		k.lane(l)
		return !k.done()
	})
	return found
}

// chooser walks over a queue in the order of delivery.
type chooser struct {
	o      *op
	q      *queue
	found  *choice
	cutoff int64
	limit  int // max receives; 0: no policy, or its queue is gone
	max    int
	left   int // positions that may still be passed
}

func (k *chooser) done() bool {
	unread := len(k.found.unread)
	if unread > 0 && !k.q.contents.fifo.on { // other groups go on, and are read with it
		return true
	}
	return len(k.found.picks)+unread >= k.max || len(k.found.dead) >= deadAtOnce || k.left <= 0
}

// lane takes from one lane: those returned whose turn it is, then from head.
func (k *chooser) lane(l *lane) {
	slab := &k.q.contents.slab
	head, back := l.head, 0
	touched := l.touchedFrom(head)
	for !k.done() {
		if back < l.returned.len() {
			id := l.returned.at(back)
			if s := slab.at(id); s.turnFrom() <= head {
				back++
				k.touched(pick{lane: l, pos: s.pos, id: id})
				continue
			}
		}
		if head == l.tail {
			break
		}
		id := slotID(0)
		if touched {
			id = l.slotAt(head)
		}
		p := pick{lane: l, pos: head, id: id}
		if id == 0 {
			if !k.untouched(p) {
				break
			}
		} else if slab.at(id).phase == phaseReady {
			k.touched(p)
		} else {
			k.left--
			k.found.more = true
		}
		head++
	}
	if head != l.head {
		k.found.heads = append(k.found.heads, headMove{l, head})
	}
}

// touched judges a message that was handed out or moved before. It returns
// false when that one has to stay where it is.
func (k *chooser) touched(p pick) bool {
	s := k.q.contents.slab.at(p.id)
	switch {
	case s.sent <= k.cutoff:
		k.found.expired = append(k.found.expired, p)
		k.left--
		k.found.more = true
	case k.limit > 0 && int(s.receives) >= k.limit:
		if k.o.e.space != SpaceEnough {
			return false
		}
		k.left--
		k.found.dead = append(k.found.dead, p)
		k.found.more = true
	default:
		k.found.picks = append(k.found.picks, p)
	}
	return true
}

// untouched judges one that nothing has happened to. It returns false when
// that message was not read yet.
func (k *chooser) untouched(p pick) bool {
	m, read := p.lane.known(p.pos)
	switch {
	case !read:
		k.found.unread = append(k.found.unread, p.lane)
		return false
	case m == nil || millis(m.Sent) <= k.cutoff:
		k.found.expired = append(k.found.expired, p)
		k.left--
		k.found.more = true
	default:
		p.message = m
		k.found.picks = append(k.found.picks, p)
	}
	return true
}
