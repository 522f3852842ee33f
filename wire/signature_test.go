package wire

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

func guarded(t *testing.T) *rig {
	t.Helper()
	credentials, err := ReadCredentials(strings.NewReader(`
# who         secret    what
ADMIN         adminsec
SENDER        sendsec   SendMessage,GetQueueUrl
REDRIVER      redrsec   StartMessageMoveTask,ReceiveMessage,DeleteMessage
FULLREDRIVER  fullsec   StartMessageMoveTask,ReceiveMessage,DeleteMessage,SendMessage
`))
	if err != nil {
		t.Fatal(err)
	}
	return newRig(t, Options{Credentials: credentials, Listen: "0.0.0.0:9324"})
}

// signedBy signs a request as the AWS SDK does.
func signedBy(t *testing.T, request *http.Request, body, key, secret string, at time.Time) *http.Request {
	t.Helper()
	sum := sha256.Sum256([]byte(body))
	request.Header.Set("X-Amz-Content-Sha256", hex.EncodeToString(sum[:]))
	err := v4.NewSigner().SignHTTP(context.Background(), aws.Credentials{AccessKeyID: key, SecretAccessKey: secret},
		request, hex.EncodeToString(sum[:]), "sqs", "us-east-1", at)
	if err != nil {
		t.Fatal(err)
	}
	return request
}

func TestSignatures(t *testing.T) {
	r := guarded(t)
	send := func(key, secret string, at time.Time, change func(*http.Request)) (int, string) {
		request := signedBy(t, jsonRequest("ListQueues", "{}"), "{}", key, secret, at)
		if change != nil {
			change(request)
		}
		return r.ask(request)
	}
	tests := []struct {
		name        string
		key, secret string
		skew        time.Duration
		change      func(*http.Request)
		status      int
		want        string // in the answer
	}{
		{"a good one", "ADMIN", "adminsec", 0, nil, 200, "{}"},
		{"15 minutes slow", "ADMIN", "adminsec", -15 * time.Minute, nil, 200, "{}"},
		{"15 minutes fast", "ADMIN", "adminsec", 15 * time.Minute, nil, 200, "{}"},
		{"more than 15 minutes slow", "ADMIN", "adminsec", -15*time.Minute - time.Second, nil, 403,
			"Signature expired: 20260301T114459Z is now earlier than 20260301T114500Z (20260301T120000Z - 15 min.)"},
		{"more than 15 minutes fast", "ADMIN", "adminsec", 15*time.Minute + time.Second, nil, 403,
			"Signature not yet current: 20260301T121501Z is still later than 20260301T121500Z (20260301T120000Z + 15 min.)"},
		{"an unknown key", "NOBODY", "adminsec", 0, nil, 403, "The security token included in the request is invalid."},
		{"a wrong secret", "ADMIN", "guess", 0, nil, 403, "The request signature we calculated does not match the signature you provided."},
		{"another action than was signed", "ADMIN", "adminsec", 0, func(r *http.Request) { r.Header.Set("X-Amz-Target", "AmazonSQS.PurgeQueue") }, 403, "does not match"},
		{"another body than was signed", "ADMIN", "adminsec", 0, func(r *http.Request) { r.Body = http.NoBody }, 403, "does not match"},
		{"another path", "ADMIN", "adminsec", 0, func(r *http.Request) { r.URL.Path = "/0/q" }, 403, "does not match"},
		{"another query", "ADMIN", "adminsec", 0, func(r *http.Request) { r.URL.RawQuery = "a=b" }, 403, "does not match"},
		{"another host", "ADMIN", "adminsec", 0, func(r *http.Request) { r.Host = "localhost:1" }, 403, "does not match"},
		{"a header that was not signed", "ADMIN", "adminsec", 0, func(r *http.Request) { r.Header.Set("X-Amz-Other", "x") }, 403, "does not match"},
		{"none", "ADMIN", "adminsec", 0, func(r *http.Request) { r.Header.Del("Authorization") }, 403, "Missing Authentication Token"},
		{"half of one", "ADMIN", "adminsec", 0, func(r *http.Request) {
			r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=ADMIN/20260301/us-east-1/sqs/aws4_request, SignedHeaders=host")
		}, 400, "Authorization header requires 'Signature' parameter."},
		{"a password", "ADMIN", "adminsec", 0, func(r *http.Request) { r.SetBasicAuth("ADMIN", "adminsec") }, 400, "Unsupported"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if status, text := send(tt.key, tt.secret, start.Add(tt.skew), tt.change); status != tt.status || !strings.Contains(text, tt.want) {
				t.Errorf("%d %s, want %d and %s", status, text, tt.status, tt.want)
			}
		})
	}
}

// The region decides whose queue it is, so it must be the one that was signed.
func TestTheRegionIsTheSignedOne(t *testing.T) {
	r := guarded(t)
	create := func(name string) *http.Request {
		body := `{"QueueName":"` + name + `"}`
		return signedBy(t, jsonRequest("CreateQueue", body), body, "ADMIN", "adminsec", start)
	}
	twice := create("twice")
	twice.Header.Set("Authorization", strings.Replace(twice.Header.Get("Authorization"), " ", " Credential=SPOOF/20260301/eu-west-1/sqs/aws4_request, ", 1))
	if status, text := r.ask(twice); status != 400 || !strings.Contains(text, "more than one 'Credential'") {
		t.Errorf("two credentials: %d %s, want a refusal", status, text)
	}
	hidden := create("hidden")
	hidden.Header.Set("Authorization", strings.Replace(hidden.Header.Get("Authorization"), " ", " XCredential=SPOOF/20260301/eu-west-1/sqs/aws4_request, ", 1))
	if status, text := r.ask(hidden); status != 200 || strings.Contains(text, "eu-west-1") {
		t.Errorf("another field that ends in Credential: %d %s, want a queue of us-east-1", status, text)
	}
}

func TestSignatureOfQuery(t *testing.T) {
	r := guarded(t)
	const form = "Action=CreateQueue&QueueName=a-b_c"
	request := httptest.NewRequest("POST", "http://localhost:9324/?b=2&a=1%201&a=%C3%A9", strings.NewReader(form))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if status, text := r.ask(signedBy(t, request, form, "ADMIN", "adminsec", start)); status != 200 {
		t.Errorf("a signed form: %d %s", status, text)
	}
	request = httptest.NewRequest("POST", "http://localhost:9324/", strings.NewReader(form))
	if status, text := r.ask(signedBy(t, request, form, "ADMIN", "wrong", start)); status != 403 || !strings.Contains(text, "<Code>SignatureDoesNotMatch</Code>") {
		t.Errorf("a form with a wrong signature: %d %s", status, text)
	}
}

func TestPresignedURLs(t *testing.T) {
	r := guarded(t)
	presign := func(secret string, at time.Time) string {
		empty := sha256.Sum256(nil)
		request := httptest.NewRequest("GET", "http://localhost:9324/?Action=ListQueues&X-Amz-Expires=60", nil)
		signed, _, err := v4.NewSigner().PresignHTTP(context.Background(), aws.Credentials{AccessKeyID: "ADMIN", SecretAccessKey: secret},
			request, hex.EncodeToString(empty[:]), "sqs", "us-east-1", at)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	for _, tt := range []struct {
		name string
		url  string
		want int
	}{
		{"a good one", presign("adminsec", start), 200},
		{"a minute later", presign("adminsec", start.Add(-time.Minute)), 200},
		{"over", presign("adminsec", start.Add(-61*time.Second)), 403},
		{"a wrong secret", presign("wrong", start), 403},
		{"changed", strings.Replace(presign("adminsec", start), "ListQueues", "CreateQueue", 1), 403},
	} {
		if status, text := r.ask(httptest.NewRequest("GET", tt.url, nil)); status != tt.want {
			t.Errorf("%s: %d %s, want %d", tt.name, status, text, tt.want)
		}
	}
}

func TestAllowedActions(t *testing.T) {
	r := guarded(t)
	ask := func(key, secret, action, body string) (int, string) {
		return r.ask(signedBy(t, jsonRequest(action, body), body, key, secret, start))
	}
	for _, name := range []string{"dlq", "q"} {
		ask("ADMIN", "adminsec", "CreateQueue", `{"QueueName":"`+name+`"}`)
	}
	const arn = "arn:aws:sqs:us-east-1:000000000000:"
	ask("ADMIN", "adminsec", "SetQueueAttributes", `{"QueueUrl":"q","Attributes":{"RedrivePolicy":"{\"deadLetterTargetArn\":\"`+arn+`dlq\",\"maxReceiveCount\":1}"}}`)
	move := `{"SourceArn":"` + arn + `dlq"}`
	tests := []struct {
		key, secret, action, body string
		status                    int
		want                      string
	}{
		{"SENDER", "sendsec", "SendMessage", `{"QueueUrl":"q","MessageBody":"x"}`, 200, ""},
		{"SENDER", "sendsec", "SendMessageBatch", `{"QueueUrl":"q","Entries":[{"Id":"a","MessageBody":"x"}]}`, 200, ""},
		{"SENDER", "sendsec", "ReceiveMessage", `{"QueueUrl":"q"}`, 403,
			"User: arn:aws:iam::000000000000:user/SENDER is not authorized to perform: sqs:receivemessage on resource: arn:aws:sqs:us-east-1:000000000000:* because no identity-based policy allows the sqs:receivemessage action"},
		{"SENDER", "sendsec", "NoSuchAction", `{}`, 400, "is not valid for this endpoint"},
		{"REDRIVER", "redrsec", "StartMessageMoveTask", move, 403, "sqs:sendmessage"},
		{"FULLREDRIVER", "fullsec", "StartMessageMoveTask", move, 200, "TaskHandle"},
	}
	for _, tt := range tests {
		if status, text := ask(tt.key, tt.secret, tt.action, tt.body); status != tt.status || !strings.Contains(text, tt.want) {
			t.Errorf("%s %s = %d %s, want %d and %s", tt.key, tt.action, status, text, tt.status, tt.want)
		}
	}
	_, text := ask("ADMIN", "adminsec", "ReceiveMessage", `{"QueueUrl":"q","AttributeNames":["SenderId"]}`)
	if !strings.Contains(text, `"SenderId":"SENDER"`) {
		t.Errorf("the sender of a message = %s", text)
	}
}

func TestPasswordsBesideTheProtocol(t *testing.T) {
	r := guarded(t)
	for _, tt := range []struct {
		path, key, secret string
		want              int
	}{
		{metricsPath, "", "", 401}, {metricsPath, "ADMIN", "adminsec", 200}, {metricsPath, "ADMIN", "wrong", 401}, {metricsPath, "SENDER", "sendsec", 403},
		{healthPath, "", "", 200},
		{"/_aws/sqs/messages?QueueUrl=q", "", "", 403}, {"/_aws/sqs/messages?QueueUrl=q", "ADMIN", "adminsec", 400}, {"/_aws/sqs/messages?QueueUrl=q", "SENDER", "sendsec", 403},
	} {
		request := httptest.NewRequest("GET", "http://localhost"+tt.path, nil)
		if tt.key != "" {
			request.SetBasicAuth(tt.key, tt.secret)
		}
		if status, text := r.ask(request); status != tt.want {
			t.Errorf("%s as %q = %d %s, want %d", tt.path, tt.key, status, text, tt.want)
		}
	}
}

func TestCredentialFiles(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // in the error; empty: it is read
	}{
		{"lines", "k s\n\n# comment\nl t SendMessage,sqs:*,mns:PeekMessage\n", ""},
		{"JSON", `[{"accessKey":"k","secretKey":"s"},{"accessKey":"l","secretKey":"t","actions":["SendMessage"]}]`, ""},
		{"empty", "", "no credentials"},
		{"a key alone", "k", "line 1"},
		{"too many words", "k s a b", "line 1"},
		{"twice", "k s\nk t", "twice"},
		{"a slash in the key", "k/l s", "slash"},
		{"a colon in the key, which ends a name before a password", "k:l s", "colon"},
		{"letters beyond ASCII in the key", "schlüssel s", "ASCII"},
		{"a control character in the key", `[{"accessKey":"k\n","secretKey":"s"}]`, "printable"},
		{"lines behind a byte order mark", "\ufeffk s\n", ""},
		{"a comment behind a byte order mark", "\ufeff# k s", "no credentials"},
		{"JSON behind a byte order mark", "\ufeff" + `[{"accessKey":"k","secretKey":"s"}]`, ""},
		{"JSON with white space around", " \n" + `[{"accessKey":"k","secretKey":"s"}]` + "\n ", ""},
		{"two lists", `[{"accessKey":"k","secretKey":"s"}] []`, "after the list"},
		{"half a list after a list", `[{"accessKey":"k","secretKey":"s"}] [`, "after the list"},
		{"as long as may be", "k s\n" + strings.Repeat("\n", maxCredentials-4), ""},
		{"longer", "k s\n" + strings.Repeat("\n", maxCredentials-4-4) + "l t SendMessage\n", "longer than"},
		{"JSON without secret", `[{"accessKey":"k"}]`, "lacks"},
		{"an action that neither protocol has", "k s SendMessage,Get*", `"Get*" is no action`},
		{"an action of the other protocol", "k s sqs:PeekMessage", `"sqs:PeekMessage" is no action`},
		{"JSON with a typing error", `[{"accesskeys":"k"}]`, "unknown field"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "credentials")
			if err := os.WriteFile(name, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := LoadCredentials(name)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("LoadCredentials of %.80q = %v, want %q", tt.text, err, tt.want)
			}
		})
	}
	c, err := ReadCredentials(strings.NewReader("k s SendMessage"))
	if err != nil {
		t.Fatal(err)
	}
	if one, ok := c.Find("k"); !ok || one.SecretKey != "s" || len(one.Actions) != 1 {
		t.Errorf("Find = %+v %v", one, ok)
	}
}
