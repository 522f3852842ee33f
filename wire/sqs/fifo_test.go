package sqs

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func (r *rig) fifo(attributes ...string) string {
	r.Helper()
	return r.queue("q.fifo", append(attributes, "ContentBasedDeduplication", "true")...)
}

// group sends bodies to a group.
func (r *rig) group(queue, group string, bodies ...string) {
	r.Helper()
	for _, body := range bodies {
		r.put(queue, body, M{"MessageGroupId": group})
	}
}

func TestFIFOSends(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q.fifo")
		good := M{"QueueUrl": q, "MessageBody": "x", "MessageGroupId": "g", "MessageDeduplicationId": "d"}
		without := func(name string) M { m := with(good); delete(m, name); return m }
		r.refused("SendMessage", without("MessageGroupId"), 400, "MissingParameter", "The request must contain the parameter MessageGroupId.")
		r.refused("SendMessage", with(good, M{"MessageGroupId": ""}), 400, "MissingParameter", "The request must contain the parameter MessageGroupId.")
		r.invalid("SendMessage", without("MessageDeduplicationId"),
			"The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly")
		for _, bad := range []string{"", strings.Repeat("x", 129), "a b"} {
			r.invalid("SendMessage", with(good, M{"MessageDeduplicationId": bad}),
				"Value "+bad+" for parameter MessageDeduplicationId is invalid. Reason: MessageDeduplicationId can only include alphanumeric and punctuation characters. 1 to 128 in length.")
		}
		r.must("SendMessage", with(good, M{"MessageGroupId": strings.Repeat("~", 128)}))
	})
}

func TestSequenceNumbers(t *testing.T) {
	both(t, func(r *rig) {
		q := r.fifo()
		last := ""
		for i := range 10 {
			n, _ := r.put(q, fmt.Sprint(i), M{"MessageGroupId": fmt.Sprint(i % 2)})["SequenceNumber"].(string)
			if len(n) != 20 || n <= last {
				r.Errorf("sequence number %q after %q", n, last)
			}
			last = n
		}
	})
}

func TestDeduplicationScope(t *testing.T) {
	both(t, func(r *rig) {
		q := r.fifo()
		r.group(q, "a", "x")
		r.group(q, "b", "x")
		r.wantCounts(q, "1 0 0")
		q = r.queue("scope.fifo", "ContentBasedDeduplication", "true", "DeduplicationScope", "messageGroup")
		r.group(q, "a", "x", "x")
		r.group(q, "b", "x", "x")
		r.wantCounts(q, "2 0 0")
	})
}

func TestGroupsBlock(t *testing.T) {
	both(t, func(r *rig) {
		q := r.fifo()
		r.group(q, "a", "a1", "a2")
		r.group(q, "b", "b1")
		head := r.takes(q, 1, "a1")[0]
		r.group(q, "a", "a3") // does not free the group
		r.takes(q, 10, "b1")
		r.takes(q, 10, "")
		r.wantCounts(q, "2 2 0") // what waits behind the head is visible
		r.drop(q, head)
		r.takes(q, 10, "a2 a3")
	})
}

func TestBatchFromOneGroupFirst(t *testing.T) {
	both(t, func(r *rig) {
		q := r.fifo()
		r.group(q, "a", "a1")
		r.group(q, "b", "b1")
		r.group(q, "a", "a2", "a3")
		r.group(q, "b", "b2")
		r.takes(q, 4, "a1 a2 a3 b1")
	})
}

func TestGroupsRotate(t *testing.T) {
	both(t, func(r *rig) {
		q := r.fifo()
		r.group(q, "a", "a1", "a2")
		r.group(q, "b", "b1", "b2")
		first := r.takes(q, 1, "a1")[0]
		r.hide(q, first, 0)
		r.takes(q, 1, "b1") // b waited longer
		again := r.takes(q, 1, "a1")[0]
		r.drop(q, again)
		r.takes(q, 1, "a2")
	})
}

func TestRecordedFIFOCases(t *testing.T) {
	both(t, func(r *rig) {
		q := r.fifo("VisibilityTimeout", "10")
		r.group(q, "a", "m1", "m2")
		m := r.takes(q, 10, "m1 m2")
		r.drop(q, m[0])
		r.takes(q, 10, "") // m2 is the head now, and in flight
		r.drop(q, m[1])

		r.group(q, "b", "m3", "m4")
		m = r.takes(q, 10, "m3 m4")
		r.group(q, "c", "waits")
		r.hide(q, m[0], 0)
		r.drop(q, r.takes(q, 1, "waits")[0])
		m3 := r.takes(q, 10, "m3") // m4 does not come
		r.drop(q, m3[0])
		r.drop(q, m[1])

		r.group(q, "d", "m5", "m6", "m7", "m8")
		m = r.takes(q, 3, "m5 m6 m7")
		r.hide(q, m[1], 60)
		r.pass(10 * time.Second)
		r.takes(q, 10, "m5") // and none from the extended one on
	})
}

func TestFIFOQueueDelay(t *testing.T) {
	both(t, func(r *rig) {
		q := r.fifo("DelaySeconds", "10")
		r.group(q, "g", "first")
		r.pass(5 * time.Second)
		r.group(q, "g", "second")
		r.pass(5 * time.Second)
		first := r.takes(q, 10, "first")
		r.drop(q, first[0])
		r.takes(q, 10, "")
		r.pass(5 * time.Second)
		r.takes(q, 10, "second")
	})
}
