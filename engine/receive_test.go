package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestReceiveLimits(t *testing.T) {
	second := time.Second
	tests := []struct {
		name    string
		request ReceiveRequest
		field   string // empty: accepted
	}{
		{"no number is one", ReceiveRequest{}, ""},
		{"the most", ReceiveRequest{Max: 500}, ""},
		{"more", ReceiveRequest{Max: 501}, "MaxNumberOfMessages"},
		{"less than none", ReceiveRequest{Max: -1}, "MaxNumberOfMessages"},
		{"the longest visibility", ReceiveRequest{Visibility: seconds64(43200)}, ""},
		{"a longer visibility", ReceiveRequest{Visibility: seconds64(43201)}, "VisibilityTimeout"},
		{"a negative visibility", ReceiveRequest{Visibility: seconds64(-1)}, "VisibilityTimeout"},
		{"a wait too long", ReceiveRequest{Wait: seconds64(31)}, "WaitTimeSeconds"},
		{"a negative wait", ReceiveRequest{Wait: seconds64(-1)}, "WaitTimeSeconds"},
		{"a wait", ReceiveRequest{Wait: &second}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.queue("orders")
			r.send("orders", "a", "b")
			d, err := r.Receive(context.Background(), "orders", tt.request)
			if tt.field != "" {
				wantInvalid(t, err, tt.field)
				r.wantCounts("orders", Counts{Ready: 2})
				return
			}
			wantError(t, err, nil)
			r.want("received", len(d), min(2, max(1, tt.request.Max)))
		})
	}
}

func TestVisibility(t *testing.T) {
	ctx := context.Background()
	t.Run("an override applies to that receive only", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders", visibility(10*time.Second))
		r.send("orders", "a")
		d, err := r.Receive(ctx, "orders", ReceiveRequest{Visibility: seconds64(3)})
		if err != nil {
			t.Fatal(err)
		}
		r.want("due", d[0].Due.Sub(start), 3*time.Second)
		r.want("next lapse", r.stats("orders").NextLapse.Sub(start), 3*time.Second)
		r.pass(3 * time.Second)
		r.want("again", r.receive("orders", 1)[0].Due.Sub(r.now), 10*time.Second)
	})
	t.Run("with 0 it can be received again at once, and counts", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders", visibility(0))
		r.send("orders", "a")
		first, second := r.receive("orders", 1)[0], r.receive("orders", 1)[0]
		r.want("receives", fmt.Sprint(first.Receives, second.Receives), "1 2")
		if first.Receipt == second.Receipt {
			t.Error("two receives have the same receipt")
		}
		r.want("handed out twice by one receive", len(r.receive("orders", 10)), 1)
	})
	t.Run("a changed timeout holds for later receives", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders", visibility(5*time.Second))
		r.send("orders", "a", "b")
		r.receive("orders", 1)
		wantError(t, r.Configure(ctx, "orders", visibility(time.Minute)), nil)
		r.receive("orders", 1)
		r.pass(5 * time.Second)
		r.wantCounts("orders", Counts{Ready: 1, InFlight: 1})
	})
	t.Run("nothing there is no error", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders")
		r.want("received", len(r.receive("orders", 1)), 0)
		r.want("empty receives", r.stats("orders").Counters.EmptyReceives, 1)
		_, err := r.Receive(ctx, "nowhere", ReceiveRequest{})
		wantError(t, err, ErrQueueNotFound)
	})
	t.Run("lapses count", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders", visibility(time.Second))
		r.send("orders", "a", "b")
		r.receive("orders", 2)
		r.pass(time.Second)
		r.want("lapsed", r.stats("orders").Counters.Lapsed, 2)
	})
}

func TestOrder(t *testing.T) {
	ctx := context.Background()
	t.Run("poison starves nobody", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders", visibility(time.Second))
		for i := range 20 {
			r.send("orders", fmt.Sprint("poison", i))
		}
		r.send("orders", "good")
		for range 2 {
			r.want("received", len(r.receive("orders", 10)), 10)
			r.pass(time.Second)
		}
		r.want("third receive", bodies(r.receive("orders", 2)), []string{"good", "poison0"})
	})
	t.Run("what returns waits for what was there when it was handed out", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders", visibility(time.Second))
		r.send("orders", "a", "b")
		r.receive("orders", 1)
		r.send("orders", "c")
		r.pass(time.Second)
		want := []string{"b", "a", "c"}
		r.want("page", r.page("orders", Ready), want)
		r.reopen()
		r.want("page after a restart", r.page("orders", Ready), want)
		r.want("received", bodies(r.receive("orders", 3)), want)
	})
	t.Run("a released message waits its turn too", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders")
		r.send("orders", "a", "b", "c")
		d := r.receive("orders", 2)
		if _, err := r.Release(ctx, []Ref{d[1].Ref, d[0].Ref}); err != nil {
			t.Fatal(err)
		}
		r.want("page", r.page("orders", Ready), []string{"c", "a", "b"})
	})
	t.Run("a higher priority goes first, and order holds within each", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders")
		for _, m := range []struct {
			body     string
			priority int
		}{{"low", 16}, {"default", 0}, {"eight", 8}, {"high", 1}, {"high too", 1}, {"nine", 9}} {
			if _, err := r.Send(ctx, "orders", SendRequest{Body: []byte(m.body), Priority: m.priority}); err != nil {
				t.Fatal(err)
			}
		}
		want := []string{"high", "high too", "default", "eight", "nine", "low"}
		r.want("page", r.page("orders", Ready), want)
		r.reopen()
		r.want("received", bodies(r.receive("orders", 10)), want)
	})
}

func TestDeadLetterMoves(t *testing.T) {
	t.Run("a message keeps its id, its first receive and its count over all queues", func(t *testing.T) {
		r := newRig(t)
		r.queue("dlq")
		r.queue("orders", deadTo("dlq", 2), visibility(time.Second))
		r.send("orders", "a")
		id := r.receive("orders", 1)[0].Message.ID
		r.pass(time.Second)
		r.receive("orders", 1)
		r.pass(time.Second)
		r.receive("orders", 1)
		d := r.receive("dlq", 1)[0]
		r.want("id", d.Message.ID, id)
		r.want("receives", fmt.Sprint(d.Receives, d.Message.EarlierReceives), "1 2")
		r.want("first receive", d.FirstReceived, start)
		r.want("origin", d.Message.Origin, "orders")
		r.want("sent", d.Message.Sent, start)
		r.want("arrived", d.Message.Arrived, start.Add(2*time.Second))
	})
	t.Run("a message keeps who received it before, until it is redriven", func(t *testing.T) {
		r := newRig(t)
		r.queue("dlq")
		r.queue("orders", deadTo("dlq", 1), visibility(time.Second))
		r.send("orders", "a")
		r.receive("orders", 1)
		r.pass(time.Second)
		r.receive("orders", 1)
		inspect := func(queue string) Detail {
			page, err := r.Page(context.Background(), PageRequest{Queue: queue, Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			d, err := r.Inspect(context.Background(), page.Rows[0].Ref)
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		dead := inspect("dlq")
		r.want("before it died", dead.EarlierHistory, []Received{{At: start, Until: start.Add(time.Second), Holder: "test"}})
		r.want("since", len(dead.History), 0)
		if _, err := r.Move(context.Background(), []Ref{dead.Ref}, "orders"); err != nil {
			t.Fatal(err)
		}
		r.want("after a redrive", len(inspect("orders").EarlierHistory), 0)
	})
	t.Run("a receive that dead-letters many still delivers what is behind them", func(t *testing.T) {
		r := newRig(t)
		r.queue("dlq")
		r.queue("orders", deadTo("dlq", 1), visibility(time.Second))
		for i := range 250 {
			r.send("orders", fmt.Sprint(i))
		}
		r.receive("orders", 250)
		r.send("orders", "good")
		r.pass(time.Second)
		r.want("received", bodies(r.receive("orders", 1)), []string{"good"})
		r.wantCounts("dlq", Counts{Ready: 250})
		r.reopen()
		r.wantCounts("dlq", Counts{Ready: 250})
		r.want("order", r.page("dlq", Ready)[249], "249")
	})
	t.Run("a message older than the dead-letter queue's retention expires there at once", func(t *testing.T) {
		r := newRig(t)
		r.queue("dlq", retention(time.Minute))
		r.queue("orders", deadTo("dlq", 1), visibility(time.Second))
		r.send("orders", "a")
		r.receive("orders", 1)
		r.pass(time.Minute)
		r.receive("orders", 1)
		r.wantCounts("dlq", Counts{})
		c := r.stats("dlq").Counters
		r.want("in and expired", fmt.Sprint(c.DeadLetteredIn, c.Expired), "1 1")
	})
}

func retention(d time.Duration) func(*Attributes) { return func(a *Attributes) { a.Retention = d } }

func TestHolders(t *testing.T) {
	tests := []struct{ name, holder, want string }{
		{"a name is shown", "worker 1", "worker 1"},
		{"nobody is nobody", "", ""},
		{"a long name is cut", strings.Repeat("x", 99), strings.Repeat("x", 64)},
		{"but not within a character", "x" + strings.Repeat("ä", 60), "x" + strings.Repeat("ä", 31)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.queue("orders")
			ref := r.send("orders", "a")
			if _, err := r.Receive(context.Background(), "orders", ReceiveRequest{Holder: tt.holder}); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				detail, err := r.Inspect(context.Background(), ref)
				wantError(t, err, nil)
				r.want("holder", detail.Holder+", "+detail.History[0].Holder, tt.want+", "+tt.want)
				r.reopen()
			}
		})
	}
}
