package ui

import (
	"context"
	"time"

	"inflight/engine"
)

// Engine is what the console needs of the queue engine. Its methods may be
// slow and may fail; load.go is the only file that calls them.
type Engine interface {
	// Queues returns every queue, sorted by name.
	Queues(ctx context.Context) ([]engine.QueueStats, error)
	CreateQueue(ctx context.Context, name string, attributes engine.Attributes) error
	// Configure applies change to the queue's present attributes.
	Configure(ctx context.Context, name string, change func(*engine.Attributes)) error
	DeleteQueue(ctx context.Context, name string) error
	// Purge returns how many messages it removed.
	Purge(ctx context.Context, name string) (int, error)

	// Page reads a window of one state's messages. It touches nothing.
	Page(ctx context.Context, request engine.PageRequest) (engine.Page, error)
	// Locate says in which state a message is and at which offset of an unreversed page.
	Locate(ctx context.Context, ref engine.Ref) (engine.State, int, error)
	// Search reads messages of one state and returns those that match.
	Search(ctx context.Context, request engine.SearchRequest) (engine.SearchResult, error)
	// Inspect reads one message whole. It touches nothing.
	Inspect(ctx context.Context, ref engine.Ref) (engine.Detail, error)

	Send(ctx context.Context, queue string, message engine.SendRequest) (engine.Sent, error)
	// Receive is the console's poll: it counts.
	Receive(ctx context.Context, queue string, request engine.ReceiveRequest) ([]engine.Delivery, error)
	// Peek counts as a receive and hides the message for no time.
	Peek(ctx context.Context, ref engine.Ref, request engine.PeekRequest) (engine.Peeked, error)
	// Extend hides each message until d from now and returns that time; messages not in
	// flight any more are passed over and not counted. At most 500.
	Extend(ctx context.Context, refs []engine.Ref, d time.Duration) (due time.Time, extended int, err error)
	// Release gives messages in flight back at once. At most 500.
	Release(ctx context.Context, refs []engine.Ref) (released int, err error)
	// Remove deletes messages, whatever their state. At most 500.
	Remove(ctx context.Context, refs []engine.Ref) (removed int, err error)
	// Move sends messages on to another queue of the same type, as new ones.
	// Messages in flight are passed over. At most 500.
	Move(ctx context.Context, refs []engine.Ref, queue string) (moved int, err error)

	StartRedrive(ctx context.Context, request engine.RedriveRequest) (engine.Task, error)
	SetRedriveRate(ctx context.Context, task uint64, rate int) error
	PauseRedrive(ctx context.Context, task uint64) error
	ResumeRedrive(ctx context.Context, task uint64) error
	CancelRedrive(ctx context.Context, task uint64) error
	// Tasks returns all remembered redrive tasks, newest first.
	Tasks(ctx context.Context) ([]engine.Task, error)

	// Events returns what happened after event number after, at most limit, and how many
	// of those wanted are no longer remembered.
	Events(ctx context.Context, after uint64, limit int) (events []engine.Event, missed uint64, err error)
}
