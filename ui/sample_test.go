package ui

import (
	"slices"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
)

func TestHistory(t *testing.T) {
	start := time.Unix(1_700_000_000, 0)
	var h history
	add := func(after time.Duration, number uint32, ready int, sent uint64) {
		h.add(&engine.QueueStats{
			Number: number, Counts: engine.Counts{Ready: ready}, Counters: engine.Counters{Sent: sent},
		}, start.Add(after))
	}
	add(0, 1, 0, 1000)
	if got := h.rate(sentCounter); got != 0 {
		t.Errorf("rate of what was sent before we looked = %v, want 0", got)
	}
	for s := 1; s <= 30; s++ {
		add(time.Duration(s)*time.Second, 1, s, 1000+uint64(4*s))
	}
	if got := h.rate(sentCounter); got != 4 {
		t.Errorf("rate after 30 s at 4/s = %v, want 4", got)
	}
	if got, want := h.growth(sentCounter, 8), []int{unknown, 16, 20, 20, 20, 20, 20, 4}; !slices.Equal(got, want) {
		t.Errorf("growth = %v, want %v", got, want)
	}
	for s := 31; s <= 400; s++ {
		add(time.Duration(s)*time.Second, 1, s, 1120)
	}
	if got := h.grown(sentCounter, sampleSteps-1); got != 0 {
		t.Errorf("grown in 5 min = %d, want 0", got)
	}
	if got := h.depth(4); got[3] != 400 || got[0] >= got[1] {
		t.Errorf("depth = %v, want rising to 400", got)
	}
	add(401*time.Second, 2, 7, 50)
	if got := h.rate(sentCounter); got != 0 {
		t.Errorf("rate of a queue made anew = %v, want 0", got)
	}
}

func TestSpark(t *testing.T) {
	th := testTheme()
	got := ansi.Strip(spark(th, th.visible, []int{unknown, 0, 1, 50, 100}, false))
	if want := "▁▁▂▅█"; got != want {
		t.Errorf("spark = %q, want %q", got, want)
	}
}
