package wire

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// signing is a request that is signed by its own rules, whatever they are.
type signing struct {
	scope     []string // date, region, service, terminator
	headers   string   // signed ones
	at        time.Time
	query     url.Values  // of a presigned URL
	header    http.Header // of the request
	presigned bool
}

// request signs with what it says of itself, so that only what it says can be wrong.
func (g *signing) request() *http.Request {
	request := httptest.NewRequest("GET", "http://localhost:9324/", nil)
	request.Header = g.header
	s := &signed{date: g.scope[0], region: g.scope[1], service: g.scope[2], headers: strings.Split(g.headers, ";"), at: g.at}
	credential := "ADMIN/" + strings.Join(g.scope, "/")
	if g.presigned {
		g.query.Set("X-Amz-Credential", credential)
		g.query.Set("X-Amz-SignedHeaders", g.headers)
	}
	request.URL.RawQuery = g.query.Encode()
	signature := sign("adminsec", s, canonical(request, s, nil))
	if g.presigned {
		request.URL.RawQuery += "&X-Amz-Signature=" + signature
	} else {
		request.Header.Set("Authorization", algorithm+" Credential="+credential+", SignedHeaders="+g.headers+", Signature="+signature)
	}
	return request
}

// A signature that is right by itself is still refused for what it covers.
func TestSignatureRules(t *testing.T) {
	header := func() *signing {
		return &signing{
			scope: []string{"20260301", "us-east-1", "sqs", terminator}, headers: "host;x-amz-date", at: start,
			query: url.Values{"Action": {"ListQueues"}}, header: http.Header{"X-Amz-Date": {start.Format(amzTime)}},
		}
	}
	presigned := func() *signing {
		g := header()
		g.presigned, g.headers, g.header = true, "host", http.Header{}
		maps.Copy(g.query, url.Values{"X-Amz-Algorithm": {algorithm}, "X-Amz-Date": {start.Format(amzTime)}, "X-Amz-Expires": {"604800"}})
		return g
	}
	tests := []struct {
		name   string
		made   func() *signing
		change func(*signing)
		want   int
	}{
		{"a header", header, func(*signing) {}, 200},
		{"a header with Date", header, func(g *signing) {
			g.headers, g.header = "date;host", http.Header{"Date": {start.Format(http.TimeFormat)}}
		}, 200},
		{"a presigned URL of seven days", presigned, func(*signing) {}, 200},
		{"another service", header, func(g *signing) { g.scope[2] = "sns" }, 403},
		{"the scope of the day before", header, func(g *signing) { g.scope[0] = "20260228" }, 403},
		{"the host not signed", header, func(g *signing) { g.headers = "x-amz-date" }, 403},
		{"the time not signed", header, func(g *signing) { g.headers = "host" }, 403},
		{"another terminator", header, func(g *signing) { g.scope[3] = "aws5_request" }, 400},
		{"a part too many in the scope", header, func(g *signing) { g.scope = slices.Insert(g.scope, 1, "x") }, 400},
		{"no time", header, func(g *signing) { g.headers, g.header = "host", http.Header{} }, 400},
		{"presigned for longer than seven days", presigned, func(g *signing) { g.query.Set("X-Amz-Expires", "604801") }, 400},
		{"presigned for less than no time", presigned, func(g *signing) { g.query.Set("X-Amz-Expires", "-1") }, 400},
		{"presigned without an end", presigned, func(g *signing) { g.query.Del("X-Amz-Expires") }, 400},
		{"presigned without the host", presigned, func(g *signing) { g.headers = "accept" }, 403},
		{"presigned for another service", presigned, func(g *signing) { g.scope[2] = "s3" }, 403},
		{"presigned with the header Date for its time", presigned, func(g *signing) {
			g.query.Del("X-Amz-Date")
			g.headers, g.header = "date;host", http.Header{"Date": {start.Format(http.TimeFormat)}}
		}, 400},
	}
	r := guarded(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := tt.made()
			tt.change(g)
			if status, text := r.ask(g.request()); status != tt.want {
				t.Errorf("%d %s, want %d", status, text, tt.want)
			}
		})
	}
}
