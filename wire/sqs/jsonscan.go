package sqs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner reads JSON text (RFC 8259) piece by piece, eight bytes at a time
// where strings are long: bodies are most of what goes over the wire. It takes
// no invalid UTF-8; half of a surrogate pair becomes some (see unquote).
//
// Libraries were measured and left: on bodies of 1 KiB this reads and writes
// several times as fast as encoding/json and jsontext (see BenchmarkDecode).
type scanner struct {
	text []byte
	at   int
}

var errEnd = errors.New("unexpected end of JSON input")

func (s *scanner) unexpected() error {
	if s.at >= len(s.text) {
		return errEnd
	}
	return fmt.Errorf("unexpected character %q at offset %d", s.text[s.at], s.at)
}

// peek skips white space and returns what kind of thing comes: the first
// character, with '0' for any number, and 0 at the end.
func (s *scanner) peek() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r':
			continue
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			return '0'
		default:
			return c
		}
	}
	return 0
}

// ended says whether nothing but white space comes.
func (s *scanner) ended() bool { return s.peek() == 0 && s.at >= len(s.text) }

// take reads one character of structure.
func (s *scanner) take(c byte) error {
	if s.peek() != c {
		return s.unexpected()
	}
	s.at++
	return nil
}

// quoted reads a string and returns what is between the quotes, and whether
// there are escapes in it.
func (s *scanner) quoted() (raw []byte, escaped bool, err error) {
	if err := s.take('"'); err != nil {
		return nil, false, err
	}
	start := s.at
	ascii := true
	for {
		s.at += plain(s.text[s.at:])
		if s.at >= len(s.text) {
			return nil, false, errEnd
		}
		switch c := s.text[s.at]; {
		case c == '"':
			raw = s.text[start:s.at]
			s.at++
			if !ascii && !utf8.Valid(raw) {
				return nil, false, fmt.Errorf("invalid UTF-8 in the string at offset %d", start-1)
			}
			return raw, escaped, nil
		case c == '\\':
			if escaped = true; s.at+2 > len(s.text) {
				return nil, false, errEnd
			}
			s.at += 2 // unquote looks at what is escaped
		case c >= utf8.RuneSelf:
			ascii = false
			s.at++
		default:
			return nil, false, s.unexpected() // a control character
		}
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plain counts the bytes at the front of b that a JSON string holds as they
// are: ASCII but for control characters, quotes and backslashes.
func plain(b []byte) int {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		quote, backslash := x^('"'*ones), x^('\\'*ones)
		if (x|(x-' '*ones)|(quote-ones)|(backslash-ones))&highs != 0 { // may be wrong, but never misses one
			break
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return i
		}
	}
	return i
}

// unquote appends what an escaped string means. Half of a surrogate pair stands
// for no character: it becomes its three bytes, which are no valid UTF-8.
func unquote(dst, raw []byte) ([]byte, error) {
	for len(raw) > 0 {
		n := plain(raw)
		for n < len(raw) && raw[n] != '\\' {
			n++
			n += plain(raw[n:])
		}
		dst = append(dst, raw[:n]...)
		if raw = raw[n:]; len(raw) == 0 {
			break
		}
		if len(raw) < 2 {
			return dst, errEnd
		}
		switch c := raw[1]; c {
		case '"', '\\', '/':
			dst = append(dst, c)
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r, size := escapedRune(raw)
			if size == 0 {
				return dst, fmt.Errorf("bad escape %.12q", raw)
			}
			if utf16.IsSurrogate(r) {
				dst = append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
			} else {
				dst = utf8.AppendRune(dst, r)
			}
			raw = raw[size:]
			continue
		default:
			return dst, fmt.Errorf("bad escape %.2q", raw)
		}
		raw = raw[2:]
	}
	return dst, nil
}

// escapedRune reads \uXXXX, or two of them that make a pair; size 0 if it is
// neither. A surrogate comes back if it is no part of a pair.
func escapedRune(raw []byte) (r rune, size int) {
	r = hex4(raw)
	switch {
	case r < 0:
		return 0, 0
	case !utf16.IsSurrogate(r):
		return r, 6
	}
	if pair := utf16.DecodeRune(r, hex4(raw[6:])); pair != utf8.RuneError {
		return pair, 12
	}
	return r, 6
}

// hex4 reads \uXXXX, or returns -1.
func hex4(raw []byte) (r rune) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return -1
	}
	for _, c := range raw[2:6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// number reads a number as it stands.
func (s *scanner) number() ([]byte, error) {
	if s.peek() != '0' {
		return nil, s.unexpected()
	}
	start := s.at
	if s.text[s.at] == '-' {
		s.at++
	}
	if s.at < len(s.text) && s.text[s.at] == '0' {
		s.at++
	} else if !s.digits() {
		return nil, s.unexpected()
	}
	if s.at < len(s.text) && s.text[s.at] == '.' {
		if s.at++; !s.digits() {
			return nil, s.unexpected()
		}
	}
	if s.at < len(s.text) && s.text[s.at]|0x20 == 'e' {
		s.at++
		if s.at < len(s.text) && (s.text[s.at] == '+' || s.text[s.at] == '-') {
			s.at++
		}
		if !s.digits() {
			return nil, s.unexpected()
		}
	}
	return s.text[start:s.at], nil
}

func (s *scanner) digits() bool {
	start := s.at
	for s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' {
		s.at++
	}
	return s.at > start
}

// skipDepth is how deeply a member that nobody asked for may be nested.
const skipDepth = 64

// skip passes over any value.
func (s *scanner) skip(depth int) error {
	if depth > skipDepth {
		return errors.New("it is nested too deeply")
	}
	switch c := s.peek(); c {
	case '"':
		return s.skipString()
	case '0':
		_, err := s.number()
		return err
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	case '{', '[':
		return s.skipInside(c+2, depth) // '}' is '{'+2, ']' is '['+2
	}
	return s.unexpected()
}

func (s *scanner) skipString() error {
	raw, escaped, err := s.quoted()
	if err == nil && escaped {
		_, err = unquote(nil, raw)
	}
	return err
}

func (s *scanner) skipInside(end byte, depth int) error {
	s.at++
	for n := 0; s.peek() != end; n++ {
		if n > 0 {
			if err := s.take(','); err != nil {
				return err
			}
		}
		if end == '}' {
			if err := s.skipString(); err != nil {
				return err
			}
			if err := s.take(':'); err != nil {
				return err
			}
		}
		if err := s.skip(depth + 1); err != nil {
			return err
		}
	}
	s.at++
	return nil
}

func (s *scanner) word(w string) error {
	if len(s.text)-s.at < len(w) || string(s.text[s.at:s.at+len(w)]) != w {
		return s.unexpected()
	}
	s.at += len(w)
	return nil
}
