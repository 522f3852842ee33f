package cli

import (
	"context"
	"errors"

	"inflight/engine"
	"inflight/scenario"
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
		err = draw(ctx, s.engine, screen{place: name, look: look, traffic: t, demo: demo})
	}
	return errors.Join(err, t.end(), s.end())
}
