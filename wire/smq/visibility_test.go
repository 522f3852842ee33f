package smq

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestChangeMessageVisibility is the second seed: its example, and its
// request and answer.
func TestChangeMessageVisibility(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q", "VisibilityTimeout", "60")
	r.put("q", "work")
	first := r.take("q")
	received := r.now
	r.same("NextVisibleTime", first.words("NextVisibleTime"), millis(received.Add(60*time.Second)))
	r.pass(15 * time.Second)
	a := r.must(http.StatusOK, "PUT", changePath("q", first.words("ReceiptHandle"), 30), "")
	r.same("root", a.root.name, "ChangeVisibility")
	renewed := a.root.words("ReceiptHandle")
	want := `<?xml version="1.0" ?>
<ChangeVisibility xmlns="http://mns.aliyuncs.com/doc/v1">
<ReceiptHandle>` + renewed + `</ReceiptHandle>
<NextVisibleTime>` + millis(received.Add(45*time.Second)) + `</NextVisibleTime>
</ChangeVisibility>
`
	r.same("answer", a.text, want)
	r.same("digits of the time", len(a.root.words("NextVisibleTime")), 13)
	r.pass(29 * time.Second)
	r.empty("q")
	r.pass(time.Second)
	r.same("DequeueCount", r.take("q").words("DequeueCount"), 2)
}

// TestChangeMessageVisibilityAgain: nothing caps the total. SQS ends it 12
// hours after the receive.
func TestChangeMessageVisibilityAgain(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	r.put("q", "work")
	handle := r.take("q").words("ReceiptHandle")
	for range 3 {
		r.pass(20 * time.Second)
		a := r.must(http.StatusOK, "PUT", changePath("q", handle, maxVisibility), "").root
		r.same("NextVisibleTime", a.words("NextVisibleTime"), millis(r.now.Add(12*time.Hour)))
		handle = a.words("ReceiptHandle")
		r.pass(12*time.Hour - 30*time.Second)
	}
	r.must(http.StatusNoContent, "DELETE", handlePath("q", handle), "")
}

// TestChangeMessageVisibilityErrors are the seed's four, with its texts.
func TestChangeMessageVisibilityErrors(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q", "VisibilityTimeout", "60")
	r.queue("other")
	r.put("q", "work")
	r.put("other", "work")
	good, foreign := r.take("q").words("ReceiptHandle"), r.take("other").words("ReceiptHandle")
	forged := good[:len(good)-2] + "AA"
	const (
		between = "The value of VisibilityTimeout must be between 1 and 43200 seconds."
		invalid = "The receipt handle you provided is not valid."
	)
	tests := []struct {
		name       string
		path       string
		status     int
		code, text string
	}{
		{"no second", changePath("q", good, 0), 400, "InvalidArgument", between},
		{"a second over 12 hours", changePath("q", good, 43201), 400, "InvalidArgument", between},
		{"the seed's slip", changePath("q", good, 143200), 400, "InvalidArgument", between},
		{"no number", changePath("q", good, "soon"), 400, "InvalidArgument", between},
		{"a handle that is none", changePath("q", "nonsense", 50), 400, "ReceiptHandleError", invalid},
		{"the seed's handle, plus and slash unescaped", changePath("q", "MbZj6wDWli+QEauMZc8ZRv37sIW2iJKq3M9Mx/KSbkJ0", 50), 400, "ReceiptHandleError", invalid},
		{"a handle with a false check", changePath("q", forged, 50), 400, "ReceiptHandleError", invalid},
		{"another queue's handle", changePath("q", foreign, 50), 400, "ReceiptHandleError", invalid},
		{"no queue", changePath("missing", good, 50), 404, "QueueNotExist", "The queue name you provided does not exist."},
		{"no handle", "/queues/q/messages?visibilityTimeout=50", 400, "MissingReceiptHandle", "ReceiptHandle is required."},
		{"no timeout", "/queues/q/messages?receiptHandle=" + good, 400, "MissingVisibilityTimeout", "VisibilityTimeout is required."},
		{"the queue comes first", "/queues/missing/messages", 404, "QueueNotExist", ""},
		{"the range comes before the handle", changePath("q", "nonsense", 0), 400, "InvalidArgument", between},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r.TB = t
			r.refused(tt.status, tt.code, tt.text, "PUT", tt.path, "")
		})
	}
	r.TB = t
	const expired = "The receipt handle you provided has expired."
	renewed := r.must(http.StatusOK, "PUT", changePath("q", good, 43200), "").root.words("ReceiptHandle")
	r.refused(404, "MessageNotExist", expired, "PUT", changePath("q", good, 50), "") // spent
	r.must(http.StatusOK, "PUT", changePath("q", renewed, 1), "")
	r.pass(time.Second)
	r.refused(404, "MessageNotExist", expired, "PUT", changePath("q", renewed, 50), "")
	last := r.take("q").words("ReceiptHandle")
	r.must(http.StatusNoContent, "DELETE", handlePath("q", last), "")
	r.refused(404, "MessageNotExist", "Message not exist.", "PUT", changePath("q", last, 50), "")
}

func TestParametersInAnyCase(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	r.put("q", "work")
	handle := r.take("q").words("ReceiptHandle")
	for _, names := range []string{"receiptHandle=%h&visibilityTimeout=50", "VisibilityTimeout=50&ReceiptHandle=%h", "RECEIPTHANDLE=%h&&visibilitytimeout=50&unknown=1"} {
		handle = r.must(http.StatusOK, "PUT", "/queues/q/messages?"+strings.ReplaceAll(names, "%h", handle), "").root.words("ReceiptHandle")
	}
	escaped := strings.ReplaceAll(strings.ReplaceAll(handle, "-", "%2D"), "_", "%5f")
	r.must(http.StatusOK, "PUT", changePath("q", escaped, 50), "")
	r.refused(400, "InvalidQueryString", `Http request URL contains invalid querystring item "a=%zz".`, "GET", "/queues/q/messages?a=%zz", "")
}

// TestFlags: a parameter that tells two actions apart is true or false; what
// is neither does the one as little as the other.
func TestFlags(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	r.put("q", "x")
	for _, value := range []string{"", "=", "=1", "=yes"} {
		r.refused(400, "InvalidQueryString", "", "GET", "/queues/q/messages?PeekOnly"+value, "")
		r.refused(400, "InvalidQueryString", "", "GET", "/queues/q/messages?numOfMessages=1&peekonly"+value, "")
		r.refused(400, "InvalidQueryString", "", "PUT", "/queues/new?metaOverride"+value, "")
	}
	r.refused(400, "InvalidQueryString", `Http request URL contains invalid querystring item "peekonly=1".`, "GET", "/queues/q/messages?peekOnly=1", "")
	r.refused(404, "QueueNotExist", "", "GET", "/queues/new", "")
	r.must(http.StatusOK, "GET", "/queues/q/messages?peekonly=True", "")
	r.wantCounts("q", "1 0 0")
	r.must(http.StatusOK, "GET", "/queues/q/messages?peekonly=false", "")
	r.wantCounts("q", "0 1 0")
	r.must(http.StatusCreated, "PUT", "/queues/new?metaoverride=False", "")
}

// TestPlusInQuery: what clients send unescaped stays as it is.
func TestPlusInQuery(t *testing.T) {
	query, err := parseQuery("ReceiptHandle=a+b/c==&X=%2B%20;&x=2")
	if err != nil || query["receipthandle"] != "a+b/c==" || query["x"] != "+ ;" {
		t.Errorf("parseQuery = %q, %v", query, err)
	}
}

// TestHandlesAfterRestart: stale, expired, used and never issued stay apart.
func TestHandlesAfterRestart(t *testing.T) {
	dir := t.TempDir()
	r := diskRig(t, dir, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	r.queue("q", "VisibilityTimeout", "60")
	r.put("q", "a")
	r.put("q", "b")
	r.put("q", "c")
	stale := r.take("q").words("ReceiptHandle")
	current := r.must(http.StatusOK, "PUT", changePath("q", stale, 600), "").root.words("ReceiptHandle")
	expired := r.take("q").words("ReceiptHandle")
	used := r.take("q").words("ReceiptHandle")
	r.must(http.StatusNoContent, "DELETE", handlePath("q", used), "")
	r.pass(61 * time.Second)
	if err := r.engine.Close(); err != nil {
		t.Fatal(err)
	}
	r = diskRig(t, dir, r.now)
	for _, tt := range []struct {
		handle string
		status int
		code   string
	}{
		{stale, 404, "MessageNotExist"}, {expired, 404, "MessageNotExist"}, {used, 404, "MessageNotExist"},
		{current[:40] + "AAAAAAAA", 400, "ReceiptHandleError"}, {"nonsense", 400, "ReceiptHandleError"}, {current, 204, ""},
	} {
		if a := r.ask("DELETE", handlePath("q", tt.handle), ""); a.status != tt.status || a.code() != tt.code {
			t.Errorf("delete with %s after a restart: %d %s, want %d %s", tt.handle, a.status, a.code(), tt.status, tt.code)
		}
	}
}
