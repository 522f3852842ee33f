package cli

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"inflight/engine"
	"inflight/scenario"
)

// demoSeed is the same in every demo, so that all see the same traffic.
const demoSeed = 20260101

// traffic runs a scenario beside the console. All its methods may be called
// from any goroutine.
type traffic struct {
	queues scenario.Queues
	names  scenario.Names
	now    func() time.Time

	// scenario is nil before Start and after Remove. It is read without mu: a
	// screen that is drawn does not wait for queues to be made.
	scenario atomic.Pointer[scenario.Scenario]

	mu    sync.Mutex // held by Start, Remove and end
	stop  context.CancelFunc
	ended chan error // what Scenario.Run returned, once
}

func newTraffic(queues scenario.Queues, names scenario.Names) *traffic {
	return &traffic{queues: queues, names: names, now: time.Now}
}

// Start makes the scenario's queues and lets the traffic begin. It returns
// *scenario.ExistsError, and changes nothing, if one of them is there; started
// before, it does nothing.
func (t *traffic) Start(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Running() {
		return nil
	}
	s := scenario.New(t.queues, scenario.Options{Seed: demoSeed, Start: t.now(), Names: t.names})
	if err := s.Setup(ctx); err != nil {
		return err
	}
	running, stop := context.WithCancel(context.Background()) // ends by end, not with the key that began it
	t.scenario.Store(s)
	t.stop, t.ended = stop, make(chan error, 1)
	go func(ended chan<- error) { ended <- s.Run(running, t.now) }(t.ended)
	return nil
}

// Hint says what to watch and which key to press; empty when nothing runs.
func (t *traffic) Hint(stats []engine.QueueStats) string {
	if s := t.scenario.Load(); s != nil {
		return s.Hint(stats)
	}
	return ""
}

// Running says whether there are queues that Remove would delete.
func (t *traffic) Running() bool { return t.scenario.Load() != nil }

// Remove ends the traffic and deletes the queues that Start made.
func (t *traffic) Remove(ctx context.Context) error {
	ended := t.end()
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.scenario.Load()
	if s == nil {
		return ended
	}
	if err := s.Remove(ctx); err != nil {
		return errors.Join(ended, err)
	}
	t.scenario.Store(nil)
	return ended
}

// end stops the traffic and waits for it; the queues stay. It returns what the
// traffic failed with, once.
func (t *traffic) end() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended == nil {
		return nil
	}
	t.stop()
	err := <-t.ended
	t.ended = nil
	return err
}
