package cli

import (
	"context"
	"errors"

	"inflight/engine"
	"inflight/scenario"
	"inflight/ui"
)

// runConsole is the command inflight: the console over the user's store.
func runConsole(ctx context.Context, where place, look display, listen listening) error {
	if err := needTerminal(); err != nil {
		return err
	}
	p, err := listen.open(&where)
	if err != nil {
		var taken *portError
		if errors.As(err, &taken) {
			taken.otherwise += ", --no-listen none"
		}
		return err
	}
	store, err := where.open("inflight")
	if err != nil {
		return closePort(p, err)
	}
	return showConsole(ctx, ui.Run, store, p, where.name(), look, false)
}

// show is ui.Run.
type show func(ctx context.Context, e ui.Engine, o ui.Options) error

// showConsole opens the engine over store and shows the console until its user
// leaves or ctx ends; p may be nil. It closes in order: console, port, traffic,
// engine, store.
func showConsole(ctx context.Context, show show, store engine.Store, p *port, name string, look display, demo bool) error {
	s, err := startSession(store, engine.Options{})
	if err != nil {
		return closePort(p, err)
	}
	if err := p.serve(s.engine, store, nil); err != nil {
		return errors.Join(err, p.end(), s.end())
	}
	t := newTraffic(s.engine, scenario.GuestNames)
	if demo {
		t = newTraffic(s.engine, scenario.DemoNames)
		err = t.Start(ctx)
	}
	if err == nil {
		o := screen(name, look, t, demo)
		o.Endpoint = p.console()
		err = show(ctx, s.engine, o)
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = nil // told to end before there was much to show
	}
	return errors.Join(err, p.end(), t.end(), s.end())
}

// screen is what the console is told about where it runs.
func screen(name string, look display, t *traffic, demo bool) ui.Options {
	o := ui.Options{
		Place:     name,
		Throwaway: demo || name == memoryName,
		Version:   version,
		Theme:     string(look.theme),
		NoColor:   look.noColor,
		ASCII:     look.plainGlyphs(),
		Demo:      &ui.DemoOptions{Hint: t.Hint},
	}
	if !demo { // a demo's own store goes with it: nothing to begin there, nor to delete
		o.Demo.Start, o.Demo.Running, o.Demo.Remove = t.Start, t.Running, t.Remove
	}
	return o
}
