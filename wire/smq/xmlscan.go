package smq

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// parseXML reads a document; nil if there is nothing but space. It is stricter
// than XML where that costs no client anything: no document types, and so no
// entities but XML's own, names in ASCII, and no more depth and parts than a
// request can need. It takes one pass, and memory for names and text alone. The
// result shares nothing with text.
//
// encoding/xml would take ten times as long.
func parseXML(text []byte) (*element, error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	s := scanner{text: text}
	if !s.characters() || !s.document() || s.root == nil || len(s.open) > 0 {
		return nil, faultMalformed.with()
	}
	return s.root, nil
}

// scanner reads one document. Its methods say whether what they read was well-formed.
type scanner struct {
	text  []byte
	at    int
	parts int
	root  *element
	open  []opened
}

// opened is an element whose end was not read yet.
type opened struct {
	*element
	qualified []byte // its name with the prefix of a name space
}

// characters says whether all of the text may be in a document.
func (s *scanner) characters() bool {
	for i := 0; i < len(s.text); {
		c := s.text[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(s.text[i:])
		if r == utf8.RuneError && size == 1 || r == 0xFFFE || r == 0xFFFF {
			return false
		}
		i += size
	}
	return true
}

func (s *scanner) document() bool {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		ok := false
		switch {
		case rest[0] != '<':
			ok = s.run()
		case bytes.HasPrefix(rest, []byte("</")):
			ok = s.end()
		case bytes.HasPrefix(rest, []byte("<?")):
			ok = s.instruction()
		case bytes.HasPrefix(rest, []byte("<!--")):
			ok = s.comment()
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			ok = s.cdata()
		case !bytes.HasPrefix(rest, []byte("<!")):
			ok = s.start()
		}
		if !ok {
			return false
		}
	}
	return true
}

// run reads text up to the next "<".
func (s *scanner) run() bool {
	run := s.text[s.at:]
	if n := bytes.IndexByte(run, '<'); n >= 0 {
		run = run[:n]
	}
	s.at += len(run)
	if len(s.open) == 0 {
		return len(bytes.TrimLeft(run, " \t\r\n")) == 0
	}
	if bytes.Contains(run, []byte("]]>")) {
		return false
	}
	e := s.open[len(s.open)-1].element
	for {
		n := bytes.IndexByte(run, '&')
		if n < 0 {
			e.text = appendLines(e.text, run)
			return true
		}
		e.text = appendLines(e.text, run[:n])
		r, length := reference(run[n:])
		if length == 0 {
			return false
		}
		e.text = utf8.AppendRune(e.text, r)
		run = run[n+length:]
	}
}

// appendLines appends text with every line ended by a line feed alone, as XML
// has it.
func appendLines(to, text []byte) []byte {
	for {
		n := bytes.IndexByte(text, '\r')
		if n < 0 {
			return append(to, text...)
		}
		to = append(append(to, text[:n]...), '\n')
		if text = text[n+1:]; len(text) > 0 && text[0] == '\n' {
			text = text[1:]
		}
	}
}

// reference reads "&lt;" or "&#x3C;" at the start of text; its length is 0 if
// there is none that is good.
func reference(text []byte) (r rune, length int) {
	const longest = 12
	n := bytes.IndexByte(text[:min(len(text), longest)], ';')
	if n < 2 {
		return 0, 0
	}
	name := string(text[1:n])
	switch name {
	case "lt":
		return '<', n + 1
	case "gt":
		return '>', n + 1
	case "amp":
		return '&', n + 1
	case "apos":
		return '\'', n + 1
	case "quot":
		return '"', n + 1
	}
	digits, numeric := strings.CutPrefix(name, "#")
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	v, err := strconv.ParseUint(digits, base, 32)
	if !numeric || err != nil {
		return 0, 0
	}
	r = rune(v)
	if v > utf8.MaxRune || !utf8.ValidRune(r) || r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
		return 0, 0
	}
	return r, n + 1
}

// until reads to the end of a mark, and returns what stands between.
func (s *scanner) until(begin, mark string) ([]byte, bool) {
	inside := s.text[s.at+len(begin):]
	n := bytes.Index(inside, []byte(mark))
	if n < 0 {
		return nil, false
	}
	s.at += len(begin) + n + len(mark)
	return inside[:n], true
}

// comment reads a comment, in which two hyphens can only be at the end.
func (s *scanner) comment() bool {
	if _, ok := s.until("<!--", "--"); !ok || s.at == len(s.text) || s.text[s.at] != '>' {
		return false
	}
	s.at++
	return true
}

func (s *scanner) cdata() bool {
	inside, ok := s.until("<![CDATA[", "]]>")
	if !ok || len(s.open) == 0 {
		return false
	}
	e := s.open[len(s.open)-1].element
	e.text = appendLines(e.text, inside)
	return true
}

// instruction reads "<?xml …?>", or another one, which says nothing here.
func (s *scanner) instruction() bool {
	s.at += len("<?")
	target := string(s.name())
	if target == "" {
		return false
	}
	inside, ok := s.until("", "?>")
	if !ok || target != "xml" {
		return ok
	}
	encoding, version := declared(inside, "encoding"), declared(inside, "version")
	return (encoding == "" || strings.EqualFold(encoding, "utf-8")) && (version == "" || version == "1.0")
}

// declared is the value of a pseudo-attribute of "<?xml …?>".
func declared(inside []byte, name string) string {
	_, rest, _ := strings.Cut(string(inside), name)
	rest = strings.TrimLeft(rest, " \t\r\n=")
	if rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	value, _, _ := strings.Cut(rest[1:], rest[:1])
	return value
}

// name reads a name; empty if there is none.
func (s *scanner) name() []byte {
	from := s.at
	for s.at < len(s.text) {
		c := s.text[s.at]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		if !letter && (s.at == from || !(c >= '0' && c <= '9' || c == '-' || c == '.' || c == ':')) {
			break
		}
		s.at++
	}
	return s.text[from:s.at]
}

func (s *scanner) space() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t' || s.text[s.at] == '\n' || s.text[s.at] == '\r') {
		s.at++
	}
}

// take reads one character.
func (s *scanner) take(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// start reads a start tag, or that of an element without end tag.
func (s *scanner) start() bool {
	s.at++
	qualified := s.name()
	prefix, local, prefixed := bytes.Cut(qualified, []byte(":"))
	if !prefixed {
		local = prefix
	}
	if s.parts++; len(local) == 0 || bytes.IndexByte(local, ':') >= 0 || s.parts > maxElements || len(s.open) == maxDepth {
		return false
	}
	e := &element{name: string(local)}
	switch {
	case len(s.open) > 0:
		parent := s.open[len(s.open)-1].element
		parent.children = append(parent.children, e)
	case s.root != nil:
		return false
	default:
		s.root = e
	}
	for {
		s.space()
		switch {
		case s.take('>'):
			s.open = append(s.open, opened{e, qualified})
			return true
		case s.take('/'):
			return s.take('>')
		case !s.attribute():
			return false
		}
	}
}

// attribute reads past one: requests say nothing in them but name spaces.
func (s *scanner) attribute() bool {
	name := s.name()
	if len(name) == 0 || bytes.Count(name, []byte(":")) > 1 {
		return false
	}
	s.space()
	if !s.take('=') {
		return false
	}
	s.space()
	quote := `"`
	if !s.take('"') {
		if quote = "'"; !s.take('\'') {
			return false
		}
	}
	value, ok := s.until("", quote)
	if !ok || bytes.IndexByte(value, '<') >= 0 {
		return false
	}
	for {
		n := bytes.IndexByte(value, '&')
		if n < 0 {
			return true
		}
		_, length := reference(value[n:])
		if length == 0 {
			return false
		}
		value = value[n+length:]
	}
}

// end reads an end tag.
func (s *scanner) end() bool {
	s.at += len("</")
	name := s.name()
	s.space()
	last := len(s.open) - 1
	if !s.take('>') || last < 0 || !bytes.Equal(name, s.open[last].qualified) {
		return false
	}
	s.open = s.open[:last]
	return true
}
