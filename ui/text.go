package ui

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Everything that comes from outside (bodies, attributes, names of queues and
// holders, error texts) passes this file before it is drawn, so that a message
// can neither move the cursor nor shift what stands beside it.
//
// Drawn as it is: a printable character one or two cells wide, alone or with a
// few combining marks, if the library that draws and wcwidth agree on its
// width. All else becomes a mark of plain characters: a control picture (␛),
// \x9b for a byte, \u202e for a character.

const (
	// maxMarks is how many combining marks one character may carry: real
	// writing needs two or three, "zalgo" climbs over the lines above.
	maxMarks = 4
	// clusterWindow bounds what is looked at for one cluster, so that a body of
	// combining marks alone costs no more than any other.
	clusterWindow = 4 * (maxMarks + 4)
	// maxLineBytes is the limit where the caller has none.
	maxLineBytes = 64 << 10
)

// span is a part of a drawn text, in bytes.
type span struct{ start, end int }

// cluster is what is drawn as one.
type cluster struct {
	drawn string
	bytes int  // of the source
	width int  // in cells
	mark  bool // drawn stands for something that cannot be drawn
}

// safeLine makes one line of s that is safe to draw. It reads at most maxBytes
// bytes (0: maxLineBytes); cut text ends in an ellipsis.
func safeLine[T ~string | ~[]byte](s T, maxBytes int) string {
	line, _ := safeSpans(s, maxBytes)
	return line
}

// safeSpans is safeLine that also says which parts of the line are marks, in
// order.
func safeSpans[T ~string | ~[]byte](s T, maxBytes int) (string, []span) {
	if maxBytes <= 0 {
		maxBytes = maxLineBytes
	}
	cut := len(s) > maxBytes
	text := string(s[:min(len(s), maxBytes)])
	if cut {
		text = trimPartialRune(text)
	}
	var (
		b     strings.Builder
		marks []span
	)
	b.Grow(len(text) + 3)
	for text != "" {
		if n := plainPrefix(text); n > 0 {
			b.WriteString(text[:n])
			text = text[n:]
			continue
		}
		c := nextCluster(text)
		if c.mark {
			marks = append(marks, span{b.Len(), b.Len() + len(c.drawn)})
		}
		b.WriteString(c.drawn)
		text = text[c.bytes:]
	}
	if cut {
		b.WriteString("…")
	}
	return b.String(), marks
}

// trimPartialRune takes off the beginning of a character that was cut through:
// shown as bytes it would look like damage in the message.
func trimPartialRune(s string) string {
	for i := 1; i <= utf8.UTFMax-1 && i <= len(s); i++ {
		tail := s[len(s)-i:]
		if utf8.RuneStart(tail[0]) {
			if !utf8.FullRuneInString(tail) {
				return s[:len(s)-i]
			}
			break
		}
	}
	return s
}

// plainPrefix returns how many bytes at the start of s are printable ASCII that
// nothing after them can change.
func plainPrefix(s string) int {
	n := 0
	for n < len(s) && s[n] >= 0x20 && s[n] < 0x7f {
		n++
	}
	if n > 0 && n < len(s) && s[n] >= utf8.RuneSelf {
		n-- // the last one may carry a combining mark
	}
	return n
}

// nextCluster returns what to draw first of s, which is not empty. It depends
// on nothing before s, so a line may be drawn from any cluster on.
func nextCluster(s string) cluster {
	first := s[0]
	if first < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		if first >= 0x20 && first < 0x7f {
			return cluster{drawn: s[:1], bytes: 1, width: 1}
		}
		return marked(controlPicture(first), 1)
	}
	if first < 0x20 || first == 0x7f {
		return marked(controlPicture(first), 1)
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		return marked(`\x`+hexDigits(rune(first), 2), 1)
	}
	if !drawable(r) {
		return marked(escapeRune(r), size)
	}
	whole := firstGraphemes(s)
	width, alike := agreedWidth(whole)
	if len(whole) == size {
		if alike {
			return cluster{drawn: whole, bytes: size, width: width}
		}
		return marked(escapeRune(r), size)
	}
	if alike && baseWithMarks(whole) {
		return cluster{drawn: whole, bytes: len(whole), width: width}
	}
	// The cluster is not drawn as one, so its characters stand alone. Two that
	// would join again must not both be drawn.
	next, nextSize := utf8.DecodeRuneInString(s[size:])
	joins := drawable(next) && (next != utf8.RuneError || nextSize > 1)
	if width, ok := agreedWidth(s[:size]); ok && !joins {
		return cluster{drawn: s[:size], bytes: size, width: width}
	}
	return marked(escapeRune(r), size)
}

// firstGraphemes returns the first grapheme cluster of s, or as much of it as
// is too long to be drawn anyway.
func firstGraphemes(s string) string {
	window := s
	if len(window) > clusterWindow {
		window = trimPartialRune(window[:clusterWindow])
	}
	whole, _ := ansi.FirstGraphemeCluster(window, ansi.GraphemeWidth)
	return whole
}

// agreedWidth returns the width of s if everyone who measures it says the same,
// and that is one cell or two.
func agreedWidth(s string) (int, bool) {
	width := ansi.StringWidth(s)
	return width, (width == 1 || width == 2) && ansi.StringWidthWc(s) == width
}

// baseWithMarks says whether a cluster that begins with a drawable character
// goes on with a few combining marks, or with letters of its syllable.
func baseWithMarks(s string) bool {
	runes := 0
	for i, r := range s {
		runes++
		switch {
		case i > 0 && !unicode.In(r, unicode.M, unicode.L),
			i > 0 && ignorable(r),
			runes > 1+maxMarks:
			return false
		}
	}
	return true
}

// drawable says whether r may be drawn by itself, as far as its kind goes.
func drawable(r rune) bool {
	switch {
	case r == utf8.RuneError: // where the sender replaced something: visible as it is
		return true
	case r >= 0x1f1e6 && r <= 0x1f1ff, // halves of flags
		r >= 0x1f3fb && r <= 0x1f3ff: // skin tones
		return false
	case unicode.In(r, unicode.M), ignorable(r), unicode.Is(joining, r):
		return false
	}
	return unicode.IsGraphic(r)
}

// ignorable says whether r is a letter or mark that shows nothing.
func ignorable(r rune) bool {
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// joining are the letters that join what stands before or after them, even a
// mark of ours: vowels and finals of Hangul, the Thai and Lao vowel am,
// the halfwidth sound marks, and those that Unicode calls prepended.
var joining = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x0d4e, Hi: 0x0d4e, Stride: 1},
		{Lo: 0x0e33, Hi: 0x0eb3, Stride: 0x80},
		{Lo: 0x1160, Hi: 0x11ff, Stride: 1},
		{Lo: 0xd7b0, Hi: 0xd7ff, Stride: 1},
		{Lo: 0xff9e, Hi: 0xff9f, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x111c2, Hi: 0x111c3, Stride: 1},
		{Lo: 0x113d1, Hi: 0x113d1, Stride: 1},
		{Lo: 0x1193f, Hi: 0x11941, Stride: 2},
		{Lo: 0x11a3a, Hi: 0x11a3a, Stride: 1},
		{Lo: 0x11a84, Hi: 0x11a89, Stride: 1},
		{Lo: 0x11d46, Hi: 0x11d46, Stride: 1},
		{Lo: 0x11f02, Hi: 0x11f02, Stride: 1},
	},
}

func marked(drawn string, bytes int) cluster {
	width := len(drawn)
	if drawn[0] >= utf8.RuneSelf { // a control picture
		width = 1
	}
	return cluster{drawn: drawn, bytes: bytes, width: width, mark: true}
}

func controlPicture(b byte) string {
	if b == 0x7f {
		return "␡"
	}
	return string(rune(0x2400 + int(b)))
}

func escapeRune(r rune) string {
	if r > 0xffff {
		return `\u{` + hexDigits(r, 5) + `}`
	}
	return `\u` + hexDigits(r, 4)
}

// hexDigits writes r with at least n digits.
func hexDigits(r rune, n int) string {
	digits := strconv.FormatInt(int64(r), 16)
	return "00000"[:max(n-len(digits), 0)] + digits
}
