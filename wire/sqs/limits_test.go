package sqs

import (
	"net/http"
	"strings"
	"testing"
)

// The last values that are good and the first that are not, where that takes
// more than a number.

func TestKeyReuseLimits(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q", "KmsMasterKeyId", "alias/key")
		for _, good := range []string{"60", "86400"} {
			r.must("SetQueueAttributes", M{"QueueUrl": q, "Attributes": M{"KmsDataKeyReusePeriodSeconds": good}})
			r.same("KmsDataKeyReusePeriodSeconds", r.attributes(q)["KmsDataKeyReusePeriodSeconds"], good)
		}
		for _, bad := range []string{"59", "86401", "x"} {
			r.refused("SetQueueAttributes", M{"QueueUrl": q, "Attributes": M{"KmsDataKeyReusePeriodSeconds": bad}}, 400, "InvalidAttributeValue",
				"Invalid value for the parameter KmsDataKeyReusePeriodSeconds.")
		}
	})
}

func TestAttributeTypeLimits(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		longest := "String." + strings.Repeat("x", 256-len("String."))
		given := M{"k": M{"DataType": longest, "StringValue": "v"}}
		r.put(q, "x", M{"MessageAttributes": given})
		r.same("attributes", r.take(q, 1)[0]["MessageAttributes"], given)
		r.invalid("SendMessage", M{"QueueUrl": q, "MessageBody": "x", "MessageAttributes": M{"k": M{"DataType": longest + "x", "StringValue": "v"}}},
			"The type of message (user) attribute 'k' must be at most 256 characters long.")
	})
}

func TestAllowedSourcesLimits(t *testing.T) {
	both(t, func(r *rig) {
		dlq := r.queue("dlq")
		ten := `["` + strings.Repeat(r.arnOf("other")+`","`, 9) + r.arnOf("q") + `"]`
		r.must("SetQueueAttributes", M{"QueueUrl": dlq, "Attributes": M{"RedriveAllowPolicy": `{"redrivePermission":"byQueue","sourceQueueArns":` + ten + `}`}})
		r.queue("q", "RedrivePolicy", r.deadTo("dlq", 1)) // the last of the ten
		r.invalid("CreateQueue", M{"QueueName": "third", "Attributes": M{"RedrivePolicy": r.deadTo("dlq", 1)}}, "")
	})
}

func TestTagLimits(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		longest := M{strings.Repeat("k", 128): strings.Repeat("v", 256), "ü": strings.Repeat("ü", 256)}
		r.must("TagQueue", M{"QueueUrl": q, "Tags": longest})
		r.same("tags", r.must("ListQueueTags", M{"QueueUrl": q})["Tags"], longest)
		r.invalid("TagQueue", M{"QueueUrl": q, "Tags": M{"k": strings.Repeat("v", 257)}}, "")
		r.invalid("TagQueue", M{"QueueUrl": q, "Tags": M{strings.Repeat("k", 129): ""}}, "Tag keys must be between 1 and 128 characters in length.")
	})
}

func TestAttributeFields(t *testing.T) {
	tests := []struct {
		name  string
		value M
		code  string
		text  string
	}{
		{"text as binary", M{"DataType": "String", "BinaryValue": "AAEC"}, "InvalidParameterValue", "Message (user) attribute 'k' with type 'String' must use field 'String'."},
		{"a number as binary", M{"DataType": "Number", "BinaryValue": "MTI="}, "InvalidParameterValue", "Message (user) attribute 'k' with type 'Number' must use field 'String'."},
		{"binary as text", M{"DataType": "Binary", "StringValue": "v"}, "InvalidParameterValue", "Message (user) attribute 'k' with type 'Binary' must use field 'Binary'."},
		{"empty binary", M{"DataType": "Binary", "BinaryValue": ""}, "InvalidParameterValue", "Message (user) attribute 'k' must contain a non-empty value of type 'Binary'."},
		{"a list of texts", M{"DataType": "String", "StringValue": "v", "StringListValues": L{"v"}}, "AWS.SimpleQueueService.UnsupportedOperation", "Message attribute list values in SendMessage operation are not supported."},
		{"a list of binaries", M{"DataType": "Binary", "BinaryValue": "AAEC", "BinaryListValues": L{"AAEC"}}, "AWS.SimpleQueueService.UnsupportedOperation", "Message attribute list values in SendMessage operation are not supported."},
	}
	both(t, func(r *rig) {
		q := r.queue("q")
		for _, tt := range tests {
			r.refused("SendMessage", M{"QueueUrl": q, "MessageBody": tt.name, "MessageAttributes": M{"k": tt.value}}, 400, tt.code, tt.text)
		}
		r.wantCounts(q, "0 0 0")
	})
}

func TestTraceCharacters(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		header := func(request *http.Request) { request.Header.Set("X-Amzn-Trace-Id", "Root=\x01") }
		r.ask("SendMessage", M{"QueueUrl": q, "MessageBody": "x"}, header)
		m := r.takes(q, 1, "x")
		if trace, ok := m[0]["Attributes"].(M)["AWSTraceHeader"]; ok {
			r.Errorf("AWSTraceHeader = %q, which no answer in XML can carry", trace)
		}
		own := M{"AWSTraceHeader": M{"DataType": "String", "StringValue": "Root=\x01"}}
		r.invalid("SendMessage", M{"QueueUrl": q, "MessageBody": "x", "MessageSystemAttributes": own},
			"Invalid characters found in the value of message (system) attribute 'AWSTraceHeader'. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF")
	})
}
