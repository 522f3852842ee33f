package ui

import (
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
	"inflight/keymap"
)

const (
	keptEvents  = 2000
	keptResults = 500
)

// logEntry is a line of the log: what the console did, or what happened in the
// engine.
type logEntry struct {
	at     time.Time
	result resultMsg
	event  engine.Event
	own    bool // result, not event
}

// eventLog lists what happened, newest first. It collects from the start on,
// whether it is on screen or not. Results are kept apart from events: a busy
// queue must not wash away what an operator did.
type eventLog struct {
	keymap.Log
	th            theme
	now           time.Time
	width, height int

	events, results []logEntry // oldest first
	missed          uint64     // events that were forgotten before we read them
	ids             map[engine.Ref]engine.ID
	reasons         map[uint64]string // why jobs failed: safe
	query           string

	rows        []logEntry // what is shown, newest first
	stale       bool       // rows is to be made anew
	cursor, top int
}

func newEventLog(th theme) *eventLog {
	p := &eventLog{Log: keymap.NewLog(), th: th, ids: map[engine.Ref]engine.ID{}}
	p.Left.SetEnabled(false)
	p.Right.SetEnabled(false)
	p.sync()
	return p
}

// SetSize sets the size that View has.
func (p *eventLog) SetSize(width, height int) {
	p.width, p.height = width, height
	p.scroll()
}

// Update collects, scrolls and filters.
func (p *eventLog) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tickMsg:
		p.now = msg.now
	case resultMsg:
		p.results = keepLast(append(p.results, logEntry{at: p.now, result: msg, own: true}), keptResults)
		p.stale = true
	case eventsMsg:
		p.missed += msg.missed
		for _, e := range msg.events {
			p.events = append(p.events, logEntry{at: e.At, event: p.named(e)})
		}
		p.events = keepLast(p.events, keptEvents)
		p.stale = true
	case tasksMsg:
		if msg.err == nil {
			p.explain(msg.tasks)
		}
	case findMsg:
		if msg.on == findInLog {
			p.query = msg.text
			p.stale, p.cursor, p.top = true, 0, 0
		}
	case tea.KeyMsg:
		return p.key(msg)
	}
	return nil
}

// explain keeps why jobs failed: their event does not say.
func (p *eventLog) explain(tasks []engine.Task) {
	p.reasons = make(map[uint64]string, len(p.reasons))
	for _, t := range tasks {
		if t.State == engine.TaskFailed {
			p.reasons[t.ID] = reasonText(t.Reason)
		}
	}
	p.stale = p.stale || p.query != ""
}

// named gives an event the id of its message, where an earlier event had it:
// the engine knows it only while it holds the message in memory.
func (p *eventLog) named(e engine.Event) engine.Event {
	switch {
	case e.Ref == engine.Ref{}:
	case e.ID == engine.ID{}:
		e.ID = p.ids[e.Ref]
	default:
		if len(p.ids) >= 4*keptEvents {
			clear(p.ids)
		}
		p.ids[e.Ref] = e.ID
	}
	return e
}

// keepLast drops what is too old, now and then rather than each time.
func keepLast(entries []logEntry, n int) []logEntry {
	if len(entries) < 2*n {
		return entries
	}
	return append([]logEntry(nil), entries[len(entries)-n:]...)
}

func (p *eventLog) key(msg tea.KeyMsg) tea.Cmd {
	p.merge()
	switch {
	case key.Matches(msg, p.Filter):
		return emit(openMsg{newFindLine(p.th, findInLog, "show lines with", p.query)})
	case key.Matches(msg, p.Open) && p.cursor < len(p.rows):
		return emit(openMsg{newLogLine(p.th, p.line())})
	case key.Matches(msg, p.Copy):
		if p.cursor < len(p.rows) {
			return emit(copyMsg{"log line", p.line()})
		}
	default:
		if to, moved := cursorTo(msg, p.Move, p.cursor, p.room(), len(p.rows)); moved {
			p.cursor = to
			p.scroll()
		}
	}
	return nil
}

// line is what is under the cursor, whole.
func (p *eventLog) line() string {
	text, _, _ := p.text(p.rows[p.cursor])
	return clockText(p.rows[p.cursor].at, p.now) + "  " + text
}

// cursorTo is where a movement key takes a cursor in a list.
func cursorTo(msg tea.KeyMsg, keys keymap.Move, cursor, height, total int) (int, bool) {
	switch {
	case key.Matches(msg, keys.Down):
		cursor++
	case key.Matches(msg, keys.Up):
		cursor--
	case key.Matches(msg, keys.HalfDown):
		cursor += max(height/2, 1)
	case key.Matches(msg, keys.HalfUp):
		cursor -= max(height/2, 1)
	case key.Matches(msg, keys.PageDown):
		cursor += max(height, 1)
	case key.Matches(msg, keys.PageUp):
		cursor -= max(height, 1)
	case key.Matches(msg, keys.Top):
		cursor = 0
	case key.Matches(msg, keys.Bottom):
		cursor = total
	default:
		return cursor, false
	}
	return max(min(cursor, total-1), 0), true
}

// back takes back the filter, if there is one.
func (p *eventLog) back() bool {
	had := p.query != ""
	p.query = ""
	p.stale = p.stale || had
	return had
}

func (p *eventLog) room() int { return max(p.height-2, 0) }

// merge makes the rows anew. Once the cursor has left the newest line it stays
// on its line while others come in above.
func (p *eventLog) merge() {
	if !p.stale {
		return
	}
	p.stale = false
	var under *logEntry
	if p.cursor > 0 && p.cursor < len(p.rows) {
		under = &p.rows[p.cursor]
	}
	events, results := newest(p.events, keptEvents), newest(p.results, keptResults)
	rows := make([]logEntry, 0, len(events)+len(results))
	for len(events)+len(results) > 0 {
		e, r := len(events)-1, len(results)-1
		var next logEntry
		if r >= 0 && (e < 0 || !results[r].at.Before(events[e].at)) {
			next, results = results[r], results[:r]
		} else {
			next, events = events[e], events[:e]
		}
		if p.matches(next) {
			rows = append(rows, next)
		}
	}
	at := 0
	if under != nil {
		for i := range rows {
			if rows[i].at.Equal(under.at) && rows[i].own == under.own && rows[i].event.Seq == under.event.Seq && rows[i].result == under.result {
				at = i
				break
			}
		}
	}
	p.top += at - p.cursor
	p.rows, p.cursor = rows, at
	p.scroll()
	p.sync()
}

func newest(entries []logEntry, n int) []logEntry { return entries[max(len(entries)-n, 0):] }

func (p *eventLog) matches(e logEntry) bool {
	if p.query == "" {
		return true
	}
	text, _, _ := p.text(e)
	if p.query == lowerASCII(p.query) {
		text = lowerASCII(text)
	}
	return strings.Contains(text, p.query)
}

func (p *eventLog) scroll() {
	p.top = min(p.top, p.cursor)
	p.top = max(p.top, p.cursor-p.room()+1)
	p.top = max(min(p.top, len(p.rows)-p.room()), 0)
}

func (p *eventLog) sync() {
	p.Copy.SetEnabled(len(p.rows) > 0)
	p.Open.SetEnabled(len(p.rows) > 0)
}

// why says why a key is off.
func (p *eventLog) why(b key.Binding) string {
	switch {
	case b.Enabled():
		return ""
	case b.Help() == p.Copy.Help(), b.Help() == p.Open.Help():
		return "nothing is logged yet"
	default:
		return "enter shows the whole line"
	}
}

// text is a line in words, with the ink and the glyph of what it is about.
func (p *eventLog) text(e logEntry) (string, ink, string) {
	if e.own {
		k, glyph := p.th.level(e.result.level)
		return e.result.text, k, glyph
	}
	k, glyph := eventLook(p.th, e.event)
	text := eventText(e.event)
	if reason := p.reasons[e.event.Task]; e.event.Kind == engine.EventTask && reason != "" && e.event.Text == engine.TaskFailed.String() {
		text += ": " + reason
	}
	return text, k, glyph
}

// View draws the log.
func (p *eventLog) View() string {
	p.merge()
	title := p.th.bold.Render("Log " + countText(len(p.rows)))
	if all := min(len(p.events), keptEvents) + min(len(p.results), keptResults); p.query != "" {
		title += p.th.muted.Render(" of "+countText(all)+" with ") + p.th.text.Render(safeLine(p.query, 60))
	}
	o := boxOptions{focused: true, width: p.width, height: p.height, title: title, right: p.th.muted.Render("newest first")}
	if p.missed > 0 {
		o.note = p.th.muted.Render(countText(int(p.missed)) + " events came too fast to be kept")
	}
	if len(p.rows) > p.room() {
		o.bottom = p.th.text.Render(countText(p.cursor+1)) + p.th.muted.Render(" of "+countText(len(p.rows)))
	}
	inner := max(p.width-2, 0)
	if len(p.rows) == 0 {
		return box(p.th, o, p.empty(inner))
	}
	lines := make([]string, 0, p.room())
	for i := p.top; i < min(p.top+p.room(), len(p.rows)); i++ {
		lines = append(lines, p.row(p.rows[i], inner, i == p.cursor))
	}
	return exactBox(p.th, o, lines)
}

func (p *eventLog) row(e logEntry, width int, on bool) string {
	l := newLine(p.th, width, on)
	if on {
		l.put(p.th.accent, p.th.glyph.bar)
	}
	text, k, glyph := p.text(e)
	l.to(1).put(p.th.muted, clockText(e.at, p.now)).blank(2)
	l.left(k, glyph, 1).blank(1)
	l.max = max(width-1, 0)
	words := p.th.muted
	if e.own {
		words = p.th.text
	}
	l.put(words, text)
	l.max = width
	return l.done()
}

func (p *eventLog) empty(width int) []string {
	text := "Nothing has happened yet. What you do, and what consumers do, is listed here."
	if p.query != "" {
		text = "No line has that. esc shows all again."
	}
	lines := []string{""}
	for _, s := range wrapText(text, min(width-4, textWidth)) {
		lines = append(lines, "  "+p.th.muted.Render(s))
	}
	return lines
}
