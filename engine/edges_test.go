package engine

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// Run reads the clock before it has the lock; an operation may read a later time
// meanwhile.
func TestAnOlderReadingIsNoStepBack(t *testing.T) {
	r := newRig(t)
	r.queue("orders")
	for range 1000 {
		read := r.now // what Run passes to Tick
		r.now = r.now.Add(time.Millisecond)
		r.Queues(context.Background()) // somebody gets the lock first
		if err := r.Tick(read); err != nil {
			t.Fatal(err)
		}
	}
	p, _ := r.Page(context.Background(), PageRequest{Queue: "orders"})
	r.want("engine time ahead of the clock", p.At.Sub(r.now), time.Duration(0))
}

func TestFirstReceivedAfterTheClockWentBack(t *testing.T) {
	r := newRig(t)
	r.queue("orders")
	ref := r.send("orders", "a")
	_, err := r.Peek(context.Background(), ref, PeekRequest{})
	wantError(t, err, nil)
	r.now = r.now.Add(-time.Second) // the clock was set between two runs
	r.reopen()
	d := r.receive("orders", 1)[0]
	if age := r.now.Sub(d.FirstReceived); age > time.Hour || age < -2*time.Hour {
		t.Errorf("first received %v before now", age)
	}
}

// More have lapsed than one operation applies.
func TestALapsedReceiptHasExpiredBeforeTheTick(t *testing.T) {
	r := newRig(t)
	r.queue("orders", visibility(time.Second))
	for range 1500 {
		r.send("orders", "x")
	}
	var all []Delivery
	for {
		d := r.receive("orders", 500)
		if len(d) == 0 {
			break
		}
		all = append(all, d...)
	}
	r.now = r.now.Add(time.Minute) // before a tick
	wantError(t, r.Delete(context.Background(), all[len(all)-1].Receipt, LastDelivery), ErrReceiptExpired)
}

func TestAnExpiryMetByAReceiveIsReported(t *testing.T) {
	ctx := context.Background()
	r := newRig(t)
	r.queue("orders", retention(time.Minute))
	r.send("orders", "a")
	r.now = r.now.Add(2 * time.Minute)
	r.receive("orders", 1) // before a tick
	r.want("expired", r.stats("orders").Counters.Expired, 1)
	events, _, _ := r.Events(ctx, 0, 100)
	n := 0
	for _, ev := range events {
		if ev.Kind == EventExpired {
			n += ev.Count
		}
	}
	r.want("reported", n, 1)
}

// What cannot be dead-lettered for want of room does not hide what is behind it.
func TestAFullStoreIsDrainedBehindPoison(t *testing.T) {
	r := newRig(t)
	r.queue("dlq")
	r.queue("orders", deadTo("dlq", 1), visibility(time.Second))
	for range 1001 {
		r.send("orders", "poison")
	}
	for len(r.receive("orders", 500)) > 0 {
	}
	r.pass(time.Minute)
	r.send("orders", "good")
	r.fill(SpaceLow)
	r.want("received", bodies(r.receive("orders", 1)), []string{"good"})
}

func TestAMoveThatMovedSomethingSaysSo(t *testing.T) {
	r := newRig(t)
	r.queue("orders")
	r.queue("other")
	r.queue("q.fifo", fifoQueue())
	a, f := r.send("orders", "a"), r.sendGroup("q.fifo", "g", "f")
	n, err := r.Move(context.Background(), []Ref{a, f}, "other")
	r.wantCounts("other", Counts{Ready: 1})
	r.want("moved, error", fmt.Sprint(n, " ", err), "1 <nil>")
}

func TestOldestOfAFIFOQueueAfterADelete(t *testing.T) {
	r := newRig(t)
	r.queue("dead.fifo", fifoQueue())
	r.queue("q.fifo", fifoQueue(deadTo("dead.fifo", 1), visibility(0)))
	var refs []Ref
	for _, b := range []string{"1", "2"} {
		r.sendGroup("q.fifo", "g", b)
		r.receive("q.fifo", 1)
		r.receive("q.fifo", 1) // dead
		p, _ := r.Page(context.Background(), PageRequest{Queue: "dead.fifo", Limit: 10})
		refs = append(refs, p.Rows[len(p.Rows)-1].Ref)
		r.pass(time.Hour)
	}
	r.remove(refs[0])
	r.want("oldest", r.stats("dead.fifo").OldestArrived.Sub(start), time.Hour)
}

func TestLateAfterAGiveBack(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r := newRig(t)
	r.queue("orders", visibility(time.Second))
	r.send("orders", "a")
	first := r.receive("orders", 1)[0]
	r.pass(10 * time.Second)
	r.store.set(func(m *memory) { m.before = func([]*Change) { cancel() } })
	_, err := r.Receive(ctx, "orders", ReceiveRequest{}) // given back
	wantError(t, err, context.Canceled)
	r.store.set(func(m *memory) { m.before = nil })
	wantError(t, r.Delete(context.Background(), first.Receipt, LastReceive), ErrReceiptStale)
	d, err := r.Inspect(context.Background(), first.Ref)
	wantError(t, err, nil)
	r.want("late deletes", d.LateDeletes, []LateDelete{{At: r.now, By: 9 * time.Second, Holder: "test"}})
	wantError(t, r.Delete(context.Background(), first.Receipt, AnyDelivery), nil)
	events, _, _ := r.Events(context.Background(), 0, 100)
	r.want("late", events[len(events)-1].Late, 9*time.Second)
}

func TestReadAheadIsBounded(t *testing.T) {
	r := newRig(t)
	r.queue("q.fifo", fifoQueue())
	body := make([]byte, 1<<20)
	for g := range 100 {
		for i := range 2 {
			copy(body, fmt.Sprint(g, " ", i))
			r.sendGroup("q.fifo", fmt.Sprint(g), string(body))
		}
	}
	r.reopen()
	for range 100 {
		r.receive("q.fifo", 1)
	}
	if r.windows > aheadTotal {
		t.Errorf("%d MiB read ahead, at most %d", r.windows>>20, aheadTotal>>20)
	}
}
