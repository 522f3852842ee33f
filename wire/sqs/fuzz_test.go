package sqs

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzJSON reads anything as a batch of sends. What encoding/json accepts as
// the same structure must be read the same; nothing may panic.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `null`, `[]`, `{"QueueUrl":"q","Entries":[{"Id":"a","MessageBody":"x","DelaySeconds":1}]}`,
		`{"Entries":[{"Id":"a","MessageAttributes":{"k":{"DataType":"Binary","BinaryValue":"AAE="},"l":{"StringListValues":["x"]}}}],"Entries":null}`,
		`{"QueueUrl":"\ud83d\ude00\u0000\/","Entries":[]} `, `{"Entries":[{},{"MessageGroupId":null}]}`, `{"QueueUrl":1}`, `{"a":[[[[[[[[[[]]]]]]]]]]}`, `{"a\`,
		"{}\x00garbage", "{} \x00", `{"x":{"\q":1}}`, `{"x":[{"\ud800":1}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var in sendBatchInput
		err := readJSON(text, &in)
		if err != nil && refusal(err).code != codeSerialization {
			t.Errorf("readJSON(%q) = %v", text, err)
		}
		if err == nil && len(bytes.TrimSpace(text)) > 0 && !json.Valid(text) {
			t.Errorf("readJSON(%q) took what is no JSON", text)
		}
		if unread := readJSON(text, new(nothing)); json.Valid(text) && utf8.Valid(text) && text[0] == '{' && unread != nil &&
			!strings.Contains(unread.Error(), "nested") && !strings.Contains(unread.Error(), "members") && !strings.Contains(string(text), `\u`) {
			t.Errorf("readJSON(%q) = %v, though it is JSON", text, unread)
		}
		if err != nil {
			return
		}
		var want struct {
			QueueUrl string
			Entries  []struct{ Id, MessageBody string }
		}
		if !utf8.Valid(text) {
			t.Errorf("readJSON(%q) took invalid UTF-8", text)
		}
		if len(bytes.TrimSpace(text)) == 0 || repeats(text) || json.Unmarshal(text, &want) != nil {
			return // encoding/json also takes names in another case, and puts repeated members together
		}
		if in.queueURL != want.QueueUrl || len(in.entries) != len(want.Entries) {
			t.Fatalf("readJSON(%q) = %+v, want %+v", text, in, want)
		}
		for i, e := range in.entries {
			if e.id != want.Entries[i].Id || string(e.body) != want.Entries[i].MessageBody {
				t.Errorf("readJSON(%q): entry %+v, want %+v", text, e, want.Entries[i])
			}
		}
	})
}

// nothing has no members: all are skipped.
type nothing struct{}

func (*nothing) read(source) {}

// repeats says whether a text may have a member of interest twice, in any case.
func repeats(text []byte) bool {
	lower := strings.ToLower(string(text))
	if strings.Contains(lower, `\u`) || strings.Contains(lower, "null") || strings.ContainsAny(lower, "ſK") {
		return true
	}
	for _, exact := range []string{"QueueUrl", "Entries"} {
		if strings.Count(lower, strings.ToLower(exact)) != strings.Count(string(text), exact) || strings.Count(string(text), exact) > 1 {
			return true
		}
	}
	for _, exact := range []string{"Id", "MessageBody"} {
		if strings.Count(lower, strings.ToLower(exact)) > 1 || strings.Count(lower, strings.ToLower(exact)) != strings.Count(string(text), exact) {
			return true
		}
	}
	return false
}

// FuzzQuery reads anything as a form, and whatever comes of it is answered in
// well-formed XML.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"", "Action=ListQueues", "Action=SendMessage&QueueUrl=q&MessageBody=%3Ca%3E", "Action=CreateQueue&QueueName=x&Attribute.1.Name=DelaySeconds&Attribute.1.Value=1",
		"Action=SendMessageBatch&QueueUrl=q&SendMessageBatchRequestEntry.1.Id=a&SendMessageBatchRequestEntry.1.MessageBody=b",
		"Action=ReceiveMessage&QueueUrl=q&MaxNumberOfMessages=10&AttributeName.1=All", "Action=%zz", "Action=SendMessage&DelaySeconds=x", "a.1.1.1.1.1.1.1.1.1=x&a.-1=y&.=&..1=",
		"Action=TagQueue&QueueUrl=q&Tag.1.Key=a&Tag.1.Value=b", "Action=" + strings.Repeat("<&\r", 5),
	} {
		f.Add(seed)
	}
	r := newRig(f, Options{})
	r.queue("q")
	f.Fuzz(func(t *testing.T, form string) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		request := httptest.NewRequestWithContext(ctx, "POST", "http://localhost/", strings.NewReader(form))
		w := httptest.NewRecorder()
		r.ServeHTTP(w, request)
		if ctx.Err() != nil {
			t.Skip("a long poll")
		}
		if w.Code >= 500 {
			t.Errorf("%q = %d %s", form, w.Code, w.Body)
		}
		var root element
		if err := xml.Unmarshal(w.Body.Bytes(), &root); err != nil {
			t.Errorf("%q: %s: %v", form, w.Body, err)
		}
	})
}

// What is written in JSON and in XML must read back the same.
func FuzzTexts(f *testing.F) {
	f.Add("")
	f.Add("a\r\n<&>\"'\u2028😀")
	f.Fuzz(func(t *testing.T, s string) {
		if !allowedText([]byte(s)) {
			t.Skip("not let in")
		}
		var fromJSON string
		if body := appendBody(nil, []byte(s)); string(body) != string(appendText(nil, s)) {
			t.Errorf("as a body %q becomes %q", s, body)
		}
		if err := json.Unmarshal(appendText(nil, s), &fromJSON); err != nil || fromJSON != s {
			t.Errorf("JSON of %q reads back as %q, %v", s, fromJSON, err)
		}
		var fromXML struct {
			Text string `xml:",chardata"`
		}
		if err := xml.Unmarshal(append(appendXML([]byte("<a>"), s), "</a>"...), &fromXML); err != nil || !reflect.DeepEqual(fromXML.Text, s) {
			t.Errorf("XML of %q reads back as %q, %v", s, fromXML.Text, err)
		}
	})
}
