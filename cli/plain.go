package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"inflight/engine"
	"inflight/scenario"
)

// plainStep is how often the plain demo looks what has happened.
const plainStep = 100 * time.Millisecond

// pace waits until so much of the demo's time should have passed, or for the
// end of ctx, whose error it returns.
type pace func(ctx context.Context, elapsed time.Duration) error

// realPace lets the demo's time pass as that of the clock.
func realPace(start time.Time) pace {
	return func(ctx context.Context, elapsed time.Duration) error {
		timer := time.NewTimer(time.Until(start.Add(elapsed)))
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			return nil
		}
	}
}

// virtualClock is a clock that is moved by hand.
type virtualClock struct{ millis atomic.Int64 }

func (c *virtualClock) now() time.Time  { return time.UnixMilli(c.millis.Load()).UTC() }
func (c *virtualClock) set(t time.Time) { c.millis.Store(t.UnixMilli()) }

// plainDemo prints what the engine reports of the demo, a line each, for that
// long, or until ctx ends when last is 0. The engine's clock is moved by hand
// and only follows the real one through wait, so the lines are the same on
// every machine.
func plainDemo(ctx context.Context, out io.Writer, last time.Duration, wait pace) error {
	if last < 0 {
		return &usageError{errors.New("--for must be longer than nothing")}
	}
	store, err := openMemory()
	if err != nil {
		return err
	}
	start := time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)
	clock := new(virtualClock)
	clock.set(start)
	e, err := engine.Open(store, engine.Options{Now: clock.now, NewID: seededIDs(demoSeed)})
	if err != nil {
		return errors.Join(err, store.Close())
	}
	demo := scenario.New(e, scenario.Options{Seed: demoSeed, Start: start})
	p := &plainPrinter{engine: e, out: bufio.NewWriter(out), start: start, ids: map[engine.Ref]string{}}
	step := func(elapsed time.Duration) error {
		return demo.Play(ctx, start.Add(elapsed), func(t time.Time) error {
			clock.set(t)
			return e.Tick(t)
		})
	}
	err = demo.Setup(ctx)
	for elapsed := time.Duration(0); err == nil && (last == 0 || elapsed <= last); elapsed += plainStep {
		if err = wait(ctx, elapsed); err == nil {
			err = step(elapsed)
		}
		if err == nil {
			err = p.events(ctx)
		}
	}
	if ctx.Err() != nil {
		err = nil // told to end: that is the way out of a demo without --for
	}
	if err == nil {
		err = p.totals(clock.now().Sub(start))
	}
	return errors.Join(err, e.Close())
}

// seededIDs gives message ids that are the same in every run.
func seededIDs(seed uint64) func() engine.ID {
	r := rand.New(rand.NewPCG(seed, 0))
	return func() (id engine.ID) {
		for i := range id {
			id[i] = byte(r.Uint32())
		}
		id[6] = id[6]&0x0f | 0x40 // version 4
		id[8] = id[8]&0x3f | 0x80
		return id
	}
}

// plainPrinter writes events as lines.
type plainPrinter struct {
	engine *engine.Engine
	out    *bufio.Writer
	start  time.Time
	seen   uint64
	ids    map[engine.Ref]string // of messages that are there: not every event says
}

// events prints what happened since it was last called.
func (p *plainPrinter) events(ctx context.Context) error {
	for {
		events, missed, err := p.engine.Events(ctx, p.seen, 500)
		if err != nil {
			return err
		}
		if missed > 0 {
			fmt.Fprintf(p.out, "         … %d more\n", missed)
		}
		if len(events) == 0 {
			return p.out.Flush()
		}
		p.seen = events[len(events)-1].Seq
		// What ends at one tick in several queues is reported queue by queue,
		// in no order.
		slices.SortStableFunc(events, func(a, b engine.Event) int {
			return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Queue, b.Queue))
		})
		for _, event := range events {
			fmt.Fprintf(p.out, "%7.1fs  %-11s %s\n", event.At.Sub(p.start).Seconds(), event.Queue, plainWords(event, p.id(event)))
		}
	}
}

// id is how an event's message is called.
func (p *plainPrinter) id(event engine.Event) string {
	if event.ID != (engine.ID{}) {
		p.ids[event.Ref] = event.ID.String()[:8]
	}
	id := p.ids[event.Ref]
	if event.Kind == engine.EventDeleted || event.Kind == engine.EventDeadLettered {
		delete(p.ids, event.Ref)
	}
	return id
}

// plainWords is an event without its time and queue.
func plainWords(event engine.Event, id string) string {
	switch event.Kind {
	case engine.EventQueueCreated:
		return "queue made"
	case engine.EventSent:
		return id + " sent"
	case engine.EventReceived:
		return fmt.Sprintf("%s received by %s, receive %d", id, event.Holder, event.Receives)
	case engine.EventLapsed:
		return fmt.Sprintf("%s lapsed: %s did not delete it in time", id, event.Holder)
	case engine.EventDelayOver:
		return id + " its delay is over"
	case engine.EventDeleted:
		return fmt.Sprintf("%s deleted by %s", id, event.Holder)
	case engine.EventDeadLettered:
		return fmt.Sprintf("%s died after %d receives and went to %s", id, event.Receives, event.Other)
	case engine.EventExpired:
		return fmt.Sprintf("%d expired", event.Count)
	default: // nothing else happens where nobody acts
		return fmt.Sprintf("%s event %d", id, event.Kind)
	}
}

// totals prints what became of all messages.
func (p *plainPrinter) totals(elapsed time.Duration) error {
	stats, err := p.engine.Queues(context.Background())
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "\nafter %.1fs\n", elapsed.Seconds())
	for _, q := range stats {
		fmt.Fprintf(p.out, "  %-11s %4d visible %4d in flight %4d delayed   %4d sent %4d received %4d deleted %4d lapsed %4d died\n",
			q.Name, q.Counts.Ready, q.Counts.InFlight, q.Counts.Delayed, q.Counters.Sent, q.Counters.Received,
			q.Counters.Deleted, q.Counters.Lapsed, q.Counters.DeadLetteredOut)
	}
	fmt.Fprintln(p.out, "\nthe same in a terminal, with keys: inflight demo")
	return p.out.Flush()
}
