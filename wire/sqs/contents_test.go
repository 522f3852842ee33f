package sqs

import (
	"strings"
	"testing"
)

func TestAttributesGivenTwice(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	const value = `{"DataType":"String","StringValue":"v"}`
	for _, members := range []string{
		`"MessageAttributes":{"k":` + value + `,"l":` + value + `,"k":` + value + `}`,
		`"MessageSystemAttributes":{"AWSTraceHeader":` + value + `,"AWSTraceHeader":` + value + `}`,
	} {
		a := r.send(jsonRequest(t.Context(), "SendMessage", `{"QueueUrl":"q","MessageBody":"x",`+members+`}`))
		if a.code != "InvalidParameterValue" || !strings.Contains(a.message, "must not be given twice") {
			t.Errorf("%s = %d %s", members, a.status, a.text)
		}
	}
	const one, two = "&MessageAttribute.1.Name=k&MessageAttribute.1.Value.", "&MessageAttribute.2.Name=k&MessageAttribute.2.Value."
	a := r.get("http://h/0/q?Action=SendMessage&MessageBody=x" + one + "DataType=String" + one + "StringValue=v" + two + "DataType=String" + two + "StringValue=w")
	r.same("two of one name", a.code+" "+a.message, "InvalidParameterValue Message (user) attribute name 'k' must not be given twice.")
	r.wantCounts("q", "0 0 0")
}
