package engine

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// stall lets the next commits wait for the gate.
func (r *rig) stall() (let func()) {
	gate := make(chan struct{})
	r.flush()
	r.store.set(func(m *memory) { m.before = func([]*Change) { <-gate } })
	return func() {
		r.store.set(func(m *memory) { m.before = nil })
		close(gate)
	}
}

// TestAnswersWait checks that an answer is given when what it rests on is
// durable, and not before.
func TestAnswersWait(t *testing.T) {
	ctx := context.Background()
	type call struct {
		name string
		do   func(*rig, Delivery) error
		want error
	}
	waits := []call{
		{"a second delete", func(r *rig, d Delivery) error { return r.Delete(ctx, d.Receipt, AnyDelivery) }, ErrMessageGone},
		{"a second remove", func(r *rig, d Delivery) error { _, err := r.Remove(ctx, []Ref{d.Ref}); return err }, ErrMessageGone},
		{"a peek at what is gone", func(r *rig, d Delivery) error { _, err := r.Peek(ctx, d.Ref, PeekRequest{}); return err }, ErrMessageGone},
		{"a change of what is gone", func(r *rig, d Delivery) error {
			_, _, err := r.ChangeVisibility(ctx, VisibilityRequest{Receipt: d.Receipt})
			return err
		}, ErrMessageGone},
		{"creating what was just created", func(r *rig, _ Delivery) error { return r.CreateQueue(ctx, "new", DefaultAttributes()) }, nil},
		{"creating it otherwise", func(r *rig, _ Delivery) error {
			a := DefaultAttributes()
			a.Delay = time.Second
			return r.CreateQueue(ctx, "new", a)
		}, ErrQueueExists},
		{"deleting what was just deleted", func(r *rig, _ Delivery) error { return r.DeleteQueue(ctx, "old") }, ErrQueueNotFound},
		{"a send", func(r *rig, _ Delivery) error {
			_, err := r.Send(ctx, "orders", SendRequest{Body: []byte("b")})
			return err
		}, nil},
		{"a receive", func(r *rig, _ Delivery) error { _, err := r.Receive(ctx, "other", ReceiveRequest{}); return err }, nil},
	}
	passes := []call{
		{"a page", func(r *rig, _ Delivery) error {
			_, err := r.Page(ctx, PageRequest{Queue: "orders", Limit: 5})
			return err
		}, nil},
		{"the queues", func(r *rig, _ Delivery) error { _, err := r.Queues(ctx); return err }, nil},
		{"the events", func(r *rig, _ Delivery) error { _, _, err := r.Events(ctx, 0, 5); return err }, nil},
		{"an empty receive", func(r *rig, _ Delivery) error { _, err := r.Receive(ctx, "orders", ReceiveRequest{}); return err }, nil},
	}
	for i, c := range slices.Concat(waits, passes) {
		bubble(t, c.name, func(t *testing.T, r *rig) {
			r.queue("other")
			r.queue("old")
			r.send("orders", "a")
			r.send("other", "b")
			d := r.receive("orders", 1)[0]
			let := r.stall()
			go r.Delete(ctx, d.Receipt, AnyDelivery)
			go r.CreateQueue(ctx, "new", DefaultAttributes())
			go r.DeleteQueue(ctx, "old")
			synctest.Wait()
			answer := make(chan error, 1)
			go func() { answer <- c.do(r, d) }()
			synctest.Wait()
			if answered := len(answer) == 1; answered != (i >= len(waits)) {
				t.Errorf("answered before anything was durable: %v", answered)
			}
			let()
			wantError(t, <-answer, c.want)
		})
	}
}

func TestAnswersFail(t *testing.T) {
	ctx := context.Background()
	bubble(t, "a second delete fails with the first", func(t *testing.T, r *rig) {
		r.send("orders", "a")
		d := r.receive("orders", 1)[0]
		let := r.stall()
		first, second := make(chan error, 1), make(chan error, 1)
		go func() { first <- r.Delete(ctx, d.Receipt, AnyDelivery) }()
		synctest.Wait()
		go func() { second <- r.Delete(ctx, d.Receipt, AnyDelivery) }()
		synctest.Wait()
		r.store.set(func(m *memory) { m.fail = errBroken })
		let()
		wantError(t, <-first, ErrStoreFailed)
		wantError(t, <-second, ErrStoreFailed)
	})
}

// TestGroups checks what becomes durable together: changes whole and in order,
// and no more than a store takes at once.
func TestGroups(t *testing.T) {
	ctx := context.Background()
	bubble(t, "a group stays within what a store takes", func(t *testing.T, r *rig) {
		let := r.stall()
		const callers = 40
		results := make(chan error, callers)
		for range callers {
			go func() {
				batch := make([]SendRequest, MaxBatch)
				for i := range batch {
					batch[i].Body = []byte("x")
				}
				_, err := r.SendBatch(ctx, "orders", batch)
				results <- err
			}()
		}
		synctest.Wait()
		r.mu.Lock()
		groups := slices.Clone(r.commits.queue)
		r.mu.Unlock()
		for _, g := range groups {
			k := cost{}
			for _, c := range g.changes {
				one := c.cost()
				k = cost{k.keys + one.keys, k.small + one.small, k.bodies + one.bodies}
			}
			if k != g.cost || k.keys > groupKeys || k.small > groupSmall || k.bodies > groupBytes {
				t.Errorf("a group of %d changes costs %+v, noted %+v", len(g.changes), k, g.cost)
			}
		}
		if len(groups) < 3 || len(groups) > callers/2 {
			t.Errorf("%d callers wait in %d groups", callers, len(groups))
		}
		let()
		for range callers {
			wantError(t, <-results, nil)
		}
		r.wantCounts("orders", Counts{Ready: callers * MaxBatch})
	})
}

func TestSendersWait(t *testing.T) {
	ctx := context.Background()
	bubble(t, "senders wait while 64 MiB are under way, and go when their context ends", func(t *testing.T, r *rig) {
		let := r.stall()
		big := make([]SendRequest, 16)
		for i := range big {
			big[i].Body = make([]byte, 1<<20)
		}
		results := make(chan error, 5)
		for range 4 {
			go func() { _, err := r.SendBatch(ctx, "orders", big); results <- err }()
		}
		synctest.Wait()
		short, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		_, err := r.SendBatch(short, "orders", big[:1])
		wantError(t, err, context.DeadlineExceeded)
		go func() { _, err := r.SendBatch(ctx, "orders", big[:1]); results <- err }()
		let()
		for range 5 {
			wantError(t, <-results, nil)
		}
		r.wantCounts("orders", Counts{Ready: 65})
	})
}
