package ui

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

// asked presses keys in a pane of the main screen, and returns what the last
// one asks for, without doing it.
func asked(t *testing.T, d *drive, keys ...string) tea.Msg {
	t.Helper()
	d.keys(keys[:len(keys)-1]...)
	cmd := d.main.Update(keyOf(keys[len(keys)-1]))
	if cmd == nil {
		return nil
	}
	return cmd()
}

// rowOf is the item at an index of a list.
func rowOf(d *drive, id paneID, i int) *item { return d.main.lists[id].at(i) }

var intents = []struct {
	name string
	keys string
	want func(d *drive) tea.Msg
}{
	{"enter inspects", "1 j enter", func(d *drive) tea.Msg { return openDetailMsg{paneVisible, rowOf(d, paneVisible, 1).Ref} }},
	{"p peeks", "1 p", func(d *drive) tea.Msg {
		it := rowOf(d, paneVisible, 0)
		return peekMsg{ref: it.Ref, id: it.Message.ID}
	}},
	{"a peek that dead-letters asks first", "1 j j p", func(d *drive) tea.Msg {
		return askPeekMsg{rowOf(d, paneVisible, 2).Row, 3, "orders-dlq"}
	}},
	{"P polls", "1 P", func(*drive) tea.Msg { return askPollMsg{"orders"} }},
	{"what is in flight cannot be peeked", "2 p", func(*drive) tea.Msg { return nil }},
	{"x extends by the queue's timeout", "2 x", func(d *drive) tea.Msg {
		return extendMsg{[]engine.Ref{rowOf(d, paneFlight, 0).Ref}, 30 * time.Second}
	}},
	{"X asks for a time", "2 X", func(d *drive) tea.Msg {
		return askExtendMsg{"orders", []engine.Row{rowOf(d, paneFlight, 0).Row}}
	}},
	{"r releases the marked ones", "2 j space space r", func(d *drive) tea.Msg {
		return askReleaseMsg{"orders", []engine.Row{rowOf(d, paneFlight, 1).Row, rowOf(d, paneFlight, 2).Row}}
	}},
	{"what is in flight cannot be moved", "2 m", func(*drive) tea.Msg { return nil }},
	{"D asks", "2 D", func(d *drive) tea.Msg {
		return askRemoveMsg{"orders", []engine.Row{rowOf(d, paneFlight, 0).Row}}
	}},
	{"m asks for a queue", "3 m", func(d *drive) tea.Msg {
		return askMoveMsg{"orders-dlq", []engine.Row{rowOf(d, paneDead, 0).Row}}
	}},
	{"R redrives all", "3 R", func(*drive) tea.Msg { return askRedriveMsg{source: "orders-dlq"} }},
	{"R redrives the marked ones", "3 space R", func(d *drive) tea.Msg {
		return askRedriveMsg{"orders-dlq", []engine.Row{rowOf(d, paneDead, 0).Row}}
	}},
	{"R redrives a selected dead-letter queue", "] 1 R", func(*drive) tea.Msg { return askRedriveMsg{source: "orders-dlq"} }},
	{"R redrives what is marked there", "] 1 space R", func(d *drive) tea.Msg {
		return askRedriveMsg{"orders-dlq", []engine.Row{rowOf(d, paneVisible, 0).Row}}
	}},
	{"R is off in a queue that is no dead-letter queue", "1 R", func(*drive) tea.Msg { return nil }},
	{"a delayed one cannot be peeked", "4 p", func(*drive) tea.Msg { return nil }},
	{"y copies", "4 y", func(d *drive) tea.Msg { return askCopyMsg{rowOf(d, paneDelayed, 0).Ref} }},
	{"c sends", "2 c", func(*drive) tea.Msg { return askSendMsg{"orders"} }},
	{"comma is the settings", "2 ,", func(*drive) tea.Msg { return askQueueMsg{"orders"} }},
	{"n makes a queue", "2 n", func(*drive) tea.Msg { return askQueueMsg{} }},
	{"slash filters", "2 /", func(*drive) tea.Msg { return askFilterMsg{paneFlight, ""} }},
	{"the next queue", "2 ]", func(*drive) tea.Msg { return openQueueMsg("orders-dlq") }},
	{"the queue before", "2 [", func(*drive) tea.Msg { return openQueueMsg("emails") }},
	{"in the list the cursor is the queue", "0 G", func(*drive) tea.Msg { return openQueueMsg("txn-dlq.fifo") }},
	{"enter goes to its messages", "0 enter", func(*drive) tea.Msg { return focusMsg(paneVisible) }},
	{"R of a source redrives its dead-letter queue", "0 R", func(*drive) tea.Msg { return askRedriveMsg{source: "orders-dlq"} }},
	{"X purges", "0 X", func(*drive) tea.Msg { return askPurgeMsg("orders") }},
	{"D deletes the queue", "0 D", func(*drive) tea.Msg { return askDeleteQueueMsg("orders") }},
}

func TestMessagePaneIntents(t *testing.T) {
	for _, tt := range intents {
		t.Run(tt.name, func(t *testing.T) {
			d := watched(100, 30)
			keys := strings.Fields(tt.keys)
			got := asked(t, d, keys...)
			if want := tt.want(d); !reflect.DeepEqual(got, want) {
				t.Errorf("%s asks for %#v, want %#v", tt.keys, got, want)
			}
		})
	}
}

func TestExtendThatEndsSoonerAsks(t *testing.T) {
	d := watched(100, 30)
	for _, m := range d.fake.find("orders").messages {
		if m.holder != "" {
			m.due = m.due.Add(time.Hour)
		}
	}
	d.refresh()
	got, ok := asked(t, d, "2", "x").(askSoonerMsg)
	if !ok || got.sooner != 1 || got.by != 30*time.Second {
		t.Errorf("x asks for %#v, want askSoonerMsg for one message and 30s", got)
	}
}

func TestMarks(t *testing.T) {
	d := watched(100, 30)
	p := d.main.lists[paneVisible]
	d.keys("1", "space", "space")
	if len(p.marks) != 2 || p.cursor != 2 {
		t.Errorf("after two spaces: %d marks, cursor %d; want 2, 2", len(p.marks), p.cursor)
	}
	d.keys("k", "space")
	if len(p.marks) != 1 {
		t.Errorf("after unmarking: %d marks, want 1", len(p.marks))
	}
	d.keys("esc")
	if len(p.marks) != 0 {
		t.Errorf("after esc: %d marks", len(p.marks))
	}
	d.keys("g", "v", "j", "j", "j", "v")
	if len(p.marks) != 4 {
		t.Errorf("a range of four: %d marks", len(p.marks))
	}
	d.keys("esc", "g", "v", "G", "v")
	if len(p.marks) != 1204 {
		t.Errorf("a range over all pages: %d marks, want 1204", len(p.marks))
	}
	if picks := p.picks(); !slices.IsSortedFunc(picks, func(a, b engine.Row) int { return a.Ref.Compare(b.Ref) }) {
		t.Error("marked messages are acted on in another order than they lie in")
	}
	d.keys("]", "[")
	if len(p.marks) != 0 {
		t.Errorf("after another queue: %d marks", len(p.marks))
	}
}

func TestMarksOfWhatIsGoneGoToo(t *testing.T) {
	d := watched(100, 30)
	d.keys("1", "space", "space")
	p := d.main.list()
	gone := p.at(0).Ref
	d.send(changesMsg{events: []engine.Event{{Kind: engine.EventDeleted, Ref: gone}, {Kind: engine.EventReceived, Ref: p.at(1).Ref}}})
	if _, marked := p.marks[gone]; marked || len(p.marks) != 1 {
		t.Errorf("%d marks are left, the deleted one's: %v", len(p.marks), marked)
	}
}

func TestANewQueueIsShownOnceItIsThere(t *testing.T) {
	d := watched(100, 30)
	d.send(createQueueMsg{name: "zebra", attributes: engine.DefaultAttributes()})
	if d.main.queues.selected != "zebra" || d.main.lists[paneVisible].queue != "zebra" {
		t.Errorf("shown: %q, %q; want zebra", d.main.queues.selected, d.main.lists[paneVisible].queue)
	}
	d.send(deleteQueueMsg("zebra"))
	if got := d.main.queues.selected; got == "zebra" || got == "" {
		t.Errorf("after its deletion %q is shown", got)
	}
}

func TestWindowFetchesOnlyWhatIsOnScreen(t *testing.T) {
	d := watched(100, 30)
	d.fake.calls = nil
	d.keys("1", "G")
	p := d.main.list()
	if p.cursor != 1203 || p.current() == nil || !p.covered() {
		t.Errorf("after G: cursor %d, held %v; want 1203, true", p.cursor, p.current() != nil)
	}
	if len(p.items) > 3*max(p.rows, 10) {
		t.Errorf("%d rows are held for %d on screen", len(p.items), p.rows)
	}
	d.keys("g")
	if p.cursor != 0 || p.current() == nil {
		t.Errorf("after g: cursor %d", p.cursor)
	}
	d.keys("o")
	if got := p.at(0); got == nil || got.Ref != p.items[0].Ref || p.items[0].Message.Sent.Before(p.items[1].Message.Sent) {
		t.Error("o does not put the newest first")
	}
}

func TestFilter(t *testing.T) {
	d := watched(100, 30)
	p := d.main.lists[paneVisible]
	d.keys("1", "/", "7", ",", "0")
	if p.total != 301 || p.of != 1204 || p.countTitle() != "301 of 1,204" {
		t.Errorf("while typing: %d of %d, %q", p.total, p.of, p.countTitle())
	}
	d.keys("D") // a letter of the filter, no deletion
	if len(d.overlays) != 1 || p.total != 0 {
		t.Errorf("after D: %d overlays, %d rows", len(d.overlays), p.total)
	}
	d.keys("backspace", "enter")
	if len(d.overlays) != 0 || p.total != 301 {
		t.Errorf("after enter: %d overlays, %d rows", len(d.overlays), p.total)
	}
	d.keys("/")
	for range 3 {
		d.keys("backspace")
	}
	d.keys("/", "8", "8", "4", "[", "1", "2")
	if p.filterText() == "/884[12" {
		t.Error("an unfinished expression is applied")
	}
	d.keys("]", "/", "enter")
	if p.total != 2 {
		t.Errorf("/884[12]/ matches %d, want 2", p.total)
	}
	d.keys("esc")
	if p.filter != nil || p.total != 1204 {
		t.Errorf("after esc: %v, %d rows", p.filter, p.total)
	}
}

func TestFilterMatches(t *testing.T) {
	m := &engine.Message{Body: []byte(`{"Name":"Åse Ødegård","n":1}`), ID: engine.ID{0x7f, 0x3a}}
	tests := []struct {
		text string
		want bool
	}{
		{"name", true}, {"NAME", false}, {"Name", true}, {"ødegård", true}, {"7f3a", true}, {"7F3A", true},
		{"3a", false}, {"/n.*1/", true}, {"/n.*1", true}, {"/^x/", false}, {"zzz", false}, {"}", true},
	}
	for _, tt := range tests {
		f, err := newFilter(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.match(m); got != tt.want {
			t.Errorf("%q matches: %v, want %v", tt.text, got, tt.want)
		}
	}
	if _, err := newFilter("/(/"); err == nil {
		t.Error("a broken expression is taken")
	}
}

func TestFreeze(t *testing.T) {
	d := watched(100, 30)
	p := d.main.lists[paneVisible]
	d.keys("1", "F")
	first := p.at(0).Ref
	d.fake.Remove(t.Context(), []engine.Ref{first})
	for range 3 {
		d.fake.Send(t.Context(), "orders", engine.SendRequest{Body: []byte("new")})
	}
	d.after(time.Second)
	if !p.frozen || p.at(0).Ref != first {
		t.Error("a frozen list moved")
	}
	if !strings.Contains(d.View(), "3 new") {
		t.Errorf("no 3 new in\n%s", d.View())
	}
	d.keys("F")
	if p.frozen || p.at(0).Ref == first {
		t.Error("a thawed list does not move")
	}
}

func TestAFrozenRowWhoseMessageLeftOffersNothing(t *testing.T) {
	d := watched(100, 30)
	d.keys("1", "F")
	p := d.main.list()
	first := p.at(0)
	k := p.kind.(*visibleKind)
	d.send(changesMsg{events: []engine.Event{{Kind: engine.EventReceived, Ref: first.Ref, Holder: "billing-1"}}})
	view := plainScreen(d)
	if want := first.id + " was received by billing-1"; !strings.Contains(view, want) || strings.Contains(view, "p peek: ") {
		t.Errorf("no %q, or a peek, in\n%s", want, view)
	}
	if why := p.why(k.Peek); k.Peek.Enabled() || why != "it was received by billing-1" {
		t.Errorf("p is on: %v, why not: %q", k.Peek.Enabled(), why)
	}
	d.keys("j")
	if !k.Peek.Enabled() {
		t.Error("p is off for a message that is there")
	}
	d.keys("k")
	d.send(changesMsg{events: []engine.Event{{Kind: engine.EventLapsed, Ref: first.Ref, Holder: "billing-1"}}})
	d.send(changesMsg{events: []engine.Event{{Kind: engine.EventReceived, Ref: first.Ref, Holder: consoleHolder}}})
	if !k.Peek.Enabled() {
		t.Error("p is off for a message that is there again, or was polled here")
	}
	d.keys("F")
	if first.away != "" {
		t.Errorf("thawed, the row still says %q", first.away)
	}
}

func TestHelpSaysWhyAKeyIsOff(t *testing.T) {
	d := watched(100, 30)
	flight := d.main.lists[paneFlight]
	k := flight.kind.(*flightKind)
	if got, want := flight.why(k.Peek), "in flight: hidden from receives until its lease lapses"; got != want {
		t.Errorf("why p is off = %q, want %q", got, want)
	}
	d.send(openQueueMsg("audit"))
	dead := d.main.lists[paneDead]
	if got, want := dead.why(dead.kind.(*deadKind).Redrive), "the queue has no dead-letter queue"; got != want {
		t.Errorf("why R is off = %q, want %q", got, want)
	}
	for _, p := range d.main.messagePanes() {
		for _, group := range p.FullHelp() {
			for _, b := range group {
				if !b.Enabled() && p.why(b) == "" {
					t.Errorf("%s: %s is off and nobody knows why", p.name, b.Help().Key)
				}
			}
		}
	}
}

func TestAnswersForAnotherQueueAreDropped(t *testing.T) {
	d := watched(100, 30)
	p := d.main.lists[paneVisible]
	p.need = true
	load, ok := p.next()
	if !ok {
		t.Fatal("no page is asked for")
	}
	late := d.loader.page(load)()
	d.send(openQueueMsg("emails"))
	d.send(late)
	if p.total != 88 {
		t.Errorf("a late page of orders is shown: %d messages, want 88", p.total)
	}
}
