package ui

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// staleAfter is how old data may be and still be called live.
const staleAfter = 2500 * time.Millisecond

// wideHeader is the width from which the header says whole words.
const wideHeader = 90

// header is the screen's first line: where we are, and what needs to be seen
// whatever is focused. The endpoint's address always stays; where the data are
// is said if there is room left.
func (a *app) header(width int) string {
	th := a.th
	left := newLine(th, width, false).blank(1).put(th.flight.Bold(true), th.glyph.flight).blank(1).put(th.bold, "inflight")
	if e := a.options.Endpoint; e != nil {
		clock := len("  15:04:05 ")
		address, _ := cutText(safeLine(e.Address, 100), width-left.width-2-clock, th.glyph.more)
		left.blank(2).put(th.muted, address)
	}
	wide := width >= wideHeader
	mark := a.endpoint.mark(th, wide)
	mark = blanks(a.endpoint.markWidth(mark, wide)-ansi.StringWidth(mark)) + mark
	// From the right end, what goes last first.
	parts := []string{th.text.Render(clockText(a.now, a.now)), a.liveMark(), mark, a.jobMark(), a.deadMark()}
	var right string
	room := width - left.width - 2
	for _, part := range parts {
		if part == "" {
			continue
		}
		if right != "" {
			part += "   "
		}
		if ansi.StringWidth(part)+ansi.StringWidth(right) > room {
			break
		}
		right = part + right
	}
	rightWidth := ansi.StringWidth(right)
	if free := width - left.width - 2 - rightWidth - 3; a.options.Place != "" && free >= 8 {
		place, _ := cutText(safeLine(a.options.Place, 200), free, th.glyph.more)
		left.blank(2).put(th.muted, place)
	}
	return left.to(width-rightWidth-1).raw(right, rightWidth).blank(1).done()
}

// liveMark says how old the data are: old numbers are never shown as live.
func (a *app) liveMark() string {
	th := a.th
	switch late := a.now.Sub(a.answered); {
	case !a.loaded && a.err == nil:
		return th.muted.Render("starting")
	case !a.loaded:
		return th.dead.Bold(true).Render(th.glyph.fail) + th.text.Render(" no data")
	case late > staleAfter:
		return th.flight.Bold(true).Render(th.glyph.warn) + th.text.Render(" "+ageText(late)+" late")
	default:
		return th.ok.Render(th.glyph.visible) + th.muted.Render(" live")
	}
}

// jobMark is the redrive that runs, with its progress.
func (a *app) jobMark() string {
	t := a.activeTask()
	if t == nil {
		return ""
	}
	th := a.th
	active := 0
	for i := range a.tasks {
		if a.tasks[i].State.Active() {
			active++
		}
	}
	l := newLine(th, 40, false).put(th.muted, "job ")
	if active > 1 {
		l.put(th.text, countText(active)).blank(1)
	}
	part := progress(*t)
	bar(th, l, th.ok, part, 8)
	l.put(th.text, " "+countText(int(part*100))+"%")
	if word := t.State.String(); word != "running" {
		l.put(th.flight, " "+word)
	}
	return l.text()
}

// deadMark says which dead-letter queues grew.
func (a *app) deadMark() string {
	var names []string
	grown := 0
	for i := range a.queues {
		if q := &a.queues[i]; len(q.Sources) > 0 {
			if n := a.main.samples.died(q.Name); n > 0 {
				names, grown = append(names, safeLine(q.Name, 0)), grown+n
			}
		}
	}
	if grown == 0 {
		return ""
	}
	where := strings.Join(names, ", ")
	if len(names) > 1 {
		where = countText(len(names)) + " dlqs"
	}
	where, _ = cutText(where, 24, a.th.glyph.more)
	return a.th.dead.Bold(true).Render(a.th.glyph.dead+" +"+countText(grown)) + a.th.text.Render(" "+where) + a.th.muted.Render(" in 5m")
}
