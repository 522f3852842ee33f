package engine

import "errors"

// What a caller can act on. Each comes wrapped with what was being done.
var (
	ErrQueueNotFound = errors.New("queue not found")
	// ErrQueueExists: a queue of that name exists with other attributes.
	ErrQueueExists = errors.New("queue exists with different attributes")

	// ErrReceiptInvalid: the engine never issued this receipt.
	ErrReceiptInvalid = errors.New("receipt was never issued here")
	// ErrReceiptStale: the message was received again since, or its visibility
	// was changed where that issues a new receipt.
	ErrReceiptStale = errors.New("receipt is stale")
	// ErrReceiptExpired: the visibility timeout of this delivery is over.
	ErrReceiptExpired = errors.New("receipt has expired")

	// ErrMessageGone: deleted, expired, purged, or moved to another queue.
	ErrMessageGone = errors.New("message is gone")
	// ErrInFlight: the act needs a message that may be received now.
	ErrInFlight = errors.New("message is in flight")
	// ErrBlocked: an earlier message of its group is in flight or delayed.
	ErrBlocked = errors.New("an earlier message of the group is not ready")
	// ErrDelayed: the act needs a message whose delay is over.
	ErrDelayed = errors.New("message is delayed")
	// ErrNotInFlight: there is no visibility timeout to change.
	ErrNotInFlight = errors.New("message is not in flight")
	// ErrWouldDeadLetter: this peek would move the message to the dead-letter
	// queue, and the caller did not allow that.
	ErrWouldDeadLetter = errors.New("the receive would move the message to the dead-letter queue")

	// ErrOverLimit: too many redrive tasks are active.
	ErrOverLimit = errors.New("over the limit")
	// ErrTaskNotFound: no redrive task has this number.
	ErrTaskNotFound = errors.New("redrive task not found")
	// ErrTaskRunning: the source has an active redrive task already.
	ErrTaskRunning = errors.New("a redrive task is active for this source")
	// ErrTaskState: the redrive task is not in a state that allows the act.
	ErrTaskState = errors.New("redrive task is not in that state")

	// ErrStoreFull: the disk is nearly full; nothing was changed. Deletes
	// still pass.
	ErrStoreFull = errors.New("store is full")
	// ErrStoreFailed: a write failed; the engine refuses everything until it
	// is opened again.
	ErrStoreFailed = errors.New("store failed")
	// ErrClosed: the engine was closed.
	ErrClosed = errors.New("engine is closed")
)

// InvalidError reports one argument outside its documented range. Nothing was
// changed.
type InvalidError struct {
	Field  string // the SQS name, such as "VisibilityTimeout"
	Reason string // one clause: lower case, no full stop; names the range
}

func (e *InvalidError) Error() string { return e.Field + ": " + e.Reason }
