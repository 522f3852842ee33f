package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
)

func TestLeavingAnEndpointInUseAsks(t *testing.T) {
	tests := []struct {
		name string
		ago  time.Duration // of the last request; 0: there was none
		want string        // empty: it quits at once
	}{
		{"nobody asked", 0, ""},
		{"just now", time.Second, "boto3 asked 1s ago: applications lose http://127.0.0.1:9324. quit?  y/N"},
		{"under a minute ago", 59 * time.Second, "boto3 asked 59s ago: applications lose http://127.0.0.1:9324. quit?  y/N"},
		{"a minute ago", time.Minute, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			seen := Requests{}
			d := newDrive(fakeWorld(), Options{Endpoint: reached(&seen)}, 80, 24)
			if tt.ago > 0 {
				seen = Requests{Total: 1, Client: "boto3 AKIA…MPLE", At: d.fake.clock()}
			}
			d.after(max(tt.ago, time.Second))
			if quit := quits(d, "q"); quit != (tt.want == "") {
				t.Fatalf("q quits: %v", quit)
			}
			if got := ansi.Strip(d.View()); !strings.Contains(got, tt.want) {
				t.Errorf("it does not say %q:\n%s", tt.want, got)
			}
		})
	}
}

func TestALongReasonToStayLeavesTheAnswers(t *testing.T) {
	l := &leaveLine{th: testTheme(), text: strings.Repeat("a redrive runs; ", 9), offer: true, done: func() {}}
	for _, width := range []int{80, 120} {
		if got := ansi.Strip(l.View(width, 1)); !strings.HasSuffix(strings.TrimSpace(got), "quit?  y/N  or D delete them and quit") || ansi.StringWidth(got) != width {
			t.Errorf("%d: %q", width, got)
		}
	}
}

func TestTheHintLeadsBackFromAScreen(t *testing.T) {
	for hint, want := range map[string]string{
		"Press `3`, then `R`.":  "Press esc, 3, then R.",
		"`b` shows the job.":    "b shows the job.",
		"Nothing to press now.": "Nothing to press now.",
	} {
		d := newDrive(fakeWorld(), Options{Demo: &DemoOptions{Hint: func([]engine.QueueStats) string { return hint }}}, 80, 24)
		if line := ansi.Strip(d.hintLine(80)); strings.Contains(line, "esc") {
			t.Errorf("on the main screen: %q", line)
		}
		d.keys("L")
		if line := ansi.Strip(d.hintLine(80)); !strings.Contains(line, want) {
			t.Errorf("on a screen over it: %q, want %q", line, want)
		}
	}
}

func TestAfterAFailedRemovalLeavingAsksAgain(t *testing.T) {
	d := newDrive(fakeWorld(), Options{Demo: &DemoOptions{
		Running: func() bool { return true },
		Remove:  func(context.Context) error { return errors.New("the store is full") },
	}}, 100, 30)
	d.keys("q", "D")
	if !strings.Contains(d.status.last.text, "we did not quit") {
		t.Fatalf("the status line says %q", d.status.last.text)
	}
	if quits(d, "q") {
		t.Error("the next q quits without a question")
	}
}
