package scenario

import (
	"container/heap"
	"context"
	"errors"
	"time"

	"inflight/engine"
)

const (
	runEvery = 50 * time.Millisecond
	// longestGap is the longest silence of the clock that Run makes up for.
	// After more (the program was suspended) the traffic goes on from where it
	// was, rather than all at once.
	longestGap = 2 * time.Second
)

// step is one thing to do at one time.
type step struct {
	at    time.Time
	order uint64
	do    func(ctx context.Context, at time.Time) error
}

// steps is a heap: the next one first, those of one time in the order given.
type steps []step

func (s steps) Len() int      { return len(s) }
func (s steps) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s steps) Less(i, j int) bool {
	if !s[i].at.Equal(s[j].at) {
		return s[i].at.Before(s[j].at)
	}
	return s[i].order < s[j].order
}
func (s *steps) Push(x any) { *s = append(*s, x.(step)) }
func (s *steps) Pop() any {
	last := len(*s) - 1
	x := (*s)[last]
	(*s)[last] = step{}
	*s = (*s)[:last]
	return x
}

func (s *Scenario) at(t time.Time, do func(ctx context.Context, at time.Time) error) {
	s.added++
	heap.Push(&s.steps, step{at: t, order: s.added, do: do})
}

// Next says when the next step is due. It reports false before Setup and after
// Remove, when there is none.
func (s *Scenario) Next() (time.Time, bool) {
	if len(s.steps) == 0 {
		return time.Time{}, false
	}
	return s.steps[0].at, true
}

// Advance does everything that is due up to now, in order. What an operator's
// acts make impossible (a queue that was deleted, a message that is gone, a
// store without room) is passed over and tried again in its turn; it returns
// what ends the traffic: engine.ErrStoreFailed, engine.ErrClosed, the error of
// ctx, and any error that it does not know.
func (s *Scenario) Advance(ctx context.Context, now time.Time) error {
	for len(s.steps) > 0 && !s.steps[0].at.After(now) {
		if err := ctx.Err(); err != nil {
			return err
		}
		next := heap.Pop(&s.steps).(step)
		if err := next.do(ctx, next.at); err != nil && !passing(err) {
			return err
		}
	}
	return nil
}

// Play advances to until under a clock that it moves itself: clock is called
// with the time of each step before the step is done, and with until at the
// end. So the engine's time is that of the step, whatever the caller's stride.
func (s *Scenario) Play(ctx context.Context, until time.Time, clock func(time.Time) error) error {
	for {
		next, ok := s.Next()
		if !ok || next.After(until) {
			return clock(until)
		}
		if err := clock(next); err != nil {
			return err
		}
		if err := s.Advance(ctx, next); err != nil {
			return err
		}
	}
}

// Run advances with the clock now until ctx ends, and then returns nil. It
// returns the errors of Advance.
func (s *Scenario) Run(ctx context.Context, now func() time.Time) error {
	ticker := time.NewTicker(runEvery)
	defer ticker.Stop()
	last := now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		present := now()
		if gap := present.Sub(last); gap > longestGap {
			s.postpone(gap)
		}
		last = present
		if err := s.Advance(ctx, present); ctx.Err() != nil {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// postpone moves every step by d, which keeps their order.
func (s *Scenario) postpone(d time.Duration) {
	for i := range s.steps {
		s.steps[i].at = s.steps[i].at.Add(d)
	}
}

// passing says that err comes from what an operator did, and not from an
// engine that has ended.
func passing(err error) bool {
	var invalid *engine.InvalidError
	if errors.As(err, &invalid) {
		return true
	}
	for _, target := range []error{
		engine.ErrQueueNotFound, engine.ErrMessageGone, engine.ErrNotInFlight, engine.ErrReceiptStale,
		engine.ErrReceiptExpired, engine.ErrReceiptInvalid, engine.ErrStoreFull,
	} {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}
