package sqs

import (
	"strconv"
	"unicode/utf8"

	"inflight/engine"
)

// namespace is that of the API's version 2012-11-05.
const namespace = "http://queue.amazonaws.com/doc/2012-11-05/"

// xmlWriter writes an answer as XML (W12).
type xmlWriter struct{ b []byte }

// writeXML appends the answer of an action to b.
func writeXML(b []byte, action, requestID string, out output) []byte {
	x := &xmlWriter{b}
	x.raw(`<?xml version="1.0"?><`, action, `Response xmlns="`, namespace, `">`)
	if out != nil {
		x.raw("<", action, "Result")
		start := len(x.b)
		x.raw(">")
		out.write(x)
		if len(x.b) == start+1 {
			x.b = append(x.b[:start], "/>"...)
		} else {
			x.raw("</", action, "Result>")
		}
	}
	x.raw("<ResponseMetadata>")
	x.text("RequestId", requestID)
	x.raw("</ResponseMetadata></", action, "Response>")
	return x.b
}

// writeXMLError appends a refusal to b (W13).
func writeXMLError(b []byte, requestID string, e *Error) []byte {
	x := &xmlWriter{b}
	x.raw(`<?xml version="1.0"?><ErrorResponse xmlns="`, namespace, `"><Error>`)
	x.text("Type", e.side())
	x.text("Code", e.code.query)
	x.text("Message", e.textFor(true))
	x.raw("<Detail/></Error>")
	x.text("RequestId", requestID)
	x.raw("</ErrorResponse>")
	return x.b
}

func (x *xmlWriter) raw(parts ...string) {
	for _, p := range parts {
		x.b = append(x.b, p...)
	}
}

func (x *xmlWriter) open(name string) { x.raw("<", name, ">") }

func (x *xmlWriter) close(name string) { x.raw("</", name, ">") }

func (x *xmlWriter) text(name, v string) {
	x.open(name)
	x.b = appendXML(x.b, v)
	x.close(name)
}

func (x *xmlWriter) bytes(name string, v []byte) {
	x.open(name)
	x.b = appendXML(x.b, v)
	x.close(name)
}

func (x *xmlWriter) number(name string, v int64) {
	x.open(name)
	x.b = strconv.AppendInt(x.b, v, 10)
	x.close(name)
}

func (x *xmlWriter) boolean(name string, v bool) {
	x.text(name, strconv.FormatBool(v))
}

func (x *xmlWriter) texts(name listName, v []string) {
	for _, s := range v {
		x.text(name.element, s)
	}
}

func (x *xmlWriter) pairs(name pairName, v []pair) {
	for _, p := range v {
		x.open(name.element)
		x.text(name.key, p.name)
		x.text(name.value, p.value)
		x.close(name.element)
	}
}

func (x *xmlWriter) values(name listName, v []engine.Attribute) {
	for i := range v {
		x.open(name.element)
		x.text("Name", v[i].Name)
		x.open("Value")
		writeValue(x, &v[i])
		x.close("Value")
		x.close(name.element)
	}
}

func (x *xmlWriter) list(name listName, n int, item func(i int)) {
	for i := range n {
		x.open(name.element)
		item(i)
		x.close(name.element)
	}
}

// appendXML escapes text (W18). A carriage return would be read as a line
// feed; what XML cannot carry becomes U+FFFD, though SQS lets none in (S3).
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
			if !allowedRune(rune(c)) {
				escape = "\uFFFD"
			}
		default:
			var r rune
			r, size = utf8.DecodeRuneInString(string(v[i:min(i+utf8.UTFMax, len(v))]))
			if r == utf8.RuneError && size == 1 || !allowedRune(r) {
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
