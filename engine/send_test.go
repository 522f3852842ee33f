package engine

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

func seconds64(n int) *time.Duration {
	d := time.Duration(n) * time.Second
	return &d
}

func attributes(n int) (all []Attribute) {
	for i := range n {
		all = append(all, Attribute{fmt.Sprint("n", i), "String", []byte("v")})
	}
	return all
}

func TestSendLimits(t *testing.T) {
	body := []byte("a")
	size := func(n int) []byte { return bytes.Repeat([]byte("x"), n) }
	named := func(name, kind string) []Attribute { return []Attribute{{name, kind, []byte("v")}} }
	tests := []struct {
		name    string
		request SendRequest
		field   string // empty: accepted
	}{
		{"one byte", SendRequest{Body: body}, ""},
		{"no body", SendRequest{}, "MessageBody"},
		{"the largest body", SendRequest{Body: size(2048)}, ""},
		{"a byte more", SendRequest{Body: size(2049)}, "MessageBody"},
		{"attributes count: name, type and value", SendRequest{Body: size(2048 - 9), Attributes: attributes(1)}, ""},
		{"attributes that are a byte too much", SendRequest{Body: size(2048 - 8), Attributes: attributes(1)}, "MessageBody"},
		{"system attributes do not count", SendRequest{Body: size(2048), System: attributes(1)}, ""},
		{"the highest priority", SendRequest{Body: body, Priority: 1}, ""},
		{"the lowest priority", SendRequest{Body: body, Priority: 16}, ""},
		{"a priority above", SendRequest{Body: body, Priority: 17}, "Priority"},
		{"a negative priority", SendRequest{Body: body, Priority: -1}, "Priority"},
		{"the longest delay", SendRequest{Body: body, Delay: seconds64(7 * 24 * 3600)}, ""},
		{"a longer delay", SendRequest{Body: body, Delay: seconds64(7*24*3600 + 1)}, "DelaySeconds"},
		{"a negative delay", SendRequest{Body: body, Delay: seconds64(-1)}, "DelaySeconds"},
		{"ten attributes", SendRequest{Body: body, Attributes: attributes(10)}, ""},
		{"eleven attributes", SendRequest{Body: body, Attributes: attributes(11)}, "MessageAttributes"},
		{"the longest attribute name", SendRequest{Body: body, Attributes: named(strings.Repeat("ä", 256), "String")}, ""},
		{"a longer attribute name", SendRequest{Body: body, Attributes: named(strings.Repeat("a", 257), "String")}, "MessageAttributes"},
		{"no attribute name", SendRequest{Body: body, Attributes: named("", "String")}, "MessageAttributes"},
		{"no attribute type", SendRequest{Body: body, Attributes: named("n", "")}, "MessageAttributes"},
		{"a longer attribute type", SendRequest{Body: body, Attributes: named("n", strings.Repeat("S", 257))}, "MessageAttributes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.queue("orders", func(a *Attributes) { a.MaximumMessageSize = 2048 })
			sent, err := r.Send(context.Background(), "orders", tt.request)
			want := 1
			if tt.field != "" {
				want = 0
				wantInvalid(t, err, tt.field)
			} else if err != nil || sent.ID == (ID{}) {
				t.Fatalf("Send = %+v, %v", sent, err)
			}
			r.want("sent", r.stats("orders").Counters.Sent, want)
			c := r.stats("orders").Counts
			r.want("messages", c.Ready+c.Delayed, want)
		})
	}
}

func TestSendBatch(t *testing.T) {
	ctx := context.Background()
	t.Run("one with a fault does not keep the others", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders")
		results, err := r.SendBatch(ctx, "orders", []SendRequest{{Body: []byte("a")}, {}, {Body: []byte("b"), Priority: 99}, {Body: []byte("c")}})
		if err != nil {
			t.Fatal(err)
		}
		wantError(t, results[0].Err, nil)
		wantInvalid(t, results[1].Err, "MessageBody")
		wantInvalid(t, results[2].Err, "Priority")
		wantError(t, results[3].Err, nil)
		r.want("order", bodies(r.receive("orders", 10)), []string{"a", "c"})
	})
	t.Run("a batch has 1 to 500 messages", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders")
		_, err := r.SendBatch(ctx, "orders", nil)
		wantInvalid(t, err, "Messages", "1 to 500", "not 0")
		_, err = r.SendBatch(ctx, "orders", make([]SendRequest, 501))
		wantInvalid(t, err, "Messages", "1 to 500", "not 501")
	})
	t.Run("a batch has 16 MiB of bodies at most", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders")
		requests := make([]SendRequest, 17)
		for i := range requests {
			requests[i].Body = make([]byte, 1<<20)
		}
		_, err := r.SendBatch(ctx, "orders", requests)
		wantInvalid(t, err, "Messages")
		_, err = r.SendBatch(ctx, "orders", requests[:16])
		wantError(t, err, nil)
		r.wantCounts("orders", Counts{Ready: 16})
	})
	t.Run("a missing queue takes nothing", func(t *testing.T) {
		_, err := newRig(t).SendBatch(ctx, "nowhere", []SendRequest{{Body: []byte("a")}})
		wantError(t, err, ErrQueueNotFound)
	})
}

func TestDelays(t *testing.T) {
	ctx := context.Background()
	tests := []struct {
		name    string
		queue   time.Duration
		message *time.Duration
		want    time.Duration
	}{
		{"none", 0, nil, 0},
		{"the queue's", 3 * time.Second, nil, 3 * time.Second},
		{"the message's own", 0, seconds64(2), 2 * time.Second},
		{"the message's own goes before the queue's", 9 * time.Second, seconds64(2), 2 * time.Second},
		{"an explicit 0 goes before the queue's", 9 * time.Second, seconds64(0), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.queue("orders", func(a *Attributes) { a.Delay = tt.queue })
			if _, err := r.Send(ctx, "orders", SendRequest{Body: []byte("a"), Delay: tt.message}); err != nil {
				t.Fatal(err)
			}
			if tt.want > 0 {
				r.wantCounts("orders", Counts{Delayed: 1})
				r.want("next delay", r.stats("orders").NextDelay.Sub(start), tt.want)
				r.now = start.Add(tt.want - time.Millisecond)
				r.want("before", bodies(r.receive("orders", 1)), []string{})
			}
			r.now = start.Add(tt.want)
			r.want("then", bodies(r.receive("orders", 1)), []string{"a"})
		})
	}
	t.Run("a changed delay touches nothing that is there", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders", func(a *Attributes) { a.Delay = time.Minute })
		r.send("orders", "a")
		wantError(t, r.Configure(ctx, "orders", func(a *Attributes) { a.Delay = 0 }), nil)
		r.send("orders", "b")
		r.want("delayed", r.page("orders", Delayed), []string{"a"})
		r.want("ready", r.page("orders", Ready), []string{"b"})
	})
	t.Run("a delayed message keeps the place of its send", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders")
		if _, err := r.Send(ctx, "orders", SendRequest{Body: []byte("late"), Delay: seconds64(1)}); err != nil {
			t.Fatal(err)
		}
		r.send("orders", "b", "c")
		r.want("first", bodies(r.receive("orders", 1)), []string{"b"})
		r.pass(time.Second)
		r.want("then", bodies(r.receive("orders", 10)), []string{"late", "c"})
	})
}
