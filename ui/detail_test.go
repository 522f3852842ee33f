package ui

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
)

const testBodyJSON = `{"orderId":8790,"customer":{"id":"c-1192","name":"Åse Ødegård 日本","email":"ase@example.com"},` +
	`"amount":"9,99","currency":"EUR","lines":[{"sku":"A-1","n":2},{"sku":"B-7","n":1}],"paid":true,"note":"\u001b[2Jhello"}`

// flightDetail is a message on its last receive.
func flightDetail() engine.Detail {
	d := engine.Detail{Queue: "orders", DLQ: "orders-dlq", MaxReceives: 3}
	d.Row = testRow(7, testBodyJSON)
	d.State, d.Holder, d.Receives = engine.InFlight, "billing-3", 3
	d.Due = noon.Add(4 * time.Second)
	d.Message.Sent, d.Message.Arrived = noon.Add(-208*time.Second), noon.Add(-208*time.Second)
	d.FirstReceived, d.LastReceived = noon.Add(-207*time.Second), noon.Add(-26*time.Second)
	d.Expires = d.Message.Sent.Add(96 * time.Hour)
	d.Message.Sender = "api-1"
	d.Message.Attributes = []engine.Attribute{
		{Name: "traceId", Type: "String", Value: []byte("4bf92f3577b34da6")},
		{Name: "attempt", Type: "Number", Value: []byte("1")},
		{Name: "contentType", Type: "String", Value: []byte("application/json")},
	}
	d.History = []engine.Received{
		{At: noon.Add(-207 * time.Second), Until: noon.Add(-177 * time.Second), Holder: "billing-3"},
		{At: noon.Add(-176 * time.Second), Until: noon.Add(-176 * time.Second), Holder: "console", Kind: engine.ByPeek},
		{At: noon.Add(-26 * time.Second), Until: noon.Add(4 * time.Second), Holder: "billing-3"},
	}
	return d
}

// deadDetail is a message in the DLQ.
func deadDetail() engine.Detail {
	d := flightDetail()
	d.Queue, d.DLQ, d.MaxReceives = "orders-dlq", "", 0
	d.State, d.Holder, d.Receives, d.Due = engine.Ready, "", 0, time.Time{}
	d.EarlierHistory = d.History
	d.EarlierHistory[2].At, d.EarlierHistory[2].Until = noon.Add(-56*time.Second), noon.Add(-26*time.Second)
	d.History, d.LastReceived, d.FirstReceived = nil, time.Time{}, time.Time{}
	d.Message.Origin, d.Message.EarlierReceives = "orders", 3
	d.Message.FirstReceived = noon.Add(-207 * time.Second)
	d.Message.Arrived = noon.Add(-12 * time.Second)
	d.Expires = d.Message.Sent.Add(14 * 24 * time.Hour)
	return d
}

func hostileDetail() engine.Detail {
	d := flightDetail()
	d.Queue, d.DLQ, d.Holder = hostile, hostile, hostile
	d.Message.Body = []byte(hostile + "\n" + hostile)
	d.Message.Sender, d.Message.Group = hostile, hostile
	d.Message.Attributes = []engine.Attribute{{Name: hostile, Type: hostile, Value: []byte(hostile)}}
	for i := range d.History {
		d.History[i].Holder = hostile
	}
	return d
}

func openTestDetail(d engine.Detail, width, height int) *detailPane {
	p := newDetailPane(testTheme(), paneDead, d.Ref)
	p.SetSize(width, height)
	p.Update(tickMsg{noon})
	p.Update(queuesMsg{queues: testQueues()})
	p.Update(detailMsg{ref: d.Ref, detail: d})
	p.Update(detailPlaceMsg{d.Ref, 1, 61})
	return p
}

// bodySizes are what the root leaves of the screens that are tested.
var bodySizes = [][2]int{{80, 21}, {100, 27}, {200, 47}}

func TestDetailViews(t *testing.T) {
	gone := openTestDetail(flightDetail(), 0, 0)
	gone.Update(eventsMsg{events: []engine.Event{{Kind: engine.EventDeleted, Ref: flightDetail().Ref, Holder: "billing-2"}}})
	find := openTestDetail(flightDetail(), 0, 0)
	find.Update(findMsg{findInBody, "sku"})
	binary := flightDetail()
	binary.Message.Body = []byte(strings.Repeat("\x00\x01PNG\xff\xfe data ", 40))
	xml := deadDetail()
	xml.Message.Body = []byte(`<?xml version="1.0"?><order id="7001"><amt>12</amt><note lang='en'>late</note><lines><l/></lines></order>`)
	loading := newDetailPane(testTheme(), paneVisible, engine.Ref{Pos: 9})
	for _, tt := range []struct {
		name string
		pane *detailPane
		keys []string
	}{
		{"flight", openTestDetail(flightDetail(), 0, 0), nil},
		{"dead", openTestDetail(deadDetail(), 0, 0), nil},
		{"raw", openTestDetail(flightDetail(), 0, 0), []string{"]"}},
		{"hex", openTestDetail(flightDetail(), 0, 0), []string{"]", "]"}},
		{"attributes", openTestDetail(flightDetail(), 0, 0), []string{"]", "]", "]"}},
		{"receives", openTestDetail(flightDetail(), 0, 0), []string{"["}},
		{"hostile", openTestDetail(hostileDetail(), 0, 0), nil},
		{"hostile attributes", openTestDetail(hostileDetail(), 0, 0), []string{"]", "]", "]"}},
		{"gone", gone, nil},
		{"find", find, []string{"n"}},
		{"binary", openTestDetail(binary, 0, 0), nil},
		{"xml", openTestDetail(xml, 0, 0), nil},
		{"zoom", openTestDetail(flightDetail(), 0, 0), []string{"z"}},
		{"loading", loading, nil},
	} {
		pressKeys(tt.pane, tt.keys...)
		for _, size := range bodySizes {
			t.Run(fmt.Sprintf("%s %dx%d", tt.name, size[0], size[1]), func(t *testing.T) {
				tt.pane.SetSize(size[0], size[1])
				checkExact(t, tt.pane.View(), size[0], size[1])
				requireView(t, tt.pane.View(), size[0], size[1])
			})
		}
	}
}

// checkExact fails unless view has exactly that size.
func checkExact(t *testing.T, view string, width, height int) {
	t.Helper()
	lines := strings.Split(view, "\n")
	if len(lines) != height {
		t.Errorf("%d lines, want %d", len(lines), height)
	}
	for i, s := range lines {
		if w := ansi.StringWidth(s); w != width {
			t.Errorf("line %d is %d wide, want %d: %q", i, w, width, s)
		}
	}
}

func TestDetailFitsAnySize(t *testing.T) {
	for _, d := range []engine.Detail{flightDetail(), deadDetail(), hostileDetail()} {
		p := openTestDetail(d, 0, 0)
		for tab := range detailTabs {
			for width := 40; width <= 220; width += 9 {
				for height := 9; height <= 60; height += 4 {
					p.SetSize(width, height)
					checkExact(t, p.View(), width, height)
				}
			}
			if t.Failed() {
				t.Fatalf("in tab %v", tab)
			}
			pressKeys(p, "]")
		}
	}
}

func TestDetailIntents(t *testing.T) {
	flight, dead := flightDetail(), deadDetail()
	waiting := flightDetail()
	waiting.State, waiting.DeadLetters = engine.Ready, true
	early := flightDetail()
	early.Due = noon.Add(time.Hour)
	rows := func(d engine.Detail) []engine.Row { return []engine.Row{d.Row} }
	refs := []engine.Ref{flight.Ref}
	tests := []struct {
		name   string
		detail engine.Detail
		key    string
		want   any
	}{
		{"the next message", flight, "J", stepDetailMsg(1)},
		{"there is none before the first", flight, "K", nil},
		{"x extends by the queue's timeout", flight, "x", extendMsg{refs, 30 * time.Second}},
		{"x asks when that is sooner", early, "x", askSoonerMsg{rows(early), 30 * time.Second, 1}},
		{"X asks for a time", flight, "X", askExtendMsg{"orders", rows(flight)}},
		{"r releases", flight, "r", releaseMsg{refs}},
		{"D asks", flight, "D", askRemoveMsg{"orders", rows(flight)}},
		{"what is in flight is not peeked", flight, "p", nil},
		{"what is in flight is not moved", flight, "m", nil},
		{"what is in flight is not redriven", flight, "R", nil},
		{"p peeks", dead, "p", peekMsg{ref: dead.Ref, id: dead.Message.ID}},
		{"p asks when the peek dead-letters", waiting, "p", askPeekMsg{waiting.Row, 3, "orders-dlq"}},
		{"R redrives a dead one", dead, "R", askRedriveMsg{"orders-dlq", rows(dead)}},
		{"R is for dead ones", waiting, "R", nil},
		{"m moves", dead, "m", askMoveMsg{"orders-dlq", rows(dead)}},
		{"there is no lease to extend", dead, "x", nil},
		{"there is no lease to release", dead, "r", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := openTestDetail(tt.detail, 100, 27)
			if got := pressKeys(p, tt.key); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%s asks for %#v, want %#v", tt.key, got, tt.want)
			}
		})
	}
}

// Each key of the screen either acts or says why it does not.
func TestDetailExplainsEveryDisabledKey(t *testing.T) {
	delayed := flightDetail()
	delayed.State = engine.Delayed
	gone := openTestDetail(flightDetail(), 100, 27)
	gone.Update(detailMsg{ref: gone.ref, err: engine.ErrMessageGone})
	for name, p := range map[string]*detailPane{
		"flight": openTestDetail(flightDetail(), 100, 27), "dead": openTestDetail(deadDetail(), 100, 27),
		"delayed": openTestDetail(delayed, 100, 27), "gone": gone,
		"loading": newDetailPane(testTheme(), paneDead, engine.Ref{Pos: 1}),
	} {
		for _, group := range p.FullHelp() {
			for _, b := range group {
				if b.Enabled() == (p.why(b) != "") {
					t.Errorf("%s: %s enabled %v, why %q", name, b.Help().Key, b.Enabled(), p.why(b))
				}
			}
		}
	}
}

func TestDetailKeepsWhatWasRead(t *testing.T) {
	p := openTestDetail(flightDetail(), 100, 27)
	p.Update(detailMsg{ref: p.ref, err: fmt.Errorf("inspect: %w", engine.ErrMessageGone)})
	view := ansi.Strip(p.View())
	if !strings.Contains(view, `"orderId": 8790`) || !strings.Contains(view, "is gone") {
		t.Errorf("after it went away:\n%s", view)
	}
	if got := pressKeys(p, "D"); got != nil {
		t.Errorf("D on a gone message asks for %#v", got)
	}
	p.Update(detailMsg{ref: engine.Ref{Pos: 99}, detail: deadDetail()})
	if strings.Contains(ansi.Strip(p.View()), "orders-dlq ") {
		t.Errorf("took an answer about another message")
	}
}

func TestDetailRefreshKeepsThePlace(t *testing.T) {
	d := flightDetail()
	p := openTestDetail(d, 60, 12)
	pressKeys(p, "j", "j")
	top := p.body.top
	if top == 0 {
		t.Fatal("j does not scroll")
	}
	d.Receives = 4
	p.Update(detailMsg{ref: p.ref, detail: d})
	if p.body.top != top {
		t.Errorf("a refresh scrolls from %d to %d", top, p.body.top)
	}
	p.show(engine.Ref{Pos: 8})
	if p.body.top != 0 || p.loaded {
		t.Errorf("another message starts at %d, loaded %v", p.body.top, p.loaded)
	}
}

func TestDetailFind(t *testing.T) {
	p := openTestDetail(flightDetail(), 100, 27)
	open, ok := pressKeys(p, "/").(openMsg)
	if !ok {
		t.Fatal("/ opens nothing")
	}
	line := open.overlay.(*findLine)
	for _, want := range []findMsg{{findInBody, "s"}, {findInBody, "sk"}} {
		if got := pressKeys(line, want.text[len(want.text)-1:]); got != want {
			t.Errorf("typing asks for %#v, want %#v", got, want)
		}
		p.Update(want)
	}
	if len(p.body.find.hits) != 2 {
		t.Errorf("%d hits", len(p.body.find.hits))
	}
	pressKeys(p, "n")
	if p.body.find.now != 1 {
		t.Errorf("n shows hit %d", p.body.find.now)
	}
	if got := pressKeys(line, "enter"); got != (closeMsg{}) {
		t.Errorf("enter asks for %#v", got)
	}
	if !p.back() || p.body.find.query != "" || p.back() {
		t.Errorf("esc does not take back the search alone")
	}
	if got := pressKeys(line, "esc"); got != (doneMsg{findMsg{on: findInBody}}) {
		t.Errorf("esc asks for %#v", got)
	}
}

func TestDetailSaysWhatHappensNext(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*engine.Detail)
		want   string
	}{
		{"on its last receive", func(d *engine.Detail) {}, "3 of 3 receives used. Lapses at 12:04:35 unless deleted; its next receive moves it to orders-dlq."},
		{"with receives left", func(d *engine.Detail) { d.Receives = 1 }, "Lapses at 12:04:35 unless deleted; then visible again with 1 of 3 receives used."},
		{"that expires first", func(d *engine.Detail) { d.Expires = noon.Add(time.Second) }, "Its retention ends at 12:04:32, before its lease: unless deleted it expires."},
		{"delayed", func(d *engine.Detail) { d.State = engine.Delayed }, "Its delay ends at 12:04:35: then it may be received."},
		{"whose next receive dead-letters", func(d *engine.Detail) { d.State, d.DeadLetters = engine.Ready, true }, "3 of 3 receives used: its next receive, or peek, moves it to orders-dlq."},
		{"without a DLQ", func(d *engine.Detail) { d.State, d.DLQ, d.MaxReceives = engine.Ready, "", 0 }, "It may be received. Without a DLQ it comes back until it is deleted, or expires at Mar 18 12:01:03."},
		{"dead", func(d *engine.Detail) { *d = deadDetail() }, "Moved here from orders at 12:04:19 after 3 receives, none of which deleted it. Unless redriven it expires at Mar 28 12:01:03."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := flightDetail()
			tt.change(&d)
			if got := openTestDetail(d, 100, 27).next(); got != tt.want {
				t.Errorf("next = %q\nwant   %q", got, tt.want)
			}
		})
	}
}

func BenchmarkDetailView(b *testing.B) {
	p := openTestDetail(flightDetail(), 200, 47)
	for b.Loop() {
		p.View()
	}
}

func TestTheFooterOfAMessageNamesItsActions(t *testing.T) {
	for _, tt := range []struct {
		keys string
		want []string
	}{
		{"3 enter", []string{"p peek", "R redrive", "D delete", "y copy", "esc back", "? help"}},
		{"2 enter", []string{"x extend", "r release", "D delete", "y copy", "esc back", "? help"}},
	} {
		d := watched(80, 24)
		d.keys(strings.Fields(tt.keys)...)
		footer := ansi.Strip(d.footer(80))
		for _, want := range tt.want {
			if !strings.Contains(footer, want) {
				t.Errorf("%s: %q lacks %q", tt.keys, footer, want)
			}
		}
	}
}
