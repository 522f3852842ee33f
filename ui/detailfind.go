package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/keymap"
)

// findMsg is what to look for on a screen; empty: nothing any more.
type findMsg struct {
	on   findScreen
	text string
}

// findScreen is a screen that one can look for something on.
type findScreen int

const (
	findInBody findScreen = iota
	findInLog
)

// findLine is where one types what to look for. What is typed is found at
// once; esc takes it back.
type findLine struct {
	keymap.Filter
	th     theme
	on     findScreen
	prompt string
	edit   lineEdit
}

func newFindLine(th theme, on findScreen, prompt, before string) *findLine {
	f := &findLine{Filter: keymap.NewFilter(), th: th, on: on, prompt: prompt, edit: *newLineEdit(before)}
	f.edit.limit = 200
	return f
}

// inline says that View is one line, to stand where the status line is.
func (f *findLine) inline() bool { return true }

// Update types.
func (f *findLine) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyMsg)
	switch {
	case !ok:
		return nil
	case key.Matches(k, f.Apply):
		return emit(closeMsg{})
	case key.Matches(k, f.Cancel):
		return emit(doneMsg{findMsg{on: f.on}})
	}
	before := f.edit.text()
	if f.edit.key(k); f.edit.text() != before {
		return emit(findMsg{f.on, f.edit.text()})
	}
	return nil
}

// View is one line of the given width.
func (f *findLine) View(width, _ int) string {
	l := newLine(f.th, width, false)
	l.blank(1).put(f.th.key, "/").put(f.th.muted, " "+f.prompt+" ")
	f.edit.draw(l, f.th, max(l.max-l.width-1, 0), true)
	return l.done()
}
