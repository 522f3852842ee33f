package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
)

func TestPollSumsItsCost(t *testing.T) {
	q := testQueues()[1]
	rows := func(n, dead, blocked int) []engine.Row {
		rows := testRows(n)
		for i := range rows {
			if i < dead {
				rows[i].DeadLetters = true
			} else if i < dead+blocked {
				rows[i].Blocker = engine.Ref{Queue: 9}
			}
		}
		return rows
	}
	tests := []struct {
		name  string
		first []engine.Row
		want  string
		asks  string // empty: it polls at once
	}{
		{"plain", rows(20, 0, 0), "10 messages: receives +1 each", ""},
		{"fewer than asked for", rows(3, 0, 0), "3 messages: receives +1 each", ""},
		{"two on their last receive", rows(20, 2, 0), "2 of the first have used 3 of 3: they move to orders-dlq.", "this poll moves 2 messages to orders-dlq instead. poll?"},
		{"blocked", rows(4, 0, 4), "nothing: every group waits for a message in flight or delayed", ""},
		{"some blocked", rows(4, 0, 3), "1 message: receives +1 each", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newPollForm(testTheme(), q)
			f.Update(pollFirstMsg{queue: "orders", rows: tt.first, total: len(tt.first)})
			if view := ansi.Strip(f.View(96, 20)); !strings.Contains(view, tt.want) {
				t.Errorf("it does not say %q:\n%s", tt.want, view)
			}
			then := pressKeys(f, "enter").(doneMsg).then
			if open, asks := then.(openMsg); asks != (tt.asks != "") {
				t.Errorf("enter asks for %#v", then)
			} else if asks && !strings.Contains(ansi.Strip(open.overlay.View(96, 1)), tt.asks) {
				t.Errorf("it asks %q", ansi.Strip(open.overlay.View(96, 1)))
			}
		})
	}
}

func TestPollAsksBeforeItDeadLetters(t *testing.T) {
	d := watched(100, 30)
	d.keys("1", "P", "enter")
	if called(d.fake, "Receive orders") {
		t.Fatal("a message on its last receive is dead-lettered without a question")
	}
	d.keys("n")
	if len(d.overlays) != 1 {
		t.Errorf("after no %d overlays are open, want the form", len(d.overlays))
	}
	d.keys("enter", "y")
	if !called(d.fake, "Receive orders") || len(d.overlays) != 0 {
		t.Error("y does not poll")
	}
}
