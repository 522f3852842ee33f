package scenario

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"inflight/engine"
)

// quiet is an engine with no messages: it counts, and fails where told to.
type quiet struct {
	sent, made, gone []string
	fail             func(what, queue string) error
}

func (q *quiet) err(what, queue string) error {
	if q.fail == nil {
		return nil
	}
	return q.fail(what, queue)
}
func (q *quiet) Queues(context.Context) ([]engine.QueueStats, error) { return nil, q.err("list", "") }
func (q *quiet) CreateQueue(_ context.Context, name string, _ engine.Attributes) error {
	if err := q.err("create", name); err != nil {
		return err
	}
	q.made = append(q.made, name)
	return nil
}
func (q *quiet) DeleteQueue(_ context.Context, name string) error {
	if err := q.err("delete", name); err != nil {
		return err
	}
	q.gone = append(q.gone, name)
	return nil
}
func (q *quiet) Send(_ context.Context, queue string, _ engine.SendRequest) (engine.Sent, error) {
	if err := q.err("send", queue); err != nil {
		return engine.Sent{}, err
	}
	q.sent = append(q.sent, queue)
	return engine.Sent{}, nil
}
func (q *quiet) Receive(_ context.Context, queue string, _ engine.ReceiveRequest) ([]engine.Delivery, error) {
	return nil, q.err("receive", queue)
}
func (q *quiet) Delete(context.Context, engine.Receipt, engine.Strictness) error { return nil }

func TestStepsComeInOrder(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	s := New(&quiet{}, Options{})
	var done []string
	add := func(second int, name string) {
		s.at(at(second), func(context.Context, time.Time) error { done = append(done, name); return nil })
	}
	add(3, "late")
	add(1, "first")
	add(2, "one of two")
	add(2, "two of two")
	if next, ok := s.Next(); !ok || !next.Equal(at(1)) {
		t.Errorf("Next() = %v, %v, want %v", next, ok, at(1))
	}
	if err := s.Advance(t.Context(), at(2)); err != nil {
		t.Fatal(err)
	}
	if want := []string{"first", "one of two", "two of two"}; len(done) != 3 || done[0] != want[0] || done[1] != want[1] || done[2] != want[2] {
		t.Errorf("done by 2 s: %q, want %q", done, want)
	}
}

func TestAHalfMadeDemoIsRemoved(t *testing.T) {
	disk := errors.New("disk on fire")
	q := &quiet{fail: func(what, queue string) error {
		if what == "create" && queue == "orders" {
			return disk
		}
		return nil
	}}
	s := New(q, Options{})
	if err := s.Setup(t.Context()); !errors.Is(err, disk) {
		t.Fatalf("Setup() = %v, want %v", err, disk)
	}
	if len(q.made) != 1 || len(q.gone) != 1 || q.made[0] != q.gone[0] {
		t.Errorf("made %q and deleted %q, want the same", q.made, q.gone)
	}
}

func TestRemoveGoesOnAfterAnError(t *testing.T) {
	refuse := true
	q := &quiet{}
	q.fail = func(what, queue string) error {
		if what == "delete" && queue == "orders-dlq" && refuse {
			return engine.ErrStoreFull
		}
		return nil
	}
	s := New(q, Options{})
	if err := s.Setup(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(t.Context()); !errors.Is(err, engine.ErrStoreFull) {
		t.Fatalf("Remove() = %v, want ErrStoreFull", err)
	}
	refuse = false
	if err := s.Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(q.gone) != 4 {
		t.Errorf("deleted %q, want each of four once", q.gone)
	}
}

func TestAdvancePassesOverRefusals(t *testing.T) {
	tests := []struct {
		name string
		err  error
		ends bool
	}{
		{"a queue that is gone", engine.ErrQueueNotFound, false},
		{"a disk nearly full", engine.ErrStoreFull, false},
		{"a message too large for the queue", &engine.InvalidError{Field: "MessageBody"}, false},
		{"an engine that failed", engine.ErrStoreFailed, true},
		{"an engine that was closed", engine.ErrClosed, true},
		{"an error that nobody foresaw", errors.New("what?"), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := &quiet{}
			s := New(q, Options{Start: time.Unix(0, 0)})
			if err := s.Setup(t.Context()); err != nil {
				t.Fatal(err)
			}
			q.fail = func(string, string) error { return tt.err }
			if err := s.Advance(t.Context(), time.Unix(30, 0)); (err != nil) != tt.ends {
				t.Fatalf("Advance() = %v, want an error: %v", err, tt.ends)
			}
			q.fail = nil
			if tt.ends {
				return
			}
			if err := s.Advance(t.Context(), time.Unix(60, 0)); err != nil || len(q.sent) == 0 {
				t.Errorf("after the refusals: sent %d, %v, want the traffic to go on", len(q.sent), err)
			}
		})
	}
}

func TestRunFollowsTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &quiet{}
		s := New(q, Options{Start: time.Now()})
		if err := s.Setup(t.Context()); err != nil {
			t.Fatal(err)
		}
		var suspended atomic.Int64
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			ended <- s.Run(ctx, func() time.Time { return time.Now().Add(time.Duration(suspended.Load())) })
		}()
		time.Sleep(10 * time.Second)
		synctest.Wait()
		ten := len(q.sent)
		if ten < 10 {
			t.Errorf("sent %d in 10 s, want at least 10", ten)
		}
		suspended.Store(int64(time.Hour)) // ctrl+z, and fg an hour later
		time.Sleep(time.Second)
		synctest.Wait()
		if more := len(q.sent) - ten; more > 20 {
			t.Errorf("sent %d in the second after an hour's sleep: it made up for the hour", more)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run() = %v after its context ended, want nil", err)
		}
	})
}

func TestReadable(t *testing.T) {
	tests := []struct {
		name         string
		body         string
		broken, fine bool // readable before and after the mending
	}{
		{"an order", `{"amount":12.50,"customer":{"id":"c-1"}}`, true, true},
		{"a text for an amount", `{"amount":"12,50","customer":{"id":"c-1"}}`, false, true},
		{"words for an amount", `{"amount":"a lot","customer":{"id":"c-1"}}`, false, false},
		{"no customer", `{"amount":12.50,"customer":null}`, false, false},
		{"no amount", `{"customer":{"id":"c-1"}}`, false, false},
		{"null for an amount", `{"amount":null,"customer":{"id":"c-1"}}`, false, false},
		{"no JSON", "\x1b[2J", false, false},
		{"nothing", "", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := readable([]byte(tt.body), false); got != tt.broken {
				t.Errorf("readable(%q, false) = %v, want %v", tt.body, got, tt.broken)
			}
			if got := readable([]byte(tt.body), true); got != tt.fine {
				t.Errorf("readable(%q, true) = %v, want %v", tt.body, got, tt.fine)
			}
		})
	}
}
