package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
)

// More may die while a redrive runs: it then moves more than there was.
func TestTheHeaderSaysAtMost100Percent(t *testing.T) {
	for want, moved := range map[string]int{"0%": 0, "50%": 30, "100%": 70} {
		f := fakeWorld()
		f.tasks = []engine.Task{{ID: 1, Source: "orders-dlq", Moved: moved, ToMove: 60, Started: fakeStart}}
		d := newDrive(f, Options{}, 100, 30)
		if got := ansi.Strip(d.header(100)); !strings.Contains(got, " "+want) {
			t.Errorf("%d of 60 moved: %q, want %s", moved, got, want)
		}
	}
}
