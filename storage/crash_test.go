package storage_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"inflight/engine"
	"inflight/storage"
)

// crashDir tells the test binary to be the process that gets killed.
const crashDir = "INFLIGHT_CRASH_DIR"

// TestKilledUnderLoad kills a process under load again and again. Whatever it
// had acknowledged must be there afterwards: every send, every delete, and
// nothing that Check objects to.
func TestKilledUnderLoad(t *testing.T) {
	if dir := os.Getenv(crashDir); dir != "" {
		load(dir)
		return
	}
	dir := t.TempDir()
	known := ledger{sent: map[string]bool{}, deleting: map[string]bool{}, deleted: map[string]bool{}}
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	rounds := 8
	if testing.Short() {
		rounds = 3
	}
	for round := range rounds {
		kill(t, dir, 200+random.IntN(2000), &known)
		if t.Failed() || !verify(t, dir, &known) {
			t.Fatalf("round %d, seed %d", round, seed)
		}
	}
	if len(known.sent) == 0 || len(known.deleted) == 0 {
		t.Errorf("%d sends and %d deletes were acknowledged; the test shows nothing", len(known.sent), len(known.deleted))
	}
}

// ledger is what the killed processes have said.
type ledger struct {
	sent     map[string]bool // acknowledged
	deleting map[string]bool // asked for, perhaps not acknowledged
	deleted  map[string]bool // acknowledged
}

// kill runs the load until so many lines were heard, and ends it with SIGKILL.
func kill(t *testing.T, dir string, lines int, known *ledger) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledUnderLoad$")
	child.Env = append(os.Environ(), crashDir+"="+dir)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(out)
	for n := 0; scanner.Scan(); n++ {
		verb, id, _ := strings.Cut(scanner.Text(), " ")
		switch verb {
		case "sent":
			known.sent[id] = true
		case "deleting":
			known.deleting[id] = true
		case "deleted":
			known.deleted[id] = true
		default:
			t.Errorf("the loaded process said %q", scanner.Text())
		}
		if n == lines { // what it still says while it dies counts too
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	child.Wait() // says that it was killed
}

// verify opens the store and compares it with the ledger.
func verify(t *testing.T, dir string, known *ledger) bool {
	t.Helper()
	store, err := storage.Open(dir, storage.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(store, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ok := true
	complain := func(format string, args ...any) {
		ok = false
		t.Errorf(format, args...)
	}
	if err := e.Check(ctx, func(problem string) { complain("check: %s", problem) }); err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, queue := range []string{"orders", "dead"} {
		for _, state := range []engine.State{engine.Ready, engine.InFlight, engine.Delayed} {
			found, err := e.Search(ctx, engine.SearchRequest{
				Queue: queue, State: state, MaxScan: 1 << 30, MaxHits: 1 << 30,
				Match: func(*engine.Message) bool { return true },
			})
			if err != nil {
				t.Fatal(err)
			}
			if found.Scanned != found.Total {
				complain("%s of %q: %d counted, %d read", state, queue, found.Total, found.Scanned)
			}
			for _, row := range found.Rows {
				if there[row.Message.ID.String()] {
					complain("%s is there twice", row.Message.ID)
				}
				there[row.Message.ID.String()] = true
			}
		}
	}
	for id := range known.sent {
		if !known.deleting[id] && !there[id] {
			complain("%s was acknowledged and is lost", id)
		}
	}
	for id := range known.deleted {
		if there[id] {
			complain("%s was deleted and is back", id)
		}
	}
	return ok
}

// load sends, receives, deletes and dead-letters until it is killed, and says
// what was acknowledged.
func load(dir string) {
	store, err := storage.Open(dir, storage.Options{})
	if err != nil {
		panic(err)
	}
	e, err := engine.Open(store, engine.Options{})
	if err != nil {
		panic(err)
	}
	dead := engine.DefaultAttributes()
	orders := dead
	orders.Redrive = engine.RedrivePolicy{DLQ: "dead", MaxReceives: 2}
	if err := errors.Join(e.CreateQueue(ctx, "dead", dead), e.CreateQueue(ctx, "orders", orders)); err != nil {
		panic(err)
	}
	background, cancel := context.WithCancel(ctx)
	defer cancel()
	go e.Run(background)
	var saying sync.Mutex
	say := func(verb string, id engine.ID) {
		saying.Lock()
		defer saying.Unlock()
		fmt.Println(verb, id)
	}
	var group sync.WaitGroup
	var calls atomic.Int64
	for range 16 {
		group.Go(func() {
			for calls.Add(1) < 100_000 { // an end, should nobody kill it
				cycle(e, say)
			}
		})
	}
	group.Wait()
}

// cycle sends two, and deletes one of those it receives.
func cycle(e *engine.Engine, say func(string, engine.ID)) {
	for range 2 {
		sent, err := e.Send(ctx, "orders", engine.SendRequest{Body: []byte(strings.Repeat("x", 700))})
		if err != nil {
			panic(err)
		}
		say("sent", sent.ID)
	}
	visibility := time.Duration(0)
	got, err := e.Receive(ctx, "orders", engine.ReceiveRequest{Max: 2, Visibility: &visibility})
	if err != nil {
		panic(err)
	}
	for i, d := range got {
		if i > 0 {
			break
		}
		say("deleting", d.Message.ID)
		switch err := e.Delete(ctx, d.Receipt, engine.AnyDelivery); {
		case err == nil:
			say("deleted", d.Message.ID)
		case !errors.Is(err, engine.ErrMessageGone): // another caller was first
			panic(err)
		}
	}
}

func TestNearlyFullDisk(t *testing.T) {
	var free atomic.Uint64
	free.Store(10 * storage.Reserve)
	store, err := storage.Open(t.TempDir(), storage.Options{Free: func() (uint64, error) { return free.Load(), nil }})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(store, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := e.CreateQueue(ctx, "orders", engine.DefaultAttributes()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := e.Send(ctx, "orders", engine.SendRequest{Body: []byte("x")}); err != nil {
			t.Fatal(err)
		}
	}
	free.Store(storage.Reserve - 1)
	if err := e.Tick(time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Send(ctx, "orders", engine.SendRequest{Body: []byte("x")}); !errors.Is(err, engine.ErrStoreFull) {
		t.Errorf("send below the reserve: %v, want %v", err, engine.ErrStoreFull)
	}
	got, err := e.Receive(ctx, "orders", engine.ReceiveRequest{Max: 1})
	if err != nil || len(got) != 1 {
		t.Fatalf("receive below the reserve: %d, %v", len(got), err)
	}
	if err := e.Delete(ctx, got[0].Receipt, engine.AnyDelivery); err != nil {
		t.Errorf("delete below the reserve: %v", err)
	}
	free.Store(storage.Reserve/2 - 1)
	if err := e.Tick(time.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Receive(ctx, "orders", engine.ReceiveRequest{Max: 1}); !errors.Is(err, engine.ErrStoreFull) {
		t.Errorf("receive below half the reserve: %v, want %v", err, engine.ErrStoreFull)
	}
	free.Store(10 * storage.Reserve)
	if err := e.Tick(time.Now()); err != nil {
		t.Fatal(err)
	}
	if got, err := e.Receive(ctx, "orders", engine.ReceiveRequest{Max: 10}); err != nil || len(got) != 2 {
		t.Errorf("receive with room again: %d messages, %v, want 2", len(got), err)
	}
}
