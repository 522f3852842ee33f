package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestModel plays the engine against the model, with time, restarts and store
// failures.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &play{store: newMemory(), now: start, m: newModel(start.UnixMilli())}
		p.open(t)
		defer func() { p.e.Close() }()
		for _, name := range []string{"a", "b", "dead"} {
			p.create(t, name)
		}
		for _, name := range []string{"a", "b"} {
			p.configureWith(t, name, deadTo("dead", 2))
		}
		t.Repeat(map[string]func(*rapid.T){
			"": p.check, "send": p.send, "send more": p.send, "send most": p.send, "receive": p.receive, "receive again": p.receive, "gone": p.receiveGone,
			"delete": p.delete, "change visibility": p.changeVisibility, "change again": p.changeVisibility, "extend": p.extend, "remove": p.removeRefs,
			"move": p.move, "peek": p.peek, "purge": p.purge, "delete queue": p.deleteQueue, "create queue": p.createQueue,
			"configure": p.configure, "start redrive": p.startRedrive, "steer redrive": p.steerRedrive,
			"tick": p.tick, "reap": p.reap, "advance": p.advance, "tick later": p.advanceAndTick, "reopen": p.reopen, "fail": p.fail,
		})
	})
}

// play is one run of the property.
type play struct {
	e        *Engine
	store    *memory
	m        *model
	now      time.Time
	ids      uint64
	sends    int
	receipts []held
	stale    []Ref // of messages that went or moved
	unseen   bool  // time went by: the next operation has to notice, not the check
}

var names = []string{"a", "b", "c", "dead"}

func (p *play) open(t *rapid.T) {
	e, err := Open(p.store, Options{Now: func() time.Time { return p.now }, NewID: func() (id ID) {
		p.ids++
		binary.BigEndian.PutUint64(id[:], p.ids)
		return id
	}})
	if err != nil {
		t.Fatal(err)
	}
	p.e = e
}

// must compares an error with the model's.
func must(t *rapid.T, what string, err, want error) {
	t.Helper()
	ok := errors.Is(err, want)
	if want == errInvalid {
		ok = isInvalid(err)
	}
	if !ok {
		t.Fatalf("%s: %v, want %v", what, err, want)
	}
}

func equal(t *rapid.T, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.Fatalf("%s\n got %s\nwant %s", what, g, w)
	}
}

func (p *play) create(t *rapid.T, name string) {
	a := DefaultAttributes()
	a.Retention = 10 * time.Minute
	q := p.m.queue(name)
	err := p.e.CreateQueue(context.Background(), name, a)
	switch {
	case q == nil:
		must(t, "create", err, nil)
		p.m.create(name, a)
	case fmt.Sprint(q.attributes) == fmt.Sprint(a):
		must(t, "create again", err, nil)
	default:
		must(t, "create again", err, ErrQueueExists)
	}
}

func (p *play) createQueue(t *rapid.T) { p.create(t, rapid.SampledFrom(names).Draw(t, "name")) }

func (p *play) deleteQueue(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "rare") < 3 {
		t.Skip("rare")
	}
	name := rapid.SampledFrom(names).Draw(t, "name")
	err := p.e.DeleteQueue(context.Background(), name)
	if p.m.queue(name) == nil {
		must(t, "delete queue", err, ErrQueueNotFound)
		return
	}
	must(t, "delete queue", err, nil)
	p.m.delete(name)
}

// queue draws a queue that exists, after applying what is due in it.
func (p *play) queue(t *rapid.T) *modelQueue {
	busy := append([]string{"a", "a", "a", "dead"}, names...) // rather much in few queues than little in many
	q := p.m.queue(rapid.SampledFrom(busy).Draw(t, "queue"))
	if q == nil {
		t.Skip("no such queue")
	}
	p.m.apply(q)
	return q
}

// ref draws a message, now and then one that is gone.
func (p *play) ref(t *rapid.T) Ref {
	var all []Ref
	for _, q := range p.m.queues {
		for _, x := range q.messages {
			all = append(all, x.ref)
		}
	}
	if len(p.stale) > 0 && rapid.IntRange(0, 9).Draw(t, "stale") == 0 {
		all = p.stale
	}
	if len(all) == 0 {
		t.Skip("no message")
	}
	ref := rapid.SampledFrom(all).Draw(t, "ref")
	p.stale = append(p.stale, ref)
	return ref
}

func (p *play) someRefs(t *rapid.T) (refs []Ref) {
	for range rapid.IntRange(1, 3).Draw(t, "refs") {
		refs = append(refs, p.ref(t))
	}
	return refs
}

func (p *play) configureWith(t *rapid.T, name string, change func(*Attributes)) {
	must(t, "configure", p.e.Configure(context.Background(), name, change), nil)
	change(&p.m.queue(name).attributes)
}

func (p *play) configure(t *rapid.T) {
	q := p.queue(t)
	change := func(a *Attributes) {}
	switch rapid.SampledFrom([]string{"retention", "visibility", "delay", "policy", "none"}).Draw(t, "attribute") {
	case "retention":
		d := rapid.SampledFrom([]time.Duration{time.Minute, 2 * time.Minute, 10 * time.Minute}).Draw(t, "retention")
		change = func(a *Attributes) { a.Retention = d }
	case "visibility":
		d := time.Duration(rapid.IntRange(0, 5).Draw(t, "visibility")) * time.Second
		change = func(a *Attributes) { a.VisibilityTimeout = d }
	case "delay":
		d := time.Duration(rapid.IntRange(0, 3).Draw(t, "delay")) * time.Second
		change = func(a *Attributes) { a.Delay = d }
	case "policy":
		dlq := rapid.SampledFrom(names).Draw(t, "dlq")
		if dlq == q.name || p.m.queue(dlq) == nil {
			before := q.attributes
			must(t, "configure", p.e.Configure(context.Background(), q.name, deadTo(dlq, 7)), errInvalid)
			q.attributes = before
			return
		}
		change = deadTo(dlq, rapid.IntRange(1, 3).Draw(t, "max"))
	case "none":
		change = func(a *Attributes) { a.Redrive = RedrivePolicy{} }
	}
	p.configureWith(t, q.name, change)
}

func (p *play) purge(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "rare") < 3 {
		t.Skip("rare")
	}
	q := p.queue(t)
	n, err := p.e.Purge(context.Background(), q.name)
	must(t, "purge", err, nil)
	equal(t, "purged", n, p.m.purge(q))
}

func (p *play) tick(t *rapid.T) {
	must(t, "tick", p.e.Tick(p.now), nil)
	p.m.tick()
	must(t, "flush", p.e.last().wait(), nil)
	messages := 0
	for _, q := range p.m.queues {
		messages += len(q.messages)
	}
	equal(t, "messages in the store after a tick", len(p.store.messages), messages)
}

func (p *play) advance(t *rapid.T) {
	steps := []time.Duration{
		time.Millisecond, 100 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 3 * time.Second, 5 * time.Second,
	}
	if rapid.IntRange(0, 9).Draw(t, "long") == 9 {
		steps = []time.Duration{30 * time.Second, time.Minute, 12 * time.Minute, 36 * time.Hour}
	}
	p.now = p.now.Add(rapid.SampledFrom(steps).Draw(t, "by"))
	if at := p.deadlines(); len(at) > 0 && rapid.Bool().Draw(t, "deadline") {
		early := time.Duration(rapid.IntRange(0, 1).Draw(t, "early"))
		p.now = moment(rapid.SampledFrom(at).Draw(t, "at")).Add(-early * time.Millisecond)
	}
	p.m.now = p.now.UnixMilli()
	p.unseen = true
}

// reap is a tick that did not get to its second half yet.
func (p *play) reap(t *rapid.T) {
	for _, name := range names {
		if q := p.e.byName[name]; q != nil {
			must(t, "reap", p.e.reap(q), nil)
		}
	}
	p.m.reap()
}

// deadlines are the moments to come at which something changes by itself.
func (p *play) deadlines() (all []int64) {
	for _, q := range p.m.queues {
		for _, x := range q.messages {
			for _, at := range []int64{x.due, x.sent + q.attributes.Retention.Milliseconds()} {
				if at > p.m.now+1 {
					all = append(all, at)
				}
			}
		}
	}
	return all
}

func (p *play) advanceAndTick(t *rapid.T) {
	p.advance(t)
	p.unseen = false
	p.tick(t)
}

// forget drops part of what was read ahead: it is a cache.
func (p *play) forget(t *rapid.T) {
	keep := rapid.IntRange(0, 5).Draw(t, "keep")
	p.e.mu.Lock()
	defer p.e.mu.Unlock()
	for _, q := range p.e.byName {
		for _, l := range q.contents.lanes {
			for len(l.ahead) > keep {
				last := l.ahead[len(l.ahead)-1]
				l.ahead = l.ahead[:len(l.ahead)-1]
				if last != nil {
					p.e.windows -= last.Size
				}
			}
		}
	}
}
