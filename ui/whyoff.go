package ui

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// whyOff says why a key of the screen on top does nothing now; empty: it is no
// key there, or does something.
func (a *app) whyOff(msg tea.KeyMsg) string {
	top, ok := a.top().(explainer)
	if !ok || msg.Paste {
		return ""
	}
	var off *key.Binding
	for _, group := range a.top().FullHelp() {
		for _, b := range group {
			switch {
			case !slices.Contains(b.Keys(), msg.String()):
			case b.Enabled():
				return ""
			case off == nil:
				off = &b
			}
		}
	}
	if off == nil {
		return ""
	}
	if reason := top.why(*off); reason != "" {
		return a.th.glyph.key(off.Help().Key) + " " + off.Help().Desc + ": " + reason
	}
	return ""
}
