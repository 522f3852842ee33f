//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
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

// lineWith is the screen's line that contains text.
func lineWith(screen, text string) string {
	for line := range strings.SplitSeq(screen, "\n") {
		if strings.Contains(line, text) {
			return line
		}
	}
	return ""
}
