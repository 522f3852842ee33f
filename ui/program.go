// Package ui is the console: panes over a queue engine, which it sees through
// the interface Engine only.
//
// A pane takes keys and data and returns intents; the root gives each key to
// one reader and each datum to all, and turns intents into commands of load.go
// and act.go, the only files that call the engine. Nothing here reads the
// clock but by Options.Now, and no view at all: ages and countdowns are drawn
// at the last tick's time. Text from outside passes text.go before it is drawn.
package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

// Options say where the console runs and how it looks.
type Options struct {
	// Now is the engine's clock; nil: time.Now. Times are shown in its zone.
	Now func() time.Time
	// Place is what the header calls the store, such as "~/.local/share/inflight".
	Place string
	// Throwaway: the store goes when the console ends.
	Throwaway bool
	Version   string

	Theme   string // "dark", "light"; else the terminal is asked
	NoColor bool
	ASCII   bool

	Demo     *DemoOptions     // nil: there is none
	Endpoint *EndpointOptions // nil: applications cannot reach this store

	Input  *os.File // nil: standard input
	Output *os.File // nil: standard output
}

// DemoOptions are what the console needs of the demo scenario. Each function
// may be nil, and may be called from any goroutine.
type DemoOptions struct {
	// Hint says what to watch and which key to press; empty: nothing.
	Hint func(queues []engine.QueueStats) string
	// Start makes the demo's queues here and lets its traffic begin.
	Start func(ctx context.Context) error
	// Running says whether there are queues that Remove would delete.
	Running func() bool
	Remove  func(ctx context.Context) error
}

// New returns the console's root model, for a program that drives it itself.
// Its commands end with ctx. The engine may be closed once close has returned,
// which waits for the calls under way.
func New(ctx context.Context, e Engine, o Options) (model tea.Model, close func()) {
	if o.Now == nil {
		o.Now = time.Now
	}
	l := newLoader(ctx, e, o.Now)
	return newApp(l, newTheme(look(o, os.Getenv)), o), l.close
}

// ErrTerminal says that the terminal could not be used, or went away.
var ErrTerminal = errors.New("terminal")

// Run shows the console until its user leaves, ctx ends or the terminal goes
// away. The engine may be closed when it returns.
func Run(ctx context.Context, e Engine, o Options) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Input == nil {
		o.Input = os.Stdin
	}
	if o.Output == nil {
		o.Output = os.Stdout
	}
	// A terminal that hangs up ends us as SIGTERM does.
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP, syscall.SIGTERM)
	defer stop()
	calls, cancel := context.WithCancel(ctx)
	l := newLoader(calls, e, o.Now)
	defer l.close()
	defer cancel()

	out := &screenFile{File: o.Output}
	a := newApp(l, newTheme(look(o, os.Getenv)), o)
	a.write = func(s string) error {
		_, err := out.Write([]byte(s))
		return err
	}
	p := tea.NewProgram(a,
		tea.WithAltScreen(), tea.WithInput(o.Input), tea.WithOutput(out), tea.WithoutSignalHandler())
	out.lost = func() { go p.Quit() }
	go func() {
		<-calls.Done()
		p.Quit()
	}()
	_, err := p.Run()
	switch {
	case ctx.Err() != nil, errors.Is(err, tea.ErrInterrupted):
		return nil
	case out.failed() != nil:
		return fmt.Errorf("%w: %w", ErrTerminal, out.failed())
	case err != nil:
		return fmt.Errorf("%w: %w", ErrTerminal, err)
	}
	return nil
}
