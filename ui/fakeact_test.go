package ui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"inflight/engine"
)

func (f *fakeEngine) Receive(ctx context.Context, queue string, r engine.ReceiveRequest) ([]engine.Delivery, error) {
	end, err := f.begin(ctx, "Receive "+queue)
	if err != nil {
		return nil, err
	}
	defer end()
	q, err := f.named(queue)
	if err != nil {
		return nil, err
	}
	hide := q.stats.Attributes.VisibilityTimeout
	if r.Visibility != nil {
		hide = *r.Visibility
	}
	var out []engine.Delivery
	for _, m := range f.in(q, engine.Ready) {
		if len(out) == max(r.Max, 1) {
			break
		}
		if f.row(q, m).DeadLetters {
			f.deadLetter(q, m)
			continue
		}
		f.hand(q, m, hide, r.Holder, engine.ByReceive)
		out = append(out, engine.Delivery{Message: &m.Message, Ref: m.ref, Receives: m.receives, Due: m.due})
	}
	return out, nil
}

// hand gives a message to a consumer.
func (f *fakeEngine) hand(q *fakeQueue, m *fakeMessage, hide time.Duration, holder string, kind engine.ReceivedKind) {
	m.receives++
	m.last, m.due, m.holder = f.clock(), f.clock().Add(hide), holder
	m.history = append(m.history, engine.Received{At: m.last, Until: m.due, Holder: holder, Kind: kind})
	q.stats.Counters.Received++
	event := engine.EventReceived
	if kind == engine.ByPeek {
		event = engine.EventPeeked
	}
	f.event(engine.Event{Kind: event, Queue: q.stats.Name, Ref: m.ref, ID: m.ID, Holder: holder, Count: 1, Receives: m.receives})
}

func (f *fakeEngine) Peek(ctx context.Context, ref engine.Ref, r engine.PeekRequest) (engine.Peeked, error) {
	end, err := f.begin(ctx, "Peek")
	if err != nil {
		return engine.Peeked{}, err
	}
	defer end()
	q, m := f.lookup(ref)
	switch {
	case m == nil:
		return engine.Peeked{}, engine.ErrMessageGone
	case f.state(m) == engine.InFlight:
		return engine.Peeked{}, engine.ErrInFlight
	case f.state(m) == engine.Delayed:
		return engine.Peeked{}, engine.ErrDelayed
	}
	limit := q.stats.Attributes.Redrive.MaxReceives
	if f.row(q, m).DeadLetters {
		if !r.DeadLetter {
			return engine.Peeked{}, engine.ErrWouldDeadLetter
		}
		return engine.Peeked{DeadLettered: f.deadLetter(q, m), Receives: m.receives, MaxReceives: limit}, nil
	}
	f.hand(q, m, 0, r.Holder, engine.ByPeek)
	return engine.Peeked{Message: &m.Message, Receives: m.receives, MaxReceives: limit}, nil
}

// each applies act to those of refs that are in flight, or to all.
func (f *fakeEngine) each(refs []engine.Ref, inFlight bool, act func(*fakeQueue, *fakeMessage)) int {
	n := 0
	for _, ref := range refs {
		q, m := f.lookup(ref)
		if m == nil || inFlight != (f.state(m) == engine.InFlight) {
			continue
		}
		act(q, m)
		n++
	}
	return n
}

func (f *fakeEngine) Extend(ctx context.Context, refs []engine.Ref, d time.Duration) (time.Time, int, error) {
	end, err := f.begin(ctx, fmt.Sprintf("Extend %d", len(refs)))
	if err != nil {
		return time.Time{}, 0, err
	}
	defer end()
	due := f.clock().Add(d)
	return due, f.each(refs, true, func(q *fakeQueue, m *fakeMessage) {
		m.due = due
		f.event(engine.Event{Kind: engine.EventExtended, Queue: q.stats.Name, Ref: m.ref, ID: m.ID})
	}), nil
}

func (f *fakeEngine) Release(ctx context.Context, refs []engine.Ref) (int, error) {
	end, err := f.begin(ctx, fmt.Sprintf("Release %d", len(refs)))
	if err != nil {
		return 0, err
	}
	defer end()
	return f.each(refs, true, func(q *fakeQueue, m *fakeMessage) {
		m.due = f.clock()
		f.event(engine.Event{Kind: engine.EventReleased, Queue: q.stats.Name, Ref: m.ref, ID: m.ID})
	}), nil
}

func (f *fakeEngine) Remove(ctx context.Context, refs []engine.Ref) (int, error) {
	end, err := f.begin(ctx, fmt.Sprintf("Remove %d", len(refs)))
	if err != nil {
		return 0, err
	}
	defer end()
	n := 0
	for _, ref := range refs {
		if q, m := f.lookup(ref); m != nil {
			holder := ""
			if f.state(m) == engine.InFlight {
				holder = m.holder
			}
			f.drop(q, m)
			q.stats.Counters.Deleted++
			f.event(engine.Event{Kind: engine.EventDeleted, Queue: q.stats.Name, Ref: ref, ID: m.ID, Holder: holder})
			n++
		}
	}
	return n, nil
}

func (f *fakeEngine) Move(ctx context.Context, refs []engine.Ref, queue string) (int, error) {
	end, err := f.begin(ctx, fmt.Sprintf("Move %d %s", len(refs), queue))
	if err != nil {
		return 0, err
	}
	defer end()
	to, err := f.named(queue)
	if err != nil {
		return 0, err
	}
	return f.each(refs, false, func(q *fakeQueue, m *fakeMessage) {
		f.drop(q, m)
		f.put(to, string(m.Body), f.clock())
	}), nil
}

func (f *fakeEngine) StartRedrive(ctx context.Context, r engine.RedriveRequest) (engine.Task, error) {
	end, err := f.begin(ctx, "StartRedrive "+r.Source)
	if err != nil {
		return engine.Task{}, err
	}
	defer end()
	q, err := f.named(r.Source)
	if err != nil {
		return engine.Task{}, err
	}
	task := engine.Task{
		ID: uint64(len(f.tasks) + 1), Source: r.Source, Destination: r.Destination, Rate: r.Rate,
		ToMove: len(q.messages), Started: f.clock(), Selected: len(r.Selection) > 0,
	}
	if task.Selected {
		task.ToMove = len(r.Selection)
	}
	f.tasks = append(f.tasks, task)
	return task, nil
}

func (f *fakeEngine) task(ctx context.Context, call string, id uint64, change func(*engine.Task)) error {
	end, err := f.begin(ctx, call)
	if err != nil {
		return err
	}
	defer end()
	for i := range f.tasks {
		if f.tasks[i].ID == id {
			change(&f.tasks[i])
			return nil
		}
	}
	return engine.ErrTaskNotFound
}

func (f *fakeEngine) SetRedriveRate(ctx context.Context, task uint64, rate int) error {
	return f.task(ctx, "SetRedriveRate", task, func(t *engine.Task) { t.Rate = rate })
}

func (f *fakeEngine) PauseRedrive(ctx context.Context, task uint64) error {
	return f.task(ctx, "PauseRedrive", task, func(t *engine.Task) { t.State = engine.TaskPaused })
}

func (f *fakeEngine) ResumeRedrive(ctx context.Context, task uint64) error {
	return f.task(ctx, "ResumeRedrive", task, func(t *engine.Task) { t.State = engine.TaskRunning })
}

func (f *fakeEngine) CancelRedrive(ctx context.Context, task uint64) error {
	return f.task(ctx, "CancelRedrive", task, func(t *engine.Task) { t.State = engine.TaskCancelled })
}

func (f *fakeEngine) Tasks(ctx context.Context) ([]engine.Task, error) {
	end, err := f.begin(ctx, "Tasks")
	if err != nil {
		return nil, err
	}
	defer end()
	tasks := slices.Clone(f.tasks)
	slices.SortFunc(tasks, func(a, b engine.Task) int { return cmp.Compare(b.ID, a.ID) })
	return tasks, nil
}

func (f *fakeEngine) Events(ctx context.Context, after uint64, limit int) ([]engine.Event, uint64, error) {
	end, err := f.begin(ctx, "Events")
	if err != nil {
		return nil, 0, err
	}
	defer end()
	from := min(int(after), len(f.events))
	return slices.Clone(f.events[from:min(from+limit, len(f.events))]), 0, nil
}
