package ui

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
)

// status is the last result, with the time at which it came.
type status struct {
	th   theme
	last resultMsg
	at   time.Time
	off  string // why the key just pressed does nothing; safe
}

func newStatus(th theme) status { return status{th: th} }

func (s *status) take(r resultMsg, now time.Time) { s.last, s.at, s.off = r, now, "" }

// statusLine is the last result at the left; marks, filter and log at the
// right.
func (a *app) statusLine(width int) string {
	th := a.th
	right := newLine(th, width, false)
	if p := a.focusedList(); p != nil {
		if n := len(p.marks); n > 0 {
			right.put(th.accent, th.glyph.mark+" ").put(th.text, countText(n)+" marked").blank(3)
		}
		if p.filter != nil {
			right.put(th.key, "esc").put(th.muted, " clears the filter").blank(3)
		}
	}
	right.put(th.key, "L").put(th.muted, " log").blank(1)
	left := newLine(th, max(width-right.width-1, 0), false).blank(1)
	switch {
	case a.err != nil:
		left.put(th.dead.Bold(true), th.glyph.fail).put(th.text, " not read: "+errorText(a.err))
	case a.bulk != nil:
		left.put(th.flight, th.glyph.flight).put(th.text, " "+a.bulk.doing+" "+countText(a.bulk.next)+" of "+countText(len(a.bulk.refs)))
	case a.status.off != "":
		left.put(th.muted, a.status.off)
	case !a.status.at.IsZero():
		k, glyph := th.level(a.status.last.level)
		left.put(k.Bold(true), glyph).put(th.muted, " "+clockText(a.status.at, a.now)+" ")
		left.put(th.text, a.status.last.text)
	}
	return newLine(th, width, false).raw(left.done(), left.max).to(width-right.width).raw(right.text(), right.width).done()
}

// focusedList is the list that has the focus, if the main screen is on top.
func (a *app) focusedList() *messagePane {
	if a.top() == pane(a.main) {
		return a.main.list()
	}
	return nil
}

// footer is the keys that work here; when it is narrow the rightmost go first.
func (a *app) footer(width int) string {
	th := a.th
	help := newLine(th, width, false)
	var bindings []key.Binding
	if n := len(a.overlays); n > 0 && isInline(a.overlays[n-1]) { // a box has its own
		bindings = a.overlays[n-1].ShortHelp()
	} else {
		bindings = a.top().ShortHelp()
		if len(a.screens) > 0 { // the way out stays, however narrow it is
			help.put(th.key, th.glyph.key(a.Back.Help().Key)).put(th.muted, " "+a.Back.Help().Desc).blank(3)
		}
		bindings = append(bindings, a.Jobs) // the log stands in the status line
		help.put(th.key, "?").put(th.muted, " help").blank(1)
	}
	l := newLine(th, max(width-help.width-1, 0), false)
	for _, b := range bindings {
		if !b.Enabled() {
			continue
		}
		name, verb := th.glyph.key(b.Help().Key), b.Help().Desc
		gap := 3
		if l.width == 0 {
			gap = 1
		}
		if l.width+gap+cellWidth(name)+1+cellWidth(verb) > l.max {
			break
		}
		l.blank(gap).put(th.key, name).blank(1).put(th.muted, verb)
	}
	return newLine(th, width, false).raw(l.done(), l.max).to(width-help.width).raw(help.text(), help.width).done()
}
