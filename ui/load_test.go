package ui

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"inflight/engine"
)

func TestCallsHaveADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := fakeWorld()
		f.wait = time.Minute
		l := newLoader(t.Context(), f, time.Now)
		start := time.Now()
		msg := l.queues()().(queuesMsg)
		if !errors.Is(msg.err, context.DeadlineExceeded) || time.Since(start) > readTime {
			t.Errorf("a slow engine: %v after %v, want the deadline after %v", msg.err, time.Since(start), readTime)
		}
	})
}

func TestWatchKeepsThePaceOfData(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := fakeWorld()
		l := newLoader(t.Context(), f, time.Now)
		start := time.Now()
		msg := l.watch(0)().(changesMsg)
		if len(msg.events) == 0 || msg.after != f.events[len(f.events)-1].Seq || time.Since(start) < paceOfData {
			t.Errorf("%d events up to %d after %v", len(msg.events), msg.after, time.Since(start))
		}
		answer := make(chan changesMsg, 1)
		go func() { answer <- l.watch(msg.after)().(changesMsg) }()
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if len(answer) > 0 {
			t.Error("it comes back though nothing happened")
		}
		if _, err := f.Send(t.Context(), "orders", engine.SendRequest{}); err != nil {
			t.Fatal(err)
		}
		if got := (<-answer).events; len(got) != 1 || got[0].Kind != engine.EventSent {
			t.Errorf("after a send: %v", got)
		}
	})
}

func TestTickComesAtTheWholeSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(300 * time.Millisecond)
		l := newLoader(t.Context(), fakeWorld(), time.Now)
		if got := l.tick()().(tickMsg).now; got.Nanosecond() != 0 {
			t.Errorf("tick at %v", got)
		}
	})
}

func TestCloseWaitsForCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := fakeWorld()
		f.wait = time.Second
		ctx, cancel := context.WithCancel(t.Context())
		l := newLoader(ctx, f, time.Now)
		ended := make(chan struct{})
		go func() { l.queues()(); close(ended) }()
		go l.watch(0)()
		synctest.Wait()
		cancel()
		l.close()
		select {
		case <-ended:
		default:
			t.Error("close returns while a call is under way")
		}
		if msg := l.queues()(); msg != nil {
			t.Errorf("after close the engine is called: %v", msg)
		}
	})
}

func TestPageFollowsTheCursor(t *testing.T) {
	f := fakeWorld()
	l := newLoader(t.Context(), f, f.clock)
	orders := f.find("orders")
	far := orders.messages[900].ref
	for _, reverse := range []bool{false, true} {
		msg := l.page(pageLoad{queue: "orders", limit: 20, keep: far, row: 3, reverse: reverse})().(pageMsg)
		want := 900
		if reverse {
			want = 1203 - 900
		}
		if msg.err != nil || msg.cursor != want || msg.rows[3].Ref != far {
			t.Errorf("reverse %v: cursor %d, %v; want %d", reverse, msg.cursor, msg.err, want)
		}
	}
	flight := f.in(orders, engine.InFlight)[0].ref
	if msg := l.page(pageLoad{queue: "orders", limit: 20, keep: flight})().(pageMsg); msg.cursor != -1 || msg.fate != engine.InFlight {
		t.Errorf("a message in flight: cursor %d, %v; want -1, in flight", msg.cursor, msg.fate)
	}
	if msg := l.page(pageLoad{queue: "orders", offset: 5000, limit: 20, keep: flight})().(pageMsg); len(msg.rows) == 0 {
		t.Error("a list that has become shorter shows nothing")
	}
}
