package smq

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"inflight/engine"
	"inflight/storage"
)

// TestSendAndReceive compares with the sheet: digests of the live service, and
// all elements in its order.
func TestSendAndReceive(t *testing.T) {
	r := newRig(t, Options{Holder: func(agent, key, address string) string { return agent + "/" + key }})
	r.queue("q", "VisibilityTimeout", "50")
	sent := r.must(http.StatusCreated, "POST", "/queues/q/messages", `<?xml version="1.0" encoding="UTF-8"?>
<Message xmlns="http://mns.aliyuncs.com/doc/v1/"><MessageBody>I am 测试字符串.</MessageBody><DelaySeconds>0</DelaySeconds><Priority>10</Priority></Message>`)
	id := sent.root.words("MessageId")
	r.same("answer to the sender", sent.text, `<?xml version="1.0" ?>
<Message xmlns="http://mns.aliyuncs.com/doc/v1">
<MessageId>`+id+`</MessageId>
<MessageBodyMD5>9D75198CAA17528AB23790C1861987AF</MessageBodyMD5>
</Message>
`)
	if len(id) != 32 || strings.ToUpper(id) != id {
		t.Errorf("id %q, want 32 digits in upper case", id)
	}
	enqueued := r.now
	r.pass(6042 * time.Millisecond)
	got := r.ask("GET", "/queues/q/messages", "", "User-Agent", "aliyun-sdk-java/2.0.0", "Authorization", "MNS key:whatever")
	r.same("answer to the receiver", got.text, `<?xml version="1.0" ?>
<Message xmlns="http://mns.aliyuncs.com/doc/v1">
<MessageId>`+id+`</MessageId>
<ReceiptHandle>`+got.root.words("ReceiptHandle")+`</ReceiptHandle>
<MessageBodyMD5>9D75198CAA17528AB23790C1861987AF</MessageBodyMD5>
<MessageBody>I am 测试字符串.</MessageBody>
<EnqueueTime>`+millis(enqueued)+`</EnqueueTime>
<NextVisibleTime>`+millis(r.now.Add(50*time.Second))+`</NextVisibleTime>
<FirstDequeueTime>`+millis(r.now)+`</FirstDequeueTime>
<DequeueCount>1</DequeueCount>
<Priority>10</Priority>
</Message>
`)
	r.same("request id", len(got.header.Get("x-mns-request-id")), 24)
	r.same("version", got.header.Get("x-mns-version"), "2015-06-06")
	page, err := r.engine.Page(t.Context(), engine.PageRequest{Queue: "q", State: engine.InFlight, Limit: 1})
	if err != nil || page.Rows[0].Holder != "mns-java/key" {
		t.Errorf("holder %v, %v", page.Rows, err)
	}
	r.same("digest", r.put("q", "SSBhbSDmtYvor5XlrZfnrKbkuLIu").words("MessageBodyMD5"), "A9B134C465C384F49EB89A6E3870D996")
	r.refused(404, "QueueNotExist", "", "POST", "/queues/missing/messages", messageXML("x"))
	r.refused(404, "QueueNotExist", "", "GET", "/queues/missing/messages", "")
}

func TestEmptyReceive(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	for _, query := range []string{"", "?numOfMessages=5", "?peekonly=true", "?peekonly=true&numOfMessages=5", "?waitseconds=0"} {
		r.refused(404, "MessageNotExist", "Message not exist.", "GET", "/queues/q/messages"+query, "")
	}
}

func TestSendRanges(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q", "DelaySeconds", "9")
	r.queue("small", "MaximumMessageSize", "1024")
	send := func(queue, xml, text string) {
		t.Helper()
		r.refused(400, "InvalidArgument", text, "POST", "/queues/"+queue+"/messages", xml)
	}
	for _, bad := range []string{"0", "17", "high"} {
		send("q", messageXML("x", "Priority", bad), "The value of Priority must be between 1 and 16.")
	}
	for _, bad := range []string{"-1", "604801"} {
		send("q", messageXML("x", "DelaySeconds", bad), "The value of DelaySeconds must be between 0 and 604800 seconds.")
	}
	send("q", messageXML(""), "The value of MessageBody must be between 1 and 65536 bytes.")
	send("q", messageXML(strings.Repeat("&lt;", 65537)), "The value of MessageBody must be between 1 and 65536 bytes.")
	send("small", messageXML(strings.Repeat("x", 1025)), "The value of MessageBody must be between 1 and 1024 bytes.")
	send("q", "<Message/>", "The XML you provided did not validate against our published schema, cause by MessageBody.")
	send("q", "<Other/>", "The XML you provided did not validate against our published schema, cause by Other.")
	r.refused(400, "MalformedXML", "The XML you provided was not well-formed.", "POST", "/queues/q/messages", "")
	r.refused(400, "MalformedXML", "", "POST", "/queues/q/messages", "<Message><MessageBody>a & b</MessageBody></Message>")
	r.put("q", strings.Repeat("&lt;", 65536), "DelaySeconds", "0") // counted after unescaping; 0 wins over the queue's 9
	r.put("q", "week", "DelaySeconds", "604800")
	r.put("q", "queue's")
	r.wantCounts("q", "1 0 2")
}

func TestPriority(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	for _, m := range [][2]string{{"default", "8"}, {"last", "16"}, {"first", "1"}, {"second", "1"}} {
		r.put("q", m[0], "Priority", m[1])
	}
	for _, want := range []string{"first1", "second1", "default8", "last16"} {
		m := r.take("q")
		r.same("body and priority", m.words("MessageBody")+m.words("Priority"), want)
	}
}

// TestDelayedSend: the sender's handle changes and takes back (Java's
// TransactionQueue), and the message counts as delayed meanwhile.
func TestDelayedSend(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	prepared := r.put("q", "commit me", "DelaySeconds", "600").words("ReceiptHandle")
	gone := r.put("q", "roll me back", "DelaySeconds", "600").words("ReceiptHandle")
	r.wantCounts("q", "0 0 2")
	r.must(http.StatusNoContent, "DELETE", handlePath("q", gone), "")
	r.refused(404, "MessageNotExist", "", "DELETE", handlePath("q", gone), "")
	a := r.must(http.StatusOK, "PUT", changePath("q", prepared, 1), "").root
	r.same("NextVisibleTime", a.words("NextVisibleTime"), millis(r.now.Add(time.Second)))
	r.wantCounts("q", "0 0 1")
	r.refused(404, "MessageNotExist", "", "DELETE", handlePath("q", prepared), "")
	r.pass(time.Second)
	m := r.take("q")
	r.same("received", m.words("MessageBody")+m.words("DequeueCount"), "commit me1")
	r.refused(404, "MessageNotExist", "", "DELETE", handlePath("q", a.words("ReceiptHandle")), "")
}

func TestPeekMessage(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("dead")
	r.queue("q", "DlqPolicy", policyXML("dead", 1), "VisibilityTimeout", "5", "PollingWaitSeconds", "30")
	long := strings.Repeat("long ", 1000)
	r.put("q", long)
	r.put("q", "second")
	r.put("q", "later", "DelaySeconds", "60")
	enqueued := millis(r.now)
	r.pass(time.Second)
	for range 3 {
		m := r.must(http.StatusOK, "GET", "/queues/q/messages?peekonly=true", "").root
		r.same("body", string(m.child("MessageBody").text), long)
		r.same("count, times", m.words("DequeueCount")+m.words("EnqueueTime")+m.words("FirstDequeueTime"), "0"+enqueued+enqueued)
		r.same("no handle, no time", m.child("ReceiptHandle") == nil && m.child("NextVisibleTime") == nil, true)
	}
	all := r.must(http.StatusOK, "GET", "/queues/q/messages?numOfMessages=16&peekonly=true", "").root
	r.same("root", all.name, "Messages")
	r.same("visible ones only", len(all.all("Message")), 2)
	r.wantCounts("q", "2 0 1")
	m := r.take("q")
	r.same("the first receive", m.words("DequeueCount")+m.words("FirstDequeueTime"), "1"+millis(r.now))
	r.refused(404, "QueueNotExist", "", "GET", "/queues/missing/messages?peekonly=true", "")
}

func TestFirstDequeueTime(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q", "VisibilityTimeout", "5")
	r.put("q", "x")
	r.pass(time.Second)
	first := millis(r.now)
	r.take("q")
	r.pass(5 * time.Second)
	peeked := r.must(http.StatusOK, "GET", "/queues/q/messages?peekonly=true", "").root
	r.same("peeked at", peeked.words("FirstDequeueTime")+peeked.words("DequeueCount"), first+"1")
	again := r.take("q")
	r.same("received", again.words("FirstDequeueTime")+again.words("DequeueCount"), first+"2")
}

func TestDeleteMessage(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q", "VisibilityTimeout", "5")
	r.queue("other")
	r.put("q", "x")
	handle := r.take("q").words("ReceiptHandle")
	r.refused(404, "QueueNotExist", "", "DELETE", handlePath("missing", handle), "")
	r.refused(400, "ReceiptHandleError", "The receipt handle you provided is not valid.", "DELETE", handlePath("q", "a+b/c"), "")
	r.refused(400, "ReceiptHandleError", "", "DELETE", handlePath("other", handle), "")
	r.refused(400, "MissingReceiptHandle", "ReceiptHandle is required.", "DELETE", "/queues/q/messages", "")
	r.pass(5 * time.Second)
	r.refused(404, "MessageNotExist", "The receipt handle you provided has expired.", "DELETE", handlePath("q", handle), "")
	handle = r.take("q").words("ReceiptHandle")
	r.same("body", r.must(http.StatusNoContent, "DELETE", handlePath("q", handle), "").text, "")
	r.refused(404, "MessageNotExist", "Message not exist.", "DELETE", handlePath("q", handle), "")
	r.wantCounts("q", "0 0 0")
}

func TestReceiveRanges(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	for _, item := range []string{"numOfMessages=0", "numOfMessages=17", "numOfMessages=", "peekonly=true&numOfMessages=17"} {
		r.refused(400, "InvalidArgument", "The value of numOfMessages must be between 1 and 16.", "GET", "/queues/q/messages?"+item, "")
	}
	for _, item := range []string{"waitseconds=-1", "waitseconds=31", "waitseconds=x"} {
		r.refused(400, "InvalidArgument", "The value of waitseconds must be between 0 and 30 seconds.", "GET", "/queues/q/messages?"+item, "")
	}
}

// TestLongPolling waits in a bubble whose clock is fake.
func TestLongPolling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, err := storage.OpenMemory()
		if err != nil {
			t.Fatal(err)
		}
		e, err := engine.Open(store, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancelCause(context.Background())
		running := make(chan struct{})
		run, end := context.WithCancel(context.Background())
		go func() { defer close(running); e.Run(run) }()
		defer func() { end(); <-running; e.Close() }()
		h := New(e, Options{})
		ask := func(method, path, body string) (int, string, time.Duration) {
			begun := time.Now()
			w := httptest.NewRecorder()
			h.ServeHTTP(w, newRequest(method, path, body).WithContext(ctx))
			return w.Code, w.Body.String(), time.Since(begun).Round(time.Second)
		}
		want := func(path string, status int, waited time.Duration) {
			t.Helper()
			if code, text, took := ask("GET", path, ""); code != status || took != waited {
				t.Errorf("%s: %d after %s, want %d after %s\n%s", path, code, took, status, waited, text)
			}
		}
		ask("PUT", "/queues/q", settingsXML("PollingWaitSeconds", "7"))
		want("/queues/q/messages?waitseconds=30", 404, 30*time.Second)
		want("/queues/q/messages", 404, 7*time.Second)
		want("/queues/q/messages?waitseconds=0", 404, 0)
		want("/queues/q/messages?peekonly=true&waitseconds=30", 404, 0)
		ask("POST", "/queues/q/messages", messageXML("delayed", "DelaySeconds", "5"))
		want("/queues/q/messages?waitseconds=30&numOfMessages=2", 200, 5*time.Second)
		go func() {
			time.Sleep(2 * time.Second)
			stop(ErrStopping)
		}()
		code, text, took := ask("GET", "/queues/q/messages?waitseconds=30", "")
		if code != 503 || !strings.Contains(text, "<Code>InternalError</Code>") || took != 2*time.Second {
			t.Errorf("a server that stops: %d %s after %s", code, text, took)
		}
	})
}

func TestProperties(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	value := func(item, name, value, kind string) string {
		return "<" + item + ">" + elements("Name", name, "Value", value, "Type", kind) + "</" + item + ">"
	}
	user := value("PropertyValue", "city", "Hangzhou", "STRING") + value("PropertyValue", "n", "12.5", "NUMBER") +
		value("PropertyValue", "ok", "true", "BOOLEAN") + value("PropertyValue", "raw", "AAH/", "BINARY")
	system := value("SystemPropertyValue", "TraceParent", "00-1", "STRING")
	r.put("q", "x", "UserProperties", user, "SystemProperties", system, "MessageGroupId", "g1", "Unknown", "ignored")
	plain := strings.NewReplacer("\n", "")
	for _, path := range []string{"/queues/q/messages?peekonly=true", "/queues/q/messages"} {
		text := plain.Replace(r.must(http.StatusOK, "GET", path, "").text)
		for _, want := range []string{elements("UserProperties", user), elements("SystemProperties", system), elements("MessageGroupId", "g1")} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %s\nlacks %s", path, text, want)
			}
		}
	}
	for text, status := range map[string]int{
		"0": 201, "-1": 201, "+12.50": 201, "": 400, "NaN": 400, "Infinity": 400, "0x1p-2": 400, "1_0": 400, " 5 ": 400, "1e5": 400, "1.": 400, ".5": 400, "5\n": 400,
	} {
		a := r.ask("POST", "/queues/q/messages", messageXML("x", "UserProperties", value("PropertyValue", "n", text, "NUMBER")))
		r.same("status of the NUMBER "+text, a.status, status)
	}
	for _, bad := range []string{
		value("PropertyValue", "n", "many", "NUMBER"), value("PropertyValue", "n", "?", "BINARY"), value("PropertyValue", "n", "1", "DATE"),
		value("PropertyValue", "", "1", "STRING"), strings.Repeat(value("PropertyValue", "n", "1", "STRING"), 2),
	} {
		r.refused(400, "InvalidArgument", "", "POST", "/queues/q/messages", messageXML("x", "UserProperties", bad))
	}
	for list, item := range map[string]string{"UserProperties": "PropertyValue", "SystemProperties": "SystemPropertyValue"} {
		var ten string
		for i := range 10 {
			ten += value(item, strconv.Itoa(i), "1", "STRING")
		}
		r.put("q", "x", list, ten)
		text := "The value of " + list + " must be between 0 and 10."
		r.refused(400, "InvalidArgument", text, "POST", "/queues/q/messages", messageXML("x", list, ten+value(item, "one more", "1", "STRING")))
	}
}

// TestPropertySizes: properties of either kind count with the body, as name,
// type and value.
func TestPropertySizes(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q", "MaximumMessageSize", "1024")
	list := func(item, value string) string {
		return "<" + item + ">" + elements("Name", "n", "Value", value, "Type", "STRING") + "</" + item + ">"
	}
	full := strings.Repeat("x", 1024-2*len("nString")-2)
	send := func(body string) string {
		return messageXML(body, "UserProperties", list("PropertyValue", "1"), "SystemProperties", list("SystemPropertyValue", "2"))
	}
	r.must(http.StatusCreated, "POST", "/queues/q/messages", send(full))
	r.refused(400, "InvalidArgument", "The value of MessageBody is invalid: with its properties it takes 1025 bytes of 1024.", "POST", "/queues/q/messages", send(full+"x"))
	for kind, item := range map[string]string{"UserProperties": "PropertyValue", "SystemProperties": "SystemPropertyValue"} {
		r.refused(400, "InvalidArgument", "", "POST", "/queues/q/messages", messageXML("x", kind, list(item, strings.Repeat("x", 1024))))
	}
}

// TestHungUp: a message that nobody can take any more stays where it is.
func TestHungUp(t *testing.T) {
	gone := false
	r := newRig(t, Options{Attentive: func(ctx context.Context) context.Context {
		if gone {
			done, cancel := context.WithCancel(ctx)
			cancel()
			return done
		}
		return ctx
	}})
	r.queue("q")
	r.put("q", "x")
	gone = true
	r.ask("GET", "/queues/q/messages", "")
	r.wantCounts("q", "1 0 0")
	gone = false
	r.same("DequeueCount", r.take("q").words("DequeueCount"), 1)
}
