package sqs

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// get asks by GET in the Query protocol.
func (r *rig) get(target string, header ...string) reply {
	r.Helper()
	request := httptest.NewRequest("GET", target, nil)
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	return r.send(request)
}

// A client that only wants to look, as with curl -I, changes nothing.
func TestMethods(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("victim")
	for _, method := range []string{"HEAD", "PUT", "DELETE", "PATCH", "QUERY"} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(method, "http://localhost/?Action=DeleteQueue&QueueUrl=victim", nil))
		if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, POST" {
			t.Errorf("%s = %d %s, want a refusal that names GET and POST", method, w.Code, w.Body)
		}
	}
	r.must("GetQueueUrl", M{"QueueName": "victim"})
	for _, method := range []string{"GET", "POST"} {
		if a := r.send(httptest.NewRequest(method, "http://localhost/?Action=ListQueues", nil)); a.status != http.StatusOK {
			t.Errorf("%s = %d %s", method, a.status, a.text)
		}
	}
}

func TestJSONRequests(t *testing.T) {
	r := newRig(t, Options{})
	q := r.queue("q")
	a := r.ask("ReceiveMessage", M{"QueueUrl": q, "MaxNumberOfMessages": 1, "Unknown": M{"x": L{1}}}, func(request *http.Request) {
		request.Header.Set("X-Amzn-Query-Mode", "true")
	})
	if kind := a.header.Get("Content-Type"); a.status != 200 || kind != "application/x-amz-json-1.0" {
		t.Errorf("%d %s %s", a.status, kind, a.text)
	}
	if id := a.header.Get("x-amzn-requestid"); len(id) != 36 {
		t.Errorf("x-amzn-requestid = %q", id)
	}
	if a := r.ask("PurgeQueue", M{"QueueUrl": q}); a.text != "{}" {
		t.Errorf("an answer without members = %q", a.text)
	}
	r.put(q, "x", M{"MessageAttributes": M{"b": M{"DataType": "Binary", "BinaryValue": "AP8="}}})
	r.same("binary value", r.take(q, 1)[0]["MessageAttributes"], M{"b": M{"DataType": "Binary", "BinaryValue": "AP8="}})
}

func TestJSONErrors(t *testing.T) {
	r := newRig(t, Options{})
	tests := []struct {
		action string
		in     M
		kind   string
		header string
	}{
		{"GetQueueUrl", M{"QueueName": "no"}, "com.amazonaws.sqs#QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue;Sender"},
		{"CreateQueue", M{"QueueName": "a b"}, "com.amazon.coral.service#InvalidParameterValueException", "InvalidParameterValue;Sender"},
		{"CreateQueue", M{}, "com.amazon.coral.service#MissingRequiredParameterException", "MissingParameter;Sender"},
		{"CreateQueue", M{"QueueName": 1}, "com.amazon.coral.service#SerializationException", "MalformedInput;Sender"},
		{"Nonsense", M{}, "com.amazon.coral.service#UnknownOperationException", "InvalidAction;Sender"},
	}
	for _, tt := range tests {
		a := r.ask(tt.action, tt.in)
		if a.kind != tt.kind || a.header.Get("X-Amzn-Query-Error") != tt.header || a.status != 400 || a.message == "" {
			t.Errorf("%s %v = %d %s, header %q; want %s, %q", tt.action, tt.in, a.status, a.text, a.header.Get("X-Amzn-Query-Error"), tt.kind, tt.header)
		}
	}
}

func TestWrongKinds(t *testing.T) {
	tests := []struct{ action, body, want string }{
		{"SendMessage", `{"MessageBody":1}`, "NUMBER_VALUE can not be converted to a String"},
		{"SendMessage", `{"MessageBody":true}`, "TRUE_VALUE can not be converted to a String"},
		{"SendMessage", `{"DelaySeconds":"1"}`, "STRING_VALUE can not be converted to an Integer"},
		{"SendMessage", `{"MessageBody":["x"]}`, "Start of list found where not expected"},
		{"SendMessage", `{"MessageBody":{"x":1}}`, "Start of structure or map found where not expected."},
		{"SendMessageBatch", `{"Entries":{"x":1}}`, "Start of structure or map found where not expected."},
		{"SendMessageBatch", `{"Entries":"x"}`, "Unrecognized collection type class java.lang.String"},
		{"CreateQueue", `{"Attributes":{"DelaySeconds":1}}`, "NUMBER_VALUE can not be converted to a String"},
		{"CreateQueue", `{"Attributes":["x"]}`, "Start of list found where not expected"},
		{"CreateQueue", `[]`, "Start of list found where not expected"},
		{"CreateQueue", `{"QueueName":`, ""},
		{"CreateQueue", `{"QueueName":"a"} x`, ""},
		{"CreateQueue", `{"QueueName":"` + "\xff" + `"}`, ""},
		{"SendMessage", `{"DelaySeconds":1.5}`, "NUMBER_VALUE can not be converted to an Integer"},
		{"SendMessage", `{"x":` + strings.Repeat("[", 20000) + `}`, ""},
	}
	r := newRig(t, Options{})
	for _, tt := range tests {
		a := r.send(jsonRequest(t.Context(), tt.action, tt.body))
		if a.status != 400 || a.code != "MalformedInput" || tt.want != "" && a.message != tt.want {
			t.Errorf("%s %.60s = %d %s, want %q", tt.action, tt.body, a.status, a.text, tt.want)
		}
	}
}

func TestJSONAtQueueURL(t *testing.T) {
	r := newRig(t, Options{})
	q := r.queue("q")
	at := func(path string) func(*http.Request) { return func(request *http.Request) { request.URL.Path = path } }
	for _, in := range []M{{"MessageBody": "x", "QueueUrl": q}, {"MessageBody": "x"}} {
		if a := r.ask("SendMessage", in, at("/000000000000/q")); a.status != 200 {
			t.Errorf("%v at the queue's URL: %s", in, a.text)
		}
	}
	r.wantCounts(q, "2 0 0")
}

func TestProtocolPerRequest(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	r.query = true
	if a := r.ask("GetQueueUrl", M{"QueueName": "q"}); a.header.Get("Content-Type") != "text/xml" {
		t.Errorf("a form was answered with %s", a.text)
	}
	r.query = false
	if a := r.ask("GetQueueUrl", M{"QueueName": "q"}); a.header.Get("Content-Type") != "application/x-amz-json-1.0" {
		t.Errorf("JSON was answered with %s", a.text)
	}
}

func TestQueryByGetAndPost(t *testing.T) {
	r := newRig(t, Options{})
	q, other := r.queue("q"), r.queue("other")
	r.get("http://h/000000000000/q?Action=SendMessage&MessageBody=by+path&Version=2012-11-05")
	r.get("http://h/?Action=SendMessage&MessageBody=by%20parameter&QueueUrl=" + url.QueryEscape(q))
	r.get("http://h/000000000000/other?Action=SendMessage&MessageBody=parameter&QueueUrl=" + url.QueryEscape(q))
	r.wantCounts(q, "3 0 0")
	r.wantCounts(other, "0 0 0")
	request := httptest.NewRequest("POST", "http://h/000000000000/other", strings.NewReader("Action=SendMessage&MessageBody=x"))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	r.send(request)
	r.wantCounts(other, "1 0 0")
	a := r.get("http://h/?Action=SendMessage&MessageBody=x")
	r.same("no queue", a.code+" "+a.message, "MissingParameter The request must contain the parameter QueueUrl.")
}

func TestQueryLists(t *testing.T) {
	r := newRig(t, Options{})
	q := r.queue("q")
	form := "Action=SendMessageBatch&SendMessageBatchRequestEntry.1.Id=a&SendMessageBatchRequestEntry.1.MessageBody=x" +
		"&SendMessageBatchRequestEntry.1.MessageAttribute.1.Name=k&SendMessageBatchRequestEntry.1.MessageAttribute.1.Value.DataType=Binary" +
		"&SendMessageBatchRequestEntry.1.MessageAttribute.1.Value.BinaryValue=AP8%3D" +
		"&SendMessageBatchRequestEntry.1.MessageSystemAttribute.1.Name=AWSTraceHeader&SendMessageBatchRequestEntry.1.MessageSystemAttribute.1.Value.DataType=String" +
		"&SendMessageBatchRequestEntry.1.MessageSystemAttribute.1.Value.StringValue=Root%3D1" +
		"&SendMessageBatchRequestEntry.10.Id=c&SendMessageBatchRequestEntry.10.MessageBody=z&SendMessageBatchRequestEntry.2.Id=b&SendMessageBatchRequestEntry.2.MessageBody=y"
	if a := r.get("http://h/0/q?" + form); a.status != 200 {
		t.Fatal(a.text)
	}
	m := r.takes(q, 10, "x y z")[0]
	r.same("attributes", m["MessageAttributes"], M{"k": M{"DataType": "Binary", "BinaryValue": "AP8="}})
	r.same("trace", m["Attributes"].(M)["AWSTraceHeader"], "Root=1")
	a := r.get("http://h/0/q?Action=SetQueueAttributes&Attribute.1.Value=1")
	r.same("a nameless attribute", a.message, "The request must contain the parameter Attribute.1.Name.")
	a = r.get("http://h/0/q?Action=AddPermission&Label=l&AWSAccountId.1=1")
	r.same("no action names", a.message, "The request must contain the parameter ActionName.")
}

func TestXMLAnswers(t *testing.T) {
	r := newRig(t, Options{})
	q := r.queue("q")
	id := func(a reply) string { return a.header.Get("x-amzn-requestid") }
	const start = `<?xml version="1.0"?><`
	const space = ` xmlns="http://queue.amazonaws.com/doc/2012-11-05/">`
	end := func(a reply, name string) string {
		return `<ResponseMetadata><RequestId>` + id(a) + `</RequestId></ResponseMetadata></` + name + `>`
	}
	a := r.get("http://h/0/q?Action=ReceiveMessage")
	r.same("an empty receive", a.text, start+"ReceiveMessageResponse"+space+"<ReceiveMessageResult/>"+end(a, "ReceiveMessageResponse"))
	a = r.get("http://h/0/q?Action=PurgeQueue")
	r.same("no output", a.text, start+"PurgeQueueResponse"+space+end(a, "PurgeQueueResponse"))
	a = r.get("http://queues.test:9324/?Action=ListQueues")
	r.same("a list", a.text, start+"ListQueuesResponse"+space+"<ListQueuesResult><QueueUrl>"+q+"</QueueUrl></ListQueuesResult>"+end(a, "ListQueuesResponse"))
	a = r.get("http://h/0/no?Action=PurgeQueue")
	r.same("a refusal", a.text, start+"ErrorResponse"+space+"<Error><Type>Sender</Type><Code>AWS.SimpleQueueService.NonExistentQueue</Code>"+
		"<Message>The specified queue does not exist for this wsdl version.</Message><Detail/></Error><RequestId>"+id(a)+"</RequestId></ErrorResponse>")
	r.same("content type", a.header.Get("Content-Type"), "text/xml")
}

func TestXMLEscapes(t *testing.T) {
	const body = "<a href=\"x\">&amp;\r\n\t'é😀'\r"
	both(t, func(r *rig) {
		q := r.queue("q")
		r.put(q, body)
		r.takes(q, 1, body)
	})
	if got := string(appendXML(nil, "a\x00b\xffc\r")); got != "a\uFFFDb\uFFFDc&#xD;" {
		t.Errorf("appendXML = %q", got)
	}
}

func TestNoAction(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	for _, header := range [][]string{nil, {"Accept", "application/json"}} {
		request := httptest.NewRequest("GET", "http://h/000000000000/q", nil)
		if header != nil {
			request.Header.Set(header[0], header[1])
		}
		w := httptest.NewRecorder()
		r.ServeHTTP(w, request)
		if w.Code != 404 || strings.TrimSpace(w.Body.String()) != "<UnknownOperationException/>" {
			t.Errorf("GET without an action, %v: %d %s", header, w.Code, w.Body)
		}
	}
}

func TestActionsOfTheEndpoint(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	for _, action := range []string{"CreateQueue", "ListQueues", "Nonsense"} {
		a := r.get("http://h/000000000000/q?Action=" + action + "&QueueName=x")
		r.same(action, a.code+" "+a.message, "InvalidAction The action "+action+" is not valid for this endpoint.")
		r.same("status", a.status, 400)
	}
	if a := r.get("http://h/000000000000/q?Action=GetQueueUrl&QueueName=q"); a.status != 200 {
		t.Errorf("GetQueueUrl at a queue's URL: %s", a.text)
	}
}

func TestJSONRenderingOfQuery(t *testing.T) {
	r := newRig(t, Options{})
	q := r.queue("q")
	r.put(q, "x")
	accept := []string{"Accept", "application/json"}
	var got struct {
		ListQueuesResponse     struct{ ListQueuesResult struct{ QueueUrls []string } }
		ReceiveMessageResponse struct {
			ReceiveMessageResult struct {
				Messages []struct{ Body string } `json:"messages"`
			}
			ResponseMetadata struct{ RequestId string }
		}
		Error struct{ Code, Message string }
	}
	for _, target := range []string{"http://queues.test:9324/?Action=ListQueues", "http://h/0/q?Action=ReceiveMessage", "http://h/0/no?Action=ReceiveMessage"} {
		a := r.get(target, accept...)
		if err := json.Unmarshal([]byte(a.text), &got); err != nil {
			t.Fatalf("%s: %v", a.text, err)
		}
	}
	r.same("URLs", got.ListQueuesResponse.ListQueuesResult.QueueUrls, []string{q})
	r.same("body", got.ReceiveMessageResponse.ReceiveMessageResult.Messages[0].Body, "x")
	r.same("code", got.Error.Code, "AWS.SimpleQueueService.NonExistentQueue")
	if a := r.get("http://h/0/q?Action=ReceiveMessage", accept...); !strings.Contains(a.text, `"messages":null`) {
		t.Errorf("nothing to receive = %s", a.text)
	}
}

func TestQueueURLs(t *testing.T) {
	r := newRig(t, Options{})
	q := r.queue("q")
	for _, form := range []string{
		q, "q", "/000000000000/q", "https://sqs.us-east-1.amazonaws.com/111111111111/q", "https://us-east-1.queue.amazonaws.com/111111111111/q",
		"https://queue.amazonaws.com/1/q", "http://h:1/queue/us-east-1/000000000000/q", "http://h:1/000000000000/q?x=y",
	} {
		r.must("GetQueueAttributes", M{"QueueUrl": form})
	}
	r.refused("GetQueueAttributes", M{"QueueUrl": "http://h:1/queue/eu-west-1/000000000000/q"}, 400, "AWS.SimpleQueueService.NonExistentQueue", "")
	r.refused("GetQueueAttributes", M{"QueueUrl": "http://h:1/nonsense"}, 404, "InvalidAddress", "The address http://h:1/nonsense is not valid for this endpoint.")
	host := func(request *http.Request) { request.Host = "other:1" }
	r.same("URL by host", r.ask("GetQueueUrl", M{"QueueName": "q"}, host).members["QueueUrl"], "http://other:1/000000000000/q")
	r = newRig(t, Options{URL: "https://sqs.example.org/", Account: "123456789012"})
	r.same("URL as configured", r.queue("q"), "https://sqs.example.org/123456789012/q")
	r.same("ARN", r.attributes("q", "QueueArn")["QueueArn"], "arn:aws:sqs:us-east-1:123456789012:q")
}

func TestRegions(t *testing.T) {
	r := newRig(t, Options{})
	in := func(region string) func(*http.Request) {
		return func(request *http.Request) {
			request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=AKID/20260301/"+region+"/sqs/aws4_request, SignedHeaders=host, Signature=0")
		}
	}
	home := r.queue("q")
	away := r.ask("CreateQueue", M{"QueueName": "q"}, in("eu-west-1")).members["QueueUrl"].(string)
	r.same("URL elsewhere", away, "http://queues.test:9324/queue/eu-west-1/000000000000/q")
	r.ask("SendMessage", M{"QueueUrl": home, "MessageBody": "x"}, in("eu-west-1"))
	r.wantCounts(home, "0 0 0")
	r.wantCounts(away, "1 0 0")
	got := r.ask("GetQueueAttributes", M{"QueueUrl": "q", "AttributeNames": L{"QueueArn"}}, in("eu-west-1"))
	r.same("ARN elsewhere", got.members["Attributes"], M{"QueueArn": "arn:aws:sqs:eu-west-1:000000000000:q"})
	r.same("queues at home", r.must("ListQueues", M{})["QueueUrls"], L{home})
	r.same("queues elsewhere", r.ask("ListQueues", M{}, in("eu-west-1")).members["QueueUrls"], L{away})
	r.same("queues nowhere", r.ask("ListQueues", M{}, in("ap-south-1")).members["QueueUrls"], nil)
	presigned := r.get("http://h/?Action=GetQueueUrl&QueueName=q&X-Amz-Credential=" + url.QueryEscape("AKID/20260301/eu-west-1/sqs/aws4_request"))
	r.same("region of a presigned URL", presigned.members["QueueUrl"], "http://h/queue/eu-west-1/000000000000/q")
}

func TestBodyLimit(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	a := r.send(jsonRequest(t.Context(), "SendMessage", `{"QueueUrl":"q","MessageBody":"`+strings.Repeat("x", MaxBody)+`"}`))
	if a.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a body over the limit: %d %.200s", a.status, a.text)
	}
	escaped := strings.Repeat(`\u00e9`, 1<<19) // a mebibyte of text in three
	if a := r.send(jsonRequest(t.Context(), "SendMessage", `{"QueueUrl":"q","MessageBody":"`+escaped+`"}`)); a.status != 200 {
		t.Errorf("the longest message, escaped: %d %.200s", a.status, a.text)
	}
}

func TestHolderNames(t *testing.T) {
	tests := []struct{ agent, key, address, want string }{
		{"Boto3/1.26.27 Python/3.11.2 Linux/6.1 Botocore/1.29.27", "AKIAIOSFODNN7EXAMPLE", "127.0.0.1:5000", "boto3 AKIA…MPLE"},
		{"aws-cli/2.9.19 Python/3.11.2", "test", "127.0.0.1:5000", "aws-cli test"},
		{"aws-sdk-go-v2/1.30.3 os/linux", "test", "192.0.2.7:5000", "aws-go test 192.0.2.7"},
		{"aws-sdk-js/3.0.0", "", "[::1]:41", "aws-js :41"},
		{"Boto3/1.40.0 md/Botocore#1.40.0", "x", "127.0.0.1:5000", "boto3 :5000"},
		{"Boto3/1.40.0 md/Botocore#1.40.0 app/billing-3", "x", "127.0.0.1:5000", "billing-3"},
		{"Boto3/1.40.0 app/billing-3", "AKIAIOSFODNN7EXAMPLE", "192.0.2.7:5000", "billing-3 AKIA…MPLE 192.0.2.7"},
		{"Boto3/1.40.0 app/\x1b", "x", "127.0.0.1:5000", "boto3 :5000"},
		{"curl/8.0", "", "127.0.0.1:41000", "curl :41000"},
		{"", "", "127.0.0.1:41000", "unknown :41000"},
		{"\x00\x1b[31mred", "\x07é", "x", "[31mred é"},
		{"a-very-long-user-agent-name", "AKIAIOSFODNN7EXAMPLE", "[2001:db8:1234:5678:9abc:def0:1:2]:1", "a-very-long… AKIA…MPLE 2001:db8…"},
	}
	for _, tt := range tests {
		if got := holderName(tt.agent, tt.key, tt.address); got != tt.want {
			t.Errorf("holderName(%q, %q, %q) = %q, want %q", tt.agent, tt.key, tt.address, got, tt.want)
		}
	}
}

func TestSeen(t *testing.T) {
	var seen []string
	r := newRig(t, Options{Seen: func(client, action string) { seen = append(seen, client+" "+action) }})
	r.ask("ListQueues", M{}, func(request *http.Request) { request.Header.Set("User-Agent", "Boto3/1 x") })
	if len(seen) != 1 || !strings.HasPrefix(seen[0], "boto3") || !strings.HasSuffix(seen[0], "ListQueues") {
		t.Errorf("seen = %q", seen)
	}
}
