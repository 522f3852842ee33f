package cli

import (
	"context"
	"errors"

	"inflight/engine"
	"inflight/scenario"
	"inflight/ui"
)

// runConsole is the command inflight: the console over the user's store.
func runConsole(ctx context.Context, where place, look display) error {
	if err := where.check(); err != nil {
		return err
	}
	if err := needTerminal(); err != nil {
		return err
	}
	store, err := where.open()
	if err != nil {
		return err
	}
	return showConsole(ctx, store, where.name(), look, scenario.GuestNames, false)
}

// showConsole opens the engine over store and shows the console until its user
// leaves or ctx ends. It closes in order: console, traffic, engine, store.
func showConsole(ctx context.Context, store engine.Store, name string, look display, names scenario.Names, demo bool) error {
	s, err := startSession(store, engine.Options{})
	if err != nil {
		return err
	}
	t := newTraffic(s.engine, names)
	err = nil
	if demo {
		err = t.Start(ctx)
	}
	if err == nil {
		err = ui.Run(ctx, s.engine, screen(name, look, t, demo))
	}
	return errors.Join(err, t.end(), s.end())
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
