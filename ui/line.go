package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// line builds one row of a screen and knows its width while it grows, since
// measuring a styled string afterwards costs more than drawing it.
type line struct {
	b     strings.Builder
	width int // cells so far
	max   int // cells at most; what does not fit is cut
	onRow bool
	more  string
	gap   ink // blanks
}

// newLine starts a line of at most max cells; on the cursor row it has the
// row's background.
func newLine(th theme, max int, onRow bool) *line {
	l := &line{max: max, onRow: onRow, more: th.glyph.more, gap: th.row}
	l.b.Grow(2*max + 160) // about what a row of a list takes with its colours
	return l
}

// put writes s, which must be safe to draw and without escapes.
func (l *line) put(k ink, s string) *line {
	return l.cells(k, s, cellWidth(s))
}

func (l *line) cells(k ink, s string, width int) *line {
	if l.width+width > l.max {
		s, width = cutText(s, l.max-l.width, l.more)
	}
	if s == "" {
		return l
	}
	open := k.on
	if l.onRow {
		open = k.row
	}
	if open == "" {
		l.b.WriteString(s)
	} else {
		l.b.WriteString(open)
		l.b.WriteString(s)
		l.b.WriteString(inkOff)
	}
	l.width += width
	return l
}

// raw writes s, which is styled already and width cells wide.
func (l *line) raw(s string, width int) *line {
	if l.width+width > l.max {
		s = ansi.Truncate(s, l.max-l.width, "")
		width = ansi.StringWidth(s)
	}
	l.b.WriteString(s)
	l.width += width
	return l
}

// to fills with blanks up to column.
func (l *line) to(column int) *line { return l.blank(column - l.width) }

// blank writes n blanks.
func (l *line) blank(n int) *line {
	n = min(n, l.max-l.width)
	if n <= 0 {
		return l
	}
	return l.cells(l.gap, blanks(n), n)
}

// left writes s in exactly width cells, cut with an ellipsis.
func (l *line) left(k ink, s string, width int) *line {
	w := cellWidth(s)
	if w > width {
		s, w = cutText(s, width, l.more)
	}
	return l.cells(k, s, w).blank(width - w)
}

// right writes s at the right end of width cells.
func (l *line) right(k ink, s string, width int) *line {
	w := cellWidth(s)
	if w > width {
		s, w = cutText(s, width, l.more)
	}
	return l.blank(width-w).cells(k, s, w)
}

// done fills the line and returns it.
func (l *line) done() string {
	l.blank(l.max - l.width)
	return l.b.String()
}

const manyBlanks = "                                                                                "

func blanks(n int) string {
	if n <= 0 {
		return ""
	}
	if n <= len(manyBlanks) {
		return manyBlanks[:n]
	}
	return strings.Repeat(" ", n)
}

// repeat is strings.Repeat that bears a negative n.
func repeat(s string, n int) string {
	if n <= 0 {
		return ""
	}
	return strings.Repeat(s, n)
}

// cellWidth is how many cells s takes; s has no escapes.
func cellWidth(s string) int {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return ansi.StringWidth(s)
		}
	}
	return len(s)
}

// cutText cuts plain text to at most width cells and ends it with more.
func cutText(s string, width int, more string) (string, int) {
	if width <= 0 {
		return "", 0
	}
	if cellWidth(s) <= width {
		return s, cellWidth(s)
	}
	if cellWidth(more) > width {
		more = more[:0]
	}
	s = ansi.Truncate(s, width, more)
	return s, cellWidth(s)
}

// fit makes a styled line exactly width cells wide.
func fit(s string, width int, more string) string {
	w := ansi.StringWidth(s)
	switch {
	case width <= 0:
		return ""
	case w < width:
		return s + blanks(width-w)
	case w > width:
		s = ansi.Truncate(s, width, more)
		return s + blanks(width-ansi.StringWidth(s))
	default:
		return s
	}
}
