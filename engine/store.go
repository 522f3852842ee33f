package engine

import "time"

// Store keeps what the engine must not forget. The engine calls Commit from
// one goroutine at a time, and everything else from any.
//
// A Store knows no rules: it keeps records, applies a group of changes as one,
// and says how much room there is.
type Store interface {
	// Load hands every record but the messages to the loader, in this order:
	// Meta, queues, counters, lanes, states, deduplication ids, holders, tasks; states in
	// ascending order of Ref. A new store has only a Meta with a secret.
	Load(Loader) error

	// Commit makes all changes durable at once, in the given order, or none.
	Commit(changes []*Change) error

	// Read returns the messages at refs, with at most limit bytes of each
	// body (Message.Size is always that of the whole; limit < 0 is all of it).
	// A message that is not there is nil.
	Read(refs []Ref, limit int) ([]*Message, error)

	// History returns the receives of a touched message, oldest first, with
	// Holder numbers. It is empty for an untouched or missing one.
	History(Ref) ([]HistoryRecord, error)

	// Selection returns the chosen messages of a redrive task.
	Selection(task uint64) ([]Ref, error)

	// Sweep removes messages, states and lanes of a queue's old epoch, at most
	// limit keys, starting where the last call for that epoch stopped. It
	// reports whether nothing is left. The engine calls it from one goroutine.
	Sweep(queue, epoch uint32, limit int) (done bool, err error)

	// Space tells how much may still be written.
	Space() (Space, error)

	// Check reads the whole store and reports each broken rule, as one line.
	Check(report func(problem string)) error

	Close() error
}

// Space is how much room the store has.
type Space int

// The levels of room.
const (
	SpaceEnough Space = iota
	SpaceLow          // below the reserve: no sends, no moves
	SpaceOut          // below half of it: only what gives room or leases back
)

// Loader receives what a store holds when it is opened.
type Loader interface {
	Meta(Meta) error
	Queue(QueueRecord) error
	Counters(CounterRecord) error
	Lane(LaneRecord) error
	State(StateRecord) error
	Dedup(DedupRecord) error
	Holder(HolderRecord) error
	Task(TaskRecord) error
}

// Meta is the store's own record.
type Meta struct {
	Secret    [32]byte // keys the receipts
	NextQueue uint32
	NextTask  uint64
	// Clock is the time of a virtual clock, zero when the store follows the
	// real one.
	Clock time.Time
}

// QueueRecord is one queue. A deleted one stays until it is swept.
type QueueRecord struct {
	Number   uint32
	Name     string
	Epoch    uint32
	Old      []uint32 // epochs to sweep
	Deleted  bool
	Created  time.Time
	Modified time.Time
	Attributes
}

// CounterRecord is what grows in a queue.
type CounterRecord struct {
	Queue uint32
	Counters
	LastTurn     uint64
	LastLane     uint64
	LastSequence uint64
}

// DedupRecord is a deduplication id that a FIFO queue remembers.
type DedupRecord struct {
	Queue, Epoch uint32
	Key          [16]byte
	Until        time.Time
	ID           ID     // of the message sent then
	Sequence     uint64 // its sequence number
}

// LaneRecord is one ordered run of messages. Positions below Swept hold no
// message but touched ones; Head is the first never handed out; Tail the next
// to give. Oldest is at most the sent time of the message at Head.
type LaneRecord struct {
	Queue, Epoch      uint32
	Lane              uint64
	Swept, Head, Tail uint64
	Oldest, LastSent  time.Time
	Group             string // FIFO
	Ended             bool   // to be removed (FIFO)
}

// StateRecord is a touched message. Times are cut to milliseconds.
type StateRecord struct {
	Ref           Ref
	Due           time.Time // ready from then on; zero: ready at once
	Sent          time.Time
	FirstReceived time.Time // in this queue
	LastReceived  time.Time // in this queue
	Mark          uint64    // delivered again once the lane's head is here
	Turn          uint64    // lowest first
	Receives      uint32
	Delivery      uint32 // of the newest receipt
	SinceReceive  uint8  // deliveries issued by changes since the last receive
	Size          uint32 // bytes of the body
	Holder        uint32 // number of the last receiver, 0 if none
	Waits         bool   // sent with a delay that nobody has waited out yet
	Removed       bool   // deleted ahead of its turn: holds its position, has no message
	// Append, when it is not nil, joins the message's history, of which the
	// last HistoryLength are kept. Change, when not zero, becomes the Until of the
	// last one. Neither is loaded.
	Append *HistoryRecord
	Change time.Time
}

// HistoryRecord is one receive.
type HistoryRecord struct {
	At, Until time.Time
	Holder    uint32
	Kind      ReceivedKind
}

// HolderRecord is what a receiver calls itself. Numbers start at 1.
type HolderRecord struct {
	Number uint32
	Name   string
}

// TaskRecord is a redrive task.
type TaskRecord struct {
	Task
	SourceNumber uint32
	SourceEpoch  uint32
	// Bounds are the tails of the source's lanes at the start: what lies at or
	// above them came later and stays.
	Bounds []LaneBound
	// BoundSequence is the source's last sequence number at the start (FIFO).
	BoundSequence uint64
	// Next is the first message of the selection not yet looked at.
	Next int
}

// LaneBound is a position in a lane.
type LaneBound struct {
	Lane, Pos uint64
}

// Change is what one operation does to the store. Its parts apply in the order
// of the fields, so a message that moves is copied before it is dropped.
type Change struct {
	Meta     *Meta
	Queues   []QueueRecord
	Forget   []uint32 // queues swept after their deletion: record and counters go
	Holders  []HolderRecord
	Undedups []DedupRecord // by Queue, Epoch and Key; one may be remembered anew
	Dedups   []DedupRecord
	Puts     []Put
	Moves    []Move
	Drops    []Ref // message, state and history go
	States   []StateRecord
	Unstates []Ref // state and history go; there is no message
	Lanes    []LaneRecord
	Counters []CounterRecord
	Tasks    []TaskRecord
	Choose   *Selection
	EndTasks []uint64 // forgotten, with their selections
}

// Put is a new message.
type Put struct {
	Ref     Ref
	Message *Message
}

// Move copies a message's body and attributes to another place. The message at
// From then goes, with its state.
//
// A dead-letter move keeps the id; EarlierReceives is added to what the message
// has, the history at From to its EarlierHistory, and FirstReceived is kept if the
// message has one. A redrive makes a new message: everything is set as given, and
// there are no earlier receives.
type Move struct {
	From, To        Ref
	Redrive         bool
	ID              ID        // Redrive only
	Sent            time.Time // zero keeps the old
	Arrived         time.Time
	Origin          string
	EarlierReceives int
	FirstReceived   time.Time
	Sequence        uint64 // FIFO
	Deduplicate     bool   // FIFO: the id becomes the deduplication id
	Size            int    // bytes of its body, as far as known
}

// Selection is the chosen messages of a redrive task.
type Selection struct {
	Task uint64
	Refs []Ref
}
