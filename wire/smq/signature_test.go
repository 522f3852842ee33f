package smq

import (
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// digestForms are the ways in which clients write the MD5 of a body.
func digestForms(body string) map[string]string {
	sum := md5.Sum([]byte(body))
	digits := hex.EncodeToString(sum[:])
	return map[string]string{
		"digits": digits, "Base64 of the digits": base64.StdEncoding.EncodeToString([]byte(digits)),
		"Base64 of the bytes": base64.StdEncoding.EncodeToString(sum[:]),
	}
}

// TestSignature2Vectors are those of section 3.4 of the sheet.
func TestSignature2Vectors(t *testing.T) {
	for _, tt := range []struct{ secret, text, want string }{
		{"sk1", "POST\n\n\nTue, 03 Jun 2025 11:23:48 GMT\nx-mns-abcdef:abcDEF\n/queues/TestQueue", "cAThPWnbphg3hDe3ZHDADTgkgyE="},
		{"sk-kkkkkk1111111111", "GET\n\n\nWed, 03 Dec 2025 11:23:48 GMT\nx-mns-abcdef:KKKkkk\n/queues/TestQueue123456", "lPxnfNA+Qo/aj18MYJUnRMqa84I="},
		{"testSk", "GET\n\n\nTue, 03 Jun 2025 11:23:48 GMT\n/queues/TestQueue", "uDJQXbk2xOhH95MDXmgbAGdtyE4="},
		{"ACCESS_KEY_SECRET", "PUT\n574683b3684e3cff610afa155cc2506d\ntext/xml\nTue, 11 Apr 2017 10:09:19 GMT\nx-mns-version:2015-06-06\n/", "A9zehggaYHHujmuRMxGIDrhWwx8="},
		{"TestAccessSecret", "GET\n\n\nThu, 09 Jul 2015 03:01:34 GMT\nx-mns-version:2015-06-06\n/MyQueue", "uwx3yeWoILzgmvesW0BQSgfM7b8="},
	} {
		lines := strings.Split(tt.text, "\n")
		request := newRequest(lines[0], lines[len(lines)-1], "")
		request.Header = http.Header{}
		for name, value := range map[string]string{"Content-MD5": lines[1], "Content-Type": lines[2], "Date": lines[3]} {
			if value != "" {
				request.Header.Set(name, value)
			}
		}
		if name, value, ok := strings.Cut(lines[4], ":"); ok {
			request.Header.Set(name, value)
		}
		if got := stringToSign2(request, lines[3]); got != tt.text {
			t.Errorf("signed text %q, want %q", got, tt.text)
		}
		if got := sign2(tt.secret, tt.text); got != tt.want {
			t.Errorf("signature of %q = %s, want %s", tt.text, got, tt.want)
		}
	}
}

// TestSignature4Vectors are those of the official Java client's tests.
func TestSignature4Vectors(t *testing.T) {
	query := "param1=abc&PARAM2=" + url.PathEscape("d  ef") + "&PARAM3=" + url.PathEscape("[def]#bbb") + "&PARAM4=" + url.PathEscape("中文参数")
	for _, tt := range []struct {
		secret, region, at, method, target string
		headers                            []string
		want                               string
	}{
		{"sk1", "region1", "20250603T105235Z", "POST", "/queues/TestQueue/?" + query, nil, "1fc6013f158d4c3aba09570895a2a93c8445c2c5213d82a1463baf602cf0d945"},
		{"sk1", "region1", "20250603T105235Z", "POST", "/queues/TestQueue?" + query + "&num=10&paramx=100", nil, "8d555514e749185d3e6d68df416692e6cc960ba85a089c9d69a2f4d7bb607560"},
		{"skkkkkkk1111111111", "region2", "20251203T112348Z", "PUT", "/queues/TestQueue123456",
			[]string{"x-mns-abc", "kkk", "X-MNS-Sss", "2015-06-06xFFF", "x-kkk-def", "jjj"}, "04f1e5f929b5aaac3af6a54970f591581ecd2aade2562f926c5f2ec5d5c8cfad"},
		{"skkkkkk2222222222", "eu-west-1", "20251204T063235Z", "GET", "/queues",
			[]string{"x-mns-version", "2015-06-30", "x-mns-ttt", "1", "X-MNS-UUUuu", "FALse", "bb-MNS-UUUuu", "abcdddDDD", "Content-Type", "application/json", "Content-MD5", "0d9d2ce750000593eb34f00"},
			"294f776a2d5726df679b54b081ab8126a199a2545c8c8a7a875adff0b386e458"},
		{"testSk", "testRegion", "20250603T105235Z", "GET", "/", nil, "63f78964dcd1132bab91b9c38ceebdfb59509149b34874c5b2c9dfc2b12e7291"},
		{"testSk", "testRegion", "20250603T105235Z", "POST", "/queues/Test%20Queue@123", nil, "87de7499365a31e767cdc0c726a893c72c860e415876f7f92914197ac3795833"},
	} {
		request := newRequest(tt.method, tt.target, "")
		request.Header = http.Header{}
		for i := 0; i+1 < len(tt.headers); i += 2 {
			request.Header.Set(tt.headers[i], tt.headers[i+1])
		}
		at, err := time.Parse(isoTime, tt.at)
		if err != nil {
			t.Fatal(err)
		}
		got := sign4(tt.secret, signed{date: tt.at[:8], region: tt.region}, at, canonical4(request))
		if got != tt.want {
			t.Errorf("%s %s: %s, want %s", tt.method, tt.target, got, tt.want)
		}
	}
}

type secrets map[string][]string // actions by key; each secret is "secret of KEY"

func (s secrets) Find(key string) (string, []string, bool) {
	actions, ok := s[key]
	return "secret of " + key, actions, ok
}

// signRequest signs a request as version 2 has it.
func signRequest(request *http.Request, key string, at time.Time) *http.Request {
	date := at.UTC().Format(http.TimeFormat)
	request.Header.Set("Date", date)
	request.Header.Set("Authorization", "MNS "+key+":"+sign2("secret of "+key, stringToSign2(request, date)))
	return request
}

// signRequest4 signs a request as version 4 has it.
func signRequest4(request *http.Request, key string, at time.Time) *http.Request {
	return signScope4(request, key, at, at)
}

// signScope4 signs it with a scope of another day.
func signScope4(request *http.Request, key string, at, day time.Time) *http.Request {
	s := signed{date: day.UTC().Format("20060102"), region: "cn-hangzhou"}
	request.Header.Set("X-Mns-Date", at.UTC().Format(http.TimeFormat))
	request.Header.Set("Authorization", "MNS4-HMAC-SHA256 Credential="+key+"/"+s.date+"/cn-hangzhou/mns/aliyun_v4_request,Signature="+
		sign4("secret of "+key, s, at, canonical4(request)))
	return request
}

func TestAuthentication(t *testing.T) {
	r := newRig(t, Options{Credentials: secrets{"key": nil}})
	good := func() *http.Request { return newRequest("PUT", "/queues/q?a=%2b+/&B", "") }
	alter := func(change func(*http.Request)) *http.Request {
		request := signRequest(good(), "key", r.now)
		change(request)
		return request
	}
	tests := []struct {
		name    string
		request *http.Request
		status  int
		code    string
	}{
		{"version 2, raw target", signRequest(good(), "key", r.now), 201, ""},
		{"version 4", signRequest4(newRequest("DELETE", "/queues/q?a=%2b+/&B", ""), "key", r.now), 204, ""},
		{"15 minutes late", signRequest(good(), "key", r.now.Add(-15*time.Minute)), 201, ""},
		{"too late", signRequest(good(), "key", r.now.Add(-15*time.Minute-time.Second)), 408, "TimeExpired"},
		{"too early", signRequest4(good(), "key", r.now.Add(15*time.Minute+time.Second)), 408, "TimeExpired"},
		{"no signature", good(), 400, "MissingAuthorizationHeader"},
		{"another scheme", alter(func(q *http.Request) { q.Header.Set("Authorization", "Basic a2V5") }), 400, "InvalidAuthorizationHeader"},
		{"no signature behind the key", alter(func(q *http.Request) { q.Header.Set("Authorization", "MNS key:") }), 400, "InvalidAuthorizationHeader"},
		{"another service", alter(func(q *http.Request) {
			q.Header.Set("Authorization", "MNS4-HMAC-SHA256 Credential=key/20260301/r/oss/aliyun_v4_request,Signature=00")
		}), 400, "InvalidAuthorizationHeader"},
		{"the next day's scope", signScope4(good(), "key", r.now, r.now.AddDate(0, 0, 1)), 403, "SignatureDoesNotMatch"},
		{"the last day's scope", signScope4(good(), "key", r.now, r.now.AddDate(0, 0, -1)), 403, "SignatureDoesNotMatch"},
		{"no date", alter(func(q *http.Request) { q.Header.Del("Date") }), 400, "MissingDateHeader"},
		{"no date that can be read", alter(func(q *http.Request) { q.Header.Set("Date", "28 May 2012") }), 400, "InvalidDateHeader"},
		{"a key that is not known", signRequest(good(), "other", r.now), 403, "InvalidAccessKeyId"},
		{"another method", alter(func(q *http.Request) { q.Method = "GET" }), 403, "SignatureDoesNotMatch"},
		{"a header more", alter(func(q *http.Request) { q.Header.Set("X-Mns-Prefix", "a") }), 403, "SignatureDoesNotMatch"},
		{"another target", alter(func(q *http.Request) { q.RequestURI += "&c" }), 403, "SignatureDoesNotMatch"},
	}
	for _, tt := range tests {
		if a := r.serve(tt.request); a.status != tt.status || a.code() != tt.code {
			t.Errorf("%s: %d %s, want %d %s", tt.name, a.status, a.text, tt.status, tt.code)
		}
	}
	request := newRequest("GET", "/queues", "")
	request.Header.Set("X-Mns-Date", r.now.Format(http.TimeFormat))
	request.RequestURI = "http://queues.example/queues" // a proxy's form
	text := stringToSign2(request, request.Header.Get("X-Mns-Date"))
	if !strings.HasSuffix(text, "\n/queues") {
		t.Errorf("signed text %q", text)
	}
	request.Header.Set("Authorization", "MNS key:"+sign2("secret of key", text))
	if a := r.serve(request); a.status != 200 {
		t.Errorf("x-mns-date instead of Date: %d %s", a.status, a.text)
	}
}

// TestNoCredentials: without credentials any signature will do, or none.
func TestNoCredentials(t *testing.T) {
	r := newRig(t, Options{})
	for _, header := range []string{"", "MNS any:thing", "nonsense"} {
		r.must(http.StatusOK, "GET", "/queues", "", "Authorization", header, "Date", "Wed, 28 May 2012 22:32:00 GMT")
	}
	r.queue("q")
	for _, target := range [][3]string{{"GET", "/queues"}, {"POST", "/queues/q/messages", messageXML("x")}, {"GET", "/queues/q/messages"}} {
		bare := newRequest(target[0], target[1], target[2])
		bare.Header = http.Header{}
		if a := r.serve(bare); a.status >= 300 {
			t.Errorf("%s %s without any header: %d %s", target[0], target[1], a.status, a.text)
		}
	}
}

// TestAllowedActions: a credential lists actions under either name, and the
// right to one includes its batch form.
func TestAllowedActions(t *testing.T) {
	r := newRig(t, Options{Credentials: secrets{
		"all": {"*"}, "mns": {"mns:*"}, "send": {"mns:SendMessage", "createqueue"}, "change": {"mns:ChangeMessageVisibility"}, "sqs": {"sqs:SendMessage"},
		"none": {}, "list": {"mns:ListQueue"}, "look": {"ListQueue", "GetQueueAttributes"},
	}})
	tests := []struct {
		key, method, path, body string
		status                  int
	}{
		{"send", "PUT", "/queues/q", "", 201},
		{"send", "POST", "/queues/q/messages", messageXML("x"), 201},
		{"send", "POST", "/queues/q/messages", messagesXML(messageXML("x")), 201},
		{"send", "GET", "/queues/q/messages", "", 403},
		{"all", "GET", "/queues/q/messages", "", 200},
		{"mns", "GET", "/queues/q/messages?numOfMessages=1", "", 200},
		{"change", "PUT", changePath("q", "nonsense", 1), "", 400},
		{"change", "DELETE", handlePath("q", "nonsense"), "", 403},
		{"sqs", "POST", "/queues/q/messages", messageXML("x"), 403},
		{"none", "GET", "/queues", "", 403},
		{"list", "GET", "/queues", "", 200},
	}
	for _, tt := range tests {
		a := r.serve(signRequest(newRequest(tt.method, tt.path, tt.body), tt.key, r.now))
		if a.status != tt.status || tt.status == 403 && a.code() != "AccessDenied" {
			t.Errorf("%s: %s %s = %d %s, want %d", tt.key, tt.method, tt.path, a.status, a.text, tt.status)
		}
	}
	for key, status := range map[string]int{"list": 403, "look": 200} {
		a := r.serve(signRequest(newRequest("GET", "/queues", "", "X-Mns-With-Meta", "true"), key, r.now))
		r.same("attributes in a list, to "+key, a.status, status)
	}
}
