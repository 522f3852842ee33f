package ui

import (
	"strings"
	"testing"

	"inflight/engine"
)

func TestNamesAreCutInTheirMiddle(t *testing.T) {
	for _, tt := range []struct {
		name  string
		width int
		want  string
	}{
		{"orders", 6, "orders"}, {"orders-dlq", 7, "ord…dlq"}, {"orders-dlq", 8, "ord…-dlq"}, {"orders", 4, "ord…"},
		{"日本語キュー", 8, "日…ュー"}, {"orders", 0, ""},
		{"txn-dlq.fifo", 10, "txn-dlq…"}, {"transactions.fifo", 9, "tra…ions…"}, {"txn-dlq.fifo", 5, "tx…fo"},
	} {
		got := shortName(tt.name, tt.width, "…")
		if got != tt.want || cellWidth(got) > tt.width {
			t.Errorf("shortName(%q, %d) = %q, want %q", tt.name, tt.width, got, tt.want)
		}
	}
}

func TestLongNamesStayApart(t *testing.T) {
	f := newFake()
	prefix := strings.Repeat("shop-production-", 5)[:72]
	for _, end := range []string{"-billing", "-refunds"} {
		f.make(prefix+end, engine.DefaultAttributes())
	}
	for _, width := range []int{40, 60, 80, 100} {
		d := newDrive(f, Options{}, width, 30)
		d.keys("3")
		view := plainScreen(d)
		if !strings.Contains(view, "…") || !strings.Contains(view, "ing ") {
			t.Errorf("%d columns: the name lost its end:\n%s", width, view)
		}
		if width < wideFrom && !strings.Contains(view, "ing 0/0/0") {
			t.Errorf("%d columns: the tab lost its counts:\n%s", width, view)
		}
		if !strings.Contains(view, " has no dead-letter queue") {
			t.Errorf("%d columns: no reason in\n%s", width, view)
		}
	}
}
