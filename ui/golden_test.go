package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"

	"inflight/engine"
)

// requireScreen compares a screen with its golden file, without colours, and
// checks that it is exactly its size. Look at a golden before you commit it.
func requireScreen(t *testing.T, screen string, width, height int) {
	t.Helper()
	requireSize(t, screen, width, height)
	golden.RequireEqual(t, ansi.Strip(screen))
}

func TestMainScreen(t *testing.T) {
	tests := []struct {
		name          string
		width, height int
		keys          string
	}{
		{"80x24 visible", 80, 24, "1"},
		{"80x24 in flight", 80, 24, "2"},
		{"80x24 dead", 80, 24, "3"},
		{"80x24 delayed", 80, 24, "4"},
		{"80x24 queues", 80, 24, "0"},
		{"100x30 visible", 100, 30, "1"},
		{"100x30 in flight", 100, 30, "2 j j j"},
		{"100x30 dead", 100, 30, "3"},
		{"100x30 delayed opens", 100, 30, "4"},
		{"100x30 queues", 100, 30, "0"},
		{"100x30 marks and a result", 100, 30, "1 j space space p"},
		{"100x30 a dead-letter queue", 100, 30, "0 j"},
		{"100x30 in a dead-letter queue", 100, 30, "] 1 j"},
		{"100x30 a queue without dead-letter queue", 100, 30, "0 g"},
		{"100x30 frozen", 100, 30, "2 F"},
		{"100x30 filter", 100, 30, "1 / 7 , 0 0 enter"},
		{"100x30 filter of a page", 100, 30, "2 l l"},
		{"100x30 a deletion asked", 100, 30, "2 D"},
		{"100x30 a dialog", 100, 30, "3 space space D"},
		{"100x30 zoom", 100, 30, "3 z"},
		{"100x30 zoomed queues", 100, 30, "0 z"},
		{"200x50", 200, 50, "2 j j"},
		{"58x20 id lease body", 58, 20, "2"},
		{"40x12 the smallest", 40, 12, "2"},
		{"39x12 too small", 39, 12, "2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := watched(tt.width, tt.height)
			d.keys(strings.Fields(tt.keys)...)
			requireScreen(t, d.View(), tt.width, tt.height)
		})
	}
}

func TestMainScreenInColour(t *testing.T) {
	for name, o := range map[string]themeOptions{
		"true colour": {profile: termenv.TrueColor},
		"light":       {profile: termenv.TrueColor, light: true},
		"no colour":   {profile: termenv.TrueColor, noColor: true},
	} {
		t.Run(name, func(t *testing.T) {
			d := watchedWith(newTheme(o), 100, 30)
			d.keys("2", "j", "j", "j")
			golden.RequireEqual(t, d.View())
		})
	}
}

func TestScreens(t *testing.T) {
	t.Run("welcome 80x24", func(t *testing.T) {
		d := newDrive(newFake(), Options{Place: "in memory", Version: "0.1.0", Demo: &DemoOptions{
			Start: noDemo, Running: func() bool { return false },
		}}, 80, 24)
		requireScreen(t, d.View(), 80, 24)
	})
	t.Run("welcome without a demo", func(t *testing.T) {
		d := newDrive(newFake(), Options{Place: "in memory"}, 100, 30)
		requireScreen(t, d.View(), 100, 30)
	})
	t.Run("not read yet", func(t *testing.T) {
		f := newFake()
		f.fail = engine.ErrStoreFailed
		d := newDrive(f, Options{Place: "~/data"}, 100, 30)
		requireScreen(t, d.View(), 100, 30)
	})
	t.Run("stale", func(t *testing.T) {
		d := watched(100, 30)
		d.fake.fail = engine.ErrStoreFailed
		d.after(4 * time.Second)
		requireScreen(t, d.View(), 100, 30)
	})
	t.Run("a running job and the demo's hint", func(t *testing.T) {
		f := fakeWorld()
		f.tasks = []engine.Task{{ID: 1, Source: "orders-dlq", Destination: "orders", Rate: 10, Moved: 23, ToMove: 61, Started: fakeStart}}
		d := newDrive(f, Options{Place: "demo", Demo: &DemoOptions{
			Hint: func(q []engine.QueueStats) string { return fmt.Sprintf("%d queues: press `3`, then `R`.", len(q)) },
		}}, 100, 30)
		requireScreen(t, d.View(), 100, 30)
	})
	for _, key := range []string{"?", "b", "L", "enter", "n"} {
		t.Run("over it "+key, func(t *testing.T) {
			d := watched(100, 30)
			d.keys("1", key)
			requireSize(t, d.View(), 100, 30)
			d.keys("esc")
			if len(d.screens)+len(d.overlays) > 0 {
				t.Errorf("after %s esc: %d screens and %d overlays are open", key, len(d.screens), len(d.overlays))
			}
		})
	}
}

// requireSize checks that a screen is exactly its size in cells.
func requireSize(t *testing.T, screen string, width, height int) {
	t.Helper()
	rows := lines(screen)
	if len(rows) != height {
		t.Errorf("%d rows, want %d", len(rows), height)
	}
	for i, row := range rows {
		if got := ansi.StringWidth(row); got != width {
			t.Errorf("row %d is %d cells wide, want %d: %q", i, got, width, ansi.Strip(row))
		}
	}
}
