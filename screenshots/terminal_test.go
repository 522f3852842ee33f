//go:build linux || darwin

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// patience is how long a test waits for something to show. It bounds a
// failure; nothing that works waits for it.
const patience = 30 * time.Second

// terminal is a program running in a pseudo-terminal whose screen a test reads.
type terminal struct {
	t        *testing.T
	cmd      *exec.Cmd
	pty, tty *os.File
	before   *term.State // of the terminal, before the program began

	mu       sync.Mutex // guards the emulator and raw
	emulator *vt.Emulator
	raw      bytes.Buffer
	changed  chan struct{} // holds one token after a write
	drained  chan struct{} // closed when all output was read
	exited   chan error
}

// startTerminal runs the program in a terminal of that size. The test ends it.
func startTerminal(t *testing.T, width, height int, program string, args ...string) *terminal {
	t.Helper()
	p, tty, err := pty.Open()
	if err != nil {
		t.Fatalf("open a pseudo-terminal: %v", err)
	}
	if err := pty.Setsize(p, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		t.Fatal(err)
	}
	before, err := term.GetState(tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	x := &terminal{
		t: t, pty: p, tty: tty, before: before, emulator: vt.NewEmulator(width, height),
		changed: make(chan struct{}, 1), drained: make(chan struct{}), exited: make(chan error, 1),
	}
	ctx, cancel := context.WithCancel(context.Background())
	x.cmd = exec.CommandContext(ctx, program, args...)
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = tty, tty, tty
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	home := t.TempDir()
	x.cmd.Env = []string{
		"TERM=tmux-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "HOME=" + home,
		"XDG_DATA_HOME=" + home, "XDG_CONFIG_HOME=" + home, "PATH=" + os.Getenv("PATH"),
	}
	if err := x.cmd.Start(); err != nil {
		t.Fatalf("start %s: %v", program, err)
	}
	go x.read()
	answered := make(chan struct{})
	go func() { defer close(answered); _, _ = io.Copy(p, x.emulator) }() // what the terminal answers to queries
	go func() { x.exited <- x.cmd.Wait() }()
	t.Cleanup(func() {
		cancel() // kills a program that is still there
		_ = tty.Close()
		<-x.drained
		_ = x.emulator.InputPipe().(io.Closer).Close() // Emulator.Close races with Read
		<-answered
		_ = p.Close()
	})
	return x
}

// read feeds the program's output to the emulator until the terminal closes.
func (x *terminal) read() {
	defer close(x.drained)
	buffer := make([]byte, 32*1024)
	for {
		n, err := x.pty.Read(buffer)
		x.mu.Lock()
		_, _ = x.emulator.Write(buffer[:n])
		x.raw.Write(buffer[:n])
		x.mu.Unlock()
		select {
		case x.changed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// text is what the screen shows now.
func (x *terminal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return readTerminal(x.emulator).text()
}

// press types keys, as a terminal sends them.
func (x *terminal) press(keys string) {
	x.t.Helper()
	if _, err := io.WriteString(x.pty, keys); err != nil {
		x.t.Fatalf("press %q: %v", keys, err)
	}
}

// await waits until the screen shows every one of the texts, and returns it.
func (x *terminal) await(texts ...string) string {
	x.t.Helper()
	return x.awaitThat(fmt.Sprintf("%q", texts), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// awaitThat waits until ok says so of the screen, and returns it.
func (x *terminal) awaitThat(what string, ok func(screen string) bool) string {
	x.t.Helper()
	late := time.After(patience)
	for {
		screen := x.text()
		if ok(screen) {
			return screen
		}
		select {
		case <-x.changed:
		case <-x.drained:
			x.t.Fatalf("the program ended; the screen should show %s:\n%s", what, x.text())
		case <-late:
			x.t.Fatalf("after %v the screen should show %s:\n%s", patience, what, screen)
		}
	}
}

// end waits for the program to leave and reads the rest of its output. The
// terminal must be as it was before.
func (x *terminal) end() error {
	x.t.Helper()
	var left error
	select {
	case left = <-x.exited:
	case <-time.After(patience):
		x.t.Fatalf("the program did not leave:\n%s", x.text())
	}
	after, err := term.GetState(x.tty.Fd())
	if err != nil {
		x.t.Fatal(err)
	}
	if !reflect.DeepEqual(x.before, after) {
		x.t.Errorf("the terminal's settings were %+v, and are %+v afterwards", x.before, after)
	}
	_ = x.tty.Close()
	<-x.drained
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.emulator.IsAltScreen() {
		x.t.Error("the terminal is left on the alternate screen")
	}
	for mode, what := range map[string]string{"?25": "the cursor hidden", "?2004": "bracketed paste on", "?1002": "the mouse captured"} {
		if set := lastMode(x.raw.Bytes(), mode); set == (mode != "?25") && bytes.Contains(x.raw.Bytes(), []byte("\x1b["+mode)) {
			x.t.Errorf("the terminal is left with %s", what)
		}
	}
	return left
}

// lastMode says whether the last change of a terminal mode in raw set it.
func lastMode(raw []byte, mode string) bool {
	return bytes.LastIndex(raw, []byte("\x1b["+mode+"h")) > bytes.LastIndex(raw, []byte("\x1b["+mode+"l"))
}
