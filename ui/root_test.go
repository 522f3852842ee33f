package ui

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
)

// called says whether the fake was called so.
func called(f *fakeEngine, call string) bool {
	for _, c := range f.calls {
		if c == call {
			return true
		}
	}
	return false
}

func TestOperations(t *testing.T) {
	tests := []struct {
		name, keys string
		call       string // of the engine
		want       string // in the status line
	}{
		{"peek", "1 p", "Peek", "✔ 12:04:31 peeked 7f039e37: receive 2 of 3 (a peek counts)"},
		{"a peek that dead-letters", "1 j j p y", "Peek", "! 12:04:31 7f03daa5 moved to orders-dlq: that peek was one receive too many"},
		{"extend", "2 G x", "Extend 1", "✔ 12:04:31 7f03f89f hidden until 12:05:01"},
		{"release", "2 space space r tab enter", "Release 2", "✔ 12:04:31 released 2 messages: visible again, the lease is broken"},
		{"delete one", "1 D y", "Remove 1", "✔ 12:04:31 deleted 7f039e37"},
		{"delete many", "1 space space D tab enter", "Remove 2", "✔ 12:04:31 deleted 2 messages"},
		{"poll", "1 P enter y", "Receive orders", "✔ 12:04:31 received 10 messages from orders: receives +1 each, visible again at once"},
		{"purge", "0 X o r d e r s tab tab enter", "Purge orders", "✔ 12:04:31 purged orders: 1,246 messages gone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := watched(100, 30)
			d.keys(strings.Fields(tt.keys)...)
			if !called(d.fake, tt.call) {
				t.Errorf("%s does not call %s; open: %v", tt.keys, tt.call, d.overlays)
			}
			if got := strings.TrimSpace(ansi.Strip(d.statusLine(160))); !strings.HasPrefix(got, tt.want) {
				t.Errorf("%s says %q, want %q", tt.keys, got, tt.want)
			}
		})
	}
}

func TestErrorsSayWhatDidNotHappen(t *testing.T) {
	tests := []struct {
		name string
		act  tea.Msg
		err  error
		want string
	}{
		{"peek", peekMsg{id: engine.ID{0x7f}}, engine.ErrInFlight, "7f000000 was not peeked, its receives are as before: the message is in flight: release it first"},
		{"extend", extendMsg{make([]engine.Ref, 1), time.Second}, engine.ErrStoreFull, "nothing was extended: the disk is nearly full; deletes still work"},
		{"send", sendMsg{queue: "orders"}, fmt.Errorf("send: %w", engine.ErrQueueNotFound), "nothing was sent to orders: the queue does not exist any more"},
		{"create", createQueueMsg{name: "x"}, &engine.InvalidError{Field: "VisibilityTimeout", Reason: "0 to 43,200 s"}, "x was not made: VisibilityTimeout: 0 to 43,200 s"},
		{"redrive", redriveMsg{engine.RedriveRequest{Source: "orders-dlq"}}, engine.ErrTaskRunning, "no redrive of orders-dlq was started: a redrive of this queue is active already: b shows it"},
		{"a slow engine", purgeQueueMsg("orders"), context.DeadlineExceeded, "orders was not purged: the engine did not answer in time"},
		{"a hostile error", deleteQueueMsg("orders"), fmt.Errorf("\x1b[2Jboom"), "the queue orders was not deleted: ␛[2Jboom"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := watched(100, 30)
			d.fake.fail = tt.err
			d.send(tt.act)
			if got := d.status.last; got != (resultMsg{levelError, tt.want}) {
				t.Errorf("result = %v %q, want %q", got.level, got.text, tt.want)
			}
		})
	}
}

func TestBulkActsInSlices(t *testing.T) {
	d := watched(100, 30)
	d.keys("1", "v", "G", "v")
	d.fake.calls = nil
	d.keys("D", "tab", "enter")
	for _, call := range []string{"Remove 500", "Remove 204"} {
		if !called(d.fake, call) {
			t.Errorf("%s was not called", call)
		}
	}
	if want := "deleted 1,204 messages"; d.status.last.text != want {
		t.Errorf("result = %q, want %q", d.status.last.text, want)
	}
	if p := d.main.lists[paneVisible]; len(p.marks) != 0 {
		t.Errorf("%d marks are left", len(p.marks))
	}
}

func TestBulkThatFailsLeavesTheRestMarked(t *testing.T) {
	d := watched(100, 30)
	d.keys("1", "v", "G", "v")
	refs := refsOf(d.main.lists[paneVisible].picks())
	b := removeBulk(removeMsg{refs})
	first := d.loader.step(b)().(bulkMsg)
	d.fake.fail = engine.ErrStoreFailed
	d.bulk = &first.bulk
	d.send(first)
	if want := "deleted 500, 704 not: a write to the store failed; quit and start again"; d.status.last.text != want {
		t.Errorf("result = %q, want %q", d.status.last.text, want)
	}
	if got := len(d.main.lists[paneVisible].marks); got != 704 {
		t.Errorf("%d marks are left, want 704", got)
	}
	if d.bulk != nil {
		t.Error("the act has not ended")
	}
}

func TestProgressOfABulkActIsShown(t *testing.T) {
	d := watched(100, 30)
	d.bulk = &bulk{refs: make([]engine.Ref, 12_000), next: 1500, doing: "deleting"}
	if got := ansi.Strip(d.statusLine(100)); !strings.Contains(got, "◐ deleting 1,500 of 12,000") {
		t.Errorf("status = %q", got)
	}
	d.send(removeMsg{make([]engine.Ref, 1)})
	if want := "nothing was deleted: still deleting, wait for its result"; d.status.last.text != want {
		t.Errorf("a second act says %q, want %q", d.status.last.text, want)
	}
}

func TestFastTypingIsTakenKeyByKey(t *testing.T) {
	d := watched(100, 30)
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("2jj/8801")})
	if d.main.focus != paneFlight || len(d.overlays) != 1 {
		t.Fatalf("focus %v, %d overlays; want in flight with a filter open", d.main.focus, len(d.overlays))
	}
	if got := d.overlays[0].(*filterLine).edit.text(); got != "8801" {
		t.Errorf("the filter has %q, want 8801", got)
	}
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(" D p"), Paste: true})
	if got := d.overlays[0].(*filterLine).edit.text(); got != "8801 D p" {
		t.Errorf("after pasting the filter has %q, want %q", got, "8801 D p")
	}
}

func TestEscUndoesOneLevel(t *testing.T) {
	d := watched(100, 30)
	d.keys("1", "z", "space", "/", "8", "enter", "enter", "?")
	p := d.main.list()
	levels := []struct {
		name string
		left func() bool
	}{
		{"help", func() bool { return len(d.overlays) == 0 }},
		{"detail", func() bool { return len(d.screens) == 0 }},
		{"filter", func() bool { return p.filter == nil }},
		{"marks", func() bool { return len(p.marks) == 0 }},
		{"zoom", func() bool { return !d.main.zoom }},
	}
	for i, level := range levels {
		for _, later := range levels[i:] {
			if later.left() {
				t.Fatalf("before esc number %d: %s was left already", i+1, later.name)
			}
		}
		d.keys("esc")
		if !level.left() {
			t.Fatalf("esc number %d does not leave the %s", i+1, level.name)
		}
	}
	d.keys("esc")
}

// quits says whether a key ends the program at once.
func quits(d *drive, key string) bool {
	_, cmd := d.Update(keyOf(key))
	if cmd == nil {
		return false
	}
	msg := cmd()
	if cmds, ok := commandsIn(msg); ok {
		for _, c := range cmds {
			if c != nil {
				if _, quit := c().(tea.QuitMsg); quit {
					return true
				}
			}
		}
	}
	_, quit := msg.(tea.QuitMsg)
	return quit
}

func TestLeaving(t *testing.T) {
	running := []engine.Task{{ID: 1, Source: "orders-dlq", ToMove: 61, Moved: 5}}
	t.Run("q backs out, then quits", func(t *testing.T) {
		d := watched(100, 30)
		d.keys("b")
		if quits(d, "q") || len(d.screens) != 0 {
			t.Error("q on a screen does not go back")
		}
		if !quits(d, "q") {
			t.Error("q on the main screen does not quit")
		}
	})
	t.Run("a running redrive asks", func(t *testing.T) {
		d := watched(100, 30)
		d.fake.tasks = running
		d.refresh()
		if quits(d, "q") {
			t.Fatal("q quits at once")
		}
		if got := ansi.Strip(d.View()); !strings.Contains(got, "a redrive of orders-dlq runs: it goes on at the next start. quit?") {
			t.Errorf("it does not say so:\n%s", got)
		}
		d.keys("n")
		if len(d.overlays) != 0 || quits(d, "q") {
			t.Error("n does not stay")
		}
		if !quits(d, "y") {
			t.Error("y does not quit")
		}
	})
	t.Run("ctrl+c twice does not wait for an answer", func(t *testing.T) {
		d := watched(100, 30)
		d.fake.tasks = running
		d.refresh()
		if quits(d, "ctrl+c") || !quits(d, "ctrl+c") {
			t.Error("ctrl+c asks twice or not at all")
		}
	})
}

func TestLeavingOffersToDeleteTheDemo(t *testing.T) {
	removed := false
	f := fakeWorld()
	d := newDrive(f, Options{Demo: &DemoOptions{
		Running: func() bool { return !removed },
		Remove:  func(context.Context) error { removed = true; return nil },
	}}, 100, 30)
	if quits(d, "q") {
		t.Fatal("q quits at once")
	}
	if got := ansi.Strip(d.View()); !strings.Contains(got, "D delete them and quit") {
		t.Errorf("it does not offer that:\n%s", got)
	}
	_, cmd := d.Update(keyOf("D"))
	quit := false
	var run func(tea.Cmd)
	run = func(c tea.Cmd) {
		if c == nil {
			return
		}
		msg := c()
		if cmds, ok := commandsIn(msg); ok {
			for _, c := range cmds {
				run(c)
			}
		}
		if _, ok := msg.(tea.QuitMsg); ok {
			quit = true
		}
	}
	run(cmd)
	if !removed || !quit {
		t.Errorf("D: removed %v, quit %v", removed, quit)
	}
}

func TestWelcome(t *testing.T) {
	started := false
	f := newFake()
	d := newDrive(f, Options{Demo: &DemoOptions{Start: func(context.Context) error {
		started = true
		f.make("demo-orders", engine.DefaultAttributes())
		return nil
	}}}, 80, 24)
	if d.top() != pane(d.welcome) {
		t.Fatal("an empty store shows no welcome")
	}
	d.keys("s")
	if !started || d.top() != pane(d.main) {
		t.Errorf("s: started %v, top %T", started, d.top())
	}

	f = newFake()
	d = newDrive(f, Options{Demo: &DemoOptions{Start: func(context.Context) error { return fmt.Errorf("demo-orders exists") }}}, 80, 24)
	d.keys("s")
	if want := "the demo was not started: demo-orders exists"; d.status.last.text != want {
		t.Errorf("s says %q, want %q", d.status.last.text, want)
	}
}

func TestStepsThroughMessages(t *testing.T) {
	d := watched(100, 30)
	d.keys("1", "enter")
	first := d.shown().ref
	d.keys("J")
	p := d.main.lists[paneVisible]
	if d.shown().ref == first || d.shown().ref != p.at(1).Ref || d.shown().at != 2 {
		t.Errorf("J shows %v, place %d; want %v, 2", d.shown().ref, d.shown().at, p.at(1).Ref)
	}
	for range 80 {
		d.keys("J")
	}
	if got := d.shown(); got.at != 82 || !got.loaded {
		t.Errorf("after 81 steps: place %d, read %v; want 82", got.at, got.loaded)
	}
	d.keys("K", "esc")
	if p.cursor != 80 {
		t.Errorf("back in the list the cursor is at %d, want 80", p.cursor)
	}
}

func TestOneRequestUnderWayForEachSource(t *testing.T) {
	f := fakeWorld()
	d := newDrive(f, Options{}, 100, 30)
	count := func(cmd tea.Cmd) int {
		if cmd == nil {
			return 0
		}
		n := 0
		v := reflect.ValueOf(cmd())
		if v.IsValid() && v.Kind() == reflect.Slice {
			n = v.Len()
		} else {
			n = 1
		}
		return n
	}
	d.app.refresh()
	first := d.fetch()
	d.app.refresh()
	if got := count(d.fetch()); got != 0 {
		t.Errorf("while requests are under way %d more are made", got)
	}
	d.run(first)
	d.app.refresh()
	if d.fetch() == nil {
		t.Error("after the answers nothing is asked any more")
	}
}

func TestNothingIsAskedOfTheEngineWhileDrawing(t *testing.T) {
	d := watched(100, 30)
	d.fake.calls = nil
	_ = d.View()
	if len(d.fake.calls) != 0 {
		t.Errorf("View calls %v", d.fake.calls)
	}
}
