package smq

import "time"

// What SMQ allows; the engine allows as much or more. Documents of before 2019
// name a retention of 15 days, which SMQ does not take any more.
const (
	maxName = 120 // characters of a queue's name

	minVisibility    = 1 // seconds; SQS has 0
	maxVisibility    = 43_200
	maxDelay         = 604_800 // seconds; SQS: 900
	minRetention     = 60      // seconds
	maxRetention     = 604_800 // seconds; SQS: 1,209,600
	minMessageSize   = 1024    // bytes: the least MaximumMessageSize
	maxMessageSize   = 65_536  // bytes, and the default; SQS: 1 MiB
	maxWait          = 30      // seconds; SQS: 20
	maxReceiveCount  = 1000    // of a DlqPolicy
	highestPriority  = 1
	lowestPriority   = 16
	defaultVisible   = 30      // seconds
	defaultRetention = 345_600 // seconds
	defaultPriority  = 8

	maxBatch      = 16
	maxBatchBytes = 65_536 // bodies of a batch together
	maxPage       = 1000   // queues of one answer
	maxProperties = 10     // of one message; the engine has no room for more
	maxProperty   = 256    // characters of a property's name

	maxSkew = 15 * time.Minute // of a client's clock
)

// What this server allows one request, so that no client can make it busy for
// long or big.
const (
	// MaxBody is the longest request body: a batch with every byte escaped as
	// six, and as much again for the rest.
	MaxBody     = 1 << 20
	maxDepth    = 8    // of an XML request; the deepest that SMQ knows is 5
	maxElements = 4096 // of an XML request
	maxPassed   = 5000 // messages that a peek looks at
)
