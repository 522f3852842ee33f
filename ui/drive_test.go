package ui

import (
	"context"
	"reflect"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// drive makes a program of a fake without a terminal: it runs the commands of
// a model until nothing is left to do.
type drive struct {
	*app
	fake *fakeEngine
}

func newDrive(f *fakeEngine, o Options, width, height int) *drive {
	return newDriveWith(testTheme(), f, o, width, height)
}

func newDriveWith(th theme, f *fakeEngine, o Options, width, height int) *drive {
	o.Now = func() time.Time { return f.clock() }
	d := &drive{newApp(newLoader(context.Background(), f, o.Now), th, o), f}
	d.still = true
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	d.refresh()
	return d
}

// refresh is what the program does when it starts, and every second.
func (d *drive) refresh() { d.send(tickMsg{d.fake.clock()}) }

// send gives the model a message, and then all that comes of it but waiting.
func (d *drive) send(msg tea.Msg) {
	_, cmd := d.Update(msg)
	d.run(cmd)
}

func (d *drive) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	if cmds, ok := commandsIn(msg); ok {
		for _, c := range cmds {
			d.run(c)
		}
		return
	}
	if msg != nil {
		d.send(msg)
	}
}

// keys presses keys: a name such as "enter", or each letter of a text.
func (d *drive) keys(names ...string) {
	for _, name := range names {
		d.send(keyOf(name))
	}
}

var namedKeys = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"ctrl+c": tea.KeyCtrlC, "ctrl+d": tea.KeyCtrlD, "ctrl+u": tea.KeyCtrlU, "ctrl+r": tea.KeyCtrlR,
	"pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "backspace": tea.KeyBackspace, "ctrl+z": tea.KeyCtrlZ, "ctrl+s": tea.KeyCtrlS,
}

func keyOf(name string) tea.KeyMsg {
	if t, ok := namedKeys[name]; ok {
		return tea.KeyMsg{Type: t}
	}
	if name == "space" || name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// after moves the fake's clock on, and ticks.
func (d *drive) after(by time.Duration) {
	now := d.fake.clock().Add(by)
	d.fake.clock = func() time.Time { return now }
	d.refresh()
}

func lines(s string) []string { return strings.Split(s, "\n") }

// commandsIn takes apart a batch or a sequence, whose type is Bubble Tea's own.
func commandsIn(msg tea.Msg) ([]tea.Cmd, bool) {
	v := reflect.ValueOf(msg)
	if !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return nil, false
	}
	cmds := make([]tea.Cmd, v.Len())
	for i := range cmds {
		cmds[i], _ = v.Index(i).Interface().(tea.Cmd)
	}
	return cmds, true
}

func noDemo(context.Context) error { return nil }
