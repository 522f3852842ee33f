package ui

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"inflight/engine"
)

func heldRow() engine.Row {
	row := testRow(1, "body")
	row.State, row.Holder, row.Due = engine.InFlight, "billing-3", noon.Add(4*time.Second)
	row.Receives = 3
	return row
}

func TestQuestionLines(t *testing.T) {
	th := testTheme()
	hostileRow := heldRow()
	hostileRow.Holder = hostile
	for _, tt := range []struct {
		name string
		ask  overlay
	}{
		{"delete", confirmDelete(th, "orders", []engine.Row{testRow(1, "x")})},
		{"delete held", confirmDelete(th, "orders", []engine.Row{heldRow()})},
		{"delete hostile", confirmDelete(th, hostile, []engine.Row{hostileRow})},
		{"peek", confirmPeek(th, heldRow(), 3, "orders-dlq")},
		{"sooner", confirmSooner(th, []engine.Row{heldRow()}, time.Second, 1, noon)},
		{"sooner many", confirmSooner(th, testRows(12), time.Second, 3, noon)},
		{"cancel job", confirmCancel(th, engine.Task{ID: 14, Moved: 23, ToMove: 61})},
	} {
		t.Run(tt.name, func(t *testing.T) {
			view := tt.ask.View(78, 1)
			if ansi.StringWidth(view) != 78 {
				t.Errorf("%d wide", ansi.StringWidth(view))
			}
			checkBox(t, view, 78, 1)
			golden.RequireEqual(t, ansi.Strip(view)+"\n")
		})
	}
}

func TestQuestionAnswers(t *testing.T) {
	ask := func() *question { return newQuestion(testTheme(), "sure?", purgeQueueMsg("q")) }
	for _, key := range []string{"y", "Y"} {
		if got := pressKeys(ask(), key); !reflect.DeepEqual(got, doneMsg{purgeQueueMsg("q")}) {
			t.Errorf("%s asks for %#v", key, got)
		}
	}
	for _, key := range []string{"n", "N", "esc", "enter", "q"} {
		if got := pressKeys(ask(), key); got != (closeMsg{}) {
			t.Errorf("%s asks for %#v, want to close", key, got)
		}
	}
	for _, key := range []string{"D", "x", " ", "tab"} {
		if got := pressKeys(ask(), key); got != nil {
			t.Errorf("%s asks for %#v, want nothing", key, got)
		}
	}
	q := ask()
	pasteText(q, "y")
	if got := pressKeys(q, "x"); got != nil {
		t.Errorf("a pasted y asks for %#v", got)
	}
}

// Whatever key is held down, a dialog is not confirmed by it.
func TestNoHeldKeyConfirmsADialog(t *testing.T) {
	keys := []string{"y", "Y", "enter", " ", "D", "X", "R", "tab", "right", "left", "o"}
	for _, key := range keys {
		for name, d := range map[string]overlay{
			"delete": confirmDelete(testTheme(), "orders", testRows(3)),
			"purge":  confirmPurge(testTheme(), testQueues()[1]),
			"remove": confirmDeleteQueue(testTheme(), testQueues()[1]),
		} {
			for range 100 {
				got := pressKeys(d, key)
				if _, done := got.(doneMsg); done {
					t.Fatalf("%s held in %s confirms it", key, name)
				}
				if got == (closeMsg{}) {
					break
				}
			}
		}
	}
}

func TestDialogAnswers(t *testing.T) {
	rows := testRows(3)
	want := doneMsg{removeMsg{refsOf(rows)}}
	if got := pressKeys(confirmDelete(testTheme(), "orders", rows), "tab", "enter"); !reflect.DeepEqual(got, want) {
		t.Errorf("tab, enter asks for %#v", got)
	}
	if got := pressKeys(confirmDelete(testTheme(), "orders", rows), "enter"); got != (closeMsg{}) {
		t.Errorf("enter on a fresh dialog asks for %#v", got)
	}
	if got := pressKeys(confirmDelete(testTheme(), "orders", rows), "tab", "tab", "enter"); got != (closeMsg{}) {
		t.Errorf("back on Cancel enter asks for %#v", got)
	}
}

func TestDialogWantsTheName(t *testing.T) {
	d := confirmPurge(testTheme(), testQueues()[1])
	if got := pressKeys(d, "enter"); got != nil {
		t.Errorf("without the name: %#v", got)
	}
	typeText(d, "order")
	if got := pressKeys(d, "tab", "tab", "enter"); got != nil {
		t.Errorf("with half the name: %#v", got)
	}
	typeText(d, "s")
	if got := pressKeys(d, "enter"); got != (doneMsg{purgeQueueMsg("orders")}) {
		t.Errorf("with the name: %#v", got)
	}
	d = confirmPurge(testTheme(), testQueues()[1])
	pasteText(d, "orders")
	if got := pressKeys(d, "enter"); got != nil {
		t.Errorf("a pasted name counts: %#v", got)
	}
}

func TestDialogViews(t *testing.T) {
	bad := testQueues()[2]
	bad.Name, bad.Sources = hostile, []string{hostile, "b", "c", "d"}
	held := testRows(1204)
	held[0].State = engine.InFlight
	for _, tt := range []struct {
		name string
		ask  overlay
		keys []string
	}{
		{"delete 3", confirmDelete(testTheme(), "orders", testRows(3)), nil},
		{"delete 1204", confirmDelete(testTheme(), "orders", held), []string{"tab"}},
		{"purge", confirmPurge(testTheme(), testQueues()[1]), []string{"o", "r", "enter"}},
		{"delete queue", confirmDeleteQueue(testTheme(), testQueues()[2]), nil},
		{"delete hostile queue", confirmDeleteQueue(testTheme(), bad), nil},
	} {
		pressKeys(tt.ask, tt.keys...)
		for _, size := range [][2]int{{76, 20}, {36, 8}} {
			t.Run(fmt.Sprintf("%s %dx%d", tt.name, size[0], size[1]), func(t *testing.T) {
				requireView(t, tt.ask.View(size[0], size[1]), size[0], size[1])
			})
		}
	}
}

func TestOverlaysFitAnySize(t *testing.T) {
	th, queues := testTheme(), testQueues()
	bad := queues[2]
	bad.Name = hostile
	for name, o := range map[string]overlay{
		"delete":   confirmDelete(th, hostile, testRows(9)),
		"purge":    confirmPurge(th, bad),
		"new":      newQueueForm(th, queues),
		"settings": newSettingsForm(th, bad, queues),
		"send":     newSendForm(th, bad),
		"move":     newMoveForm(th, bad, testRows(4), queues),
		"extend":   newExtendForm(th, hostile, testRows(2), time.Minute, noon),
		"poll":     newPollForm(th, bad),
		"redrive":  newRedriveForm(th, bad, testRows(5), queues, nil),
	} {
		for width := 1; width <= 120; width += 7 {
			for height := 1; height <= 40; height += 3 {
				checkBox(t, o.View(width, height), width, height)
			}
		}
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// A queue's name may have 80 characters.
var longName = strings.Repeat("a-rather-long-name-", 5)[:74] + "-last!"

func TestALongNameCanBeReadAndTyped(t *testing.T) {
	q := testQueues()[1]
	q.Name = longName
	for _, d := range []overlay{confirmPurge(testTheme(), q), confirmDeleteQueue(testTheme(), q)} {
		view := ansi.Strip(d.View(76, 20))
		checkBox(t, view, 76, 20)
		flat := strings.NewReplacer("│", "", "\n", "", " ", "").Replace(view)
		if !strings.Contains(flat, longName) {
			t.Errorf("the name cannot be read whole:\n%s", view)
		}
		typeText(d, longName)
		if _, ok := pressKeys(d, "enter").(doneMsg); !ok {
			t.Errorf("the name typed: nothing is done")
		}
	}
}

func TestALongNameLeavesTheQuestionWhole(t *testing.T) {
	held := heldRow()
	held.Holder = longName
	for _, tt := range []struct {
		ask  overlay
		want string
	}{
		{confirmDelete(testTheme(), longName, testRows(1)), "? it cannot be brought back  y/N"},
		{confirmDelete(testTheme(), "orders", []engine.Row{held}), "? it cannot be brought back  y/N"},
		{confirmPeek(testTheme(), held, 3, longName), ". peek?  y/N"},
	} {
		view := ansi.Strip(tt.ask.View(80, 1))
		if !strings.Contains(view, tt.want) || !strings.Contains(view, " a-rather") {
			t.Errorf("%q does not end in %q", view, tt.want)
		}
	}
	d := flightDetail()
	d.Queue = longName
	p := openTestDetail(d, 80, 21)
	if crumbs := ansi.Strip(p.crumbs()); !strings.Contains(crumbs, "in flight") || !strings.Contains(crumbs, "7f3a0007") || !strings.Contains(crumbs, " a-rather-long-name") {
		t.Errorf("crumbs = %q", crumbs)
	}
}

func TestReleaseOfManyAsks(t *testing.T) {
	d := watched(100, 30)
	d.keys("2", "space", "space", "r")
	if called(d.fake, "Release 2") {
		t.Fatal("two leases are broken without a question")
	}
	if view := ansi.Strip(d.View()); !strings.Contains(view, "A broken lease cannot be") || !strings.Contains(view, "[ Cancel ]") {
		t.Errorf("the question is\n%s", view)
	}
	d.keys("esc", "esc", "r")
	if !called(d.fake, "Release 1") {
		t.Error("one is not released at once")
	}
}
