package ui

import (
	"github.com/charmbracelet/bubbles/help"
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// pane is one region of a screen, or a whole screen. It owns its data and gets it by
// message; it calls no engine and reads no clock.
type pane interface {
	// Update takes a key or data, and returns an intent for the root.
	Update(msg tea.Msg) tea.Cmd
	SetSize(width, height int)
	// View draws the pane in exactly the size that was set.
	View() string
	help.KeyMap
}

// overlay is what typing goes to while it is open: forms, dialogs, filters.
// It closes by emitting closeMsg.
type overlay interface {
	Update(msg tea.Msg) tea.Cmd
	// View draws the overlay's box, at most that large.
	View(width, height int) string
	help.KeyMap
}

// emit turns a message into the command that delivers it.
func emit(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// explainer is a pane or overlay that can say why one of its bindings is off:
// one clause, lower case, safe to draw; empty when there is nothing to say.
type explainer interface {
	why(b key.Binding) string
}
