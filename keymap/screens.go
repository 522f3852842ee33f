package keymap

import "github.com/charmbracelet/bubbles/key"

// Detail is the key map of the message detail screen.
type Detail struct {
	Move
	PrevTab, NextTab, Zoom, Find, NextHit, PrevHit key.Binding
	Next, Prev                                     key.Binding
	Peek, Extend, ExtendTo, Release                key.Binding
	Redrive, Forward, Delete, Copy                 key.Binding
}

// NewDetail returns the default keys.
func NewDetail() Detail {
	return Detail{
		Move:     NewMove(),
		PrevTab:  bind("[", "previous tab", "["),
		NextTab:  bind("]", "next tab", "]", "tab"),
		Zoom:     bind("z", "zoom", "z"),
		Find:     bind("/", "find in the body", "/"),
		NextHit:  bind("n", "next hit", "n"),
		PrevHit:  bind("N", "previous hit", "N"),
		Next:     bind("J", "next message", "J"),
		Prev:     bind("K", "previous message", "K"),
		Peek:     bind("p", "peek", "p"),
		Extend:   bind("x", "extend", "x"),
		ExtendTo: bind("X", "extend by a typed time", "X"),
		Release:  bind("r", "release", "r"),
		Redrive:  bind("R", "redrive", "R"),
		Forward:  bind("m", "move", "m"),
		Delete:   bind("D", "delete", "D"),
		Copy:     bind("y", "copy", "y"),
	}
}

// ShortHelp is for the footer.
func (k Detail) ShortHelp() []key.Binding {
	return []key.Binding{k.Peek, k.Extend, k.Release, k.Redrive, k.Delete, k.Copy, k.NextTab, k.Next, k.Prev, k.Find, k.Forward}
}

// FullHelp is for the help overlay.
func (k Detail) FullHelp() [][]key.Binding {
	return [][]key.Binding{
		{k.Peek, k.Extend, k.ExtendTo, k.Release, k.Redrive, k.Forward, k.Delete, k.Copy},
		{k.NextTab, k.PrevTab, k.Next, k.Prev, k.Find, k.NextHit, k.PrevHit, k.Zoom},
		k.Group(),
	}
}

// Jobs is the key map of the redrive tasks.
type Jobs struct {
	Move
	Pause, Faster, Slower, Cancel, Again key.Binding
}

// NewJobs returns the default keys.
func NewJobs() Jobs {
	return Jobs{
		Move:   NewMove(),
		Pause:  bind("p", "pause or resume", "p"),
		Faster: bind("+", "faster", "+", "="),
		Slower: bind("-", "slower", "-"),
		Cancel: bind("C", "cancel", "C"),
		Again:  bind("r", "start again", "r"),
	}
}

// ShortHelp is for the footer.
func (k Jobs) ShortHelp() []key.Binding {
	return []key.Binding{k.Pause, k.Faster, k.Slower, k.Cancel, k.Again}
}

// FullHelp is for the help overlay.
func (k Jobs) FullHelp() [][]key.Binding {
	return [][]key.Binding{{k.Pause, k.Faster, k.Slower, k.Cancel, k.Again}, k.Group()}
}

// Log is the key map of the event log.
type Log struct {
	Move
	Open, Filter, Copy key.Binding
}

// NewLog returns the default keys.
func NewLog() Log {
	return Log{
		Move: NewMove(), Open: bind("↵", "whole line", "enter"),
		Filter: bind("/", "filter", "/"), Copy: bind("y", "copy", "y"),
	}
}

// ShortHelp is for the footer.
func (k Log) ShortHelp() []key.Binding {
	return []key.Binding{k.Down, k.Up, k.Open, k.Filter, k.Copy}
}

// FullHelp is for the help overlay.
func (k Log) FullHelp() [][]key.Binding {
	return [][]key.Binding{{k.Open, k.Filter, k.Copy}, k.Group()}
}

// Welcome is the key map of an empty store.
type Welcome struct {
	Demo, NewQueue, Copy key.Binding
}

// NewWelcome returns the default keys.
func NewWelcome() Welcome {
	return Welcome{
		Demo: bind("s", "watch the demo here", "s"), NewQueue: bind("n", "new queue", "n"),
		Copy: bind("y", "copy the lines", "y"),
	}
}

// ShortHelp is for the footer.
func (k Welcome) ShortHelp() []key.Binding { return []key.Binding{k.Demo, k.NewQueue, k.Copy} }

// FullHelp is for the help overlay.
func (k Welcome) FullHelp() [][]key.Binding { return [][]key.Binding{k.ShortHelp()} }
