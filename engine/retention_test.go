package engine

import (
	"context"
	"fmt"
	"testing"
	"time"
)

func TestRetention(t *testing.T) {
	ctx := context.Background()
	touch := map[string]func(*rig, Ref){
		"untouched": func(*rig, Ref) {},
		"peeked at": func(r *rig, ref Ref) { r.Peek(ctx, ref, PeekRequest{}) },
		"in flight": func(r *rig, _ Ref) { r.Receive(ctx, "orders", ReceiveRequest{Visibility: seconds64(3600)}) },
		"returned":  func(r *rig, _ Ref) { r.Receive(ctx, "orders", ReceiveRequest{Visibility: seconds64(1)}) },
	}
	for _, name := range []string{"untouched", "peeked at", "in flight", "returned"} {
		for _, how := range []string{"by time", "by a changed retention", "after a restart"} {
			t.Run(name+", "+how, func(t *testing.T) {
				r := newRig(t)
				r.queue("orders", retention(time.Hour))
				touch[name](r, r.send("orders", "a"))
				r.pass(time.Minute - time.Millisecond)
				at := time.Hour
				if how == "by a changed retention" {
					wantError(t, r.Configure(ctx, "orders", retention(time.Minute)), nil)
					at = time.Minute
				}
				r.pass(start.Add(at).Sub(r.now) - time.Millisecond)
				r.want("before", r.stats("orders").Counts != Counts{}, true)
				r.now = r.now.Add(time.Millisecond)
				if how == "after a restart" {
					r.reopen()
				}
				r.pass(0)
				r.wantCounts("orders", Counts{})
				r.want("expired", r.stats("orders").Counters.Expired, 1)
				r.flush()
				r.want("left in the store", fmt.Sprint(len(r.store.messages), len(r.store.states)), "0 0")
				if err := r.verify(r.store); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestRetentionOfUntouched(t *testing.T) {
	ctx := context.Background()
	t.Run("untouched ones go exactly up to their time, with holes between", func(t *testing.T) {
		for _, keep := range []int{0, 1, 2, 50, 99, 100} {
			r := newRig(t)
			r.queue("orders", retention(time.Hour))
			var refs []Ref
			for i := range 100 {
				refs = append(refs, r.send("orders", fmt.Sprint(i)))
				r.now = r.now.Add(time.Second)
			}
			for i := 3; i < 100; i += 7 {
				r.Remove(ctx, refs[i:i+1])
			}
			r.reopen()
			var want []string
			for i := 100 - keep; i < 100; i++ {
				if i%7 != 3 {
					want = append(want, fmt.Sprint(i))
				}
			}
			r.pass(start.Add(time.Hour + time.Duration(99-keep)*time.Second).Sub(r.now))
			r.want("page", r.page("orders", Ready), want)
			r.flush()
			r.want("stored", len(r.store.messages), len(want))
			r.reopen()
			r.want("page after a restart", r.page("orders", Ready), want)
			if err := r.verify(r.store); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("a receive delivers none that expired since the last tick", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders", retention(time.Minute))
		r.send("orders", "old", "old")
		r.pass(59 * time.Second)
		r.send("orders", "new")
		r.now = r.now.Add(time.Second)
		r.want("received", bodies(r.receive("orders", 3)), []string{"new"})
		r.want("expired", r.stats("orders").Counters.Expired, 2)
	})
}

func TestRetentionChanges(t *testing.T) {
	ctx := context.Background()
	t.Run("a longer retention keeps what is still there", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders", retention(time.Minute))
		r.send("orders", "a")
		r.pass(59 * time.Second)
		wantError(t, r.Configure(ctx, "orders", retention(time.Hour)), nil)
		r.pass(time.Minute)
		r.want("page", r.page("orders", Ready), []string{"a"})
	})
	t.Run("none goes before its time though the clock went back between two runs", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders", retention(time.Minute))
		r.send("orders", "a")
		r.pass(5 * time.Second)
		r.send("orders", "b")
		r.now = start.Add(-time.Hour)
		r.reopen()
		r.send("orders", "c", "d", "e")
		r.now = start.Add(time.Minute)
		r.pass(0)
		r.want("left", r.page("orders", Ready), []string{"b", "c", "d", "e"})
		r.pass(5 * time.Second)
		r.want("left", r.page("orders", Ready), []string{})
	})
}

func TestClockSetBack(t *testing.T) {
	r := newRig(t)
	r.queue("orders", visibility(time.Minute))
	r.send("orders", "a")
	r.receive("orders", 1)
	r.pass(30 * time.Second)
	r.now = start.Add(-time.Hour)
	r.pass(0) // time goes on from where it was
	r.pass(30*time.Second - time.Millisecond)
	r.wantCounts("orders", Counts{InFlight: 1})
	r.pass(time.Millisecond)
	r.wantCounts("orders", Counts{Ready: 1})
}

func TestPurge(t *testing.T) {
	ctx := context.Background()
	r := newRig(t)
	r.queue("orders")
	r.send("orders", "a", "b")
	d := r.receive("orders", 1)
	r.delayed("orders", "c", time.Hour)
	n, err := r.Purge(ctx, "orders")
	wantError(t, err, nil)
	r.want("purged", n, 3)
	r.wantCounts("orders", Counts{})
	r.want("counters", fmt.Sprint(r.stats("orders").Counters.Sent, r.stats("orders").Counters.Purged), "3 3")
	r.send("orders", "d")
	r.want("received", bodies(r.receive("orders", 5)), []string{"d"})
	wantError(t, r.Delete(ctx, d[0].Receipt, AnyDelivery), ErrMessageGone)
	_, _, err = r.Extend(ctx, []Ref{d[0].Ref}, time.Minute)
	wantError(t, err, ErrMessageGone)
	r.reopen()
	r.wantCounts("orders", Counts{InFlight: 1})
	r.pass(0)
	r.want("left in the store", fmt.Sprint(len(r.store.messages), len(r.store.states), len(r.store.lanes)), "1 1 1")
	_, err = r.Purge(ctx, "nowhere")
	wantError(t, err, ErrQueueNotFound)
	wantError(t, r.DeleteQueue(ctx, "orders"), nil)
	r.pass(0)
	r.want("left of a deleted queue", fmt.Sprint(len(r.store.messages), len(r.store.queues), len(r.store.counters)), "0 0 0")
}

func TestEvents(t *testing.T) {
	ctx := context.Background()
	r := newRig(t)
	r.queue("dlq")
	r.queue("orders", deadTo("dlq", 1), visibility(time.Second))
	r.send("orders", "a", "b")
	d := r.receive("orders", 1)
	wantError(t, r.Delete(ctx, d[0].Receipt, AnyDelivery), nil)
	r.receive("orders", 1)
	r.now = r.now.Add(3 * time.Second)
	r.receive("orders", 1)
	all, missed, err := r.Events(ctx, 0, 100)
	wantError(t, err, nil)
	var got []string
	for _, ev := range all {
		got = append(got, fmt.Sprint(ev.Seq, " ", ev.Kind, " ", ev.Queue, ev.Other, " ", ev.At.Sub(start)))
	}
	want := []string{
		fmt.Sprint("1 ", EventQueueCreated, " dlq 0s"), fmt.Sprint("2 ", EventQueueCreated, " orders 0s"),
		fmt.Sprint("3 ", EventSent, " orders 0s"), fmt.Sprint("4 ", EventSent, " orders 0s"),
		fmt.Sprint("5 ", EventReceived, " orders 0s"), fmt.Sprint("6 ", EventDeleted, " orders 0s"),
		fmt.Sprint("7 ", EventReceived, " orders 0s"), fmt.Sprint("8 ", EventLapsed, " orders 1s"),
		fmt.Sprint("9 ", EventDeadLettered, " ordersdlq 3s"),
	}
	r.want("events", got, want)
	r.want("missed", missed, 0)
	some, _, _ := r.Events(ctx, 4, 2)
	r.want("a window", fmt.Sprint(some[0].Seq, some[1].Seq, len(some)), "5 6 2")
	for range ringSize {
		r.send("orders", "x")
	}
	late, missed, _ := r.Events(ctx, 4, 1)
	r.want("a slow reader misses", fmt.Sprint(missed, late[0].Seq), "5 10")
	none, missed, _ := r.Events(ctx, ringSize+9, 10)
	r.want("nothing new", fmt.Sprint(len(none), missed), "0 0")
}
