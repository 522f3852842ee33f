package smq

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"inflight/storage"
)

// TestErrorDocument compares a refusal with the sheet: four children, and the
// name space of the live service.
func TestErrorDocument(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	a := r.ask("GET", "/queues/q/messages", "")
	id := a.header.Get("X-Mns-Request-Id")
	r.same("answer", a.text, `<?xml version="1.0" ?>
<Error xmlns="http://mns.aliyuncs.com/doc/v1">
<Code>MessageNotExist</Code>
<Message>Message not exist.</Message>
<RequestId>`+id+`</RequestId>
<HostId>http://1234567890.mns.localhost:9324</HostId>
</Error>
`)
	if !regexp.MustCompile(`^[0-9A-F]{24}$`).MatchString(id) {
		t.Errorf("request id %q", id)
	}
	r.same("content type", a.header.Get("Content-Type"), "text/xml;charset=utf-8")
	w := httptest.NewRecorder()
	r.RefuseHost(w, newRequest("GET", "/queues", ""))
	web := httptest.NewRecorder()
	r.RefuseWebPage(web, newRequest("GET", "/queues", ""))
	if w.Code != 403 || web.Code != 403 || !strings.Contains(w.Body.String()+web.Body.String(), "<Code>AccessDenied</Code>") {
		t.Errorf("refusals of hosts and web pages: %d %s, %d %s", w.Code, w.Body, web.Code, web.Body)
	}
}

// TestNearlyFullDisk: it takes nothing more, says so with a status that clients
// try again on, and still deletes.
func TestNearlyFullDisk(t *testing.T) {
	var free atomic.Uint64
	free.Store(10 * storage.Reserve)
	store, err := storage.Open(t.TempDir(), storage.Options{Free: func() (uint64, error) { return free.Load(), nil }})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{TB: t, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	r.open(store, Options{})
	r.queue("q")
	r.put("q", "x")
	handle := r.take("q").words("ReceiptHandle")
	free.Store(storage.Reserve - 1)
	r.pass(time.Second)
	const full = "The disk of the queue engine is nearly full; deletes still pass."
	r.refused(503, "InternalError", full, "POST", "/queues/q/messages", messageXML("x"))
	r.refused(503, "InternalError", full, "POST", "/queues/q/messages", messagesXML(messageXML("x")))
	r.refused(503, "InternalError", full, "PUT", "/queues/new", "")
	r.must(http.StatusNoContent, "DELETE", handlePath("q", handle), "")
}

func TestURL(t *testing.T) {
	r := newRig(t, Options{URL: "http://queues.example:9324/"})
	r.same("Location", r.must(http.StatusCreated, "PUT", "/queues/q/", "").header.Get("Location"), "http://queues.example:9324/queues/q")
	for _, tt := range [][2]string{
		{"POST", "/queues"}, {"PATCH", "/queues/q"}, {"PATCH", "/queues/q/messages"}, {"GET", "/queues/q/other"},
		{"GET", "/queues/q/messages/1"}, {"GET", "/queues//messages"}, {"GET", "/topics"},
		{"GET", "/queues/q%2Fmessages"}, {"DELETE", "/queues/q%2fmessages"}, {"PUT", "/queues/%2F"},
	} {
		r.refused(400, "InvalidRequestURL", "Http request URL format invalid.", tt[0], tt[1], "")
	}
}

func TestContentMD5(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	body := messageXML("x")
	for _, digest := range []string{ // by different programs: openssl, and the clients' way
		"Base64 of the digits", "Base64 of the bytes", "digits",
	} {
		r.must(http.StatusCreated, "POST", "/queues/q/messages", body, "Content-MD5", digestForms(body)[digest])
	}
	for _, bad := range []string{digestForms("other")["Base64 of the digits"], "x"} {
		if a := r.ask("POST", "/queues/q/messages", body, "Content-MD5", bad); a.status != 400 || a.code() != "InvalidDegist" {
			t.Errorf("Content-MD5 %s: %d %s", bad, a.status, a.text)
		}
	}
}

// TestXMLRead reads what clients send, and refuses bombs.
func TestXMLRead(t *testing.T) {
	good := map[string]string{
		`<a xmlns="http://mns.aliyuncs.com/doc/v1/"><b> x </b></a>`:                     " x ",
		`<?xml version="1.0" encoding="UTF-8"?><!-- c --><a><b>&lt;&#x41;&amp;</b></a>`: "<A&",
		`<m:a xmlns:m="urn:x"><m:b><![CDATA[<p>]]>!</m:b></m:a>`:                        "<p>!",
		"\uFEFF<a x='&amp;' y = \"1\"><b>1\r\n2\r3&#13;</b ></a>\n":                     "1\n2\n3\r",
	}
	for text, want := range good {
		root, err := parseXML([]byte(text))
		if err != nil || root.name != "a" || string(root.child("b").text) != want {
			t.Errorf("parseXML(%q) = %+v, %v; want %q", text, root, err, want)
		}
	}
	if root, err := parseXML([]byte(" \n")); root != nil || err != nil {
		t.Errorf("parseXML of space = %v, %v", root, err)
	}
	laughs := `<!DOCTYPE a [<!ENTITY l "lol"><!ENTITY m "&l;&l;&l;&l;">]><a>&m;</a>`
	for _, text := range []string{
		laughs, `<a>&m;</a>`, `<a>`, `<a></b>`, `<a/><a/>`, `<a/>x`, `x`, "<a>\x00</a>", "<a>\xff</a>", `<a>&#0;</a>`, `<!-- -->`,
		`<?xml version="1.0" encoding="GBK"?><a/>`,
		`<?xml version="1.1"?><a/>`, `<a`, `<a b>`, `<a b=1>`, `<a b="<"/>`, `<a b="&x;"/>`, `<a b="1/>`, `<a/ >`, `<a>]]></a>`, `<a>&#xD800;</a>`,
		`<a>&lt</a>`, `<a><![CDATA[</a>`, `<![CDATA[]]><a/>`, `<!-- -- --><a/>`, `<!-- `, `<?`, `<? ?><a/>`, `<x:a></a>`, `<:a/>`, `<a:/>`, `<a:b:c/>`, `</a>`, `<a></a></a>`,
		strings.Repeat("<a>", 9) + strings.Repeat("</a>", 9), "<a>" + strings.Repeat("<b/>", maxElements) + "</a>",
	} {
		if root, err := parseXML([]byte(text)); err == nil || refusal(err).code != codeMalformed {
			t.Errorf("parseXML(%.80q) = %v, %v; want MalformedXML", text, root, err)
		}
	}
	r := newRig(t, Options{})
	r.queue("q")
	r.refused(400, "MalformedXML", "", "POST", "/queues/q/messages", laughs)
	r.refused(400, "InvalidArgument", "The value of Content-Length must be between 0 and 1048576 bytes.",
		"POST", "/queues/q/messages", messageXML(strings.Repeat("x", MaxBody)))
}

// TestXMLWrite: a body comes back as it was sent; what XML cannot carry, which
// only the console can send, becomes U+FFFD.
func TestXMLWrite(t *testing.T) {
	body := "<&>\"'\r\n\t é 测 \U0001F600 ]]>"
	text := string(appendXML(nil, body))
	var back struct {
		Text string `xml:",chardata"`
	}
	if err := xml.Unmarshal([]byte("<a>"+text+"</a>"), &back); err != nil || back.Text != body {
		t.Errorf("appendXML(%q) = %q, which is read as %q, %v", body, text, back.Text, err)
	}
	if got := string(appendXML(nil, "\x00a\xff\uFFFE")); got != "\uFFFDa\uFFFD\uFFFD" {
		t.Errorf("appendXML of what cannot be = %q", got)
	}
}

// FuzzXML reads anything: nothing may panic, and what is read must be what
// encoding/xml reads, within the limits.
func FuzzXML(f *testing.F) {
	for _, seed := range []string{
		"", messageXML("x", "Priority", "1"), messagesXML(messageXML("a"), messageXML("b")), handlesXML("a"), settingsXML("DelaySeconds", "1"),
		`<!DOCTYPE a [<!ENTITY l "lol">]><a>&l;</a>`, "<a><a><a><a><a><a><a><a><a>", `<m:a xmlns:m="u"><![CDATA[x]]></m:a>`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		root, err := parseXML(text)
		if err != nil {
			if refusal(err).code != codeMalformed {
				t.Errorf("parseXML(%q) = %v", text, err)
			}
			return
		}
		if root == nil {
			return
		}
		if elements, depth := measure(root); elements > maxElements || depth > maxDepth {
			t.Errorf("parseXML(%q) took %d elements, %d deep", text, elements, depth)
		}
		want, err := reread(text)
		if err != nil {
			t.Fatalf("parseXML(%q) took what is no XML: %v", text, err)
		}
		if !reflect.DeepEqual(root, want) {
			t.Errorf("parseXML(%q) differs from what encoding/xml reads:\n%s\n%s", text, shown(root), shown(want))
		}
		var in sendInput
		in.read(&source{body: root})
	})
}

// reread reads a document with encoding/xml.
func reread(text []byte) (root *element, err error) {
	decoder := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\uFEFF"))))
	var open []*element
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return root, nil
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local}
			if len(open) == 0 {
				root = e
			} else {
				parent := open[len(open)-1]
				parent.children = append(parent.children, e)
			}
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text = append(open[len(open)-1].text, token...)
			}
		}
	}
}

func shown(e *element) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q", e.name, e.text)
	for _, c := range e.children {
		b.WriteString(" (" + shown(c) + ")")
	}
	return b.String()
}

func measure(e *element) (elements, depth int) {
	elements = 1
	for _, c := range e.children {
		n, d := measure(c)
		elements, depth = elements+n, max(depth, d)
	}
	return elements, depth + 1
}

// FuzzRequest sends anything: every answer has a known status and, if it has a
// body, is XML.
func FuzzRequest(f *testing.F) {
	f.Add("PUT", "/queues/q/messages", "receiptHandle=MbZj6wDWli+QEauMZc8ZRv37sIW2iJKq3M9Mx/KSbkJ0&visibilityTimeout=50", "")
	f.Add("GET", "/queues/q/messages", "numOfMessages=16&peekonly=true", "")
	f.Add("POST", "/queues/q/messages", "", messagesXML(messageXML("a"), messageXML("b", "DelaySeconds", "1")))
	f.Add("DELETE", "/queues/q/messages", "", handlesXML("a", "b"))
	f.Add("PUT", "/queues/q", "metaoverride=true", settingsXML("DlqPolicy", policyXML("dead", 1)))
	f.Fuzz(func(t *testing.T, method, path, query, body string) {
		if !strings.HasPrefix(path, Path) || strings.Contains(query, "waitseconds") || strings.Contains(body, "PollingWaitSeconds") {
			return
		}
		if !regexp.MustCompile(`^(GET|PUT|POST|DELETE)$`).MatchString(method) {
			return
		}
		request := newRequest(method, "/queues", body)
		parsed, err := request.URL.Parse(path)
		if err != nil || parsed.Host != "" {
			return
		}
		parsed.RawQuery = query
		request.URL = parsed
		r := newRig(t, Options{})
		r.queue("q")
		r.put("q", "x")
		if a := r.serve(request); a.status < 200 || a.status > 409 && a.status != 500 {
			t.Errorf("%s %s?%s %q: %d %s", method, path, query, body, a.status, a.text)
		} else if a.status == 500 && a.root.name != "Messages" {
			t.Errorf("%s %s?%s %q: %d %s", method, path, query, body, a.status, a.text)
		}
	})
}
