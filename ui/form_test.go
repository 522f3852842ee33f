package ui

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"inflight/engine"
)

func TestParseSpan(t *testing.T) {
	tests := []struct {
		in   string
		want time.Duration
		ok   bool
	}{
		{"30", 30 * time.Second, true},
		{"30s", 30 * time.Second, true},
		{" 5m ", 5 * time.Minute, true},
		{"4d", 96 * time.Hour, true},
		{"1h30m", 90 * time.Minute, true},
		{"1h 30m", 90 * time.Minute, true},
		{"0", 0, true},
		{"", 0, false},
		{"s", 0, false},
		{"-5", 0, false},
		{"1.5h", 0, false},
		{"5w", 0, false},
		{"99999999999999999999", 0, false},
		{"4000000000d", 0, false},
		{"2000000000d", 0, false},
	}
	for _, tt := range tests {
		if got, ok := parseSpan(tt.in); got != tt.want || ok != tt.ok {
			t.Errorf("parseSpan(%q) = %v, %v, want %v, %v", tt.in, got, ok, tt.want, tt.ok)
		}
	}
}

func FuzzParseSpan(f *testing.F) {
	f.Add("1h30m")
	f.Add("99999999d")
	f.Fuzz(func(t *testing.T, s string) {
		d, ok := parseSpan(s)
		if !ok {
			return
		}
		if again, ok := parseSpan(spanInput(d)); !ok || again != d || d < 0 {
			t.Errorf("%q is %v, written %q, read %v", s, d, spanInput(d), again)
		}
	})
}

func TestParseSize(t *testing.T) {
	for in, want := range map[string]int{"1024": 1024, "64K": 65536, "1m": 1 << 20, "1MB": 1 << 20, "12b": 12} {
		if got, ok := parseSize(in); !ok || got != want {
			t.Errorf("parseSize(%q) = %d, %v, want %d", in, got, ok, want)
		}
		if again, _ := parseSize(sizeInput(want)); again != want {
			t.Errorf("%d is written %q", want, sizeInput(want))
		}
	}
	for _, in := range []string{"", "K", "-1", "1.5M", "9999999999M"} {
		if got, ok := parseSize(in); ok {
			t.Errorf("parseSize(%q) = %d", in, got)
		}
	}
}

func TestNewQueueForm(t *testing.T) {
	f := newQueueForm(testTheme(), testQueues())
	typeText(f, "returns")
	pressKeys(f, "down", "ctrl+u")
	typeText(f, "5m")
	pressKeys(f, "tab", "tab", "tab", "tab", "tab")
	typeText(f, "orders-dlq")
	got := pressKeys(f, "tab", "tab", "tab", "right", "enter")
	want := engine.DefaultAttributes()
	want.VisibilityTimeout = 5 * time.Minute
	want.Redrive = engine.RedrivePolicy{DLQ: "orders-dlq", MaxReceives: 3}
	if !reflect.DeepEqual(got, doneMsg{createQueueMsg{name: "returns", attributes: want}}) {
		t.Errorf("asks for %#v", got)
	}
}

func TestNewQueueFormOffersToMakeTheDLQ(t *testing.T) {
	f := newQueueForm(testTheme(), testQueues()).(*queueForm)
	f.name.set("returns")
	f.dlq.set("returns-dlq")
	f.sync()
	f.focus = len(f.fields) + 1
	got := pressKeys(f, "enter").(doneMsg).then.(createQueueMsg)
	if !got.createDLQ || got.attributes.Redrive.DLQ != "returns-dlq" {
		t.Errorf("asks for %+v", got)
	}
	f.make.step(1)
	f.sync()
	f.focus = len(f.fields) + 1
	if got := pressKeys(f, "enter"); got != nil {
		t.Errorf("without making it: %#v", got)
	}
}

func TestQueueFormRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*queueForm)
		want   string
	}{
		{"no name", func(f *queueForm) { f.name.set("") }, "name: 1 to 120 characters"},
		{"a name that exists", func(f *queueForm) { f.name.set("orders") }, "name: a queue of that name exists"},
		{"a name with other characters", func(f *queueForm) { f.name.set("a b") }, "name: only letters, digits, - and _"},
		{"a long name", func(f *queueForm) { f.name.set(strings.Repeat("a", 121)) }, "name: at most 120 characters"},
		{"visibility over 12 h", func(f *queueForm) { f.visibility.set("13h") }, "visibility timeout: 0s to 12h, as 30, 30s, 5m, 4d"},
		{"retention under a minute", func(f *queueForm) { f.retention.set("59s") }, "retention: 1m to 14d, as 30, 30s, 5m, 4d"},
		{"size over the limit", func(f *queueForm) { f.size.set("2M") }, "maximum message size: 1K to 1M, as 1024, 64K, 1M"},
		{"wait over 30 s", func(f *queueForm) { f.wait.set("31") }, "receive wait: 0s to 30s, as 30, 30s, 5m, 4d"},
		{"max receives 0", func(f *queueForm) { f.dlq.set("orders-dlq"); f.receives.set("0") }, "max receives: 1 to 1,000"},
		{"itself as DLQ", func(f *queueForm) { f.dlq.set("fresh") }, "DLQ: a queue cannot be its own"},
		{"a DLQ that denies", func(f *queueForm) { f.dlq.set("emails") }, "DLQ: its redrive allow policy does not admit this queue"},
		{"a DLQ of another type", func(f *queueForm) { f.queues[2].Attributes.Type = engine.FIFO; f.dlq.set("orders-dlq") }, "DLQ: must be standard, as this queue is"},
		{"no sources", func(f *queueForm) { f.admits.at = 1 }, "sources: 1 to 10 queues, not 0"},
		{"11 sources", func(f *queueForm) { f.admits.at = 1; f.sources.set("a,b,c,d,e,f,g,h,i,j,k") }, "sources: 1 to 10 queues, not 11"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newQueueForm(testTheme(), testQueues()).(*queueForm)
			f.name.set("fresh")
			tt.change(f)
			f.sync()
			f.focus = len(f.fields) + 1
			if got := pressKeys(f, "enter"); got != nil {
				t.Fatalf("asks for %#v", got)
			}
			if got := f.current().trouble(); got != tt.want {
				t.Errorf("says %q, want %q", got, tt.want)
			}
			if view := f.View(100, 40); !strings.Contains(view, strings.Split(tt.want, ",")[0]) {
				t.Errorf("not on screen: %q", tt.want)
			}
		})
	}
}

func TestQueueFormWarns(t *testing.T) {
	f := newSettingsForm(testTheme(), testQueues()[1], testQueues()).(*queueForm)
	if len(f.warns) != 0 {
		t.Errorf("warns of %q", f.warns)
	}
	f.retention.set("14d")
	f.receives.set("1")
	f.sync()
	if len(f.warns) != 2 {
		t.Errorf("warns of %q, want retention and max receives", f.warns)
	}
	f.focus = len(f.fields) + 1
	got, ok := pressKeys(f, "enter").(doneMsg)
	if !ok || got.then.(configureQueueMsg).attributes.Redrive.MaxReceives != 1 {
		t.Errorf("a warning refuses: %#v", got)
	}
}

// A form that changes nothing asks for what is there.
func TestSettingsFormKeepsAttributes(t *testing.T) {
	q := testQueues()[1]
	q.Attributes.VisibilityTimeout = 26*time.Hour/10 + 7*time.Second
	q.Attributes.VisibilityTimeout = q.Attributes.VisibilityTimeout.Truncate(time.Second)
	q.Attributes.MaximumMessageSize = 12_345
	q.Attributes.Tags = map[string]string{"team": "billing"}
	q.Attributes.RedriveAllow = engine.RedriveAllowPolicy{Mode: engine.AllowByQueue, Sources: []string{"a", "b"}}
	f := newSettingsForm(testTheme(), q, testQueues()).(*queueForm)
	f.focus = len(f.fields) + 1
	got := pressKeys(f, "enter").(doneMsg).then.(configureQueueMsg)
	if !reflect.DeepEqual(got.attributes, q.Attributes) {
		t.Errorf("got  %+v\nwant %+v", got.attributes, q.Attributes)
	}
}

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

func TestFormViews(t *testing.T) {
	th, queues := testTheme(), testQueues()
	made := newQueueForm(th, queues)
	typeText(made, "returns")
	pressKeys(made, "tab", "ctrl+u")
	typeText(made, "13h")
	pressKeys(made, "tab", "tab", "tab", "tab", "tab")
	typeText(made, "returns-dlq")
	pressKeys(made, "tab", "tab", "ctrl+u")
	typeText(made, "1")

	send := newSendForm(th, queues[1])
	typeText(send, `{"orderId": 8842,`)
	pressKeys(send, "enter")
	typeText(send, `  "note": "日本`+"\x1b"+`"`)
	hostileSend := newSendForm(th, queues[1])
	hostileSend.Update(bodyEditedMsg{body: []byte(hostile)})

	marked := testRows(5)
	marked[0].Message.Origin, marked[1].Message.Origin = "orders", "gone-queue"
	dlq := queues[2]
	dlq.Counters.Sent = 2
	dlq.Counts.InFlight = 1
	custom := newRedriveForm(th, dlq, nil, queues, nil).(*redriveForm)
	custom.to.at = 2
	custom.sync()
	for _, tt := range []struct {
		name string
		form overlay
	}{
		{"new queue", newQueueForm(th, queues)},
		{"new queue filled", made},
		{"settings", newSettingsForm(th, queues[1], queues)},
		{"send", send},
		{"send hostile", hostileSend},
		{"move", newMoveForm(th, queues[1], testRows(5), queues)},
		{"extend", newExtendForm(th, "orders", []engine.Row{heldRow()}, 2*time.Second, noon)},
		{"poll", newPollForm(th, queues[1])},
		{"redrive all", newRedriveForm(th, dlq, nil, queues, nil)},
		{"redrive marked", newRedriveForm(th, dlq, marked, queues, nil)},
		{"redrive custom", custom},
	} {
		for _, size := range [][2]int{{76, 20}, {96, 26}, {38, 10}} {
			t.Run(fmt.Sprintf("%s %dx%d", tt.name, size[0], size[1]), func(t *testing.T) {
				requireView(t, tt.form.View(size[0], size[1]), size[0], size[1])
			})
		}
	}
}

func TestLineEdit(t *testing.T) {
	tests := []struct {
		name string
		keys []string
		want string
	}{
		{"letters", []string{"a", " ", "b"}, "a b"},
		{"in the middle", []string{"a", "c", "left", "b"}, "abc"},
		{"backspace and delete", []string{"a", "b", "c", "backspace", "left", "left", "delete"}, "b"},
		{"to the ends", []string{"b", "home", "a", "end", "c"}, "abc"},
		{"a word", []string{"a", " ", "b", "b", "ctrl+w"}, "a "},
		{"all before", []string{"a", "b", "left", "ctrl+u"}, "b"},
		{"at the ends nothing happens", []string{"left", "backspace", "delete", "right"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := &lineEdit{}
			for _, k := range tt.keys {
				e.key(keyOf(k))
			}
			if e.text() != tt.want {
				t.Errorf("%v types %q, want %q", tt.keys, e.text(), tt.want)
			}
		})
	}
}

func TestTextAreaTakesAPasteWhole(t *testing.T) {
	a := newTextArea("")
	for _, k := range []string{"x", "y", "left"} {
		a.key(keyOf(k))
	}
	msg := keyOf("1\r\n\t2\n3")
	msg.Paste = true
	a.key(msg)
	if got, want := a.text(), "x1\n\t2\n3y"; got != want {
		t.Errorf("text = %q, want %q", got, want)
	}
	for range 20 {
		a.key(keyOf("backspace"))
	}
	if got := a.text(); got != "y" {
		t.Errorf("after backspaces %q", got)
	}
}

// A form that gets any keys at all neither panics nor draws outside its box.
func FuzzForms(f *testing.F) {
	f.Add([]byte("returns\t\t\t5m\r"), uint8(0))
	f.Add([]byte("\x01\x02\x03\x04"), uint8(3))
	names := []string{"tab", "shift+tab", "up", "down", "left", "right", "enter", "backspace", "delete", "ctrl+u", "home", "end", " ", "ctrl+w"}
	f.Fuzz(func(t *testing.T, keys []byte, which uint8) {
		th, queues := testTheme(), testQueues()
		forms := []overlay{
			newQueueForm(th, queues), newSendForm(th, queues[1]), newRedriveForm(th, queues[2], testRows(2), queues, nil),
			newMoveForm(th, queues[1], testRows(2), queues), newExtendForm(th, "q", testRows(1), time.Minute, noon), confirmPurge(th, queues[1]),
		}
		o := forms[int(which)%len(forms)]
		for _, k := range keys[:min(len(keys), 100)] {
			if int(k) < len(names) {
				o.Update(keyOf(names[k]))
			} else {
				o.Update(keyOf(string(rune(k))))
			}
		}
		checkBox(t, o.View(60, 16), 60, 16)
	})
}
