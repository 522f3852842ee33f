package ui

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// draw returns the window's rows, each exactly as wide as the window.
func (v *bodyView) draw() []string {
	out := make([]string, 0, v.height)
	if v.format == formatEmpty {
		out = append(out, newLine(v.th, v.width, false).put(v.th.muted, "the body is empty").done())
	}
	for row := v.top; len(out) < v.height && row < v.total(); row++ {
		if v.format == formatEmpty {
			break
		}
		if v.hex() {
			out = append(out, v.hexRow(row))
		} else {
			out = append(out, v.textRow(v.rows[row]))
		}
	}
	for len(out) < v.height {
		out = append(out, blanks(v.width))
	}
	return out
}

// bodyInk is the look of a run: the tone, and whether it is found.
type bodyInk struct {
	tone     tone
	hit, now bool
}

func (v *bodyView) ink(k bodyInk) ink {
	switch {
	case k.now:
		return v.th.accent.Bold(true).Reverse(true)
	case k.hit:
		return v.th.accent.Bold(true)
	}
	switch k.tone {
	case toneMuted:
		return v.th.muted
	case toneLiteral:
		return v.th.accent
	case toneMark:
		return v.th.flight
	default:
		return v.th.text
	}
}

func (v *bodyView) textRow(row bodyRow) string {
	l := newLine(v.th, v.width, false)
	if g := v.gutter(); g > 0 {
		number := ""
		if row.line > 0 {
			number = strconv.Itoa(row.line)
		}
		l.right(v.th.muted, number, g-2).blank(2)
	}
	l.blank(row.hang)
	var (
		run     strings.Builder
		runInk  bodyInk
		column  int
		text    = v.shown.text
		stretch = sort.Search(len(v.shown.tones), func(i int) bool { return v.shown.tones[i].end > row.start })
	)
	for i := row.start; i < row.end; {
		for stretch < len(v.shown.tones) && v.shown.tones[stretch].end <= i {
			stretch++
		}
		c := nextBodyCluster(text[i:], column)
		var k bodyInk
		if stretch < len(v.shown.tones) {
			k.tone = v.shown.tones[stretch].tone
		}
		if c.mark {
			k.tone = toneMark
		}
		if v.find.query != "" {
			k.hit, k.now = v.find.covers(i)
		}
		if k != runInk {
			l.put(v.ink(runInk), run.String())
			run.Reset()
			runInk = k
		}
		run.WriteString(c.drawn)
		column += c.width
		i += c.bytes
	}
	return l.put(v.ink(runInk), run.String()).done()
}

// nextBodyCluster is nextCluster with tabs as blanks up to the next stop: in a
// body that is read line by line they are layout.
func nextBodyCluster(s string, column int) cluster {
	if s[0] == '\t' {
		width := tabWidth - column%tabWidth
		return cluster{drawn: blanks(width), bytes: 1, width: width}
	}
	return nextCluster(s)
}

// hexColumns is how many bytes a row of the given width shows.
func hexColumns(width int) int {
	for _, n := range []int{16, 8, 4} {
		if hexWidth(n) <= width {
			return n
		}
	}
	return 2
}

// hexWidth is an offset, the bytes in groups of eight, and their characters.
func hexWidth(columns int) int { return hexText(columns) + columns }

// hexText is the column at which the characters begin.
func hexText(columns int) int { return 8 + 2 + 3*columns + (columns-1)/8 + 1 }

func (v *bodyView) hexRow(row int) string {
	columns := hexColumns(v.width)
	l := newLine(v.th, v.width, false)
	l.put(v.th.muted, fmt.Sprintf("%08x", row*columns)).blank(2)
	start := row * columns
	end := min(start+columns, len(v.body))
	for i := start; i < end; i++ {
		if i > start && (i-start)%8 == 0 {
			l.blank(1)
		}
		l.put(v.hexInk(i), fmt.Sprintf("%02x", v.body[i])).blank(1)
	}
	l.to(hexText(columns))
	for i := start; i < end; i++ {
		s := "."
		if b := v.body[i]; b >= 0x20 && b < 0x7f {
			s = string(rune(b))
		}
		l.put(v.hexInk(i), s)
	}
	return l.done()
}

// hexInk: what prints is text, NUL is muted, other bytes are marks.
func (v *bodyView) hexInk(i int) ink {
	k := bodyInk{tone: toneMark}
	if b := v.body[i]; b >= 0x20 && b < 0x7f {
		k.tone = toneText
	} else if b == 0 {
		k.tone = toneMuted
	}
	if v.find.query != "" {
		k.hit, k.now = v.find.covers(i)
	}
	return v.ink(k)
}
