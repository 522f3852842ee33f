package ui

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// maxIndent is the depth to which JSON and XML are indented. Deeper levels
// stay at that column: ten thousand nested arrays would otherwise be a hundred
// megabytes of blanks.
const maxIndent = 20

// indentJSON lays out text, which is valid JSON without blanks around it. Only
// blanks between tokens change, and escapes of what can be drawn: numbers, all
// other escapes, doubled keys and their order stay as they were sent.
func indentJSON(text string) string {
	var b strings.Builder
	b.Grow(len(text) * 2)
	depth := 0
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
		case '"':
			end := jsonStringEnd(text, i)
			writeReadable(&b, text[i:end])
			i = end
		case '{', '[':
			b.WriteByte(c)
			i++
			next := i + blankPrefix(text[i:])
			if text[next] == '}' || text[next] == ']' {
				b.WriteByte(text[next])
				i = next + 1
				break
			}
			depth++
			breakLine(&b, depth)
		case '}', ']':
			depth--
			breakLine(&b, depth)
			b.WriteByte(c)
			i++
		case ',':
			b.WriteByte(c)
			breakLine(&b, depth)
			i++
		case ':':
			b.WriteString(": ")
			i++
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

// writeReadable writes a string of JSON with its letters for their escapes, as
// Å for \u00c5. What the string would end at, and what cannot be drawn, stays
// escaped.
func writeReadable(b *strings.Builder, s string) {
	for {
		at := strings.IndexByte(s, '\\')
		if at < 0 || at+1 >= len(s) {
			b.WriteString(s)
			return
		}
		b.WriteString(s[:at])
		s = s[at:]
		r, size := escapedRune(s)
		if size > 0 && r != '"' && r != '\\' && r != utf8.RuneError && !unicode.IsSpace(r) && drawable(r) {
			b.WriteRune(r)
		} else {
			size = max(size, 2)
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
}

// escapedRune reads \uXXXX, or two of them that are one character; size 0: it
// is another escape.
func escapedRune(s string) (r rune, size int) {
	unit := func(s string) (rune, bool) {
		if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
			return 0, false
		}
		n, err := strconv.ParseUint(s[2:6], 16, 32)
		return rune(n), err == nil
	}
	first, ok := unit(s)
	if !ok {
		return 0, 0
	}
	if second, ok := unit(s[6:]); ok && utf16.IsSurrogate(first) {
		if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
			return r, 12
		}
	}
	if utf16.IsSurrogate(first) {
		return utf8.RuneError, 6
	}
	return first, 6
}

func breakLine(b *strings.Builder, depth int) {
	b.WriteByte('\n')
	b.WriteString(blanks(2 * min(depth, maxIndent)))
}

// jsonStringEnd returns where the string that starts at i ends.
func jsonStringEnd(text string, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

func blankPrefix(s string) int {
	return len(s) - len(strings.TrimLeft(s, " \t\r\n"))
}

// colourJSON gives text, which is valid JSON, its tones.
func colourJSON(text string) bodyText {
	var tones []stretch
	for i := 0; i < len(text); {
		start := i
		switch c := text[i]; {
		case c == '"':
			i = jsonStringEnd(text, i)
			rest := text[i:]
			if next := blankPrefix(rest); next < len(rest) && rest[next] == ':' {
				tones = toneRun(tones, i, toneMuted)
			} else {
				tones = colourString(tones, text, start, i)
			}
		case strings.IndexByte("{}[]:, \t\r\n", c) >= 0:
			i++
			tones = toneRun(tones, i, toneMuted)
		default:
			for i < len(text) && strings.IndexByte("{}[]:, \t\r\n\"", text[i]) < 0 {
				i++
			}
			tones = toneRun(tones, i, toneLiteral)
		}
	}
	return bodyText{text, tones}
}

// colourString gives a string value its tones: \u001b is a character that the
// sender escaped.
func colourString(tones []stretch, text string, start, end int) []stretch {
	for i := start; i < end; i++ {
		if text[i] != '\\' {
			continue
		}
		if text[i+1] == 'u' && i+6 <= end {
			tones = toneRun(tones, i, toneText)
			tones = toneRun(tones, i+6, toneMark)
			i += 4
		}
		i++
	}
	return toneRun(tones, end, toneText)
}
