package smq

import (
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// source is what a request says: in its headers, parameters and body.
type source struct {
	header http.Header
	query  map[string]string // by name in lower case
	body   *element          // nil: none
}

func newSource(header http.Header, rawQuery string, body []byte) (*source, error) {
	query, err := parseQuery(rawQuery)
	if err != nil {
		return nil, err
	}
	root, err := parseXML(body)
	if err != nil {
		return nil, err
	}
	return &source{header: header, query: query, body: root}, nil
}

// parseQuery reads parameters, of which the first of a name counts, in any
// case. Most clients send receipt handles unescaped: a "+" is a plus.
func parseQuery(raw string) (map[string]string, error) {
	if raw == "" {
		return nil, nil
	}
	query := map[string]string{}
	for item := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(item, "=")
		name, err := url.PathUnescape(name)
		if err != nil {
			return nil, faultQuery.with(item)
		}
		if value, err = url.PathUnescape(value); err != nil {
			return nil, faultQuery.with(item)
		}
		if name = strings.ToLower(name); name == "" {
			continue
		}
		if _, twice := query[name]; !twice {
			query[name] = value
		}
	}
	return query, nil
}

func (s *source) parameter(name string) string { return s.query[name] }

// flag is a parameter that tells two actions apart, false if it is not there.
// Nobody says what it means without a value, and either guess does what the
// client may not have wanted, so anything but true or false is refused.
func (s *source) flag(name string) (bool, error) {
	text, given := s.query[name]
	switch {
	case !given, strings.EqualFold(text, "false"):
		return false, nil
	case isTrue(text):
		return true, nil
	}
	return false, faultQuery.with(name + "=" + text)
}

// number is a number that may be there. What is no number is out of any range.
type number struct {
	given bool
	n     int64
}

func parseNumber(text string) number {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		n = math.MinInt64
	}
	return number{true, n}
}

func (s *source) number(name string) number {
	text, ok := s.query[name]
	if !ok {
		return number{}
	}
	return parseNumber(text)
}

// within checks the range of a number if it is there. The unit is "seconds",
// "bytes" or empty.
func (n number) within(name string, low, high int64, unit string) error {
	if !n.given || n.n >= low && n.n <= high {
		return nil
	}
	if unit != "" {
		unit = " " + unit
	}
	return faultRange.with(name, low, high, unit)
}

// or is the number, or what stands for one that is not there.
func (n number) or(other int64) int64 {
	if n.given {
		return n.n
	}
	return other
}
