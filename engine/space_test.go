package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// roomy is a rig with a message in every state, and a dead-letter queue with
// one in it.
func roomy(t *testing.T) (r *rig, flight, ready, delayed, dead Ref, d []Delivery) {
	r = newRig(t)
	r.queue("dlq")
	r.queue("orders", deadTo("dlq", 1), visibility(time.Minute))
	r.queue("other")
	dead = r.send("dlq", "dead")
	flight = r.send("orders", "flight")
	d = r.receive("orders", 1)
	ready = r.send("orders", "ready")
	delayed = r.delayed("orders", "delayed", time.Hour)
	return r, flight, ready, delayed, dead, d
}

// fill lets the store say how much room it has, and the engine hear it.
func (r *rig) fill(space Space) {
	r.Helper()
	r.store.set(func(m *memory) { m.space = space })
	r.pass(0)
}

// picture is everything that a refusal must not change.
func (r *rig) picture() string {
	all, err := r.Queues(context.Background())
	if err != nil {
		r.Fatal(err)
	}
	tasks, _ := r.Tasks(context.Background())
	text := fmt.Sprintln(all, tasks)
	for _, q := range all {
		for _, state := range []State{Ready, InFlight, Delayed} {
			page, _ := r.Page(context.Background(), PageRequest{Queue: q.Name, State: state, Limit: 100})
			text += fmt.Sprintln(page)
		}
	}
	r.flush()
	return text
}

func TestSpaceLow(t *testing.T) {
	ctx := context.Background()
	r, flight, ready, delayed, dead, d := roomy(t)
	r.fill(SpaceLow)
	before := r.picture()
	commits := r.store.groups
	refused := map[string]func() error{
		"send":   func() error { _, err := r.Send(ctx, "orders", SendRequest{Body: []byte("x")}); return err },
		"create": func() error { return r.CreateQueue(ctx, "new", DefaultAttributes()) },
		"move":   func() error { _, err := r.Move(ctx, []Ref{ready, delayed}, "other"); return err },
		"redrive": func() error {
			_, err := r.StartRedrive(ctx, RedriveRequest{Source: "dlq", Destination: "other"})
			return err
		},
	}
	for name, act := range refused {
		t.Run(name+" is refused and changes nothing", func(t *testing.T) {
			wantError(t, act(), ErrStoreFull)
			r.want("picture", r.picture(), before)
			r.want("commits", r.store.groups, commits)
		})
	}
	passes := []struct {
		name string
		act  func() error
	}{
		{"receive", func() error {
			got, err := r.Receive(ctx, "orders", ReceiveRequest{Max: 1})
			r.want("received", bodies(got), []string{"ready"})
			return err
		}},
		{"peek", func() error { _, err := r.Peek(ctx, dead, PeekRequest{}); return err }},
		{"extend", func() error { _, _, err := r.Extend(ctx, []Ref{flight}, time.Minute); return err }},
		{"change visibility", func() error {
			_, _, err := r.ChangeVisibility(ctx, VisibilityRequest{Receipt: d[0].Receipt, Visibility: time.Minute})
			return err
		}},
		{"configure", func() error { return r.Configure(ctx, "other", visibility(time.Second)) }},
		{"delete", func() error { return r.Delete(ctx, d[0].Receipt, AnyDelivery) }},
		{"remove", func() error { _, err := r.Remove(ctx, []Ref{delayed}); return err }},
		{"purge", func() error { _, err := r.Purge(ctx, "dlq"); return err }},
		{"delete queue", func() error { return r.DeleteQueue(ctx, "other") }},
	}
	for _, tt := range passes {
		t.Run(tt.name+" passes", func(t *testing.T) { wantError(t, tt.act(), nil) })
	}
	t.Run("with room again everything passes", func(t *testing.T) {
		r.fill(SpaceEnough)
		r.send("orders", "x")
	})
}

func TestSpaceForMoves(t *testing.T) {
	ctx := context.Background()
	t.Run("a dead-letter move waits for room, and holds nobody up", func(t *testing.T) {
		r, flight, _, _, _, _ := roomy(t)
		r.pass(time.Minute)
		r.fill(SpaceLow)
		r.want("received", bodies(r.receive("orders", 5)), []string{"ready"})
		_, err := r.Peek(ctx, flight, PeekRequest{DeadLetter: true})
		wantError(t, err, ErrStoreFull)
		r.wantCounts("orders", Counts{Ready: 1, InFlight: 1, Delayed: 1})
		r.fill(SpaceEnough)
		r.want("received", len(r.receive("orders", 5)), 0)
		r.want("dead", r.page("dlq", Ready), []string{"dead", "flight"})
	})
	t.Run("a redrive waits for room and then goes on at its rate", func(t *testing.T) {
		r := newDead(t, 5)
		r.redrive(RedriveRequest{Source: "dlq", Rate: 1})
		r.pass(time.Second)
		r.fill(SpaceLow)
		r.pass(time.Minute)
		r.wantTask(TaskRunning, 1, "")
		r.fill(SpaceEnough)
		r.pass(time.Second)
		r.wantTask(TaskRunning, 2, "")
	})
}

func TestSpaceOut(t *testing.T) {
	ctx := context.Background()
	r, _, ready, _, _, _ := roomy(t)
	r.fill(SpaceOut)
	before := r.picture()
	refused := map[string]func() error{
		"send":      func() error { _, err := r.Send(ctx, "orders", SendRequest{Body: []byte("x")}); return err },
		"receive":   func() error { _, err := r.Receive(ctx, "orders", ReceiveRequest{}); return err },
		"peek":      func() error { _, err := r.Peek(ctx, ready, PeekRequest{}); return err },
		"configure": func() error { return r.Configure(ctx, "orders", visibility(time.Second)) },
		"create":    func() error { return r.CreateQueue(ctx, "new", DefaultAttributes()) },
	}
	for name, act := range refused {
		t.Run(name+" is refused and changes nothing", func(t *testing.T) {
			wantError(t, act(), ErrStoreFull)
			r.want("picture", r.picture(), before)
		})
	}
	t.Run("what is there can be read", func(t *testing.T) {
		_, err := r.Inspect(ctx, ready)
		wantError(t, err, nil)
		_, _, err = r.Locate(ctx, ready)
		wantError(t, err, nil)
	})
}

func TestStoreFailed(t *testing.T) {
	ctx := context.Background()
	r, flight, ready, _, _, d := roomy(t)
	task := r.redriveTask()
	r.store.set(func(m *memory) { m.fail = errBroken })
	_, err := r.Send(ctx, "orders", SendRequest{Body: []byte("x")})
	wantError(t, err, ErrStoreFailed)
	calls := map[string]func() error{
		"create":    func() error { return r.CreateQueue(ctx, "new", DefaultAttributes()) },
		"configure": func() error { return r.Configure(ctx, "orders", visibility(time.Second)) },
		"delete queue": func() error {
			return errors.Join(r.DeleteQueue(ctx, "orders"))
		},
		"purge":   func() error { _, err := r.Purge(ctx, "orders"); return err },
		"queues":  func() error { _, err := r.Queues(ctx); return err },
		"send":    func() error { _, err := r.Send(ctx, "orders", SendRequest{Body: []byte("x")}); return err },
		"receive": func() error { _, err := r.Receive(ctx, "orders", ReceiveRequest{Wait: seconds64(20)}); return err },
		"delete":  func() error { return r.Delete(ctx, d[0].Receipt, AnyDelivery) },
		"change visibility": func() error {
			_, _, err := r.ChangeVisibility(ctx, VisibilityRequest{Receipt: d[0].Receipt})
			return err
		},
		"extend":  func() error { _, _, err := r.Extend(ctx, []Ref{flight}, time.Minute); return err },
		"release": func() error { _, err := r.Release(ctx, []Ref{flight}); return err },
		"remove":  func() error { _, err := r.Remove(ctx, []Ref{ready}); return err },
		"move":    func() error { _, err := r.Move(ctx, []Ref{ready}, "other"); return err },
		"peek":    func() error { _, err := r.Peek(ctx, ready, PeekRequest{}); return err },
		"page":    func() error { _, err := r.Page(ctx, PageRequest{Queue: "orders"}); return err },
		"locate":  func() error { _, _, err := r.Locate(ctx, ready); return err },
		"inspect": func() error { _, err := r.Inspect(ctx, ready); return err },
		"search": func() error {
			_, err := r.Search(ctx, SearchRequest{Queue: "orders", MaxScan: 1, Match: func(*Message) bool { return true }})
			return err
		},
		"events":        func() error { _, _, err := r.Events(ctx, 0, 1); return err },
		"start redrive": func() error { _, err := r.StartRedrive(ctx, RedriveRequest{Source: "dlq"}); return err },
		"pause":         func() error { return r.PauseRedrive(ctx, task) },
		"resume":        func() error { return r.ResumeRedrive(ctx, task) },
		"cancel":        func() error { return r.CancelRedrive(ctx, task) },
		"rate":          func() error { return r.SetRedriveRate(ctx, task, 1) },
		"tasks":         func() error { _, err := r.Tasks(ctx); return err },
		"tick":          func() error { return r.Tick(r.now) },
		"run":           func() error { return r.Run(ctx) },
		"check":         func() error { return r.Check(ctx, func(string) {}) },
	}
	for name, call := range calls {
		t.Run(name+" says why the store failed", func(t *testing.T) {
			err := call()
			wantError(t, err, ErrStoreFailed)
			wantError(t, err, errBroken)
		})
	}
	t.Run("opened again, everything is as last acknowledged", func(t *testing.T) {
		r.store.set(func(m *memory) { m.fail = nil })
		r.reopen()
		r.wantCounts("orders", Counts{Ready: 1, InFlight: 1, Delayed: 1})
		wantError(t, r.Delete(ctx, d[0].Receipt, LastDelivery), nil)
	})
}

func (r *rig) redriveTask() uint64 {
	r.Helper()
	return r.redrive(RedriveRequest{Source: "dlq", Destination: "other", Rate: 1}).ID
}

func TestClosed(t *testing.T) {
	r := newRig(t)
	wantError(t, r.Close(), nil)
	wantError(t, r.Close(), nil)
	_, err := r.Send(context.Background(), "orders", SendRequest{Body: []byte("x")})
	wantError(t, err, ErrClosed)
	wantError(t, r.Tick(r.now), ErrClosed)
}

func TestLeasesWithoutRoom(t *testing.T) {
	r := newRig(t)
	r.queue("orders")
	r.send("orders", "a")
	got := r.receive("orders", 1)
	r.store.set(func(m *memory) { m.space = SpaceOut })
	r.pass(0)
	if _, n, err := r.Extend(context.Background(), []Ref{got[0].Ref, got[0].Ref}, time.Minute); n != 0 || !errors.Is(err, ErrStoreFull) {
		t.Errorf("Extend = %d, %v, want %v", n, err, ErrStoreFull)
	}
	_, _, err := r.ChangeVisibility(context.Background(), VisibilityRequest{Receipt: got[0].Receipt, Visibility: time.Minute})
	if !errors.Is(err, ErrStoreFull) {
		t.Errorf("ChangeVisibility to more: %v, want %v", err, ErrStoreFull)
	}
	if n, err := r.Release(context.Background(), []Ref{got[0].Ref}); n != 1 || err != nil {
		t.Errorf("Release = %d, %v", n, err)
	}
	r.wantCounts("orders", Counts{Ready: 1})
}
