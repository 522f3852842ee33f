package sqs

import (
	"strings"
	"testing"
	"time"
)

// wantFailed wants one entry of a batch to have failed, by its fault as sender.
func (r *rig) wantFailed(action string, in M, id, code, text string) {
	r.Helper()
	failed, _ := r.must(action, in)["Failed"].(L)
	want := M{"Id": id, "Code": code, "SenderFault": true, "Message": text}
	if len(failed) != 1 {
		r.Fatalf("%s %v: Failed = %v, want %v alone", action, in, failed, want)
	}
	r.same(action+" Failed", failed[0], want)
}

func TestFIFOHandlesExpireInBatches(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q.fifo", "ContentBasedDeduplication", "true", "VisibilityTimeout", "10")
		r.put(q, "lapses", M{"MessageGroupId": "a"})
		r.put(q, "extended", M{"MessageGroupId": "b"})
		m := r.takes(q, 2, "lapses extended")
		r.must("ChangeMessageVisibilityBatch", M{"QueueUrl": q, "Entries": L{M{"Id": "b", "ReceiptHandle": m[1]["ReceiptHandle"], "VisibilityTimeout": 60}}})
		r.pass(10 * time.Second)
		in := M{"QueueUrl": q, "Entries": L{M{"Id": "a", "ReceiptHandle": m[0]["ReceiptHandle"]}, M{"Id": "b", "ReceiptHandle": m[1]["ReceiptHandle"]}}}
		r.wantFailed("DeleteMessageBatch", in, "a", "ReceiptHandleIsInvalid", "The receipt handle has expired")
		r.wantCounts(q, "1 0 0")
		r.takes(q, 2, "lapses")
	})
}

func TestMissingInEntries(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		r.put(q, "x")
		good := M{"ReceiptHandle": r.take(q, 1)[0]["ReceiptHandle"], "VisibilityTimeout": 0}
		for _, action := range []string{"DeleteMessageBatch", "ChangeMessageVisibilityBatch"} {
			in := M{"QueueUrl": q, "Entries": L{with(good, M{"Id": "a"}), M{"Id": "b", "VisibilityTimeout": 1}}}
			r.refused(action, in, 400, "MissingParameter", "The request must contain the parameter "+action+"RequestEntry.2.ReceiptHandle.")
		}
		r.wantCounts(q, "0 1 0") // nothing was done
		in := M{"QueueUrl": q, "Entries": L{with(good, M{"Id": "a"}), M{"Id": "b", "ReceiptHandle": good["ReceiptHandle"]}}}
		r.wantFailed("ChangeMessageVisibilityBatch", in, "b", "MissingParameter",
			"The request must contain the parameter ChangeMessageVisibilityBatchRequestEntry.2.VisibilityTimeout.")
		r.wantCounts(q, "1 0 0")
		for n, name := range map[int]string{-1: "-1", 43201: "43201"} {
			in := M{"QueueUrl": q, "Entries": L{with(good, M{"Id": "a", "VisibilityTimeout": n})}}
			r.wantFailed("ChangeMessageVisibilityBatch", in, "a", "InvalidParameterValue",
				"Value "+name+" for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and 43200.")
		}
	})
}

func TestFIFOGroups(t *testing.T) {
	both(t, func(r *rig) {
		q := r.fifo()
		for _, bad := range []string{strings.Repeat("x", 129), "a b", "ü"} {
			text := "Value " + bad + " for parameter MessageGroupId is invalid. Reason: MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length."
			r.invalid("SendMessage", M{"QueueUrl": q, "MessageBody": "x", "MessageGroupId": bad}, text)
			r.wantFailed("SendMessageBatch", M{"QueueUrl": q, "Entries": L{M{"Id": "a", "MessageBody": "x", "MessageGroupId": bad}}}, "a", "InvalidParameterValue", text)
		}
		r.group(q, strings.Repeat("x", 128), "longest")
		r.group(q, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "punctuation")
		r.wantCounts(q, "2 0 0")
	})
}
