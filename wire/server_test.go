package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"inflight/engine"
	"inflight/storage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// rig is a server over a real engine with a clock that stands still.
type rig struct {
	testing.TB
	*Server
	now    time.Time
	served chan string // of tests that want to know when a request is done
}

func newRig(t testing.TB, o Options) *rig {
	t.Helper()
	store, err := storage.OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{TB: t, now: start}
	now := func() time.Time { return r.now }
	e, err := engine.Open(store, engine.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	if o.Now == nil {
		o.Now = now
	}
	if r.Server, err = New(e, o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.stop(nil) })
	return r
}

// ask sends a request and returns its status and answer.
func (r *rig) ask(request *http.Request) (int, string) {
	r.Helper()
	w := httptest.NewRecorder()
	r.ServeHTTP(w, request)
	return w.Code, w.Body.String()
}

func jsonRequest(action, body string) *http.Request {
	request := httptest.NewRequest("POST", "http://localhost:9324/", strings.NewReader(body))
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("X-Amz-Target", "AmazonSQS."+action)
	return request
}

func (r *rig) must(action, body string) string {
	r.Helper()
	status, text := r.ask(jsonRequest(action, body))
	if status != http.StatusOK {
		r.Fatalf("%s %s: %d %s", action, body, status, text)
	}
	return text
}

func TestHosts(t *testing.T) {
	r := newRig(t, Options{Hosts: []string{"queues.example"}, URL: "http://advertised:9324"})
	tests := []struct {
		host string
		want int
	}{
		{"localhost:9324", 200}, {"LOCALHOST", 200}, {"sqs.us-east-1.localhost:1", 200}, {"127.0.0.1:9324", 200}, {"[::1]:9324", 200},
		{"192.0.2.1", 200}, {"queues.example:80", 200}, {"queues.example.:80", 200}, {"localhost.", 200}, {"advertised:9324", 200},
		{"evil.example", 403}, {"localhost.evil.example", 403}, {"127.0.0.1.evil.example", 403}, {"", 403},
	}
	for _, tt := range tests {
		request := jsonRequest("ListQueues", "{}")
		request.Host = tt.host
		if status, text := r.ask(request); status != tt.want {
			t.Errorf("host %q = %d %s, want %d", tt.host, status, text, tt.want)
		}
	}
	any := newRig(t, Options{Hosts: []string{"*"}})
	request := jsonRequest("ListQueues", "{}")
	request.Host = "evil.example"
	if status, _ := any.ask(request); status != 200 {
		t.Errorf("a foreign host, where any is allowed: %d", status)
	}
}

func TestWebPages(t *testing.T) {
	r := newRig(t, Options{})
	tests := []struct {
		header, value string
		want          int
	}{
		{"Origin", "https://evil.example", 403}, {"Origin", "null", 403}, {"Origin", "", 403}, {"Origin", "http://localhost:9324", 403},
		{"Sec-Fetch-Site", "cross-site", 403}, {"Sec-Fetch-Site", "same-site", 403}, {"Sec-Fetch-Site", "none", 200}, {"Sec-Fetch-Site", "same-origin", 200},
		{"Referer", "http://evil.example/page", 403}, {"Referer", "http://localhost:3000/", 403}, {"Referer", "http://localhost.evil.example/", 403}, {"Referer", "%zz", 403},
		{"Referer", "http://LOCALHOST/page", 200}, {"Referer", "", 200},
	}
	for _, tt := range tests {
		for _, target := range []string{"http://localhost/?Action=ListQueues", "http://localhost" + metricsPath, "http://localhost" + healthPath} {
			request := httptest.NewRequest("GET", target, nil)
			request.Header[tt.header] = []string{tt.value}
			if status, text := r.ask(request); status != tt.want {
				t.Errorf("%s: %q to %s = %d %s, want %d", tt.header, tt.value, target, status, text, tt.want)
			}
		}
	}
}

func TestExposure(t *testing.T) {
	credentials, err := NewCredentials([]Credential{{AccessKey: "k", SecretKey: "s"}})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		options Options
		want    error
	}{
		{"the default", Options{}, nil},
		{"loopback", Options{Listen: "[::1]:0"}, nil},
		{"localhost", Options{Listen: "localhost:0"}, nil},
		{"every interface", Options{Listen: ":9324"}, ErrExposed},
		{"every interface by address", Options{Listen: "0.0.0.0:9324"}, ErrExposed},
		{"an address of the network", Options{Listen: "192.0.2.1:9324"}, ErrExposed},
		{"with leave", Options{Listen: ":9324", Insecure: true}, nil},
		{"with credentials", Options{Listen: ":9324", Credentials: credentials}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := New(nil, tt.options); !errors.Is(err, tt.want) {
				t.Errorf("New(%+v) = %v, want %v", tt.options, err, tt.want)
			}
		})
	}
}

func TestServeStops(t *testing.T) {
	seen := make(chan string, 10)
	r := newRig(t, Options{Listen: "127.0.0.1:0", Seen: func(_, action string) { seen <- action }})
	r.must("CreateQueue", `{"QueueName":"q"}`)
	<-seen
	l, err := r.Listen()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- r.Serve(ctx, l) }()
	polled := make(chan string, 1)
	go func() {
		request := jsonRequest("ReceiveMessage", `{"QueueUrl":"q","WaitTimeSeconds":20}`)
		request.URL, _ = url.Parse("http://" + l.Addr().String() + "/")
		request.RequestURI = ""
		answer, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			polled <- err.Error()
			return
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		polled <- answer.Status + " " + string(text)
	}()
	<-seen // the long poll is there
	stop()
	if err := <-served; err != nil {
		t.Errorf("Serve = %v", err)
	}
	if got := <-polled; !strings.HasPrefix(got, "503") || !strings.Contains(got, "stopping") {
		t.Errorf("the long poll got %s", got)
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}

func TestConnectionLimit(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := limit(inner, 1)
	accepted := make(chan net.Conn)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	var clients []net.Conn
	for range 2 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		clients = append(clients, c)
	}
	first := <-accepted
	select {
	case <-accepted:
		t.Error("a second connection was accepted while the first was open")
	default:
	}
	first.Close()
	first.Close()
	second := <-accepted
	l.Close()
	<-done
	second.Close()
	for _, c := range clients {
		c.Close()
	}
}

func TestHealth(t *testing.T) {
	r := newRig(t, Options{})
	if status, text := r.ask(httptest.NewRequest("GET", "http://localhost"+healthPath, nil)); status != 200 || !strings.Contains(text, "ok") {
		t.Errorf("health = %d %s", status, text)
	}
	r.engine.Close()
	if status, text := r.ask(httptest.NewRequest("GET", "http://localhost"+healthPath, nil)); status != 503 || !strings.Contains(text, "closed") {
		t.Errorf("health of a closed engine = %d %s", status, text)
	}
}

func TestMetrics(t *testing.T) {
	r := newRig(t, Options{})
	r.must("CreateQueue", `{"QueueName":"q"}`)
	for range 2 {
		r.must("SendMessage", `{"QueueUrl":"q","MessageBody":"x"}`)
	}
	r.must("ReceiveMessage", `{"QueueUrl":"q"}`)
	r.must("SendMessage", `{"QueueUrl":"q","MessageBody":"x","DelaySeconds":9}`)
	r.ask(jsonRequest("NoSuchAction", `{}`))
	r.now = r.now.Add(5 * time.Second)
	_, text := r.ask(httptest.NewRequest("GET", "http://localhost"+metricsPath, nil))
	for _, want := range []string{
		`# TYPE inflight_messages gauge`,
		`inflight_messages{queue="q",region="us-east-1",state="visible"} 1`,
		`inflight_messages{queue="q",region="us-east-1",state="in_flight"} 1`,
		`inflight_messages{queue="q",region="us-east-1",state="delayed"} 1`,
		`inflight_oldest_message_age_seconds{queue="q",region="us-east-1"} 5`,
		`inflight_sent_total{queue="q",region="us-east-1"} 3`,
		`inflight_received_total{queue="q",region="us-east-1"} 1`,
		`inflight_requests_total{action="SendMessage"} 3`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("metrics lack %s:\n%s", want, text)
		}
	}
	if strings.Contains(text, "NoSuchAction") {
		t.Error("a client can make up labels")
	}
	if n := strings.Count(text, "# TYPE inflight_messages "); n != 1 {
		t.Errorf("TYPE of inflight_messages stands %d times", n)
	}
}

// inspect asks the inspection API in JSON and returns its messages.
func (r *rig) inspect(query string) (messages []map[string]any, code string) {
	r.Helper()
	request := httptest.NewRequest("GET", "http://localhost/_aws/sqs/messages"+query, nil)
	request.Header.Set("Accept", "application/json")
	status, text := r.ask(request)
	var got struct {
		ReceiveMessageResponse struct{ ReceiveMessageResult *struct{ Message any } }
		ErrorResponse          struct{ Error struct{ Code string } }
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		r.Fatalf("%s: %v", text, err)
	}
	if status != 200 {
		return nil, got.ErrorResponse.Error.Code
	}
	if got.ReceiveMessageResponse.ReceiveMessageResult == nil {
		return nil, ""
	}
	switch m := got.ReceiveMessageResponse.ReceiveMessageResult.Message.(type) {
	case map[string]any: // one alone is no list
		messages = append(messages, m)
	case []any:
		for _, one := range m {
			messages = append(messages, one.(map[string]any))
		}
	}
	return messages, ""
}

func attributesOf(m map[string]any) map[string]string {
	all := map[string]string{}
	for _, a := range m["Attribute"].([]any) {
		all[a.(map[string]any)["Name"].(string)] = a.(map[string]any)["Value"].(string)
	}
	return all
}

func bodies(messages []map[string]any) string {
	var all []string
	for _, m := range messages {
		all = append(all, m["Body"].(string))
	}
	return strings.Join(all, " ")
}

func TestInspection(t *testing.T) {
	r := newRig(t, Options{})
	r.must("CreateQueue", `{"QueueName":"q"}`)
	if got, code := r.inspect("?QueueUrl=q"); got != nil || code != "" {
		t.Errorf("an empty queue = %v %s, want null", got, code)
	}
	for _, body := range []string{"message-1", "message-2", strings.Repeat("long", 500)} {
		r.must("SendMessage", `{"QueueUrl":"q","MessageBody":"`+body+`","MessageAttributes":{"k":{"DataType":"String","StringValue":"v"}}}`)
		r.now = r.now.Add(time.Second)
	}
	r.must("SendMessage", `{"QueueUrl":"q","MessageBody":"delayed","DelaySeconds":60}`)
	r.must("ReceiveMessage", `{"QueueUrl":"q"}`)
	long := " " + strings.Repeat("long", 500)
	tests := []struct{ query, want string }{
		{"?QueueUrl=q", "message-2" + long},
		{"?QueueUrl=" + url.QueryEscape("http://localhost/000000000000/q"), "message-2" + long},
		{"/us-east-1/000000000000/q", "message-2" + long},
		{"?QueueUrl=q&ShowInvisible=True", "message-1 message-2" + long},
		{"?QueueUrl=q&ShowDelayed=true", "message-2" + long + " delayed"},
		{"?QueueUrl=q&ShowInvisible=true&ShowDelayed=true&Limit=1", "message-1"},
	}
	for _, tt := range tests {
		if got, code := r.inspect(tt.query); bodies(got) != tt.want || code != "" {
			t.Errorf("%s = %s %s, want %s", tt.query, bodies(got), code, tt.want)
		}
	}
	all, _ := r.inspect("?QueueUrl=q&ShowInvisible=true&ShowDelayed=true")
	for i, want := range []map[string]string{
		{"IsVisible": "false", "IsDelayed": "false", "ApproximateReceiveCount": "1", "SenderId": "000000000000"},
		{"IsVisible": "true", "IsDelayed": "false", "ApproximateReceiveCount": "0", "ApproximateFirstReceiveTimestamp": "0"},
		{"IsVisible": "true"}, {"IsVisible": "false", "IsDelayed": "true"},
	} {
		got := attributesOf(all[i])
		for name, v := range want {
			if got[name] != v {
				t.Errorf("message %d: %s = %q, want %q", i, name, got[name], v)
			}
		}
	}
	for query, want := range map[string]string{
		"": "AWS.SimpleQueueService.NonExistentQueue", "?QueueUrl=no": "AWS.SimpleQueueService.NonExistentQueue",
		"/us-east-2/000000000000/q": "AWS.SimpleQueueService.NonExistentQueue", "?QueueUrl=http%3A%2F%2Flocalhost%2Fnonsense": "InvalidAddress",
	} {
		if _, code := r.inspect(query); code != want {
			t.Errorf("%s = %s, want %s", query, code, want)
		}
	}
}

func TestInspectionInBothProtocols(t *testing.T) {
	r := newRig(t, Options{})
	r.must("CreateQueue", `{"QueueName":"q"}`)
	r.must("SendMessage", `{"QueueUrl":"q","MessageBody":"x"}`)
	as := func(action string) *http.Request {
		request := jsonRequest(action, `{"QueueUrl":"q","MaxNumberOfMessages":1}`)
		request.URL.Path = "/_aws/sqs/messages"
		return request
	}
	for range 2 {
		status, text := r.ask(as("ReceiveMessage"))
		if status != 200 || !strings.Contains(text, `"ApproximateReceiveCount":"0"`) || !strings.Contains(text, `"Messages":[`) {
			t.Errorf("in JSON 1.0: %d %s", status, text)
		}
	}
	if status, text := r.ask(as("SendMessage")); status != 400 || !strings.Contains(text, "This endpoint only accepts ReceiveMessage calls") {
		t.Errorf("another action: %d %s", status, text)
	}
	status, text := r.ask(httptest.NewRequest("GET", "http://localhost/_aws/sqs/messages?QueueUrl=q", nil))
	if status != 200 || !strings.Contains(text, "<ReceiveMessageResult><Message>") || !strings.Contains(text, "<Name>IsVisible</Name><Value>true</Value>") {
		t.Errorf("in XML: %d %s", status, text)
	}
}
