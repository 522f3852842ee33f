package cli

import (
	"errors"
	"testing"
	"time"

	"inflight/engine"
	"inflight/scenario"
)

func newSession(t *testing.T) *session {
	t.Helper()
	store, err := openMemory()
	if err != nil {
		t.Fatal(err)
	}
	s, err := startSession(store, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTrafficComesAndGoes(t *testing.T) {
	s := newSession(t)
	ctx := t.Context()
	traffic := newTraffic(s.engine, scenario.GuestNames)
	if traffic.Running() || traffic.Hint(nil) != "" {
		t.Error("traffic before Start")
	}
	if err := traffic.Start(ctx); err != nil {
		t.Fatal(err)
	}
	if err := traffic.Start(ctx); err != nil {
		t.Errorf("a second Start = %v, want nil: it runs", err)
	}
	first := time.Now()
	for sent := uint64(0); sent == 0; { // due after 100 ms
		stats, err := s.engine.Queues(ctx)
		if err != nil || len(stats) != 2 || time.Since(first) > 20*time.Second {
			t.Fatalf("after %v: %+v, %v, want two queues with messages", time.Since(first), stats, err)
		}
		sent = stats[0].Counters.Sent
		time.Sleep(10 * time.Millisecond)
		if !traffic.Running() || traffic.Hint(stats) == "" {
			t.Fatal("traffic runs and says nothing")
		}
	}
	if err := traffic.Remove(ctx); err != nil {
		t.Fatal(err)
	}
	if stats, err := s.engine.Queues(ctx); err != nil || len(stats) != 0 || traffic.Running() {
		t.Errorf("after Remove: %+v, %v, running %v", stats, err, traffic.Running())
	}
	if err := traffic.Start(ctx); err != nil {
		t.Errorf("Start after Remove: %v", err)
	}
	if err := errors.Join(traffic.end(), traffic.end(), s.end()); err != nil {
		t.Error(err)
	}
}

func TestTrafficLeavesQueuesOfThatNameAlone(t *testing.T) {
	s := newSession(t)
	if err := s.engine.CreateQueue(t.Context(), "demo-orders", engine.DefaultAttributes()); err != nil {
		t.Fatal(err)
	}
	traffic := newTraffic(s.engine, scenario.GuestNames)
	var exists *scenario.ExistsError
	if err := traffic.Start(t.Context()); !errors.As(err, &exists) {
		t.Errorf("Start() = %v, want ExistsError", err)
	}
	if err := errors.Join(traffic.Remove(t.Context()), traffic.end()); err != nil {
		t.Error(err)
	}
	if stats, err := s.engine.Queues(t.Context()); err != nil || len(stats) != 1 {
		t.Errorf("queues: %+v, %v, want the one that was there", stats, err)
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
}
