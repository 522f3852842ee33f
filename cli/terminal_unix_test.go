//go:build unix

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"inflight/engine"
)

const (
	altScreenOn  = "\x1b[?1049h"
	altScreenOff = "\x1b[?1049l"
	cursorOff    = "\x1b[?25l"
	cursorOn     = "\x1b[?25h"
)

// patience is for a machine that has other things to do.
const patience = time.Minute

// console is inflight in a pseudo-terminal.
type console struct {
	t        *testing.T
	cmd      *exec.Cmd
	keyboard *os.File // the terminal's own side
	tty      *os.File
	settings string // of the terminal, before
	read     chan struct{}
	errs     bytes.Buffer

	mu     sync.Mutex
	screen bytes.Buffer // all that was written
}

// open starts inflight with standard error apart, as with 2>file.
func open(t *testing.T, args ...string) *console {
	t.Helper()
	if !slices.Contains(args, "demo") && !slices.Contains(args, "--listen") && !slices.Contains(args, "--no-listen") {
		args = append(args, "--listen", "127.0.0.1:0") // tests run side by side
	}
	keyboard, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(keyboard, &pty.Winsize{Rows: 30, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	c := &console{t: t, keyboard: keyboard, tty: tty, read: make(chan struct{}), cmd: inflight(t, args...)}
	c.settings = c.stty()
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = tty, tty, &c.errs
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.read)
		b := make([]byte, 4096)
		for {
			n, err := keyboard.Read(b)
			c.mu.Lock()
			c.screen.Write(b[:n])
			c.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		keyboard.Close()
		tty.Close()
		<-c.read
	})
	return c
}

func (c *console) stty() string {
	c.t.Helper()
	cmd := exec.Command("stty", "-a")
	cmd.Stdin = c.tty
	out, err := cmd.Output()
	if err != nil {
		c.t.Skipf("no stty here: %v", err)
	}
	return string(out)
}

func (c *console) written() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.screen.String()
}

// await waits until the screen was sent text.
func (c *console) await(text string) {
	c.t.Helper()
	for begun := time.Now(); !strings.Contains(c.written(), text); time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > patience {
			_ = c.cmd.Process.Kill()
			c.t.Fatalf("%q was not shown within %v; standard error: %s\nscreen: %q", text, patience, c.errs.String(), c.written())
		}
	}
}

// end waits for the process and returns its exit code.
func (c *console) end() int {
	c.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- c.cmd.Wait() }()
	select {
	case err := <-ended:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			c.t.Fatal(err)
		}
	case <-time.After(patience):
		_ = c.cmd.Process.Kill()
		<-ended
		c.t.Fatalf("it did not end within %v\nscreen: %q", patience, c.written())
	}
	return c.cmd.ProcessState.ExitCode()
}

// However the console is left, its store is closed cleanly and its terminal is
// as it was.
func TestTheConsoleLeavesInOrder(t *testing.T) {
	signal := func(s syscall.Signal) func(*console) error {
		return func(c *console) error { return c.cmd.Process.Signal(s) }
	}
	keys := func(text string) func(*console) error {
		return func(c *console) error { _, err := io.WriteString(c.keyboard, text); return err }
	}
	tests := []struct {
		name  string
		leave func(*console) error
	}{
		{"by q", keys("q")},
		{"by ctrl+c", keys("\x03")},
		{"by SIGTERM", signal(syscall.SIGTERM)},
		{"by SIGINT", signal(syscall.SIGINT)},
		{"by SIGHUP", signal(syscall.SIGHUP)},
		{"by SIGHUP twice", func(c *console) error {
			return errors.Join(c.cmd.Process.Signal(syscall.SIGHUP), c.cmd.Process.Signal(syscall.SIGHUP))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := newStore(t)
			c := open(t, "--data", dir)
			c.await("orders") // the queue of newStore: the engine is at work
			if err := tt.leave(c); err != nil {
				t.Fatal(err)
			}
			if code := c.end(); code != 0 || c.errs.Len() > 0 {
				t.Errorf("exit code %d and on standard error %q, want 0 and nothing", code, c.errs.String())
			}
			c.await(altScreenOff)
			for _, pair := range [][2]string{{altScreenOn, altScreenOff}, {cursorOff, cursorOn}} {
				if all := c.written(); strings.LastIndex(all, pair[0]) > strings.LastIndex(all, pair[1]) {
					t.Errorf("the last %q is not followed by %q: %q", pair[0], pair[1], all)
				}
			}
			if after := c.stty(); after != c.settings {
				t.Errorf("the terminal was\n%s\nand is\n%s", c.settings, after)
			}
			closedCleanly(t, dir)
		})
	}
}

func TestAClosedTerminalLeavesTheStoreClean(t *testing.T) {
	dir := newStore(t)
	c := open(t, "--data", dir)
	c.await("orders")
	if err := errors.Join(c.keyboard.Close(), c.tty.Close()); err != nil {
		t.Fatal(err)
	}
	c.end() // whatever it returns, nobody is there to read it
	closedCleanly(t, dir)
}

// closedCleanly looks for what Badger leaves behind when it is not closed, and
// then checks the store.
func closedCleanly(t *testing.T, dir string) {
	t.Helper()
	for _, left := range []string{"LOCK", "*.mem"} {
		if files, err := filepath.Glob(filepath.Join(dir, left)); err != nil || len(files) > 0 {
			t.Errorf("left behind: %q, %v, want a store that was closed", files, err)
		}
	}
	if got := finish(t, inflight(t, "check", "--data", dir)); got.code != 0 || got.out != dir+": sound\n" {
		t.Errorf("check afterwards: %v", got)
	}
}

func TestTheDemoShowsOrdersAndLeaves(t *testing.T) {
	c := open(t, "demo")
	c.await("orders-dlq")
	c.await("billing-1") // a holder: something is in flight
	if _, err := io.WriteString(c.keyboard, "\x03"); err != nil {
		t.Fatal(err)
	}
	if code := c.end(); code != 0 || c.errs.Len() > 0 {
		t.Errorf("exit code %d and on standard error %q, want 0 and nothing", code, c.errs.String())
	}
}

// Both sides must be a terminal, and nothing may be opened before that is seen.
func TestHalfATerminalIsNone(t *testing.T) {
	for _, side := range []string{"input", "output"} {
		t.Run(side, func(t *testing.T) {
			keyboard, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer keyboard.Close()
			defer tty.Close()
			dir := t.TempDir() + "/none"
			cmd := inflight(t, "--data", dir)
			var out, errs bytes.Buffer
			cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, &errs
			if side == "input" {
				cmd.Stdout = &out
			} else {
				cmd.Stdin = nil
			}
			_ = cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(errs.String(), "inflight demo --plain") || out.Len() > 0 {
				t.Errorf("with only the %s a terminal: exit code %d, %s%s", side, code, out.String(), errs.String())
			}
			if _, err := os.Stat(dir); err == nil {
				t.Error("it made a store before it looked")
			}
		})
	}
}

// What keeps the console from its store is said on the terminal, which stays
// as it was.
func TestTheConsoleSaysWhyItHasNoStore(t *testing.T) {
	dir := newStore(t)
	store, err := openStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	c := open(t, "--data", dir)
	if code := c.end(); code != 1 || !strings.Contains(c.errs.String(), fmt.Sprintf("in use by process %d (inflight) since ", os.Getpid())) {
		t.Errorf("exit code %d, %s", code, c.errs.String())
	}
	if all := c.written(); all != "" {
		t.Errorf("the screen was sent %q", all)
	}
}

// On an empty store the demo comes and goes, and leaves nothing behind.
func TestTheDemoInAnEmptyStore(t *testing.T) {
	dir := t.TempDir() + "/store"
	c := open(t, "--data", dir)
	for _, step := range []struct{ await, keys string }{
		{"Make a queue", "s"},
		{"billing-1", "q"}, // somebody holds an order
		{"delete them and quit", "D"},
	} {
		c.await(step.await)
		if _, err := io.WriteString(c.keyboard, step.keys); err != nil {
			t.Fatal(err)
		}
	}
	if code := c.end(); code != 0 || c.errs.Len() > 0 {
		t.Fatalf("exit code %d and on standard error %q, want 0 and nothing", code, c.errs.String())
	}
	closedCleanly(t, dir)
	store, err := openStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := startSession(store, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if left, err := s.engine.Queues(t.Context()); err != nil || len(left) != 0 {
		t.Errorf("queues afterwards: %+v, %v, want none", left, err)
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
}

// Without a terminal signals end it in order, too.
func TestSignalsEndThePlainDemo(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			cmd := inflight(t, "demo", "--plain")
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			first := make([]byte, 10)
			if _, err := io.ReadFull(out, first); err != nil { // it runs
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			rest, err := io.ReadAll(out)
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil || !strings.Contains(string(rest), "\nafter ") {
				t.Errorf("%v, printed %s, want no error and the totals", err, rest)
			}
		})
	}
}
