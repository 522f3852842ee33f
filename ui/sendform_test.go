package ui

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
)

func TestSendForm(t *testing.T) {
	q := testQueues()[1]
	f := newSendForm(testTheme(), q)
	typeText(f, `{"a":1}`)
	pressKeys(f, "enter")
	typeText(f, "\tx")
	pressKeys(f, "tab", "ctrl+u")
	typeText(f, "10")
	pressKeys(f, "tab", "backspace")
	typeText(f, "1")
	pressKeys(f, "tab")
	typeText(f, "attempt:Number=1")
	pressKeys(f, "tab")
	typeText(f, "trace=a=b c")
	got := pressKeys(f, "tab", "tab", "tab", "enter")
	delay := 10 * time.Second
	want := sendMsg{"orders", engine.SendRequest{Body: []byte("{\"a\":1}\n\tx"), Delay: &delay, Priority: 1, Attributes: []engine.Attribute{
		{Name: "attempt", Type: "Number", Value: []byte("1")}, {Name: "trace", Type: "String", Value: []byte("a=b c")},
	}}}
	if !reflect.DeepEqual(got, doneMsg{want}) {
		t.Errorf("asks for %#v", got)
	}
}

func TestSendFormSendsTheEditorsBytesUntouched(t *testing.T) {
	body := []byte("\x00\xff\r\n\x1b[31m")
	f := newSendForm(testTheme(), testQueues()[1]).(*sendForm)
	typeText(f, "draft")
	if got := pressKeys(f, "ctrl+e"); !reflect.DeepEqual(got, editBodyMsg{[]byte("draft")}) {
		t.Errorf("ctrl+e asks for %#v", got)
	}
	f.Update(bodyEditedMsg{body: body})
	typeText(f, "more")
	f.focus = len(f.fields) + 1
	got := pressKeys(f, "enter").(doneMsg).then.(sendMsg)
	if !reflect.DeepEqual(got.request.Body, body) {
		t.Errorf("sends %q, want %q", got.request.Body, body)
	}
	f.Update(bodyEditedMsg{err: errors.New("exit status 1\x1b[2J")})
	if !reflect.DeepEqual(f.bytes(), body) || !strings.Contains(f.View(76, 30), "the editor failed") {
		t.Errorf("after a failure: %q\n%s", f.bytes(), f.View(76, 30))
	}
}

func TestSendFormRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*sendForm)
		want   string
	}{
		{"an empty body", func(f *sendForm) { f.setBody(nil) }, "body: 1 byte to 1.0M"},
		{"a body over the queue's limit", func(f *sendForm) { f.queue.Attributes.MaximumMessageSize = 3 }, "size: 4B with attributes, the queue takes 3B"},
		{"a delay over 7 d", func(f *sendForm) { f.delay.set("8d") }, "delay: 0s to 7d, as 30, 30s, 5m, 4d"},
		{"priority 0", func(f *sendForm) { f.priority.set("0") }, "priority: 1 to 16"},
		{"an attribute without a value", func(f *sendForm) { f.attributes[0].set("a=") }, "attribute: its value is empty"},
		{"a number that is none", func(f *sendForm) { f.attributes[0].set("a:Number=x") }, "attribute: the value is no number"},
		{"an attribute of another form", func(f *sendForm) { f.attributes[0].set("a") }, "attribute: name=value or name:Type=value, the type String, Number or Binary"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newSendForm(testTheme(), testQueues()[1]).(*sendForm)
			f.setBody([]byte("body"))
			tt.change(f)
			f.sync()
			f.focus = len(f.fields) + 1
			if got := pressKeys(f, "enter"); got != nil {
				t.Fatalf("asks for %#v", got)
			}
			if got := f.current().trouble(); got != tt.want {
				t.Errorf("says %q, want %q", got, tt.want)
			}
		})
	}
}

func TestMoveForm(t *testing.T) {
	queues, rows := testQueues(), testRows(3)
	f := newMoveForm(testTheme(), queues[1], rows, queues)
	typeText(f, "ord")
	if got := pressKeys(f, "enter", "enter"); got != (closeMsg{}) {
		t.Errorf("enter, enter asks for %#v: Cancel comes first", got)
	}
	want := doneMsg{moveMsg{refsOf(rows), "orders-dlq"}}
	if got := pressKeys(f, "tab", "enter"); !reflect.DeepEqual(got, want) {
		t.Errorf("asks for %#v", got)
	}
	f = newMoveForm(testTheme(), queues[1], rows, queues[1:2])
	if got := pressKeys(f, "tab", "tab", "enter"); got != nil {
		t.Errorf("without a destination: %#v", got)
	}
}

func TestExtendForm(t *testing.T) {
	rows := []engine.Row{heldRow()} // due in 4 s
	f := newExtendForm(testTheme(), "orders", rows, 30*time.Second, noon)
	if view := f.View(76, 20); !strings.Contains(view, "hidden until 12:05:01, now until 12:04:35") {
		t.Errorf("the result is not a clock time:\n%s", view)
	}
	if got := pressKeys(f, "enter"); !reflect.DeepEqual(got, doneMsg{extendMsg{refsOf(rows), 30 * time.Second}}) {
		t.Errorf("asks for %#v", got)
	}
	pressKeys(f, "ctrl+u", "3")
	if view := f.View(76, 20); !strings.Contains(view, "sooner than now") {
		t.Errorf("no warning:\n%s", view)
	}
	done, _ := pressKeys(f, "enter").(doneMsg)
	if open, ok := done.then.(openMsg); !ok || !strings.Contains(open.overlay.View(78, 1), "hide it only until 12:04:34") {
		t.Errorf("sooner asks for %#v", done)
	}
	f.Update(tickMsg{noon.Add(10 * time.Second)})
	if got := pressKeys(f, "enter"); !reflect.DeepEqual(got, doneMsg{extendMsg{refsOf(rows), 3 * time.Second}}) {
		t.Errorf("once the lease is over: %#v", got)
	}
	pressKeys(f, "ctrl+u")
	typeText(f, "13h")
	if got := pressKeys(f, "enter"); got != nil {
		t.Errorf("13 h: %#v", got)
	}
}

func TestPollForm(t *testing.T) {
	f := newPollForm(testTheme(), testQueues()[1])
	if got := pressKeys(f, "enter"); got != (doneMsg{pollMsg{"orders", 10}}) {
		t.Errorf("asks for %#v", got)
	}
	pressKeys(f, "ctrl+u")
	typeText(f, "11")
	if got := pressKeys(f, "enter"); got != nil {
		t.Errorf("11: %#v", got)
	}
}

func TestRedriveForm(t *testing.T) {
	queues := testQueues()
	marked := testRows(2)
	marked[0].Message.Origin, marked[1].Message.Origin = "orders", "orders"
	open := func(rows []engine.Row) *redriveForm {
		return newRedriveForm(testTheme(), queues[2], rows, queues, nil).(*redriveForm)
	}
	if got := pressKeys(open(nil), "enter"); got != (closeMsg{}) {
		t.Errorf("enter on a fresh dialog asks for %#v", got)
	}
	want := doneMsg{redriveMsg{engine.RedriveRequest{Source: "orders-dlq", Rate: 10}}}
	if got := pressKeys(open(nil), "tab", "enter"); !reflect.DeepEqual(got, want) {
		t.Errorf("all to their origin asks for %#v", got)
	}
	f := open(marked)
	f.to.at = 2
	f.rate.set("")
	f.sync()
	want = doneMsg{redriveMsg{engine.RedriveRequest{Source: "orders-dlq", Destination: "orders", Selection: refsOf(marked)}}}
	if got := pressKeys(f, "tab", "enter"); !reflect.DeepEqual(got, want) {
		t.Errorf("marked ones to orders asks for %#v", got)
	}

	f = open(nil) // all to a chosen queue: the name is to be typed
	f.to.at = 2
	f.sync()
	if got := pressKeys(f, "tab", "enter"); got != nil || f.current() != f.nameField {
		t.Errorf("without the name: %#v", got)
	}
	pasteText(f, "orders-dlq")
	if got := pressKeys(f, "tab", "tab", "enter"); got != nil {
		t.Errorf("a pasted name counts: %#v", got)
	}
	typeText(f, "orders-dlq")
	if _, ok := pressKeys(f, "tab", "tab", "enter").(doneMsg); !ok {
		t.Errorf("with the name it is refused")
	}
}

func TestRedriveFormRefuses(t *testing.T) {
	queues := testQueues()
	nobodys := queues[1]
	empty := queues[2]
	empty.Counts = engine.Counts{}
	for _, tt := range []struct {
		name   string
		source engine.QueueStats
		tasks  []engine.Task
		rate   string
		want   string
	}{
		{"a queue that is nobody's DLQ", nobodys, nil, "10", "only a DLQ can be redriven"},
		{"an empty DLQ", empty, nil, "10", "nothing is there to move"},
		{"a second job", queues[2], []engine.Task{{ID: 7, Source: "orders-dlq"}}, "10", "job 7 is at work on this queue"},
		{"the 101st job", queues[2], make([]engine.Task, 100), "10", "100 jobs are active"},
		{"a rate over 500", queues[2], nil, "501", "rate: 1 to 500"},
		{"rate 0", queues[2], nil, "0", "rate: 1 to 500"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newRedriveForm(testTheme(), tt.source, nil, queues, tt.tasks).(*redriveForm)
			f.rate.set(tt.rate)
			f.sync()
			if got := pressKeys(f, "tab", "enter"); got != nil {
				t.Fatalf("asks for %#v", got)
			}
			if view := f.View(100, 40); !strings.Contains(view, tt.want) {
				t.Errorf("does not say %q:\n%s", tt.want, view)
			}
		})
	}
}

func TestMovingTime(t *testing.T) {
	for _, tt := range []struct {
		n, rate int
		want    string
	}{{61, 10, "6.1s"}, {1, 500, "0.0s"}, {1204, 10, "2m 1s"}, {1_000_000, 1, "11d 13h"}} {
		if got := movingTime(tt.n, tt.rate); got != tt.want {
			t.Errorf("movingTime(%d, %d) = %s, want %s", tt.n, tt.rate, got, tt.want)
		}
	}
}

func TestRedriveShowsWhatMoves(t *testing.T) {
	d := watched(100, 30)
	d.keys("3", "R")
	for _, want := range []string{"61 messages, ", "and 58 more", `{"orderId":8`, "← → or type its name"} {
		if view := ansi.Strip(d.overlays[0].View(96, 30)); !strings.Contains(view, want) {
			t.Errorf("R on the dead pane does not show %q:\n%s", want, view)
		}
	}
	d = watched(100, 30)
	d.keys("3", "enter", "R")
	if view := ansi.Strip(d.View()); !strings.Contains(view, "✓ this message") || strings.Contains(view, "marked") {
		t.Errorf("R on a message's screen:\n%s", view)
	}
	queues := testQueues()
	f := newRedriveForm(testTheme(), queues[2], testRows(1), queues, nil).(*redriveForm).looksAt()
	if view := ansi.Strip(f.View(96, 30)); !strings.Contains(view, "It has no origin: the job would fail at it. Choose a queue.") {
		t.Errorf("without an origin:\n%s", view)
	}
	q := queues[2]
	q.Name, q.Sources = longName, []string{"orders"}
	f = newRedriveForm(testTheme(), q, nil, queues, nil).(*redriveForm)
	f.to.at = 1
	f.sync()
	flat := strings.NewReplacer("│", "", "\n", "", " ", "").Replace(ansi.Strip(f.View(76, 30)))
	if !strings.Contains(flat, longName) {
		t.Errorf("the long name to type cannot be read:\n%s", ansi.Strip(f.View(76, 30)))
	}
}

func TestSendAfterTheEditorFailed(t *testing.T) {
	f := newSendForm(testTheme(), testQueues()[1]).(*sendForm)
	typeText(f, "draft")
	f.Update(bodyEditedMsg{err: errors.New("exit status 1")})
	if view := f.View(76, 30); !strings.Contains(view, "the editor failed") {
		t.Errorf("the form does not say so:\n%s", view)
	}
	typeText(f, "s")
	if view := f.View(76, 30); strings.Contains(view, "the editor failed") {
		t.Errorf("it says so still when something was typed since:\n%s", view)
	}
	f.Update(bodyEditedMsg{err: errors.New("exit status 1")})
	f.focus = len(f.fields) + 1
	done, ok := pressKeys(f, "enter").(doneMsg)
	if !ok || string(done.then.(sendMsg).request.Body) != "drafts" {
		t.Errorf("Send asks for %#v", done)
	}
}

// An attribute with empty rows before it is sent, and so it stays on screen.
func TestEveryAttributeThatIsSentIsShown(t *testing.T) {
	f := newSendForm(testTheme(), testQueues()[1]).(*sendForm)
	typeText(f, "body")
	pressKeys(f, "tab", "tab", "tab")
	for _, attribute := range []string{"a=1", "b=2", "c=3"} {
		typeText(f, attribute)
		pressKeys(f, "tab")
	}
	pressKeys(f, "shift+tab", "shift+tab", "ctrl+u", "shift+tab", "ctrl+u")
	at := f.focus
	pressKeys(f, "tab", "tab", "ctrl+u")
	if field := f.current(); field.hidden {
		t.Error("the row that has the focus is hidden once it is empty")
	}
	typeText(f, "c=3")
	f.focus = at
	view := ansi.Strip(f.View(96, 40))
	f.focus = len(f.fields) + 1
	sent := pressKeys(f, "enter").(doneMsg).then.(sendMsg).request.Attributes
	if len(sent) != 1 || sent[0].Name != "c" || !strings.Contains(view, "c=3") {
		t.Errorf("sends %+v, and shows:\n%s", sent, view)
	}
	if got, want := strings.Count(view, "Attribute"), 4; got != want {
		t.Errorf("%d rows for attributes, want %d: a free one after the last", got, want)
	}
}
