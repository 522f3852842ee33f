package ui

import (
	"context"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// leave ends the console, and asks first when something would be cut off, or
// left behind. Asked twice it does not wait for an answer.
func (a *app) leave() tea.Cmd {
	if a.leaving {
		return tea.Quit
	}
	question := a.leaveQuestion()
	if question == nil {
		return tea.Quit
	}
	a.leaving = true
	a.openOverlay(question) // over a form: who stays is back in it
	return nil
}

// leaveQuestion is what to ask, nil for nothing.
func (a *app) leaveQuestion() overlay {
	var clauses []string
	if a.bulk != nil {
		clauses = append(clauses, a.bulk.doing+" is at "+countText(a.bulk.next)+" of "+countText(len(a.bulk.refs))+": the rest stays")
	}
	if t := a.activeTask(); t != nil {
		text := "a redrive of " + safeLine(t.Source, 0) + " runs: it goes on at the next start"
		if a.options.Throwaway {
			text = "a redrive of " + safeLine(t.Source, 0) + " runs, and ends with this throw-away store"
		}
		clauses = append(clauses, text)
	}
	if used := a.endpoint.inUse(); used != "" {
		clauses = append(clauses, used)
	}
	demo := a.options.Demo
	offer := demo != nil && demo.Remove != nil && demo.Running != nil && demo.Running()
	if len(clauses) == 0 && !offer {
		return nil
	}
	return &leaveLine{th: a.th, text: strings.Join(clauses, "; "), offer: offer, done: func() { a.leaving = false }}
}

// leaveLine asks before the console ends.
type leaveLine struct {
	th    theme
	text  string // what is cut off; empty: nothing
	offer bool   // the demo's queues can be deleted
	done  func()
}

var (
	leaveQuit   = key.NewBinding(key.WithKeys("y", "Y"), key.WithHelp("y", "quit"))
	leaveRemove = key.NewBinding(key.WithKeys("D"), key.WithHelp("D", "delete the demo's queues and quit"))
	leaveStay   = key.NewBinding(key.WithKeys("n", "N", "esc", "enter", "q"), key.WithHelp("n", "stay"))
)

func (l *leaveLine) inline() bool { return true }

// ShortHelp is for the footer.
func (l *leaveLine) ShortHelp() []key.Binding {
	if l.offer {
		return []key.Binding{leaveQuit, leaveRemove, leaveStay}
	}
	return []key.Binding{leaveQuit, leaveStay}
}

// FullHelp is for the help overlay.
func (l *leaveLine) FullHelp() [][]key.Binding { return [][]key.Binding{l.ShortHelp()} }

// Update takes the answer.
func (l *leaveLine) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyMsg)
	switch {
	case !ok:
	case key.Matches(k, leaveQuit):
		return emit(leaveMsg{})
	case l.offer && key.Matches(k, leaveRemove):
		return emit(leaveMsg{remove: true})
	case key.Matches(k, leaveStay):
		l.done()
		return emit(closeMsg{})
	}
	return nil
}

// View is one line.
func (l *leaveLine) View(width, _ int) string {
	out := newLine(l.th, width, false).blank(1).put(l.th.flight, l.th.glyph.warn).blank(1)
	text := l.text
	if text == "" {
		text = "the demo's queues are still here"
	}
	const quit, offered = ". quit?  ", len("y/N  or D delete them and quit")
	answers := len("y/N")
	if l.offer {
		answers = offered
	}
	out.max = max(width-answers-len(quit), 0) // the text is cut, never the answers
	out.put(l.th.text, text)
	out.max = width
	out.put(l.th.text, quit)
	out.put(l.th.key, "y").put(l.th.muted, "/").put(l.th.bold, "N")
	if l.offer {
		out.put(l.th.muted, "  or ").put(l.th.key, "D").put(l.th.muted, " delete them and quit")
	}
	return out.done()
}

// leaveWith ends the console as answered.
func (a *app) leaveWith(m leaveMsg) tea.Cmd {
	if !m.remove {
		return tea.Quit
	}
	a.leaving = false // should it fail, the next q asks again
	a.closeOverlay()
	return a.loader.call(actTime, func(ctx context.Context) tea.Msg {
		if err := a.options.Demo.Remove(ctx); err != nil {
			return failed("the demo's queues were not deleted, and we did not quit", err)
		}
		return tea.QuitMsg{}
	})
}
