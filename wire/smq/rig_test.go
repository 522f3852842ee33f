package smq

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"inflight/engine"
	"inflight/storage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a handler over a real engine with a virtual clock.
type rig struct {
	testing.TB
	*Handler
	now time.Time
}

func newRig(t testing.TB, options Options) *rig {
	t.Helper()
	store, err := storage.OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{TB: t, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	r.open(store, options)
	return r
}

// diskRig is one whose messages survive a restart.
func diskRig(t testing.TB, dir string, now time.Time) *rig {
	t.Helper()
	store, err := storage.Open(dir, storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{TB: t, now: now}
	r.open(store, Options{})
	return r
}

func (r *rig) open(store engine.Store, options Options) {
	r.Helper()
	clock := func() time.Time { return r.now }
	e, err := engine.Open(store, engine.Options{Now: clock})
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(func() { e.Close() })
	options.Now = clock
	r.Handler = New(e, options)
}

// pass lets time go by, and the reaper run at its end.
func (r *rig) pass(d time.Duration) {
	r.Helper()
	r.now = r.now.Add(d)
	if err := r.engine.Tick(r.now); err != nil {
		r.Fatal(err)
	}
}

// reply is an answer to a request.
type reply struct {
	status int
	header http.Header
	text   string
	root   *element
}

func (a reply) code() string { return a.root.words("Code") }

// newRequest makes a request to a path, with a body if that is not empty.
func newRequest(method, path, body string, headers ...string) *http.Request {
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.Host = "1234567890.mns.localhost:9324"
	request.Header.Set("X-Mns-Version", "2015-06-06")
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	return request
}

func (r *rig) ask(method, path, body string, headers ...string) reply {
	r.Helper()
	return r.serve(newRequest(method, path, body, headers...))
}

func (r *rig) serve(request *http.Request) reply {
	r.Helper()
	w := httptest.NewRecorder()
	r.ServeHTTP(w, request)
	a := reply{status: w.Code, header: w.Header(), text: w.Body.String()}
	if a.text != "" {
		if kind := a.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/xml") {
			r.Errorf("%s %s: content type %q", request.Method, request.URL, kind)
		}
		var err error
		if a.root, err = parseXML([]byte(a.text)); err != nil {
			r.Fatalf("answer %q: %v", a.text, err)
		}
	}
	return a
}

// must asks and fails the test unless the answer has that status.
func (r *rig) must(status int, method, path, body string, headers ...string) reply {
	r.Helper()
	a := r.ask(method, path, body, headers...)
	if a.status != status {
		r.Fatalf("%s %s %s: %d %s, want %d", method, path, body, a.status, a.text, status)
	}
	return a
}

// refused asks and wants a refusal; an empty text is not compared.
func (r *rig) refused(status int, code, text, method, path, body string) {
	r.Helper()
	a := r.ask(method, path, body)
	if got := a.root.words("Message"); a.status != status || a.code() != code || text != "" && got != text {
		r.Errorf("%s %s %.200s\n got %d %s %q\nwant %d %s %q", method, path, body, a.status, a.code(), got, status, code, text)
	}
}

// queue makes a queue, with settings as name and value by turns.
func (r *rig) queue(name string, settings ...string) {
	r.Helper()
	r.must(http.StatusCreated, "PUT", "/queues/"+name, settingsXML(settings...))
}

func settingsXML(settings ...string) string {
	return "<Queue>" + elements(settings...) + "</Queue>"
}

func elements(pairs ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		fmt.Fprintf(&b, "<%s>%s</%[1]s>", pairs[i], pairs[i+1])
	}
	return b.String()
}

func policyXML(target string, max int) string {
	return elements("Enabled", "true", "DeadLetterTargetQueue", target, "MaxReceiveCount", strconv.Itoa(max))
}

// put sends a body, with more elements, and returns the answer.
func (r *rig) put(queue, body string, more ...string) *element {
	r.Helper()
	return r.must(http.StatusCreated, "POST", "/queues/"+queue+"/messages", messageXML(body, more...)).root
}

func messageXML(body string, more ...string) string {
	return "<Message>" + elements(append([]string{"MessageBody", body}, more...)...) + "</Message>"
}

// take receives one message.
func (r *rig) take(queue string) *element {
	r.Helper()
	return r.must(http.StatusOK, "GET", "/queues/"+queue+"/messages", "").root
}

// empty wants that there is nothing to receive.
func (r *rig) empty(queue string) {
	r.Helper()
	r.refused(404, "MessageNotExist", "Message not exist.", "GET", "/queues/"+queue+"/messages", "")
}

func handlePath(queue, handle string) string {
	return "/queues/" + queue + "/messages?ReceiptHandle=" + handle
}

func changePath(queue, handle string, seconds any) string {
	return fmt.Sprintf("/queues/%s/messages?receiptHandle=%s&visibilityTimeout=%v", queue, handle, seconds)
}

// wantCounts wants so many active, inactive and delayed messages.
func (r *rig) wantCounts(queue, want string) {
	r.Helper()
	q := r.must(http.StatusOK, "GET", "/queues/"+queue, "").root
	if got := q.words("ActiveMessages") + " " + q.words("InactiveMessages") + " " + q.words("DelayMessages"); got != want {
		r.Errorf("active, inactive, delayed = %s, want %s", got, want)
	}
}

func (r *rig) same(what string, got, want any) {
	r.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		r.Errorf("%s = %v, want %v", what, got, want)
	}
}

// millis is a time as messages have it.
func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }
