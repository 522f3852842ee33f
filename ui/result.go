package ui

import (
	"context"
	"errors"

	"inflight/engine"
)

// failures is the one table that turns the engine's errors into words: what
// is so, and what to do about it.
var failures = []struct {
	err  error
	text string
}{
	{engine.ErrStoreFull, "the disk is nearly full; deletes still work"},
	{engine.ErrStoreFailed, "a write to the store failed; quit and start again"},
	{engine.ErrClosed, "the engine is closed"},
	{engine.ErrQueueNotFound, "the queue does not exist any more"},
	{engine.ErrQueueExists, "a queue of that name exists with other settings"},
	{engine.ErrReceiptInvalid, "that receipt was never given out here"},
	{engine.ErrReceiptStale, "the message was received again since: another consumer holds it"},
	{engine.ErrReceiptExpired, "the lease lapsed before: the message is visible again"},
	{engine.ErrMessageGone, "the message is not there any more: deleted, expired or moved"},
	{engine.ErrInFlight, "the message is in flight: release it first"},
	{engine.ErrBlocked, "an earlier message of its group is in flight or delayed: its turn has not come"},
	{engine.ErrDelayed, "the message is delayed: it cannot be received yet"},
	{engine.ErrNotInFlight, "the message is not in flight any more"},
	{engine.ErrWouldDeadLetter, "this receive would move it to the dead-letter queue; press p again to be asked"},
	{engine.ErrOverLimit, "too many redrive jobs are active: cancel one, or wait"},
	{engine.ErrTaskRunning, "a redrive of this queue is active already: b shows it"},
	{engine.ErrTaskNotFound, "the job is forgotten"},
	{engine.ErrTaskState, "the job's state does not allow it any more"},
	{context.DeadlineExceeded, "the engine did not answer in time"},
	{context.Canceled, "cancelled"},
}

// errorText says an error in words that are safe to draw.
func errorText(err error) string {
	var invalid *engine.InvalidError
	if errors.As(err, &invalid) {
		return safeLine(invalid.Field+": "+invalid.Reason, 0)
	}
	for _, f := range failures {
		if errors.Is(err, f.err) {
			return f.text
		}
	}
	return safeLine(err.Error(), 0)
}

// done is a result that went well.
func done(text string) resultMsg { return resultMsg{levelOK, text} }

// failed is a result that says what did not happen, and why.
func failed(notDone string, err error) resultMsg {
	return resultMsg{levelError, notDone + ": " + errorText(err)}
}
