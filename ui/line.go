package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
)

// line builds one row of a screen and knows its width while it grows, since
// measuring a styled string afterwards costs more than drawing it. It writes an
// escape sequence only where the look changes: a changed line is sent whole.
type line struct {
	b     strings.Builder
	width int // cells so far
	max   int // cells at most; what does not fit is cut
	onRow bool
	tells bool // a cut between two pieces shows too
	cut   bool // a piece was cut
	lost  bool // a piece did not fit at all, and nothing says so
	more  string
	gap   ink // blanks

	open    string // the sequence that is in force
	openRow bool   // it paints the row's background
}

// newLine starts a line of at most max cells; on the cursor row it has the
// row's background.
func newLine(th theme, max int, onRow bool) *line {
	l := &line{max: max, onRow: onRow, more: th.glyph.more, gap: th.row}
	l.b.Grow(2*max + 160) // about what a row of a list takes with its colours
	return l
}

// newSentence is newLine for text of several pieces, which is to end in an
// ellipsis wherever it is cut.
func newSentence(th theme, max int) *line {
	l := newLine(th, max, false)
	l.tells = true
	return l
}

// put writes s, which must be safe to draw and without escapes.
func (l *line) put(k ink, s string) *line {
	return l.cells(k, s, cellWidth(s))
}

func (l *line) cells(k ink, s string, width int) *line {
	if l.width+width > l.max {
		l.lost = l.lost || l.tells && !l.cut && l.width >= l.max && strings.TrimSpace(s) != ""
		l.cut = true
		s, width = cutText(s, l.max-l.width, l.more)
	}
	if s == "" {
		return l
	}
	open := k.on
	if l.onRow {
		open = k.row
	}
	l.look(open)
	l.b.WriteString(s)
	l.width += width
	return l
}

// look brings the look of what follows into force.
func (l *line) look(open string) {
	if open == l.open && (open == "" || l.onRow == l.openRow) {
		return
	}
	if l.open != "" && (open == "" || l.openRow && !l.onRow || isBold(l.open) || isReverse(l.open)) {
		l.b.WriteString(inkOff)
	}
	l.b.WriteString(open)
	l.open, l.openRow = open, l.onRow
}

// off ends the look in force.
func (l *line) off() {
	if l.open != "" {
		l.b.WriteString(inkOff)
		l.open = ""
	}
}

// Sequences are ours: bold and reverse are their first parameters.
func isBold(open string) bool { return strings.HasPrefix(open, "\x1b[1;") || open == "\x1b[1m" }
func isReverse(open string) bool {
	return strings.HasPrefix(open, "\x1b[7") || strings.HasPrefix(open, "\x1b[1;7")
}

// text is what was drawn so far.
func (l *line) text() string {
	l.off()
	if !l.lost {
		return l.b.String()
	}
	// The cut fell between two pieces.
	s := ansi.Truncate(l.b.String()+l.more, l.max, l.more)
	return s + blanks(l.max-ansi.StringWidth(s))
}

// raw writes s, which is styled already and width cells wide.
func (l *line) raw(s string, width int) *line {
	if l.width+width > l.max {
		s = ansi.Truncate(s, l.max-l.width, "")
		width = ansi.StringWidth(s)
	}
	l.off()
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
	gap := l.gap.on
	if l.onRow {
		gap = l.gap.row
	}
	if l.open == "" || l.onRow != l.openRow || isReverse(l.open) != isReverse(gap) {
		l.look(gap)
	} // else blanks look the same in the colour that is in force
	l.b.WriteString(blanks(n))
	l.width += n
	return l
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
	return l.text()
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

// nameMost is how much of a queue's name stands in a sentence.
const nameMost = 30

// shortName cuts a name in its middle: queues of one system often begin alike.
// The suffix of FIFO queues, which they all have, goes first.
func shortName(name string, width int, more string) string {
	if cellWidth(name) <= width {
		return name
	}
	room := width - cellWidth(more)
	if base, ok := strings.CutSuffix(name, engine.FIFOSuffix); ok && room > 4 {
		return shortName(base, room, more) + more
	}
	if room < 4 {
		name, _ = cutText(name, width, more)
		return name
	}
	head, tail := room/2, room-room/2
	return ansi.Truncate(name, head, "") + more + ansi.TruncateLeft(name, cellWidth(name)-tail, "")
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
