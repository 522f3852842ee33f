package engine

import (
	"context"
	"fmt"
	"testing"
	"time"
)

func TestRedriveMoves(t *testing.T) {
	t.Run("each message goes back to where it came from", func(t *testing.T) {
		r := newDead(t, 2)
		r.queue("invoices", deadTo("dlq", 1), visibility(time.Second))
		r.send("invoices", "x")
		r.kill("invoices")
		r.redrive(RedriveRequest{Source: "dlq"})
		r.pass(0)
		r.wantTask(TaskCompleted, 3, "")
		r.want("orders", r.page("orders", Ready), []int{0, 1})
		r.want("invoices", r.page("invoices", Ready), []string{"x"})
	})
	t.Run("or all to a chosen queue", func(t *testing.T) {
		r := newDead(t, 2)
		r.queue("other")
		r.send("dlq", "by hand")
		r.redrive(RedriveRequest{Source: "dlq", Destination: "other"})
		r.pass(0)
		r.want("other", r.page("other", Ready), []string{"0", "1", "by hand"})
	})
	t.Run("as a new message", func(t *testing.T) {
		r := newDead(t, 1)
		old := r.receiveNothing("dlq")
		r.pass(time.Hour)
		r.redrive(RedriveRequest{Source: "dlq"})
		r.pass(0)
		d := r.receive("orders", 1)[0]
		r.want("receives", fmt.Sprint(d.Receives, d.Message.EarlierReceives), "1 0")
		r.want("sent", d.Message.Sent, r.now)
		r.want("first received", d.FirstReceived, r.now)
		r.want("origin", d.Message.Origin, "")
		r.want("a new id", d.Message.ID != old, true)
		r.want("sent counts", r.stats("orders").Counters.Sent, 2)
	})
}

func TestRedriveOrder(t *testing.T) {
	ctx := context.Background()
	t.Run("oldest first, between new sends", func(t *testing.T) {
		r := newDead(t, 6)
		r.redrive(RedriveRequest{Source: "dlq", Rate: 2})
		for i := range 3 {
			r.pass(time.Second)
			r.send("orders", fmt.Sprint("new", i))
		}
		r.want("orders", r.page("orders", Ready), []string{"0", "1", "new0", "2", "3", "new1", "4", "5", "new2"})
	})
	t.Run("oldest first over all priorities", func(t *testing.T) {
		r := newRig(t)
		r.queue("dlq")
		r.queue("orders", deadTo("dlq", 1))
		for i := range 6 {
			if _, err := r.Send(ctx, "dlq", SendRequest{Body: fmt.Append(nil, i), Priority: 1 + i*7%3}); err != nil {
				t.Fatal(err)
			}
			r.pass(time.Second)
		}
		r.queue("other")
		r.redrive(RedriveRequest{Source: "dlq", Destination: "other", Rate: 1})
		var got []int
		for range 6 {
			r.pass(time.Second)
			for i, d := range r.receive("other", 9) {
				got = append(got, int(d.Message.Body[0]-'0'))
				r.want("priority", d.Message.Priority, 1+got[len(got)-1]*7%3)
				r.want("at once", i, 0)
			}
		}
		r.want("order", got, []int{0, 1, 2, 3, 4, 5})
	})
}

func TestRedrivePasses(t *testing.T) {
	ctx := context.Background()
	t.Run("what is in flight or delayed is passed over", func(t *testing.T) {
		r := newDead(t, 4)
		r.delayed("dlq", "delayed", time.Hour)
		held := r.receive("dlq", 1)
		task := r.redrive(RedriveRequest{Source: "dlq"})
		r.want("to move", task.ToMove, 3)
		r.pass(0)
		r.wantTask(TaskCompleted, 3, "")
		r.wantCounts("dlq", Counts{InFlight: 1, Delayed: 1})
		wantError(t, r.Delete(ctx, held[0].Receipt, LastDelivery), nil)
	})
	t.Run("what comes after the start stays", func(t *testing.T) {
		r := newDead(t, 3)
		r.queue("other")
		r.redrive(RedriveRequest{Source: "dlq", Destination: "other", Rate: 1})
		r.send("dlq", "later")
		r.pass(time.Second)
		r.reopen()
		for range 5 {
			r.pass(time.Second)
		}
		r.wantTask(TaskCompleted, 3, "")
		r.want("dlq", r.page("dlq", Ready), []string{"later"})
	})
	t.Run("the destination's delay applies, its maximum size does not", func(t *testing.T) {
		r := newRig(t)
		r.queue("dlq")
		r.queue("orders", deadTo("dlq", 1), func(a *Attributes) { a.Delay = 5 * time.Second; a.MaximumMessageSize = 1024 })
		r.send("dlq", string(make([]byte, 5000)))
		r.redrive(RedriveRequest{Source: "dlq", Destination: "orders"})
		r.pass(0)
		r.wantCounts("orders", Counts{Delayed: 1})
		r.reopen()
		r.pass(5 * time.Second)
		r.want("size", r.receive("orders", 1)[0].Message.Size, 5000)
	})
}

// receiveNothing returns the id of the first message of a queue.
func (r *rig) receiveNothing(queue string) ID {
	r.Helper()
	page, err := r.Page(context.Background(), PageRequest{Queue: queue, Limit: 1})
	if err != nil || len(page.Rows) == 0 {
		r.Fatalf("page = %+v, %v", page, err)
	}
	return page.Rows[0].Message.ID
}

func TestRedriveSelection(t *testing.T) {
	ctx := context.Background()
	refs := func(r *rig, at ...int) (all []Ref) {
		page, err := r.Page(ctx, PageRequest{Queue: "dlq", Limit: MaxBatch})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range at {
			all = append(all, page.Rows[i].Ref)
		}
		return all
	}
	t.Run("moves what was chosen, in the order chosen", func(t *testing.T) {
		r := newDead(t, 6)
		chosen := refs(r, 4, 1, 3, 4)
		r.Remove(ctx, chosen[2:3])
		task := r.redrive(RedriveRequest{Source: "dlq", Selection: chosen})
		r.want("to move", fmt.Sprint(task.ToMove, task.Selected), "4 true")
		r.pass(0)
		r.wantTask(TaskCompleted, 2, "")
		r.want("orders", r.page("orders", Ready), []int{4, 1})
		r.want("dlq", r.page("dlq", Ready), []int{0, 2, 5})
	})
	t.Run("goes on after a restart", func(t *testing.T) {
		r := newDead(t, 6)
		r.redrive(RedriveRequest{Source: "dlq", Selection: refs(r, 5, 4, 3, 2), Rate: 1})
		r.pass(time.Second)
		r.reopen()
		r.pass(time.Second)
		r.reopen()
		for range 3 {
			r.pass(time.Second)
		}
		r.wantTask(TaskCompleted, 4, "")
		r.want("orders", r.page("orders", Ready), []int{5, 4, 3, 2})
	})
	t.Run("takes nothing from another queue", func(t *testing.T) {
		r := newDead(t, 1)
		other := r.send("orders", "x")
		r.redrive(RedriveRequest{Source: "dlq", Selection: []Ref{other}})
		r.pass(0)
		r.wantTask(TaskCompleted, 0, "")
		r.want("orders", r.page("orders", Ready), []string{"x"})
	})
}

// TestRedriveRestarts restarts a redrive after every tick: nothing moves twice
// and nothing is lost.
func TestRedriveRestarts(t *testing.T) {
	r := newDead(t, 40)
	r.redrive(RedriveRequest{Source: "dlq", Rate: 7})
	for i := range 30 {
		r.pass(300 * time.Millisecond)
		if i%3 == 0 {
			r.reopen()
		}
		task := r.task()
		r.wantCounts("dlq", Counts{Ready: 40 - task.Moved})
		r.wantCounts("orders", Counts{Ready: task.Moved})
	}
	r.wantTask(TaskCompleted, 40, "")
	var want []int
	for i := range 40 {
		want = append(want, i)
	}
	r.want("orders", r.page("orders", Ready), want)
}
