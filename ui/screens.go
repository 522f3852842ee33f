package ui

import (
	"fmt"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

// shown is the detail screen, if it is open.
func (a *app) shown() *detailPane {
	for _, s := range a.screens {
		if d, ok := s.(*detailPane); ok {
			return d
		}
	}
	return nil
}

func (a *app) openDetail(m openDetailMsg) tea.Cmd {
	a.stepping = paneQueues // a step that waited is overtaken
	if d := a.shown(); d != nil {
		d.from = m.from
		d.show(m.ref)
	} else {
		a.openScreen(newDetailPane(a.th, m.from, m.ref))
	}
	a.placeDetail()
	a.wantDetail = true
	return nil
}

// stepDetail shows the next or the previous message of the list that the
// detail screen was opened from. The list's cursor goes along; a message that
// we do not hold is shown once its page has come.
func (a *app) stepDetail(by int) tea.Cmd {
	d := a.shown()
	if d == nil || a.main.lists[d.from] == nil {
		return nil
	}
	p := a.main.lists[d.from]
	at := p.indexOf(d.ref)
	switch {
	case at >= 0:
		at += by
	case by > 0:
		at = p.cursor // the next one is in its place now
	default:
		at = p.cursor - 1
	}
	if at < 0 || at >= p.total {
		return nil
	}
	p.moveTo(at)
	p.need, p.dirty = true, true
	if it := p.current(); it != nil {
		return a.openDetail(openDetailMsg{d.from, it.Ref})
	}
	a.stepping = d.from
	return nil
}

// stepped shows the message that a step waited for.
func (a *app) stepped() {
	d := a.shown()
	if d == nil {
		a.stepping = paneQueues
		return
	}
	if a.stepping != paneQueues {
		if it := a.main.lists[a.stepping].current(); it != nil {
			a.openDetail(openDetailMsg{d.from, it.Ref})
			return
		}
	}
	a.placeDetail()
}

// placeDetail tells the detail screen where its message stands in the list.
func (a *app) placeDetail() {
	d := a.shown()
	if d == nil || a.main.lists[d.from] == nil {
		return
	}
	p := a.main.lists[d.from]
	d.Update(detailPlaceMsg{d.ref, p.indexOf(d.ref) + 1, p.total})
}

func (a *app) openJobs() {
	a.jobs.look()
	a.openOnce(a.jobs)
}

func (a *app) openLog() { a.openOnce(a.log) }

// openOnce brings a screen to the top.
func (a *app) openOnce(s pane) {
	for i, open := range a.screens {
		if open == s {
			a.screens = append(a.screens[:i], a.screens[i+1:]...)
			break
		}
	}
	a.screens = append(a.screens, s)
	a.resize(a.width, a.height)
}

// openHelp lists the keys of what is on top, then those that work everywhere.
func (a *app) openHelp() {
	sections := []helpSection{}
	name := "everywhere"
	switch top := a.top().(type) {
	case *mainScreen:
		var focused helpSection
		if p := top.list(); p != nil {
			name = p.name
			focused = sectionOf(p.name, p)
		} else {
			name = "queues"
			focused = sectionOf("queues", top.queues)
		}
		main := helpSection{title: "main screen", keys: top.Main, why: top.why}
		sections = append(sections, focused, main)
	case *detailPane:
		name = "message"
		sections = append(sections, sectionOf(name, top))
	case *jobsPane:
		name = "jobs"
		sections = append(sections, sectionOf(name, top))
	case *eventLog:
		name = "log"
		sections = append(sections, sectionOf(name, top))
	default:
		name = "welcome"
		sections = append(sections, sectionOf(name, top))
	}
	a.openOverlay(newHelp(a.th, name, append(sections, sectionOf("everywhere", a.Global))...))
}

// copyReadyMsg is a message read whole, to copy parts of it.
type copyReadyMsg struct {
	detail engine.Detail
	err    error
}

func (a *app) askCopy(ref engine.Ref) tea.Cmd {
	return a.loader.whole(ref)
}

func (a *app) copyReady(m copyReadyMsg) tea.Cmd {
	if m.err != nil {
		return emit(failed("nothing was copied", m.err))
	}
	if len(a.overlays) > 0 {
		return nil // opened since: its keys are not meant for the menu
	}
	a.openOverlay(newCopyMenu(a.th, m.detail))
	return nil
}

// copyLimit is what terminals take at once; more they drop without a word.
const copyLimit = 74_994

// copy gives text to the terminal's clipboard. Whether the terminal took it
// cannot be known.
func (a *app) copy(m copyMsg) tea.Cmd {
	if len(m.text) > copyLimit {
		return emit(resultMsg{levelError, fmt.Sprintf("nothing was copied: the %s has %s, terminals take %s",
			m.what, bytesText(len(m.text)), bytesText(copyLimit))})
	}
	write := a.write
	return func() tea.Msg {
		if write == nil {
			return resultMsg{levelError, "nothing was copied: there is no terminal"}
		}
		if err := write(osc52.New(m.text).String()); err != nil {
			return failed("nothing was copied", err)
		}
		return done("copied the " + m.what + ", " + bytesText(len(m.text)) + ", if the terminal allows it (OSC 52)")
	}
}
