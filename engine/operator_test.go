package engine

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// delayed sends one message with a delay and returns where it is.
func (r *rig) delayed(queue, body string, d time.Duration) Ref {
	r.Helper()
	sent, err := r.Send(context.Background(), queue, SendRequest{Body: []byte(body), Delay: &d})
	if err != nil {
		r.Fatal(err)
	}
	return sent.Ref
}

func TestPeek(t *testing.T) {
	ctx := context.Background()
	r := newRig(t)
	r.queue("dlq")
	r.queue("orders", deadTo("dlq", 2))
	flight := r.send("orders", "in flight")
	r.receive("orders", 1)
	gone := r.send("orders", "gone")
	if _, err := r.Remove(ctx, []Ref{gone}); err != nil {
		t.Fatal(err)
	}
	ready := r.send("orders", "first", "ready", "last")
	ready.Pos--
	delayed := r.delayed("orders", "delayed", time.Minute)
	refused := []struct {
		name string
		ref  Ref
		want error
	}{
		{"a message in flight", flight, ErrInFlight},
		{"a delayed one", delayed, ErrDelayed},
		{"a deleted one", gone, ErrMessageGone},
		{"one that was never sent", Ref{ready.Queue, ready.Epoch, ready.Lane, 99}, ErrMessageGone},
		{"one of an unknown priority", Ref{ready.Queue, ready.Epoch, 3, 0}, ErrMessageGone},
		{"one of another epoch", Ref{ready.Queue, 7, ready.Lane, ready.Pos}, ErrMessageGone},
		{"one of an unknown queue", Ref{99, 0, 8, 0}, ErrMessageGone},
	}
	for _, tt := range refused {
		t.Run("not "+tt.name, func(t *testing.T) {
			before := fmt.Sprint(r.stats("orders"))
			_, err := r.Peek(ctx, tt.ref, PeekRequest{DeadLetter: true})
			wantError(t, err, tt.want)
			r.want("stats", fmt.Sprint(r.stats("orders")), before)
		})
	}
	order := []string{"first", "ready", "last"}
	for i := 1; i <= 2; i++ {
		peeked, err := r.Peek(ctx, ready, PeekRequest{Holder: "me"})
		wantError(t, err, nil)
		r.want("peeked", fmt.Sprint(string(peeked.Message.Body), peeked.Receives, peeked.MaxReceives), fmt.Sprint("ready", i, 2))
		r.want("its place", r.page("orders", Ready), order)
	}
	r.reopen()
	r.want("its place after a restart", r.page("orders", Ready), order)
	_, err := r.Peek(ctx, ready, PeekRequest{})
	wantError(t, err, ErrWouldDeadLetter)
	r.want("its place after a refusal", r.page("orders", Ready), order)
	detail, err := r.Inspect(ctx, ready)
	wantError(t, err, nil)
	r.want("detail", fmt.Sprintln(detail.Receives, detail.DeadLetters, len(detail.History), detail.History[0].Holder, detail.History[0].Kind == ByPeek), "2 true 2 me true\n")
	peeked, err := r.Peek(ctx, ready, PeekRequest{DeadLetter: true})
	wantError(t, err, nil)
	r.want("dead-lettered", fmt.Sprintln(peeked.DeadLettered, peeked.Message == nil, peeked.Receives), "dlq true 2\n")
	r.want("dead", r.page("dlq", Ready), []string{"ready"})
	_, err = r.Inspect(ctx, ready)
	wantError(t, err, ErrMessageGone)
}

func TestExtendAndRelease(t *testing.T) {
	ctx := context.Background()
	r := newRig(t)
	r.queue("orders", visibility(time.Minute))
	first := r.send("orders", "a")
	second := r.send("orders", "b")
	idle := r.send("orders", "c")
	delayed := r.delayed("orders", "d", time.Hour)
	d := r.receive("orders", 2)
	r.pass(30 * time.Second)
	t.Run("an extension counts from the call", func(t *testing.T) {
		due, n, err := r.Extend(ctx, []Ref{first, idle, delayed}, 40*time.Second)
		wantError(t, err, nil)
		r.want("extended", fmt.Sprint(due.Sub(start), n), "1m10s 1")
		detail, _ := r.Inspect(ctx, first)
		r.want("history", detail.History[0].Until.Sub(start), 70*time.Second)
	})
	t.Run("and may shorten a lease", func(t *testing.T) {
		_, _, err := r.Extend(ctx, []Ref{second}, 5*time.Second)
		wantError(t, err, nil)
		r.want("next lapse", r.stats("orders").NextLapse.Sub(start), 35*time.Second)
	})
	t.Run("the receipt stays good", func(t *testing.T) {
		_, _, err := r.ChangeVisibility(ctx, VisibilityRequest{Receipt: d[0].Receipt, Visibility: time.Minute, Strictness: LastDelivery})
		wantError(t, err, nil)
	})
	t.Run("what is not in flight is refused alone and passed over among others", func(t *testing.T) {
		for _, ref := range []Ref{idle, delayed} {
			_, _, err := r.Extend(ctx, []Ref{ref}, time.Minute)
			wantError(t, err, ErrNotInFlight)
			_, err = r.Release(ctx, []Ref{ref})
			wantError(t, err, ErrNotInFlight)
		}
		_, err := r.Release(ctx, []Ref{{Queue: 1, Lane: 8, Pos: 77}})
		wantError(t, err, ErrMessageGone)
		n, err := r.Release(ctx, []Ref{idle, delayed, second})
		wantError(t, err, nil)
		r.want("released", n, 1)
		r.want("ready", r.page("orders", Ready), []string{"c", "b"})
	})
	t.Run("an operation takes 1 to 500 messages, and a time up to 12 hours", func(t *testing.T) {
		for _, n := range []int{0, 501} {
			_, err := r.Release(ctx, make([]Ref, n))
			wantInvalid(t, err, "Messages", "1 to 500")
		}
		_, _, err := r.Extend(ctx, []Ref{first}, MaxVisibility+time.Second)
		wantInvalid(t, err, "VisibilityTimeout")
	})
}

// remove deletes messages as an operator does.
func (r *rig) remove(refs ...Ref) {
	r.Helper()
	if n, err := r.Remove(context.Background(), refs); err != nil || n != len(refs) {
		r.Fatalf("Remove = %d, %v", n, err)
	}
}

func TestRemove(t *testing.T) {
	t.Run("untouched messages go ahead of their turn", func(t *testing.T) {
		for _, restart := range []bool{false, true} {
			r := newRig(t)
			r.queue("orders")
			var refs []Ref
			for i := range 8 {
				refs = append(refs, r.send("orders", fmt.Sprint(i)))
			}
			again := func() {
				if restart {
					r.reopen()
				}
				if err := r.verify(r.store); err != nil {
					t.Error(err)
				}
			}
			r.remove(refs[2], refs[5])
			again()
			r.want("page", r.page("orders", Ready), []int{0, 1, 3, 4, 6, 7})
			r.remove(refs[1])
			again()
			r.remove(refs[0]) // and with it those removed behind it
			again()
			r.want("page", r.page("orders", Ready), []int{3, 4, 6, 7})
			r.want("received", bodies(r.receive("orders", 3)), []int{3, 4, 6})
			r.remove(refs[7])
			again()
			r.wantCounts("orders", Counts{InFlight: 3})
			r.want("deleted", r.stats("orders").Counters.Deleted, 5)
		}
	})
}

func TestRemoveMany(t *testing.T) {
	ctx := context.Background()
	t.Run("a long run of removed ones is passed", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders")
		var refs []Ref
		for i := range 3000 {
			refs = append(refs, r.send("orders", fmt.Sprint(i)))
		}
		for i := 1; i < 2999; i += 400 {
			r.remove(refs[i:min(i+400, 2999)]...)
		}
		r.remove(refs[0])
		r.want("page", r.page("orders", Ready), []string{"2999"})
		r.pass(0)
		r.want("oldest", r.stats("orders").OldestArrived, start)
		r.want("received", bodies(r.receive("orders", 1)), []string{"2999"})
		if err := r.verify(r.store); err != nil {
			t.Error(err)
		}
	})
	t.Run("whatever the state", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders")
		flight := r.send("orders", "a")
		d := r.receive("orders", 1)
		r.remove(flight, r.delayed("orders", "b", time.Minute), r.send("orders", "c"))
		r.wantCounts("orders", Counts{})
		wantError(t, r.Delete(ctx, d[0].Receipt, AnyDelivery), ErrMessageGone)
		_, err := r.Remove(ctx, []Ref{flight})
		wantError(t, err, ErrMessageGone)
		n, err := r.Remove(ctx, []Ref{flight, flight})
		wantError(t, err, nil)
		r.want("removed", n, 0)
	})
}

func TestMove(t *testing.T) {
	ctx := context.Background()
	r := newRig(t)
	r.queue("orders")
	r.queue("other", func(a *Attributes) { a.Delay = 5 * time.Second; a.MaximumMessageSize = 1024 })
	flight := r.send("orders", "in flight")
	r.receive("orders", 1)
	big := r.send("orders", string(make([]byte, 2000)))
	ready := r.send("orders", "b")
	delayed := r.delayed("orders", "c", time.Hour)
	r.pass(time.Minute / 4)
	for _, tt := range []struct {
		to   string
		want error
	}{{"nowhere", ErrQueueNotFound}, {"orders", errInvalid}} {
		_, err := r.Move(ctx, []Ref{ready, delayed}, tt.to)
		if tt.want == errInvalid {
			wantInvalid(t, err, "Destination")
		} else {
			wantError(t, err, tt.want)
		}
	}
	_, err := r.Move(ctx, []Ref{flight}, "other")
	wantError(t, err, ErrInFlight)
	id, _ := r.Inspect(ctx, ready)
	n, err := r.Move(ctx, []Ref{delayed, flight, big, ready}, "other")
	wantError(t, err, nil)
	r.want("moved", n, 3)
	r.wantCounts("orders", Counts{InFlight: 1})
	r.wantCounts("other", Counts{Delayed: 3}) // the destination's delay, whatever its maximum size
	r.reopen()
	r.pass(5 * time.Second)
	d := r.receive("other", 3)
	r.want("sent", d[2].Message.Sent.Sub(start), 15*time.Second)
	r.want("body", string(d[2].Message.Body), "b")
	r.want("a new id", d[2].Message.ID != id.Message.ID, true)
	r.want("counters", fmt.Sprint(r.stats("orders").Counters.RedrivenOut, r.stats("other").Counters.Sent), "3 3")
}
