package ui

import (
	"strings"
	"testing"
	"time"
)

func TestALongLeaseLeavesTheBars(t *testing.T) {
	d := watched(100, 30)
	d.keys("2")
	columns := lines(d.main.lists[paneFlight].View())[1]
	orders := d.fake.find("orders")
	for _, m := range orders.messages {
		if m.holder == "billing-1" {
			m.due = d.fake.clock().Add(12*time.Hour - time.Second)
			break
		}
	}
	d.keys("G", "k", "k", "G")
	d.refresh()
	view := plainScreen(d)
	if !strings.Contains(view, "  ━━━━━━ 11h 59m ") || !strings.Contains(view, "  ━━━━━━     28s ") {
		t.Errorf("no bars in\n%s", view)
	}
	if now := lines(d.main.lists[paneFlight].View())[1]; now != columns {
		t.Errorf("the columns moved from\n%s to\n%s", columns, now)
	}
}

func TestInFlightTheGroupGoesBeforeTheHolder(t *testing.T) {
	for _, width := range []int{96, 100} {
		d := fifoDrive(width, 30)
		for _, m := range d.fake.find("txn.fifo").messages {
			m.Group = "customer-4711"
			if m.holder != "" {
				m.holder = "billing-service-2"
			}
		}
		d.refresh()
		d.keys("2")
		view := plainScreen(d)
		if !strings.Contains(view, " 1  billing-service…") {
			t.Errorf("%d columns: the group took the holder's place:\n%s", width, view)
		}
	}
}

func TestTheTimeOfABlockedMessageIsNeverCut(t *testing.T) {
	for _, width := range []int{58, 80, 96, 100} {
		d := fifoDrive(width, 30)
		for _, m := range d.fake.find("txn.fifo").messages {
			m.Group = "a-customer-of-a-long-name-4711"
		}
		d.refresh()
		d.keys("j")
		if view := plainScreen(d); !strings.Contains(view, " until 12:05:00 ") {
			t.Errorf("%d columns: no time in\n%s", width, view)
		}
	}
}
