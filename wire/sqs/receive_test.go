package sqs

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"inflight/engine"
	"inflight/storage"
)

func TestReceiveNumbers(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		for n, name := range map[int]string{0: "0", -1: "-1", 11: "11"} {
			r.invalid("ReceiveMessage", M{"QueueUrl": q, "MaxNumberOfMessages": n},
				"Value "+name+" for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.")
		}
		for n, name := range map[int]string{-1: "-1", 21: "21"} {
			r.invalid("ReceiveMessage", M{"QueueUrl": q, "WaitTimeSeconds": n},
				"Value "+name+" for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20, if provided.")
		}
		for n, name := range map[int]string{-1: "-1", 43201: "43201"} {
			r.invalid("ReceiveMessage", M{"QueueUrl": q, "VisibilityTimeout": n},
				"Value "+name+" for parameter VisibilityTimeout is invalid. Reason: Must be >= 0 and <= 43200, if provided.")
		}
		for range 12 {
			r.put(q, "x")
		}
		r.same("messages by default", len(r.must("ReceiveMessage", M{"QueueUrl": q})["Messages"].(L)), 1)
		r.same("messages", len(r.take(q, 10)), 10)
	})
}

func TestReceiveNothing(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		if got := r.must("ReceiveMessage", M{"QueueUrl": q}); len(got) != 0 {
			r.Errorf("an empty receive = %v, want no members", got)
		}
	})
}

func TestVisibilityOfOneReceive(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		r.put(q, "x")
		r.take(q, 1, M{"VisibilityTimeout": 2})
		r.pass(2 * time.Second)
		r.takes(q, 1, "x")
		r.pass(29 * time.Second)
		r.takes(q, 1, "")
		r.pass(time.Second)
		r.takes(q, 1, "x")
	})
}

func TestReceiveWithoutHiding(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		r.put(q, "x")
		first := r.take(q, 1, M{"VisibilityTimeout": 0})[0]
		second := r.take(q, 1, M{"VisibilityTimeout": 0})[0]
		if first["ReceiptHandle"] == second["ReceiptHandle"] {
			r.Error("two receives gave the same handle")
		}
		if n := len(first["ReceiptHandle"].(string)); n > 1024 {
			r.Errorf("a receipt handle has %d characters", n)
		}
		r.same("receives", second["Attributes"].(M)["ApproximateReceiveCount"], 2)
	})
}

func TestSystemAttributesOnRequest(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		r.put(q, "x")
		receive := func(more M) M {
			m := r.must("ReceiveMessage", with(M{"QueueUrl": q, "VisibilityTimeout": 0}, more))["Messages"].(L)[0].(M)
			got, _ := m["Attributes"].(M)
			return got
		}
		if got := receive(M{}); got != nil {
			r.Errorf("attributes that nobody asked for: %v", got)
		}
		sent := r.now.UnixMilli()
		r.pass(time.Second)
		all := M{
			"SenderId": "000000000000", "SentTimestamp": fmt.Sprint(sent), "ApproximateReceiveCount": "2",
			"ApproximateFirstReceiveTimestamp": fmt.Sprint(sent),
		}
		r.same("All", receive(M{"AttributeNames": L{"All"}}), all)
		all["ApproximateReceiveCount"] = "3"
		r.same("All by the newer name", receive(M{"MessageSystemAttributeNames": L{"All"}}), all)
		r.same("the union", receive(M{"AttributeNames": L{"SentTimestamp", "NoSuchName"}, "MessageSystemAttributeNames": L{"SenderId"}}),
			M{"SenderId": "000000000000", "SentTimestamp": fmt.Sprint(sent)})
		f := r.queue("q.fifo")
		r.put(f, "x", M{"MessageGroupId": "g", "MessageDeduplicationId": "d"})
		got := r.take(f, 1)[0]["Attributes"].(M)
		r.same("MessageGroupId", got["MessageGroupId"], "g")
		r.same("MessageDeduplicationId", got["MessageDeduplicationId"], "d")
		if n, _ := got["SequenceNumber"].(string); len(n) != 20 {
			r.Errorf("SequenceNumber = %q, want 20 digits", n)
		}
	})
}

func TestMessageAttributesOnRequest(t *testing.T) {
	tests := []struct {
		names L
		want  string
	}{
		{L{}, ""},
		{L{"All"}, "Hello Help.Me other"},
		{L{".*"}, "Hello Help.Me other"},
		{L{"*"}, "Hello Help.Me other"},
		{L{"Hel.*"}, "Hello Help.Me"},
		{L{"Hello"}, "Hello"},
		{L{"Hel"}, ""},
		{L{"nothing", "other", "%&"}, "other"},
	}
	both(t, func(r *rig) {
		q := r.queue("q")
		attributes := M{}
		for _, name := range []string{"Hello", "Help.Me", "other"} {
			attributes[name] = M{"DataType": "String", "StringValue": "v"}
		}
		sent := r.put(q, "x", M{"MessageAttributes": attributes})
		for _, tt := range tests {
			m := r.must("ReceiveMessage", M{"QueueUrl": q, "MessageAttributeNames": tt.names, "VisibilityTimeout": 0})["Messages"].(L)[0].(M)
			got, _ := m["MessageAttributes"].(M)
			var names []string
			for _, name := range []string{"Hello", "Help.Me", "other"} {
				if got[name] != nil {
					names = append(names, name)
				}
			}
			r.same(fmt.Sprint(tt.names), strings.Join(names, " "), tt.want)
			_, digest := m["MD5OfMessageAttributes"]
			if digest != (tt.want != "") {
				r.Errorf("%v: MD5OfMessageAttributes present: %v", tt.names, digest)
			}
			if len(got) == 3 {
				r.same("digest of all", m["MD5OfMessageAttributes"], sent["MD5OfMessageAttributes"])
			} else if digest && m["MD5OfMessageAttributes"] == sent["MD5OfMessageAttributes"] {
				r.Errorf("%v: the digest covers attributes that were not returned", tt.names)
			}
		}
	})
}

func TestFirstReceiveIsKept(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q", "VisibilityTimeout", "0")
		r.put(q, "x")
		r.pass(time.Second)
		first := fmt.Sprint(r.now.UnixMilli())
		r.take(q, 1)
		r.pass(time.Second)
		got := r.take(q, 1)[0]["Attributes"].(M)
		r.same("first receive", got["ApproximateFirstReceiveTimestamp"], first)
		r.same("receives", got["ApproximateReceiveCount"], 2)
	})
}

func TestFairQueues(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		for _, body := range []string{"a", "b"} {
			if got := r.put(q, body, M{"MessageGroupId": "g"}); got["SequenceNumber"] != nil {
				r.Errorf("a standard queue gave a sequence number: %v", got)
			}
		}
		r.same("group", r.takes(q, 1, "a")[0]["Attributes"].(M)["MessageGroupId"], "g")
		r.takes(q, 1, "b") // a group blocks nothing here
		for _, bad := range []string{"", strings.Repeat("x", 129), "a b"} {
			r.invalid("SendMessage", M{"QueueUrl": q, "MessageBody": "x", "MessageGroupId": bad},
				"Value "+bad+" for parameter MessageGroupId is invalid. Reason: MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length.")
		}
		r.invalid("SendMessage", M{"QueueUrl": q, "MessageBody": "x", "MessageDeduplicationId": "d"},
			"Value d for parameter MessageDeduplicationId is invalid. Reason: The request include parameter that is not valid for this queue type.")
	})
}

func TestOldestFirst(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q")
		for i := range 30 {
			r.put(q, fmt.Sprint(i))
		}
		for i := range 3 {
			var want []string
			for k := range 10 {
				want = append(want, fmt.Sprint(10*i+k))
			}
			r.takes(q, 10, strings.Join(want, " "))
		}
	})
}

func TestInFlightLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, h := bubble(t, "0")
		ctx := t.Context()
		long := engine.MaxVisibility
		for range maxInFlight / engine.MaxBatch {
			requests := make([]engine.SendRequest, engine.MaxBatch)
			for i := range requests {
				requests[i].Body = []byte("x")
			}
			if _, err := e.SendBatch(ctx, "q", requests); err != nil {
				t.Fatal(err)
			}
			if _, err := e.Receive(ctx, "q", engine.ReceiveRequest{Max: engine.MaxBatch, Visibility: &long}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := e.Send(ctx, "q", engine.SendRequest{Body: []byte("one more")}); err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, jsonRequest(ctx, "ReceiveMessage", `{"QueueUrl":"q"}`))
		if w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "#OverLimit") ||
			!strings.Contains(w.Body.String(), "The maximum number of in flight messages is reached") {
			t.Errorf("a short poll over the limit: %d %s", w.Code, w.Body)
		}
		start := time.Now()
		w = httptest.NewRecorder()
		h.ServeHTTP(w, jsonRequest(ctx, "ReceiveMessage", `{"QueueUrl":"q","WaitTimeSeconds":20}`))
		if waited := time.Since(start); w.Body.String() != "{}" || waited != 20*time.Second {
			t.Errorf("a long poll over the limit: %s after %s, want nothing after 20s", w.Body, waited)
		}
	})
}

func TestAttempts(t *testing.T) {
	both(t, func(r *rig) {
		q := r.queue("q.fifo", "ContentBasedDeduplication", "true")
		for _, body := range []string{"a", "b"} {
			r.put(q, body, M{"MessageGroupId": "g"})
		}
		attempt := M{"ReceiveRequestAttemptId": "attempt-1"}
		first := r.take(q, 2, attempt)
		r.pass(20 * time.Second)
		again := r.take(q, 2, attempt)
		if len(again) != 2 || again[0]["ReceiptHandle"] != first[0]["ReceiptHandle"] || again[1]["ReceiptHandle"] != first[1]["ReceiptHandle"] {
			r.Errorf("the same attempt brought %v, want %v again", again, first)
		}
		r.pass(20 * time.Second) // its visibility timeout started over
		r.takes(q, 2, "")
		r.drop(q, first[0])
		if got := r.take(q, 2, attempt); len(got) != 0 {
			r.Errorf("the attempt after a delete brought %v", got)
		}
		r.invalid("ReceiveMessage", M{"QueueUrl": q, "ReceiveRequestAttemptId": "a b"}, "")
		r.invalid("ReceiveMessage", M{"QueueUrl": q, "ReceiveRequestAttemptId": strings.Repeat("x", 129)}, "")

		q = r.queue("standard")
		r.put(q, "x")
		for _, want := range []string{"x", ""} { // the id is ignored: it brings nothing again
			if got := bodiesOf(r.take(q, 1, attempt)); got != want {
				r.Errorf("an attempt at a standard queue brought %q, want %q", got, want)
			}
		}
	})
}

func TestLongPolls(t *testing.T) {
	tests := []struct {
		name     string
		default_ string // ReceiveMessageWaitTimeSeconds
		wait     string
		then     func(e *engine.Engine)
		want     string        // in the answer
		after    time.Duration // when the answer comes
	}{
		{"nothing comes", "0", `,"WaitTimeSeconds":20`, nil, `{}`, 20 * time.Second},
		{"the queue's wait is the default", "7", ``, nil, `{}`, 7 * time.Second},
		{"an explicit 0 beats the queue's wait", "7", `,"WaitTimeSeconds":0`, nil, `{}`, 0},
		{"a message comes", "0", `,"WaitTimeSeconds":20`, func(e *engine.Engine) {
			time.Sleep(3 * time.Second)
			e.Send(context.Background(), "q", engine.SendRequest{Body: []byte("new")})
		}, `"Body":"new"`, 3 * time.Second},
		{"a delay is over", "0", `,"WaitTimeSeconds":20`, func(e *engine.Engine) {
			delay := 5 * time.Second
			e.Send(context.Background(), "q", engine.SendRequest{Body: []byte("late"), Delay: &delay})
		}, `"Body":"late"`, 5 * time.Second},
		{"a visibility timeout is over", "0", `,"WaitTimeSeconds":20`, func(e *engine.Engine) {
			visibility := 4 * time.Second
			e.Send(context.Background(), "q", engine.SendRequest{Body: []byte("again")})
			e.Receive(context.Background(), "q", engine.ReceiveRequest{Visibility: &visibility})
		}, `"Body":"again"`, 4 * time.Second},
		{"the queue is deleted", "0", `,"WaitTimeSeconds":20`, func(e *engine.Engine) {
			time.Sleep(2 * time.Second)
			e.DeleteQueue(context.Background(), "q")
		}, `QueueDoesNotExist`, 2 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, h := bubble(t, tt.default_)
				start := time.Now()
				if tt.then != nil {
					go tt.then(e)
					synctest.Wait() // it is done, or sleeps
				}
				w := httptest.NewRecorder()
				h.ServeHTTP(w, jsonRequest(t.Context(), "ReceiveMessage", `{"QueueUrl":"q"`+tt.wait+`}`))
				if waited := time.Since(start).Round(100 * time.Millisecond); waited != tt.after {
					t.Errorf("the answer came after %s, want %s", waited, tt.after)
				}
				if !strings.Contains(w.Body.String(), tt.want) {
					t.Errorf("answer = %s, want %s in it", w.Body, tt.want)
				}
			})
		})
	}
}

// bubble makes an engine that runs under the bubble's clock, with the queues q
// and q2.
func bubble(t *testing.T, wait string) (*engine.Engine, *Handler) {
	store, err := storage.OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(store, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-done
		e.Close()
	})
	h := New(e, Options{})
	for _, name := range []string{"q", "q2"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, jsonRequest(t.Context(), "CreateQueue",
			`{"QueueName":"`+name+`","Attributes":{"ReceiveMessageWaitTimeSeconds":"`+wait+`"}}`))
		if w.Code != http.StatusOK {
			t.Fatal(w.Body)
		}
	}
	return e, h
}

func jsonRequest(ctx context.Context, action, body string) *http.Request {
	request := httptest.NewRequestWithContext(ctx, "POST", "http://localhost/", strings.NewReader(body))
	request.Header.Set("X-Amz-Target", "AmazonSQS."+action)
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	return request
}

func TestHangingUpSwallowsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, h := bubble(t, "0")
		ctx, hangUp := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			h.ServeHTTP(httptest.NewRecorder(), jsonRequest(ctx, "ReceiveMessage", `{"QueueUrl":"q","WaitTimeSeconds":20}`))
		}()
		synctest.Wait()
		hangUp()
		<-done
		if _, err := e.Send(t.Context(), "q", engine.SendRequest{Body: []byte("x")}); err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, jsonRequest(t.Context(), "ReceiveMessage", `{"QueueUrl":"q","AttributeNames":["All"]}`))
		if !strings.Contains(w.Body.String(), `"ApproximateReceiveCount":"1"`) {
			t.Errorf("the next receive = %s, want the message, received once", w.Body)
		}
	})
}
