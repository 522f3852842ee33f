package sqs

import "time"

// MaxRegion is how many characters a region has at most.
const MaxRegion = 32

// What SQS allows. The engine allows as much or more.
const (
	maxName = 80 // characters of a queue's name, ".fifo" included

	maxVisibility     = 43200 // seconds
	maxDelay          = 900   // seconds
	maxWait           = 20    // seconds
	minRetention      = 60    // seconds
	maxRetention      = 1209600
	minMessageSize    = 1024 // bytes: the least MaximumMessageSize
	maxMessageSize    = 1 << 20
	minKeyReuse       = 60 // seconds
	maxKeyReuse       = 86400
	maxReceiveCount   = 1000 // of a redrive policy
	maxAllowedSources = 10   // of a redrive allow policy

	maxBatch      = 10
	maxBatchBytes = 1 << 20 // all entries of a batch, whatever MaximumMessageSize says
	maxEntryID    = 80

	maxReceive  = 10
	maxInFlight = 120_000 // then a short poll gets OverLimit

	maxMessageAttributes = 10
	maxAttributeName     = 256
	maxAttributeType     = 256
	maxDigits            = 38 // of a Number attribute
	minExponent          = -128
	maxExponent          = 126
	maxGroup             = 128 // characters of a message group, deduplication or attempt id

	maxPage     = 1000 // queues of one answer
	maxTags     = 50
	maxTagKey   = 128
	maxTagValue = 256

	maxPolicy     = 8192 // bytes
	maxStatements = 20   // of a policy
	maxActions    = 7    // of a statement
	accountDigits = 12

	maxTasksListed = 10
	maxMoveRate    = 500 // messages a second

	cooldown = 60 * time.Second // between two purges, and from deletion to re-creation
)

// What this server allows one request, so that no client can make it busy for
// long or big.
const (
	// MaxBody is the longest request body: the largest batch, with every byte
	// escaped as three, and a mebibyte for the rest.
	MaxBody       = 3*maxBatchBytes + 1<<20
	maxParameters = 4096 // of a Query request
	maxDepth      = 8    // of a JSON request; the deepest that SQS knows is 5
)
