package sqs

import (
	"fmt"
	"strings"
	"testing"
)

// entries makes n entries of a batch, with Id and what make gives them.
func entries(n int, make func(i int) M) L {
	var all L
	for i := range n {
		all = append(all, with(M{"Id": fmt.Sprintf("id_%d", i)}, make(i)))
	}
	return all
}

func body(text string) func(int) M { return func(int) M { return M{"MessageBody": text} } }

// batches are the three actions with what makes an entry of each good enough.
var batches = map[string]M{
	"SendMessageBatch":             {"MessageBody": "x"},
	"DeleteMessageBatch":           {"ReceiptHandle": "x"},
	"ChangeMessageVisibilityBatch": {"ReceiptHandle": "x", "VisibilityTimeout": 1},
}

func TestBatchesAsAWhole(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		for action, entry := range batches {
			good := func(int) M { return entry }
			r.refused(action, M{"QueueUrl": q, "Entries": L{}}, 400, "AWS.SimpleQueueService.EmptyBatchRequest",
				"There should be at least one "+action+"RequestEntry in the request.")
			r.refused(action, M{"QueueUrl": q, "Entries": entries(20, good)}, 400, "AWS.SimpleQueueService.TooManyEntriesInBatchRequest",
				"Maximum number of entries per request are 10. You have sent 20.")
			for _, id := range []string{"", strings.Repeat("x", 81), "a.b", "ü"} {
				r.refused(action, M{"QueueUrl": q, "Entries": L{with(entry, M{"Id": id})}}, 400, "AWS.SimpleQueueService.InvalidBatchEntryId",
					"A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.")
			}
			r.refused(action, M{"QueueUrl": q, "Entries": L{with(entry, M{"Id": "a"}), entry}}, 400, "MissingParameter",
				"The request must contain the parameter "+action+"RequestEntry.2.Id.")
			twice := L{with(entry, M{"Id": "id_1"}), with(entry, M{"Id": "id_2"}), with(entry, M{"Id": "id_2"}), with(entry, M{"Id": "id_1"})}
			r.refused(action, M{"QueueUrl": q, "Entries": twice}, 400, "AWS.SimpleQueueService.BatchEntryIdsNotDistinct", "Id id_2 repeated.")
			r.must(action, M{"QueueUrl": q, "Entries": L{with(entry, M{"Id": strings.Repeat("-", 80)})}})
		}
	})
}

func TestBatchSizes(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q", "MaximumMessageSize", "1024")
		const tooLong = "Batch requests cannot be longer than 1048576 bytes. You have sent 1048577 bytes."
		r.refused("SendMessageBatch", M{"QueueUrl": q, "Entries": entries(1, body(strings.Repeat("x", 1048577)))}, 400,
			"AWS.SimpleQueueService.BatchRequestTooLong", tooLong)
		two := L{M{"Id": "a", "MessageBody": strings.Repeat("x", 1048576)}, M{"Id": "b", "MessageBody": "y"}}
		r.refused("SendMessageBatch", M{"QueueUrl": q, "Entries": two}, 400, "AWS.SimpleQueueService.BatchRequestTooLong", tooLong)
		longest := L{M{"Id": "a", "MessageBody": strings.Repeat("x", 1048575)}, M{"Id": "b", "MessageBody": "y"}}
		if got := r.must("SendMessageBatch", M{"QueueUrl": r.queue("big"), "Entries": longest}); got["Failed"] != nil {
			r.Errorf("the longest batch: %v", got["Failed"])
		}
		got := r.must("SendMessageBatch", M{"QueueUrl": q, "Entries": L{
			M{"Id": "small", "MessageBody": strings.Repeat("x", 1024)}, M{"Id": "big", "MessageBody": strings.Repeat("x", 1025)},
		}})
		r.same("Successful", len(got["Successful"].(L)), 1)
		failed := got["Failed"].(L)[0].(M)
		r.same("Id", failed["Id"], "big")
		r.same("Code", failed["Code"], "InvalidParameterValue")
		r.same("SenderFault", failed["SenderFault"], true)
		r.same("Message", failed["Message"], "One or more parameters cannot be validated. Reason: Message must be shorter than 1024 bytes.")
	})
}

func TestBatchesOfSends(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		got := r.must("SendMessageBatch", M{"QueueUrl": q, "Entries": entries(10, func(i int) M { return M{"MessageBody": fmt.Sprint(i)} })})
		if _, ok := got["Failed"]; ok {
			r.Errorf("answer has Failed: %v", got)
		}
		first := got["Successful"].(L)[0].(M)
		r.same("Id", first["Id"], "id_0")
		r.same("MD5OfMessageBody", first["MD5OfMessageBody"], "cfcd208495d565ef66e7dff9f98764da")
		r.takes(q, 10, "0 1 2 3 4 5 6 7 8 9")
		got = r.must("SendMessageBatch", M{"QueueUrl": q, "Entries": L{M{"Id": "a", "MessageBody": "\x01"}, M{"Id": "b", "MessageBody": "good"}}})
		r.same("code of bad contents", got["Failed"].(L)[0].(M)["Code"], "InvalidMessageContents")
		got = r.must("SendMessageBatch", M{"QueueUrl": q, "Entries": L{M{"Id": "a", "MessageBody": "x", "MessageDeduplicationId": "d"}}})
		r.same("a parameter for FIFO queues", got["Failed"].(L)[0], M{
			"Id": "a", "Code": "InvalidParameterValue", "Message": "The request include parameter that is not valid for this queue type", "SenderFault": true,
		})
		got = r.must("SendMessageBatch", M{"QueueUrl": q, "Entries": entries(2, body("\x01"))})
		if _, ok := got["Successful"]; ok || len(got["Failed"].(L)) != 2 {
			r.Errorf("answer = %v, want two failed entries alone", got)
		}
	})
}

func TestBatchesWithoutBodies(t *testing.T) {
	both(t, func(r *rig) {
		for _, q := range []string{r.queue("q"), r.queue("q.fifo", "ContentBasedDeduplication", "true")} {
			got := r.must("SendMessageBatch", M{"QueueUrl": q, "Entries": L{
				M{"Id": "a", "MessageBody": "x", "MessageGroupId": "g"}, M{"Id": "b", "MessageGroupId": "g"},
				M{"Id": "c", "MessageBody": "", "MessageGroupId": "g"},
			}})
			r.same("Successful", len(got["Successful"].(L)), 1)
			r.same("Failed", len(got["Failed"].(L)), 2)
			failed := got["Failed"].(L)[0].(M)
			r.same("Id", failed["Id"], "b")
			r.same("Code", failed["Code"], "MissingParameter")
			r.same("SenderFault", failed["SenderFault"], true)
			r.same("Message", failed["Message"], "The request must contain the parameter SendMessageBatchRequestEntry.2.MessageBody.")
			r.takes(q, 10, "x")
		}
	})
}

func TestFIFOBatches(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q.fifo")
		full := func(i int) M {
			return M{"MessageBody": fmt.Sprint(i), "MessageGroupId": "g", "MessageDeduplicationId": fmt.Sprint(i)}
		}
		lacking := func(name string) L {
			all := entries(2, full)
			delete(all[1].(M), name)
			return all
		}
		r.invalid("SendMessageBatch", M{"QueueUrl": q, "Entries": lacking("MessageGroupId")}, "The request must contain the parameter MessageGroupId.")
		empty := entries(2, full)
		empty[1].(M)["MessageGroupId"] = ""
		r.invalid("SendMessageBatch", M{"QueueUrl": q, "Entries": empty}, "The request must contain the parameter MessageGroupId.")
		r.invalid("SendMessageBatch", M{"QueueUrl": q, "Entries": lacking("MessageDeduplicationId")},
			"The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly")
		r.wantCounts(q, "0 0 0")
		for _, bad := range []string{"", "a b"} { // fails its entry alone
			all := entries(2, full)
			all[0].(M)["MessageDeduplicationId"] = bad
			got := r.must("SendMessageBatch", M{"QueueUrl": q, "Entries": all})
			failed := got["Failed"].(L)[0].(M)
			r.same("Failed", fmt.Sprint(failed["Id"], " ", failed["Code"]), "id_0 InvalidParameterValue")
			r.same("Message", strings.HasPrefix(failed["Message"].(string), "Value "+bad+" for parameter MessageDeduplicationId is invalid."), true)
			r.same("Successful", len(got["Successful"].(L)), 1)
		}
		r.must("PurgeQueue", M{"QueueUrl": q})
		r.must("SendMessageBatch", M{"QueueUrl": q, "Entries": entries(10, full)})
		r.takes(q, 10, "0 1 2 3 4 5 6 7 8 9")
	})
}

func TestBatchesOfDeletes(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		for range 2 {
			r.put(q, "x")
		}
		m := r.take(q, 2)
		got := r.must("DeleteMessageBatch", M{"QueueUrl": q, "Entries": L{
			M{"Id": "a", "ReceiptHandle": m[0]["ReceiptHandle"]},
			M{"Id": "b", "ReceiptHandle": "garbage"},
			M{"Id": "c", "ReceiptHandle": m[1]["ReceiptHandle"]},
		}})
		r.same("Successful", got["Successful"], L{M{"Id": "a"}, M{"Id": "c"}})
		failed := got["Failed"].(L)[0].(M)
		r.same("Id", failed["Id"], "b")
		r.same("Code", failed["Code"], "ReceiptHandleIsInvalid")
		r.same("SenderFault", failed["SenderFault"], true)
		r.same("Message", failed["Message"], `The input receipt handle "garbage" is not a valid receipt handle.`)
		r.wantCounts(q, "0 0 0")
	})
}

func TestBatchesOfVisibility(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		r.put(q, "x")
		m := r.take(q, 1)
		got := r.must("ChangeMessageVisibilityBatch", M{"QueueUrl": q, "Entries": L{
			M{"Id": "a", "ReceiptHandle": m[0]["ReceiptHandle"], "VisibilityTimeout": 0},
			M{"Id": "b", "ReceiptHandle": m[0]["ReceiptHandle"], "VisibilityTimeout": 43201},
			M{"Id": "c", "ReceiptHandle": "garbage", "VisibilityTimeout": 1},
		}})
		r.same("Successful", got["Successful"], L{M{"Id": "a"}})
		r.same("code", got["Failed"].(L)[0].(M)["Code"], "InvalidParameterValue")
		r.same("code", got["Failed"].(L)[1].(M)["Code"], "ReceiptHandleIsInvalid")
		r.wantCounts(q, "1 0 0")
	})
}
