package engine

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// More were removed at the front of a group than a slice looks at.
func TestRedriveFIFOPassesRemovedOnes(t *testing.T) {
	ctx := context.Background()
	r := newRig(t)
	r.queue("dead.fifo", fifoQueue())
	r.queue("q.fifo", fifoQueue(deadTo("dead.fifo", 1)))
	var refs []Ref
	for i := range 600 {
		refs = append(refs, r.sendGroup("dead.fifo", "g", fmt.Sprint(i)))
	}
	r.remove(append(refs[1:500:500], refs[0])...)
	r.wantCounts("dead.fifo", Counts{Ready: 100})
	task, err := r.StartRedrive(ctx, RedriveRequest{Source: "dead.fifo", Destination: "q.fifo"})
	wantError(t, err, nil)
	r.want("to move", task.ToMove, 100)
	for range 5 {
		r.pass(time.Second)
	}
	r.wantTask(TaskCompleted, 100, "")
	r.wantCounts("q.fifo", Counts{Ready: 100})
}

func TestRedriveFIFOGoesOnBehindARemovedOne(t *testing.T) {
	r := newRig(t)
	r.queue("dead.fifo", fifoQueue())
	r.queue("q.fifo", fifoQueue(deadTo("dead.fifo", 1)))
	r.sendGroup("dead.fifo", "g", "a")
	b := r.sendGroup("dead.fifo", "g", "b")
	r.sendGroup("dead.fifo", "g", "c")
	r.remove(b)
	r.delete(r.receive("dead.fifo", 1)[0])
	_, err := r.StartRedrive(context.Background(), RedriveRequest{Source: "dead.fifo", Destination: "q.fifo", Rate: 1})
	wantError(t, err, nil)
	for range 3 {
		r.pass(time.Second)
	}
	r.wantTask(TaskCompleted, 1, "")
	r.want("moved", r.page("q.fifo", Ready), []string{"c"})
}

// readHook calls do once before a read.
type readHook struct {
	*memory
	do func()
}

func (h *readHook) Read(refs []Ref, limit int) ([]*Message, error) {
	if do := h.do; do != nil {
		h.do = nil
		do()
	}
	return h.memory.Read(refs, limit)
}

func TestRedriveFIFOOfWhatIsDeletedMeanwhile(t *testing.T) {
	ctx := context.Background()
	r := &rig{TB: t, store: newMemory(), now: start}
	hook := &readHook{memory: r.store}
	e, err := Open(hook, Options{Now: func() time.Time { return r.now }, NewID: r.newID})
	wantError(t, err, nil)
	r.Engine = e
	defer e.Close()
	r.queue("dead.fifo", fifoQueue())
	r.queue("q.fifo", fifoQueue(deadTo("dead.fifo", 1)))
	var refs []Ref
	for i := range 5 {
		refs = append(refs, r.sendGroup("dead.fifo", "g", fmt.Sprint(i)))
	}
	_, err = r.StartRedrive(ctx, RedriveRequest{Source: "dead.fifo", Destination: "q.fifo", Rate: 1})
	wantError(t, err, nil)
	hook.do = func() { r.remove(refs[0]) } // between the choice and the read
	for range 10 {
		r.pass(time.Second)
	}
	r.wantTask(TaskCompleted, 4, "")
	r.wantCounts("dead.fifo", Counts{})
}

func TestRedriveFIFOAfterTheClockWentBack(t *testing.T) {
	ctx := context.Background()
	r := newRig(t)
	r.queue("dead.fifo", fifoQueue())
	r.queue("q.fifo", fifoQueue(deadTo("dead.fifo", 1)))
	r.sendGroup("dead.fifo", "y", "y1")
	r.now = r.now.Add(-time.Hour)
	r.reopen()
	_, err := r.StartRedrive(ctx, RedriveRequest{Source: "dead.fifo", Destination: "q.fifo"})
	wantError(t, err, nil)
	for i := range 20 { // later than the start
		r.sendGroup("dead.fifo", "x", fmt.Sprint("x", i))
	}
	for range 5 {
		r.pass(time.Second)
	}
	r.wantTask(TaskCompleted, 1, "")
}

func TestFIFOOrderAfterTheClockWentBack(t *testing.T) {
	ctx := context.Background()
	r := newRig(t)
	r.queue("dead.fifo", fifoQueue(visibility(10*time.Second)))
	r.queue("q.fifo", fifoQueue(deadTo("dead.fifo", 1)))
	r.sendGroup("dead.fifo", "g", "1")
	r.receive("dead.fifo", 1)
	r.now = r.now.Add(-time.Hour)
	r.reopen()
	r.sendGroup("dead.fifo", "g", "2")
	p, _ := r.Page(ctx, PageRequest{Queue: "dead.fifo", State: InFlight, Limit: 1})
	_, err := r.Release(ctx, []Ref{p.Rows[0].Ref})
	wantError(t, err, nil)
	r.want("order in the dead-letter queue", r.page("dead.fifo", Ready), "[1 2]")
	_, err = r.StartRedrive(ctx, RedriveRequest{Source: "dead.fifo", Destination: "q.fifo"})
	wantError(t, err, nil)
	r.pass(0)
	r.want("order after the redrive", r.page("q.fifo", Ready), "[1 2]")
}
