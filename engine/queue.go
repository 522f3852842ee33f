package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Counts is how many messages of a queue are in each state.
type Counts struct {
	Ready    int
	InFlight int
	Delayed  int
}

// Counters grow from a queue's creation on; a purge does not reset them.
type Counters struct {
	Sent            uint64 // by a sender or a redrive; a dead-letter move is not a send
	Received        uint64 // deliveries and peeks
	EmptyReceives   uint64 // receives that found nothing
	Deleted         uint64
	Lapsed          uint64 // visibility timeouts that ran out
	Expired         uint64 // retention was over
	Purged          uint64
	DeadLetteredIn  uint64 // moved here from a source
	DeadLetteredOut uint64 // moved from here to the dead-letter queue
	RedrivenOut     uint64 // moved from here by a redrive or by hand
}

// QueueStats is a queue as the console shows it.
type QueueStats struct {
	Name       string
	Number     uint32
	Attributes Attributes
	Created    time.Time
	Modified   time.Time
	Counts     Counts
	Counters   Counters
	// Sources are the queues whose redrive policy names this one, sorted: it
	// is a dead-letter queue if there is any.
	Sources []string
	// OldestArrived is when the oldest message came into this queue, zero when
	// the queue is empty.
	OldestArrived time.Time
	// NextDelay is when the next delay ends, NextLapse when the next visibility
	// timeout does; zero if none.
	NextDelay time.Time
	NextLapse time.Time
}

// queue is a queue in memory.
type queue struct {
	engine     *Engine
	number     uint32
	name       string
	created    int64
	modified   int64
	attributes Attributes
	deleted    bool
	old        []uint32 // epochs to sweep

	contents     *contents
	counters     Counters
	lastTurn     uint64
	lastLane     uint64
	lastSequence uint64
	dirty        bool // counters, in the present change

	waiters waiters
	applied uint64 // the last operation that applied what is due
}

func (q *queue) record() QueueRecord {
	return QueueRecord{
		Number: q.number, Name: q.name, Epoch: q.contents.epoch, Old: slices.Clone(q.old), Deleted: q.deleted,
		Created: moment(q.created), Modified: moment(q.modified), Attributes: q.attributes.clone(),
	}
}

func (q *queue) counterRecord() CounterRecord {
	return CounterRecord{
		Queue: q.number, Counters: q.counters,
		LastTurn: q.lastTurn, LastLane: q.lastLane, LastSequence: q.lastSequence,
	}
}

func (q *queue) nextTurn() uint64 {
	q.lastTurn++
	return q.lastTurn
}

// cutoff is the sent time up to which messages have expired.
func (q *queue) cutoff(now int64) int64 { return now - q.attributes.Retention.Milliseconds() }

// FIFOSuffix ends the name of every FIFO queue and of no other (SQS).
const FIFOSuffix = ".fifo"

// checkName checks a queue's name: NAME, or NAME@REGION for one outside the
// default region.
func checkName(name string, kind Type) error {
	base, region, regional := strings.Cut(name, "@")
	stem, suffixed := strings.CutSuffix(base, FIFOSuffix)
	switch {
	case len(base) > MaxNameLength || !plain(stem) || regional && (!plain(region) || len(region) > maxRegionLength):
		return &InvalidError{"QueueName", fmt.Sprintf("must be 1 to %d letters, digits, hyphens or underscores", MaxNameLength)}
	case suffixed && kind != FIFO:
		return &InvalidError{"QueueName", fmt.Sprintf("must be 1 to %d letters, digits, hyphens or underscores; only a FIFO queue's ends in %s", MaxNameLength, FIFOSuffix)}
	case !suffixed && kind == FIFO:
		return &InvalidError{"QueueName", "a FIFO queue's name must end in " + FIFOSuffix}
	}
	return nil
}

const maxRegionLength = 32

func plain(s string) bool {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
			return false
		}
	}
	return s != ""
}

// CreateQueue makes a queue. If one of that name exists, with the same
// attributes nothing happens, and otherwise it returns ErrQueueExists. It
// returns *InvalidError for the name and for each attribute, RedrivePolicy
// included: the dead-letter queue must exist, be another one of the same type,
// and admit this source.
func (e *Engine) CreateQueue(ctx context.Context, name string, attributes Attributes) error {
	if err := errors.Join(ctx.Err(), checkName(name, attributes.Type)); err != nil {
		return fmt.Errorf("create queue %q: %w", name, err)
	}
	if err := attributes.validate(); err != nil {
		return fmt.Errorf("create queue %q: %w", name, err)
	}
	o, err := e.begin()
	if err != nil {
		return err
	}
	if q := e.byName[name]; q != nil {
		err := error(nil)
		if !reflect.DeepEqual(q.attributes.clone(), attributes.clone()) {
			err = fmt.Errorf("create queue %q: %w", name, ErrQueueExists)
		}
		o.end()
		return errors.Join(err, e.last().wait())
	}
	if err := cmp.Or(e.checkRedrive(name, attributes), e.full(SpaceLow)); err != nil {
		return o.abandon(fmt.Errorf("create queue %q: %w", name, err))
	}
	q := &queue{engine: e, number: e.meta.NextQueue, name: name, created: o.now, modified: o.now, attributes: attributes.clone()}
	e.meta.NextQueue++
	q.contents = newContents(q, 0)
	e.byName[name], e.byID[q.number] = q, q
	meta := e.meta
	o.change.Meta = &meta
	o.change.Queues = append(o.change.Queues, q.record())
	o.touchCounters(q)
	o.event(Event{Kind: EventQueueCreated, Queue: name})
	return o.end().wait()
}

// Configure applies change to the queue's present attributes. A new retention
// holds at once for the messages already there, a new visibility timeout for
// later receives, a new delay for later sends (SQS). It returns
// ErrQueueNotFound and *InvalidError, also for a changed Type.
func (e *Engine) Configure(ctx context.Context, name string, change func(*Attributes)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	o, err := e.begin()
	if err != nil {
		return err
	}
	q, err := o.queue(name)
	if err != nil {
		return o.abandon(fmt.Errorf("configure: %w", err))
	}
	next := q.attributes.clone()
	change(&next)
	if next.Type != q.attributes.Type {
		err = &InvalidError{"FifoQueue", "the type of a queue cannot change"}
	} else {
		err = next.validate()
	}
	if err == nil && next.Redrive != q.attributes.Redrive {
		err = e.checkRedrive(name, next)
	}
	if err = cmp.Or(err, e.full(SpaceOut)); err != nil {
		return o.abandon(fmt.Errorf("configure queue %q: %w", name, err))
	}
	moved := next.Type == FIFO && next.Delay != q.attributes.Delay
	q.attributes, q.modified = next.clone(), o.now
	o.change.Queues = append(o.change.Queues, q.record())
	o.event(Event{Kind: EventQueueConfigured, Queue: name})
	if err := o.end().wait(); err != nil || !moved {
		return err
	}
	return e.redelay(q)
}

// DeleteQueue deletes a queue with everything in it. Waiting receives end with
// ErrQueueNotFound; redrive tasks out of it or into it fail. A queue whose
// dead-letter queue this was keeps its messages and goes on delivering them.
func (e *Engine) DeleteQueue(ctx context.Context, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	o, err := e.begin()
	if err != nil {
		return err
	}
	q := e.byName[name]
	if q == nil {
		o.end()
		return errors.Join(fmt.Errorf("delete queue %q: %w", name, ErrQueueNotFound), e.last().wait())
	}
	delete(e.byName, name)
	o.renew(q)
	q.deleted = true
	q.wakeAll()
	o.change.Queues = append(o.change.Queues, q.record())
	o.event(Event{Kind: EventQueueDeleted, Queue: name})
	return o.end().wait()
}

// Purge deletes every message of a queue, in flight and delayed ones too, and
// returns how many there were. Receipts of before are worthless then.
func (e *Engine) Purge(ctx context.Context, name string) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	o, err := e.begin()
	if err != nil {
		return 0, err
	}
	q, err := o.queue(name)
	if err != nil {
		return 0, o.abandon(fmt.Errorf("purge: %w", err))
	}
	n := o.renew(q)
	q.counters.Purged += uint64(n)
	o.touchCounters(q)
	o.change.Queues = append(o.change.Queues, q.record())
	o.event(Event{Kind: EventPurged, Queue: name, Count: n})
	return n, o.end().wait()
}

// renew starts a new epoch; the old one waits to be swept.
func (o *op) renew(q *queue) int {
	old := q.contents
	old.each(func(l *lane) bool {
		o.e.windows -= l.forgetAhead()
		l.dirty = false
		return true
	})
	o.lanes = slices.DeleteFunc(o.lanes, func(l *lane) bool { return l.c == old })
	q.old = append(q.old, old.epoch)
	q.contents = newContents(q, old.epoch+1)
	return old.total()
}
