package smq

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	scheme2    = "MNS"
	scheme4    = "MNS4-HMAC-SHA256"
	terminator = "aliyun_v4_request"
	product    = "mns"
	isoTime    = "20060102T150405Z"
)

// identity is who sent a request.
type identity struct {
	key     string // access key whose signature was good; empty if nobody asked for one
	shown   string // access key as the request has it, for the holder's name
	actions []string
}

// may says whether an action is allowed. The right to an action includes its
// batch form.
func (i *identity) may(action string) bool {
	if i.actions == nil {
		return true
	}
	single := strings.TrimPrefix(action, "Batch")
	for _, allowed := range i.actions {
		if allowed = bareAction(allowed); allowed == "*" || strings.EqualFold(allowed, action) || strings.EqualFold(allowed, single) {
			return true
		}
	}
	return false
}

// bareAction is an action's name without the "mns:" that may stand before it.
func bareAction(name string) string {
	if len(name) > 4 && strings.EqualFold(name[:4], "mns:") {
		return name[4:]
	}
	return name
}

// KnowsAction says whether a client can be allowed this: an action's name, as
// also after "mns:", or "*".
func KnowsAction(name string) bool {
	name = bareAction(name)
	for action := range actions {
		if strings.EqualFold(name, action) {
			return true
		}
	}
	return name == "*"
}

// signed is what a request says of its signature: version 2, or with a scope
// version 4.
type signed struct {
	key, signature string
	date, region   string
	four           bool
}

// parseAuthorization reads "MNS KEY:SIGNATURE", or version 4's
// "MNS4-HMAC-SHA256 Credential=KEY/DATE/REGION/mns/aliyun_v4_request,Signature=HEX".
func parseAuthorization(header string) (signed, bool) {
	scheme, rest, _ := strings.Cut(header, " ")
	rest = strings.TrimSpace(rest)
	switch scheme {
	case scheme2:
		key, signature, ok := strings.Cut(rest, ":")
		return signed{key: key, signature: signature}, ok && key != "" && signature != ""
	case scheme4:
		fields := map[string]string{}
		for part := range strings.SplitSeq(rest, ",") {
			name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
			fields[name] = value
		}
		parts := strings.Split(fields["Credential"], "/")
		if len(parts) != 5 || parts[3] != product || parts[4] != terminator || parts[0] == "" || fields["Signature"] == "" {
			return signed{}, false
		}
		return signed{key: parts[0], signature: fields["Signature"], date: parts[1], region: parts[2], four: true}, true
	}
	return signed{}, false
}

// authenticate finds out who signed a request, where that is asked for.
func (h *Handler) authenticate(r *http.Request) (*identity, error) {
	header := r.Header.Get("Authorization")
	s, ok := parseAuthorization(header)
	switch {
	case h.options.Credentials == nil:
		return &identity{shown: s.key}, nil
	case header == "":
		return nil, faultNoAuthorization.with()
	case !ok:
		return nil, faultAuthorization.with()
	}
	secret, actions, known := h.options.Credentials.Find(s.key)
	if !known {
		return nil, faultUnknownKey.with()
	}
	date, at, err := requestTime(r.Header)
	if err != nil {
		return nil, err
	}
	if now := h.options.Now(); at.Before(now.Add(-maxSkew)) || at.After(now.Add(maxSkew)) {
		return nil, faultExpired.with()
	}
	want := ""
	switch {
	case !s.four:
		want = sign2(secret, stringToSign2(r, date))
	case s.date == at.UTC().Format("20060102"):
		want = sign4(secret, s, at, canonical4(r))
	}
	if !hmac.Equal([]byte(want), []byte(s.signature)) {
		return nil, faultSignature.with()
	}
	return &identity{key: s.key, shown: s.key, actions: actions}, nil
}

// requestTime is the header Date, for which x-mns-date may stand in.
func requestTime(header http.Header) (text string, at time.Time, err error) {
	if text = header.Get("Date"); text == "" {
		text = header.Get("X-Mns-Date")
	}
	if text == "" {
		return "", time.Time{}, faultNoDate.with()
	}
	if at, err = http.ParseTime(text); err != nil {
		if at, err = time.Parse(isoTime, text); err != nil {
			return "", time.Time{}, faultDate.with()
		}
	}
	return text, at, nil
}

// stringToSign2 is what version 2 signs. Path and query are there exactly as
// they were sent.
func stringToSign2(r *http.Request, date string) string {
	var b strings.Builder
	b.WriteString(r.Method + "\n" + r.Header.Get("Content-Md5") + "\n" + r.Header.Get("Content-Type") + "\n" + date + "\n")
	writeHeaders(&b, r.Header, func(name string) bool { return strings.HasPrefix(name, "x-mns-") })
	b.WriteString(rawTarget(r))
	return b.String()
}

// rawTarget is path and query of the request line.
func rawTarget(r *http.Request) string {
	raw := r.RequestURI
	if _, rest, absolute := strings.Cut(raw, "://"); absolute && !strings.HasPrefix(raw, "/") {
		if slash := strings.IndexByte(rest, '/'); slash >= 0 {
			return rest[slash:]
		}
		return "/"
	}
	return raw
}

// writeHeaders writes the headers that are signed, by name.
func writeHeaders(b *strings.Builder, header http.Header, is func(name string) bool) {
	var lines []string
	for name, values := range header {
		if name = strings.ToLower(name); is(name) {
			lines = append(lines, name+":"+strings.TrimSpace(strings.Join(values, ","))+"\n")
		}
	}
	slices.Sort(lines)
	for _, line := range lines {
		b.WriteString(line)
	}
}

func sign2(secret, text string) string {
	mac := hmac.New(sha1.New, []byte(secret))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// canonical4 is the request in the form that version 4 signs.
func canonical4(r *http.Request) string {
	var b strings.Builder
	b.WriteString(r.Method + "\n" + escape(r.URL.Path, true) + "\n" + canonicalQuery(r.URL.RawQuery) + "\n")
	writeHeaders(&b, r.Header, func(name string) bool {
		return name == "content-type" || name == "content-md5" || strings.HasPrefix(name, "x-mns-")
	})
	b.WriteString("\n")
	return b.String()
}

func canonicalQuery(raw string) string {
	query, err := parseQuery(raw)
	if err != nil {
		return ""
	}
	var all []string
	for name, value := range query {
		item := escape(strings.TrimSpace(name), false)
		if value = strings.TrimSpace(value); value != "" {
			item += "=" + escape(value, false)
		}
		all = append(all, item)
	}
	slices.Sort(all)
	return strings.Join(all, "&")
}

// escape writes all but unreserved characters as %XX, slashes too unless they
// are to stay.
func escape(s string, slash bool) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			c == '-' || c == '_' || c == '.' || c == '~' || c == '/' && slash {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', digits[c>>4], digits[c&15]})
	}
	return b.String()
}

func sign4(secret string, s signed, at time.Time, request string) string {
	scope := s.date + "/" + s.region + "/" + product + "/" + terminator
	text := scheme4 + "\n" + at.UTC().Format(isoTime) + "\n" + scope + "\n" + request
	key := []byte("aliyun_v4" + secret)
	for _, part := range []string{s.date, s.region, product, terminator, text} {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(part))
		key = mac.Sum(nil)
	}
	return hex.EncodeToString(key)
}

// digestMatches compares a body with its Content-MD5, if there is one: most
// clients send the Base64 of the digest in hexadecimal, others that of its
// bytes, or hexadecimal digits.
func digestMatches(header string, body []byte) bool {
	if header == "" {
		return true
	}
	sum := md5.Sum(body)
	digits := hex.EncodeToString(sum[:])
	if strings.EqualFold(header, digits) {
		return true
	}
	decoded, err := base64.StdEncoding.DecodeString(header)
	return err == nil && (string(decoded) == string(sum[:]) || strings.EqualFold(string(decoded), digits))
}
