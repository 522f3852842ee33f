package ui

import (
	"testing"

	"inflight/engine"
)

// The selected queue's dead-letter queue goes while the queue to be shown next
// appears.
func TestRedriveIsOffOnceTheDLQIsGone(t *testing.T) {
	p := newQueuesPane(testTheme(), samples{})
	queues := testQueues()
	p.selected = "orders"
	p.Update(queuesMsg{queues: queues})
	if !p.Redrive.Enabled() {
		t.Fatal("R is off while there is something to redrive")
	}
	p.awaited = "fresh"
	p.Update(queuesMsg{queues: []engine.QueueStats{{Name: "fresh"}, queues[1]}})
	if p.Redrive.Enabled() {
		t.Error("R is on without a dead-letter queue")
	}
	if cmd := p.Update(keyOf("R")); cmd != nil {
		t.Errorf("R asks for %#v", cmd())
	}
}

func TestAFilterThatHidesAllKeepsTheQueue(t *testing.T) {
	d := watched(100, 30)
	d.keys("0", "/", "x", "y", "z", "enter", "j")
	q := d.main.queues
	if len(q.list) != 0 {
		t.Fatal("the filter hides nothing; the test shows nothing")
	}
	if shown := d.main.lists[paneVisible].selected; q.selected == "" || q.selected != shown {
		t.Errorf("selected %q, and the lists show %q", q.selected, shown)
	}
}

func TestAQueueThatTheFilterHidesIsOpened(t *testing.T) {
	tests := []struct{ name, open, filter string }{
		{"a queue that the filter hides", "emails", ""},
		{"a queue that it shows", "orders-dlq", "ord"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := watched(100, 30)
			d.keys("0", "/", "o", "r", "d", "enter")
			d.send(openQueueMsg(tt.open))
			q := d.main.queues
			if shown := d.main.lists[paneVisible].selected; q.selected != tt.open || shown != tt.open {
				t.Errorf("selected %q, on screen %q; want %q", q.selected, shown, tt.open)
			}
			if q.filter != tt.filter {
				t.Errorf("the filter is %q, want %q", q.filter, tt.filter)
			}
		})
	}
}
