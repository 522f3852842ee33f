package engine

import "time"

// What the engine allows at most: the wider of SQS and SMQ. A protocol that
// allows less refuses the rest itself.
const (
	MaxNameLength = 120 // SMQ; SQS allows 80

	MaxVisibility     = 12 * time.Hour // SQS and SMQ: 43,200 s
	DefaultVisibility = 30 * time.Second

	MaxDelay = 7 * 24 * time.Hour // SMQ: 604,800 s; SQS allows 900 s

	MinRetention     = time.Minute
	MaxRetention     = 14 * 24 * time.Hour // SQS: 1,209,600 s
	DefaultRetention = 4 * 24 * time.Hour

	MinMessageSize     = 1 << 10 // bytes: the least MaximumMessageSize of a queue
	MaxMessageSize     = 1 << 20 // bytes, and the default
	MaxAttributes      = 10      // of one message
	MaxAttributeLength = 256     // characters of a message attribute's name, and of its type

	MaxWait = 30 * time.Second // SMQ; SQS allows 20 s

	HighestPriority = 1 // SMQ: 1 goes first
	LowestPriority  = 16
	DefaultPriority = 8

	MaxReceivesLimit  = 1000 // SQS: maxReceiveCount is 1..1000
	MaxSourcesByQueue = 10   // SQS: sourceQueueArns of a redrive allow policy

	MaxBatch      = 500      // messages that one operation touches
	MaxBatchBytes = 16 << 20 // bytes of bodies in one operation

	MaxRedriveRate  = 500            // messages a second, SQS
	MaxRedriveTasks = 100            // active at once, SQS
	MaxRedriveTime  = 36 * time.Hour // of one task, SQS
	KeptTasks       = 10             // finished tasks remembered for each source, SQS

	MaxHolderLength = 64 // bytes of a holder name; more is cut

	// PreviewBytes is how much of a body a page carries.
	PreviewBytes = 512
	// HistoryLength is how many receives of a message are remembered.
	HistoryLength = 8
)
