package keymap

import "github.com/charmbracelet/bubbles/key"

// Form is the key map of a form: letters belong to its fields.
type Form struct {
	Next, Prev, Left, Right, Choose, Submit, Act, Clear, Edit, Cancel key.Binding
}

// NewForm returns the default keys.
func NewForm() Form {
	return Form{
		Next:   bind("tab", "next", "tab", "down"),
		Prev:   bind("shift+tab", "previous field", "shift+tab", "up"),
		Left:   bind("←", "previous choice", "left"),
		Right:  bind("→", "next choice", "right"),
		Choose: bind("space", "choose", " "),
		Submit: bind("↵", "press", "enter"),
		Act:    bind("ctrl+s", "done", "ctrl+s"),
		Clear:  bind("ctrl+u", "clear", "ctrl+u"),
		Edit:   bind("ctrl+e", "$EDITOR", "ctrl+e"),
		Cancel: bind("esc", "cancel", "esc"),
	}
}

// ShortHelp is for the overlay's last line.
func (k Form) ShortHelp() []key.Binding {
	return []key.Binding{k.Next, k.Choose, k.Submit, k.Act, k.Cancel}
}

// FullHelp is for the help overlay.
func (k Form) FullHelp() [][]key.Binding {
	return [][]key.Binding{{k.Next, k.Prev, k.Left, k.Right, k.Choose, k.Submit, k.Act, k.Clear, k.Edit, k.Cancel}}
}

// Confirm is the key map of a question. It starts on No.
type Confirm struct {
	Yes, No, Next, Prev, Press key.Binding
}

// NewConfirm returns the default keys.
func NewConfirm() Confirm {
	return Confirm{
		Yes:   bind("y", "yes", "y", "Y"),
		No:    bind("n", "no", "n", "N", "esc", "q"),
		Next:  bind("tab", "next button", "tab", "right", "l"),
		Prev:  bind("shift+tab", "previous button", "shift+tab", "left", "h"),
		Press: bind("↵", "press", "enter"),
	}
}

// ShortHelp is for the overlay's last line.
func (k Confirm) ShortHelp() []key.Binding { return []key.Binding{k.Yes, k.No} }

// FullHelp is for the help overlay.
func (k Confirm) FullHelp() [][]key.Binding {
	return [][]key.Binding{{k.Yes, k.No, k.Next, k.Prev, k.Press}}
}

// Filter is the key map of the filter line: letters belong to its text.
type Filter struct {
	Apply, Cancel key.Binding
}

// NewFilter returns the default keys.
func NewFilter() Filter {
	return Filter{
		Apply:  bind("↵", "keep", "enter"),
		Cancel: bind("esc", "clear", "esc"),
	}
}

// ShortHelp is for the footer.
func (k Filter) ShortHelp() []key.Binding { return []key.Binding{k.Apply, k.Cancel} }

// FullHelp is for the help overlay.
func (k Filter) FullHelp() [][]key.Binding { return [][]key.Binding{k.ShortHelp()} }

// Choice is the key map of a short list to choose from.
type Choice struct {
	Down, Up, Press, Cancel key.Binding
}

// NewChoice returns the default keys.
func NewChoice() Choice {
	return Choice{
		Down:   bind("j ↓", "down", "j", "down", "tab"),
		Up:     bind("k ↑", "up", "k", "up", "shift+tab"),
		Press:  bind("↵", "choose", "enter"),
		Cancel: bind("esc", "cancel", "esc", "q"),
	}
}

// ShortHelp is for the overlay's last line.
func (k Choice) ShortHelp() []key.Binding { return []key.Binding{k.Down, k.Up, k.Press, k.Cancel} }

// FullHelp is for the help overlay.
func (k Choice) FullHelp() [][]key.Binding { return [][]key.Binding{k.ShortHelp()} }

// Connect is the key map of what an application needs.
type Connect struct {
	Copy, Close key.Binding
}

// NewConnect returns the default keys.
func NewConnect() Connect {
	return Connect{Copy: bind("y", "copy these lines", "y"), Close: bind("esc", "close", "esc", "q", "a")}
}

// ShortHelp is for the overlay's last line.
func (k Connect) ShortHelp() []key.Binding { return []key.Binding{k.Copy, k.Close} }

// FullHelp is for the help overlay.
func (k Connect) FullHelp() [][]key.Binding { return [][]key.Binding{k.ShortHelp()} }

// Help is the key map of the help overlay: letters search.
type Help struct {
	Down, Up, Close key.Binding
}

// NewHelp returns the default keys.
func NewHelp() Help {
	return Help{
		Down:  bind("↓", "down", "down", "pgdown"),
		Up:    bind("↑", "up", "up", "pgup"),
		Close: bind("esc", "close", "esc"),
	}
}

// ShortHelp is for the overlay's last line.
func (k Help) ShortHelp() []key.Binding { return []key.Binding{k.Down, k.Up, k.Close} }

// FullHelp is for the help overlay.
func (k Help) FullHelp() [][]key.Binding { return [][]key.Binding{k.ShortHelp()} }
