package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
)

// A form whose act is refused comes back with what was typed and the reason,
// and goes through once nothing stands against it.
func TestARefusedFormComesBack(t *testing.T) {
	tests := []struct {
		name  string
		open  string // keys that open the form, and fill it
		typed string // still on screen
		press string // the keys that act
		again string // the keys that act when it came back
		not   string // what the result line says
		call  string
	}{
		{"create", "n r e t u r n s", "returns", "shift+tab enter", "enter", "returns was not made", "CreateQueue returns"},
		{"configure", "1 , ctrl+u 5 1 s", "51s", "shift+tab enter", "enter", "the settings of orders are as before", "Configure orders"},
		{"send", "1 c h e l l o", "hello", "shift+tab enter", "enter", "nothing was sent to orders", "Send orders"},
		{"move", "1 m t", "txn", "shift+tab enter", "enter", "nothing was moved", "Move 1 txn-dlq.fifo"},
		{"redrive", "3 R shift+tab ctrl+u 7", "7 ", "tab tab enter", "enter", "no redrive of orders-dlq was started", "StartRedrive orders-dlq"},
		{"extend by a typed time", "2 G X ctrl+u 5 1 s", "51s", "enter", "enter", "nothing was extended", "Extend 1"},
		{"extend that was asked about", "2 G X ctrl+u 1 s", "1s", "enter y", "enter y", "nothing was extended", "Extend 1"},
		{"poll", "1 P ctrl+u 7", "7 ", "enter y", "enter y", "nothing was received", "Receive orders"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := watched(100, 40)
			d.keys(strings.Fields(tt.open)...)
			d.fake.deny = engine.ErrStoreFull
			d.keys(strings.Fields(tt.press)...)
			view := ansi.Strip(d.View())
			if len(d.overlays) != 1 || !strings.Contains(view, "✖ "+tt.not) || !strings.Contains(view, "the disk is nearly full") {
				t.Fatalf("%d overlays are open, want the form that says why:\n%s", len(d.overlays), view)
			}
			if !strings.Contains(view, tt.typed) {
				t.Errorf("%q is lost:\n%s", tt.typed, view)
			}
			if r := d.status.last; r.level != levelError || !strings.HasPrefix(r.text, tt.not) {
				t.Errorf("the result is %q, want %q", r.text, tt.not)
			}
			d.fake.deny, d.fake.calls = nil, nil
			d.refresh()
			d.keys(strings.Fields(tt.again)...)
			if len(d.overlays) != 0 || !called(d.fake, tt.call) || d.status.last.level == levelError {
				t.Errorf("pressed again: %d overlays, calls %v, %q", len(d.overlays), d.fake.calls, d.status.last.text)
			}
		})
	}
}

func TestARefusalGoesWhenSomethingIsTyped(t *testing.T) {
	d := watched(100, 40)
	d.keys("n", "x", "shift+tab")
	d.fake.deny = engine.ErrStoreFull
	d.keys("enter", "tab", "y")
	if view := ansi.Strip(d.View()); strings.Count(view, "nearly full") > 1 || !strings.Contains(view, "xy") {
		t.Errorf("after typing:\n%s", view)
	}
}

// Whoever says no to a question of a form is back in the form.
func TestAFormWaitsForItsQuestion(t *testing.T) {
	d := watched(100, 30)
	d.keys(strings.Fields("2 G X ctrl+u 1 s enter n")...)
	if view := ansi.Strip(d.View()); len(d.overlays) != 1 || !strings.Contains(view, "Hide for") || called(d.fake, "Extend 1") {
		t.Errorf("%d overlays:\n%s", len(d.overlays), view)
	}
}

// A form that comes back takes no keys from what was opened since.
func TestARefusedFormComesBackBelow(t *testing.T) {
	d := watched(100, 30)
	f := newPollForm(d.th, testQueues()[1]).(refusable)
	d.keys("?")
	d.send(refusedMsg{f, resultMsg{levelError, "no"}})
	if len(d.overlays) != 2 || d.overlays[0] != overlay(f) {
		t.Errorf("overlays: %v", d.overlays)
	}
	d.keys("esc")
	if view := ansi.Strip(d.View()); !strings.Contains(view, "✖ no") {
		t.Errorf("below it:\n%s", view)
	}
}

// A half-done bulk act is no reason to ask again: what is left stays marked.
func TestAHalfDoneMoveDoesNotComeBack(t *testing.T) {
	d := watched(100, 30)
	b := moveBulk(moveMsg{make([]engine.Ref, 600), "audit"})
	b.form, b.done, b.next = newPollForm(d.th, testQueues()[1]).(refusable), 500, 500
	d.bulk = &b
	d.send(bulkMsg{b, context.DeadlineExceeded})
	if len(d.overlays) != 0 || d.status.last.text != "moved 500, 100 not: the engine did not answer in time" {
		t.Errorf("%d overlays, %q", len(d.overlays), d.status.last.text)
	}
}

// A form stays open behind the question of leaving.
func TestAFormOutlivesTheQuestionOfLeaving(t *testing.T) {
	d := watched(100, 30)
	d.bulk = &bulk{doing: "moving", refs: make([]engine.Ref, 9)}
	d.keys("c", "h", "i", "ctrl+c", "n")
	if view := ansi.Strip(d.View()); !strings.Contains(view, "hi") || len(d.overlays) != 1 {
		t.Errorf("%d overlays:\n%s", len(d.overlays), view)
	}
	d.after(time.Second)
}
