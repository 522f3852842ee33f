package engine

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestLateDeletes(t *testing.T) {
	setUp := func(t *testing.T) (*rig, Delivery) {
		r := newRig(t)
		r.queue("dead")
		r.queue("orders", deadTo("dead", 1))
		r.send("orders", "a")
		return r, r.receive("orders", 1)[0]
	}
	late := func(r *rig, ref Ref) []LateDelete {
		r.Helper()
		d, err := r.Inspect(context.Background(), ref)
		if err != nil {
			r.Fatal(err)
		}
		return d.LateDeletes
	}
	t.Run("a delete that is refused shows with its message, and how late it came", func(t *testing.T) {
		r, got := setUp(t)
		r.pass(42 * time.Second)
		if err := r.Delete(context.Background(), got.Receipt, LastReceive); !errors.Is(err, ErrReceiptExpired) {
			t.Fatal(err)
		}
		want := []LateDelete{{At: r.now, By: 12 * time.Second, Holder: "test"}}
		r.want("late deletes", late(r, got.Ref), want)
	})
	t.Run("one for a message that has died meanwhile shows with the dead one", func(t *testing.T) {
		r, got := setUp(t)
		r.pass(40 * time.Second)
		r.receive("orders", 1)
		page, err := r.Page(context.Background(), PageRequest{Queue: "dead", Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		r.pass(5 * time.Second)
		if err := r.Delete(context.Background(), got.Receipt, AnyDelivery); !errors.Is(err, ErrMessageGone) {
			t.Fatal(err)
		}
		want := []LateDelete{{At: r.now, By: 15 * time.Second, Holder: "test"}}
		r.want("late deletes", late(r, page.Rows[0].Ref), want)
		r.wantCounts("dead", Counts{Ready: 1})
	})
	t.Run("one that was never issued shows nowhere, and only the last are kept", func(t *testing.T) {
		r, got := setUp(t)
		forged := got.Receipt
		forged.Delivery++
		r.pass(time.Minute)
		for range HistoryLength + 3 {
			r.Delete(context.Background(), forged, LastReceive)
			r.Delete(context.Background(), got.Receipt, LastReceive)
		}
		r.want("how many", len(late(r, got.Ref)), HistoryLength)
	})
	t.Run("a late delete that does delete says so in its event", func(t *testing.T) {
		r, got := setUp(t)
		r.pass(33 * time.Second)
		if err := r.Delete(context.Background(), got.Receipt, AnyDelivery); err != nil {
			t.Fatal(err)
		}
		events, _, err := r.Events(context.Background(), 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		last := events[len(events)-1]
		if last.Kind != EventDeleted || last.Late != 3*time.Second {
			t.Errorf("event = %+v, want a delete 3 s late", last)
		}
	})
	t.Run("a delete by an old receipt while another holds the message says so in its event", func(t *testing.T) {
		r, got := setUp(t)
		r.queue("more")
		r.send("more", "b")
		first := r.receive("more", 1)[0]
		r.pass(31 * time.Second)
		r.receive("more", 1)
		r.pass(time.Second)
		for _, receipt := range []Receipt{got.Receipt, first.Receipt} {
			if err := r.Delete(context.Background(), receipt, AnyDelivery); err != nil {
				t.Fatal(err)
			}
		}
		events, _, err := r.Events(context.Background(), 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		late, stale := events[len(events)-2], events[len(events)-1]
		if late.Stale || late.Late != 2*time.Second {
			t.Errorf("event = %+v, want a late delete by the newest receipt", late)
		}
		if !stale.Stale || stale.Late != 0 || stale.Holder != "test" {
			t.Errorf("event = %+v, want a delete by an old receipt, in time", stale)
		}
	})
	t.Run("what is remembered is bounded", func(t *testing.T) {
		m := newRecent[int](2)
		for i := range 3 {
			m.put(Ref{Pos: uint64(i)}, i)
			m.put(Ref{Pos: uint64(i)}, i)
		}
		if _, ok := m.get(Ref{}); ok || len(m.values) != 2 {
			t.Errorf("values = %v, want the last two", m.values)
		}
	})
}
