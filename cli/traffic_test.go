package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"go.uber.org/goleak"

	"inflight/engine"
	"inflight/scenario"
	"inflight/ui"
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

// When showConsole returns nothing of it is left, whatever the screen did.
func TestTheConsoleIsTakenDownInOrder(t *testing.T) {
	broken := errors.New("the screen broke")
	for _, demo := range []bool{false, true} {
		t.Run(fmt.Sprintf("demo %v", demo), func(t *testing.T) {
			store, err := openMemory()
			if err != nil {
				t.Fatal(err)
			}
			var left ui.Engine
			err = showConsole(t.Context(), func(ctx context.Context, e ui.Engine, o ui.Options) error {
				left = e
				if o.Throwaway != demo || (o.Demo.Remove == nil) != demo || (o.Demo.Start == nil) != demo {
					t.Errorf("demo %v is shown with %+v, %+v", demo, o, o.Demo)
				}
				if !demo {
					if err := o.Demo.Start(ctx); err != nil {
						t.Error(err)
					}
				}
				if stats, err := e.Queues(ctx); err != nil || o.Demo.Hint(stats) == "" {
					t.Errorf("no hint over %+v, %v", stats, err)
				}
				return broken
			}, store, nil, "here", display{}, demo)
			if !errors.Is(err, broken) {
				t.Errorf("showConsole() = %v, want %v", err, broken)
			}
			if _, err := left.Queues(context.Background()); !errors.Is(err, engine.ErrClosed) {
				t.Errorf("the engine afterwards: %v, want ErrClosed", err)
			}
			// At once: against a closed engine the traffic would soon end by itself.
			stacks := make([]byte, 1<<20)
			if stacks = stacks[:runtime.Stack(stacks, true)]; bytes.Contains(stacks, []byte("(*Scenario).Run(")) {
				t.Error("the traffic outlives the engine")
			}
			if err := goleak.Find(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAConsoleToldToEndBeforeItBegan(t *testing.T) {
	store, err := openMemory()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = showConsole(ctx, func(context.Context, ui.Engine, ui.Options) error {
		t.Error("shown")
		return nil
	}, store, nil, "here", display{}, true)
	if err != nil {
		t.Errorf("showConsole() = %v, want nil: it was told to end", err)
	}
}
