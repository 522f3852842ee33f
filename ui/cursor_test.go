package ui

import (
	"strings"
	"testing"
	"time"

	"inflight/engine"
)

func TestCursorKeepsToItsMessage(t *testing.T) {
	d := watched(100, 30)
	d.keys("1", "j", "j")
	p := d.main.list()
	ref := p.anchor
	orders := d.fake.find("orders")

	orders.messages = orders.messages[1:] // the first one is gone
	d.refresh()
	if p.anchor != ref || p.cursor != 1 || p.departed != "" {
		t.Errorf("after one before it left: cursor %d on %v, %q; want 1 on %v", p.cursor, p.anchor, p.departed, ref)
	}

	next := p.at(p.cursor + 1).Ref
	d.fake.Remove(t.Context(), []engine.Ref{ref})
	d.refresh()
	if p.anchor != next || p.cursor != 1 {
		t.Errorf("after it was deleted: cursor %d on %v, want 1 on %v", p.cursor, p.anchor, next)
	}
	if want := "is gone"; !strings.Contains(p.departed, want) {
		t.Errorf("departed = %q, want %q in it", p.departed, want)
	}
	d.keys("j")
	if p.departed != "" {
		t.Errorf("after a key it still says %q", p.departed)
	}
}

func TestTheCursorKeepsItsMessageWhenTheFilterGoes(t *testing.T) {
	d := watched(100, 30)
	p := d.main.lists[paneVisible]
	d.keys("1", "/", "7", ",", "0", "0", "enter", "G")
	ref := p.anchor
	if ref != p.at(300).Ref {
		t.Fatalf("after G: cursor %d on %v", p.cursor, ref)
	}
	d.keys("esc")
	if it := p.current(); it == nil || it.Ref != ref || p.cursor != 1202 || !p.covered() {
		t.Errorf("after esc: cursor %d on %v, want 1202 on %v", p.cursor, p.anchor, ref)
	}
}

// In flight the first row is the one whose lease lapses next: a key must go to
// the message that was under the cursor, not to the one that came up.
func TestTheCursorInFlightHoldsAMessage(t *testing.T) {
	d := watched(100, 30)
	d.keys("2")
	p := d.main.list()
	first, next := p.at(0).Ref, p.at(1).Ref
	if p.anchor != first {
		t.Fatalf("with the focus, the cursor holds %v, want %v", p.anchor, first)
	}
	orders := d.fake.find("orders")
	for _, m := range orders.messages {
		if m.ref == next {
			m.due = m.due.Add(-2 * time.Second) // it is the first row now
		}
	}
	d.refresh()
	if p.anchor != first || p.cursor != 1 {
		t.Errorf("after another came up: cursor %d on %v, want 1 on %v", p.cursor, p.anchor, first)
	}
	d.fake.Remove(t.Context(), []engine.Ref{first})
	d.refresh()
	third := p.at(1).Ref
	if p.anchor != third || p.departed != "" {
		t.Errorf("after its message left: on %v, %q; want %v and no goodbye", p.anchor, p.departed, third)
	}
	d.keys("g")
	if p.anchor != next {
		t.Errorf("after g: on %v, want %v", p.anchor, next)
	}
}

func TestAMessageLostAtTheHeadGivesTheCursorToTheNext(t *testing.T) {
	d := watched(100, 30)
	d.keys("1", "j", "k")
	p := d.main.list()
	first, next := p.at(0).Ref, p.at(1).Ref
	d.fake.Remove(t.Context(), []engine.Ref{first})
	d.refresh()
	if p.anchor != next || p.departed == "" {
		t.Errorf("the cursor is on %v, %q; want %v and a goodbye", p.anchor, p.departed, next)
	}
	d.fake.Remove(t.Context(), []engine.Ref{next})
	d.refresh()
	if p.anchor != p.at(0).Ref {
		t.Errorf("then the cursor is on %v, want %v", p.anchor, p.at(0).Ref)
	}
}

func TestTheGoodbyeGoes(t *testing.T) {
	for name, gone := range map[string]func(*drive, *fakeMessage){
		"after five seconds":              func(d *drive, _ *fakeMessage) { d.after(5 * time.Second) },
		"when the message is there again": func(d *drive, m *fakeMessage) { m.due = d.fake.clock(); d.refresh() },
	} {
		t.Run(name, func(t *testing.T) {
			d := watched(100, 30)
			d.keys("1", "j")
			p := d.main.list()
			_, m := d.fake.lookup(p.anchor)
			d.fake.hand(d.fake.find("orders"), m, time.Minute, "billing-1", engine.ByReceive)
			d.after(time.Second)
			if p.departed == "" {
				t.Fatal("no goodbye")
			}
			gone(d, m)
			if p.departed != "" {
				t.Errorf("it still says %q", p.departed)
			}
		})
	}
}

func TestWhereTheMessageWent(t *testing.T) {
	ref := engine.Ref{Queue: 1, Pos: 7}
	tests := []struct {
		event *engine.Event
		state engine.State
		want  string
	}{
		{nil, engine.Ready, "is visible again"},
		{nil, engine.InFlight, "was received"},
		{nil, engine.Gone, "is gone"},
		{&engine.Event{Kind: engine.EventDeleted, Ref: ref, Holder: "billing-2"}, engine.Gone, "was deleted by billing-2"},
		{&engine.Event{Kind: engine.EventDeadLettered, Ref: ref, Other: "orders-dlq"}, engine.Gone, "died: it is in orders-dlq"},
		{&engine.Event{Kind: engine.EventLapsed, Ref: ref, Holder: "a"}, engine.Ready, "lapsed: visible again"},
		{&engine.Event{Kind: engine.EventDeleted, Ref: engine.Ref{Pos: 8}}, engine.Ready, "is visible again"},
	}
	for _, tt := range tests {
		if got := fateText(tt.event, ref, tt.state); got != tt.want {
			t.Errorf("fateText(%+v, %v) = %q, want %q", tt.event, tt.state, got, tt.want)
		}
	}
}
