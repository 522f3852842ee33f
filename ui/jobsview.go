package ui

import (
	"strings"

	"inflight/engine"
)

// jobFacts is the height of the selected job's box, with its border.
const jobFacts = 10

// View draws the list, and the selected job below it.
func (p *jobsPane) View() string {
	if p.width < 2 || p.height < 1 {
		return ""
	}
	inner := p.width - 2
	active := 0
	for _, t := range p.tasks {
		active += boolInt(t.State.Active())
	}
	o := boxOptions{focused: true, width: p.width, height: p.listHeight()}
	o.title = p.th.bold.Render("Jobs " + countText(len(p.tasks)))
	if active > 0 {
		o.title += p.th.muted.Render("  " + countText(active) + " active")
	}
	o.right = p.th.muted.Render("newest first")
	if _, row := p.current(); len(p.tasks) > p.listRows() {
		o.bottom = p.th.text.Render(countText(row+1)) + p.th.muted.Render(" of "+countText(len(p.tasks)))
	}
	if len(p.tasks) == 0 {
		return box(p.th, o, p.empty(inner))
	}
	c := p.columns(inner)
	lines := []string{c.head(p.th)}
	for i := p.top; i < min(p.top+p.listRows(), len(p.tasks)); i++ {
		lines = append(lines, p.row(c, p.tasks[i]))
	}
	list := exactBox(p.th, o, lines)
	if p.factsHeight() == 0 {
		return list
	}
	return list + "\n" + p.facts()
}

func (p *jobsPane) factsHeight() int {
	if len(p.tasks) == 0 || p.height < jobFacts+5 {
		return 0
	}
	return jobFacts
}

func (p *jobsPane) listHeight() int { return p.height - p.factsHeight() }

// listRows is how many tasks are on screen.
func (p *jobsPane) listRows() int { return max(p.listHeight()-3, 0) }

func (p *jobsPane) scroll() {
	_, row := p.current()
	row = max(row, 0)
	p.top = min(p.top, row)
	p.top = max(p.top, row-p.listRows()+1)
	p.top = max(min(p.top, len(p.tasks)-p.listRows()), 0)
}

// jobColumns are the widths of the list; 0 leaves a column out.
type jobColumns struct{ all, id, route, rate, state, bar, moved, left int }

// leastRoute is how much of where messages come from and go to stays before
// columns go.
const leastRoute = 14

// columns shares the width out: as it shrinks, first the bar goes, then the
// route is cut, then the time left goes, and last the rate, which keys change.
func (p *jobsPane) columns(width int) jobColumns {
	c := jobColumns{all: width, id: 4, rate: 5, state: 12, bar: 12, moved: movedCells, left: 10}
	need := func() int {
		n := 1
		for _, w := range []int{c.id, c.route, c.rate, c.state, c.bar, c.moved, c.left} {
			if w > 0 {
				n += w + 2
			}
		}
		return n
	}
	widest := 12
	for _, t := range p.tasks {
		widest = max(widest, cellWidth(route(p.th, t)))
	}
	c.route = min(widest, 20)
	for _, column := range []*int{&c.bar, &c.left, &c.rate} {
		if need() > width {
			*column = 0
		}
		c.route = max(min(c.route, c.route+width-need()), min(widest, leastRoute))
	}
	c.route = max(min(widest, c.route+width-need(), 60), 6)
	if c.bar > 0 {
		c.bar += min(max(width-need(), 0), 28)
	}
	return c
}

func (c jobColumns) head(th theme) string {
	l := newLine(th, c.all, false).blank(2)
	for _, column := range []struct {
		name  string
		width int
		right bool
	}{{"job", c.id, false}, {"from " + th.glyph.arrow + " to", c.route, false}, {"rate", c.rate, true}, {"state", c.state, false}, {"progress", c.bar, false}, {"moved", c.moved, true}, {"left", c.left, true}} {
		switch {
		case column.width == 0:
			continue
		case column.right:
			l.right(th.muted, column.name, column.width)
		default:
			l.left(th.muted, column.name, column.width)
		}
		l.blank(2)
	}
	return l.done()
}

func (p *jobsPane) row(c jobColumns, t engine.Task) string {
	th, on := p.th, t.ID == p.selected
	l := newLine(th, c.all, on)
	if on {
		l.put(th.accent, th.glyph.bar)
	}
	words := th.text
	if !t.State.Active() {
		words = th.muted
	}
	l.to(2).left(words, countText(int(t.ID)), c.id).blank(2)
	l.left(words, route(th, t), c.route).blank(2)
	if c.rate > 0 {
		l.right(words, rateWords(t.Rate), c.rate).blank(2)
	}
	k, glyph := jobLook(th, t.State)
	start := l.width
	l.put(k, glyph).blank(1).put(words, t.State.String()).to(start + c.state + 2)
	if c.bar > 0 {
		bar(th, l, th.ok, progress(t), c.bar)
		l.blank(2)
	}
	l.right(words, movedColumn(t), c.moved).blank(2)
	if c.left > 0 {
		l.right(words, p.outcome(t), c.left)
	}
	return l.done()
}

// facts is the selected job's box.
func (p *jobsPane) facts() string {
	t, row := p.current()
	o := boxOptions{width: p.width, height: jobFacts}
	if row < 0 {
		return box(p.th, o, nil)
	}
	inner := p.width - 2
	o.title = p.th.bold.Render("Job " + countText(int(t.ID)))
	o.right = p.th.muted.Render("started ") + p.th.text.Render(clockText(t.Started, p.now))
	o.note = p.th.muted.Render("jobs go on when you leave this screen")
	th := p.th
	lines := []string{}
	add := func(label string, write func(l *line)) {
		l := newLine(th, max(inner-1, 0), false).blank(2).left(th.muted, label, 9).blank(2)
		write(l)
		lines = append(lines, fit(l.done(), inner, th.glyph.more))
	}
	add("moves", func(l *line) {
		l.put(th.text, route(th, t))
		if t.Selected {
			l.put(th.muted, "  chosen messages only")
		}
	})
	add("state", func(l *line) { p.stateWords(l, t) })
	add("progress", func(l *line) {
		bar(th, l, th.ok, progress(t), min(40, max(inner-40, 8)))
		l.blank(2).put(th.text, countText(int(progress(t)*100))+"%").blank(2).put(th.text, movedOf(t))
	})
	add("rate", func(l *line) {
		if rate, ok := p.pace[t.ID].rate(); ok {
			l.put(th.text, rateText(rate)).put(th.muted, " now, ")
		}
		l.put(th.muted, "limit ").put(th.text, rateOf(t.Rate))
	})
	left, known := p.leftOf(t)
	switch {
	case known:
		add("left", func(l *line) {
			l.put(th.text, leaseText(left)).put(th.muted, ", until ").put(th.text, clockText(p.now.Add(left), p.now))
		})
	case t.State.Active():
		add("left", func(l *line) { l.put(th.muted, "not known yet") })
	default:
		add("ended", func(l *line) {
			l.put(th.text, clockText(t.Finished, p.now)).put(th.muted, ", after "+leaseText(t.Finished.Sub(t.Started)))
		})
	}
	if t.State.Active() {
		add("note", func(l *line) { l.put(th.muted, "moved messages are new: new ids, receives start at 0") })
	}
	return box(th, o, lines)
}

// stateWords says how a task is, and what can be done about it.
func (p *jobsPane) stateWords(l *line, t engine.Task) {
	k, glyph := jobLook(p.th, t.State)
	l.put(k, glyph).blank(1).put(p.th.text, t.State.String())
	switch {
	case t.State == engine.TaskFailed:
		l.put(p.th.text, ": "+reasonText(t.Reason))
		if p.Again.Enabled() {
			l.put(p.th.muted, "   ").put(p.th.key, "r").put(p.th.muted, " starts it again")
		}
	case t.State == engine.TaskPaused:
		l.put(p.th.muted, "   ").put(p.th.key, "p").put(p.th.muted, " resumes")
	case t.State == engine.TaskCancelled || t.State == engine.TaskCancelling:
		l.put(p.th.muted, ": what it moved stays moved")
	}
}

func (p *jobsPane) empty(width int) []string {
	th := p.th
	text := "No jobs. A job moves messages out of a dead-letter queue, back to where they came from or to another queue, at a rate you choose. `R` on the dead pane or on a DLQ in the queue list starts one."
	if p.err != nil {
		text = "The jobs could not be read: " + errorText(p.err)
	} else if !p.loaded {
		text = "Reading the jobs" + th.glyph.more
	}
	lines := []string{""}
	for _, s := range wrapText(text, min(width-4, textWidth)) {
		l := newLine(th, width, false).blank(2)
		putKeys(l, th, th.muted, s)
		lines = append(lines, l.done())
	}
	return append(lines, strings.Repeat(" ", max(width, 0)))
}
