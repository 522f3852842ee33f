package keymap

import "github.com/charmbracelet/bubbles/key"

// Queues is the key map of the queue list.
type Queues struct {
	Move
	Open, Filter, Redrive, Purge, Delete key.Binding
}

// NewQueues returns the default keys.
func NewQueues() Queues {
	return Queues{
		Move:    NewMove(),
		Open:    bind("↵", "open", "enter"),
		Filter:  bind("/", "filter", "/"),
		Redrive: bind("R", "redrive", "R"),
		Purge:   bind("X", "purge", "X"),
		Delete:  bind("D", "delete queue", "D"),
	}
}

// ShortHelp is for the footer.
func (k Queues) ShortHelp() []key.Binding {
	return []key.Binding{k.Open, k.Redrive, k.Purge, k.Delete, k.Filter}
}

// FullHelp is for the help overlay.
func (k Queues) FullHelp() [][]key.Binding {
	return [][]key.Binding{{k.Open, k.Filter}, {k.Redrive, k.Purge, k.Delete}, k.Group()}
}

// Messages is what every message pane understands.
type Messages struct {
	Move
	Open, Filter, Mark, Range, Sort, Freeze key.Binding
	Forward, Delete, Copy                   key.Binding
}

// NewMessages returns the default keys.
func NewMessages() Messages {
	return Messages{
		Move:    NewMove(),
		Open:    bind("↵", "inspect", "enter"),
		Filter:  bind("/", "filter", "/"),
		Mark:    bind("space", "mark", " "),
		Range:   bind("v", "mark a range", "v"),
		Sort:    bind("o", "reverse order", "o"),
		Freeze:  bind("F", "freeze or thaw", "F"),
		Forward: bind("m", "move", "m"),
		Delete:  bind("D", "delete", "D"),
		Copy:    bind("y", "copy", "y"),
	}
}

func (k Messages) look() []key.Binding {
	return []key.Binding{k.Open, k.Filter, k.Mark, k.Range, k.Sort, k.Freeze}
}

func (k Messages) short(act ...key.Binding) []key.Binding {
	short := append([]key.Binding{k.Open}, act...)
	return append(short, k.Delete, k.Mark, k.Filter)
}

func (k Messages) full(act ...key.Binding) [][]key.Binding {
	return [][]key.Binding{append(act, k.Forward, k.Delete, k.Copy), k.look(), k.Group()}
}

// Visible is the key map of the messages that may be received. Redrive is for
// those of a dead-letter queue.
type Visible struct {
	Messages
	Peek, Poll, Redrive key.Binding
}

// NewVisible returns the default keys.
func NewVisible() Visible {
	return Visible{
		Messages: NewMessages(),
		Peek:     bind("p", "peek", "p"),
		Poll:     bind("P", "poll", "P"),
		Redrive:  bind("R", "redrive", "R"),
	}
}

// ShortHelp is for the footer.
func (k Visible) ShortHelp() []key.Binding { return k.short(k.Redrive, k.Peek, k.Poll) }

// FullHelp is for the help overlay.
func (k Visible) FullHelp() [][]key.Binding { return k.full(k.Peek, k.Poll, k.Redrive) }

// Flight is the key map of the messages in flight. Peek is there for the help
// to say why it is off.
type Flight struct {
	Messages
	Extend, ExtendTo, Release, Peek key.Binding
}

// NewFlight returns the default keys.
func NewFlight() Flight {
	return Flight{
		Messages: NewMessages(),
		Extend:   bind("x", "extend", "x"),
		ExtendTo: bind("X", "extend by a typed time", "X"),
		Release:  bind("r", "release", "r"),
		Peek:     bind("p", "peek", "p"),
	}
}

// ShortHelp is for the footer.
func (k Flight) ShortHelp() []key.Binding { return k.short(k.Extend, k.Release) }

// FullHelp is for the help overlay.
func (k Flight) FullHelp() [][]key.Binding {
	return k.full(k.Extend, k.ExtendTo, k.Release, k.Peek)
}

// Dead is the key map of what lies in the dead-letter queue.
type Dead struct {
	Messages
	Peek, Poll, Redrive key.Binding
}

// NewDead returns the default keys.
func NewDead() Dead {
	return Dead{
		Messages: NewMessages(),
		Peek:     bind("p", "peek", "p"),
		Poll:     bind("P", "poll", "P"),
		Redrive:  bind("R", "redrive", "R"),
	}
}

// ShortHelp is for the footer.
func (k Dead) ShortHelp() []key.Binding { return k.short(k.Redrive, k.Peek) }

// FullHelp is for the help overlay.
func (k Dead) FullHelp() [][]key.Binding { return k.full(k.Redrive, k.Peek, k.Poll) }

// Delayed is the key map of the messages that wait for their first turn.
type Delayed struct {
	Messages
	Peek key.Binding
}

// NewDelayed returns the default keys.
func NewDelayed() Delayed {
	return Delayed{Messages: NewMessages(), Peek: bind("p", "peek", "p")}
}

// ShortHelp is for the footer.
func (k Delayed) ShortHelp() []key.Binding { return k.short(k.Forward) }

// FullHelp is for the help overlay.
func (k Delayed) FullHelp() [][]key.Binding { return k.full(k.Peek) }
