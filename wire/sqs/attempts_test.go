package sqs

import (
	"testing"
	"time"
)

// sameHandles says whether two receives brought the same, handles included.
func sameHandles(a, b []M) bool {
	for i := range a {
		if i >= len(b) || a[i]["ReceiptHandle"] != b[i]["ReceiptHandle"] {
			return false
		}
	}
	return len(a) == len(b)
}

func TestAttemptsAreOneReceive(t *testing.T) {
	both(t, func(r *rig) {
		q := r.fifo()
		r.group(q, "g", "x")
		attempt := M{"ReceiveRequestAttemptId": "attempt"}
		first := r.take(q, 1, attempt)
		for range 2 {
			again := r.take(q, 1, attempt)
			if !sameHandles(first, again) {
				r.Fatalf("the same attempt brought %v, want %v again", again, first)
			}
			r.same("receives", again[0]["Attributes"].(M)["ApproximateReceiveCount"], 1)
		}
		r.pass(30 * time.Second)
		r.same("receives after the timeout", r.takes(q, 1, "x")[0]["Attributes"].(M)["ApproximateReceiveCount"], 2)
	})
}

func TestAttemptsAreKeptFiveMinutes(t *testing.T) {
	both(t, func(r *rig) {
		q := r.fifo("VisibilityTimeout", "600")
		r.group(q, "g", "x")
		attempt := M{"ReceiveRequestAttemptId": "attempt"}
		first := r.take(q, 1, attempt)
		r.pass(5*time.Minute - time.Millisecond)
		if again := r.take(q, 1, attempt); !sameHandles(first, again) {
			r.Errorf("within five minutes the attempt brought %v, want %v again", again, first)
		}
		r.pass(time.Millisecond)
		if got := r.take(q, 1, attempt); len(got) != 0 {
			r.Errorf("after five minutes the attempt brought %v, though all is in flight", got)
		}
	})
}

func TestAttemptsEndWithAVisibilityChange(t *testing.T) {
	both(t, func(r *rig) {
		q := r.fifo()
		r.group(q, "g", "a", "b")
		attempt := M{"ReceiveRequestAttemptId": "attempt"}
		first := r.take(q, 2, attempt)
		r.hide(q, first[1], 60)
		if got := r.take(q, 2, attempt); len(got) != 0 {
			r.Errorf("after a longer timeout the attempt brought %v, though all is in flight", got)
		}
		for _, m := range first {
			r.hide(q, m, 0)
		}
		next := M{"ReceiveRequestAttemptId": "next"}
		first = r.take(q, 2, next)
		for _, m := range first {
			r.hide(q, m, 0)
		}
		again := r.take(q, 2, next)
		if bodiesOf(again) != "a b" || again[0]["ReceiptHandle"] == first[0]["ReceiptHandle"] {
			r.Errorf("after they were given back the attempt brought %v, want a and b under new handles", again)
		}
		r.same("receives", again[0]["Attributes"].(M)["ApproximateReceiveCount"], 3)
	})
}
