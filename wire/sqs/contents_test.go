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

// Half of a surrogate pair is a character that may not be there, not a fault
// of the JSON.
func TestHalfSurrogatePairs(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	ask := func(action, body string) reply {
		return r.send(jsonRequest(t.Context(), action, `{"QueueUrl":"q",`+body+`}`))
	}
	for half, name := range map[string]string{`\ud83d`: "D83D", `x\uDE00`: "DE00", `\ud83d\ud83d\ude00`: "D83D", `\udfff\u0041`: "DFFF", `\ud800\n`: "D800"} {
		a := ask("SendMessage", `"MessageBody":"`+half+`"`)
		if !strings.HasPrefix(a.message, "Invalid binary character '#x"+name+"' was found") || a.code != "InvalidMessageContents" {
			t.Errorf("body %s = %d %s", half, a.status, a.text)
		}
		a = ask("SendMessage", `"MessageBody":"x","MessageAttributes":{"k":{"DataType":"String","StringValue":"`+half+`"}}`)
		if a.code != "InvalidParameterValue" {
			t.Errorf("attribute %s = %d %s", half, a.status, a.text)
		}
		for _, member := range []string{`"MessageBody":"x","MessageGroupId":"` + half + `"`, `"MessageBody":"x","MessageAttributes":{"` + half + `":{}}`} {
			if a := ask("SendMessage", member); a.code != "MalformedInput" { // what is not a text of the message
				t.Errorf("%s = %d %s", member, a.status, a.text)
			}
		}
	}
	a := ask("SendMessageBatch", `"Entries":[{"Id":"a","MessageBody":"\ud83d"},{"Id":"b","MessageBody":"\ud83d\ude00"}]`)
	r.same("Failed", a.members["Failed"].(L)[0].(M)["Code"], "InvalidMessageContents")
	r.takes("q", 10, "😀")
	if a := ask("SendMessage", `"MessageBody":"\ud83"`); a.code != "MalformedInput" {
		t.Errorf("a bad escape = %d %s", a.status, a.text)
	}
}
