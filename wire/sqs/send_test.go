package sqs

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
	"time"

	"inflight/engine"
)

func TestSendAnswers(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		got := r.put(q, "hello")
		r.same("MD5OfMessageBody", got["MD5OfMessageBody"], "5d41402abc4b2a76b9719d911017c592")
		if id, _ := got["MessageId"].(string); len(id) != 36 {
			r.Errorf("MessageId = %q, want a UUID", id)
		}
		if len(got) != 2 {
			r.Errorf("answer = %v, want two members", got)
		}
		got = r.put(q, "hello", M{
			"MessageAttributes":       M{"k": M{"DataType": "String", "StringValue": "x"}},
			"MessageSystemAttributes": M{"AWSTraceHeader": M{"DataType": "String", "StringValue": traceExample}},
		})
		r.same("MD5OfMessageAttributes", got["MD5OfMessageAttributes"], "a45daa70926828a2f0a1db3418e6feb4")
		r.same("MD5OfMessageSystemAttributes", got["MD5OfMessageSystemAttributes"], "5ae4d5d7636402d80f4eb6d213245a88")
	})
}

const traceExample = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1"

func TestAttributesDigest(t *testing.T) {
	tests := []struct{ name, kind, value, want string }{
		{"timestamp", "Number", "1493147359900", "235c5c510d26fb653d073faed50ae77c"},
		{"SOME_Valid.attribute-Name", "Number", "1493147359900", "36655e7e9d7c0e8479fa3f3f42247ae7"},
		{"timestamp", "Number.java.lang.Long", "1493147359900", "2e2e4876d8e0bd6b8c2c8f556831c349"},
		{"k", "String", "x", "a45daa70926828a2f0a1db3418e6feb4"},
		{"AWSTraceHeader", "String", traceExample, "5ae4d5d7636402d80f4eb6d213245a88"},
	}
	for _, tt := range tests {
		t.Run(tt.name+" as "+tt.kind, func(t *testing.T) {
			if got := attributesDigest([]engine.Attribute{{Name: tt.name, Type: tt.kind, Value: []byte(tt.value)}}); got != tt.want {
				t.Errorf("attributesDigest(%s %s %q) = %s, want %s", tt.name, tt.kind, tt.value, got, tt.want)
			}
		})
	}
	a, b := engine.Attribute{Name: "a", Type: "Binary", Value: []byte{0, 1}}, engine.Attribute{Name: "b", Type: "String", Value: []byte("x")}
	if attributesDigest([]engine.Attribute{a, b}) != attributesDigest([]engine.Attribute{b, a}) {
		t.Error("the digest depends on the order in which attributes were sent")
	}
}

func TestBodies(t *testing.T) {
	const found, allowed = "Invalid binary character '#x", "' was found in the message body, the set of allowed characters is #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]."
	both(t, func(r *rig) {
		q := r.queue("q", "MaximumMessageSize", "1024")
		r.refused("SendMessage", M{"QueueUrl": q, "MessageBody": ""}, 400, "MissingParameter", "The request must contain the parameter MessageBody.")
		r.refused("SendMessage", M{"QueueUrl": q}, 400, "MissingParameter", "The request must contain the parameter MessageBody.")
		for _, good := range []string{"\t\n\r ~", "\uE000\uFFFD", "𐀀😀\U0010FFFF", `<a>"&'</a>`, " x\r\n\r", "\uD7FFé"} {
			r.put(q, good)
			r.takes(q, 1, good)
		}
		for bad, character := range map[string]string{"\x00": "0", "\x07": "7", "a\x0bb": "B", "\x1f": "1F", "é\uFFFE": "FFFE", "x\uFFFF": "FFFF"} {
			r.refused("SendMessage", M{"QueueUrl": q, "MessageBody": bad}, 400, "InvalidMessageContents", found+character+allowed)
		}
		// 1,024 bytes, name, type and value of attributes included
		attributes := M{"name": M{"DataType": "Number.x", "StringValue": "12"}, "b": M{"DataType": "Binary", "BinaryValue": "AAEC"}}
		r.put(q, strings.Repeat("x", 1024-14-10), M{"MessageAttributes": attributes})
		const tooBig = "One or more parameters are invalid. Reason: Message must be shorter than 1024 bytes."
		r.invalid("SendMessage", M{"QueueUrl": q, "MessageBody": strings.Repeat("x", 1024-14-9), "MessageAttributes": attributes}, tooBig)
		r.put(q, strings.Repeat("é", 512))
		r.invalid("SendMessage", M{"QueueUrl": q, "MessageBody": strings.Repeat("é", 512) + "x"}, tooBig)
		r.put(q, strings.Repeat("x", 1024), M{"MessageSystemAttributes": M{"AWSTraceHeader": M{"DataType": "String", "StringValue": traceExample}}})
	})
}

func TestDelays(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q", "DelaySeconds", "5")
		r.put(q, "own", M{"DelaySeconds": 2})
		r.put(q, "none", M{"DelaySeconds": 0})
		r.put(q, "queue's")
		r.wantCounts(q, "1 0 2")
		r.takes(q, 10, "none")
		r.pass(2 * time.Second)
		r.takes(q, 10, "own")
		r.pass(3 * time.Second)
		r.takes(q, 10, "queue's")
		r.put(q, "longest", M{"DelaySeconds": 900})
		for _, bad := range []int{-1, 901} {
			r.invalid("SendMessage", M{"QueueUrl": q, "MessageBody": "x", "DelaySeconds": bad},
				"Value "+map[int]string{-1: "-1", 901: "901"}[bad]+" for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.")
		}
	})
}

func TestMessageAttributes(t *testing.T) {
	text := func(v string) M { return M{"DataType": "String", "StringValue": v} }
	digits := func(v string) M { return M{"DataType": "Number", "StringValue": v} }
	tests := []struct {
		name  string
		key   string
		value M
		code  string // empty: it is accepted
		text  string
	}{
		{"text", "k", text("v"), "", ""},
		{"a label", "k", M{"DataType": "String.any.label", "StringValue": "v"}, "", ""},
		{"an umlaut in the name", "schlüssel", text("v"), "", ""},
		{"an integer", "k", digits("12"), "", ""},
		{"a fraction with exponent", "k", digits("-1.5e10"), "", ""},
		{"38 digits", "k", digits(strings.Repeat("9", 38)), "", ""},
		{"binary", "k", M{"DataType": "Binary", "BinaryValue": "AAEC"}, "", ""},
		{"39 digits", "k", digits(strings.Repeat("9", 39)), "InvalidParameterValue", "Can't cast the value of message (user) attribute 'k' to a number."},
		{"the largest number", "k", digits("9.99e126"), "", ""},
		{"the smallest number", "k", digits("0.1E-127"), "", ""},
		{"nought", "k", digits("-0.000"), "", ""},
		{"too small a number", "k", digits("9e-129"), "InvalidParameterValue", "Can't cast the value of message (user) attribute 'k' to a number."},
		{"too large a number", "k", digits("1e127"), "InvalidParameterValue", "Can't cast the value of message (user) attribute 'k' to a number."},
		{"a sign", "k", digits("+5"), "", ""},
		{"two signs", "k", digits("--5"), "InvalidParameterValue", "Can't cast the value of message (user) attribute 'k' to a number."},
		{"no number", "k", digits("twelve"), "InvalidParameterValue", "Can't cast the value of message (user) attribute 'k' to a number."},
		{"empty text", "k", text(""), "InvalidParameterValue", "Message (user) attribute 'k' must contain a non-empty value of type 'String'."},
		{"unknown type", "k", M{"DataType": "Text", "StringValue": "v"}, "InvalidParameterValue", "The type of message (user) attribute 'k' is invalid. You must use only the following supported type prefixes: Binary, Number, String."},
		{"no type", "k", M{"StringValue": "v"}, "InvalidParameterValue", "The message (user) attribute 'k' must contain a non-empty message attribute type."},
		{"two values", "k", M{"DataType": "String", "StringValue": "v", "BinaryValue": "AAEC"}, "InvalidParameterValue", "Message (user) attribute 'k' must have a single value."},
		{"two values of a binary", "k", M{"DataType": "Binary", "StringValue": "v", "BinaryValue": "AAEC"}, "InvalidParameterValue", "Message (user) attribute 'k' must have a single value."},
		{"no name", "", text("v"), "InvalidParameterValue", "The request must contain non-empty message attribute name."},
		{"reserved", "aws.k", text("v"), "InvalidParameterValue", "You can't use message attribute names beginning with 'AWS.' or 'Amazon'. These strings are reserved for internal use."},
		{"reserved too", "Amazon.k", text("v"), "InvalidParameterValue", ""},
		{"first dot", ".k", text("v"), "InvalidParameterValue", "Message (user) attribute name must not begin with character '.'."},
		{"last dot", "k.", text("v"), "InvalidParameterValue", "Message (user) attribute name must not end with character '.'."},
		{"two dots", "a..b", text("v"), "InvalidParameterValue", "Message (user) attribute name must not have successive '.' characters."},
		{"a space", "a b", text("v"), "InvalidParameterValue", ""},
		{"256 characters", strings.Repeat("k", 256), text("v"), "", ""},
		{"257 characters", strings.Repeat("k", 257), text("v"), "InvalidParameterValue", ""},
		{"a control character", "k", text("\x01"), "InvalidParameterValue", ""},
	}
	both(t, func(r *rig) {
		q := r.queue("q")
		for _, tt := range tests {
			in := M{"QueueUrl": q, "MessageBody": "x", "MessageAttributes": M{tt.key: tt.value}}
			if tt.code != "" {
				r.refused("SendMessage", in, 400, tt.code, tt.text)
				continue
			}
			r.must("SendMessage", in)
			m := r.take(q, 1)[0]
			r.same(tt.name, m["MessageAttributes"], M{tt.key: tt.value})
			r.drop(q, m)
		}
	})
}

func TestNumberOfMessageAttributes(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		text := M{"DataType": "String", "StringValue": "v"}
		many := M{}
		for _, k := range "abcdefghij" {
			many[string(k)] = text
		}
		r.put(q, "x", M{"MessageAttributes": many})
		many["k"] = text
		r.invalid("SendMessage", M{"QueueUrl": q, "MessageBody": "x", "MessageAttributes": many},
			"Number of message attributes [11] exceeds the allowed maximum [10].")
	})
}

func TestSystemAttributes(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		header := func(v string) func(*http.Request) {
			return func(request *http.Request) { request.Header.Set("X-Amzn-Trace-Id", v) }
		}
		sent := r.ask("SendMessage", M{"QueueUrl": q, "MessageBody": "x"}, header(traceExample))
		if sent.members["MD5OfMessageSystemAttributes"] != nil {
			r.Errorf("a digest of attributes that the client did not send: %v", sent.members)
		}
		r.same("trace of the request", r.take(q, 1)[0]["Attributes"].(M)["AWSTraceHeader"], traceExample)
		own := M{"MessageSystemAttributes": M{"AWSTraceHeader": M{"DataType": "String", "StringValue": "Root=own"}}}
		r.ask("SendMessage", with(M{"QueueUrl": q, "MessageBody": "x"}, own), header(traceExample))
		r.same("trace of the message", r.take(q, 1)[0]["Attributes"].(M)["AWSTraceHeader"], "Root=own")
		for _, bad := range []M{
			{"Other": M{"DataType": "String", "StringValue": "v"}},
			{"AWSTraceHeader": M{"DataType": "Number", "StringValue": "1"}},
		} {
			r.invalid("SendMessage", M{"QueueUrl": q, "MessageBody": "x", "MessageSystemAttributes": bad}, "")
		}
	})
}

func TestFIFODelay(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q.fifo", "ContentBasedDeduplication", "true", "DelaySeconds", "3")
		group := M{"MessageGroupId": "g"}
		r.invalid("SendMessage", with(M{"QueueUrl": q, "MessageBody": "x", "DelaySeconds": 2}, group),
			"Value 2 for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type.")
		r.put(q, "zero", group, M{"DelaySeconds": 0})
		r.pass(time.Second)
		r.put(q, "queue's", group)
		r.takes(q, 10, "")
		r.wantCounts(q, "0 0 2")
		r.pass(2 * time.Second)
		r.takes(q, 10, "zero")
		r.pass(time.Second)
		r.takes(q, 10, "")
	})
}

func TestDuplicates(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q.fifo", "ContentBasedDeduplication", "true")
		group := M{"MessageGroupId": "g"}
		first := r.put(q, "x", group)
		again := r.put(q, "x", group)
		r.same("MessageId of a duplicate", again["MessageId"], first["MessageId"])
		r.same("SequenceNumber of a duplicate", again["SequenceNumber"], first["SequenceNumber"])
		sum := sha256.Sum256([]byte("x"))
		r.put(q, "another body", group, M{"MessageDeduplicationId": hex.EncodeToString(sum[:])})
		r.wantCounts(q, "1 0 0")
		r.put(q, "x", group, M{"MessageDeduplicationId": "own"})
		r.wantCounts(q, "2 0 0")
		m := r.take(q, 10)
		r.same("deduplication id", m[0]["Attributes"].(M)["MessageDeduplicationId"], hex.EncodeToString(sum[:]))
		r.drop(q, m[0])
		r.put(q, "x", group) // the window outlives the message
		r.wantCounts(q, "0 1 0")
		r.pass(5*time.Minute - time.Second)
		r.put(q, "x", group)
		r.wantCounts(q, "1 0 0") // the one in flight lapsed
		r.pass(time.Second)
		r.put(q, "x", group)
		r.wantCounts(q, "2 0 0")
		r.must("PurgeQueue", M{"QueueUrl": q})
		r.put(q, "x", group)
		r.wantCounts(q, "1 0 0")
	})
}
