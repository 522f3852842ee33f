package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/keymap"
)

// logLine shows a line of the log whole: what went wrong is often longer than
// a screen is wide.
type logLine struct {
	keymap.Connect
	th   theme
	text string // safe
}

func newLogLine(th theme, text string) overlay {
	o := &logLine{keymap.NewConnect(), th, text}
	o.Copy.SetHelp("y", "copy")
	return o
}

// Update copies and closes.
func (o *logLine) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyMsg)
	switch {
	case !ok:
	case key.Matches(k, o.Copy):
		return emit(doneMsg{copyMsg{"log line", o.text}})
	case key.Matches(k, o.Close), k.Type == tea.KeyEnter:
		return emit(closeMsg{})
	}
	return nil
}

// View draws the line, wrapped.
func (o *logLine) View(width, height int) string {
	p := panel{th: o.th, title: "Log line", hints: o.ShortHelp()}
	p.blank()
	p.text(width, ink{}, "", o.th.text, o.text)
	p.blank()
	return p.draw(width, height)
}
