package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestReceiveAttempts(t *testing.T) {
	receive := func(r *rig, attempt string) []Delivery {
		r.Helper()
		d, err := r.Receive(context.Background(), "q.fifo", ReceiveRequest{Max: 10, Attempt: attempt})
		if err != nil {
			r.Fatal(err)
		}
		return d
	}
	r := newRig(t)
	r.queue("q.fifo", fifoQueue())
	r.sendGroup("q.fifo", "a", "a1", "a2")
	first := receive(r, "try")
	r.pass(20 * time.Second)
	again := receive(r, "try")
	if len(again) != 2 || again[0].Receipt != first[0].Receipt || again[0].Receives != 1 {
		t.Fatalf("the same attempt = %+v, want %+v", again, first)
	}
	r.pass(20 * time.Second) // 40 s after the receive, 20 s after the attempt was repeated
	r.wantCounts("q.fifo", Counts{InFlight: 2})
	r.want("another attempt", bodies(receive(r, "other")), "[]")
	r.delete(first[0])
	r.want("after a delete", bodies(receive(r, "try")), "[]")
	r.check()
}

func TestFIFODelay(t *testing.T) {
	delay := func(d time.Duration) func(*Attributes) { return func(a *Attributes) { a.Delay = d } }
	r := newRig(t)
	r.queue("q.fifo", fifoQueue(delay(10*time.Second)))
	zero := time.Duration(0)
	if _, err := r.Send(context.Background(), "q.fifo", SendRequest{Body: []byte("a1"), Group: "a", Delay: &zero}); err != nil {
		t.Fatal(err)
	}
	r.wantCounts("q.fifo", Counts{Delayed: 1})
	r.pass(5 * time.Second)
	r.sendGroup("q.fifo", "a", "a2")
	r.pass(5 * time.Second)
	r.want("after 10 s", bodies(r.receive("q.fifo", 10)), "[a1]")
	if err := r.Configure(context.Background(), "q.fifo", delay(time.Minute)); err != nil {
		t.Fatal(err)
	}
	r.reopen()
	r.pass(50 * time.Second)
	r.want("ready", r.page("q.fifo", Ready), "[a1]")
	r.pass(5 * time.Second)
	r.want("a new delay holds for those still delayed", r.page("q.fifo", Ready), "[a1 a2]")
	r.check()
}

func TestBlockedPeek(t *testing.T) {
	r := newRig(t)
	r.queue("q.fifo", fifoQueue())
	second := r.sendGroup("q.fifo", "a", "a1", "a2")
	if _, err := r.Peek(context.Background(), second, PeekRequest{}); err != nil {
		t.Errorf("a peek where nothing blocks: %v", err)
	}
	held := r.receive("q.fifo", 1)
	if _, err := r.Peek(context.Background(), second, PeekRequest{}); !errors.Is(err, ErrBlocked) {
		t.Errorf("a peek behind a message in flight: %v, want %v", err, ErrBlocked)
	}
	page, err := r.Page(context.Background(), PageRequest{Queue: "q.fifo", Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	if row := page.Rows[0]; row.Blocker != held[0].Ref || !row.BlockedUntil.Equal(held[0].Due) {
		t.Errorf("row = %+v, want it blocked by %+v", row, held[0].Ref)
	}
	r.check()
}

// BenchmarkGroups receives and deletes one message at a time with few and
// with many message groups waiting: the ratio matters.
func BenchmarkGroups(b *testing.B) {
	for _, groups := range []int{10, 100_000} {
		b.Run(fmt.Sprint(groups), func(b *testing.B) {
			r := newRig(b)
			r.queue("q.fifo", fifoQueue())
			for i := range groups {
				r.sendGroup("q.fifo", fmt.Sprint(i), fmt.Sprint("body of ", i))
			}
			n := groups
			for b.Loop() {
				d := r.receive("q.fifo", 1)
				r.delete(d[0])
				r.sendGroup("q.fifo", string(d[0].Message.Group), fmt.Sprint("body of ", n))
				n++
			}
		})
	}
}

func TestFactsAndNames(t *testing.T) {
	r := newRig(t)
	r.queue("b", visibility(time.Minute))
	r.queue("a")
	r.send("b", "x")
	r.receive("b", 1)
	f, err := r.Facts("b")
	if err != nil || f.InFlight != 1 || f.Attributes.VisibilityTimeout != time.Minute || f.Number != r.stats("b").Number {
		t.Errorf("Facts = %+v, %v", f, err)
	}
	if _, err := r.Facts("c"); !errors.Is(err, ErrQueueNotFound) {
		t.Errorf("Facts of no queue: %v", err)
	}
	names, err := r.Names()
	if r.want("names", names, "[a b]"); err != nil {
		t.Error(err)
	}
}

func TestTypesDoNotMix(t *testing.T) {
	r := newRig(t)
	r.queue("dead")
	r.queue("orders", deadTo("dead", 1))
	r.queue("other.fifo", fifoQueue())
	ref := r.send("dead", "a")
	ctx := context.Background()
	mixed := DefaultAttributes()
	mixed.Redrive = RedrivePolicy{DLQ: "other.fifo", MaxReceives: 1}
	_, redrive := r.StartRedrive(ctx, RedriveRequest{Source: "dead", Destination: "other.fifo"})
	_, move := r.Move(ctx, []Ref{ref}, "other.fifo")
	for _, tt := range []struct {
		name, field string
		err         error
	}{
		{"a dead-letter queue of another type", "RedrivePolicy", r.CreateQueue(ctx, "mixed", mixed)},
		{"a redrive to another type", "Destination", redrive},
		{"a move to another type", "Destination", move},
		{"another type for a queue", "FifoQueue", r.Configure(ctx, "orders", func(a *Attributes) { a.Type = FIFO })},
	} {
		var invalid *InvalidError
		if !errors.As(tt.err, &invalid) || invalid.Field != tt.field {
			t.Errorf("%s: %v, want a fault of %s", tt.name, tt.err, tt.field)
		}
	}
	r.wantCounts("dead", Counts{Ready: 1})
}
