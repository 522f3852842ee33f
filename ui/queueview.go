package ui

import (
	"inflight/engine"
)

// SetSize says how large the pane is drawn.
func (p *queuesPane) SetSize(width, height int) {
	if p.width != width || p.height != height {
		p.width, p.height, p.dirty = width, height, true
	}
}

func (p *queuesPane) focus(focused bool) {
	if p.focused != focused {
		p.focused, p.dirty = focused, true
	}
}

func (p *queuesPane) showsCost() bool { return p.focused && p.height >= 9 }

func (p *queuesPane) listRows() int {
	rows := p.height - 3
	if p.showsCost() {
		rows -= costLines
	}
	return max(rows, 0)
}

// View draws the pane in exactly its size.
func (p *queuesPane) View() string {
	if p.dirty || p.view == "" {
		p.view, p.dirty = p.draw(), false
	}
	return p.view
}

func (p *queuesPane) draw() string {
	count := countText(len(p.all))
	if p.filter != "" {
		count = countText(len(p.list)) + " of " + count
	}
	o := boxOptions{
		focused: p.focused, width: p.width, height: p.height,
		title: paneTitle(p.th, paneQueues, p.focused, "Queues", count),
	}
	if p.filter != "" {
		text, _ := cutText(safeLine(p.filter, 100), 12, p.th.glyph.more)
		o.right = p.th.key.Render("/") + p.th.text.Render(text)
	}
	if rows := p.listRows(); len(p.list) > rows && rows > 0 {
		o.bottom = p.th.muted.Render(countText(p.index+1) + " of " + countText(len(p.list)))
	}
	return exactBox(p.th, o, p.lines())
}

func (p *queuesPane) lines() []string {
	inner, height := p.width-2, p.height-2
	lines := make([]string, 0, max(height, 0))
	if inner < 1 || height < 1 {
		return lines
	}
	switch {
	case !p.loaded && p.err != nil:
		lines = append(lines, newLine(p.th, inner, false).blank(1).put(p.th.text, "Not read: "+errorText(p.err)).done())
	case !p.loaded:
		lines = append(lines, newLine(p.th, inner, false).blank(1).put(p.th.muted, "reading"+p.th.glyph.more).done())
	case len(p.list) == 0:
		l := newLine(p.th, inner, false).blank(1)
		putKeys(l, p.th, p.th.muted, p.emptyText())
		lines = append(lines, l.done())
	default:
		lines = append(lines, p.listLines(inner)...)
	}
	lines = lines[:min(len(lines), height)]
	if !p.showsCost() {
		return lines
	}
	lines = lines[:min(len(lines), height-costLines)]
	for len(lines) < height-costLines {
		lines = append(lines, blanks(inner))
	}
	return append(append(lines, rule(p.th, inner)), p.costLines(inner)...)
}

func (p *queuesPane) emptyText() string {
	if p.filter != "" {
		return "No name matches. `esc` clears."
	}
	return "No queues yet. `n` makes one."
}

// queueWidths are the columns of the list.
type queueWidths struct{ name, ready, flight, delayed, dead, oldest, spark int }

func (p *queuesPane) widths(inner int) queueWidths {
	w := queueWidths{ready: 3, flight: 3, dead: 3, spark: 4}
	names, delayed, oldest := 8, 3, 6
	for _, row := range p.list {
		names = max(names, cellWidth(safeLine(row.stats.Name, 0))+2*boolInt(row.dead))
		delayed = max(delayed, len(shortCount(row.stats.Counts.Delayed)))
		oldest = max(oldest, cellWidth(p.oldestText(row.stats)))
		w.ready = max(w.ready, len(shortCount(row.stats.Counts.Ready)))
		w.flight = max(w.flight, len(shortCount(row.stats.Counts.InFlight)))
		w.dead = max(w.dead, len(p.deadText(row)))
	}
	switch {
	case inner >= 44:
		w.spark = 10
	case inner < 26:
		w.spark = 0
	}
	w.name = inner - 1 - 1 - w.ready - 1 - w.flight - 1 - w.dead - 1
	if w.spark > 0 {
		w.name -= w.spark + 1
	}
	if w.name-1-delayed >= names {
		w.delayed = delayed
		w.name -= 1 + delayed
	}
	if w.delayed > 0 && w.name-1-oldest >= names {
		w.oldest = oldest
		w.name -= 1 + oldest
	}
	return w
}

// oldestText is the age of a queue's oldest message, whatever its state.
func (p *queuesPane) oldestText(q *engine.QueueStats) string {
	if q.OldestArrived.IsZero() {
		return p.th.glyph.none
	}
	return ageText(p.at.Sub(q.OldestArrived))
}

func (p *queuesPane) listLines(inner int) []string {
	w, rows := p.widths(inner), p.listRows()
	p.top = max(min(p.top, p.index), p.index-rows+1)
	p.top = max(min(p.top, len(p.list)-rows), 0)
	head := newLine(p.th, inner, false).blank(1)
	head.left(p.th.muted, "name", w.name).blank(1).right(p.th.muted, "vis", w.ready).
		blank(1).right(p.th.muted, "flt", w.flight)
	if w.delayed > 0 {
		head.blank(1).right(p.th.muted, "dly", w.delayed)
	}
	head.blank(1).right(p.th.muted, "dlq", w.dead)
	if w.oldest > 0 {
		head.blank(1).right(p.th.muted, "oldest", w.oldest)
	}
	if w.spark > 0 {
		head.blank(1).put(p.th.muted, "5m")
	}
	lines := []string{head.done()}
	for i := p.top; i < min(p.top+rows, len(p.list)); i++ {
		lines = append(lines, p.rowLine(p.list[i], w, inner))
	}
	return lines
}

func (p *queuesPane) rowLine(row queueRow, w queueWidths, inner int) string {
	th, q := p.th, row.stats
	current := q.Name == p.selected
	l := newLine(th, inner, current)
	switch {
	case current && p.focused:
		l.put(th.accent, th.glyph.bar)
	case current:
		l.put(th.muted, th.glyph.bar)
	default:
		l.blank(1)
	}
	name := safeLine(q.Name, 0)
	switch {
	case row.dead:
		l.put(th.dead, th.glyph.dead).blank(1).left(th.muted, shortName(name, w.name-2, l.more), w.name-2)
	case current:
		l.left(th.bold, shortName(name, w.name, l.more), w.name)
	default:
		l.left(th.text, shortName(name, w.name, l.more), w.name)
	}
	p.numbers(l, row, w)
	if w.spark > 0 {
		k := th.visible
		if row.dead {
			k = th.dead
		}
		l.blank(1).raw(spark(th, k, p.samples.of(q.Name).depth(w.spark), current), w.spark)
	}
	return l.done()
}

// numbers are the columns between a queue's name and its spark line.
func (p *queuesPane) numbers(l *line, row queueRow, w queueWidths) {
	th, q := p.th, row.stats
	grown := row.dead && p.samples.died(q.Name) > 0
	ready := th.text
	if grown {
		ready = th.dead
	}
	p.number(l, ready, q.Counts.Ready, w.ready)
	p.number(l, th.text, q.Counts.InFlight, w.flight)
	if w.delayed > 0 {
		p.number(l, th.text, q.Counts.Delayed, w.delayed)
	}
	k := th.dead
	if grown {
		k = k.Bold(true)
	}
	text := p.deadText(row)
	if text == th.glyph.none {
		k = th.muted
	}
	l.blank(1).right(k, text, w.dead)
	if w.oldest > 0 {
		k := th.text
		if q.OldestArrived.IsZero() {
			k = th.muted
		}
		l.blank(1).right(k, p.oldestText(q), w.oldest)
	}
}

// number is a count in a column; zero is not one.
func (p *queuesPane) number(l *line, k ink, n, width int) {
	l.blank(1)
	if n == 0 {
		l.right(p.th.muted, p.th.glyph.none, width)
		return
	}
	l.right(k, shortCount(n), width)
}

// deadText is how many lie in a queue's dead-letter queue; for a dead-letter
// queue, which seldom has one, by how many it grew.
func (p *queuesPane) deadText(row queueRow) string {
	if count := deadCount(findQueue(p.all, row.stats.Attributes.Redrive.DLQ)); count != "" {
		return count
	}
	if n := p.samples.died(row.stats.Name); row.dead && n > 0 {
		return "+" + shortCount(n)
	}
	return p.th.glyph.none
}

// costLines say what the keys would do to the selected queue.
func (p *queuesPane) costLines(inner int) []string {
	th := p.th
	redrive, wipe := newSentence(th, inner).blank(1), newSentence(th, inner).blank(1)
	if q := p.current(); q != nil {
		if dead := p.deadOf(); dead != nil && dead.Counts.Ready > 0 {
			redrive.put(th.key, "R").put(th.muted, " redrive ").put(th.text, countText(dead.Counts.Ready)).
				put(th.muted, " from ")
			putQueue(redrive, th, dead.Name)
		} else {
			redrive.put(th.muted, "R off: "+p.why(p.Redrive))
		}
		wipe.put(th.key, "X").put(th.muted, " purge ").put(th.text, shortCount(allOf(q.Counts))).
			put(th.muted, "   ").put(th.key, "D").put(th.muted, " delete queue")
	}
	return []string{redrive.done(), wipe.done()}
}

func allOf(c engine.Counts) int { return c.Ready + c.InFlight + c.Delayed }
