package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"inflight/engine"
	"inflight/scenario"
	"inflight/storage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var start = time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)

// world is a scenario over the real engine, under a clock of its own.
type world struct {
	t      *testing.T
	engine *engine.Engine
	demo   *scenario.Scenario
	now    time.Time
	events []engine.Event
}

func newWorld(t *testing.T, options scenario.Options) *world {
	t.Helper()
	store, err := storage.OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, now: start}
	r := rand.New(rand.NewPCG(1, 2))
	w.engine, err = engine.Open(store, engine.Options{
		Now: func() time.Time { return w.now },
		NewID: func() (id engine.ID) {
			for i := range id {
				id[i] = byte(r.Uint32())
			}
			return id
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.engine.Close(); err != nil {
			t.Error(err)
		}
	})
	options.Start = start
	w.demo = scenario.New(w.engine, options)
	return w
}

func (w *world) setup() *world {
	w.t.Helper()
	if err := w.demo.Setup(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	return w
}

func (w *world) clock(t time.Time) error {
	w.now = t
	return w.engine.Tick(t)
}

// play lets the demo run until that long after its start.
func (w *world) play(elapsed time.Duration) {
	w.t.Helper()
	// The engine remembers so many events; they are read in strides that fit.
	for until := w.now; until.Before(start.Add(elapsed)); {
		if until = until.Add(time.Second); until.After(start.Add(elapsed)) {
			until = start.Add(elapsed)
		}
		if err := w.demo.Play(w.t.Context(), until, w.clock); err != nil {
			w.t.Fatalf("play to %v: %v", elapsed, err)
		}
		w.read()
	}
}

func (w *world) read() {
	w.t.Helper()
	for {
		after := uint64(0)
		if n := len(w.events); n > 0 {
			after = w.events[n-1].Seq
		}
		events, missed, err := w.engine.Events(w.t.Context(), after, 500)
		if err != nil || missed > 0 {
			w.t.Fatalf("events after %d: %d missed, %v", after, missed, err)
		}
		if len(events) == 0 {
			return
		}
		w.events = append(w.events, events...)
	}
}

func (w *world) stats() []engine.QueueStats {
	w.t.Helper()
	stats, err := w.engine.Queues(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return stats
}

func (w *world) queue(name string) engine.QueueStats {
	w.t.Helper()
	for _, q := range w.stats() {
		if q.Name == name {
			return q
		}
	}
	w.t.Fatalf("no queue %q", name)
	return engine.QueueStats{}
}

func (w *world) count(kind engine.EventKind) int {
	n := 0
	for _, event := range w.events {
		if event.Kind == kind {
			n += max(event.Count, 1)
		}
	}
	return n
}

func TestTimeline(t *testing.T) {
	tests := []struct {
		name string
		by   time.Duration
		want func(w *world) bool
	}{
		{"the first row is there within a second", time.Second,
			func(w *world) bool { return w.queue("orders").Counters.Sent > 0 }},
		{"a message is delayed within two", 2 * time.Second,
			func(w *world) bool { return w.queue("orders").Counts.Delayed > 0 }},
		{"messages are in flight within three", 3 * time.Second,
			func(w *world) bool { return w.queue("orders").Counts.InFlight >= 2 }},
		{"a lease lapses by eight", 8 * time.Second,
			func(w *world) bool { return w.count(engine.EventLapsed) > 0 }},
		{"an order dies by thirty", 30 * time.Second,
			func(w *world) bool { return w.count(engine.EventDeadLettered) > 0 }},
		{"five are dead by forty-five", 45 * time.Second,
			func(w *world) bool { return w.queue("orders-dlq").Counts.Ready >= 5 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, scenario.Options{Seed: 20260101}).setup()
			w.play(tt.by)
			if !tt.want(w) {
				t.Errorf("not after %v: %+v", tt.by, w.queue("orders"))
			}
		})
	}
}

func TestTheHintFollowsTheStory(t *testing.T) {
	w := newWorld(t, scenario.Options{Seed: 20260101}).setup()
	var hints []string
	for s := range 75 {
		hint := w.demo.Hint(w.stats())
		if strings.Count(hint, "`")%2 != 0 || strings.Count(hint, "`") == 0 {
			t.Errorf("hint names no key: %q", hint)
		}
		if !slices.Contains(hints, hint) {
			hints = append(hints, hint)
		}
		if dead := w.queue("orders-dlq").Counts.Ready; (dead >= 5) != strings.Contains(hint, "`R`, `tab`, `enter` redrives") {
			t.Fatalf("after %d s with %d dead the hint is %q", s, dead, hint)
		}
		w.play(time.Duration(s+1) * time.Second)
	}
	redrive := engine.RedriveRequest{Source: "orders-dlq"}
	if _, err := w.engine.StartRedrive(t.Context(), redrive); err != nil {
		t.Fatal(err)
	}
	w.play(76 * time.Second)
	hints = append(hints, w.demo.Hint(w.stats()))
	if len(hints) < 6 {
		t.Errorf("%d different hints, want at least 6: %q", len(hints), hints)
	}
	for _, hint := range hints {
		if n := len(strings.ReplaceAll(hint, "`", "")); n > 76 || strings.ContainsFunc(hint, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("hint of %d bytes, want at most 76 of ASCII: %q", n, hint)
		}
	}
}

// The consumers are mended once five are dead: a redrive then succeeds for a
// text amount, and fails for an order without a customer.
func TestARedriveAfterTheMendingSucceeds(t *testing.T) {
	w := newWorld(t, scenario.Options{Seed: 20260101}).setup()
	w.play(100 * time.Second)
	dead, err := w.engine.Page(t.Context(), engine.PageRequest{Queue: "orders-dlq", State: engine.Ready, Limit: 500})
	if err != nil {
		t.Fatal(err)
	}
	if len(dead.Rows) < 5 {
		t.Fatalf("%d dead after 100 s, want at least 5", len(dead.Rows))
	}
	hopeless := 0
	for _, row := range dead.Rows {
		if strings.Contains(string(row.Message.Body), `"customer":null`) {
			hopeless++
		}
	}
	if hopeless == 0 || hopeless == len(dead.Rows) {
		t.Fatalf("%d of %d dead have no customer; the demo needs both kinds", hopeless, len(dead.Rows))
	}
	if _, err := w.engine.StartRedrive(t.Context(), engine.RedriveRequest{Source: "orders-dlq"}); err != nil {
		t.Fatal(err)
	}
	w.play(160 * time.Second)
	again, err := w.engine.Page(t.Context(), engine.PageRequest{Queue: "orders-dlq", State: engine.Ready, Limit: 500})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range again.Rows {
		if !strings.Contains(string(row.Message.Body), `"customer":null`) {
			t.Errorf("dead again though billing is mended: %s", row.Message.Body)
		}
	}
	if len(again.Rows) < hopeless {
		t.Errorf("%d dead a minute after the redrive, want the %d without a customer again", len(again.Rows), hopeless)
	}
}

func TestTheSameSeedDoesTheSame(t *testing.T) {
	run := func(seed uint64, stride time.Duration) (lines []string) {
		w := newWorld(t, scenario.Options{Seed: seed}).setup()
		for elapsed := stride; elapsed <= time.Minute; elapsed += stride {
			w.play(elapsed)
		}
		for _, e := range w.events {
			lines = append(lines, fmt.Sprint(e.At.Sub(start), e.Kind, e.Queue, e.Ref, e.ID, e.Other, e.Holder, e.Receives))
		}
		slices.Sort(lines) // what ends at the same time in two queues has no order
		return lines
	}
	fine, coarse := run(1, 100*time.Millisecond), run(1, 15*time.Second)
	if !slices.Equal(fine, coarse) {
		t.Errorf("strides of 100 ms and of 15 s give %d and %d events that differ", len(fine), len(coarse))
	}
	if other := run(2, 15*time.Second); slices.Equal(fine, other) {
		t.Error("another seed does the same")
	}
}

// A demo that is left alone must not fill up: the consumers keep pace.
func TestItRunsForHours(t *testing.T) {
	if testing.Short() {
		t.Skip("two hours of traffic")
	}
	w := newWorld(t, scenario.Options{Seed: 7}).setup()
	for elapsed := 10 * time.Minute; elapsed <= 2*time.Hour; elapsed += 10 * time.Minute {
		w.play(elapsed)
		w.events = w.events[len(w.events)-1:]
		for name, most := range map[string]int{"orders": 60, "emails": 20, "audit": 700} {
			if c := w.queue(name).Counts; c.Ready+c.InFlight+c.Delayed > most {
				t.Errorf("after %v: %s holds %+v, want at most %d in all", elapsed, name, c, most)
			}
		}
	}
}

func TestSetupLeavesOthersQueuesAlone(t *testing.T) {
	for _, taken := range []string{"demo-orders", "demo-orders-dlq"} {
		t.Run(taken, func(t *testing.T) {
			w := newWorld(t, scenario.Options{Names: scenario.GuestNames})
			attributes := engine.DefaultAttributes()
			attributes.Tags = map[string]string{"mine": "yes"}
			if err := w.engine.CreateQueue(t.Context(), taken, attributes); err != nil {
				t.Fatal(err)
			}
			err := w.demo.Setup(t.Context())
			var exists *scenario.ExistsError
			if !errors.As(err, &exists) || exists.Queue != taken {
				t.Fatalf("Setup() = %v, want ExistsError for %q", err, taken)
			}
			if _, ok := w.demo.Next(); ok {
				t.Error("a refused demo has something to do")
			}
			if err := w.demo.Remove(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := w.stats(); len(got) != 1 || got[0].Attributes.Tags["mine"] != "yes" {
				t.Errorf("queues after a refused demo: %+v, want the one that was there", got)
			}
		})
	}
}

func TestRemoveDeletesWhatSetupMade(t *testing.T) {
	w := newWorld(t, scenario.Options{Names: scenario.GuestNames})
	if err := w.engine.CreateQueue(t.Context(), "mine", engine.DefaultAttributes()); err != nil {
		t.Fatal(err)
	}
	w.setup().play(10 * time.Second)
	if got := w.stats(); len(got) != 3 {
		t.Fatalf("%d queues while the demo runs, want 3: the small demo has two", len(got))
	}
	// An operator who was faster is no reason to fail.
	if err := w.engine.DeleteQueue(t.Context(), "demo-orders"); err != nil {
		t.Fatal(err)
	}
	if err := w.demo.Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := w.stats(); len(got) != 1 || got[0].Name != "mine" {
		t.Errorf("queues after Remove: %+v, want only the one of before", got)
	}
}

// What an operator does to the queues must not end the traffic.
func TestOperatorsMayDoAnything(t *testing.T) {
	w := newWorld(t, scenario.Options{Seed: 3}).setup()
	w.play(5 * time.Second)
	ctx := t.Context()
	acts := []func() error{
		func() error { _, err := w.engine.Purge(ctx, "orders"); return err },
		func() error {
			return w.engine.Configure(ctx, "orders", func(a *engine.Attributes) { a.MaximumMessageSize = 1 << 10 })
		},
		func() error {
			_, err := w.engine.Send(ctx, "orders", engine.SendRequest{Body: []byte("\x00 not an order")})
			return err
		},
		func() error { return w.engine.DeleteQueue(ctx, "orders-dlq") },
		func() error { return w.engine.DeleteQueue(ctx, "orders") },
		func() error { return w.engine.CreateQueue(ctx, "orders", engine.DefaultAttributes()) },
	}
	for i, act := range acts {
		if err := act(); err != nil {
			t.Fatalf("act %d: %v", i, err)
		}
		w.play(time.Duration(5*(i+2)) * time.Second)
	}
	if got := w.queue("orders").Counters.Received; got == 0 {
		t.Error("nothing is received from a queue that was made again")
	}
}

func TestAClosedEngineEndsTheTraffic(t *testing.T) {
	w := newWorld(t, scenario.Options{}).setup()
	w.play(time.Second)
	if err := w.engine.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.demo.Advance(t.Context(), start.Add(time.Minute)); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("Advance over a closed engine = %v, want ErrClosed", err)
	}
}

func TestAnEndedContextEndsTheTraffic(t *testing.T) {
	w := newWorld(t, scenario.Options{}).setup()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.demo.Advance(ctx, start.Add(time.Minute)); !errors.Is(err, context.Canceled) {
		t.Errorf("Advance = %v, want context.Canceled", err)
	}
}
