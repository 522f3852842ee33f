package engine

import "time"

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
}
