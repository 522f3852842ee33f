package wire

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"inflight/wire/sqs"
)

// How far a client's clock may be off, and how long a presigned URL may last.
const (
	maxSkew    = 15 * time.Minute
	maxExpires = 7 * 24 * time.Hour
)

const (
	algorithm  = "AWS4-HMAC-SHA256"
	amzTime    = "20060102T150405Z"
	service    = "sqs"
	terminator = "aws4_request"
)

// authorizer checks signatures of AWS signature version 4, in the header
// Authorization or in a presigned URL.
type authorizer struct {
	credentials *Credentials
	now         func() time.Time
}

// signed is what a request says of its signature.
type signed struct {
	key, date, region, service string
	headers                    []string
	signature                  string
	at                         time.Time
	expires                    time.Duration // of a presigned URL
	presigned                  bool
}

// Authorize returns who signed a request, and an error of package sqs if that
// is nobody we know, or the signature is not good.
func (a *authorizer) Authorize(r *http.Request, body []byte) (*sqs.Client, error) {
	if key, secret, ok := r.BasicAuth(); ok && besideProtocol(r.URL.Path) {
		return a.basic(key, secret)
	}
	s, err := readSignature(r)
	if err != nil {
		return nil, err
	}
	one, ok := a.credentials.Find(s.key)
	if !ok {
		return nil, sqs.ErrUnknownKey
	}
	if err := s.checkTime(a.now()); err != nil {
		return nil, err
	}
	want := sign(one.SecretKey, s, canonical(r, s, body))
	if !hmac.Equal([]byte(want), []byte(s.signature)) {
		return nil, sqs.ErrSignature
	}
	return &sqs.Client{Key: s.key, Region: s.region, Actions: one.Actions}, nil
}

// besideProtocol says whether a path is one of ours, for which a password
// will do: Prometheus and curl do not sign.
func besideProtocol(path string) bool {
	return below(path, sqs.InspectPath) || path == metricsPath
}

func (a *authorizer) basic(key, secret string) (*sqs.Client, error) {
	one, ok := a.credentials.Find(key)
	if !ok {
		return nil, sqs.ErrUnknownKey
	}
	if subtle.ConstantTimeCompare([]byte(one.SecretKey), []byte(secret)) != 1 {
		return nil, sqs.ErrSignature
	}
	return &sqs.Client{Key: key, Actions: one.Actions}, nil
}

// readSignature reads the signature and finds what it lacks.
func readSignature(r *http.Request) (*signed, error) {
	header := r.Header.Get("Authorization")
	query := r.URL.Query()
	fields := map[string]string{}
	s := &signed{}
	stamp := r.Header.Get("X-Amz-Date")
	switch {
	case header != "":
		name, rest, _ := strings.Cut(header, " ")
		if name != algorithm {
			return nil, &sqs.IncompleteError{Reason: "Unsupported authorization algorithm."}
		}
		for part := range strings.SplitSeq(rest, ",") {
			name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
			if _, twice := fields[name]; twice {
				return nil, &sqs.IncompleteError{Reason: "Authorization header has more than one '" + name + "' parameter."}
			}
			fields[name] = value
		}
	case query.Get("X-Amz-Signature") != "" || query.Get("X-Amz-Credential") != "":
		s.presigned = true
		fields = map[string]string{
			"Credential": query.Get("X-Amz-Credential"), "SignedHeaders": query.Get("X-Amz-SignedHeaders"), "Signature": query.Get("X-Amz-Signature"),
		}
		stamp = query.Get("X-Amz-Date")
		seconds, err := strconv.Atoi(query.Get("X-Amz-Expires"))
		if s.expires = time.Duration(seconds) * time.Second; err != nil || seconds < 0 || s.expires > maxExpires {
			return nil, &sqs.IncompleteError{Reason: "X-Amz-Expires must be between 0 and 604800 seconds."}
		}
	default:
		return nil, sqs.ErrNoCredentials
	}
	for _, name := range []string{"Credential", "Signature", "SignedHeaders"} {
		if fields[name] == "" {
			return nil, &sqs.IncompleteError{Reason: "Authorization header requires '" + name + "' parameter."}
		}
	}
	s.signature, s.headers = fields["Signature"], strings.Split(fields["SignedHeaders"], ";")
	return s, s.read(r, fields["Credential"], stamp)
}

// read reads the credential scope and the time, and checks that what must be
// signed is.
func (s *signed) read(r *http.Request, credential, stamp string) error {
	parts := strings.Split(credential, "/")
	if len(parts) != 5 || parts[4] != terminator {
		return &sqs.IncompleteError{Reason: "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '" + credential + "'"}
	}
	s.key, s.date, s.region, s.service = parts[0], parts[1], parts[2], parts[3]
	at, err := time.Parse(amzTime, stamp)
	if err != nil {
		if at, err = http.ParseTime(r.Header.Get("Date")); err != nil || s.presigned {
			return &sqs.IncompleteError{Reason: "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header."}
		}
	}
	s.at = at
	if s.service != service || s.date != at.UTC().Format("20060102") || !slices.Contains(s.headers, "host") {
		return sqs.ErrSignature
	}
	for name := range r.Header {
		if lower := strings.ToLower(name); strings.HasPrefix(lower, "x-amz-") && !slices.Contains(s.headers, lower) {
			return sqs.ErrSignature // whoever is between could have put it there
		}
	}
	return nil
}

func (s *signed) checkTime(now time.Time) error {
	early, late := s.at.Add(-maxSkew), s.at.Add(maxSkew)
	if s.presigned {
		late = s.at.Add(s.expires)
	}
	if now.Before(early) || now.After(late) {
		return &sqs.SkewError{Signed: s.at, Now: now}
	}
	return nil
}

// canonical is the request in the form that is signed.
func canonical(r *http.Request, s *signed, body []byte) string {
	var b strings.Builder
	path := r.URL.EscapedPath()
	if path == "" {
		path = "/"
	}
	b.WriteString(r.Method + "\n" + escape(path, true) + "\n" + canonicalQuery(r.URL.RawQuery) + "\n")
	for _, name := range s.headers {
		values := r.Header.Values(name)
		switch name {
		case "host":
			values = []string{r.Host}
		case "content-length":
			values = []string{strconv.FormatInt(r.ContentLength, 10)}
		}
		b.WriteString(name + ":")
		for i, v := range values {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strings.Join(strings.Fields(v), " "))
		}
		b.WriteByte('\n')
	}
	sum := sha256.Sum256(body)
	b.WriteString("\n" + strings.Join(s.headers, ";") + "\n" + hex.EncodeToString(sum[:]))
	return b.String()
}

// canonicalQuery sorts and escapes parameters anew, without the signature.
func canonicalQuery(raw string) string {
	var all []string
	for part := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(part, "=")
		name, err := url.QueryUnescape(name)
		if err != nil || part == "" || name == "X-Amz-Signature" {
			continue
		}
		value, _ = url.QueryUnescape(value)
		all = append(all, escape(name, false)+"="+escape(value, false))
	}
	slices.Sort(all)
	return strings.Join(all, "&")
}

// escape writes all but unreserved characters as %XX, slashes too unless they
// are to stay.
func escape(s string, slash bool) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9',
			c == '-', c == '_', c == '.', c == '~', c == '/' && slash:
			b.WriteByte(c)
		default:
			const digits = "0123456789ABCDEF"
			b.WriteByte('%')
			b.WriteByte(digits[c>>4])
			b.WriteByte(digits[c&15])
		}
	}
	return b.String()
}

// sign makes the signature that a request should have.
func sign(secret string, s *signed, request string) string {
	sum := sha256.Sum256([]byte(request))
	scope := s.date + "/" + s.region + "/" + s.service + "/" + terminator
	text := algorithm + "\n" + s.at.UTC().Format(amzTime) + "\n" + scope + "\n" + hex.EncodeToString(sum[:])
	key := []byte("AWS4" + secret)
	for _, part := range []string{s.date, s.region, s.service, terminator, text} {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(part))
		key = mac.Sum(nil)
	}
	return hex.EncodeToString(key)
}
