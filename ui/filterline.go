package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/keymap"
)

// filterLine is where a filter is typed; the list narrows meanwhile.
type filterLine struct {
	keymap.Filter
	th   theme
	pane paneID
	edit *lineEdit
	err  error // the regular expression is not finished yet
}

func newFilterLine(th theme, m askFilterMsg) *filterLine {
	return &filterLine{Filter: keymap.NewFilter(), th: th, pane: m.pane, edit: newLineEdit(m.text)}
}

// inline says that it stands where the status line is.
func (f *filterLine) inline() bool { return true }

// Update takes letters, and says what was typed.
func (f *filterLine) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyMsg)
	if !ok {
		return nil
	}
	switch {
	case key.Matches(k, f.Cancel):
		return tea.Batch(emit(closeMsg{}), emit(filterTypedMsg{f.pane, ""}))
	case key.Matches(k, f.Apply):
		if f.err != nil {
			return nil
		}
		return tea.Batch(emit(closeMsg{}), emit(filterTypedMsg{f.pane, f.edit.text()}))
	case !f.edit.key(k):
		return nil
	}
	f.err = nil
	if f.pane != paneQueues {
		_, f.err = newFilter(f.edit.text())
	}
	if f.err != nil {
		return nil
	}
	return emit(filterTypedMsg{f.pane, f.edit.text()})
}

// View is one line.
func (f *filterLine) View(width, _ int) string {
	l := newLine(f.th, width, false).blank(1).put(f.th.key, "/").blank(1)
	hint := "a word of the body, an id, or /a regular expression/"
	if f.pane == paneQueues {
		hint = "part of a queue's name"
	}
	f.edit.draw(l, f.th, max(min(width-l.width-cellWidth(hint)-6, 60), min(20, width-l.width-1)), true)
	l.blank(3)
	if f.err != nil {
		l.put(f.th.flight, f.th.glyph.warn+" ").put(f.th.text, "not a regular expression yet")
	} else {
		l.put(f.th.muted, hint)
	}
	return l.done()
}
