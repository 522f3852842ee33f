package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func fifoQueue(change ...func(*Attributes)) func(*Attributes) {
	return func(a *Attributes) {
		a.Type, a.ContentDeduplication = FIFO, true
		for _, c := range change {
			c(a)
		}
	}
}

// sendGroup sends bodies to one message group.
func (r *rig) sendGroup(queue, group string, bodies ...string) (ref Ref) {
	r.Helper()
	for _, body := range bodies {
		sent, err := r.Send(context.Background(), queue, SendRequest{Body: []byte(body), Group: group})
		if err != nil {
			r.Fatal(err)
		}
		ref = sent.Ref
	}
	return ref
}

func (r *rig) check() {
	r.Helper()
	if err := r.verify(r.store); err != nil {
		r.Error(err)
	}
}

// SQS F7 to F10: the order of groups and what blocks them.
func TestGroupOrder(t *testing.T) {
	setUp := func(t *testing.T) *rig {
		r := newRig(t)
		r.queue("q.fifo", fifoQueue())
		return r
	}
	t.Run("one receive takes from one group first, in order, then from the next", func(t *testing.T) {
		r := setUp(t)
		r.sendGroup("q.fifo", "a", "a1")
		r.sendGroup("q.fifo", "b", "b1")
		r.sendGroup("q.fifo", "a", "a2", "a3")
		r.sendGroup("q.fifo", "b", "b2")
		r.want("receive", bodies(r.receive("q.fifo", 4)), "[a1 a2 a3 b1]")
		r.check()
	})
	t.Run("a group whose first message is in flight gives nothing, others do", func(t *testing.T) {
		r := setUp(t)
		r.sendGroup("q.fifo", "a", "a1", "a2")
		r.sendGroup("q.fifo", "b", "b1")
		r.want("first", bodies(r.receive("q.fifo", 1)), "[a1]")
		r.want("second", bodies(r.receive("q.fifo", 10)), "[b1]")
		r.sendGroup("q.fifo", "a", "a3")
		r.want("a new send frees nothing", bodies(r.receive("q.fifo", 10)), "[]")
		r.wantCounts("q.fifo", Counts{Ready: 2, InFlight: 2})
	})
	t.Run("deleting only the first of two keeps the group blocked by the second", func(t *testing.T) {
		r := setUp(t)
		r.sendGroup("q.fifo", "a", "a1", "a2", "a3")
		got := r.receive("q.fifo", 2)
		r.delete(got[0])
		r.want("receive", bodies(r.receive("q.fifo", 10)), "[]")
		r.delete(got[1])
		r.want("when both are deleted", bodies(r.receive("q.fifo", 10)), "[a3]")
	})
	t.Run("a released first message comes again alone, behind groups that waited", func(t *testing.T) {
		r := setUp(t)
		r.sendGroup("q.fifo", "a", "a1", "a2")
		got := r.receive("q.fifo", 2)
		r.sendGroup("q.fifo", "b", "b1")
		r.release(got[0])
		r.want("receive", bodies(r.receive("q.fifo", 10)), "[b1 a1]")
	})
	t.Run("after the timeout those before the extended one come, it and what follows do not", func(t *testing.T) {
		r := setUp(t)
		r.sendGroup("q.fifo", "a", "a1", "a2", "a3")
		got := r.receive("q.fifo", 3)
		if _, _, err := r.ChangeVisibility(context.Background(), VisibilityRequest{
			Receipt: got[1].Receipt, Visibility: time.Hour, Strictness: LastReceive,
		}); err != nil {
			t.Fatal(err)
		}
		r.pass(31 * time.Second)
		r.want("receive", bodies(r.receive("q.fifo", 10)), "[a1]")
	})
	t.Run("groups rotate", func(t *testing.T) {
		r := setUp(t)
		for _, g := range []string{"a", "b", "c"} {
			r.sendGroup("q.fifo", g, g+"1", g+"2")
		}
		var all []string
		for range 6 {
			got := r.receive("q.fifo", 1)
			all = append(all, bodies(got)...)
			r.delete(got[0])
		}
		r.want("order", all, "[a1 b1 c1 a2 b2 c2]")
		r.wantCounts("q.fifo", Counts{})
		r.check()
	})
	t.Run("an emptied group ends and may come again", func(t *testing.T) {
		r := setUp(t)
		for i := range 3 {
			r.sendGroup("q.fifo", "a", fmt.Sprint("a", i))
			r.delete(r.receive("q.fifo", 1)[0])
			r.want("lanes", len(r.store.lanes), 0)
		}
		r.check()
	})
}

func (r *rig) delete(d Delivery) {
	r.Helper()
	if err := r.Delete(context.Background(), d.Receipt, LastReceive); err != nil {
		r.Fatal(err)
	}
}

func (r *rig) release(d Delivery) {
	r.Helper()
	_, _, err := r.ChangeVisibility(context.Background(), VisibilityRequest{Receipt: d.Receipt, Strictness: LastReceive})
	if err != nil {
		r.Fatal(err)
	}
}

func TestDeduplication(t *testing.T) {
	send := func(r *rig, group, id, body string) Sent {
		r.Helper()
		sent, err := r.Send(context.Background(), "q.fifo", SendRequest{Body: []byte(body), Group: group, Deduplication: id})
		if err != nil {
			r.Fatal(err)
		}
		return sent
	}
	t.Run("the same id within 5 minutes answers with the first message", func(t *testing.T) {
		r := newRig(t)
		r.queue("q.fifo", fifoQueue())
		first := send(r, "a", "1", "x")
		again := send(r, "b", "1", "y")
		if !again.Duplicate || again.ID != first.ID || again.Sequence != first.Sequence {
			t.Errorf("second send = %+v, want a duplicate of %+v", again, first)
		}
		r.wantCounts("q.fifo", Counts{Ready: 1})
	})
	t.Run("it survives delete and restart, and ends after 5 minutes", func(t *testing.T) {
		r := newRig(t)
		r.queue("q.fifo", fifoQueue())
		send(r, "a", "1", "x")
		r.delete(r.receive("q.fifo", 1)[0])
		r.pass(5*time.Minute - time.Millisecond)
		r.reopen()
		if !send(r, "a", "1", "x").Duplicate {
			t.Error("just before 5 minutes: sent again")
		}
		r.pass(time.Millisecond)
		if send(r, "a", "1", "x").Duplicate {
			t.Error("after 5 minutes: still a duplicate")
		}
	})
	t.Run("a purge forgets it", func(t *testing.T) {
		r := newRig(t)
		r.queue("q.fifo", fifoQueue())
		send(r, "a", "1", "x")
		if _, err := r.Purge(context.Background(), "q.fifo"); err != nil {
			t.Fatal(err)
		}
		if send(r, "a", "1", "x").Duplicate {
			t.Error("after a purge: a duplicate")
		}
	})
	t.Run("by group, the same id in another group is another message", func(t *testing.T) {
		r := newRig(t)
		r.queue("q.fifo", fifoQueue(func(a *Attributes) { a.DeduplicateByGroup = true }))
		send(r, "a", "1", "x")
		if send(r, "b", "1", "x").Duplicate || !send(r, "a", "1", "x").Duplicate {
			t.Error("groups do not keep apart")
		}
	})
	t.Run("the body's hash is the id when none is given, and equals the same one given", func(t *testing.T) {
		r := newRig(t)
		r.queue("q.fifo", fifoQueue())
		send(r, "a", "", "x")
		if !send(r, "a", contentID([]byte("x")), "y").Duplicate {
			t.Error("the explicit hash is no duplicate")
		}
	})
	t.Run("sequence numbers grow", func(t *testing.T) {
		r := newRig(t)
		r.queue("q.fifo", fifoQueue())
		a := send(r, "a", "1", "x")
		r.reopen()
		if b := send(r, "b", "2", "x"); b.Sequence <= a.Sequence {
			t.Errorf("sequence %d after %d", b.Sequence, a.Sequence)
		}
	})
}

func TestFIFORefusals(t *testing.T) {
	ten := 10 * time.Second
	tests := []struct {
		name    string
		request SendRequest
		field   string
	}{
		{"no group", SendRequest{Deduplication: "1"}, "MessageGroupId"},
		{"a group with a space", SendRequest{Group: "a b", Deduplication: "1"}, "MessageGroupId"},
		{"a long group", SendRequest{Group: strings.Repeat("g", 129), Deduplication: "1"}, "MessageGroupId"},
		{"no deduplication id and none by content", SendRequest{Group: "a"}, "MessageDeduplicationId"},
		{"a delay of its own", SendRequest{Group: "a", Deduplication: "1", Delay: &ten}, "DelaySeconds"},
		{"a priority", SendRequest{Group: "a", Deduplication: "1", Priority: 1}, "Priority"},
	}
	r := newRig(t)
	r.queue("q.fifo", fifoQueue(func(a *Attributes) { a.ContentDeduplication = false }))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.request.Body = []byte("x")
			_, err := r.Send(context.Background(), "q.fifo", tt.request)
			var invalid *InvalidError
			if !errors.As(err, &invalid) || invalid.Field != tt.field {
				t.Errorf("Send = %v, want a fault of %s", err, tt.field)
			}
		})
	}
	for name, a := range map[string]Type{"q": FIFO, "r.fifo": Standard} {
		attributes := DefaultAttributes()
		attributes.Type = a
		if err := r.CreateQueue(context.Background(), name, attributes); err == nil {
			t.Errorf("a %s queue may be called %q", a, name)
		}
	}
}

func TestFIFODeadLetters(t *testing.T) {
	setUp := func(t *testing.T) *rig {
		r := newRig(t)
		r.queue("dead.fifo", fifoQueue())
		r.queue("q.fifo", fifoQueue(deadTo("dead.fifo", 1)))
		return r
	}
	t.Run("the group goes on with its next message, sent time and deduplication id change", func(t *testing.T) {
		r := setUp(t)
		r.sendGroup("q.fifo", "a", "a1", "a2")
		first := r.receive("q.fifo", 1)
		r.pass(time.Minute)
		r.want("receive", bodies(r.receive("q.fifo", 1)), "[a2]")
		dead := r.receive("dead.fifo", 10)
		r.want("dead", bodies(dead), "[a1]")
		m := dead[0].Message
		if m.ID != first[0].Message.ID || m.Deduplication != m.ID.String() || m.Group != "a" || !m.Sent.Equal(r.now) {
			t.Errorf("dead-lettered message = %+v", m)
		}
		r.check()
	})
	t.Run("a redrive keeps group and deduplication id, and the order of a group", func(t *testing.T) {
		r := setUp(t)
		r.sendGroup("q.fifo", "a", "a1", "a2", "a3")
		r.sendGroup("q.fifo", "b", "b1", "b2")
		r.receive("q.fifo", 10)
		r.pass(time.Minute)
		r.want("receive", bodies(r.receive("q.fifo", 10)), "[]")
		r.wantCounts("dead.fifo", Counts{Ready: 5})
		ids := map[string]string{}
		page, err := r.Page(context.Background(), PageRequest{Queue: "dead.fifo", Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range page.Rows {
			ids[string(row.Message.Body)] = row.Message.Deduplication
		}
		if _, err := r.StartRedrive(context.Background(), RedriveRequest{Source: "dead.fifo"}); err != nil {
			t.Fatal(err)
		}
		r.pass(time.Second)
		got := r.receive("q.fifo", 10)
		r.want("redriven", bodies(got), "[a1 a2 a3 b1 b2]")
		for _, d := range got {
			if d.Message.Deduplication != ids[string(d.Message.Body)] {
				t.Errorf("%s: deduplication id %q, want that of the dead-letter queue", d.Message.Body, d.Message.Deduplication)
			}
		}
		tasks, _ := r.Tasks(context.Background())
		if tasks[0].State != TaskCompleted || tasks[0].Moved != 5 {
			t.Errorf("task = %+v", tasks[0])
		}
		r.check()
	})
	t.Run("a redrive passes over a group that is in flight and ends", func(t *testing.T) {
		r := setUp(t)
		r.sendGroup("q.fifo", "a", "a1", "a2")
		r.sendGroup("q.fifo", "b", "b1")
		r.receive("q.fifo", 10)
		r.pass(time.Minute)
		r.receive("q.fifo", 10)
		r.want("held", bodies(r.receive("dead.fifo", 1)), "[a1]")
		if _, err := r.StartRedrive(context.Background(), RedriveRequest{Source: "dead.fifo"}); err != nil {
			t.Fatal(err)
		}
		r.pass(time.Second)
		r.want("left", r.page("dead.fifo", Ready), "[a2]")
		tasks, _ := r.Tasks(context.Background())
		r.want("state", tasks[0].State, TaskCompleted)
	})
}
