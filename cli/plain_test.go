package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden files anew")

// atOnce lets the demo's time pass as fast as it can.
func atOnce(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func plainText(t *testing.T, last time.Duration) string {
	t.Helper()
	var out bytes.Buffer
	if err := plainDemo(t.Context(), &out, last, atOnce); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The first thirty seconds are the same in every run, on every machine.
func TestPlainDemo(t *testing.T) {
	golden := filepath.Join("testdata", "plain-30s.txt")
	got := plainText(t, 30*time.Second)
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.ReplaceAll(string(want), "\r\n", "\n"); got != want {
		t.Errorf("the demo tells another story than %s (go test ./cli -update writes it anew):\n%s", golden, got)
	}
}

func TestPlainDemoTellsTheWholeStory(t *testing.T) {
	got := plainText(t, 30*time.Second)
	for _, text := range []string{
		" queue made\n", " sent\n", " received by billing-1, receive 1\n", " deleted by billing-1\n",
		" lapsed: ", " its delay is over\n", " went to orders-dlq\n", "\nafter 30.0s\n",
	} {
		if !strings.Contains(got, text) {
			t.Errorf("thirty seconds without %q:\n%s", text, got)
		}
	}
	for _, text := range []string{" event ", "00000000", " by \n", ": did not", "…"} {
		if strings.Contains(got, text) {
			t.Errorf("a line with %q, which says that something was not known:\n%s", text, got)
		}
	}
}

// The process prints what the same time gives at once: no clock is in it.
func TestPlainDemoAsAProcess(t *testing.T) {
	got := finish(t, inflight(t, "demo", "--plain", "--for", "1s"))
	if want := plainText(t, time.Second); got.code != 0 || got.out != want || got.err != "" {
		t.Errorf("demo --plain --for 1s: %v\nwant on standard output: %s", got, want)
	}
}

func TestPlainDemoEndsWhenTold(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out bytes.Buffer
	err := plainDemo(ctx, &out, 0, func(ctx context.Context, elapsed time.Duration) error {
		if elapsed >= 2*time.Second {
			cancel()
		}
		return ctx.Err()
	})
	if err != nil || !strings.Contains(out.String(), "\nafter 1.9s\n") {
		t.Errorf("a demo told to end after 2 s: %v, printed %s", err, out.String())
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestPlainDemoEndsWithItsReader(t *testing.T) {
	if err := plainDemo(t.Context(), brokenPipe{}, time.Hour, atOnce); err == nil || !strings.Contains(err.Error(), "broken pipe") {
		t.Errorf("plainDemo to a broken pipe = %v, want that error", err)
	}
}

func TestRealPace(t *testing.T) {
	start := time.Now()
	wait := realPace(start)
	if err := wait(t.Context(), 30*time.Millisecond); err != nil || time.Since(start) < 30*time.Millisecond {
		t.Errorf("waited %v, %v, want 30ms at least", time.Since(start), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := wait(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("wait with an ended context = %v, want context.Canceled", err)
	}
}
