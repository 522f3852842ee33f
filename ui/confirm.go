package ui

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
	"inflight/keymap"
)

// The confirmation ladder: a line for one message, a dialog for many, a typed
// name for a whole queue. A held key never confirms: a line wants y, a dialog
// another button and then enter, a name its letters one by one.

// question asks y/N on one line.
type question struct {
	keymap.Confirm
	th   theme
	text string
	name string // in text; cut first where the line is too short
	yes  tea.Msg
}

// newQuestion asks text, which is safe and ends in a question mark; yes is the
// intent.
func newQuestion(th theme, text string, yes tea.Msg) *question {
	q := &question{Confirm: keymap.NewConfirm(), th: th, text: text, yes: yes}
	for _, b := range []*key.Binding{&q.Next, &q.Prev, &q.Press} {
		b.SetEnabled(false)
	}
	return q
}

// inline says that View is one line, to stand where the status line is.
func (q *question) inline() bool { return true }

// Update closes on any answer; other keys do nothing.
func (q *question) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyMsg)
	switch {
	case !ok:
		return nil
	case key.Matches(k, q.Yes):
		return emit(doneMsg{q.yes})
	case key.Matches(k, q.No), k.Type == tea.KeyEnter:
		return emit(closeMsg{})
	}
	return nil
}

// View is one line of the given width.
func (q *question) View(width, _ int) string {
	l := newLine(q.th, width, false)
	const answer = "  y/N "
	l.max = max(width-len(answer), 0)
	l.blank(1).put(q.th.flight, q.th.glyph.warn).blank(1)
	text := q.text
	if over := cellWidth(text) - (l.max - l.width); over > 0 && q.name != "" {
		name, _ := cutText(q.name, max(cellWidth(q.name)-over, leastName), q.th.glyph.more)
		text = strings.Replace(text, q.name, name, 1)
	}
	l.put(q.th.text, text)
	l.max = width
	return l.blank(2).put(q.th.key, "y").put(q.th.muted, "/").put(q.th.bold, "N").done()
}

// leastName is how much of a name stays, however narrow a line is.
const leastName = 8

// naming says which name in its text may be cut: all else is to be read.
func (q *question) naming(name string) *question {
	q.name = name
	return q
}

// fact is a label and what there is to say; both are safe.
type fact struct{ label, value string }

// ask is what a dialog asks.
type ask struct {
	title  string
	facts  []fact
	sample []engine.Row // three are shown
	warn   []string
	verb   string // on the button
	typed  string // the name to type, if that is asked for
	yes    tea.Msg
}

// dialog asks with two buttons, Cancel first.
type dialog struct {
	keymap.Confirm
	ask
	th    theme
	name  lineEdit
	note  string // why a name does not count
	focus int    // 0 the name or Cancel, then on
}

func newDialog(th theme, a ask) *dialog {
	d := &dialog{Confirm: keymap.NewConfirm(), ask: a, th: th}
	d.Next.SetHelp("tab", "choose")
	d.Yes.SetEnabled(false)
	if a.typed != "" {
		// Letters are for the name.
		d.Next.SetKeys("tab", "down")
		d.Prev.SetKeys("shift+tab", "up")
		d.No.SetKeys("esc")
		d.focus = focusName
	}
	d.No.SetHelp("esc", "cancel")
	return d
}

// Where the focus of a dialog is.
const (
	focusCancel = iota
	focusAct
	focusName
)

// ShortHelp is for the overlay's last line.
func (d *dialog) ShortHelp() []key.Binding { return []key.Binding{d.Next, d.Press, d.No} }

// Update moves between the buttons and presses them.
func (d *dialog) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyMsg)
	if !ok {
		return nil
	}
	switch {
	case key.Matches(k, d.No):
		return emit(closeMsg{})
	case key.Matches(k, d.Next):
		d.step(1)
	case key.Matches(k, d.Prev):
		d.step(-1)
	case key.Matches(k, d.Press):
		return d.press()
	case d.focus == focusName && k.Paste:
		d.note = "type the name: pasting does not count"
	case d.focus == focusName:
		d.note = ""
		d.name.key(k)
	}
	return nil
}

func (d *dialog) step(by int) {
	stops := []int{focusCancel, focusAct}
	if d.typed != "" {
		stops = []int{focusName, focusCancel, focusAct}
	}
	for i, stop := range stops {
		if stop == d.focus {
			d.focus = stops[(i+by+len(stops))%len(stops)]
			return
		}
	}
}

func (d *dialog) press() tea.Cmd {
	switch {
	case d.focus == focusCancel:
		return emit(closeMsg{})
	case d.typed != "" && d.name.text() != d.typed:
		d.note = "that is not its name"
		if d.name.text() == "" {
			d.note = "the name is missing"
		}
		d.focus = focusName
		return nil
	}
	return emit(doneMsg{d.yes})
}

// View draws the dialog.
func (d *dialog) View(width, height int) string {
	p := panel{th: d.th, title: d.title, hints: d.ShortHelp()}
	p.blank()
	labels := 0
	for _, f := range d.facts {
		labels = max(labels, cellWidth(f.label))
	}
	for _, f := range d.facts {
		p.add(func(l *line) {
			l.left(d.th.muted, f.label, labels).blank(2).put(d.th.text, f.value)
		})
	}
	if len(d.facts) > 0 {
		p.blank()
	}
	addSample(&p, d.sample, len(d.sample))
	for _, w := range d.warn {
		p.text(width, d.th.flight, d.th.glyph.warn, d.th.text, w)
	}
	if len(d.warn) > 0 {
		p.blank()
	}
	if d.typed != "" {
		d.drawName(&p, width-2-2*panelPadding)
	}
	p.rows = append(p.rows, panelRow{pointed: d.focus != focusName, cells: func(l *line) {
		button(l, d.th, "Cancel", d.focus == focusCancel, false)
		l.blank(2)
		button(l, d.th, d.verb, d.focus == focusAct, true)
	}})
	p.top = len(p.rows) // buttons stay in view
	p.blank()
	return p.draw(width, height)
}

// addSample adds the first three of rows, and how many more of all there are.
func addSample(p *panel, rows []engine.Row, all int) {
	shown := min(len(rows), 3)
	if shown == 0 {
		return
	}
	for _, row := range rows[:shown] {
		p.add(func(l *line) { sampleRow(l, p.th, row) })
	}
	if left := all - shown; left > 0 {
		p.add(func(l *line) { l.put(p.th.muted, "and "+countText(left)+" more") })
	}
	p.blank()
}

// sampleRow is a message in a dialog.
func sampleRow(l *line, th theme, m engine.Row) {
	l.put(th.text, shortID(m.Message.ID)).blank(2)
	body, _ := cutText(safeLine(m.Message.Body, 256), min(l.max-l.width, 48), th.glyph.more)
	l.put(th.muted, body)
}

// drawName asks for the name. One that is too long for a line takes several:
// who has to type it must be able to read it.
func (d *dialog) drawName(p *panel, room int) {
	name := safeLine(d.typed, 0)
	if cellWidth("Type "+name+" to go on") <= room {
		p.add(func(l *line) {
			l.put(d.th.muted, "Type ").put(d.th.bold, name).put(d.th.muted, " to go on")
		})
	} else {
		p.add(func(l *line) { l.put(d.th.muted, "To go on, type") })
		for part := range strings.SplitSeq(ansi.Hardwrap(name, max(room, 1), true), "\n") {
			p.add(func(l *line) { l.put(d.th.bold, part) })
		}
	}
	p.rows = append(p.rows, panelRow{on: d.focus == focusName, pointed: d.focus == focusName, cells: func(l *line) {
		d.name.draw(l, d.th, max(min(cellWidth(name)+2, l.max-l.width), 1), d.focus == focusName)
	}})
	p.add(func(l *line) {
		if d.note != "" {
			l.put(d.th.dead, d.th.glyph.fail).blank(1).put(d.th.text, d.note)
		}
	})
	if d.note != "" {
		p.blank()
	}
}

// confirmDelete asks before messages are deleted: one by a line, more by a
// dialog.
func confirmDelete(th theme, queue string, rows []engine.Row) overlay {
	yes := removeMsg{refsOf(rows)}
	queue = safeLine(queue, 0)
	if len(rows) == 1 {
		text, name := "delete "+shortID(rows[0].Message.ID)+" from ", queue
		if rows[0].State == engine.InFlight && rows[0].Holder != "" {
			text, name = "delete "+shortID(rows[0].Message.ID)+", held by ", safeLine(rows[0].Holder, 0)
		}
		return newQuestion(th, text+name+"? it cannot be brought back", yes).naming(name)
	}
	size, held := 0, 0
	for _, m := range rows {
		size += m.Message.Size
		held += boolInt(m.State == engine.InFlight)
	}
	a := ask{
		title: "Delete " + plural(len(rows), "message"),
		facts: []fact{{"From", queue}, {"Size", bytesText(size) + " in all"}},
		verb:  "Delete " + countText(len(rows)), yes: yes, sample: rows,
	}
	if held > 0 {
		a.warn = append(a.warn, countText(held)+" of them in flight: their consumers work on messages that are gone.")
	}
	if len(rows) > engine.MaxBatch {
		a.warn = append(a.warn, fmt.Sprintf("Done in steps of %d: a failure may leave some of them.", engine.MaxBatch))
	}
	a.warn = append(a.warn, "Deleted messages cannot be brought back.")
	return newDialog(th, a)
}

// confirmRelease asks before many leases are broken: none can be given back.
func confirmRelease(th theme, queue string, rows []engine.Row) overlay {
	return newDialog(th, ask{
		title: "Release " + plural(len(rows), "message"),
		facts: []fact{{"In", safeLine(queue, 0)}},
		verb:  "Release " + countText(len(rows)), yes: releaseMsg{refsOf(rows)}, sample: rows,
		warn: []string{"Their consumers may be at work on them still, and others receive them again. A broken lease cannot be restored."},
	})
}

// confirmPurge asks for the queue's name before all its messages go.
func confirmPurge(th theme, q engine.QueueStats) overlay {
	a := wholeQueue(q)
	a.title, a.verb, a.yes = "Purge "+safeLine(q.Name, 0), "Purge", purgeQueueMsg(q.Name)
	a.warn = []string{"Every message goes, those in flight and delayed too. They cannot be brought back."}
	return newDialog(th, a)
}

// confirmDeleteQueue asks for the queue's name before it goes.
func confirmDeleteQueue(th theme, q engine.QueueStats) overlay {
	a := wholeQueue(q)
	a.title, a.verb, a.yes = "Delete queue "+safeLine(q.Name, 0), "Delete queue", deleteQueueMsg(q.Name)
	a.warn = []string{"The queue and its messages go. They cannot be brought back."}
	if len(q.Sources) > 0 {
		a.warn = append(a.warn, "It is the DLQ of "+nameList(q.Sources, 3)+
			": their messages are then delivered again and again instead of dead-lettered.")
	}
	return newDialog(th, a)
}

func wholeQueue(q engine.QueueStats) ask {
	c := q.Counts
	return ask{
		typed: q.Name,
		facts: []fact{
			{"Messages", countText(c.Ready + c.InFlight + c.Delayed)},
			{"Visible", countText(c.Ready)},
			{"In flight", countText(c.InFlight)},
			{"Delayed", countText(c.Delayed)},
		},
	}
}

// nameList writes at most n names, safe to draw.
func nameList(names []string, n int) string {
	shown := make([]string, 0, n)
	for _, name := range names[:min(n, len(names))] {
		shown = append(shown, safeLine(name, 40))
	}
	if left := len(names) - n; left > 0 {
		return strings.Join(shown, ", ") + fmt.Sprintf(" and %d more", left)
	}
	return strings.Join(shown, ", ")
}

// confirmPeek asks before a peek that dead-letters.
func confirmPeek(th theme, row engine.Row, maxReceives int, dlq string) overlay {
	return newQuestion(th, fmt.Sprintf("%s has used %s: this peek moves it to %s. peek?",
		shortID(row.Message.ID), receivesText(row.Receives, maxReceives), safeLine(dlq, 0)),
		peekMsg{ref: row.Ref, id: row.Message.ID, allow: true}).naming(safeLine(dlq, 0))
}

// confirmSooner asks before an extend that lets leases lapse sooner than they
// would by themselves: sooner of the rows do.
func confirmSooner(th theme, rows []engine.Row, by time.Duration, sooner int, now time.Time) overlay {
	until := clockText(now.Add(by), now)
	yes := extendMsg{refsOf(rows), by}
	if len(rows) == 1 {
		return newQuestion(th, fmt.Sprintf("%s is hidden until %s now. hide it only until %s?",
			shortID(rows[0].Message.ID), clockText(rows[0].Due, now), until), yes)
	}
	return newQuestion(th, fmt.Sprintf("%s of %s would lapse sooner. hide all until %s?",
		countText(sooner), plural(len(rows), "message"), until), yes)
}

// confirmCancel asks before a redrive task ends; what it moved stays moved.
func confirmCancel(th theme, t engine.Task) overlay {
	return newQuestion(th, fmt.Sprintf("cancel job %d? %s of %s moved and stay where they are",
		t.ID, countText(t.Moved), countText(t.ToMove)), cancelRedriveMsg(t.ID))
}
