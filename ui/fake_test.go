package ui

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"inflight/engine"
)

// fakeEngine is a queue engine small enough to trust: slices, and a clock that
// the test sets. It can be slow or failing.
type fakeEngine struct {
	mu     sync.Mutex
	clock  func() time.Time
	queues []*fakeQueue
	tasks  []engine.Task
	events []engine.Event
	seq    uint64

	wait  time.Duration // before every answer
	fail  error         // of every call
	deny  error         // of every call that changes something
	calls []string
}

type fakeQueue struct {
	stats    engine.QueueStats
	messages []*fakeMessage
	pos      uint64
}

type fakeMessage struct {
	engine.Message
	ref      engine.Ref
	due      time.Time
	receives int
	last     time.Time
	holder   string
	history  []engine.Received
	earlier  []engine.Received
	blocker  *fakeMessage // of a FIFO queue
}

var fakeStart = time.Date(2026, 3, 4, 12, 4, 31, 0, time.UTC)

func newFake() *fakeEngine {
	now := fakeStart
	return &fakeEngine{clock: func() time.Time { return now }}
}

var _ Engine = (*fakeEngine)(nil)

var fakeReads = []string{"Queues", "Page", "Locate", "Search", "Inspect", "Tasks", "Events"}

func (f *fakeEngine) begin(ctx context.Context, call string) (func(), error) {
	if f.wait > 0 {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(f.wait):
		}
	}
	f.mu.Lock()
	f.calls = append(f.calls, call)
	fail := f.fail
	if name, _, _ := strings.Cut(call, " "); fail == nil && !slices.Contains(fakeReads, name) {
		fail = f.deny
	}
	if fail != nil {
		f.mu.Unlock()
		return nil, fail
	}
	return f.mu.Unlock, nil
}

func (f *fakeEngine) find(name string) *fakeQueue {
	for _, q := range f.queues {
		if q.stats.Name == name {
			return q
		}
	}
	return nil
}

func (f *fakeEngine) named(name string) (*fakeQueue, error) {
	if q := f.find(name); q != nil {
		return q, nil
	}
	return nil, fmt.Errorf("queue %q: %w", name, engine.ErrQueueNotFound)
}

func (f *fakeEngine) event(e engine.Event) {
	f.seq++
	e.Seq, e.At = f.seq, f.clock()
	f.events = append(f.events, e)
}

// state is that of a message now.
func (f *fakeEngine) state(m *fakeMessage) engine.State {
	switch {
	case !m.due.After(f.clock()):
		return engine.Ready
	case m.receives == 0:
		return engine.Delayed
	default:
		return engine.InFlight
	}
}

func (f *fakeEngine) in(q *fakeQueue, state engine.State) []*fakeMessage {
	var found []*fakeMessage
	for _, m := range q.messages {
		if f.state(m) == state {
			found = append(found, m)
		}
	}
	if state != engine.Ready {
		slices.SortStableFunc(found, func(a, b *fakeMessage) int { return a.due.Compare(b.due) })
	}
	return found
}

func (f *fakeEngine) row(q *fakeQueue, m *fakeMessage) engine.Row {
	r := engine.Row{
		Ref: m.ref, State: f.state(m), Receives: m.receives, LastReceived: m.last, Holder: m.holder,
		Expires: m.Sent.Add(q.stats.Attributes.Retention), Message: m.Message,
	}
	if r.State != engine.Ready {
		r.Due = m.due
	}
	if m.blocker != nil {
		r.Blocker, r.BlockedUntil = m.blocker.ref, m.blocker.due
	}
	p := q.stats.Attributes.Redrive
	r.DeadLetters = p.DLQ != "" && m.receives >= p.MaxReceives && f.find(p.DLQ) != nil
	r.Message.Body = m.Body[:min(len(m.Body), engine.PreviewBytes)]
	return r
}

func (f *fakeEngine) Queues(ctx context.Context) ([]engine.QueueStats, error) {
	end, err := f.begin(ctx, "Queues")
	if err != nil {
		return nil, err
	}
	defer end()
	all := make([]engine.QueueStats, 0, len(f.queues))
	for _, q := range f.queues {
		s := q.stats
		s.Sources = nil
		for _, other := range f.queues {
			if other.stats.Attributes.Redrive.DLQ == s.Name {
				s.Sources = append(s.Sources, other.stats.Name)
			}
		}
		flight, delayed := f.in(q, engine.InFlight), f.in(q, engine.Delayed)
		s.Counts = engine.Counts{Ready: len(f.in(q, engine.Ready)), InFlight: len(flight), Delayed: len(delayed)}
		if len(flight) > 0 {
			s.NextLapse = flight[0].due
		}
		if len(delayed) > 0 {
			s.NextDelay = delayed[0].due
		}
		for _, m := range q.messages {
			if s.OldestArrived.IsZero() || m.Arrived.Before(s.OldestArrived) {
				s.OldestArrived = m.Arrived
			}
		}
		all = append(all, s)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all, nil
}

func (f *fakeEngine) CreateQueue(ctx context.Context, name string, a engine.Attributes) error {
	end, err := f.begin(ctx, "CreateQueue "+name)
	if err != nil {
		return err
	}
	defer end()
	f.make(name, a)
	return nil
}

// make is CreateQueue for set-up.
func (f *fakeEngine) make(name string, a engine.Attributes) *fakeQueue {
	q := &fakeQueue{stats: engine.QueueStats{
		Name: name, Number: uint32(len(f.queues) + 1), Attributes: a, Created: f.clock(), Modified: f.clock(),
	}}
	f.queues = append(f.queues, q)
	f.event(engine.Event{Kind: engine.EventQueueCreated, Queue: name})
	return q
}

func (f *fakeEngine) Configure(ctx context.Context, name string, change func(*engine.Attributes)) error {
	end, err := f.begin(ctx, "Configure "+name)
	if err != nil {
		return err
	}
	defer end()
	q, err := f.named(name)
	if err == nil {
		change(&q.stats.Attributes)
	}
	return err
}

func (f *fakeEngine) DeleteQueue(ctx context.Context, name string) error {
	end, err := f.begin(ctx, "DeleteQueue "+name)
	if err != nil {
		return err
	}
	defer end()
	f.queues = slices.DeleteFunc(f.queues, func(q *fakeQueue) bool { return q.stats.Name == name })
	f.event(engine.Event{Kind: engine.EventQueueDeleted, Queue: name})
	return nil
}

func (f *fakeEngine) Purge(ctx context.Context, name string) (int, error) {
	end, err := f.begin(ctx, "Purge "+name)
	if err != nil {
		return 0, err
	}
	defer end()
	q, err := f.named(name)
	if err != nil {
		return 0, err
	}
	n := len(q.messages)
	q.messages = nil
	return n, nil
}

func (f *fakeEngine) Page(ctx context.Context, r engine.PageRequest) (engine.Page, error) {
	end, err := f.begin(ctx, fmt.Sprintf("Page %s %v %d+%d", r.Queue, r.State, r.Offset, r.Limit))
	if err != nil {
		return engine.Page{}, err
	}
	defer end()
	q, err := f.named(r.Queue)
	if err != nil {
		return engine.Page{}, err
	}
	found := f.in(q, r.State)
	if r.Reverse {
		slices.Reverse(found)
	}
	page := engine.Page{Total: len(found), At: f.clock()}
	for i := r.Offset; i < min(r.Offset+r.Limit, len(found)); i++ {
		page.Rows = append(page.Rows, f.row(q, found[i]))
	}
	return page, nil
}

func (f *fakeEngine) lookup(ref engine.Ref) (*fakeQueue, *fakeMessage) {
	for _, q := range f.queues {
		if q.stats.Number != ref.Queue {
			continue
		}
		for _, m := range q.messages {
			if m.ref == ref {
				return q, m
			}
		}
	}
	return nil, nil
}

func (f *fakeEngine) Locate(ctx context.Context, ref engine.Ref) (engine.State, int, error) {
	end, err := f.begin(ctx, "Locate")
	if err != nil {
		return engine.Gone, 0, err
	}
	defer end()
	q, m := f.lookup(ref)
	if m == nil {
		return engine.Gone, 0, nil
	}
	state := f.state(m)
	return state, slices.Index(f.in(q, state), m), nil
}

func (f *fakeEngine) Search(ctx context.Context, r engine.SearchRequest) (engine.SearchResult, error) {
	end, err := f.begin(ctx, "Search "+r.Queue)
	if err != nil {
		return engine.SearchResult{}, err
	}
	defer end()
	q, err := f.named(r.Queue)
	if err != nil {
		return engine.SearchResult{}, err
	}
	found := f.in(q, r.State)
	if r.Reverse {
		slices.Reverse(found)
	}
	result := engine.SearchResult{Total: len(found), At: f.clock()}
	for _, m := range found {
		if result.Scanned == r.MaxScan || len(result.Rows) == r.MaxHits {
			break
		}
		result.Scanned++
		if r.Match(&m.Message) {
			result.Rows = append(result.Rows, f.row(q, m))
		}
	}
	return result, nil
}

func (f *fakeEngine) Inspect(ctx context.Context, ref engine.Ref) (engine.Detail, error) {
	end, err := f.begin(ctx, "Inspect")
	if err != nil {
		return engine.Detail{}, err
	}
	defer end()
	q, m := f.lookup(ref)
	if m == nil {
		return engine.Detail{}, engine.ErrMessageGone
	}
	d := engine.Detail{Row: f.row(q, m), Queue: q.stats.Name, History: m.history, EarlierHistory: m.earlier}
	d.Message = m.Message
	d.DLQ, d.MaxReceives = q.stats.Attributes.Redrive.DLQ, q.stats.Attributes.Redrive.MaxReceives
	return d, nil
}

func (f *fakeEngine) Send(ctx context.Context, queue string, r engine.SendRequest) (engine.Sent, error) {
	end, err := f.begin(ctx, "Send "+queue)
	if err != nil {
		return engine.Sent{}, err
	}
	defer end()
	q, err := f.named(queue)
	if err != nil {
		return engine.Sent{}, err
	}
	m := f.put(q, string(r.Body), f.clock())
	if r.Delay != nil {
		m.due = f.clock().Add(*r.Delay)
	}
	q.stats.Counters.Sent++
	f.event(engine.Event{Kind: engine.EventSent, Queue: queue, Ref: m.ref, ID: m.ID, Count: 1})
	return engine.Sent{ID: m.ID, Ref: m.ref}, nil
}

// put is Send for set-up.
func (f *fakeEngine) put(q *fakeQueue, body string, at time.Time) *fakeMessage {
	q.pos++
	m := &fakeMessage{ref: engine.Ref{Queue: q.stats.Number, Lane: 1, Pos: q.pos}}
	n := uint32(q.pos)*0x9e37 + q.stats.Number<<24
	m.ID = engine.ID{0x7f, byte(q.stats.Number), byte(n >> 8), byte(n), 4: 0x40, 8: 0x80, 15: byte(q.pos)}
	m.Sent, m.Arrived, m.Body, m.Size = at, at, []byte(body), len(body)
	q.messages = append(q.messages, m)
	return m
}

func (f *fakeEngine) deadLetter(q *fakeQueue, m *fakeMessage) string {
	dlq := f.find(q.stats.Attributes.Redrive.DLQ)
	f.drop(q, m)
	old := *m
	moved := f.put(dlq, string(m.Body), m.Sent)
	moved.ID, moved.Arrived, moved.Origin = old.ID, f.clock(), q.stats.Name
	moved.EarlierReceives, moved.earlier = old.receives, old.history
	q.stats.Counters.DeadLetteredOut++
	dlq.stats.Counters.DeadLetteredIn++
	f.event(engine.Event{Kind: engine.EventDeadLettered, Queue: q.stats.Name, Ref: old.ref, ID: old.ID, Other: dlq.stats.Name})
	return dlq.stats.Name
}

func (f *fakeEngine) drop(q *fakeQueue, m *fakeMessage) {
	q.messages = slices.DeleteFunc(q.messages, func(other *fakeMessage) bool { return other == m })
}
