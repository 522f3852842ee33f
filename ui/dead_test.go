package ui

import (
	"strings"
	"testing"
	"time"

	"inflight/engine"
)

func TestDeadMessagesThatAreHeldAreNotNothing(t *testing.T) {
	for _, width := range []int{80, 100} {
		d := watched(width, 30)
		dlq := d.fake.find("orders-dlq")
		for i, m := range dlq.messages {
			if i < 6 {
				d.fake.hand(dlq, m, time.Minute, "fixer", engine.ByReceive)
			}
		}
		d.refresh()
		d.keys("3")
		if want := "Dead 55  6 held"; !strings.Contains(plainScreen(d), want) {
			t.Errorf("no %q in\n%s", want, plainScreen(d))
		}
		dlq.messages = dlq.messages[:6]
		d.refresh()
		for _, want := range []string{"Dead 0  6 held", "6 are held by consumers of orders-dlq.", "(6)"} {
			if !strings.Contains(plainScreen(d), want) {
				t.Errorf("no %q in\n%s", want, plainScreen(d))
			}
		}
		dead := d.main.list()
		if got, want := dead.why(dead.kind.(*deadKind).Redrive), "all 6 are held there"; got != want {
			t.Errorf("why R is off = %q, want %q", got, want)
		}
	}
}
