package engine

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// bubble runs a test in a bubble of fake time, with the reaper running.
func bubble(t *testing.T, name string, test func(t *testing.T, r *rig)) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := &rig{TB: t, store: newMemory()}
			e, err := Open(r.store, Options{NewID: r.newID})
			if err != nil {
				t.Fatal(err)
			}
			r.Engine = e
			ctx, cancel := context.WithCancel(context.Background())
			over := make(chan error)
			go func() { over <- e.Run(ctx) }()
			r.queue("orders", visibility(5*time.Second))
			test(t, r)
			cancel()
			wantError(t, <-over, nil)
			wantError(t, e.Close(), nil)
		})
	})
}

// waited is what became of a long receive.
type waited struct {
	got   []string
	err   error
	after time.Duration
}

// wait starts a long receive of up to n messages.
func (r *rig) wait(ctx context.Context, n int, wait *time.Duration) <-chan waited {
	over := make(chan waited, 1)
	begin := time.Now()
	go func() {
		d, err := r.Receive(ctx, "orders", ReceiveRequest{Max: n, Wait: wait})
		over <- waited{bodies(d), err, time.Since(begin)}
	}()
	synctest.Wait() // it waits now
	return over
}

// check compares a result; the reaper may be one tick late.
func (w waited) check(t *testing.T, got []string, err error, after time.Duration) {
	t.Helper()
	if fmt.Sprint(w.got) != fmt.Sprint(got) {
		t.Errorf("received %v, want %v", w.got, got)
	}
	wantError(t, w.err, err)
	if w.after < after || w.after > after+50*time.Millisecond {
		t.Errorf("after %v, want %v", w.after, after)
	}
}

func TestWakes(t *testing.T) {
	ctx := context.Background()
	bubble(t, "on a send", func(t *testing.T, r *rig) {
		over := r.wait(ctx, 1, seconds64(20))
		time.Sleep(3 * time.Second)
		r.send("orders", "a")
		(<-over).check(t, []string{"a"}, nil, 3*time.Second)
	})
	bubble(t, "on a lapse", func(t *testing.T, r *rig) {
		r.send("orders", "a")
		r.receive("orders", 1)
		(<-r.wait(ctx, 1, seconds64(20))).check(t, []string{"a"}, nil, 5*time.Second)
	})
	bubble(t, "on a release", func(t *testing.T, r *rig) {
		ref := r.send("orders", "a")
		r.receive("orders", 1)
		over := r.wait(ctx, 1, seconds64(20))
		time.Sleep(time.Second)
		_, err := r.Release(ctx, []Ref{ref})
		wantError(t, err, nil)
		(<-over).check(t, []string{"a"}, nil, time.Second)
	})
	bubble(t, "on a change of visibility to 0", func(t *testing.T, r *rig) {
		r.send("orders", "a")
		d := r.receive("orders", 1)
		over := r.wait(ctx, 1, seconds64(20))
		_, _, err := r.ChangeVisibility(ctx, VisibilityRequest{Receipt: d[0].Receipt})
		wantError(t, err, nil)
		(<-over).check(t, []string{"a"}, nil, 0)
	})
	bubble(t, "on an ended delay", func(t *testing.T, r *rig) {
		r.delayed("orders", "a", 7*time.Second)
		(<-r.wait(ctx, 1, seconds64(20))).check(t, []string{"a"}, nil, 7*time.Second)
	})
	bubble(t, "on a dead-letter move", func(t *testing.T, r *rig) {
		r.queue("source", deadTo("orders", 1), visibility(time.Second))
		r.send("source", "a")
		r.receive("source", 1)
		over := r.wait(ctx, 1, seconds64(20))
		time.Sleep(2 * time.Second)
		r.want("received", len(r.receive("source", 1)), 0)
		(<-over).check(t, []string{"a"}, nil, 2*time.Second)
	})
	bubble(t, "on a redrive and on a move by hand", func(t *testing.T, r *rig) {
		r.queue("dlq")
		wantError(t, r.Configure(ctx, "orders", deadTo("dlq", 1)), nil)
		r.send("dlq", "a")
		over := r.wait(ctx, 1, seconds64(20))
		r.redrive(RedriveRequest{Source: "dlq", Destination: "orders", Rate: 1})
		(<-over).check(t, []string{"a"}, nil, time.Second)
		ref := r.send("dlq", "b")
		over = r.wait(ctx, 1, seconds64(20))
		_, err := r.Move(ctx, []Ref{ref}, "orders")
		wantError(t, err, nil)
		(<-over).check(t, []string{"b"}, nil, 0)
	})
}

func TestWaitsEnd(t *testing.T) {
	ctx := context.Background()
	bubble(t, "when the queue is deleted", func(t *testing.T, r *rig) {
		first, second := r.wait(ctx, 1, seconds64(20)), r.wait(ctx, 1, seconds64(20))
		time.Sleep(time.Second)
		wantError(t, r.DeleteQueue(ctx, "orders"), nil)
		(<-first).check(t, nil, ErrQueueNotFound, time.Second)
		(<-second).check(t, nil, ErrQueueNotFound, time.Second)
	})
	bubble(t, "when the queue is deleted, though one of its name was made at once", func(t *testing.T, r *rig) {
		w, request := waiter{}, ReceiveRequest{Max: 1, Wait: seconds64(20)}
		_, _, err := r.receiveNow(ctx, "orders", &request, &w)
		wantError(t, err, nil)
		wantError(t, r.DeleteQueue(ctx, "orders"), nil)
		r.queue("orders")
		r.send("orders", "a")
		_, _, err = r.receiveNow(ctx, "orders", &request, &w)
		wantError(t, err, ErrQueueNotFound)
	})
	bubble(t, "when the engine is closed", func(t *testing.T, r *rig) {
		over := r.wait(ctx, 1, seconds64(20))
		wantError(t, r.Close(), nil)
		(<-over).check(t, nil, ErrClosed, 0)
	})
	bubble(t, "when the store fails", func(t *testing.T, r *rig) {
		over := r.wait(ctx, 1, seconds64(20))
		r.store.set(func(m *memory) { m.fail = errBroken })
		_, err := r.Send(ctx, "orders", SendRequest{Body: []byte("a")})
		wantError(t, err, ErrStoreFailed)
		(<-over).check(t, nil, ErrStoreFailed, 0)
	})
}

func TestWaits(t *testing.T) {
	ctx := context.Background()
	bubble(t, "a wait that ends is empty and no error", func(t *testing.T, r *rig) {
		(<-r.wait(ctx, 1, seconds64(20))).check(t, nil, nil, 20*time.Second)
		r.want("empty receives", r.stats("orders").Counters.EmptyReceives, 1)
	})
	bubble(t, "a wait that brings something is no empty receive", func(t *testing.T, r *rig) {
		over := r.wait(ctx, 1, seconds64(20))
		r.send("orders", "a")
		(<-over).check(t, []string{"a"}, nil, 0)
		r.want("empty receives", r.stats("orders").Counters.EmptyReceives, 0)
	})
	bubble(t, "the queue's wait is the default", func(t *testing.T, r *rig) {
		wantError(t, r.Configure(ctx, "orders", func(a *Attributes) { a.ReceiveWait = 4 * time.Second }), nil)
		(<-r.wait(ctx, 1, nil)).check(t, nil, nil, 4*time.Second)
	})
	bubble(t, "an explicit 0 is a short receive", func(t *testing.T, r *rig) {
		wantError(t, r.Configure(ctx, "orders", func(a *Attributes) { a.ReceiveWait = 4 * time.Second }), nil)
		(<-r.wait(ctx, 1, seconds64(0))).check(t, nil, nil, 0)
	})
	bubble(t, "a wait does not fill the batch", func(t *testing.T, r *rig) {
		over := r.wait(ctx, 10, seconds64(20))
		r.send("orders", "a")
		(<-over).check(t, []string{"a"}, nil, 0)
	})
}

func TestWaiters(t *testing.T) {
	ctx := context.Background()
	bubble(t, "waiters are served in order of arrival, one for each message", func(t *testing.T, r *rig) {
		var all []<-chan waited
		for range 4 {
			all = append(all, r.wait(ctx, 1, seconds64(20)))
		}
		r.send("orders", "a")
		(<-all[0]).check(t, []string{"a"}, nil, 0)
		r.send("orders", "b")
		(<-all[1]).check(t, []string{"b"}, nil, 0)
		r.want("still waiting", len(r.byName["orders"].waiters.list), 2)
		_, err := r.SendBatch(ctx, "orders", []SendRequest{{Body: []byte("c")}, {Body: []byte("d")}})
		wantError(t, err, nil)
		third, fourth := <-all[2], <-all[3]
		if len(third.got) != 1 || len(fourth.got) != 1 {
			t.Errorf("received %v and %v, want one each", third.got, fourth.got)
		}
	})
	bubble(t, "a waiter that finds the message gone waits on, in its place and up to its time", func(t *testing.T, r *rig) {
		first, second := r.wait(ctx, 1, seconds64(20)), r.wait(ctx, 1, seconds64(20))
		time.Sleep(3 * time.Second)
		r.mu.Lock()
		r.byName["orders"].wake(1) // as a message does that another took
		r.mu.Unlock()
		synctest.Wait()
		r.send("orders", "a")
		(<-first).check(t, []string{"a"}, nil, 3*time.Second)
		(<-second).check(t, []string{"a"}, nil, 8*time.Second) // when it lapses
	})
	bubble(t, "expired and dead messages do not end a wait", func(t *testing.T, r *rig) {
		r.queue("dlq")
		wantError(t, r.Configure(ctx, "orders", deadTo("dlq", 1)), nil)
		r.send("orders", "a")
		r.receive("orders", 1)
		over := r.wait(ctx, 1, seconds64(20))
		(<-over).check(t, nil, nil, 20*time.Second)
		r.wantCounts("dlq", Counts{Ready: 1})
	})
}

func TestGoneCallers(t *testing.T) {
	bubble(t, "a caller whose context ends gets nothing, and waits no more", func(t *testing.T, r *rig) {
		ctx, cancel := context.WithCancel(context.Background())
		over := r.wait(ctx, 1, seconds64(20))
		time.Sleep(time.Second)
		cancel()
		(<-over).check(t, nil, context.Canceled, time.Second)
		r.send("orders", "a")
		r.wantCounts("orders", Counts{Ready: 1})
		r.want("receives", r.receive("orders", 1)[0].Receives, 1)
	})
	bubble(t, "what was handed to a caller who has gone is given back to the next", func(t *testing.T, r *rig) {
		ctx, cancel := context.WithCancel(context.Background())
		first, second := r.wait(ctx, 1, seconds64(20)), r.wait(context.Background(), 1, seconds64(20))
		r.store.set(func(m *memory) {
			m.before = func(changes []*Change) {
				for _, c := range changes {
					if len(c.States) > 0 {
						cancel()
					}
				}
			}
		})
		r.send("orders", "a")
		(<-first).check(t, nil, context.Canceled, 0)
		(<-second).check(t, []string{"a"}, nil, 0)
		r.want("receives", r.stats("orders").Counters.Received, 1)
	})
	bubble(t, "a caller who goes as it is woken wakes the next", func(t *testing.T, r *rig) {
		for range 20 { // which of the two it notices first is chance
			ctx, cancel := context.WithCancel(context.Background())
			first, second := r.wait(ctx, 1, seconds64(20)), r.wait(context.Background(), 1, seconds64(20))
			r.mu.Lock()
			cancel()
			r.byName["orders"].wake(1)
			r.mu.Unlock()
			(<-first).check(t, nil, context.Canceled, 0)
			synctest.Wait()
			r.want("waiting", len(r.byName["orders"].waiters.list), 1)
			r.send("orders", "a")
			(<-second).check(t, []string{"a"}, nil, 0)
		}
	})
	bubble(t, "one who has gone before gets nothing", func(t *testing.T, r *rig) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		r.send("orders", "a")
		(<-r.wait(ctx, 1, nil)).check(t, nil, context.Canceled, 0)
		r.wantCounts("orders", Counts{Ready: 1})
	})
}
