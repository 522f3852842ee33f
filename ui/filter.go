package ui

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"

	"inflight/engine"
)

// filter is what a list is narrowed to.
type filter struct {
	text  string // as typed
	match func(*engine.Message) bool
}

// newFilter reads a substring or a /regular expression/. A substring matches
// bodies, and ids by their beginning; without a capital letter it takes
// either case. match may run while the next filter is typed: it holds no state.
func newFilter(text string) (*filter, error) {
	if text == "" {
		return nil, nil
	}
	if len(text) > 1 && text[0] == '/' {
		expression := strings.TrimSuffix(text[1:], "/")
		re, err := regexp.Compile(expression)
		if err != nil {
			return nil, err
		}
		return &filter{text, func(m *engine.Message) bool { return re.Match(m.Body) }}, nil
	}
	id := strings.ToLower(text)
	if strings.ContainsFunc(text, unicode.IsUpper) {
		part := []byte(text)
		return &filter{text, func(m *engine.Message) bool {
			return bytes.Contains(m.Body, part) || strings.HasPrefix(m.ID.String(), id)
		}}, nil
	}
	contains, err := containsFold(text)
	if err != nil {
		return nil, err
	}
	return &filter{text, func(m *engine.Message) bool {
		return contains(m.Body) || strings.HasPrefix(m.ID.String(), id)
	}}, nil
}

// containsFold looks for a text in either case. Nearly all texts are ASCII,
// and for those a loop is forty times as fast as a regular expression.
func containsFold(text string) (func([]byte) bool, error) {
	for i := range len(text) {
		if text[i] >= 0x80 {
			re, err := regexp.Compile("(?i)" + regexp.QuoteMeta(text))
			if err != nil {
				return nil, err
			}
			return re.Match, nil
		}
	}
	lower := []byte(strings.ToLower(text))
	return func(body []byte) bool {
		for i := 0; i+len(lower) <= len(body); i++ {
			if foldByte(body[i]) == lower[0] && equalFold(body[i:i+len(lower)], lower) {
				return true
			}
		}
		return false
	}, nil
}

func equalFold(part, lower []byte) bool {
	for i, c := range lower {
		if foldByte(part[i]) != c {
			return false
		}
	}
	return true
}

func foldByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
