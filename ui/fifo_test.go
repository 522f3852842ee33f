package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"inflight/engine"
)

// fifoWorld is a FIFO queue of two groups, of which one waits.
func fifoWorld() *fakeEngine {
	f := newFake()
	now := f.clock()
	a := engine.DefaultAttributes()
	a.Type = engine.FIFO
	f.make("other.fifo", a)
	f.make("plain", engine.DefaultAttributes())
	q := f.make("txn.fifo", a)
	for i := range 6 {
		m := f.put(q, fmt.Sprintf(`{"transaction":%d}`, 100+i), now.Add(-time.Minute))
		m.Group, m.Sequence, m.Deduplication = fmt.Sprintf("g-%d", 7+i%2), uint64(1000+i), fmt.Sprintf("tx-%d", 100+i)
	}
	first := q.messages[0]
	first.receives, first.last, first.due, first.holder = 1, now.Add(-time.Second), now.Add(29*time.Second), "boto3"
	for _, i := range []int{2, 4} {
		q.messages[i].blocker = first
	}
	return f
}

func fifoDrive(width, height int) *drive {
	d := newDrive(fifoWorld(), Options{Place: "in memory"}, width, height)
	d.send(openQueueMsg("txn.fifo"))
	d.keys("1")
	return d
}

func TestFIFOViews(t *testing.T) {
	for name, keys := range map[string]string{
		"blocked": "j", "ready": "", "in flight": "2", "detail of a blocked one": "j enter", "send": "c", "settings": ",",
	} {
		t.Run(name, func(t *testing.T) {
			d := fifoDrive(100, 30)
			d.keys(strings.Fields(keys)...)
			requireScreen(t, d.View(), 100, 30)
		})
	}
}

func TestABlockedMessageSaysWhatItWaitsFor(t *testing.T) {
	d := fifoDrive(100, 30)
	d.keys("j")
	blocker := shortID(d.fake.find("txn.fifo").messages[0].ID)
	if want := "waits for " + blocker + " of group g-7 until 12:05:00"; !strings.Contains(plainScreen(d), want) {
		t.Errorf("the screen lacks %q:\n%s", want, plainScreen(d))
	}
	d.keys("p")
	if calls := strings.Join(d.fake.calls, " "); strings.Contains(calls, "Peek") {
		t.Error("a blocked message was peeked at")
	}
}

// The form makes what was chosen: a FIFO queue has its suffix, and a
// dead-letter queue of its own type.
func TestTheFormMakesAFIFOQueue(t *testing.T) {
	d := fifoDrive(100, 30)
	d.keys("n", "p", "a", "y", "tab", "right", "tab", "tab", "tab", "tab", "tab", "tab", "right")
	requireScreen(t, d.View(), 100, 30)
	for range 4 { // over the other fields and Cancel
		d.keys("tab")
	}
	d.keys("enter")
	q := d.fake.find("pay.fifo")
	if q == nil {
		t.Fatalf("no pay.fifo was made:\n%s", plainScreen(d))
	}
	if a := q.stats.Attributes; a.Type != engine.FIFO || !a.ContentDeduplication {
		t.Errorf("it was made with %+v", a)
	}
}

func TestNamesByType(t *testing.T) {
	for _, tt := range []struct {
		name string
		kind engine.Type
		fine bool
	}{
		{"a", engine.Standard, true}, {"a.fifo", engine.FIFO, true}, {"a", engine.FIFO, false},
		{"a.fifo", engine.Standard, false}, {"a.b.fifo", engine.FIFO, false}, {"a.b", engine.Standard, false},
	} {
		if got := nameProblem(tt.name, tt.kind); (got == "") != tt.fine {
			t.Errorf("nameProblem(%q, %v) = %q", tt.name, tt.kind, got)
		}
	}
}

func TestOnlyQueuesOfTheSameTypeAreOffered(t *testing.T) {
	f := fifoWorld()
	stats, err := f.Queues(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := queuesLike(*findQueue(stats, "txn.fifo"), stats); len(got) != 1 || got[0] != "other.fifo" {
		t.Errorf("offered: %q", got)
	}
}

// sentBefore is an engine that saw the deduplication id within 5 minutes.
type sentBefore struct{ Engine }

func (sentBefore) Send(context.Context, string, engine.SendRequest) (engine.Sent, error) {
	return engine.Sent{ID: engine.ID{0x7f, 3, 0x9e, 0x37}, Duplicate: true}, nil
}

func TestADuplicateIsNotSaidToBeSent(t *testing.T) {
	l := newLoader(t.Context(), sentBefore{}, time.Now)
	want := resultMsg{levelWarn, "nothing was sent to txn.fifo: 7f039e37 went there within 5 minutes with the same deduplication id"}
	if got := l.send(sendMsg{queue: "txn.fifo"})(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
