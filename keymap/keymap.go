// Package keymap is every key of the console, with the words that the footer
// and the help show for it.
//
// A scope is one struct of bindings, in the order of its help. A key has one
// reader: an overlay's scope stands alone; under it Global, then the screen's
// scope, then the pane's are asked, and none of them shares a key with another.
// The package knows no pane and no engine.
package keymap

import "github.com/charmbracelet/bubbles/key"

func bind(help, verb string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, verb))
}

// Global works on every screen, while no overlay is open.
type Global struct {
	Help, Back, Quit, Interrupt, Suspend, Redraw, Refresh, Jobs, Log, Connect key.Binding
}

// NewGlobal returns the default keys.
func NewGlobal() Global {
	return Global{
		Help:      bind("?", "help", "?"),
		Back:      bind("esc", "back", "esc"),
		Quit:      bind("q", "back, then quit", "q"),
		Interrupt: bind("ctrl+c", "quit", "ctrl+c"),
		Suspend:   bind("ctrl+z", "suspend", "ctrl+z"),
		Redraw:    bind("ctrl+l", "redraw", "ctrl+l"),
		Refresh:   bind("ctrl+r", "refresh now", "ctrl+r"),
		Jobs:      bind("b", "jobs", "b"),
		Log:       bind("L", "log", "L"),
		Connect:   bind("a", "connect an app", "a"),
	}
}

// ShortHelp is for the footer.
func (k Global) ShortHelp() []key.Binding { return []key.Binding{k.Jobs, k.Log, k.Help} }

// FullHelp is for the help overlay.
func (k Global) FullHelp() [][]key.Binding {
	return [][]key.Binding{{k.Help, k.Back, k.Quit, k.Interrupt, k.Jobs, k.Log, k.Connect, k.Refresh, k.Redraw, k.Suspend}}
}

// Main is the main screen's own keys, whatever pane has the focus.
type Main struct {
	Next, Prev                             key.Binding
	Queues, Visible, Flight, Dead, Delayed key.Binding
	PrevQueue, NextQueue, Zoom             key.Binding
	Send, NewQueue, Settings               key.Binding
}

// NewMain returns the default keys.
func NewMain() Main {
	return Main{
		Next:      bind("tab", "pane", "tab"),
		Prev:      bind("shift+tab", "previous pane", "shift+tab"),
		Queues:    bind("0", "queues", "0"),
		Visible:   bind("1", "visible", "1"),
		Flight:    bind("2", "in flight", "2"),
		Dead:      bind("3", "dead", "3"),
		Delayed:   bind("4", "delayed", "4"),
		PrevQueue: bind("[", "previous queue", "["),
		NextQueue: bind("]", "next queue", "]"),
		Zoom:      bind("z", "zoom pane", "z"),
		Send:      bind("c", "send", "c"),
		NewQueue:  bind("n", "new queue", "n"),
		Settings:  bind(",", "settings", ","),
	}
}

// ShortHelp is for the footer.
func (k Main) ShortHelp() []key.Binding { return []key.Binding{k.Next, k.Send} }

// FullHelp is for the help overlay.
func (k Main) FullHelp() [][]key.Binding {
	return [][]key.Binding{
		{k.Next, k.Prev, k.Queues, k.Visible, k.Flight, k.Dead, k.Delayed, k.PrevQueue, k.NextQueue, k.Zoom},
		{k.Send, k.NewQueue, k.Settings},
	}
}

// Move is how one moves in a list or a body.
type Move struct {
	Down, Up, Top, Bottom, HalfDown, HalfUp, PageDown, PageUp, Left, Right key.Binding
}

// NewMove returns the default keys.
func NewMove() Move {
	return Move{
		Down:     bind("j ↓", "down", "j", "down"),
		Up:       bind("k ↑", "up", "k", "up"),
		Top:      bind("g", "top", "g", "home"),
		Bottom:   bind("G", "bottom", "G", "end"),
		HalfDown: bind("ctrl+d", "half a page down", "ctrl+d"),
		HalfUp:   bind("ctrl+u", "half a page up", "ctrl+u"),
		PageDown: bind("PgDn", "page down", "pgdown"),
		PageUp:   bind("PgUp", "page up", "pgup"),
		Left:     bind("h ←", "scroll left", "h", "left"),
		Right:    bind("l →", "scroll right", "l", "right"),
	}
}

// Group is the movement keys in the order of the help.
func (k Move) Group() []key.Binding {
	return []key.Binding{k.Down, k.Up, k.Top, k.Bottom, k.HalfDown, k.HalfUp, k.PageDown, k.PageUp, k.Left, k.Right}
}
