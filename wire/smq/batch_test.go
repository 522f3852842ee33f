package smq

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"inflight/engine"
)

func messagesXML(messages ...string) string {
	return `<Messages xmlns="http://mns.aliyuncs.com/doc/v1/">` + strings.Join(messages, "") + "</Messages>"
}

func handlesXML(handles ...string) string {
	var b strings.Builder
	for _, h := range handles {
		b.WriteString(elements("ReceiptHandle", h))
	}
	return "<ReceiptHandles>" + b.String() + "</ReceiptHandles>"
}

func TestBatchSendMessage(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	a := r.must(http.StatusCreated, "POST", "/queues/q/messages", messagesXML(messageXML("a"), messageXML("b", "Priority", "1"), messageXML("c", "DelaySeconds", "5")))
	list := a.root.all("Message")
	r.same("root and length", a.root.name, "Messages")
	r.same("in the same order", list[0].words("MessageBodyMD5"), digest([]byte("a")))
	if len(list) != 3 || len(list[0].children) != 2 || list[2].child("ReceiptHandle") == nil {
		t.Errorf("answer %s: want ids and digests, and a handle of the delayed one", a.text)
	}
	r.must(http.StatusNoContent, "DELETE", handlePath("q", list[2].words("ReceiptHandle")), "")
	r.wantCounts("q", "2 0 0")
}

// TestBatchSendFailures: what is good is sent, the rest has its own error in
// the list, with no more than two children (Python's client).
func TestBatchSendFailures(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	a := r.must(http.StatusInternalServerError, "POST", "/queues/q/messages",
		messagesXML(messageXML("a", "DelaySeconds", "5"), messageXML("b", "Priority", "17"), messageXML(""), "<Message/>", messageXML("c")))
	var codes []string
	for _, m := range a.root.all("Message") {
		codes = append(codes, m.words("ErrorCode"))
		r.same("children", len(m.children), 2)
	}
	r.same("codes", strings.Join(codes, ","), ",InvalidArgument,InvalidArgument,InvalidArgument,")
	r.wantCounts("q", "1 0 1")
	r.must(http.StatusInternalServerError, "POST", "/queues/q/messages", messagesXML(messageXML("")))

	many := make([]string, 17)
	for i := range many {
		many[i] = messageXML("x")
	}
	r.refused(400, "InvalidArgument", "The value of Messages must be between 1 and 16.", "POST", "/queues/q/messages", messagesXML(many...))
	r.refused(400, "InvalidArgument", "", "POST", "/queues/q/messages", messagesXML())
	r.must(http.StatusCreated, "POST", "/queues/q/messages", messagesXML(many[:16]...))
	half := messageXML(strings.Repeat("x", 32768))
	r.must(http.StatusCreated, "POST", "/queues/q/messages", messagesXML(half, half))
	r.refused(400, "InvalidArgument", "The value of Messages must be between 0 and 65536 bytes.", "POST", "/queues/q/messages", messagesXML(half, half, messageXML("x")))
	r.refused(404, "QueueNotExist", "", "POST", "/queues/missing/messages", messagesXML(messageXML("x")))
}

// TestBatchSendRace: a queue that gets smaller while a batch is on its way
// refuses the messages that no longer fit, by name, and takes the rest.
func TestBatchSendRace(t *testing.T) {
	var r *rig
	r = newRig(t, Options{Touched: func(queue string) { // after the look at the queue, before the send
		if err := r.engine.Configure(t.Context(), queue, func(a *engine.Attributes) { a.MaximumMessageSize = 1024 }); err != nil {
			t.Error(err)
		}
	}})
	r.queue("q")
	a := r.must(http.StatusInternalServerError, "POST", "/queues/q/messages", messagesXML(messageXML("a"), messageXML(strings.Repeat("x", 1025)), messageXML("c")))
	list := a.root.all("Message")
	r.same("the first", list[0].words("MessageBodyMD5"), digest([]byte("a")))
	r.same("the one too long", list[1].words("ErrorCode")+list[1].words("MessageId"), "InvalidArgument")
	r.same("the last", list[2].words("MessageBodyMD5"), digest([]byte("c")))
	r.wantCounts("q", "2 0 0")
}

func TestBatchReceiveMessage(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	for _, body := range []string{"a", "b", "c"} {
		r.put("q", body)
	}
	one := r.must(http.StatusOK, "GET", "/queues/q/messages?numOfMessages=1", "").root
	r.same("a list even of one", one.name, "Messages")
	rest := r.must(http.StatusOK, "GET", "/queues/q/messages?waitseconds=1&NUMOFMESSAGES=16", "").root.all("Message")
	if len(rest) != 2 || rest[0].words("MessageBody") != "b" || rest[1].words("ReceiptHandle") == "" {
		t.Errorf("the rest: %+v", rest)
	}
	r.refused(404, "QueueNotExist", "", "GET", "/queues/missing/messages?numOfMessages=1", "")
}

func TestBatchDeleteMessage(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	for _, body := range []string{"a", "b", "c"} {
		r.put("q", body)
	}
	var handles []string
	for _, m := range r.ask("GET", "/queues/q/messages?numOfMessages=16", "").root.all("Message") {
		handles = append(handles, m.words("ReceiptHandle"))
	}
	r.same("body", r.must(http.StatusNoContent, "DELETE", "/queues/q/messages", handlesXML(handles[0])).text, "")
	a := r.must(http.StatusNotFound, "DELETE", "/queues/q/messages", handlesXML("nonsense", handles[1], handles[0], handles[2]))
	r.same("answer", a.text, `<?xml version="1.0" ?>
<Errors xmlns="http://mns.aliyuncs.com/doc/v1">
<Error>
<ErrorCode>ReceiptHandleError</ErrorCode>
<ErrorMessage>The receipt handle you provided is not valid.</ErrorMessage>
<ReceiptHandle>nonsense</ReceiptHandle>
</Error>
<Error>
<ErrorCode>MessageNotExist</ErrorCode>
<ErrorMessage>Message not exist.</ErrorMessage>
<ReceiptHandle>`+handles[0]+`</ReceiptHandle>
</Error>
</Errors>
`)
	r.wantCounts("q", "0 0 0")
	r.put("q", "d")
	late := r.take("q").words("ReceiptHandle")
	r.pass(30 * time.Second)
	a = r.must(http.StatusNotFound, "DELETE", "/queues/q/messages", handlesXML(late))
	r.same("a handle that has expired", a.root.child("Error").words("ErrorCode"), "MessageNotExist")
	r.wantCounts("q", "1 0 0")
	spent := r.take("q").words("ReceiptHandle")
	renewed := r.must(http.StatusOK, "PUT", changePath("q", spent, 60), "").root.words("ReceiptHandle")
	a = r.must(http.StatusNotFound, "DELETE", "/queues/q/messages", handlesXML(spent))
	r.same("a handle that a change has spent", a.root.child("Error").words("ErrorCode"), "MessageNotExist")
	r.wantCounts("q", "0 1 0")
	r.must(http.StatusNoContent, "DELETE", "/queues/q/messages", handlesXML(renewed))
	r.refused(400, "InvalidArgument", "", "DELETE", "/queues/q/messages", handlesXML())
	r.refused(400, "InvalidArgument", "", "DELETE", "/queues/q/messages", handlesXML(make([]string, 17)...))
	r.refused(400, "InvalidArgument", "", "DELETE", "/queues/q/messages", "<Handles/>")
	r.refused(404, "QueueNotExist", "", "DELETE", "/queues/missing/messages", handlesXML("a"))
}

// TestNestedElements: where text is wanted, elements in it are refused rather
// than dropped; a body without its amount is worse than none.
func TestNestedElements(t *testing.T) {
	const schema = "The XML you provided did not validate against our published schema, cause by "
	r := newRig(t, Options{})
	r.queue("q")
	r.put("q", "whole", "Unknown", "<b>1</b>") // its siblings are ignored
	kept := r.take("q").words("ReceiptHandle")
	body := messageXML("pay <b>100</b> EUR")
	value := func(item string) string {
		return "<" + item + ">" + elements("Name", "n", "Value", "1<b/>") + "</" + item + ">"
	}
	for _, tt := range []struct{ method, body, element string }{
		{"POST", body, "MessageBody"},
		{"POST", messageXML("x", "UserProperties", value("PropertyValue")), "Value"},
		{"POST", messageXML("x", "SystemProperties", value("SystemPropertyValue")), "Value"},
		{"DELETE", handlesXML(kept, kept+"<b/>"), "ReceiptHandle"},
	} {
		r.refused(400, "InvalidArgument", schema+tt.element+".", tt.method, "/queues/q/messages", tt.body)
	}
	r.wantCounts("q", "0 1 0")
	list := r.must(http.StatusInternalServerError, "POST", "/queues/q/messages", messagesXML(body, messageXML("x"))).root.all("Message")
	r.same("refused in a batch", list[0].words("ErrorMessage"), schema+"MessageBody.")
	r.wantCounts("q", "1 1 0")
}
