package ui

import (
	"time"

	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
)

// item is a row as we hold it: the body's beginning is made safe once, and
// painted once for each width.
type item struct {
	engine.Row
	id   string
	body string
	away string // where it went while the list is frozen; empty: it is there

	painted, paintedRow string
	paintedFor          painting
}

// painting is what a painted body depends on.
type painting struct{ width, shift int }

func newItem(row *engine.Row) *item {
	return &item{Row: *row, id: shortID(row.Message.ID), body: safeLine(row.Message.Body, engine.PreviewBytes)}
}

// column is one column of a list. The body is not one: it takes what is left.
type column struct {
	name  string
	right bool // numbers, under the right end of their name
	gap   int  // blanks before it
	width int
	room  int // cells that the body must keep for this column to stay; 0: it stays
	short int // first it shrinks to this width and then stays longer; 0: it does not
	least int // instead of leaving, it shrinks to this width
	draw  func(l *line, p *messagePane, it *item, width int)
}

// gutter is the cursor bar, the mark and a blank before the first column.
const gutter = 3

// narrowInner is the inner width below which only id, receives or lease, and
// body stay.
const narrowInner = 58

// bodyLeast is how much of a body is worth a column.
const bodyLeast = 8

// fitColumns leaves out, from the most dispensable on, what has no room, and
// says how many cells the body gets.
func fitColumns(columns []column, inner int) ([]column, int) {
	for {
		body := inner - gutter - 2 - 1
		worst := -1
		for i, c := range columns {
			body -= c.gap + c.width
			if c.room > 0 && (worst < 0 || c.room > columns[worst].room) {
				worst = i
			}
		}
		if worst < 0 || body >= columns[worst].room && inner >= narrowInner {
			return columns, max(body, 0)
		}
		if c := &columns[worst]; c.short > 0 && inner >= narrowInner {
			c.width, c.short, c.room = max(c.width-(c.room-body), c.short), 0, c.room-2
			continue
		}
		if columns[worst].least > 0 {
			columns[worst].width, columns[worst].room = columns[worst].least, 0
			continue
		}
		columns = append(columns[:worst:worst], columns[worst+1:]...)
	}
}

// headLine names the columns.
func (p *messagePane) headLine(columns []column, inner int) string {
	l := newLine(p.th, inner, false).blank(gutter)
	for _, c := range columns {
		l.blank(c.gap)
		if c.right {
			l.right(p.th.muted, c.name, c.width)
		} else {
			l.left(p.th.muted, c.name, c.width)
		}
	}
	l.blank(2)
	if p.shift > 0 {
		l.put(p.th.muted, "body from "+countText(p.shift))
	} else {
		l.put(p.th.muted, "body")
	}
	return l.done()
}

// rowLine draws one message.
func (p *messagePane) rowLine(columns []column, inner, bodyWidth, index int) string {
	it := p.at(index)
	onCursor := index == p.cursor
	l := newLine(p.th, inner, onCursor && p.focused)
	switch {
	case onCursor && p.focused:
		l.put(p.th.accent, p.th.glyph.bar)
	case onCursor && p.anchor != engine.Ref{}:
		l.put(p.th.muted, p.th.glyph.bar)
	}
	if it == nil {
		return l.to(gutter).put(p.th.muted, p.th.glyph.none).done()
	}
	l.to(1)
	if _, marked := p.marks[it.Ref]; marked {
		l.put(p.th.accent, p.th.glyph.mark)
	}
	l.to(gutter)
	if it.away != "" {
		return l.put(p.th.muted, p.awayRow(it, columns, bodyWidth)).done()
	}
	p.cells(l, it, columns)
	if bodyWidth >= bodyLeast {
		l.blank(2)
		l.raw(p.bodyCell(it, bodyWidth, l.onRow), bodyWidth)
	}
	return l.done()
}

// cells puts the columns of a row, each as wide as it is.
func (p *messagePane) cells(l *line, it *item, columns []column) {
	for _, c := range columns {
		l.blank(c.gap)
		from := l.width
		c.draw(l, p, it, c.width)
		l.to(from + c.width)
	}
}

// awayRow is a row without its colours, and where its message went instead of
// the body.
func (p *messagePane) awayRow(it *item, columns []column, bodyWidth int) string {
	l := newLine(p.th, p.width, false)
	p.cells(l, it, columns)
	if bodyWidth >= bodyLeast {
		l.blank(2).left(p.th.muted, it.away, bodyWidth)
	}
	return ansi.Strip(l.text())
}

// bodyCell is the body's part of a row, exactly width cells wide.
func (p *messagePane) bodyCell(it *item, width int, onRow bool) string {
	if want := (painting{width, p.shift}); it.paintedFor != want {
		it.paintedFor, it.painted, it.paintedRow = want, "", ""
	}
	cell := &it.painted
	if onRow {
		cell = &it.paintedRow
	}
	if *cell == "" {
		*cell = paintBody(p.th, it.body, width, p.shift, onRow)
	}
	return *cell
}

func idColumn() column {
	return column{name: "id", width: 8, draw: func(l *line, p *messagePane, it *item, _ int) {
		l.put(p.th.text, it.id)
	}}
}

// ageColumn is how long ago something was.
func (p *messagePane) ageColumn(name string, since func(*item) time.Time) column {
	age := func(it *item) string {
		if at := since(it); !at.IsZero() {
			return ageText(p.now.Sub(at))
		}
		return p.th.glyph.none
	}
	width := p.widest(name, 4, age)
	return column{name: name, right: true, gap: 2, width: width, room: bodyLeast + 12,
		draw: func(l *line, p *messagePane, it *item, width int) { l.right(p.th.text, age(it), width) }}
}

// widest is how wide a column must be for the rows on screen. It does not
// become narrower again while the list stays: columns that jump are hard to
// read.
func (p *messagePane) widest(name string, least int, cell func(*item) string) int {
	width := max(least, len(name), p.widths[name])
	for i := p.top; i < p.top+p.rows; i++ {
		if it := p.at(i); it != nil {
			width = max(width, cellWidth(cell(it)))
		}
	}
	p.widths[name] = width
	return width
}

// dueText is what is left of a lease, and a "!" when that is short. Both
// together always take the same room.
func dueText(th theme, l *line, left time.Duration, width int) {
	if isShort(left) {
		l.right(th.dead.Bold(true), leaseText(left)+th.glyph.warn, width)
		return
	}
	l.right(th.flight, leaseText(left)+" ", width)
}

// lease bars have ten cells of two steps.
const barCells = 10

// bar draws a part of a whole.
func bar(th theme, l *line, k ink, part float64, cells int) {
	halves := int(part*float64(2*cells) + 0.999)
	halves = max(min(halves, 2*cells), 0)
	full := halves / 2
	l.cells(k, repeat(th.glyph.full, full), full)
	if halves%2 == 1 {
		l.cells(k, th.glyph.half, 1)
		full++
	}
	l.cells(th.faint, repeat(th.glyph.track, cells-full), cells-full)
}
