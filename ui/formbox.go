package ui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/x/ansi"
)

// panelRow is one row of an overlay. cells writes it; the row that has the
// focus is painted like a cursor row.
type panelRow struct {
	on      bool
	pointed bool // the focus is in it: that is said by a glyph, colour or not
	cells   func(l *line)
}

// panel is an overlay's box: a light border in accent, two cells of padding,
// no wider than its rows need. When it is too high it shows the part around
// the row that has the focus.
type panel struct {
	th    theme
	title string // plain and safe
	right string // styled
	hints []key.Binding
	rows  []panelRow
	top   int // first row shown when nothing has the focus
	need  int // cells for the rows; as much as it was before, at least
}

const (
	panelPadding = 2
	// textWidth is where sentences in an overlay wrap: longer lines tire.
	textWidth = 64
)

func (p *panel) add(cells func(l *line)) { p.rows = append(p.rows, panelRow{cells: cells}) }

func (p *panel) blank() { p.add(func(*line) {}) }

// text adds a sentence, wrapped, with a glyph before it if there is one.
func (p *panel) text(width int, mark ink, glyph string, k ink, s string) {
	room := min(width-2-2*panelPadding, textWidth)
	if glyph != "" {
		room -= cellWidth(glyph) + 1
	}
	for i, part := range wrapText(s, room) {
		p.add(func(l *line) {
			if glyph != "" {
				if i == 0 {
					l.put(mark, glyph)
				} else {
					l.blank(cellWidth(glyph))
				}
				l.blank(1)
			}
			l.put(k, part)
		})
	}
}

// wrapText breaks safe text at blanks.
func wrapText(s string, width int) []string {
	if width < 1 {
		return nil
	}
	return strings.Split(ansi.Wrap(s, width, ""), "\n")
}

// draw returns the box, at most width by height.
func (p *panel) draw(width, height int) string {
	if width < 2*panelPadding+3 || height < 3 {
		return ""
	}
	room := width - 2 - 2*panelPadding
	need := max(p.need, cellWidth(p.title)+ansi.StringWidth(p.right)+4, 24)
	need = max(need, ansi.StringWidth(overlayHints(p.th, room, p.hints...)))
	for _, row := range p.rows {
		l := newLine(p.th, room, row.on)
		row.cells(l)
		need = max(need, l.width)
	}
	p.need = need
	need = min(need, room)
	first, last := p.shown(height - 2)
	lines := make([]string, 0, last-first)
	for _, row := range p.rows[first:last] {
		lines = append(lines, p.row(row, need))
	}
	o := boxOptions{
		overlay: true, width: need + 2 + 2*panelPadding, height: last - first + 2,
		title: p.th.bold.Render(p.title), right: p.right,
		note: overlayHints(p.th, need, p.hints...),
	}
	if last-first < len(p.rows) {
		more := countText(last) + " of " + countText(len(p.rows)) + " lines"
		if ansi.StringWidth(o.note)+len(more)+8 > need {
			o.note = overlayHints(p.th, need-len(more)-8, p.hints...)
		}
		o.bottom = p.th.muted.Render(more)
	}
	return exactBox(p.th, o, lines)
}

func (p *panel) row(row panelRow, width int) string {
	l := newLine(p.th, width+2*panelPadding, row.on)
	switch {
	case row.pointed:
		l.put(p.th.accent.Bold(true), p.th.glyph.focus)
	case row.on:
		l.put(p.th.accent, p.th.glyph.bar)
	}
	l.to(panelPadding)
	l.max = width + panelPadding
	row.cells(l)
	l.max = width + 2*panelPadding
	return l.done()
}

// shown is the part of the rows that fits.
func (p *panel) shown(height int) (first, last int) {
	if len(p.rows) <= height {
		return 0, len(p.rows)
	}
	first = p.top
	for i, row := range p.rows {
		if row.on {
			// The buttons are last: what leads to them should be seen with them.
			first = i - height*2/3
		}
	}
	first = max(min(first, len(p.rows)-height), 0)
	return first, first + height
}

// overlayHints is the keys that work in an overlay. The last leads out of it
// and stays longest; when there is no room those before it go first.
func overlayHints(th theme, width int, bindings ...key.Binding) string {
	var hints []key.Binding
	need := -hintGap
	for _, b := range bindings {
		if b.Enabled() {
			hints = append(hints, b)
			need += hintCells(th, b) + hintGap
		}
	}
	for n := len(hints); need > width && n > 1; n = len(hints) {
		need -= hintCells(th, hints[n-2]) + hintGap
		hints = append(hints[:n-2], hints[n-1])
	}
	if need > width {
		return ""
	}
	var b strings.Builder
	for i, hint := range hints {
		if i > 0 {
			b.WriteString(blanks(hintGap))
		}
		b.WriteString(th.key.Render(th.glyph.key(hint.Help().Key)) + " " + th.muted.Render(hint.Help().Desc))
	}
	return b.String()
}

// hintGap is how far keys stand apart.
const hintGap = 3

func hintCells(th theme, b key.Binding) int {
	return cellWidth(th.glyph.key(b.Help().Key)) + 1 + cellWidth(b.Help().Desc)
}

// button draws one of a dialog's buttons.
func button(l *line, th theme, word string, focused, danger bool) {
	k := th.text
	if danger {
		k = th.dead
	}
	if focused {
		l.put(k.Bold(true).Reverse(true), "[ "+word+" ]")
		return
	}
	l.put(k, "  "+word+"  ")
}
