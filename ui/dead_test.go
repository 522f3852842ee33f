package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
)

// When room is short the age goes first; the receives stay to the end.
func TestWhichColumnsOfTheDeadStay(t *testing.T) {
	for _, tt := range []struct {
		width, height int
		want          []string
	}{
		{96, 26, []string{"id", "recv", "expires", "from", "body"}},
		{80, 24, []string{"id", "died", "recv", "expires", "from", "body"}},
		{58, 20, []string{"id", "recv", "body"}},
	} {
		d := watched(tt.width, tt.height)
		d.fake.find("orders-dlq").messages[60].Origin = "refunds"
		d.refresh()
		d.keys("3")
		head := strings.Trim(ansi.Strip(lines(d.main.lists[paneDead].View())[1]), "┃")
		if got := strings.Fields(head); !slices.Equal(got, tt.want) {
			t.Errorf("%dx%d: columns %q, want %q", tt.width, tt.height, got, tt.want)
		}
	}
}

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

func TestABlockedDeadMessageCannotBePeeked(t *testing.T) {
	f := fifoWorld()
	a := engine.DefaultAttributes()
	a.Type, a.Redrive = engine.FIFO, engine.RedrivePolicy{DLQ: "txn.fifo", MaxReceives: 3}
	f.make("src.fifo", a)
	d := newDrive(f, Options{}, 100, 30)
	d.send(openQueueMsg("src.fifo"))
	d.keys("3")
	p := d.main.lists[paneDead]
	k := p.kind.(*deadKind)
	free, waiting := 0, 0
	for i := range p.total {
		it := p.current()
		cost := ansi.Strip(strings.Join(p.costLines(90), "\n"))
		if !blocked(&it.Row) {
			free++
			if !k.Peek.Enabled() || strings.Contains(cost, peekBlocked) {
				t.Errorf("message %d: p is on: %v, want true:\n%s", i, k.Peek.Enabled(), cost)
			}
		} else {
			waiting++
			if k.Peek.Enabled() || p.why(k.Peek) != whyBlocked || !strings.Contains(cost, peekBlocked) {
				t.Errorf("message %d waits: p is on: %v, because %q:\n%s", i, k.Peek.Enabled(), p.why(k.Peek), cost)
			}
		}
		d.keys("j")
	}
	if free == 0 || waiting == 0 {
		t.Errorf("%d messages are free, %d wait: both are to be seen", free, waiting)
	}
}
