package engine

import (
	"cmp"
	"time"

	"github.com/google/uuid"
)

// ID is a message's name to its clients. It survives a dead-letter move and
// changes with a redrive.
type ID = uuid.UUID

// Ref is a message's identity in the engine: where it lies. A message that
// moves to another queue gets another Ref. It is comparable.
type Ref struct {
	Queue uint32
	Epoch uint32 // grows with each purge
	Lane  uint64
	Pos   uint64
}

// Compare orders messages as they lie: by queue, epoch, lane and position. It
// is -1, 0 or 1.
func (r Ref) Compare(s Ref) int {
	return cmp.Or(cmp.Compare(r.Queue, s.Queue), cmp.Compare(r.Epoch, s.Epoch), cmp.Compare(r.Lane, s.Lane), cmp.Compare(r.Pos, s.Pos))
}

// Attribute is one named value that travels with a message.
type Attribute struct {
	Name  string
	Type  string // "String", "Number" or "Binary", each with an optional ".label"
	Value []byte
}

// Message is what was sent, and where it came from. It is immutable: nobody
// changes one after it was handed to or by the engine.
type Message struct {
	ID      ID
	Sent    time.Time // retention counts from here; a dead-letter move keeps it
	Arrived time.Time // in this queue; differs from Sent after a dead-letter move

	// Origin is the name of the queue that dead-lettered it; otherwise empty.
	Origin string
	// EarlierReceives counts the receives in the queues before this one, and
	// FirstReceived is the first of them, zero if there was none.
	EarlierReceives int
	FirstReceived   time.Time
	// EarlierHistory is the last HistoryLength of those receives, oldest first.
	EarlierHistory []HistoryRecord

	Priority   int // 1 goes first, 16 last
	Attributes []Attribute
	System     []Attribute // set by the sender for the system, such as AWSTraceHeader
	Sender     string      // who sent it, as far as known

	// FIFO queues, and fair-queue groups on standard ones.
	Group         string
	Deduplication string
	Sequence      uint64

	Body []byte
	// Size is the whole body's length; a preview's Body is shorter.
	Size int
}

// State is which pane a message belongs to.
type State int

// The states of a message. Dead is not one: a dead-lettered message is Ready
// in another queue.
const (
	Ready State = iota
	InFlight
	Delayed
	Gone // deleted, expired, purged or moved
)

func (s State) String() string {
	switch s {
	case Ready:
		return "ready"
	case InFlight:
		return "in flight"
	case Delayed:
		return "delayed"
	default:
		return "gone"
	}
}

// Row is one message in a page: where it stands, with the first PreviewBytes
// of its body.
type Row struct {
	Ref   Ref
	State State
	// Due is when the visibility timeout or the delay ends; zero when ready.
	Due time.Time
	// Receives counts in this queue; Message.EarlierReceives those before.
	Receives      int
	FirstReceived time.Time // in this queue; zero if never
	LastReceived  time.Time // in this queue; zero if never
	Holder        string    // who received it last; empty if never
	// DeadLetters says that the next receive moves it to the dead-letter queue.
	DeadLetters bool
	Expires     time.Time // when its retention is over
	// Blocker is the message that a ready one of a FIFO queue waits for, and
	// BlockedUntil when that is ready again if nobody acts; zero if none.
	Blocker      Ref
	BlockedUntil time.Time
	Message      Message
}

// Delivery is one message handed to a receiver.
type Delivery struct {
	Message       *Message
	Ref           Ref
	Receipt       Receipt
	Receives      int       // in this queue, this one included
	FirstReceived time.Time // over all queues
	Due           time.Time // when the visibility timeout ends
}

// ReceivedKind tells what counted as a receive.
type ReceivedKind uint8

// The kinds of receive.
const (
	ByReceive ReceivedKind = iota
	ByPeek
)

// Received is one receive in a message's history.
type Received struct {
	At     time.Time
	Until  time.Time // when its visibility timeout was to end, as last changed
	Holder string
	Kind   ReceivedKind
}

// Detail is everything known about one message.
type Detail struct {
	Row                // with the whole body
	Queue   string     // where it lies
	History []Received // the last HistoryLength receives in this queue, oldest first
	// EarlierHistory is the same of the queues before this one: who received a
	// dead message and did not delete it.
	EarlierHistory []Received
	// LateDeletes are the last deletes that came too late for it, as far as
	// this run of the engine remembers; for a dead-lettered message also those
	// that came when it had moved.
	LateDeletes []LateDelete
	DLQ         string // where it goes after MaxReceives; empty without a policy
	MaxReceives int
}
