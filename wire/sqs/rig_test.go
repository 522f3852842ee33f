package sqs

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"inflight/engine"
	"inflight/storage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// M is a request or an answer, in the names of the JSON protocol.
type M = map[string]any

// L is a list in one.
type L = []any

// rig is a handler over a real engine with a virtual clock. It asks in one
// protocol, and makes a request and an answer of the other look alike.
type rig struct {
	testing.TB
	*Handler
	store *storage.Store
	now   time.Time
	query bool
}

func newRig(t testing.TB, options Options) *rig {
	t.Helper()
	store, err := storage.OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{TB: t, store: store, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	e, err := engine.Open(store, engine.Options{Now: func() time.Time { return r.now }})
	if err != nil {
		t.Fatal(err)
	}
	options.Now = func() time.Time { return r.now }
	r.Handler = New(e, options)
	t.Cleanup(func() { e.Close() })
	return r
}

// both runs a test in either protocol.
func both(t *testing.T, test func(r *rig)) {
	t.Helper()
	for _, query := range []bool{false, true} {
		t.Run(map[bool]string{false: "JSON", true: "Query"}[query], func(t *testing.T) {
			r := newRig(t, Options{})
			r.query = query
			test(r)
		})
	}
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
	status  int
	header  http.Header
	text    string
	members M
	code    string // the Query name of a refusal, empty if there was none
	kind    string // __type, in JSON
	message string
}

// ask sends one request in the protocol of the rig.
func (r *rig) ask(action string, in M, change ...func(*http.Request)) reply {
	r.Helper()
	var request *http.Request
	if r.query {
		form := url.Values{"Action": {action}, "Version": {"2012-11-05"}}
		flatten(form, action, "", in)
		request = httptest.NewRequest("POST", "http://queues.test:9324/", strings.NewReader(form.Encode()))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	} else {
		body, err := json.Marshal(in)
		if err != nil {
			r.Fatal(err)
		}
		request = httptest.NewRequest("POST", "http://queues.test:9324/", strings.NewReader(string(body)))
		request.Header.Set("Content-Type", "application/x-amz-json-1.0")
		request.Header.Set("X-Amz-Target", "AmazonSQS."+action)
	}
	for _, c := range change {
		c(request)
	}
	return r.send(request)
}

// send serves any request and reads its answer.
func (r *rig) send(request *http.Request) reply {
	r.Helper()
	w := httptest.NewRecorder()
	r.ServeHTTP(w, request)
	a := reply{status: w.Code, header: w.Header(), text: w.Body.String()}
	switch kind := w.Header().Get("Content-Type"); kind {
	case "application/x-amz-json-1.0":
		decoder := json.NewDecoder(strings.NewReader(a.text))
		decoder.UseNumber()
		if err := decoder.Decode(&a.members); err != nil {
			r.Fatalf("answer %q: %v", a.text, err)
		}
		if a.kind, _ = a.members["__type"].(string); a.kind != "" {
			a.message, _ = a.members["message"].(string)
			a.code, _, _ = strings.Cut(w.Header().Get("X-Amzn-Query-Error"), ";")
		}
	case "text/xml":
		a.fromXML(r)
	}
	return a
}

func (a *reply) fromXML(r *rig) {
	var root element
	if err := xml.Unmarshal([]byte(a.text), &root); err != nil {
		r.Fatalf("answer %q: %v", a.text, err)
	}
	if root.XMLName.Local == "ErrorResponse" {
		a.code, a.message = root.at("Error", "Code").Text, root.at("Error", "Message").Text
		return
	}
	action := strings.TrimSuffix(root.XMLName.Local, "Response")
	a.members = root.at(action + "Result").members(action)
}

// element is any XML element.
type element struct {
	XMLName  xml.Name
	Text     string    `xml:",chardata"`
	Children []element `xml:",any"`
}

func (e *element) at(path ...string) *element {
	for _, name := range path {
		i := slices.IndexFunc(e.Children, func(c element) bool { return c.XMLName.Local == name })
		if i < 0 {
			return &element{}
		}
		e = &e.Children[i]
	}
	return e
}

// members renames elements to what they are called in JSON.
func (e *element) members(action string) M {
	m := M{}
	list := func(name string, v any) { l, _ := m[name].(L); m[name] = append(l, v) }
	entry := func(name, key string, v any) {
		if m[name] == nil {
			m[name] = M{}
		}
		m[name].(M)[key] = v
	}
	for _, c := range e.Children {
		switch name := c.XMLName.Local; {
		case name == "QueueUrl" && action == "ListQueues":
			list("QueueUrls", c.Text)
		case name == "QueueUrl" && action == "ListDeadLetterSourceQueues":
			list("queueUrls", c.Text)
		case name == "Message" && len(c.Children) > 0:
			list("Messages", c.members(""))
		case name == "BatchResultErrorEntry":
			list("Failed", c.members(""))
		case name == "ListMessageMoveTasksResultEntry":
			list("Results", c.members(""))
		case action != "" && name == action+"ResultEntry": // of a batch
			list("Successful", c.members(""))
		case name == "Attribute":
			entry("Attributes", c.at("Name").Text, c.at("Value").Text)
		case name == "Tag":
			entry("Tags", c.at("Key").Text, c.at("Value").Text)
		case name == "MessageAttribute":
			entry("MessageAttributes", c.at("Name").Text, c.at("Value").members(""))
		default:
			m[name] = c.Text
		}
	}
	return m
}

// flatten turns a request into parameters of the Query protocol.
func flatten(form url.Values, action, prefix string, in M) {
	lists := map[string]string{
		"AttributeNames": "AttributeName", "MessageSystemAttributeNames": "MessageSystemAttributeName",
		"MessageAttributeNames": "MessageAttributeName", "TagKeys": "TagKey", "AWSAccountIds": "AWSAccountId", "Actions": "ActionName",
		"Entries": action + "RequestEntry", "StringListValues": "StringListValue", "BinaryListValues": "BinaryListValue",
	}
	maps := map[string][3]string{
		"Attributes": {"Attribute", "Name", "Value"}, "Tags": {"Tag", "Key", "Value"}, "tags": {"Tag", "Key", "Value"},
		"MessageAttributes":       {"MessageAttribute", "Name", "Value"},
		"MessageSystemAttributes": {"MessageSystemAttribute", "Name", "Value"},
	}
	for name, value := range in {
		switch v := value.(type) {
		case L:
			for i, one := range v {
				path := prefix + lists[name] + "." + strconv.Itoa(i+1)
				if m, ok := one.(M); ok {
					flatten(form, action, path+".", m)
				} else {
					form.Set(path, fmt.Sprint(one))
				}
			}
		case M:
			i := 0
			for key, one := range v {
				i++
				path := prefix + maps[name][0] + "." + strconv.Itoa(i) + "."
				form.Set(path+maps[name][1], key)
				if m, ok := one.(M); ok {
					flatten(form, action, path+maps[name][2]+".", m)
				} else {
					form.Set(path+maps[name][2], fmt.Sprint(one))
				}
			}
		default:
			form.Set(prefix+name, fmt.Sprint(v))
		}
	}
}

// must asks and fails the test if that is refused.
func (r *rig) must(action string, in M) M {
	r.Helper()
	a := r.ask(action, in)
	if a.status != http.StatusOK || a.code != "" {
		r.Fatalf("%s %v: %d %s", action, in, a.status, a.text)
	}
	return a.members
}

// refused asks and wants a refusal: its Query code, with all that belongs to
// it, and its text; an empty text is not compared.
func (r *rig) refused(action string, in M, status int, code, text string) {
	r.Helper()
	a := r.ask(action, in)
	if a.status != status || a.code != code || text != "" && a.message != text {
		r.Errorf("%s %.300v\n got %d %s %q\nwant %d %s %q", action, in, a.status, a.code, a.message, status, code, text)
	}
	r.wantKind(action, a)
}

// invalid is refused with InvalidParameterValue, the most common code.
func (r *rig) invalid(action string, in M, text string) {
	r.Helper()
	r.refused(action, in, 400, "InvalidParameterValue", text)
}

// queue makes a queue, attributes as name and value by turns, and returns its URL.
func (r *rig) queue(name string, attributes ...string) string {
	r.Helper()
	given := M{}
	if strings.HasSuffix(name, ".fifo") {
		given["FifoQueue"] = "true"
	}
	for i := 0; i+1 < len(attributes); i += 2 {
		given[attributes[i]] = attributes[i+1]
	}
	return r.must("CreateQueue", M{"QueueName": name, "Attributes": given})["QueueUrl"].(string)
}

func (r *rig) arnOf(name string) string { return "arn:aws:sqs:us-east-1:000000000000:" + name }

// deadTo is a redrive policy.
func (r *rig) deadTo(name string, max int) string {
	return fmt.Sprintf(`{"deadLetterTargetArn":"%s","maxReceiveCount":%d}`, r.arnOf(name), max)
}

// put sends a body, with more members.
func (r *rig) put(queue, body string, more ...M) M {
	r.Helper()
	return r.must("SendMessage", with(M{"QueueUrl": queue, "MessageBody": body}, more...))
}

func with(m M, more ...M) M {
	all := M{}
	for _, other := range append([]M{m}, more...) {
		for k, v := range other {
			all[k] = v
		}
	}
	return all
}

// take receives up to n messages, with all that can be asked for.
func (r *rig) take(queue string, n int, more ...M) []M {
	r.Helper()
	in := with(M{"QueueUrl": queue, "MaxNumberOfMessages": n, "AttributeNames": L{"All"}, "MessageAttributeNames": L{"All"}}, more...)
	var all []M
	list, _ := r.must("ReceiveMessage", in)["Messages"].(L)
	for _, m := range list {
		all = append(all, m.(M))
	}
	return all
}

// bodiesOf are the bodies of messages.
func bodiesOf(messages []M) string {
	var all []string
	for _, m := range messages {
		all = append(all, m["Body"].(string))
	}
	return strings.Join(all, " ")
}

// takes receives and compares the bodies.
func (r *rig) takes(queue string, n int, want string) []M {
	r.Helper()
	messages := r.take(queue, n)
	if got := bodiesOf(messages); got != want {
		r.Errorf("received %q, want %q", got, want)
	}
	return messages
}

func (r *rig) drop(queue string, m M) {
	r.Helper()
	r.must("DeleteMessage", M{"QueueUrl": queue, "ReceiptHandle": m["ReceiptHandle"]})
}

func (r *rig) hide(queue string, m M, seconds int) {
	r.Helper()
	r.must("ChangeMessageVisibility", M{"QueueUrl": queue, "ReceiptHandle": m["ReceiptHandle"], "VisibilityTimeout": seconds})
}

// attributes reads attributes of a queue.
func (r *rig) attributes(queue string, names ...any) M {
	r.Helper()
	if len(names) == 0 {
		names = L{"All"}
	}
	m, _ := r.must("GetQueueAttributes", M{"QueueUrl": queue, "AttributeNames": names})["Attributes"].(M)
	return m
}

// counts are visible, in flight and delayed messages.
func (r *rig) counts(queue string) string {
	r.Helper()
	a := r.attributes(queue)
	return fmt.Sprint(a["ApproximateNumberOfMessages"], " ", a["ApproximateNumberOfMessagesNotVisible"], " ", a["ApproximateNumberOfMessagesDelayed"])
}

func (r *rig) wantCounts(queue, want string) {
	r.Helper()
	if got := r.counts(queue); got != want {
		r.Errorf("visible, in flight, delayed = %s, want %s", got, want)
	}
}

// same compares two things as they print, which takes 1 for "1" and 1.0.
func (r *rig) same(what string, got, want any) {
	r.Helper()
	if !reflect.DeepEqual(got, want) && fmt.Sprint(got) != fmt.Sprint(want) {
		r.Errorf("%s = %v, want %v", what, got, want)
	}
}
