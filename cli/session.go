package cli

import (
	"context"
	"errors"
	"fmt"

	"inflight/engine"
)

// session is an open engine over an open store, with its reaper at work.
type session struct {
	engine *engine.Engine
	stop   context.CancelFunc
	reaper chan error // what Engine.Run returned, once
}

// startSession opens the engine over store and starts its reaper. The store is
// closed if that fails, and at the session's end if not.
func startSession(store engine.Store, options engine.Options) (*session, error) {
	e, err := engine.Open(store, options)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the queues: %w", err), store.Close())
	}
	// The reaper ends when the session does, not when a signal comes: until
	// the console has closed, time goes on.
	ctx, stop := context.WithCancel(context.Background())
	s := &session{engine: e, stop: stop, reaper: make(chan error, 1)}
	go func() { s.reaper <- e.Run(ctx) }()
	return s, nil
}

// end closes in the reverse order: the reaper, the engine, and with it the
// store. It returns everything that went wrong.
func (s *session) end() error {
	s.stop()
	return errors.Join(<-s.reaper, s.engine.Close())
}
