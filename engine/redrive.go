package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// Why a redrive task failed, as its Reason says.
const (
	ReasonOriginUnknown      = "origin unknown"
	ReasonDestinationDeleted = "destination deleted"
	ReasonSourceDeleted      = "source deleted"
	ReasonTooLong            = "ran 36 hours"
)

// MaxSelection is how many messages a redrive task can be told to move.
const MaxSelection = 100_000

// task is a redrive task in memory.
type task struct {
	TaskRecord
	selection []Ref             // while it is active
	since     int64             // the allowance was settled up to here
	saved     int64             // thousandths of messages, so that no rate loses any to rounding
	cursors   map[uint64]uint64 // by lane: what lies below was looked at
}

// allowance is how many messages may move now. It saves up one second at most.
func (t *task) allowance(now int64) int {
	if t.Rate == 0 {
		return redriveAtOnce
	}
	rate := int64(t.Rate) // a second is a thousand milliseconds: so many thousandths in each
	t.saved = min(t.saved+rate*min(now-t.since, 1000), rate*1000)
	t.since = now
	return min(int(t.saved/1000), redriveAtOnce)
}

// restart makes the allowance count from now.
func (t *task) restart(now int64) { t.since, t.saved = now, 0 }

// StartRedrive starts moving messages out of a dead-letter queue, oldest
// first: those ready in it now, or those selected. What is in flight is passed
// over. Each becomes a new message (SQS): new id, sent time and receive count.
//
// It returns *InvalidError for Rate, Source (no queue's redrive policy names
// it), Destination (the source itself, or of another type) and Selection,
// ErrQueueNotFound for either queue, ErrTaskRunning for a second task of one
// source, ErrOverLimit for the 101st in all, and ErrStoreFull.
func (e *Engine) StartRedrive(ctx context.Context, r RedriveRequest) (Task, error) {
	if err := ctx.Err(); err != nil {
		return Task{}, err
	}
	o, err := e.begin()
	if err != nil {
		return Task{}, err
	}
	t, err := o.startRedrive(r)
	if err != nil {
		return Task{}, o.abandon(fmt.Errorf("start redrive: %w", err))
	}
	task := t.Task
	return task, o.end().wait()
}

func checkRate(rate int) error {
	if rate < 0 || rate > MaxRedriveRate {
		return &InvalidError{"Rate", fmt.Sprintf("must be 1 to %d a second, or 0 for as fast as it goes", MaxRedriveRate)}
	}
	return nil
}

func (o *op) startRedrive(r RedriveRequest) (*task, error) {
	if err := checkRate(r.Rate); err != nil {
		return nil, err
	}
	if len(r.Selection) > MaxSelection {
		return nil, &InvalidError{"Selection", fmt.Sprintf("at most %d messages", MaxSelection)}
	}
	q, err := o.queue(r.Source)
	if err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	if err := o.checkRedrivable(q, r.Destination); err != nil {
		return nil, err
	}
	t := &task{since: o.now, selection: slices.Clone(r.Selection)}
	t.TaskRecord = TaskRecord{
		Task: Task{
			ID: o.e.meta.NextTask, Source: r.Source, Destination: r.Destination, Rate: r.Rate,
			Selected: len(r.Selection) > 0, ToMove: q.contents.counts().Ready, Started: moment(o.now),
		},
		SourceNumber: q.number, SourceEpoch: q.contents.epoch,
	}
	if t.Selected {
		t.ToMove = len(t.selection)
		o.change.Choose = &Selection{Task: t.ID, Refs: t.selection}
	}
	if t.BoundSequence = q.lastSequence; !q.contents.fifo.on {
		for _, l := range q.contents.lanes {
			t.Bounds = append(t.Bounds, LaneBound{l.number, l.tail})
		}
	}
	o.e.meta.NextTask++
	meta := o.e.meta
	o.change.Meta = &meta
	o.e.tasks[t.ID] = t
	o.forgetTasks(r.Source)
	o.keepTask(t)
	o.taskEvent(t)
	return t, nil
}

// checkRedrivable says whether a task may start on q.
func (o *op) checkRedrivable(q *queue, destination string) error {
	to := o.e.byName[destination]
	active := 0
	for _, t := range o.e.tasks {
		if !t.State.Active() {
			continue
		}
		if active++; t.Source == q.name {
			return ErrTaskRunning
		}
	}
	switch {
	case len(o.e.sourcesOf(q.name)) == 0:
		return &InvalidError{"Source", fmt.Sprintf("%q is no queue's dead-letter queue", q.name)}
	case destination == q.name:
		return &InvalidError{"Destination", "is the source itself"}
	case destination != "" && to == nil:
		return fmt.Errorf("destination %q: %w", destination, ErrQueueNotFound)
	case to != nil && to.attributes.Type != q.attributes.Type:
		return &InvalidError{"Destination", fmt.Sprintf("must be a %s queue like its source", q.attributes.Type)}
	case active >= MaxRedriveTasks:
		return fmt.Errorf("%d redrive tasks are active, at most %d may be: %w", active, MaxRedriveTasks, ErrOverLimit)
	}
	return o.e.full(SpaceLow)
}

// forgetTasks keeps the last finished tasks of a source.
func (o *op) forgetTasks(source string) {
	var finished []uint64
	for id, t := range o.e.tasks {
		if t.Source == source && !t.State.Active() {
			finished = append(finished, id)
		}
	}
	slices.Sort(finished)
	for len(finished) > KeptTasks {
		delete(o.e.tasks, finished[0])
		o.change.EndTasks = append(o.change.EndTasks, finished[0])
		finished = finished[1:]
	}
}

func (o *op) keepTask(t *task) {
	r := t.TaskRecord
	r.Bounds = slices.Clone(r.Bounds)
	o.change.Tasks = append(o.change.Tasks, r)
}

func (o *op) taskEvent(t *task) {
	o.event(Event{Kind: EventTask, Queue: t.Source, Other: t.Destination, Task: t.ID, Text: t.State.String()})
}

// finish ends a task.
func (o *op) finish(t *task, state TaskState, reason string) {
	t.State, t.Reason, t.Finished = state, reason, moment(o.now)
	t.selection, t.cursors = nil, nil
	o.keepTask(t)
	o.taskEvent(t)
}

// steer changes an active task, if it is in a state that allows it.
func (e *Engine) steer(ctx context.Context, id uint64, verb string, do func(*op, *task) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	o, err := e.begin()
	if err != nil {
		return err
	}
	t := e.tasks[id]
	if t == nil {
		return o.abandon(fmt.Errorf("%s redrive task %d: %w", verb, id, ErrTaskNotFound))
	}
	if err := do(o, t); err != nil {
		return o.abandon(fmt.Errorf("%s redrive task %d, which is %s: %w", verb, id, t.State, err))
	}
	t.restart(o.now)
	o.keepTask(t)
	return o.end().wait()
}

// SetRedriveRate changes how many messages a second an active task moves:
// 1..500, or 0 for as fast as it goes. It returns ErrTaskNotFound, ErrTaskState
// and *InvalidError.
func (e *Engine) SetRedriveRate(ctx context.Context, id uint64, rate int) error {
	if err := checkRate(rate); err != nil {
		return err
	}
	return e.steer(ctx, id, "change the rate of", func(_ *op, t *task) error {
		if t.State != TaskRunning && t.State != TaskPaused {
			return ErrTaskState
		}
		t.Rate = rate
		return nil
	})
}

// PauseRedrive holds a running task. It returns ErrTaskNotFound and ErrTaskState.
func (e *Engine) PauseRedrive(ctx context.Context, id uint64) error {
	return e.steer(ctx, id, "pause", func(o *op, t *task) error { return o.enterState(t, TaskPaused, TaskRunning) })
}

// ResumeRedrive lets a paused task go on. It returns ErrTaskNotFound and ErrTaskState.
func (e *Engine) ResumeRedrive(ctx context.Context, id uint64) error {
	return e.steer(ctx, id, "resume", func(o *op, t *task) error { return o.enterState(t, TaskRunning, TaskPaused) })
}

// CancelRedrive ends a running or paused task; what it moved stays moved. It
// is cancelling until the next tick, then cancelled. It returns
// ErrTaskNotFound and ErrTaskState.
func (e *Engine) CancelRedrive(ctx context.Context, id uint64) error {
	return e.steer(ctx, id, "cancel", func(o *op, t *task) error {
		return o.enterState(t, TaskCancelling, TaskRunning, TaskPaused)
	})
}

func (o *op) enterState(t *task, to TaskState, from ...TaskState) error {
	if !slices.Contains(from, t.State) {
		return ErrTaskState
	}
	t.State = to
	o.taskEvent(t)
	return nil
}

// Tasks returns all remembered redrive tasks, newest first.
func (e *Engine) Tasks(ctx context.Context) ([]Task, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.usable(); err != nil {
		return nil, err
	}
	all := make([]Task, 0, len(e.tasks))
	for _, t := range e.tasks {
		all = append(all, t.Task)
	}
	slices.SortFunc(all, func(a, b Task) int { return cmp.Compare(b.ID, a.ID) })
	return all, nil
}

// overdue says whether a task has run as long as one may.
func (t *task) overdue(now int64) bool {
	return moment(now).Sub(t.Started) >= MaxRedriveTime
}

// Eta estimates when an active task is done at its rate, zero if that is not
// known: as fast as it goes, paused, or nothing left.
func (t Task) Eta(now time.Time) time.Time {
	if t.State != TaskRunning || t.Rate == 0 || t.Moved >= t.ToMove {
		return time.Time{}
	}
	return now.Add(time.Duration(t.ToMove-t.Moved) * time.Second / time.Duration(t.Rate))
}
