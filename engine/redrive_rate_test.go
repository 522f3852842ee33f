package engine

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// newDead is a rig with a source, a dead-letter queue and n messages in it
// that came from the source, named 0 to n-1.
func newDead(t testing.TB, n int) *rig {
	r := newRig(t)
	r.queue("dlq")
	r.queue("orders", deadTo("dlq", 1), visibility(time.Second))
	for i := range n {
		r.send("orders", fmt.Sprint(i))
	}
	r.kill("orders")
	r.wantCounts("dlq", Counts{Ready: n})
	return r
}

// kill dead-letters every message of a queue whose visibility timeout is a
// second and whose max receives are 1.
func (r *rig) kill(queue string) {
	r.Helper()
	for len(r.receive(queue, MaxBatch)) > 0 {
	}
	r.pass(time.Second)
	r.receive(queue, MaxBatch)
}

func (r *rig) redrive(request RedriveRequest) Task {
	r.Helper()
	task, err := r.StartRedrive(context.Background(), request)
	if err != nil {
		r.Fatal(err)
	}
	return task
}

// task is the newest redrive task.
func (r *rig) task() Task {
	r.Helper()
	all, err := r.Tasks(context.Background())
	if err != nil || len(all) == 0 {
		r.Fatalf("tasks = %v, %v", all, err)
	}
	return all[0]
}

func (r *rig) wantTask(state TaskState, moved int, reason string) {
	r.Helper()
	task := r.task()
	r.want("task", fmt.Sprint(task.State, " ", task.Moved, " ", task.Reason), fmt.Sprint(state, " ", moved, " ", reason))
}

func TestRedriveRate(t *testing.T) {
	ctx := context.Background()
	t.Run("a rate is exact, whatever the tick", func(t *testing.T) {
		for _, rate := range []int{1, 3, 7, 100, 500} {
			for _, tick := range []time.Duration{time.Millisecond, 7 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, time.Second} {
				r := newDead(t, 3*rate)
				r.redrive(RedriveRequest{Source: "dlq", Rate: rate})
				for range 2 * time.Second / tick {
					r.pass(tick)
					want := int(r.now.Sub(r.task().Started) * time.Duration(rate) / time.Second)
					if got := r.task().Moved; got != want {
						t.Fatalf("at %d a second, ticking every %v: %d moved after %v, want %d", rate, tick, got, r.now.Sub(r.task().Started), want)
					}
				}
			}
		}
	})
	t.Run("a task without a rate moves all at once", func(t *testing.T) {
		r := newDead(t, 700)
		r.redrive(RedriveRequest{Source: "dlq"})
		r.pass(0)
		r.wantTask(TaskCompleted, 700, "")
	})
	t.Run("an allowance saves up one second at most", func(t *testing.T) {
		r := newDead(t, 20)
		r.redrive(RedriveRequest{Source: "dlq", Rate: 2})
		r.pass(time.Minute)
		r.wantTask(TaskRunning, 2, "")
	})
	t.Run("a changed rate counts from the change", func(t *testing.T) {
		r := newDead(t, 20)
		task := r.redrive(RedriveRequest{Source: "dlq", Rate: 1})
		r.pass(2 * time.Second / 2)
		r.now = r.now.Add(900 * time.Millisecond)
		if err := r.SetRedriveRate(ctx, task.ID, 10); err != nil {
			t.Fatal(err)
		}
		r.pass(99 * time.Millisecond)
		r.wantTask(TaskRunning, 1, "")
		r.pass(time.Millisecond)
		r.wantTask(TaskRunning, 2, "")
		if err := r.SetRedriveRate(ctx, task.ID, 0); err != nil {
			t.Fatal(err)
		}
		r.pass(0)
		r.wantTask(TaskCompleted, 20, "")
	})
}

func TestRedriveAllowance(t *testing.T) {
	ctx := context.Background()
	t.Run("a paused task moves nothing and saves nothing up", func(t *testing.T) {
		r := newDead(t, 20)
		task := r.redrive(RedriveRequest{Source: "dlq", Rate: 1})
		r.pass(time.Second)
		if err := r.PauseRedrive(ctx, task.ID); err != nil {
			t.Fatal(err)
		}
		r.pass(time.Hour)
		r.wantTask(TaskPaused, 1, "")
		if err := r.ResumeRedrive(ctx, task.ID); err != nil {
			t.Fatal(err)
		}
		r.pass(999 * time.Millisecond)
		r.wantTask(TaskRunning, 1, "")
		r.pass(time.Millisecond)
		r.wantTask(TaskRunning, 2, "")
	})
	t.Run("the estimate is what the rate needs for the rest", func(t *testing.T) {
		r := newDead(t, 20)
		r.redrive(RedriveRequest{Source: "dlq", Rate: 2})
		r.pass(time.Second)
		r.want("estimate", r.task().Eta(r.now).Sub(r.now), 9*time.Second)
	})
	t.Run("an allowance counts from opening after a restart", func(t *testing.T) {
		r := newDead(t, 20)
		r.redrive(RedriveRequest{Source: "dlq", Rate: 1})
		r.pass(time.Second)
		r.now = r.now.Add(time.Hour)
		r.reopen()
		r.pass(0)
		r.wantTask(TaskRunning, 1, "")
		r.pass(time.Second)
		r.wantTask(TaskRunning, 2, "")
	})
}
