package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"
)

// check compares everything that can be seen.
func (p *play) check(t *rapid.T) {
	if p.unseen {
		p.unseen = false
		return
	}
	all, err := p.e.Queues(context.Background())
	must(t, "queues", err, nil)
	equal(t, "queues", len(all), len(p.m.queues))
	for _, stats := range all {
		p.checkQueue(t, stats)
	}
	p.checkTasks(t)
	if err := p.e.verify(p.store); err != nil {
		t.Fatal(err)
	}
}

func (p *play) checkQueue(t *rapid.T, got QueueStats) {
	q := p.m.queue(got.Name)
	if q == nil {
		t.Fatalf("queue %q exists", got.Name)
	}
	p.m.apply(q)
	want := QueueStats{
		Name: q.name, Number: q.number, Attributes: q.attributes, Created: got.Created, Modified: got.Modified,
		Counts:   Counts{len(q.in(Ready)), len(q.in(InFlight)), len(q.in(Delayed))},
		Counters: q.counters,
	}
	for _, other := range p.m.queues {
		if other.attributes.Redrive.DLQ == q.name {
			want.Sources = append(want.Sources, other.name)
		}
	}
	slices.Sort(want.Sources)
	for _, x := range q.messages {
		if at := moment(x.arrived); want.OldestArrived.IsZero() || at.Before(want.OldestArrived) {
			want.OldestArrived = at
		}
	}
	if first := q.in(Delayed); len(first) > 0 {
		want.NextDelay = moment(first[0].due)
	}
	if first := q.in(InFlight); len(first) > 0 {
		want.NextLapse = moment(first[0].due)
	}
	equal(t, "stats of "+q.name, got, want)
	for _, state := range []State{Ready, InFlight, Delayed} {
		p.checkPages(t, q, state)
	}
}

func (p *play) checkPages(t *rapid.T, q *modelQueue, state State) {
	var want []string
	for i, x := range q.in(state) {
		due := time.Time{}
		if state != Ready {
			due = moment(x.due)
		}
		want = append(want, fmt.Sprintln(x.ref, state, due, x.receives, moment(x.last), p.m.deadLetters(q, x), x.body, x.ref.Lane,
			moment(x.sent), moment(x.arrived), x.origin, x.earlier, moment(x.sent+q.attributes.Retention.Milliseconds())))
		at, offset, err := p.e.Locate(context.Background(), x.ref)
		must(t, "locate", err, nil)
		equal(t, "locate", fmt.Sprint(at, offset), fmt.Sprint(state, i))
	}
	equal(t, fmt.Sprintf("%s in %s", state, q.name), p.pageOf(t, PageRequest{Queue: q.name, State: state, Limit: MaxBatch}), want)
	r := PageRequest{Queue: q.name, State: state, Offset: len(want) / 3, Limit: 2, Reverse: len(want)%2 == 0}
	if r.Reverse {
		slices.Reverse(want)
	}
	equal(t, fmt.Sprintf("a page of %s in %s", state, q.name), p.pageOf(t, r), want[r.Offset:min(len(want), r.Offset+r.Limit)])
}

func (p *play) pageOf(t *rapid.T, r PageRequest) []string {
	page, err := p.e.Page(context.Background(), r)
	must(t, "page", err, nil)
	var all []string
	for _, r := range page.Rows {
		m := r.Message
		all = append(all, fmt.Sprintln(r.Ref, r.State, r.Due, r.Receives, r.LastReceived, r.DeadLetters, string(m.Body), m.Priority,
			m.Sent, m.Arrived, m.Origin, m.EarlierReceives, r.Expires))
	}
	return all
}

func (p *play) checkTasks(t *rapid.T) {
	got, err := p.e.Tasks(context.Background())
	must(t, "tasks", err, nil)
	slices.Reverse(got) // oldest first
	var want []Task
	for i, x := range p.m.tasks {
		if i < len(got) {
			x.Started, x.Finished = got[i].Started, got[i].Finished
		}
		want = append(want, x.Task)
	}
	equal(t, "tasks", got, want)
}

// dump is everything that must survive a restart.
func (p *play) dump(t *rapid.T) string {
	var b strings.Builder
	all, err := p.e.Queues(context.Background())
	must(t, "queues", err, nil)
	for _, s := range all {
		p.m.apply(p.m.queue(s.Name))
		s.Counters.Lapsed, s.Counters.EmptyReceives = 0, 0 // these promise nothing
		fmt.Fprintf(&b, "%+v\n", s)
		for _, state := range []State{Ready, InFlight, Delayed} {
			page, err := p.e.Page(context.Background(), PageRequest{Queue: s.Name, State: state, Limit: MaxBatch})
			must(t, "page", err, nil)
			fmt.Fprintf(&b, "%+v\n", page)
		}
	}
	tasks, err := p.e.Tasks(context.Background())
	must(t, "tasks", err, nil)
	fmt.Fprintf(&b, "%+v\n", tasks)
	return b.String()
}

func (p *play) reopen(t *rapid.T) {
	before := p.dump(t)
	must(t, "close", p.e.Close(), nil)
	p.open(t)
	p.m.reopened()
	equal(t, "after reopening", p.dump(t), before)
	p.adopt(t)
}

// adopt takes over the counters that a restart may set back.
func (p *play) adopt(t *rapid.T) {
	all, err := p.e.Queues(context.Background())
	must(t, "queues", err, nil)
	for _, s := range all {
		if q := p.m.queue(s.Name); q != nil {
			p.m.apply(q)
			got, most := s.Counters, q.counters
			if got.Lapsed > most.Lapsed || got.EmptyReceives > most.EmptyReceives {
				t.Fatalf("counters of %q after reopening: %+v, before %+v", s.Name, got, most)
			}
			q.counters.Lapsed, q.counters.EmptyReceives = got.Lapsed, got.EmptyReceives
		}
	}
}

var errBroken = errors.New("broken")

// fail breaks the store under one operation: it has not happened, and nothing
// else does until the engine is opened again.
func (p *play) fail(t *rapid.T) {
	must(t, "flush", p.e.last().wait(), nil)
	before := p.m.clone()
	q, refs := p.queue(t), p.someRefs(t)
	p.store.set(func(m *memory) { m.fail = errBroken })
	ctx := context.Background()
	var err error
	switch rapid.IntRange(0, 6).Draw(t, "operation") {
	case 0:
		_, err = p.e.SendBatch(ctx, q.name, []SendRequest{{Body: []byte("x")}})
		must(t, "send", err, ErrStoreFailed)
		must(t, "send", err, errBroken)
	case 1:
		var deliveries []Delivery
		deliveries, err = p.e.Receive(ctx, q.name, ReceiveRequest{Max: 3, Wait: new(time.Duration)})
		equal(t, "deliveries", len(deliveries), 0)
	case 2:
		_, err = p.e.Purge(ctx, q.name)
		must(t, "purge", err, ErrStoreFailed)
	case 3:
		_, err = p.e.Remove(ctx, refs)
	case 4:
		err = p.e.DeleteQueue(ctx, q.name)
		must(t, "delete queue", err, ErrStoreFailed)
	case 5:
		err = p.e.Tick(p.now)
	case 6:
		_, err = p.e.StartRedrive(ctx, RedriveRequest{Source: q.name})
	}
	failed := p.e.last().wait()
	if failed != nil {
		p.checkFailed(t, q.name)
	} else if errors.Is(err, ErrStoreFailed) {
		t.Fatalf("%v, but nothing failed", err)
	}
	if err := p.e.Close(); err != nil {
		t.Fatal(err)
	}
	p.store.set(func(m *memory) { m.fail = nil })
	p.m = before
	p.open(t)
	p.m.reopened()
	p.adopt(t)
}

func (p *play) checkFailed(t *rapid.T, queue string) {
	ctx := context.Background()
	_, err := p.e.SendBatch(ctx, queue, []SendRequest{{Body: []byte("x")}})
	must(t, "send after a failure", err, ErrStoreFailed)
	_, err = p.e.Receive(ctx, queue, ReceiveRequest{})
	must(t, "receive after a failure", err, ErrStoreFailed)
	_, err = p.e.Page(ctx, PageRequest{Queue: queue})
	must(t, "page after a failure", err, ErrStoreFailed)
	must(t, "tick after a failure", p.e.Tick(p.now), ErrStoreFailed)
}
