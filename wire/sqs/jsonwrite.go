package sqs

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"

	"inflight/engine"
)

// jsonWriter writes an answer as a JSON object.
type jsonWriter struct{ b []byte }

// writeJSON appends an answer to b; nil is an empty object.
func writeJSON(b []byte, out output) []byte {
	j := &jsonWriter{append(b, '{')}
	if out != nil {
		out.write(j)
	}
	return append(j.b, '}')
}

// appendText appends a JSON string.
func appendText(b []byte, v string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(v); i++ {
		if c := v[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			b = append(b, v[from:i]...)
			return append(appendEscaped(b, []byte(v[i:])), '"')
		}
	}
	return append(append(b, v[from:]...), '"')
}

// appendBody is appendText for what may be long.
func appendBody(b, v []byte) []byte {
	return append(appendEscaped(append(b, '"'), v), '"')
}

// appendEscaped appends what stands between the quotes. Bytes that are not
// UTF-8, which only others than SQS clients can have sent, become U+FFFD.
func appendEscaped(b, v []byte) []byte {
	for len(v) > 0 {
		n := plain(v)
		b = append(b, v[:n]...)
		if v = v[n:]; len(v) == 0 {
			break
		}
		size := 1
		switch c := v[0]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\r':
			b = append(b, '\\', 'r')
		case c == '\t':
			b = append(b, '\\', 't')
		case c < ' ':
			const digits = "0123456789abcdef"
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			var r rune
			r, size = utf8.DecodeRune(v)
			b = utf8.AppendRune(b, r)
		}
		v = v[size:]
	}
	return b
}

// next makes room for the next member or element.
func (j *jsonWriter) next() {
	if last := j.b[len(j.b)-1]; last != '{' && last != '[' {
		j.b = append(j.b, ',')
	}
}

// member writes a name. Names need no escapes.
func (j *jsonWriter) member(name string) {
	j.next()
	j.b = append(j.b, '"')
	j.b = append(j.b, name...)
	j.b = append(j.b, '"', ':')
}

func (j *jsonWriter) text(name, v string) {
	j.member(name)
	j.b = appendText(j.b, v)
}

func (j *jsonWriter) bytes(name string, v []byte) {
	j.member(name)
	j.b = appendBody(j.b, v)
}

func (j *jsonWriter) number(name string, v int64) {
	j.member(name)
	j.b = strconv.AppendInt(j.b, v, 10)
}

func (j *jsonWriter) boolean(name string, v bool) {
	j.member(name)
	j.b = strconv.AppendBool(j.b, v)
}

func (j *jsonWriter) texts(name listName, v []string) {
	if len(v) == 0 && !name.keep {
		return
	}
	j.member(name.json)
	j.b = append(j.b, '[')
	for _, s := range v {
		j.next()
		j.b = appendText(j.b, s)
	}
	j.b = append(j.b, ']')
}

func (j *jsonWriter) pairs(name pairName, v []pair) {
	if len(v) == 0 {
		return
	}
	j.member(name.json)
	j.b = append(j.b, '{')
	for _, p := range v {
		j.next()
		j.b = append(appendText(j.b, p.name), ':')
		j.b = appendText(j.b, p.value)
	}
	j.b = append(j.b, '}')
}

func (j *jsonWriter) values(name listName, v []engine.Attribute) {
	if len(v) == 0 {
		return
	}
	j.member(name.json)
	j.b = append(j.b, '{')
	for i := range v {
		j.next()
		j.b = append(appendText(j.b, v[i].Name), ':', '{')
		writeValue(j, &v[i])
		j.b = append(j.b, '}')
	}
	j.b = append(j.b, '}')
}

func (j *jsonWriter) list(name listName, n int, item func(i int)) {
	if n == 0 && !name.keep {
		return
	}
	j.member(name.json)
	j.b = append(j.b, '[')
	for i := range n {
		j.next()
		j.b = append(j.b, '{')
		item(i)
		j.b = append(j.b, '}')
	}
	j.b = append(j.b, ']')
}

// writeValue writes a message attribute without its name, in any form.
func writeValue(s sink, a *engine.Attribute) {
	if strings.HasPrefix(a.Type, "Binary") {
		s.text("BinaryValue", base64.StdEncoding.EncodeToString(a.Value))
	} else {
		s.bytes("StringValue", a.Value)
	}
	s.text("DataType", a.Type)
}
