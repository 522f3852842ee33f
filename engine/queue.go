package engine

import "time"

// Type is the kind of a queue. It is fixed when the queue is created.
type Type uint8

// The types of queue.
const (
	Standard Type = iota
	FIFO
)

func (t Type) String() string {
	if t == FIFO {
		return "FIFO"
	}
	return "standard"
}

// RedrivePolicy says where a message goes that was received too often. The
// zero value means: nowhere.
type RedrivePolicy struct {
	DLQ         string // name of the dead-letter queue
	MaxReceives int    // 1..1000; the receive after that many dead-letters
}

// AllowMode is the kind of a redrive allow policy.
type AllowMode uint8

// Which sources a dead-letter queue admits.
const (
	AllowAll AllowMode = iota
	AllowByQueue
	DenyAll
)

// RedriveAllowPolicy says which queues may name this one in their redrive
// policy.
type RedriveAllowPolicy struct {
	Mode    AllowMode
	Sources []string // names, 1 to 10, with AllowByQueue only
}

// Attributes are what a queue's owner sets. Durations are whole seconds.
type Attributes struct {
	Type               Type
	VisibilityTimeout  time.Duration // 0..12 h
	Delay              time.Duration // 0..7 d
	Retention          time.Duration // 1 min..14 d
	MaximumMessageSize int           // bytes, 1,024..1,048,576
	ReceiveWait        time.Duration // 0..30 s
	Redrive            RedrivePolicy
	RedriveAllow       RedriveAllowPolicy
	Tags               map[string]string
}

// DefaultAttributes are those of SQS.
func DefaultAttributes() Attributes {
	return Attributes{
		VisibilityTimeout:  DefaultVisibility,
		Retention:          DefaultRetention,
		MaximumMessageSize: MaxMessageSize,
	}
}

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
