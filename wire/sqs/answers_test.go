package sqs

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"
)

// Names are compared as text here: decoders take them in any case, and the
// reader of rig_test.go renames them.

// inside is what stands between two texts of an answer.
func (r *rig) inside(a reply, before, after string) string {
	r.Helper()
	_, rest, ok := strings.Cut(a.text, before)
	text, _, found := strings.Cut(rest, after)
	if !ok || !found {
		r.Errorf("answer %s, want %s and %s in it", a.text, before, after)
	}
	return text
}

func TestBatchAnswersAsText(t *testing.T) {
	r := newRig(t, Options{})
	q := r.queue("q")
	r.put(q, "x")
	handle := r.take(q, 1)[0]["ReceiptHandle"]
	tests := []struct {
		action    string
		good, bad M
		code      string
		more      string // after the id of what worked
	}{
		{"ChangeMessageVisibilityBatch", M{"ReceiptHandle": handle, "VisibilityTimeout": 60}, M{"ReceiptHandle": "x", "VisibilityTimeout": 60}, "ReceiptHandleIsInvalid", ""},
		{"DeleteMessageBatch", M{"ReceiptHandle": handle}, M{"ReceiptHandle": "x"}, "ReceiptHandleIsInvalid", ""},
		{"SendMessageBatch", M{"MessageBody": "x"}, M{"MessageBody": "\x01"}, "InvalidMessageContents", "<MessageId>"},
	}
	for _, tt := range tests {
		in := M{"QueueUrl": q, "Entries": L{with(tt.good, M{"Id": "a"}), with(tt.bad, M{"Id": "b"})}}
		r.query = true
		a := r.ask(tt.action, in)
		list := r.inside(a, "<"+tt.action+"Result>", "</"+tt.action+"Result>")
		if start := "<" + tt.action + "ResultEntry><Id>a</Id>" + tt.more; !strings.HasPrefix(list, start) {
			r.Errorf("%s: %s, want %s at its start", tt.action, list, start)
		}
		failed := "</" + tt.action + "ResultEntry><BatchResultErrorEntry><Id>b</Id><Code>" + tt.code + "</Code><Message>"
		if !strings.Contains(list, failed) || !strings.HasSuffix(list, "</Message><SenderFault>true</SenderFault></BatchResultErrorEntry>") {
			r.Errorf("%s: %s, want %s in it", tt.action, list, failed)
		}
		r.query = false
		a = r.ask(tt.action, with(in, M{"Entries": L{with(tt.bad, M{"Id": "b"})}}))
		if want := `{"Failed":[{"Id":"b","Code":"` + tt.code + `","Message":"`; !strings.HasPrefix(a.text, want) {
			r.Errorf("%s: %s, want %s at its start", tt.action, a.text, want)
		}
	}
}

func TestReceivedMessageAsText(t *testing.T) {
	r := newRig(t, Options{})
	r.query = true
	q := r.queue("q")
	r.put(q, "x", M{"MessageAttributes": M{
		"k": M{"DataType": "String", "StringValue": "v"}, "b": M{"DataType": "Binary", "BinaryValue": "AP8="},
	}})
	a := r.ask("ReceiveMessage", M{"QueueUrl": q, "AttributeNames": L{"ApproximateReceiveCount"}, "MessageAttributeNames": L{"All"}})
	message := r.inside(a, "<ReceiveMessageResult><Message><MessageId>", "</Message></ReceiveMessageResult>")
	for _, want := range []string{
		"</MessageId><ReceiptHandle>", "</ReceiptHandle><MD5OfBody>9dd4e461268c8034f5c8564e155c67a6</MD5OfBody><Body>x</Body>",
		"<Attribute><Name>ApproximateReceiveCount</Name><Value>1</Value></Attribute><MD5OfMessageAttributes>",
		"<MessageAttribute><Name>k</Name><Value><StringValue>v</StringValue><DataType>String</DataType></Value></MessageAttribute>",
		"<MessageAttribute><Name>b</Name><Value><BinaryValue>AP8=</BinaryValue><DataType>Binary</DataType></Value></MessageAttribute>",
	} {
		if !strings.Contains(message, want) {
			r.Errorf("message %s, want %s in it", message, want)
		}
	}
}

func TestListsAsText(t *testing.T) {
	r := newRig(t, Options{})
	_, dlq := r.dead("q", "dlq", 1)
	r.must("TagQueue", M{"QueueUrl": dlq, "Tags": M{"a": "b"}})
	r.start(M{"SourceArn": r.arnOf("dlq")})
	r.pass(time.Second)
	url := `"http://queues.test:9324/000000000000/q"`
	tests := []struct{ action, query, name, want string }{
		{"ListDeadLetterSourceQueues", "", "queueUrls", `[` + url + `]`},
		{"GetQueueAttributes", "&AttributeName.1=DelaySeconds", "Attributes", `[{"Name":"DelaySeconds","Value":"0"}]`},
		{"ListQueueTags", "", "Tags", `[{"Key":"a","Value":"b"}]`},
		{"ListMessageMoveTasks", "&SourceArn=" + r.arnOf("dlq"), "Results", `[{"Status":"COMPLETED","SourceArn":"` + r.arnOf("dlq") + `",`},
	}
	for _, tt := range tests {
		a := r.get("http://queues.test:9324/0/dlq?Action="+tt.action+tt.query, "Accept", "application/json")
		want := `{"` + tt.action + `Response":{"` + tt.action + `Result":{"` + tt.name + `":` + tt.want
		if !strings.HasPrefix(a.text, want) || !strings.HasSuffix(a.text, `"ResponseMetadata":{"RequestId":"`+a.header.Get("x-amzn-requestid")+`"}}}`) {
			r.Errorf("%s as JSON = %s, want %s at its start", tt.action, a.text, want)
		}
	}
	a := r.ask("ListDeadLetterSourceQueues", M{"QueueUrl": dlq})
	r.same("sources", a.text, `{"queueUrls":[`+url+`]}`)
	a = r.get("http://queues.test:9324/?Action=ListQueues&QueueNamePrefix=q", "Accept", "application/json")
	r.same("queues", r.inside(a, `{"ListQueuesResponse":{"ListQueuesResult":{`, `},"ResponseMetadata"`), `"queueUrls":[`+url+`]`)
	a = r.get("http://queues.test:9324/0/no?Action=PurgeQueue", "Accept", "application/json")
	if want := `{"Error":{"Code":"AWS.SimpleQueueService.NonExistentQueue","Message":"`; !strings.HasPrefix(a.text, want) {
		r.Errorf("a refusal as JSON = %s, want %s at its start", a.text, want)
	}
}

func TestTaskHandleAsText(t *testing.T) {
	both(t, func(r *rig) {
		r.dead("q", "dlq", 1)
		text, err := base64.StdEncoding.DecodeString(r.start(M{"SourceArn": r.arnOf("dlq")}).(string))
		if id, ok := strings.CutPrefix(string(text), `{"taskId":"`); err != nil || !ok || len(id) < 36 || id[36:] != `","sourceArn":"`+r.arnOf("dlq")+`"}` {
			r.Errorf("task handle = %s, %v; want taskId and sourceArn", text, err)
		}
	})
}
