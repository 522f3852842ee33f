package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// operator sits before a console and presses its keys. It does for the model
// what Bubble Tea does, but one thing after the other, so that each run is
// the same; and it does so in a bubble of fake time, see takeAll.
type operator struct {
	ctx     context.Context
	stage   *stage
	model   tea.Model
	answers chan answer
	started int // commands so far
	left    bool
	err     error // the first; after it the operator does nothing more

	width, height int
}

// answer is the message that a command brought.
type answer struct {
	command int
	msg     tea.Msg
}

// errRestless means that each message led to another one, without end.
var errRestless = errors.New("the console does not come to rest")

const mostRounds = 10_000

// sitDown shows the model a terminal of that size.
func sitDown(ctx context.Context, s *stage, model tea.Model, width, height int) *operator {
	o := &operator{ctx: ctx, stage: s, model: model, answers: make(chan answer, mostRounds), width: width, height: height}
	o.start(model.Init())
	o.update(tea.WindowSizeMsg{Width: width, Height: height})
	o.fail(o.settle())
	return o
}

func (o *operator) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// look is what the terminal shows now.
func (o *operator) look() *screen { return readFrame(o.model.View(), o.width, o.height) }

// wait lets the demo and the console go on for d.
func (o *operator) wait(d time.Duration) {
	if o.err == nil {
		o.fail(o.stage.play(o.ctx, d, o.settle))
	}
}

// press presses keys, by the names that Bubble Tea has for them, with time
// between them for the console to answer.
func (o *operator) press(keys ...string) {
	for _, key := range keys {
		if o.err != nil {
			return
		}
		o.update(keyMsg(key))
		if err := o.settle(); err != nil {
			o.fail(fmt.Errorf("press %s: %w", key, err))
		}
		o.wait(2 * reapEvery)
	}
}

// settle does what is due at this moment, until everybody waits for time to
// pass or for a key.
func (o *operator) settle() error {
	for range mostRounds {
		synctest.Wait()
		var got []answer
		for len(o.answers) > 0 {
			got = append(got, <-o.answers)
		}
		if len(got) == 0 {
			return nil
		}
		slices.SortFunc(got, func(a, b answer) int { return cmp.Compare(a.command, b.command) })
		for _, a := range got {
			o.update(a.msg)
		}
	}
	return errRestless
}

// update hands msg to the model, as Bubble Tea's event loop would.
func (o *operator) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
		return
	case tea.QuitMsg:
		o.left = true
		return
	case tea.BatchMsg:
		for _, cmd := range msg {
			o.start(cmd)
		}
		return
	}
	if cmds, ok := sequence(msg); ok {
		o.startInOrder(cmds)
		return
	}
	var cmd tea.Cmd
	o.model, cmd = o.model.Update(msg)
	o.start(cmd)
}

// start runs a command, as far as it goes without time passing.
func (o *operator) start(cmd tea.Cmd) { o.startInOrder([]tea.Cmd{cmd}) }

func (o *operator) startInOrder(cmds []tea.Cmd) {
	o.started++
	go func(n int) {
		for _, cmd := range cmds {
			if cmd != nil {
				o.answers <- answer{n, cmd()}
			}
		}
	}(o.started)
	synctest.Wait()
}

// sequence takes tea.Sequence's message apart, whose type has no name outside
// Bubble Tea.
func sequence(msg tea.Msg) ([]tea.Cmd, bool) {
	v := reflect.ValueOf(msg)
	if v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return nil, false
	}
	cmds := make([]tea.Cmd, v.Len())
	for i := range cmds {
		cmds[i] = v.Index(i).Interface().(tea.Cmd)
	}
	return cmds, true
}

// named are the keys that are not a character.
var named = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"backspace": tea.KeyBackspace, "ctrl+c": tea.KeyCtrlC, "ctrl+e": tea.KeyCtrlE,
}

func keyMsg(key string) tea.KeyMsg {
	if t, ok := named[key]; ok {
		return tea.KeyMsg{Type: t}
	}
	if key == "space" {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key)}
}
