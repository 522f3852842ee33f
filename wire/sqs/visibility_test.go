package sqs

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestDeleteByOldHandle(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		r.put(q, "x")
		m := r.take(q, 1)[0]
		r.pass(31 * time.Second)
		r.wantCounts(q, "1 0 0")
		r.drop(q, m) // visible again, yet the handle is good
		r.wantCounts(q, "0 0 0")
		r.drop(q, m) // and so it is after the delete

		r.put(q, "y")
		first := r.take(q, 1, M{"VisibilityTimeout": 0})[0]
		r.take(q, 1)
		r.hide(q, first, 0)
		r.takes(q, 1, "y")
		r.drop(q, first)
		r.wantCounts(q, "0 0 0")
	})
}

func TestGarbageHandles(t *testing.T) {
	both(t, func(r *rig) {
		q, other := r.queue("q"), r.queue("other")
		r.put(other, "x")
		foreign := r.take(other, 1)[0]["ReceiptHandle"].(string)
		last := "A"
		if strings.HasSuffix(foreign, last) { // as one handle in 64 does
			last = "B"
		}
		forged := foreign[:len(foreign)-1] + last
		for _, handle := range []string{"garbage", foreign} {
			text := fmt.Sprintf("The input receipt handle %q is not a valid receipt handle.", handle)
			r.refused("DeleteMessage", M{"QueueUrl": q, "ReceiptHandle": handle}, 400, "ReceiptHandleIsInvalid", text)
			r.refused("ChangeMessageVisibility", M{"QueueUrl": q, "ReceiptHandle": handle, "VisibilityTimeout": 1}, 400, "ReceiptHandleIsInvalid", text)
		}
		r.refused("DeleteMessage", M{"QueueUrl": other, "ReceiptHandle": forged}, 400, "ReceiptHandleIsInvalid", "")
	})
}

func TestFIFOHandlesExpire(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q.fifo", "ContentBasedDeduplication", "true", "VisibilityTimeout", "10")
		r.put(q, "x", M{"MessageGroupId": "g"})
		m := r.take(q, 1)[0]
		r.pass(10 * time.Second)
		r.invalid("DeleteMessage", M{"QueueUrl": q, "ReceiptHandle": m["ReceiptHandle"]},
			fmt.Sprintf("Value %s for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.", m["ReceiptHandle"]))
		got := r.must("DeleteMessageBatch", M{"QueueUrl": q, "Entries": L{M{"Id": "a", "ReceiptHandle": m["ReceiptHandle"]}}})
		r.same("Failed", got["Failed"].(L)[0], M{"Id": "a", "Code": "ReceiptHandleIsInvalid", "Message": "The receipt handle has expired", "SenderFault": true})
		m = r.take(q, 1)[0]
		r.pass(9 * time.Second)
		r.hide(q, m, 10)
		r.pass(9 * time.Second)
		r.drop(q, m)
		r.wantCounts(q, "0 0 0")
	})
}

func TestChangeVisibility(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		r.put(q, "x")
		m := r.take(q, 1)[0]
		handle := m["ReceiptHandle"]
		for n, name := range map[int]string{-1: "-1", 43201: "43201"} {
			r.invalid("ChangeMessageVisibility", M{"QueueUrl": q, "ReceiptHandle": handle, "VisibilityTimeout": n},
				"Value "+name+" for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and 43200.")
		}
		r.pass(20 * time.Second)
		r.hide(q, m, 20) // counts from now
		r.pass(19 * time.Second)
		r.takes(q, 1, "")
		r.pass(time.Second)
		r.hide(q, m, 5) // visible again: it is hidden again
		r.takes(q, 1, "")
		r.wantCounts(q, "0 1 0")
		r.hide(q, m, 0)
		m = r.takes(q, 1, "x")[0]
		r.drop(q, m)
		r.invalid("ChangeMessageVisibility", M{"QueueUrl": q, "ReceiptHandle": m["ReceiptHandle"], "VisibilityTimeout": 1},
			fmt.Sprintf("Value %s for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.", m["ReceiptHandle"]))
		r.refused("ChangeMessageVisibility", M{"QueueUrl": q, "ReceiptHandle": m["ReceiptHandle"]}, 400, "MissingParameter",
			"The request must contain the parameter VisibilityTimeout.")
	})
}

func TestTwelveHoursInAll(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		r.put(q, "x")
		m := r.take(q, 1)[0] // and no time passes
		r.invalid("ChangeMessageVisibility", M{"QueueUrl": q, "ReceiptHandle": m["ReceiptHandle"], "VisibilityTimeout": 43200},
			"Value 43200 for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds].")
		r.hide(q, m, 43199)
	})
}

func TestDelayedIsNotInFlight(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		r.put(q, "x", M{"DelaySeconds": 10})
		r.takes(q, 1, "")
		r.wantCounts(q, "0 0 1")
	})
}

func TestRetention(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q", "MessageRetentionPeriod", "60")
		r.put(q, "in flight")
		m := r.take(q, 1, M{"VisibilityTimeout": 300})[0]
		r.put(q, "visible")
		r.put(q, "delayed", M{"DelaySeconds": 300})
		r.wantCounts(q, "1 1 1")
		r.pass(time.Minute)
		r.wantCounts(q, "0 0 0")
		r.drop(q, m)
	})
}
