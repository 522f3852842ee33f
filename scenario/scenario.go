// Package scenario is made-up traffic: a shop that sends orders, consumers of
// different speed that take them, and a few orders that no consumer can read,
// so that leases lapse and messages die.
//
// It is a simulation of steps in time, driven from outside: Advance does what
// is due, and the same seed does the same. It knows queues only through its
// own small interface, and no screen.
package scenario

import (
	"context"
	"errors"
	"fmt"
	"time"

	"inflight/engine"
)

// What the demo's queues are set to. When its first lease lapses and its first
// order dies rests on them.
const (
	Visibility  = 6 * time.Second
	MaxReceives = 3
	// auditRetention bounds the queue that nobody reads.
	auditRetention = time.Hour
)

// Queues is what a scenario needs of the queue engine.
type Queues interface {
	Queues(ctx context.Context) ([]engine.QueueStats, error)
	CreateQueue(ctx context.Context, name string, attributes engine.Attributes) error
	DeleteQueue(ctx context.Context, name string) error
	Send(ctx context.Context, queue string, message engine.SendRequest) (engine.Sent, error)
	Receive(ctx context.Context, queue string, request engine.ReceiveRequest) ([]engine.Delivery, error)
	Delete(ctx context.Context, receipt engine.Receipt, strictness engine.Strictness) error
}

// Names are the queues a scenario runs in. Emails and Audit may be empty:
// then they are left out.
type Names struct {
	Orders string // where the story happens
	DLQ    string // its dead-letter queue
	Emails string // quiet: one slow producer, one consumer
	Audit  string // sent to and never read
}

var (
	// DemoNames are the queues of `inflight demo`.
	DemoNames = Names{Orders: "orders", DLQ: "orders-dlq", Emails: "emails", Audit: "audit"}
	// GuestNames are the queues of a demo in somebody's own store.
	GuestNames = Names{Orders: "demo-orders", DLQ: "demo-orders-dlq"}
)

// all lists the names in use, sources before their dead-letter queue.
func (n Names) all() []string {
	var names []string
	for _, name := range []string{n.Orders, n.Emails, n.Audit, n.DLQ} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Options choose one run of the scenario.
type Options struct {
	Seed  uint64
	Start time.Time // when the first step is due
	Names Names     // the zero value: DemoNames
}

// ExistsError says that a queue of the scenario's name is there already, and
// belongs to somebody else. Nothing was changed.
type ExistsError struct{ Queue string }

func (e *ExistsError) Error() string {
	return fmt.Sprintf("queue %q exists already; nothing was changed", e.Queue)
}

// Scenario is one run. Only Hint is safe for concurrent use.
type Scenario struct {
	queues  Queues
	options Options
	names   Names
	steps   steps
	added   uint64   // steps so far: the order of those due at the same time
	orderID int      // the last one given
	fixed   bool     // consumers read an amount that is text
	made    []string // queues to delete, in that order
}

// New prepares a run; nothing happens before Setup.
func New(queues Queues, options Options) *Scenario {
	if options.Names == (Names{}) {
		options.Names = DemoNames
	}
	return &Scenario{queues: queues, options: options, names: options.Names, orderID: firstOrder}
}

// Setup makes the queues and puts the first steps on the schedule. It returns
// *ExistsError if one of the queues is there already. After any error there is
// no queue that was not there before.
func (s *Scenario) Setup(ctx context.Context) error {
	stats, err := s.queues.Queues(ctx)
	if err != nil {
		return fmt.Errorf("look for the demo's queues: %w", err)
	}
	for _, name := range s.names.all() {
		if _, ok := find(stats, name); ok {
			return &ExistsError{Queue: name}
		}
	}
	if err := s.create(ctx); err != nil {
		// The caller's time may be over already; what was made must still go.
		if gone := s.Remove(context.WithoutCancel(ctx)); gone != nil {
			err = errors.Join(err, gone)
		}
		return err
	}
	s.cast()
	return nil
}

func (s *Scenario) create(ctx context.Context) error {
	dlq := engine.DefaultAttributes()
	dlq.Retention = engine.MaxRetention // a message brings its age along
	orders := engine.DefaultAttributes()
	orders.VisibilityTimeout = Visibility
	orders.Redrive = engine.RedrivePolicy{DLQ: s.names.DLQ, MaxReceives: MaxReceives}
	emails := engine.DefaultAttributes()
	audit := engine.DefaultAttributes()
	audit.Retention = auditRetention

	// A dead-letter queue must exist before its source names it.
	for _, queue := range []struct {
		name       string
		attributes engine.Attributes
	}{{s.names.DLQ, dlq}, {s.names.Orders, orders}, {s.names.Emails, emails}, {s.names.Audit, audit}} {
		if queue.name == "" {
			continue
		}
		if err := s.queues.CreateQueue(ctx, queue.name, queue.attributes); err != nil {
			return fmt.Errorf("make queue %q: %w", queue.name, err)
		}
		// Sources go before what they point at.
		s.made = append([]string{queue.name}, s.made...)
	}
	return nil
}

// Remove deletes the queues that Setup made, with all that is in them, and
// empties the schedule. It may be called again after an error. Run must have
// ended.
func (s *Scenario) Remove(ctx context.Context) error {
	s.steps = nil
	for len(s.made) > 0 {
		err := s.queues.DeleteQueue(ctx, s.made[0])
		if err != nil && !errors.Is(err, engine.ErrQueueNotFound) {
			return fmt.Errorf("delete queue %q: %w", s.made[0], err)
		}
		s.made = s.made[1:]
	}
	return nil
}

func find(stats []engine.QueueStats, name string) (engine.QueueStats, bool) {
	for _, queue := range stats {
		if queue.Name == name {
			return queue, true
		}
	}
	return engine.QueueStats{}, false
}
