package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
)

func TestARangeOfAnotherQueueMarksNothing(t *testing.T) {
	d := watched(100, 30)
	p := d.main.lists[paneVisible]
	ask, ok := asked(t, d, "1", "v", "G", "v").(askRangeMsg)
	if !ok {
		t.Fatal("the far end of the range is not asked for")
	}
	late := d.loader.between(ask.load, ask.from, ask.to)()
	d.send(openQueueMsg("emails"))
	d.send(late)
	if len(p.marks) != 0 {
		t.Errorf("a late range of orders: %d marks in %s", len(p.marks), p.queue)
	}
}

func TestARangeWhoseStartIsNotInTheListMarksNothing(t *testing.T) {
	tests := []struct{ name, keys string }{
		{"the filter hides it", "1 j j j v / 12,50 enter G v"},
		{"the list is frozen elsewhere", "1 G v g F j j j v"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := watched(100, 30)
			p := d.main.lists[paneVisible]
			d.keys(strings.Fields(tt.keys)...)
			if len(p.marks) != 0 || !strings.HasPrefix(d.status.last.text, "nothing was marked") {
				t.Errorf("%d marks, and the status line says %q", len(p.marks), d.status.last.text)
			}
		})
	}
}

func TestAQueueMadeAnewStartsAfresh(t *testing.T) {
	d := watched(100, 30)
	p := d.main.lists[paneVisible]
	d.keys("1", "space", "space", "F")
	if err := d.fake.DeleteQueue(context.Background(), "orders"); err != nil {
		t.Fatal(err)
	}
	d.fake.make("orders", engine.DefaultAttributes()).stats.Number = 99
	d.after(time.Second)
	if len(p.marks) != 0 || p.frozen || p.total != 0 {
		t.Errorf("the new orders is empty; the list shows %d, %d marks, frozen: %v", p.total, len(p.marks), p.frozen)
	}
}

func TestDeletingMarkedMessagesInFlightWarns(t *testing.T) {
	tests := []struct {
		name   string
		events []engine.EventKind
		want   bool
	}{
		{"they were received", []engine.EventKind{engine.EventReceived}, true},
		{"they were released since", []engine.EventKind{engine.EventReceived, engine.EventReleased}, false},
		{"their leases lapsed since", []engine.EventKind{engine.EventReceived, engine.EventLapsed}, false},
		{"nothing happened", nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := watched(100, 30)
			d.keys("1", "space", "space")
			p := d.main.lists[paneVisible]
			var events []engine.Event
			for _, kind := range tt.events {
				for i := range 2 {
					events = append(events, engine.Event{Kind: kind, Ref: p.at(i).Ref, Holder: "billing-1"})
				}
			}
			p.Update(eventsMsg{events: events}) // what left the list does not come with its next page
			d.keys("D")
			if got := ansi.Strip(d.View()); strings.Contains(got, "2 of them in flight") != tt.want {
				t.Errorf("says that two are in flight: %v, want %v:\n%s", !tt.want, tt.want, got)
			}
		})
	}
}

func TestAMarkKeepsUpWithItsMessage(t *testing.T) {
	d := watched(100, 30)
	p := d.main.lists[paneFlight]
	d.keys("2", "G", "space")
	ref := p.at(p.cursor).Ref
	due := d.fake.clock().Add(2 * time.Hour)
	for _, m := range d.fake.find("orders").messages {
		if m.ref == ref {
			m.due = due
		}
	}
	d.refresh()
	if got := p.picks(); len(got) != 1 || !got[0].Due.Equal(due) {
		t.Errorf("the marked message is %+v, want it due at %v", got, due)
	}
}
