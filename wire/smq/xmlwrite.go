package smq

import (
	"strconv"
	"time"
	"unicode/utf8"
)

// namespace is what the live service writes. With the last slash that the
// documents have, Java's client does not find the code of an error.
const namespace = "http://mns.aliyuncs.com/doc/v1"

// xmlWriter writes an answer.
type xmlWriter struct{ b []byte }

func (x *xmlWriter) raw(parts ...string) {
	for _, p := range parts {
		x.b = append(x.b, p...)
	}
}

// document writes a whole answer.
func (x *xmlWriter) document(root string, children func()) {
	x.raw(`<?xml version="1.0" ?>`, "\n<", root, ` xmlns="`, namespace, "\">\n")
	children()
	x.raw("</", root, ">\n")
}

// nest writes an element with children. The line feed before the first keeps
// Python's client from failing.
func (x *xmlWriter) nest(name string, children func()) {
	x.raw("<", name, ">\n")
	children()
	x.raw("</", name, ">\n")
}

func (x *xmlWriter) text(name, v string) {
	x.raw("<", name, ">")
	x.b = appendXML(x.b, v)
	x.raw("</", name, ">\n")
}

func (x *xmlWriter) bytes(name string, v []byte) {
	x.raw("<", name, ">")
	x.b = appendXML(x.b, v)
	x.raw("</", name, ">\n")
}

func (x *xmlWriter) number(name string, v int64) {
	x.raw("<", name, ">")
	x.b = strconv.AppendInt(x.b, v, 10)
	x.raw("</", name, ">\n")
}

// milliseconds writes a time of a message. Those of queues are in seconds.
func (x *xmlWriter) milliseconds(name string, t time.Time) { x.number(name, t.UnixMilli()) }

// appendXML escapes text, without CDATA, of which Python's client reads only a
// part. A carriage return would be read as a line feed; what XML cannot carry
// becomes U+FFFD: only the console can have put it into a queue.
func appendXML[T ~string | ~[]byte](b []byte, v T) []byte {
	from := 0
	for i := 0; i < len(v); {
		size, escape := 1, ""
		switch c := v[i]; {
		case c == '&':
			escape = "&amp;"
		case c == '<':
			escape = "&lt;"
		case c == '>':
			escape = "&gt;"
		case c == '"':
			escape = "&quot;"
		case c == '\r':
			escape = "&#xD;"
		case c < utf8.RuneSelf:
			if c < ' ' && c != '\t' && c != '\n' {
				escape = "\uFFFD"
			}
		default:
			var r rune
			r, size = utf8.DecodeRuneInString(string(v[i:min(i+utf8.UTFMax, len(v))]))
			if r == utf8.RuneError && size == 1 || r == 0xFFFE || r == 0xFFFF {
				escape = "\uFFFD"
			}
		}
		if escape != "" {
			b = append(append(b, v[from:i]...), escape...)
			from = i + size
		}
		i += size
	}
	return append(b, v[from:]...)
}
