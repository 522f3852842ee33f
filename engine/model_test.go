package engine

import (
	"cmp"
	"errors"
	"maps"
	"slices"
)

// model is what the engine promises, without indexes, slots or a disk. Its one
// idea: a message goes to the back of its priority when it is sent and each
// time it is handed out, and the first ready one is delivered.
type model struct {
	now       int64 // ms
	nextQueue uint32
	nextTask  uint64
	queues    []*modelQueue
	tasks     []*modelTask
	order     uint64
}

type modelQueue struct {
	name       string
	number     uint32
	epoch      uint32
	attributes Attributes
	counters   Counters
	messages   []*modelMessage
	lanes      []uint64          // in the order in which they came into use
	tails      map[uint64]uint64 // looked up, never ranged over
}

type modelMessage struct {
	ref      Ref
	body     string
	order    uint64 // lowest is delivered first
	state    State
	due      int64
	sent     int64
	arrived  int64
	touched  bool // it expires with the next operation, not with the next tick
	origin   string
	earlier  int
	receives int
	last     int64  // last receive
	delivery uint32 // of the newest receipt
	fresh    uint32 // of the first receipt since the last receive
}

func newModel(now int64) *model { return &model{now: now, nextQueue: 1, nextTask: 1} }

// clone is for going back to before a failure.
func (m *model) clone() *model {
	c := *m
	c.queues, c.tasks = nil, nil
	for _, q := range m.queues {
		next := *q
		next.lanes, next.tails, next.messages = slices.Clone(q.lanes), maps.Clone(q.tails), nil
		for _, x := range q.messages {
			message := *x
			next.messages = append(next.messages, &message)
		}
		c.queues = append(c.queues, &next)
	}
	for _, t := range m.tasks {
		next := *t
		next.cursors = maps.Clone(t.cursors)
		c.tasks = append(c.tasks, &next)
	}
	return &c
}

func (m *model) queue(name string) *modelQueue {
	i := slices.IndexFunc(m.queues, func(q *modelQueue) bool { return q.name == name })
	if i < 0 {
		return nil
	}
	return m.queues[i]
}

func (m *model) numbered(number uint32) *modelQueue {
	i := slices.IndexFunc(m.queues, func(q *modelQueue) bool { return q.number == number })
	if i < 0 {
		return nil
	}
	return m.queues[i]
}

func (m *model) create(name string, a Attributes) {
	m.queues = append(m.queues, &modelQueue{name: name, number: m.nextQueue, attributes: a, tails: map[uint64]uint64{}})
	m.nextQueue++
}

func (m *model) delete(name string) {
	m.queues = slices.DeleteFunc(m.queues, func(q *modelQueue) bool { return q.name == name })
}

func (m *model) purge(q *modelQueue) int {
	n := len(q.messages)
	q.messages, q.lanes, q.tails = nil, nil, map[uint64]uint64{}
	q.epoch++
	q.counters.Purged += uint64(n)
	return n
}

// put appends a message at the tail of its lane.
func (m *model) put(q *modelQueue, lane uint64, x modelMessage) *modelMessage {
	if !slices.Contains(q.lanes, lane) {
		q.lanes = append(q.lanes, lane)
	}
	x.ref = Ref{q.number, q.epoch, lane, q.tails[lane]}
	q.tails[lane]++
	m.order++
	x.order = m.order
	q.messages = append(q.messages, &x)
	return &x
}

func (q *modelQueue) remove(x *modelMessage) {
	q.messages = slices.DeleteFunc(q.messages, func(other *modelMessage) bool { return other == x })
}

func (q *modelQueue) find(ref Ref) *modelMessage {
	for _, x := range q.messages {
		if x.ref == ref {
			return x
		}
	}
	return nil
}

func (m *model) expired(q *modelQueue, x *modelMessage) bool {
	return x.sent+q.attributes.Retention.Milliseconds() <= m.now
}

// in lists the messages of a state in the order of a page.
func (q *modelQueue) in(state State) []*modelMessage {
	var all []*modelMessage
	for _, x := range q.messages {
		if x.state == state {
			all = append(all, x)
		}
	}
	slices.SortFunc(all, func(a, b *modelMessage) int {
		if state == Ready {
			return cmp.Or(cmp.Compare(a.ref.Lane, b.ref.Lane), cmp.Compare(a.order, b.order))
		}
		return cmp.Or(cmp.Compare(a.due, b.due), cmp.Compare(a.order, b.order))
	})
	return all
}

// apply is what every operation on a queue does first.
func (m *model) apply(q *modelQueue) {
	for _, x := range slices.Clone(q.messages) {
		if x.state != Ready && x.due <= m.now {
			if x.state == InFlight {
				q.counters.Lapsed++
			}
			x.state = Ready
		}
		if x.touched && m.expired(q, x) {
			q.remove(x)
			q.counters.Expired++
		}
	}
}

// reap is the reaper's first half.
func (m *model) reap() {
	for _, q := range m.queues {
		m.apply(q)
		for _, x := range slices.Clone(q.messages) {
			if m.expired(q, x) {
				q.remove(x)
				q.counters.Expired++
			}
		}
	}
}

func (m *model) tick() {
	m.reap()
	for _, t := range m.tasks {
		for range redriveSlices {
			if !m.runTask(t) {
				break
			}
		}
	}
}

func (m *model) send(q *modelQueue, lane uint64, body string, delay int64) *modelMessage {
	x := m.put(q, lane, modelMessage{body: body, sent: m.now, arrived: m.now})
	m.delay(x, delay)
	q.counters.Sent++
	return x
}

func (m *model) delay(x *modelMessage, delay int64) {
	if delay > 0 {
		x.state, x.due, x.touched = Delayed, m.now+delay, true
	}
}

// deadLetters says whether the next receive moves x.
func (m *model) deadLetters(q *modelQueue, x *modelMessage) bool {
	p := q.attributes.Redrive
	return p.MaxReceives > 0 && m.queue(p.DLQ) != nil && x.receives >= p.MaxReceives
}

func (m *model) deadLetter(q *modelQueue, x *modelMessage) {
	dlq := m.queue(q.attributes.Redrive.DLQ)
	q.remove(x)
	m.put(dlq, x.ref.Lane, modelMessage{
		body: x.body, sent: x.sent, arrived: m.now, origin: q.name, earlier: x.earlier + x.receives, touched: true,
	})
	q.counters.DeadLetteredOut++
	dlq.counters.DeadLetteredIn++
}

// resend is a redrive or a move by hand.
func (m *model) resend(q *modelQueue, x *modelMessage, to *modelQueue) {
	q.remove(x)
	y := m.put(to, x.ref.Lane, modelMessage{body: x.body, sent: m.now, arrived: m.now, touched: true})
	m.delay(y, to.attributes.Delay.Milliseconds())
	q.counters.RedrivenOut++
	to.counters.Sent++
}

// receive hands out up to n messages; to a caller who has gone by then it
// hands none, and they stand where they stood.
func (m *model) receive(q *modelQueue, n int, visibility int64, gone bool) []*modelMessage {
	m.apply(q)
	var picked []*modelMessage
	for _, x := range q.in(Ready) {
		if len(picked) == n {
			break
		}
		switch {
		case m.expired(q, x):
			q.remove(x)
			q.counters.Expired++
		case m.deadLetters(q, x):
			m.deadLetter(q, x)
		default:
			picked = append(picked, x)
		}
	}
	if len(picked) == 0 {
		q.counters.EmptyReceives++
	}
	for _, x := range picked {
		x.delivery++
		x.fresh, x.touched = x.delivery, true
		if gone {
			continue
		}
		m.order++
		x.order, x.last = m.order, m.now
		x.receives++
		m.hide(x, visibility)
		q.counters.Received++
	}
	if gone {
		return nil
	}
	return picked
}

// hide makes x come back after d.
func (m *model) hide(x *modelMessage, d int64) {
	x.state, x.due = InFlight, m.now+d
	if d == 0 {
		x.state = Ready
	}
}

// peek returns the error a peek would; moved says that it dead-lettered.
func (m *model) peek(ref Ref, allow bool) (x *modelMessage, moved bool, err error) {
	q, x := m.locate(ref)
	switch {
	case x == nil:
		return nil, false, ErrMessageGone
	case x.state == InFlight:
		return nil, false, ErrInFlight
	case x.state == Delayed:
		return nil, false, ErrDelayed
	case m.expired(q, x):
		return nil, false, ErrMessageGone
	case m.deadLetters(q, x) && !allow:
		return nil, false, ErrWouldDeadLetter
	case m.deadLetters(q, x):
		m.deadLetter(q, x)
		return x, true, nil
	}
	x.receives++ // but the delivery stays: a peek issues no receipt
	x.touched, x.last = true, m.now
	q.counters.Received++
	return x, false, nil
}

// locate finds a message by identity.
func (m *model) locate(ref Ref) (*modelQueue, *modelMessage) {
	q := m.numbered(ref.Queue)
	if q == nil {
		return nil, nil
	}
	m.apply(q)
	return q, q.find(ref)
}

// held is a receipt somebody got.
type held struct {
	receipt Receipt
	ref     Ref
	number  uint32
}

// behind finds the message of a receipt.
func (m *model) behind(h held, strictness Strictness) (*modelQueue, *modelMessage, error) {
	q := m.numbered(h.ref.Queue)
	if q == nil {
		return nil, nil, ErrQueueNotFound
	}
	m.apply(q)
	x := q.find(h.ref)
	switch {
	case x == nil:
		return nil, nil, ErrMessageGone
	case strictness == LastDelivery && h.number < x.delivery, strictness == LastReceive && h.number < x.fresh:
		return nil, nil, ErrReceiptStale
	case strictness != AnyDelivery && x.state == Ready:
		return nil, nil, ErrReceiptExpired
	}
	return q, x, nil
}

// move returns how many of the messages moved.
func (m *model) move(refs []Ref, destination string) (moved int, err error) {
	to := m.queue(destination)
	there := false
	for _, ref := range refs {
		q, x := m.locate(ref)
		var passed error
		switch {
		case x == nil:
			passed = ErrMessageGone
		case to == nil:
			return 0, ErrQueueNotFound
		case to == q:
			there = true
		case m.expired(q, x):
			passed = ErrMessageGone
		case x.state == InFlight:
			passed = ErrInFlight
		default:
			m.resend(q, x, to)
			moved++
		}
		if len(refs) == 1 {
			err = passed
		}
	}
	if there && moved == 0 {
		return 0, errInvalid
	}
	return moved, err
}

// errInvalid stands for any *InvalidError.
var errInvalid = errors.New("an *InvalidError")
