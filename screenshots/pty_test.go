//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"inflight/engine"
	"inflight/storage"
)

func TestTerminalIsReadAndMustBeRestored(t *testing.T) {
	x := startTerminal(t, 40, 5, "sh", "-c",
		`printf '\033[?1049h\033[?25lhello'; read key; printf '\033[?25h\033[?1049l'; exit 3`)
	x.await("hello")
	x.press("q\r")
	if err := x.end(); err == nil || err.Error() != "exit status 3" {
		t.Errorf("end = %v, want exit status 3", err)
	}
}

// buildProgram compiles the program as a user would, and returns its path.
func buildProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "inflight")
	if out, err := exec.Command("go", "build", "-o", program, "inflight").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

// withEngine opens the store in dir, does something with it and closes it.
func withEngine(t *testing.T, dir string, do func(ctx context.Context, e *engine.Engine) error) {
	t.Helper()
	store, err := storage.Open(dir, storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(store, engine.Options{})
	if err != nil {
		t.Fatal(errors.Join(err, store.Close()))
	}
	if err := errors.Join(do(t.Context(), e), e.Close()); err != nil {
		t.Fatal(err)
	}
}

// prepare leaves, in a queue "orders" with a visibility timeout of five
// minutes: orders 1001 to 1003 dead, 1101 in flight with holder billing-1, and
// 1201 to 1203 visible.
func prepare(ctx context.Context, e *engine.Engine) error {
	orders := engine.DefaultAttributes()
	orders.VisibilityTimeout = 5 * time.Minute
	orders.Redrive = engine.RedrivePolicy{DLQ: "orders-dlq", MaxReceives: 2}
	err := errors.Join(
		e.CreateQueue(ctx, "orders-dlq", engine.DefaultAttributes()),
		e.CreateQueue(ctx, "orders", orders),
		sendOrders(ctx, e, 1001, 1003),
	)
	for range orders.Redrive.MaxReceives + 1 { // the last one moves them
		err = errors.Join(err, receive(ctx, e, 3, 0))
	}
	return errors.Join(err,
		sendOrders(ctx, e, 1101, 1101),
		receive(ctx, e, 1, orders.VisibilityTimeout),
		sendOrders(ctx, e, 1201, 1203))
}

func sendOrders(ctx context.Context, e *engine.Engine, from, to int) (err error) {
	for id := from; id <= to; id++ {
		_, sent := e.Send(ctx, "orders", engine.SendRequest{Body: fmt.Appendf(nil, `{"orderId":%d}`, id), Sender: "shop-1"})
		err = errors.Join(err, sent)
	}
	return err
}

func receive(ctx context.Context, e *engine.Engine, most int, visibility time.Duration) error {
	var now time.Duration
	_, err := e.Receive(ctx, "orders", engine.ReceiveRequest{
		Max: most, Visibility: &visibility, Wait: &now, Holder: "billing-1",
	})
	return err
}

// Keys as a terminal sends them.
const (
	enter = "\r"
	right = "\x1b[C"
)

// TestConsoleInATerminal runs the program as a user does, in a terminal, and
// peeks, extends, deletes and redrives by keys; what it says on the screen
// must then be so in the store.
func TestConsoleInATerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the whole program")
	}
	program, dir := buildProgram(t), t.TempDir()
	var before engine.Page
	withEngine(t, dir, func(ctx context.Context, e *engine.Engine) (err error) {
		if err := prepare(ctx, e); err != nil {
			return err
		}
		before, err = e.Page(ctx, engine.PageRequest{Queue: "orders", State: engine.InFlight, Limit: 1})
		return err
	})

	x := startTerminal(t, 100, 30, program, "--data", dir)
	x.await("Visible 3", "In flight 1", "Dead 3", `"orderId":1201`, "? help")
	peek(x)
	extend(x)
	deleteOne(x)
	redrive(x)
	x.press("q") // back from the jobs
	x.await("▸ 3 † Dead")
	x.press("q")
	if err := x.end(); err != nil {
		t.Errorf("the program ended with %v, want exit code 0", err)
	}

	if out, err := exec.Command(program, "check", "--data", dir).CombinedOutput(); err != nil {
		t.Errorf("inflight check: %v\n%s", err, out)
	}
	withEngine(t, dir, func(ctx context.Context, e *engine.Engine) error { return done(ctx, t, e, before) })
}

// peek receives the first visible message, which costs it a receive.
func peek(x *terminal) {
	x.press("1")
	x.await("▸ 1 ● Visible 3", "p peek: receive 1 of 2")
	x.press("p")
	x.awaitLine("✔", "receive 1 of 2", "a peek counts")
	x.awaitLine(`"orderId":1201`, "1/2")
}

// extend hides the message in flight for the queue's timeout, from now on.
func extend(x *terminal) {
	x.press("2")
	x.await("▸ 2 ◐ In flight 1", "x hide until", "billing-1")
	x.press("x")
	x.awaitLine("✔", "hidden until")
}

// deleteOne deletes the newest dead message, after it said No once.
func deleteOne(x *terminal) {
	x.press("3")
	x.await("▸ 3 † Dead 3", "1 of 3")
	x.press("D")
	x.await("y/N")
	x.press("n")
	x.awaitThat("no question", func(screen string) bool { return !strings.Contains(screen, "y/N") })
	x.press("D")
	x.await("y/N")
	x.press("y")
	x.awaitLine("✔", "deleted")
	x.await("Dead 2")
	x.awaitThat("no order 1003", func(screen string) bool { return !strings.Contains(screen, `"orderId":1003`) })
}

// redrive sends the dead ones back; its dialog starts on Cancel.
func redrive(x *terminal) {
	x.press("R")
	x.await("Redrive from orders-dlq", "[ Cancel ]")
	x.press(right)
	x.await("[ Redrive 2 ]")
	x.press(enter)
	x.await("Visible 5", "Dead 0", `"orderId":1001`, `"orderId":1002`)
	x.press("b")
	x.await("Jobs 1", "completed", "orders-dlq")
}

// awaitLine waits for a line that contains all of these.
func (x *terminal) awaitLine(texts ...string) {
	x.t.Helper()
	x.awaitThat(fmt.Sprintf("a line with %q", texts), func(screen string) bool {
		for line := range strings.SplitSeq(screen, "\n") {
			if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(line, text) }) {
				return true
			}
		}
		return false
	})
}

// done holds the store against what the keys did.
func done(ctx context.Context, t *testing.T, e *engine.Engine, before engine.Page) error {
	stats, err := e.Queues(ctx)
	if err != nil {
		return err
	}
	want := map[string]engine.Counts{"orders": {Ready: 5, InFlight: 1}, "orders-dlq": {}}
	for _, queue := range stats {
		if queue.Counts != want[queue.Name] {
			t.Errorf("%s has %+v, want %+v", queue.Name, queue.Counts, want[queue.Name])
		}
	}
	after, err := e.Page(ctx, engine.PageRequest{Queue: "orders", State: engine.InFlight, Limit: 1})
	if err != nil {
		return err
	}
	if was, is := before.Rows[0].Due, after.Rows[0].Due; !is.After(was) {
		t.Errorf("the extended lease ends at %v, want later than %v", is, was)
	}
	ready, err := e.Page(ctx, engine.PageRequest{Queue: "orders", State: engine.Ready, Limit: 10})
	if err != nil {
		return err
	}
	receives := map[string]int{}
	for _, row := range ready.Rows {
		receives[string(row.Message.Body)] = row.Receives
	}
	wantReceives := map[string]int{
		`{"orderId":1001}`: 0, `{"orderId":1002}`: 0, // sent anew by the redrive
		`{"orderId":1201}`: 1, `{"orderId":1202}`: 0, `{"orderId":1203}`: 0,
	}
	if !maps.Equal(receives, wantReceives) {
		t.Errorf("receives of what is visible = %v, want %v", receives, wantReceives)
	}
	return nil
}
