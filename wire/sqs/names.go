package sqs

import (
	"net/http"
	"net/url"
	"strings"
)

// target is a queue as a client names it.
type target struct {
	name   string
	region string // empty: that of the request
}

// parseTarget reads a queue URL, or its path, or a queue's name alone. It
// takes name and region from the path and ignores host and account (1.3).
// The forms are /ACCOUNT/NAME and /queue/REGION/ACCOUNT/NAME.
func parseTarget(s string) (target, bool) {
	if _, rest, ok := strings.Cut(s, "://"); ok {
		slash := strings.IndexByte(rest, '/')
		if slash < 0 {
			return target{}, false
		}
		s = rest[slash:]
	}
	if cut := strings.IndexAny(s, "?#"); cut >= 0 {
		s = s[:cut]
	}
	if unescaped, err := url.PathUnescape(s); err == nil {
		s = unescaped
	}
	if !strings.Contains(s, "/") {
		return target{name: s}, s != ""
	}
	parts := strings.Split(strings.Trim(s, "/"), "/")
	n := len(parts)
	if n < 2 {
		return target{}, false
	}
	t := target{name: parts[n-1]}
	if n >= 4 && parts[n-4] == "queue" {
		t.region = parts[n-3]
	}
	return t, true
}

// queueOf finds the queue that a request is about: the parameter, or without
// it the path (W10). It is the engine's name of it.
func (c *call) queueOf(parameter string) (string, error) {
	t := c.at
	if parameter != "" {
		var ok bool
		if t, ok = parseTarget(parameter); !ok {
			return "", faultAddress.with(parameter)
		}
	}
	if t.name == "" {
		return "", faultMissing.with("QueueUrl")
	}
	return c.engineName(t)
}

// engineName turns a client's name of a queue into the engine's.
func (c *call) engineName(t target) (string, error) {
	region := c.region
	if validRegion(t.region) {
		region = t.region
	}
	if !nameCharacters(t.name) {
		return "", noQueue() // there can be none, and "@" must not get through
	}
	return c.nameIn(t.name, region), nil
}

// nameIn is what the engine calls a queue of a region.
func (h *Handler) nameIn(name, region string) string {
	if region == h.options.Region {
		return name
	}
	return name + "@" + region
}

// split is the inverse of nameIn.
func (h *Handler) split(engineName string) (name, region string) {
	name, region, ok := strings.Cut(engineName, "@")
	if !ok {
		region = h.options.Region
	}
	return name, region
}

// url is a queue's URL. Outside the default region it names the region, so
// that it works without a signature too.
func (c *call) url(engineName string) string {
	name, region := c.split(engineName)
	if region == c.options.Region {
		return c.base + "/" + c.options.Account + "/" + name
	}
	return c.base + "/queue/" + region + "/" + c.options.Account + "/" + name
}

// arn is a queue's Amazon resource name.
func (h *Handler) arn(engineName string) string {
	name, region := h.split(engineName)
	return "arn:aws:sqs:" + region + ":" + h.options.Account + ":" + name
}

// arnParts are those of an ARN that matter here.
type arnParts struct{ service, region, account, name string }

// parseARN reads "arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE".
func parseARN(s string) (arnParts, bool) {
	p := strings.Split(s, ":")
	if len(p) != 6 || p[0] != "arn" || p[1] == "" || p[2] == "" || p[5] == "" {
		return arnParts{}, false
	}
	return arnParts{service: p[2], region: p[3], account: p[4], name: p[5]}, true
}

// ofARN is what the engine calls a queue, empty if it can be none of ours.
func (h *Handler) ofARN(a arnParts) string {
	if a.service != "sqs" || a.account != h.options.Account || !nameCharacters(a.name) || !validRegion(a.region) {
		return ""
	}
	return h.nameIn(a.name, a.region)
}

// fifoName says whether a queue of that name is a FIFO queue.
func fifoName(engineName string) bool {
	name, _, _ := strings.Cut(engineName, "@")
	return strings.HasSuffix(name, ".fifo")
}

func nameCharacters(name string) bool {
	name = strings.TrimSuffix(name, ".fifo")
	for i := range len(name) {
		if c := name[i]; !alphanumeric(c) && c != '-' && c != '_' {
			return false
		}
	}
	return name != ""
}

func alphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func validRegion(s string) bool {
	for i := range len(s) {
		if c := s[i]; !alphanumeric(c) && c != '-' && c != '_' {
			return false
		}
	}
	return len(s) > 0 && len(s) <= MaxRegion
}

// scope reads access key and region out of the credential scope of a request's
// signature, whether or not that is good: KEY/DATE/REGION/SERVICE/aws4_request.
func scope(r *http.Request) (key, region string) {
	credential := ""
	if header := r.Header.Get("Authorization"); header != "" {
		_, credential, _ = strings.Cut(header, "Credential=")
		credential, _, _ = strings.Cut(credential, ",")
		credential, _, _ = strings.Cut(credential, " ")
	} else if strings.Contains(r.URL.RawQuery, "X-Amz-Credential") {
		credential = r.URL.Query().Get("X-Amz-Credential")
	}
	parts := strings.Split(credential, "/")
	n := len(parts)
	if n < 5 {
		return "", ""
	}
	return strings.Join(parts[:n-4], "/"), parts[n-3]
}

// regionOr is the region that a signature names, or the default one.
func (h *Handler) regionOr(signed string) string {
	if region := strings.ToLower(signed); validRegion(region) {
		return region
	}
	return h.options.Region
}
