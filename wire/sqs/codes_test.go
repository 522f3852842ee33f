package sqs

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// wantKinds is the __type of every refusal, by its Query code, as section 1.4
// of the sheet and W4 have it.
var wantKinds = map[string]string{
	"AWS.SimpleQueueService.NonExistentQueue":     "com.amazonaws.sqs#QueueDoesNotExist",
	"QueueAlreadyExists":                          "com.amazonaws.sqs#QueueNameExists",
	"AWS.SimpleQueueService.QueueDeletedRecently": "com.amazonaws.sqs#QueueDeletedRecently",
	"AWS.SimpleQueueService.PurgeQueueInProgress": "com.amazonaws.sqs#PurgeQueueInProgress",
	"OverLimit": "com.amazonaws.sqs#OverLimit",
	"AWS.SimpleQueueService.BatchEntryIdsNotDistinct":     "com.amazonaws.sqs#BatchEntryIdsNotDistinct",
	"AWS.SimpleQueueService.BatchRequestTooLong":          "com.amazonaws.sqs#BatchRequestTooLong",
	"AWS.SimpleQueueService.EmptyBatchRequest":            "com.amazonaws.sqs#EmptyBatchRequest",
	"AWS.SimpleQueueService.InvalidBatchEntryId":          "com.amazonaws.sqs#InvalidBatchEntryId",
	"AWS.SimpleQueueService.TooManyEntriesInBatchRequest": "com.amazonaws.sqs#TooManyEntriesInBatchRequest",
	"AWS.SimpleQueueService.UnsupportedOperation":         "com.amazonaws.sqs#UnsupportedOperation",
	"ReceiptHandleIsInvalid":                              "com.amazonaws.sqs#ReceiptHandleIsInvalid",
	"InvalidMessageContents":                              "com.amazonaws.sqs#InvalidMessageContents",
	"InvalidAttributeName":                                "com.amazonaws.sqs#InvalidAttributeName",
	"InvalidAttributeValue":                               "com.amazonaws.sqs#InvalidAttributeValue",
	"InvalidAddress":                                      "com.amazonaws.sqs#InvalidAddress",
	"ResourceNotFoundException":                           "com.amazonaws.sqs#ResourceNotFoundException",
	"InvalidParameterValue":                               "com.amazon.coral.service#InvalidParameterValueException",
	"MissingParameter":                                    "com.amazon.coral.service#MissingRequiredParameterException",
	"ServiceUnavailable":                                  "com.amazon.coral.service#ServiceUnavailable",
}

// wantKind compares what stands beside code and text in a refusal: __type and
// header in JSON, whose fault it is in both protocols.
func (r *rig) wantKind(action string, a reply) {
	r.Helper()
	side := "Sender"
	if a.status >= 500 {
		side = "Receiver"
	}
	if r.query {
		if want := "<Error><Type>" + side + "</Type><Code>" + a.code + "</Code>"; !strings.Contains(a.text, want) {
			r.Errorf("%s: answer %s, want %s in it", action, a.text, want)
		}
		return
	}
	if want := wantKinds[a.code]; want == "" || a.kind != want {
		r.Errorf("%s: __type of %s = %q, want %q", action, a.code, a.kind, want)
	}
	if got, want := a.header.Get("x-amzn-query-error"), a.code+";"+side; got != want {
		r.Errorf("%s: x-amzn-query-error = %q, want %q", action, got, want)
	}
}

func TestCodesAndStatuses(t *testing.T) {
	const simple = "AWS.SimpleQueueService."
	id := func(ids ...string) (all L) {
		for _, one := range ids {
			all = append(all, M{"Id": one, "MessageBody": "x"})
		}
		return all
	}
	tests := []struct {
		code   string
		status int
		action string
		in     M
	}{
		{simple + "NonExistentQueue", 400, "PurgeQueue", M{"QueueUrl": "gone"}},
		{"QueueAlreadyExists", 400, "CreateQueue", M{"QueueName": "q", "Attributes": M{"DelaySeconds": "1"}}},
		{simple + "QueueDeletedRecently", 400, "CreateQueue", M{"QueueName": "gone"}},
		{simple + "PurgeQueueInProgress", 403, "PurgeQueue", M{}},
		{"OverLimit", 403, "AddPermission", M{"Label": "l", "AWSAccountIds": L{"1"}, "Actions": L{"*", "*", "*", "*", "*", "*", "*", "*"}}},
		{simple + "BatchEntryIdsNotDistinct", 400, "SendMessageBatch", M{"Entries": id("a", "a")}},
		{simple + "BatchRequestTooLong", 400, "SendMessageBatch", M{"Entries": L{M{"Id": "a", "MessageBody": strings.Repeat("x", 1048577)}}}},
		{simple + "EmptyBatchRequest", 400, "SendMessageBatch", M{"Entries": L{}}},
		{simple + "InvalidBatchEntryId", 400, "SendMessageBatch", M{"Entries": id("a.b")}},
		{simple + "TooManyEntriesInBatchRequest", 400, "SendMessageBatch", M{"Entries": id(strings.Split("abcdefghijk", "")...)}},
		{simple + "UnsupportedOperation", 400, "SendMessage", M{"MessageBody": "x", "MessageAttributes": M{"k": M{"DataType": "String", "StringListValues": L{"v"}}}}},
		{"ReceiptHandleIsInvalid", 400, "DeleteMessage", M{"ReceiptHandle": "garbage"}},
		{"InvalidMessageContents", 400, "SendMessage", M{"MessageBody": "\x01"}},
		{"InvalidAttributeName", 400, "GetQueueAttributes", M{"AttributeNames": L{"Nonsense"}}},
		{"InvalidAttributeValue", 400, "SetQueueAttributes", M{"Attributes": M{"DelaySeconds": "x"}}},
		{"ResourceNotFoundException", 404, "ListMessageMoveTasks", M{"SourceArn": "arn:aws:sqs:us-east-1:000000000000:gone"}},
		{"InvalidParameterValue", 400, "ReceiveMessage", M{"MaxNumberOfMessages": 11}},
		{"MissingParameter", 400, "SendMessage", M{}},
	}
	for _, query := range []bool{false, true} {
		r := newRig(t, Options{Cooldown: true})
		r.query = query
		r.must("PurgeQueue", M{"QueueUrl": r.queue("q")})
		r.must("DeleteQueue", M{"QueueUrl": r.queue("gone")})
		asked := map[string]bool{"InvalidAddress": true, "ServiceUnavailable": true} // in other tests
		for _, tt := range tests {
			asked[tt.code] = true
			r.refused(tt.action, with(M{"QueueUrl": "q"}, tt.in), tt.status, tt.code, "")
		}
		for _, code := range slices.Sorted(maps.Keys(wantKinds)) {
			if !asked[code] {
				t.Errorf("nothing here is refused with %s", code)
			}
		}
	}
}

// When the server is at fault, the refusal says so in either protocol.
func TestReceiverFaults(t *testing.T) {
	both(t, func(r *rig) {
		r.queue("q")
		if err := r.engine.Close(); err != nil {
			t.Fatal(err)
		}
		r.refused("SendMessage", M{"QueueUrl": "q", "MessageBody": "x"}, 503, "ServiceUnavailable", "The queue engine is stopping.")
	})
}
