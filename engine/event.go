package engine

import (
	"context"
	"time"
)

// EventKind tells what happened.
type EventKind uint8

// What the engine reports.
const (
	EventQueueCreated EventKind = iota
	EventQueueConfigured
	EventQueueDeleted
	EventPurged
	EventSent
	EventReceived
	EventPeeked
	EventExtended
	EventReleased
	EventLapsed
	EventDelayOver
	EventDeleted
	EventDeadLettered
	EventRedriven
	EventExpired
	EventTask // a redrive task changed its state
)

// Event is one thing that happened, in the order in which it did.
type Event struct {
	Seq      uint64
	At       time.Time
	Kind     EventKind
	Queue    string
	Ref      Ref    // of the message, in Queue; zero if none
	ID       ID     // zero where the engine does not hold it in memory
	Other    string // EventDeadLettered, EventRedriven: the queue it went to
	Holder   string // EventReceived, EventPeeked; EventLapsed, EventDeleted: who held it
	Count    int    // messages: of a purge or of an expired run; otherwise 1
	Receives int    // so far, in Queue
	Task     uint64 // EventTask
	Text     string // EventTask: the new state
	// Late says how long after the end of its lease a message was deleted, and
	// Stale that it was by the receipt of an earlier receive than its last: when
	// not late, while Holder had it.
	Late  time.Duration
	Stale bool
}

// ringSize is how many events are remembered.
const ringSize = 8192

// ring keeps the last events, numbered from 1.
type ring struct {
	events []Event
	last   uint64
}

func newRing() ring { return ring{events: make([]Event, ringSize)} }

func (r *ring) add(ev Event) {
	r.last++
	ev.Seq = r.last
	r.events[r.last%ringSize] = ev
}

// event reports that something happened in this operation.
func (o *op) event(ev Event) {
	ev.At = moment(o.now)
	if ev.Count == 0 {
		ev.Count = 1
	}
	o.e.events.add(ev)
}

// Events returns what happened after event number after, oldest first, at most
// limit, and how many of those wanted are no longer remembered. It does not
// wait for anything to be durable.
func (e *Engine) Events(ctx context.Context, after uint64, limit int) (events []Event, missed uint64, err error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.usable(); err != nil {
		return nil, 0, err
	}
	first := uint64(1)
	if e.events.last > ringSize {
		first = e.events.last - ringSize + 1
	}
	if after+1 < first {
		missed = first - after - 1
		after = first - 1
	}
	for seq := after + 1; seq <= e.events.last && len(events) < limit; seq++ {
		events = append(events, e.events.events[seq%ringSize])
	}
	return events, missed, nil
}
