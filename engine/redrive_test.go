package engine

import (
	"context"
	"fmt"
	"testing"
	"time"
)

func TestRedriveRefusals(t *testing.T) {
	ctx := context.Background()
	r := newDead(t, 1)
	r.queue("other")
	tests := []struct {
		name    string
		request RedriveRequest
		want    error // errInvalid with field
		field   string
		part    string
	}{
		{"a rate too high", RedriveRequest{Source: "dlq", Rate: 501}, errInvalid, "Rate", "1 to 500"},
		{"a negative rate", RedriveRequest{Source: "dlq", Rate: -1}, errInvalid, "Rate", "1 to 500"},
		{"a missing source", RedriveRequest{Source: "nowhere"}, ErrQueueNotFound, "", ""},
		{"a source that is nobody's dead-letter queue", RedriveRequest{Source: "other"}, errInvalid, "Source", "no queue's"},
		{"a missing destination", RedriveRequest{Source: "dlq", Destination: "nowhere"}, ErrQueueNotFound, "", ""},
		{"the source as destination", RedriveRequest{Source: "dlq", Destination: "dlq"}, errInvalid, "Destination", "source itself"},
		{"a selection too long", RedriveRequest{Source: "dlq", Selection: make([]Ref, MaxSelection+1)}, errInvalid, "Selection", "100000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := r.StartRedrive(ctx, tt.request)
			if tt.want == errInvalid {
				wantInvalid(t, err, tt.field, tt.part)
			} else {
				wantError(t, err, tt.want)
			}
			all, _ := r.Tasks(ctx)
			r.want("tasks", len(all), 0)
		})
	}
	t.Run("a second task for one source", func(t *testing.T) {
		task := r.redrive(RedriveRequest{Source: "dlq", Rate: 1})
		_, err := r.StartRedrive(ctx, RedriveRequest{Source: "dlq"})
		wantError(t, err, ErrTaskRunning)
		wantError(t, r.PauseRedrive(ctx, task.ID), nil)
		_, err = r.StartRedrive(ctx, RedriveRequest{Source: "dlq"})
		wantError(t, err, ErrTaskRunning)
	})
	t.Run("the 101st in all", func(t *testing.T) {
		r := newRig(t)
		for i := range MaxRedriveTasks + 1 {
			dlq := fmt.Sprint("dlq", i)
			r.queue(dlq)
			r.queue(fmt.Sprint("q", i), deadTo(dlq, 1))
			r.send(dlq, "a")
			_, err := r.StartRedrive(ctx, RedriveRequest{Source: dlq, Destination: "q0", Rate: 1})
			if i < MaxRedriveTasks {
				wantError(t, err, nil)
			} else {
				wantError(t, err, ErrOverLimit)
			}
		}
	})
}

func TestRedriveStates(t *testing.T) {
	ctx := context.Background()
	type act func(context.Context, uint64) error
	r := newDead(t, 10)
	task := r.redrive(RedriveRequest{Source: "dlq", Rate: 1})
	rate := func(n int) act {
		return func(ctx context.Context, id uint64) error { return r.SetRedriveRate(ctx, id, n) }
	}
	for _, step := range []struct {
		name string
		do   act
		want error
		then TaskState
	}{
		{"a running task cannot resume", r.ResumeRedrive, ErrTaskState, TaskRunning},
		{"it can pause", r.PauseRedrive, nil, TaskPaused},
		{"but not twice", r.PauseRedrive, ErrTaskState, TaskPaused},
		{"a paused one can change its rate", rate(500), nil, TaskPaused},
		{"and resume", r.ResumeRedrive, nil, TaskRunning},
		{"a task can be cancelled", r.CancelRedrive, nil, TaskCancelling},
		{"but not twice", r.CancelRedrive, ErrTaskState, TaskCancelling},
		{"a cancelling one cannot pause", r.PauseRedrive, ErrTaskState, TaskCancelling},
		{"nor change its rate", rate(3), ErrTaskState, TaskCancelling},
	} {
		t.Run(step.name, func(t *testing.T) {
			wantError(t, step.do(ctx, task.ID), step.want)
			r.want("state", r.task().State, step.then)
			wantError(t, step.do(ctx, 99), ErrTaskNotFound)
		})
	}
	wantInvalid(t, r.SetRedriveRate(ctx, task.ID, 501), "Rate", "1 to 500")
	r.reopen()
	r.pass(time.Hour)
	r.wantTask(TaskCancelled, 0, "")
	for _, do := range []act{r.PauseRedrive, r.ResumeRedrive, r.CancelRedrive, rate(3)} {
		wantError(t, do(ctx, task.ID), ErrTaskState)
	}
	r.wantCounts("dlq", Counts{Ready: 10})
	t.Run("what was moved before a cancel stays moved", func(t *testing.T) {
		task := r.redrive(RedriveRequest{Source: "dlq", Rate: 2})
		r.pass(time.Second)
		wantError(t, r.CancelRedrive(ctx, task.ID), nil)
		r.pass(time.Second)
		r.wantTask(TaskCancelled, 2, "")
		r.wantCounts("dlq", Counts{Ready: 8})
		r.wantCounts("orders", Counts{Ready: 2})
	})
}

func TestRedriveFailures(t *testing.T) {
	ctx := context.Background()
	t.Run("a deleted destination ends it, and it can be started again", func(t *testing.T) {
		r := newDead(t, 10)
		r.queue("other")
		r.redrive(RedriveRequest{Source: "dlq", Destination: "other", Rate: 3})
		r.pass(time.Second)
		wantError(t, r.DeleteQueue(ctx, "other"), nil)
		r.pass(time.Second)
		r.wantTask(TaskFailed, 3, ReasonDestinationDeleted)
		r.wantCounts("dlq", Counts{Ready: 7})
		r.redrive(RedriveRequest{Source: "dlq"})
		r.pass(0)
		r.wantTask(TaskCompleted, 7, "")
		r.wantCounts("orders", Counts{Ready: 7})
	})
	t.Run("a deleted origin ends it at its message", func(t *testing.T) {
		r := newDead(t, 2)
		wantError(t, r.DeleteQueue(ctx, "orders"), nil)
		r.queue("another", deadTo("dlq", 1))
		r.redrive(RedriveRequest{Source: "dlq"})
		r.pass(0)
		r.wantTask(TaskFailed, 0, ReasonDestinationDeleted)
		r.queue("orders") // a queue of the origin's name is the origin
		r.redrive(RedriveRequest{Source: "dlq"})
		r.pass(0)
		r.wantTask(TaskCompleted, 2, "")
	})
	t.Run("a message without origin in the middle ends it there", func(t *testing.T) {
		r := newDead(t, 3)
		r.send("dlq", "by hand")
		r.send("orders", "3")
		r.kill("orders")
		r.wantCounts("dlq", Counts{Ready: 5})
		r.redrive(RedriveRequest{Source: "dlq"})
		r.pass(0)
		r.wantTask(TaskFailed, 3, ReasonOriginUnknown)
		r.want("left", r.page("dlq", Ready), []string{"by hand", "3"})
		r.reopen()
		r.wantTask(TaskFailed, 3, ReasonOriginUnknown)
		r.redrive(RedriveRequest{Source: "dlq", Destination: "orders"})
		r.pass(0)
		r.wantTask(TaskCompleted, 2, "")
	})
}

func TestRedriveEnds(t *testing.T) {
	ctx := context.Background()
	t.Run("a deleted source ends it", func(t *testing.T) {
		r := newDead(t, 3)
		r.redrive(RedriveRequest{Source: "dlq", Rate: 1})
		r.pass(time.Second)
		wantError(t, r.DeleteQueue(ctx, "dlq"), nil)
		r.queue("dlq")
		r.send("dlq", "new")
		r.pass(time.Second)
		r.wantTask(TaskFailed, 1, ReasonSourceDeleted)
		r.want("left", r.page("dlq", Ready), []string{"new"})
	})
	t.Run("a purge completes it with what it moved", func(t *testing.T) {
		r := newDead(t, 5)
		r.redrive(RedriveRequest{Source: "dlq", Rate: 2})
		r.pass(time.Second)
		if _, err := r.Purge(ctx, "dlq"); err != nil {
			t.Fatal(err)
		}
		r.send("dlq", "after")
		r.pass(time.Second)
		r.wantTask(TaskCompleted, 2, "")
		r.want("left", r.page("dlq", Ready), []string{"after"})
	})
	t.Run("after 36 hours it fails and the rest stays", func(t *testing.T) {
		for _, paused := range []bool{false, true} {
			r := newDead(t, 5)
			task := r.redrive(RedriveRequest{Source: "dlq", Rate: 1})
			if paused {
				wantError(t, r.PauseRedrive(ctx, task.ID), nil)
			}
			r.pass(36*time.Hour - time.Millisecond)
			r.want("active", r.task().State.Active(), true)
			moved := r.task().Moved
			r.reopen()
			r.pass(time.Millisecond)
			r.wantTask(TaskFailed, moved, ReasonTooLong)
			r.wantCounts("dlq", Counts{Ready: 5 - moved})
		}
	})
	t.Run("the last ten of a source are kept", func(t *testing.T) {
		r := newDead(t, 1)
		for range 14 {
			task := r.redrive(RedriveRequest{Source: "dlq", Rate: 1})
			wantError(t, r.CancelRedrive(ctx, task.ID), nil)
			r.pass(0)
		}
		r.redrive(RedriveRequest{Source: "dlq", Rate: 1})
		for range 2 {
			all, _ := r.Tasks(ctx)
			r.want("kept", fmt.Sprintln(len(all), all[0].ID, all[10].ID), "11 15 5\n")
			r.reopen()
		}
	})
}
