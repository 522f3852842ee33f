package engine

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// fifoWait starts a receive that waits for a message of q.fifo.
func fifoWait(r *rig, ctx context.Context, n int) <-chan waited {
	over := make(chan waited, 1)
	begin := time.Now()
	go func() {
		d, err := r.Receive(ctx, "q.fifo", ReceiveRequest{Max: n, Wait: seconds64(20)})
		over <- waited{bodies(d), err, time.Since(begin)}
	}()
	synctest.Wait()
	return over
}

// A group that was blocked can deliver again though nothing got ready.
func TestWhoWaitsForABlockedGroupIsWoken(t *testing.T) {
	ctx := context.Background()
	acts := map[string]func(r *rig, d Delivery){
		"a delete": func(r *rig, d Delivery) { wantError(r.TB.(*testing.T), r.Delete(ctx, d.Receipt, LastReceive), nil) },
		"a remove": func(r *rig, d Delivery) {
			_, err := r.Remove(ctx, []Ref{d.Ref})
			wantError(r.TB.(*testing.T), err, nil)
		},
	}
	for name, act := range acts {
		bubble(t, name+" of the message that blocks a group wakes", func(t *testing.T, r *rig) {
			r.TB = t
			r.queue("q.fifo", fifoQueue())
			r.sendGroup("q.fifo", "g", "1", "2")
			d := r.receive("q.fifo", 1)[0]
			over := fifoWait(r, ctx, 1)
			time.Sleep(time.Second)
			act(r, d)
			(<-over).check(t, []string{"2"}, nil, time.Second)
		})
	}
	bubble(t, "an expiry of the message that blocks a group wakes", func(t *testing.T, r *rig) {
		r.queue("q.fifo", fifoQueue(retention(time.Minute), visibility(time.Hour)))
		r.sendGroup("q.fifo", "g", "1")
		time.Sleep(50 * time.Second)
		r.sendGroup("q.fifo", "g", "2")
		r.receive("q.fifo", 1)
		over := fifoWait(r, ctx, 1)
		(<-over).check(t, []string{"2"}, nil, 10*time.Second)
	})
}

func TestAWakeIsPassedOn(t *testing.T) {
	ctx := context.Background()
	bubble(t, "by one who is refused for want of room", func(t *testing.T, r *rig) {
		r.send("orders", "a")
		d := r.receive("orders", 1)[0]
		first, second := r.wait(ctx, 1, seconds64(20)), r.wait(ctx, 1, seconds64(20))
		r.store.set(func(m *memory) { m.space = SpaceOut })
		r.measure()
		_, err := r.Release(ctx, []Ref{d.Ref})
		wantError(t, err, nil)
		(<-first).check(t, nil, ErrStoreFull, 0)
		(<-second).check(t, nil, ErrStoreFull, 0)
	})
	bubble(t, "two that find nothing keep their order", func(t *testing.T, r *rig) {
		first, second := r.wait(ctx, 1, seconds64(20)), r.wait(ctx, 1, seconds64(20))
		for range 2 {
			r.mu.Lock()
			r.byName["orders"].wake(1)
			r.mu.Unlock()
		}
		synctest.Wait()
		r.send("orders", "a")
		synctest.Wait()
		if len(first) != 1 {
			t.Error("the second waiter was served before the first")
		}
		r.send("orders", "b")
		<-first
		<-second
	})
}

func TestVisibilityZeroWakesTheNext(t *testing.T) {
	ctx := context.Background()
	bubble(t, "a message handed out with visibility 0 wakes the next", func(t *testing.T, r *rig) {
		wantError(t, r.Configure(ctx, "orders", visibility(0)), nil)
		first, second := r.wait(ctx, 1, seconds64(20)), r.wait(ctx, 1, seconds64(20))
		r.send("orders", "a")
		(<-first).check(t, []string{"a"}, nil, 0)
		(<-second).check(t, []string{"a"}, nil, 0)
		synctest.Wait()
	})
}

func TestWaitersKeepTheirOrder(t *testing.T) {
	a, b := &waiter{again: true}, &waiter{again: true} // both woken, a had waited longer, both found nothing
	var w waiters
	w.add(a)
	w.add(b)
	if w.list[0] != a {
		t.Error("who came later stands first")
	}
}
