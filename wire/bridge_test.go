package wire

import (
	"context"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// These tests show one namespace by two protocols, and what becomes of what one
// cannot say: wire/smq/CONFORMANCE.md lists the answers.

// smq sends a request of SMQ and wants a status.
func (r *rig) smq(status int, method, path, body string) smqReply {
	r.Helper()
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.Host = "localhost:9324"
	got, text := r.ask(request)
	if got != status {
		r.Fatalf("%s %s %s: %d %s, want %d", method, path, body, got, text, status)
	}
	a := smqReply{text: text}
	if text != "" {
		if err := xml.Unmarshal([]byte(text), &a); err != nil {
			r.Fatalf("%q: %v", text, err)
		}
	}
	return a
}

// smqReply is what tests want to know of any answer.
type smqReply struct {
	text                                   string
	Code                                   string
	MessageBody, MessageId, ReceiptHandle  string
	DequeueCount, Priority                 int
	MaximumMessageSize, VisibilityTimeout  int
	MessageRetentionPeriod, ActiveMessages int
}

func (r *rig) wantIn(text, want string) {
	r.Helper()
	if !strings.Contains(text, want) {
		r.Errorf("%s\nlacks %s", text, want)
	}
}

const message = "<Message><MessageBody>%s</MessageBody><Priority>%d</Priority></Message>"

func TestOneNamespace(t *testing.T) {
	r := newRig(t, Options{})
	r.smq(201, "PUT", "/queues/orders", "<Queue><VisibilityTimeout>60</VisibilityTimeout></Queue>")
	r.wantIn(r.must("ListQueues", `{}`), `http://localhost:9324/000000000000/orders"`)
	r.must("CreateQueue", `{"QueueName":"orders"}`) // exists, and nothing was passed that differs
	attributes := r.must("GetQueueAttributes", `{"QueueUrl":"orders","AttributeNames":["All"]}`)
	r.wantIn(attributes, `"VisibilityTimeout":"60"`)
	r.wantIn(attributes, `"MaximumMessageSize":"65536"`)

	r.must("SendMessage", `{"QueueUrl":"orders","MessageBody":"by SQS","MessageAttributes":{
		"city":{"DataType":"String","StringValue":"Hangzhou"},"n":{"DataType":"Number.int","StringValue":"5"},"raw":{"DataType":"Binary","BinaryValue":"AAE="}}}`)
	got := r.smq(200, "GET", "/queues/orders/messages", "")
	if got.MessageBody != "by SQS" || got.Priority != 8 {
		t.Errorf("received %+v", got)
	}
	for _, want := range []string{"<Name>city</Name>\n<Value>Hangzhou</Value>\n<Type>STRING<", "<Value>5</Value>\n<Type>NUMBER<", "<Value>AAE=</Value>\n<Type>BINARY<"} {
		r.wantIn(got.text, want)
	}
	r.must("DeleteMessage", fmt.Sprintf(`{"QueueUrl":"orders","ReceiptHandle":%q}`, got.ReceiptHandle)) // handles are the engine's

	sent := r.smq(201, "POST", "/queues/orders/messages", `<Message><MessageBody>by SMQ</MessageBody><UserProperties><PropertyValue>
		<Name>ok</Name><Value>true</Value><Type>BOOLEAN</Type></PropertyValue></UserProperties></Message>`)
	text := r.must("ReceiveMessage", `{"QueueUrl":"orders","MessageAttributeNames":["All"]}`)
	r.wantIn(text, `"Body":"by SMQ"`)
	r.wantIn(text, `"DataType":"String.BOOLEAN"`)
	r.wantIn(strings.ToUpper(strings.ReplaceAll(text, "-", "")), sent.MessageId)
	r.must("DeleteQueue", `{"QueueUrl":"orders"}`)
	r.smq(404, "GET", "/queues/orders", "")
}

// TestSystemPropertiesOverSQS: of what a sender over SMQ calls a system
// property, SQS shows only what its own senders could have sent.
func TestSystemPropertiesOverSQS(t *testing.T) {
	r := newRig(t, Options{})
	r.smq(201, "PUT", "/queues/q", "<Queue><VisibilityTimeout>1</VisibilityTimeout></Queue>")
	send := func(kind string) {
		var list strings.Builder
		for _, name := range []string{"SenderId", "SentTimestamp", "ApproximateReceiveCount", "DeadLetterQueueSourceArn", "Other", "AWSTraceHeader"} {
			fmt.Fprintf(&list, "<SystemPropertyValue><Name>%s</Name><Value>77</Value><Type>%s</Type></SystemPropertyValue>", name, kind)
		}
		r.smq(201, "POST", "/queues/q/messages", "<Message><MessageBody>x</MessageBody><SystemProperties>"+list.String()+"</SystemProperties></Message>")
	}
	for kind, want := range map[string]string{"STRING": `"AWSTraceHeader":"77"`, "NUMBER": ""} {
		send(kind)
		text := r.must("ReceiveMessage", `{"QueueUrl":"q","MessageSystemAttributeNames":["All"]}`)
		r.wantIn(text, `"ApproximateReceiveCount":"1"`)
		r.wantIn(text, want)
		if rest := strings.Replace(text, want, "", 1); strings.Contains(rest, `"77"`) {
			t.Errorf("system properties of type %s show over SQS: %s", kind, text)
		}
	}
}

// TestPriorityOverSQS: SQS has no word for it; messages come in its order.
// A client whose endpoint ends in a slash asks for //queues.
func TestDoubledSlash(t *testing.T) {
	r := newRig(t, Options{})
	r.smq(201, "PUT", "http://localhost:9324//queues/orders", "<Queue/>")
	r.wantIn(r.smq(200, "GET", "http://localhost:9324//queues", "").text, "queues/orders")
	r.smq(201, "POST", "http://localhost:9324//queues/orders/messages", fmt.Sprintf(message, "a", 8))
}

func TestPriorityOverSQS(t *testing.T) {
	r := newRig(t, Options{})
	r.smq(201, "PUT", "/queues/q", "")
	r.smq(201, "POST", "/queues/q/messages", fmt.Sprintf(message, "last", 16))
	r.must("SendMessage", `{"QueueUrl":"q","MessageBody":"middle"}`)
	r.smq(201, "POST", "/queues/q/messages", fmt.Sprintf(message, "first", 1))
	for _, want := range []string{"first", "middle", "last"} {
		r.wantIn(r.must("ReceiveMessage", `{"QueueUrl":"q"}`), `"Body":"`+want+`"`)
	}
}

// TestFIFOOverSMQ: a FIFO queue is seen and consumed in order, and not sent to.
func TestFIFOOverSMQ(t *testing.T) {
	r := newRig(t, Options{})
	r.must("CreateQueue", `{"QueueName":"q.fifo","Attributes":{"FifoQueue":"true","ContentBasedDeduplication":"true"}}`)
	for _, body := range []string{"a", "b"} {
		r.must("SendMessage", fmt.Sprintf(`{"QueueUrl":"q.fifo","MessageBody":%q,"MessageGroupId":"g"}`, body))
	}
	r.wantIn(r.smq(200, "GET", "/queues", "").text, "<QueueName>q.fifo</QueueName>")
	r.wantIn(r.smq(400, "POST", "/queues/q.fifo/messages", fmt.Sprintf(message, "c", 8)).text, "takes messages over SQS only")
	r.smq(400, "POST", "/queues/q.fifo/messages", "<Messages>"+fmt.Sprintf(message, "c", 8)+"</Messages>")
	if got := r.smq(400, "PUT", "/queues/new.fifo", ""); got.Code != "InvalidQueueName" {
		t.Errorf("a FIFO queue made over SMQ: %s", got.text)
	}
	if peeked := r.smq(200, "GET", "/queues/q.fifo/messages?peekonly=true", ""); peeked.MessageBody != "a" {
		t.Errorf("peeked at %s", peeked.text)
	}
	first := r.smq(200, "GET", "/queues/q.fifo/messages", "")
	r.wantIn(first.text, "<MessageGroupId>g</MessageGroupId>")
	r.smq(404, "GET", "/queues/q.fifo/messages", "") // its group waits
	r.smq(404, "GET", "/queues/q.fifo/messages?peekonly=true", "")
	changed := r.smq(200, "PUT", "/queues/q.fifo/messages?visibilityTimeout=50&receiptHandle="+first.ReceiptHandle, "")
	r.smq(204, "DELETE", "/queues/q.fifo/messages?ReceiptHandle="+changed.ReceiptHandle, "")
	if second := r.smq(200, "GET", "/queues/q.fifo/messages", ""); first.MessageBody+second.MessageBody != "ab" {
		t.Errorf("received %s, then %s", first.MessageBody, second.MessageBody)
	}
	r.smq(204, "PUT", "/queues/q.fifo?metaoverride=true", "<Queue><VisibilityTimeout>5</VisibilityTimeout></Queue>")
}

// TestNamesOfTheOther: a name that one protocol would not make is found by it.
func TestNamesOfTheOther(t *testing.T) {
	r := newRig(t, Options{})
	long := strings.Repeat("n", 120) // SQS: 80 at most
	r.smq(201, "PUT", "/queues/"+long, "")
	r.must("SendMessage", fmt.Sprintf(`{"QueueUrl":%q,"MessageBody":"x"}`, long))
	r.wantIn(r.must("ListQueues", `{}`), long)
	if got := r.smq(200, "GET", "/queues/"+long+"/messages", ""); got.MessageBody != "x" {
		t.Errorf("received %s", got.text)
	}

	r.must("CreateQueue", `{"QueueName":"under_score"}`)
	r.smq(201, "POST", "/queues/under_score/messages", fmt.Sprintf(message, "x", 8))

	elsewhere := jsonRequest("CreateQueue", `{"QueueName":"far"}`)
	elsewhere.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=k/20260301/eu-west-1/sqs/aws4_request, SignedHeaders=host, Signature=00")
	if status, text := r.ask(elsewhere); status != http.StatusOK {
		t.Fatalf("%d %s", status, text)
	}
	r.smq(404, "GET", "/queues/far", "")
	r.wantIn(r.smq(200, "GET", "/queues", "").text, "/queues/far@eu-west-1</QueueURL>")
	r.smq(201, "POST", "/queues/far@eu-west-1/messages", fmt.Sprintf(message, "x", 8))
	if got := r.smq(200, "GET", "/queues/far%40eu-west-1/messages", ""); got.MessageBody != "x" {
		t.Errorf("received %s", got.text)
	}
}

// TestLimitsOfTheOther: what SQS allows beyond SMQ shows there as SMQ's limit,
// stays as it is when a client writes back what it read, and does not lose a
// message; and the other way round.
func TestLimitsOfTheOther(t *testing.T) {
	r := newRig(t, Options{})
	r.must("CreateQueue", `{"QueueName":"plain"}`)
	r.smq(204, "PUT", "/queues/plain", "") // SQS's default of 1 MiB is no difference that SMQ can see
	r.must("CreateQueue", `{"QueueName":"wide","Attributes":{"VisibilityTimeout":"0","MessageRetentionPeriod":"1209600","MaximumMessageSize":"1048576"}}`)
	got := r.smq(200, "GET", "/queues/wide", "")
	if got.MaximumMessageSize != 65536 || got.VisibilityTimeout != 1 || got.MessageRetentionPeriod != 604800 {
		t.Errorf("shown as %+v", got)
	}
	r.smq(204, "PUT", "/queues/wide?metaoverride=true", "<Queue><DelaySeconds>0</DelaySeconds><MaximumMessageSize>65536</MaximumMessageSize>"+
		"<MessageRetentionPeriod>604800</MessageRetentionPeriod><VisibilityTimeout>1</VisibilityTimeout></Queue>")
	text := r.must("GetQueueAttributes", `{"QueueUrl":"wide","AttributeNames":["All"]}`)
	for _, want := range []string{`"VisibilityTimeout":"0"`, `"MessageRetentionPeriod":"1209600"`, `"MaximumMessageSize":"1048576"`} {
		r.wantIn(text, want)
	}
	big := strings.Repeat("x", 200_000)
	r.must("SendMessage", fmt.Sprintf(`{"QueueUrl":"wide","MessageBody":%q}`, big))
	r.smq(400, "POST", "/queues/wide/messages", fmt.Sprintf(message, strings.Repeat("x", 65537), 8))
	m := r.smq(200, "GET", "/queues/wide/messages", "")
	if m.MessageBody != big {
		t.Errorf("received %d bytes, want all %d", len(m.MessageBody), len(big))
	}
	r.smq(404, "GET", "/queues/wide/messages", "") // hidden for SMQ's least second
	r.smq(204, "DELETE", "/queues/wide/messages?ReceiptHandle="+m.ReceiptHandle, "")

	r.smq(201, "PUT", "/queues/slow", "<Queue><DelaySeconds>604800</DelaySeconds><PollingWaitSeconds>30</PollingWaitSeconds><LoggingEnabled>True</LoggingEnabled></Queue>")
	text = r.must("GetQueueAttributes", `{"QueueUrl":"slow","AttributeNames":["All"]}`)
	r.wantIn(text, `"DelaySeconds":"604800"`)
	r.wantIn(text, `"ReceiveMessageWaitTimeSeconds":"30"`)
	if strings.Contains(text, "Logging") {
		t.Errorf("SQS shows what only SMQ knows: %s", text)
	}
	r.must("SendMessage", `{"QueueUrl":"slow","MessageBody":"x"}`)
	r.must("ReceiveMessage", `{"QueueUrl":"slow","WaitTimeSeconds":0}`)
	r.wantIn(r.must("GetQueueAttributes", `{"QueueUrl":"slow","AttributeNames":["All"]}`), `"ApproximateNumberOfMessagesDelayed":"1"`)
}

// TestDeadLettersOfTheOther: one policy, by either name.
func TestDeadLettersOfTheOther(t *testing.T) {
	r := newRig(t, Options{})
	r.smq(201, "PUT", "/queues/dead", "")
	r.smq(201, "PUT", "/queues/q", "<Queue><DlqPolicy><Enabled>true</Enabled><DeadLetterTargetQueue>dead</DeadLetterTargetQueue><MaxReceiveCount>3</MaxReceiveCount></DlqPolicy></Queue>")
	r.wantIn(r.must("GetQueueAttributes", `{"QueueUrl":"q","AttributeNames":["RedrivePolicy"]}`), `:dead\",\"maxReceiveCount\":3`)
	r.wantIn(r.must("ListDeadLetterSourceQueues", `{"QueueUrl":"dead"}`), "/q")
	r.must("SetQueueAttributes", `{"QueueUrl":"dead","Attributes":{"RedriveAllowPolicy":"{\"redrivePermission\":\"denyAll\"}"}}`)
	r.smq(201, "PUT", "/queues/other", "")
	r.smq(400, "PUT", "/queues/other?metaoverride=true", "<Queue><DlqPolicy><DeadLetterTargetQueue>dead</DeadLetterTargetQueue><MaxReceiveCount>3</MaxReceiveCount></DlqPolicy></Queue>")
}

func TestLastProtocol(t *testing.T) {
	r := newRig(t, Options{})
	want := func(queue, protocol string) {
		t.Helper()
		if got := r.LastProtocol(queue); got != protocol {
			t.Errorf("LastProtocol(%q) = %q, want %q", queue, got, protocol)
		}
	}
	r.smq(201, "PUT", "/queues/q", "")
	want("q", "")
	r.must("SendMessage", `{"QueueUrl":"q","MessageBody":"x"}`)
	want("q", SQS)
	r.smq(200, "GET", "/queues/q/messages?peekonly=true", "")
	want("q", SMQ)
	r.must("ReceiveMessage", `{"QueueUrl":"q"}`)
	want("q", SQS)
	r.smq(404, "GET", "/queues/missing/messages", "")
	want("missing", "")
	for i := range maxTouched { // no client makes the server remember without end
		r.touched.note(fmt.Sprint(i), SMQ)
	}
	r.touched.note("more", SMQ)
	want("q", "")
	want("more", SMQ)
}

// TestSMQAtTheDoor: foreign hosts, web pages and credentials, in SMQ's words.
func TestSMQAtTheDoor(t *testing.T) {
	list, err := NewCredentials([]Credential{{AccessKey: "k", SecretKey: "s", Actions: []string{"mns:ListQueue"}}})
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	r := newRig(t, Options{Credentials: list, Seen: func(client, action string) { seen = append(seen, client+" "+action) }})
	get := func(target string, headers ...string) (int, string) {
		request := httptest.NewRequest("GET", target, nil)
		request.Host = "localhost"
		for i := 0; i+1 < len(headers); i += 2 {
			if headers[i] == "Host" {
				request.Host = headers[i+1]
			}
			request.Header.Set(headers[i], headers[i+1])
		}
		return r.ask(request)
	}
	date := "Sun, 01 Mar 2026 12:00:00 GMT"
	signed := []string{"Date", date, "User-Agent", "aliyun-sdk-python/1.1.6", "X-Mns-Version", "2015-06-06", "Authorization"}
	for _, tt := range []struct {
		target  string
		headers []string
		status  int
		code    string
	}{
		{"/queues", []string{"Host", "evil.example"}, 403, "AccessDenied"},
		{"/queues", []string{"Origin", "http://evil.example"}, 403, "AccessDenied"},
		{"/queues", nil, 400, "MissingAuthorizationHeader"},
		{"/queues", append(signed, "MNS k:pdqW4UjJO8fyW2n3DZJBZ9MBHEQ="), 403, "SignatureDoesNotMatch"},
		{"/queues", append(signed, "MNS k:"+signatureOf("/queues")), 200, ""},
		{"/queues/q", append(signed, "MNS k:"+signatureOf("/queues/q")), 403, "AccessDenied"},
		{"/queuesabc", nil, 404, ""}, // not SMQ's
	} {
		status, text := get(tt.target, tt.headers...)
		if status != tt.status || tt.code != "" && !strings.Contains(text, "<Code>"+tt.code+"</Code>\n<Message>") {
			t.Errorf("%s %v: %d %s, want %d %s", tt.target, tt.headers, status, text, tt.status, tt.code)
		}
	}
	if got := strings.Join(seen, ", "); got != "mns-python k 192.0.2.1 ListQueue, mns-python k 192.0.2.1 GetQueueAttributes" {
		t.Errorf("seen: %s", got)
	}
}

// signatureOf are signatures made with openssl: GET, three empty lines but for
// the date, the version, and the target, with the secret "s".
func signatureOf(target string) string {
	return map[string]string{"/queues": "9kIaH/k7jnOZr2OV7XNrYBzzgSY=", "/queues/q": "uyhDgkY/FyDPAmysEclfX8H7ofs="}[target]
}

// TestSMQStops: who waits over SMQ is told that the server stops.
func TestSMQStops(t *testing.T) {
	r := newRig(t, Options{})
	r.smq(201, "PUT", "/queues/q", "")
	ctx, stop := context.WithCancelCause(context.Background())
	request := httptest.NewRequest("GET", "/queues/q/messages?waitseconds=30", nil).WithContext(ctx)
	request.Host = "localhost"
	answered := make(chan string)
	go func() {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, request)
		answered <- fmt.Sprint(w.Code, w.Body)
	}()
	stop(errStopping)
	select {
	case text := <-answered:
		r.wantIn(text, "stopping")
		r.wantIn(text, "503")
	case <-time.After(10 * time.Second):
		t.Fatal("it still waits")
	}
}
