package engine

import "time"

// SendRequest is one message to send.
type SendRequest struct {
	Body       []byte
	Delay      *time.Duration // whole seconds, 0..7 d; nil: the queue's
	Priority   int            // 1..16; 0: 8
	Attributes []Attribute
	System     []Attribute
	Sender     string

	Group         string // FIFO, or a fair-queue group
	Deduplication string // FIFO
}

// Sent is what a sender learns.
type Sent struct {
	ID       ID
	Ref      Ref
	Sequence uint64 // FIFO
	// Receipt is that of delivery 0, for a message sent with a delay (SMQ): it
	// changes the delay or takes the message back, under any strictness, until
	// the delay is over. Otherwise it is zero.
	Receipt Receipt
	// Duplicate says that the deduplication id was seen within 5 minutes: ID
	// and Sequence are those of the message sent then, and nothing was sent now.
	Duplicate bool
}

// ReceiveRequest asks for messages.
type ReceiveRequest struct {
	Max        int            // 1..500; 0: 1
	Visibility *time.Duration // whole seconds, 0..12 h; nil: the queue's
	Wait       *time.Duration // 0..30 s; nil: the queue's
	Holder     string         // what the receiver calls itself
	// Attempt is a receive attempt id (FIFO): the same one within 5 minutes gets
	// the same messages and receipts again, as long as none of them was
	// deleted or had its visibility changed. Attempts are forgotten at a restart.
	Attempt string
}

// PeekRequest is a receive of one message, by identity, with visibility 0.
type PeekRequest struct {
	Holder string
	// DeadLetter allows the peek to move the message to the dead-letter queue,
	// if that is what a receive would do.
	DeadLetter bool
}

// Peeked is what a peek did.
type Peeked struct {
	Message     *Message // nil when it was dead-lettered
	Receives    int      // in this queue, the peek included
	MaxReceives int      // 0 without a policy
	// DeadLettered names the queue it moved to; empty if it stayed.
	DeadLettered string
}

// PageRequest asks for a window of the messages in one state. Ready messages
// come in the order of their delivery, the others by due time.
type PageRequest struct {
	Queue   string
	State   State // Ready, InFlight or Delayed
	Offset  int
	Limit   int  // at most 500
	Reverse bool // the last first; Offset counts from there
}

// Page is what was asked for.
type Page struct {
	Rows  []Row
	Total int // messages in that state
	At    time.Time
}

// SearchRequest looks for messages whose body matches.
type SearchRequest struct {
	Queue   string
	State   State
	Reverse bool
	Match   func(*Message) bool // sees the whole body
	// MaxScan ends the search after so many messages, MaxHits after so many matches.
	MaxScan, MaxHits int
}

// SearchResult is what a search found.
type SearchResult struct {
	Rows    []Row // with bodies cut as in a page
	Scanned int
	Total   int // messages in that state when it began
	At      time.Time
}
