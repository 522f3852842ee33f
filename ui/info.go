package ui

import (
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

// infoPane says what the selected queue is set to, and what passes through it.
// It takes no keys.
type infoPane struct {
	th      theme
	samples samples
	queues  *queuesPane // for the selected queue and its dead-letter queue
	now     time.Time

	endpoint *endpoint // nil: there is none
	used     string    // the protocol that last used the queue, as of the last tick or queues

	width, height int
	view          string
	dirty         bool
}

// SetSize says how large the pane is drawn.
func (p *infoPane) SetSize(width, height int) {
	if p.width != width || p.height != height {
		p.width, p.height, p.dirty = width, height, true
	}
}

// Update takes data; it comes after the queues pane's.
func (p *infoPane) Update(msg tea.Msg) {
	switch msg := msg.(type) {
	case tickMsg:
		p.now, p.dirty = msg.now, true
	case queuesMsg, openQueueMsg:
		p.dirty = true
	default:
		return
	}
	if q := p.queues.current(); q != nil {
		p.used = p.endpoint.protocol(q.Name)
	}
}

// View draws the pane in exactly its size.
func (p *infoPane) View() string {
	if p.dirty || p.view == "" {
		p.view, p.dirty = p.draw(), false
	}
	return p.view
}

// infoLabel is the width of the facts' labels.
const infoLabel = 11

func (p *infoPane) draw() string {
	inner, height := p.width-2, p.height-2
	q := p.queues.current()
	o := boxOptions{width: p.width, height: p.height}
	if q == nil || inner < 1 {
		return exactBox(p.th, o, nil)
	}
	name, _ := cutText(safeLine(q.Name, 0), inner-6, p.th.glyph.more)
	o.title = p.th.bold.Render(name)
	facts, counters, alarms := p.facts(q, inner), p.counters(q, inner), p.alarms(q)
	lines := facts
	if len(lines)+1+len(counters) <= height {
		lines = append(append(lines, rule(p.th, inner)), counters...)
		o.bottom = p.th.muted.Render("total   last 60s")
	}
	for i, alarm := range alarms {
		if i == 0 && len(lines)+1 < height {
			lines = append(lines, rule(p.th, inner))
		}
		if len(lines) < height {
			l := newLine(p.th, inner, false).blank(1).put(alarm.ink.Bold(true), p.th.glyph.warn).blank(1)
			lines = append(lines, l.put(p.th.text, alarm.fit(inner-l.width)).done())
		}
	}
	return exactBox(p.th, o, lines[:min(len(lines), max(height, 0))])
}

func (p *infoPane) facts(q *engine.QueueStats, inner int) []string {
	th := p.th
	row := func(label string) *line {
		return newLine(th, inner-1, false).blank(1).left(th.muted, label, infoLabel)
	}
	end := func(l *line) string { return l.done() + " " }
	kind := row("type").put(th.text, q.Attributes.Type.String())
	if p.used != "" {
		kind.put(th.muted, "   by ").put(th.text, safeLine(p.used, 8))
	}
	visibility := row("visibility").left(th.text, spanText(q.Attributes.VisibilityTimeout), 6).
		put(th.muted, "delay ").put(th.text, spanText(q.Attributes.Delay))
	oldest := th.glyph.none
	if !q.OldestArrived.IsZero() {
		oldest = ageText(p.now.Sub(q.OldestArrived))
	}
	retention := row("retention").left(th.text, spanText(q.Attributes.Retention), 6).
		put(th.muted, "oldest ").put(th.text, oldest)
	lines := []string{end(kind), end(visibility), end(retention)}
	if len(q.Sources) > 0 {
		return append(lines, end(row("dlq of").put(th.text, safeLine(strings.Join(q.Sources, ", "), 0))))
	}
	redrive := q.Attributes.Redrive
	if redrive.DLQ == "" {
		l := row("dlq").put(th.muted, "none: ").put(th.key, ",").put(th.muted, " to set one")
		return append(lines, end(l))
	}
	l := row("dlq")
	putQueue(l, th, redrive.DLQ)
	after := row("").put(th.muted, "after ").put(th.text, strconv.Itoa(redrive.MaxReceives))
	if dlq := findQueue(p.queues.all, redrive.DLQ); dlq != nil {
		after.put(th.muted, ", keeps ").put(th.text, spanText(dlq.Attributes.Retention))
	} else {
		after.put(th.dead, ", does not exist")
	}
	return append(lines, end(l), end(after))
}

// flow is one counter with its rate.
type flow struct {
	name string
	pick counter
	ink  ink
}

func (p *infoPane) counters(q *engine.QueueStats, inner int) []string {
	th := p.th
	flows := []flow{
		{"sent", sentCounter, th.visible}, {"received", receivedCounter, th.flight},
		{"deleted", deletedCounter, th.ok}, {"lapsed", lapsedCounter, th.flight},
		{"dead", deadOutCounter, th.dead},
	}
	if len(q.Sources) > 0 {
		flows = []flow{
			{"moved in", deadInCounter, th.dead}, {"sent", sentCounter, th.visible},
			{"received", receivedCounter, th.flight}, {"deleted", deletedCounter, th.ok},
			{"redriven", redrivenCounter, th.ok},
		}
	}
	history := p.samples.of(q.Name)
	cells := max(min(inner-1-8-1-4-1-6-1-1, rateSteps), 0)
	lines := make([]string, 0, len(flows)+1)
	for _, f := range flows {
		l := newLine(th, inner-1, false).blank(1).left(th.muted, f.name, 8).blank(1)
		if total := int(f.pick(&q.Counters)); total > 0 {
			l.right(th.text, shortCount(total), 4)
		} else {
			l.right(th.muted, th.glyph.none, 4)
		}
		rate := history.rate(f.pick)
		k, text := th.text, rateText(rate)
		if rate == 0 {
			k, text = th.muted, th.glyph.none
		}
		l.blank(1).right(k, text, 6).blank(1)
		l.raw(spark(th, f.ink, history.growth(f.pick, cells), false), cells)
		lines = append(lines, l.done()+" ")
	}
	if len(q.Sources) > 0 {
		lines = append(lines, newLine(th, inner, false).blank(1).put(th.muted, "a dead-letter move is no send").done())
	}
	return lines
}

// alarm is what the operator should see about a queue; brief says it where
// text has no room.
type alarm struct {
	ink         ink
	text, brief string
}

func (a alarm) fit(width int) string {
	if a.brief != "" && cellWidth(a.text) > width {
		return a.brief
	}
	return a.text
}

// alarms of the queue, worst first.
func (p *infoPane) alarms(q *engine.QueueStats) []alarm {
	th, history := p.th, p.samples.of(q.Name)
	var alarms []alarm
	died := history.grown(deadOutCounter, sampleSteps-1)
	if len(q.Sources) > 0 {
		died = p.samples.died(q.Name)
	}
	if died > 0 {
		alarms = append(alarms, alarm{ink: th.dead, text: plural(died, "message") + " died in 5m"})
	}
	lapsed, received := history.grown(lapsedCounter, sampleSteps-1), history.grown(receivedCounter, sampleSteps-1)
	if lapsed > 0 && received >= 10 && lapsed*20 >= received {
		alarms = append(alarms, alarm{ink: th.flight, text: strconv.Itoa(min(lapsed*100/received, 100)) + "% of leases lapse"})
	}
	if dlq := findQueue(p.queues.all, q.Attributes.Redrive.DLQ); dlq != nil && expireEarly(q.Attributes, dlq.Attributes.Retention) {
		const brief = "dead ones expire too soon"
		alarms = append(alarms, alarm{th.flight, brief + ": the DLQ keeps " + spanText(dlq.Attributes.Retention), brief})
	}
	return alarms
}

// expireEarly says whether a dead-letter queue of that retention loses dead
// messages early: in a standard queue their age counts from the first send, in
// a FIFO queue anew from when they died.
func expireEarly(source engine.Attributes, dlq time.Duration) bool {
	return source.Type != engine.FIFO && dlq <= source.Retention
}
