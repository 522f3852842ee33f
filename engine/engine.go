// Package engine is the queue itself: which message a consumer may see, for
// how long, and what becomes of it when that time is up.
//
// Rules take the present time as an argument; only Engine.Run waits for it.
// Every exported method of Engine is safe for concurrent use. The engine
// speaks no wire protocol and knows no database: see wire and storage.
package engine

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"hash"
	mathrand "math/rand/v2"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Options are what an engine takes from its surroundings. Zero values mean the
// defaults.
type Options struct {
	Now       func() time.Time // default time.Now
	NewID     func() ID        // default random; called under the engine's lock
	ReapEvery time.Duration    // how often Run ticks; default 50 ms
}

// Engine holds queues and applies their rules.
type Engine struct {
	options Options
	store   Store
	commits *committer

	mu      sync.Mutex // guards all below; held for memory work only, never for the disk
	clock   clock
	meta    Meta
	mac     hash.Hash // keyed by the store's secret
	byName  map[string]*queue
	byID    map[uint32]*queue // deleted ones too, until they are swept
	holders holders
	events  ring
	late    late
	tasks   map[uint64]*task
	space   Space

	operations uint64 // begun so far
	windows    int    // bytes of messages read ahead, over all lanes
	// unsettled are the FIFO queues in whose lanes the present operation did
	// something.
	unsettled []*queue
	failure   error
	closed    bool
}

// Open makes an engine over what the store holds. The engine owns the store
// from then on and closes it.
func Open(store Store, options Options) (*Engine, error) {
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.NewID == nil {
		options.NewID = randomID()
	}
	if options.ReapEvery == 0 {
		options.ReapEvery = 50 * time.Millisecond
	}
	e := &Engine{
		options: options, store: store, clock: clock{read: options.Now},
		byName: map[string]*queue{}, byID: map[uint32]*queue{}, tasks: map[uint64]*task{},
		holders: newHolders(), events: newRing(), late: newLate(),
	}
	if err := e.load(); err != nil {
		return nil, fmt.Errorf("open engine: %w", err)
	}
	e.mac = hmac.New(sha256.New, e.meta.Secret[:])
	e.commits = newCommitter(store, e.measure, e.fail)
	return e, nil
}

// randomID makes version 4 UUIDs from a generator seeded once: asking the
// system for every message would cost more than the rest of a send.
func randomID() func() ID {
	var seed [32]byte
	if _, err := rand.Read(seed[:]); err != nil {
		panic(err) // crypto/rand never fails on the systems we build for
	}
	source := mathrand.NewChaCha8(seed)
	return func() ID {
		id, _ := uuid.NewRandomFromReader(source) // reads 16 bytes; ChaCha8 cannot fail
		return id
	}
}

// Close makes everything durable and closes the store. Waiting receives end
// with ErrClosed. Run must have returned.
func (e *Engine) Close() error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil
	}
	e.closed = true
	for _, q := range e.byName {
		q.wakeAll()
	}
	e.mu.Unlock()
	e.commits.close()
	return e.store.Close()
}

// Check reads the whole store and reports each broken rule as one line.
func (e *Engine) Check(ctx context.Context, report func(problem string)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := e.last().wait(); err != nil {
		return err
	}
	return e.store.Check(report)
}

// fail stops the engine: what is in memory is no longer what is on disk.
func (e *Engine) fail(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failure = err
	for _, q := range e.byName {
		q.wakeAll()
	}
}

// measure asks the store how much room it has.
func (e *Engine) measure() {
	space, err := e.store.Space()
	if err != nil {
		space = SpaceLow // unknown: take no risk
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.space = space
}

// last is the group of the newest change: an answer that rests on an earlier
// one waits for it.
func (e *Engine) last() *group { return e.commits.last() }

// usable is called with the lock held, before anything is read or changed.
func (e *Engine) usable() error {
	if e.closed {
		return ErrClosed
	}
	return e.failure
}

// op is one operation under the engine's lock: the time it happens at, and
// what it has to make durable.
type op struct {
	e      *Engine
	now    int64
	change Change
	lanes  []*lane
	queues []*queue // with changed counters
	serial uint64   // of the operation: see queue.applied
	due    int      // what may still be applied: a change has a most
	passed int      // removed positions that heads went past
}

// begin takes the engine's lock; end gives it back.
func (e *Engine) begin() (*op, error) {
	e.mu.Lock()
	if err := e.usable(); err != nil {
		e.mu.Unlock()
		return nil, err
	}
	e.operations++
	return &op{e: e, serial: e.operations, now: e.clock.now(), due: dueAtOnce}, nil
}

// end hands the change to the committer, if there is one, and gives the lock
// back. The returned group is nil when there was nothing to make durable.
func (o *op) end() *group {
	defer o.e.mu.Unlock()
	return o.hand()
}

// hand is end without giving the lock back.
func (o *op) hand() *group {
	for _, q := range o.e.unsettled {
		o.settle(q)
	}
	o.e.unsettled = o.e.unsettled[:0]
	for _, l := range o.lanes {
		l.dirty = false
		o.change.Lanes = append(o.change.Lanes, l.record())
	}
	for _, q := range o.queues {
		q.dirty = false
		o.change.Counters = append(o.change.Counters, q.counterRecord())
	}
	o.lanes, o.queues = nil, nil
	if o.change.empty() {
		return nil
	}
	change := o.change
	o.change = Change{}
	return o.e.commits.hand(&change)
}

// abandon gives the lock back after a refusal; what time did meanwhile stays.
func (o *op) abandon(err error) error {
	o.end()
	return err
}

// touchLane notes that a lane's record changed.
func (o *op) touchLane(l *lane) {
	if !l.dirty {
		l.dirty = true
		o.lanes = append(o.lanes, l)
	}
}

// touchCounters notes that a queue's counters changed.
func (o *op) touchCounters(q *queue) {
	if !q.dirty {
		q.dirty = true
		o.queues = append(o.queues, q)
	}
}

// keep notes a slot's new state.
func (o *op) keep(c *contents, id slotID) *StateRecord {
	o.change.States = append(o.change.States, c.stateRecord(id))
	return &o.change.States[len(o.change.States)-1]
}

// queue finds a queue by name and applies what is due in it.
func (o *op) queue(name string) (*queue, error) {
	q := o.e.byName[name]
	if q == nil {
		return nil, fmt.Errorf("queue %q: %w", name, ErrQueueNotFound)
	}
	o.apply(q)
	return q, nil
}

func (c *Change) empty() bool {
	return c.Meta == nil && len(c.Queues) == 0 && len(c.Forget) == 0 && len(c.Holders) == 0 &&
		len(c.Puts) == 0 && len(c.Moves) == 0 && len(c.Drops) == 0 && len(c.States) == 0 &&
		len(c.Unstates) == 0 && len(c.Dedups) == 0 && len(c.Undedups) == 0 && len(c.Lanes) == 0 && len(c.Counters) == 0 && len(c.Tasks) == 0 &&
		c.Choose == nil && len(c.EndTasks) == 0
}

// read reads messages outside the lock. A message whose change is still under
// way is not on disk yet: what is missing is asked for once more when
// everything handed in is durable.
func (e *Engine) read(refs []Ref, limit int) ([]*Message, error) {
	messages, err := e.store.Read(refs, limit)
	if err != nil {
		return nil, fmt.Errorf("read messages: %w", err)
	}
	var missing []Ref
	var at []int
	for i, m := range messages {
		if m == nil {
			missing, at = append(missing, refs[i]), append(at, i)
		}
	}
	if len(missing) == 0 {
		return messages, nil
	}
	if err := e.last().wait(); err != nil {
		return nil, err
	}
	again, err := e.store.Read(missing, limit)
	if err != nil {
		return nil, fmt.Errorf("read messages: %w", err)
	}
	for i, m := range again {
		messages[at[i]] = m
	}
	return messages, nil
}

// full refuses what needs room when the store has not enough.
func (e *Engine) full(level Space) error {
	if e.space >= level {
		return ErrStoreFull
	}
	return nil
}

// InvalidError for a duration that is not whole seconds in a range.
func seconds(field string, d, low, high time.Duration) error {
	if d < low || d > high || d%time.Second != 0 {
		return &InvalidError{field, fmt.Sprintf("must be %d to %d whole seconds", low/time.Second, high/time.Second)}
	}
	return nil
}
