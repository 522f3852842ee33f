package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// rig is an engine under a virtual clock.
type rig struct {
	testing.TB
	*Engine
	store *memory
	now   time.Time
	ids   uint64
}

func newRig(t testing.TB) *rig {
	r := &rig{TB: t, store: newMemory(), now: start}
	r.open()
	t.Cleanup(func() { r.Engine.Close() })
	return r
}

func (r *rig) open() {
	r.Helper()
	e, err := Open(r.store, Options{Now: func() time.Time { return r.now }, NewID: r.newID})
	if err != nil {
		r.Fatal(err)
	}
	r.Engine = e
}

// newID counts, so that tests can tell messages apart.
func (r *rig) newID() (id ID) {
	r.ids++
	binary.BigEndian.PutUint64(id[:], r.ids)
	return id
}

// reopen closes the engine and opens it again on the same store.
func (r *rig) reopen() {
	r.Helper()
	if err := r.Engine.Close(); err != nil {
		r.Fatal(err)
	}
	r.open()
}

// pass lets time go by, and the reaper run at its end.
func (r *rig) pass(d time.Duration) {
	r.Helper()
	r.now = r.now.Add(d)
	if err := r.Tick(r.now); err != nil {
		r.Fatal(err)
	}
}

// flush waits until everything is durable.
func (r *rig) flush() {
	r.Helper()
	if err := r.last().wait(); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) queue(name string, change ...func(*Attributes)) {
	r.Helper()
	a := DefaultAttributes()
	for _, c := range change {
		c(&a)
	}
	if err := r.CreateQueue(context.Background(), name, a); err != nil {
		r.Fatal(err)
	}
}

func visibility(d time.Duration) func(*Attributes) {
	return func(a *Attributes) { a.VisibilityTimeout = d }
}

func deadTo(dlq string, max int) func(*Attributes) {
	return func(a *Attributes) { a.Redrive = RedrivePolicy{DLQ: dlq, MaxReceives: max} }
}

// send sends each body and returns where the last went.
func (r *rig) send(queue string, bodies ...string) (ref Ref) {
	r.Helper()
	for _, body := range bodies {
		sent, err := r.Send(context.Background(), queue, SendRequest{Body: []byte(body)})
		if err != nil {
			r.Fatal(err)
		}
		ref = sent.Ref
	}
	return ref
}

// receive takes up to n messages at once.
func (r *rig) receive(queue string, n int) []Delivery {
	r.Helper()
	d, err := r.Receive(context.Background(), queue, ReceiveRequest{Max: n, Holder: "test"})
	if err != nil {
		r.Fatal(err)
	}
	return d
}

// bodies is what a receive brought, in order.
func bodies(deliveries []Delivery) (all []string) {
	for _, d := range deliveries {
		all = append(all, string(d.Message.Body))
	}
	return all
}

func (r *rig) stats(queue string) QueueStats {
	r.Helper()
	all, err := r.Queues(context.Background())
	if err != nil {
		r.Fatal(err)
	}
	for _, s := range all {
		if s.Name == queue {
			return s
		}
	}
	r.Fatalf("no queue %q", queue)
	return QueueStats{}
}

func (r *rig) wantCounts(queue string, want Counts) {
	r.Helper()
	if got := r.stats(queue).Counts; got != want {
		r.Errorf("counts of %q = %+v, want %+v", queue, got, want)
	}
}

func (r *rig) want(what string, got, want any) {
	r.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		r.Errorf("%s = %s, want %s", what, g, w)
	}
}

// isInvalid says whether err is about an argument.
func isInvalid(err error) bool {
	var invalid *InvalidError
	return errors.As(err, &invalid)
}

// page lists the bodies of a state.
func (r *rig) page(queue string, state State) (all []string) {
	r.Helper()
	p, err := r.Page(context.Background(), PageRequest{Queue: queue, State: state, Limit: MaxBatch})
	if err != nil {
		r.Fatal(err)
	}
	for _, row := range p.Rows {
		all = append(all, string(row.Message.Body))
	}
	return all
}

func TestSeeds(t *testing.T) {
	t.Run("a visibility change counts from the call", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders", visibility(time.Minute))
		r.send("orders", "a")
		d := r.receive("orders", 1)
		r.pass(15 * time.Second)
		due, _, err := r.ChangeVisibility(context.Background(), VisibilityRequest{Receipt: d[0].Receipt, Visibility: 30 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		r.want("due", due.Sub(start), 45*time.Second)
		r.pass(30*time.Second - time.Millisecond)
		r.wantCounts("orders", Counts{InFlight: 1})
		r.pass(time.Millisecond)
		r.wantCounts("orders", Counts{Ready: 1})
		r.want("again", bodies(r.receive("orders", 1)), []string{"a"})
	})
	t.Run("the receive that would exceed the limit dead-letters", func(t *testing.T) {
		r := newRig(t)
		r.queue("dlq")
		r.queue("orders", deadTo("dlq", 1))
		r.send("orders", "a")
		r.want("first receive", bodies(r.receive("orders", 1)), []string{"a"})
		r.pass(31 * time.Second)
		r.wantCounts("orders", Counts{Ready: 1})
		r.wantCounts("dlq", Counts{})
		r.want("second receive", bodies(r.receive("orders", 1)), []string{})
		r.wantCounts("orders", Counts{})
		r.wantCounts("dlq", Counts{Ready: 1})
	})
}

func TestDeadLetterSeeds(t *testing.T) {
	t.Run("a dead-lettered message keeps its expiry, and its age counts from the move", func(t *testing.T) {
		r := newRig(t)
		r.queue("dlq")
		r.queue("orders", deadTo("dlq", 1))
		r.send("orders", "a")
		r.receive("orders", 1)
		r.pass(24 * time.Hour)
		r.receive("orders", 1)
		r.want("arrival", r.stats("dlq").OldestArrived.Sub(start), 24*time.Hour)
		r.pass(72*time.Hour - time.Millisecond)
		r.wantCounts("dlq", Counts{Ready: 1})
		r.pass(time.Millisecond)
		r.wantCounts("dlq", Counts{})
	})
	t.Run("a peek counts, and with max receives 1 the second peek dead-letters", func(t *testing.T) {
		r := newRig(t)
		r.queue("dlq")
		r.queue("orders", deadTo("dlq", 1))
		ref := r.send("orders", "a")
		peeked, err := r.Peek(context.Background(), ref, PeekRequest{DeadLetter: true})
		if err != nil || string(peeked.Message.Body) != "a" || peeked.Receives != 1 {
			t.Fatalf("first peek = %+v, %v", peeked, err)
		}
		peeked, err = r.Peek(context.Background(), ref, PeekRequest{DeadLetter: true})
		if err != nil || peeked.DeadLettered != "dlq" {
			t.Fatalf("second peek = %+v, %v", peeked, err)
		}
		r.wantCounts("dlq", Counts{Ready: 1})
	})
	t.Run("a message sent by hand to a dead-letter queue counts as sent, a move does not", func(t *testing.T) {
		r := newRig(t)
		r.queue("dlq")
		r.queue("orders", deadTo("dlq", 1))
		r.send("orders", "a")
		r.receive("orders", 1)
		r.pass(time.Minute)
		r.receive("orders", 1)
		r.send("dlq", "b")
		got := r.stats("dlq").Counters
		r.want("sent", got.Sent, 1)
		r.want("dead-lettered in", got.DeadLetteredIn, 1)
	})
}
