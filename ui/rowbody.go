package ui

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// paintBody draws a body's beginning in exactly width cells, from cell shift
// on. Names and punctuation of what looks like JSON or XML are muted, so that
// the values stand out; it need not be well formed, and seldom is, being cut.
func paintBody(th theme, body string, width, shift int, onRow bool) string {
	l := newLine(th, width, onRow)
	if shift > 0 {
		body = ansi.TruncateLeft(body, shift, "")
	}
	if cellWidth(body) > width {
		body, _ = cutText(body, width, th.glyph.more)
	}
	switch trimmed := strings.TrimLeft(body, " "); {
	case strings.HasPrefix(trimmed, "<"):
		paintMarkup(th, l, body)
	case strings.HasPrefix(trimmed, "{"), strings.HasPrefix(trimmed, "["), shift > 0:
		paintObject(th, l, body)
	default:
		l.put(th.text, body)
	}
	return l.done()
}

// paintObject mutes keys and punctuation.
func paintObject(th theme, l *line, body string) {
	for body != "" {
		switch body[0] {
		case '{', '}', '[', ']', ':', ',', ' ':
			n := 1
			for n < len(body) && strings.IndexByte("{}[]:, ", body[n]) >= 0 {
				n++
			}
			l.put(th.muted, body[:n])
			body = body[n:]
		case '"':
			n := quoted(body)
			k := th.text
			if rest := strings.TrimLeft(body[n:], " "); strings.HasPrefix(rest, ":") {
				k = th.muted
			}
			l.put(k, body[:n])
			body = body[n:]
		default:
			n := strings.IndexAny(body, `{}[]:,"`)
			if n <= 0 {
				n = len(body)
			}
			l.put(th.text, body[:n])
			body = body[n:]
		}
	}
}

// quoted is the length of the string that s begins with, its quotes included.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// paintMarkup mutes tags, but for the values of their attributes.
func paintMarkup(th theme, l *line, body string) {
	inTag := false
	for body != "" {
		switch {
		case !inTag:
			n := strings.IndexByte(body, '<')
			if n < 0 {
				n = len(body)
			}
			l.put(th.text, body[:n])
			body, inTag = body[n:], true
		case body[0] == '"':
			n := quoted(body)
			l.put(th.text, body[:n])
			body = body[n:]
		default:
			n := strings.IndexAny(body, `">`)
			switch {
			case n < 0:
				n = len(body)
			case body[n] == '>':
				n++
				inTag = false
			}
			n = max(n, firstRune(body))
			l.put(th.muted, body[:n])
			body = body[n:]
		}
	}
}

func firstRune(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}
