package storage_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"inflight/engine"
	"inflight/storage"
)

// fifoPlay is an engine with FIFO queues on a store on disk.
type fifoPlay struct {
	*testing.T
	*engine.Engine
	dir    string
	now    time.Time
	random *rand.Rand
	held   []engine.Delivery
	until  map[string]time.Time // the model: when a deduplication id is forgotten
}

func (p *fifoPlay) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

func (p *fifoPlay) open() {
	p.Helper()
	store, err := storage.Open(p.dir, storage.Options{NoSync: true})
	p.must(err)
	p.Engine, err = engine.Open(store, engine.Options{Now: func() time.Time { return p.now }})
	p.must(err)
}

// send sends to a few groups with a few deduplication ids, some of which were
// there lately.
func (p *fifoPlay) send() {
	for range 1 + p.random.IntN(3) {
		id := fmt.Sprint("id", p.random.IntN(12))
		sent, err := p.Send(ctx, "q.fifo", engine.SendRequest{
			Body: body[:1+p.random.IntN(100)], Group: fmt.Sprint("g", p.random.IntN(5)), Deduplication: id,
		})
		p.must(err)
		if want := p.now.Before(p.until[id]); sent.Duplicate != want {
			p.Fatalf("send of %s at %v: duplicate = %v, want %v", id, p.now, sent.Duplicate, want)
		}
		if !sent.Duplicate {
			p.until[id] = p.now.Add(5 * time.Minute)
		}
	}
}

func (p *fifoPlay) receive() {
	queue := []string{"q.fifo", "dead.fifo"}[p.random.IntN(8)/7]
	got, err := p.Receive(ctx, queue, engine.ReceiveRequest{Max: 1 + p.random.IntN(4), Holder: "w"})
	p.must(err)
	p.held = append(p.held, got...)
}

// answer deletes or gives back what was received, perhaps too late.
func (p *fifoPlay) answer() {
	if len(p.held) == 0 {
		return
	}
	i := p.random.IntN(len(p.held))
	receipt := p.held[i].Receipt
	p.held = slices.Delete(p.held, i, i+1)
	var err error
	if p.random.IntN(3) == 0 {
		err = p.Delete(ctx, receipt, engine.LastReceive)
	} else {
		_, _, err = p.ChangeVisibility(ctx, engine.VisibilityRequest{Receipt: receipt, Strictness: engine.LastReceive})
	}
	if err != nil && !errors.Is(err, engine.ErrMessageGone) && !errors.Is(err, engine.ErrReceiptStale) && !errors.Is(err, engine.ErrReceiptExpired) {
		p.Fatal(err)
	}
}

// pass lets time go by; what is due then is up to the reaper or the next call.
func (p *fifoPlay) pass() {
	p.now = p.now.Add(time.Duration(p.random.IntN(120)) * time.Second)
	if p.random.IntN(2) == 0 {
		p.must(p.Tick(p.now))
	}
}

// tend does what an operator does now and then.
func (p *fifoPlay) tend() {
	switch p.random.IntN(8) {
	case 0:
		_, err := p.Purge(ctx, "q.fifo")
		p.must(err)
		clear(p.until)
	case 1, 2, 3:
		_, err := p.StartRedrive(ctx, engine.RedriveRequest{Source: "dead.fifo"})
		if !errors.Is(err, engine.ErrTaskRunning) {
			p.must(err)
		}
	case 4, 5:
		var refs []engine.Ref
		for _, row := range p.rows("q.fifo", engine.Ready) {
			if p.random.IntN(4) == 0 {
				refs = append(refs, row.Ref)
			}
		}
		if len(refs) > 0 {
			_, err := p.Remove(ctx, refs)
			p.must(err)
		}
	case 6: // expires all that waits
		p.now = p.now.Add(2 * time.Hour)
		p.must(p.Tick(p.now))
	}
}

func (p *fifoPlay) rows(queue string, state engine.State) []engine.Row {
	p.Helper()
	page, err := p.Page(ctx, engine.PageRequest{Queue: queue, State: state, Limit: 500})
	p.must(err)
	return page.Rows
}

// all is what both queues hold, in an order that a restart keeps.
func (p *fifoPlay) all() (lines []string) {
	for _, queue := range []string{"q.fifo", "dead.fifo"} {
		for _, state := range []engine.State{engine.Ready, engine.InFlight, engine.Delayed} {
			for _, row := range p.rows(queue, state) {
				m := row.Message
				lines = append(lines, fmt.Sprintln(queue, state, row.Ref, row.Due, row.Receives, m.ID, m.Sent, m.Group, m.Deduplication, m.Sequence, m.Origin, m.EarlierReceives))
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// missing are the lines of a that b has not.
func missing(a, b []string) (lines []string) {
	for _, line := range a {
		if !slices.Contains(b, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

func (p *fifoPlay) check() {
	p.Helper()
	p.must(p.Check(ctx, func(problem string) { p.Errorf("check: %s", problem) }))
	if p.Failed() {
		p.FailNow()
	}
}

// sendOnce sends with one deduplication id, and says whether it was seen.
func (p *fifoPlay) sendOnce() bool {
	p.Helper()
	sent, err := p.Send(ctx, "q.fifo", engine.SendRequest{Body: body, Group: "g", Deduplication: "d"})
	p.must(err)
	return sent.Duplicate
}

func TestADeduplicationIdIsKnownAfterReopening(t *testing.T) {
	p := &fifoPlay{T: t, dir: t.TempDir(), now: time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)}
	p.open()
	a := engine.DefaultAttributes()
	a.Type = engine.FIFO
	p.must(p.CreateQueue(ctx, "q.fifo", a))
	for _, tt := range []struct {
		name string
		pass time.Duration
		seen bool
	}{
		{"the first", 0, false},
		{"within the window", 4 * time.Minute, true},
		{"when it is over", time.Minute, false},
		{"within the second window", 4 * time.Minute, true},
		{"when that is over", time.Minute, false},
	} {
		p.now = p.now.Add(tt.pass)
		if seen := p.sendOnce(); seen != tt.seen {
			t.Errorf("send %s: seen = %v, want %v", tt.name, seen, tt.seen)
		}
		p.must(p.Engine.Close())
		p.open()
	}
	p.must(p.Engine.Close())
}

// TestFIFOQueuesOnDisk lets groups come and go, dead-letters, redrives, purges
// and reopens: Check finds nothing, and nothing is forgotten too early or too
// late.
func TestFIFOQueuesOnDisk(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	p := &fifoPlay{T: t, dir: t.TempDir(), now: time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC),
		random: rand.New(rand.NewPCG(seed, 0)), until: map[string]time.Time{}}
	p.open()
	dead := engine.DefaultAttributes()
	dead.Type, dead.Retention = engine.FIFO, 3*time.Hour
	q := dead
	q.Retention, q.Redrive = time.Hour, engine.RedrivePolicy{DLQ: "dead.fifo", MaxReceives: 2}
	q.Extra = map[string]string{"Policy": "{}"}
	p.must(errors.Join(p.CreateQueue(ctx, "dead.fifo", dead), p.CreateQueue(ctx, "q.fifo", q)))
	for step := range 600 {
		switch p.random.IntN(12) {
		case 0, 1, 2:
			p.send()
		case 3, 4, 5:
			p.receive()
		case 6, 7, 8, 9:
			p.answer()
		case 10:
			p.pass()
		case 11:
			p.tend()
		}
		if step%10 == 0 {
			p.check()
		}
		if step%60 == 0 {
			before := p.all()
			p.must(p.Engine.Close())
			p.open()
			if after := p.all(); !slices.Equal(before, after) {
				t.Fatalf("after reopening there is\n%s\nbefore there was\n%s", missing(after, before), missing(before, after))
			}
		}
	}
	stats, err := p.Queue(ctx, "q.fifo")
	p.must(err)
	if stats.Counters.DeadLetteredOut == 0 || stats.Counters.Deleted == 0 {
		t.Errorf("%+v: the test shows nothing", stats.Counters)
	}
	p.must(p.Engine.Close()) // not deferred: behind a panic of the engine it would wait for ever
}
