package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

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
	f.Add("2777000d")
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

func TestFormViews(t *testing.T) {
	th, queues := testTheme(), testQueues()
	made := newQueueForm(th, queues)
	typeText(made, "returns")
	pressKeys(made, "tab", "tab", "ctrl+u")
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
				e.key(namedKey(k))
			}
			if e.text() != tt.want {
				t.Errorf("%v types %q, want %q", tt.keys, e.text(), tt.want)
			}
		})
	}
}

func TestLineEditStaysOneLine(t *testing.T) {
	e := &lineEdit{limit: 6}
	msg := namedKey("a\r\n\tb\x1bc")
	msg.Paste = true
	e.key(msg)
	if got := e.text(); got != "a   b\x1b" {
		t.Errorf("text = %q", got)
	}
}

func TestTextAreaTakesAPasteWhole(t *testing.T) {
	a := newTextArea("")
	for _, k := range []string{"x", "y", "left"} {
		a.key(namedKey(k))
	}
	msg := namedKey("1\r\n\t2\n3")
	msg.Paste = true
	a.key(msg)
	if got, want := a.text(), "x1\n\t2\n3y"; got != want {
		t.Errorf("text = %q, want %q", got, want)
	}
	for range 20 {
		a.key(namedKey("backspace"))
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
				o.Update(namedKey(names[k]))
			} else {
				o.Update(namedKey(string(rune(k))))
			}
		}
		checkBox(t, o.View(60, 16), 60, 16)
	})
}

func TestEnterLeadsToTheButton(t *testing.T) {
	queues := testQueues()
	custom := newRedriveForm(testTheme(), queues[2], nil, queues, nil).(*redriveForm)
	custom.to.at = 2
	custom.sync()
	tests := []struct {
		name string
		form *form
		acts bool
	}{
		{"settings", newSettingsForm(testTheme(), queues[1], queues).(*queueForm).form, true},
		{"send", newSendForm(testTheme(), queues[1]).(*sendForm).form, true},
		{"move one", newMoveForm(testTheme(), queues[1], testRows(1), queues).(*form), true},
		{"move many", newMoveForm(testTheme(), queues[1], testRows(2), queues).(*form), false},
		{"redrive all elsewhere", custom.form, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := tt.form
			for i, field := range f.fields {
				if !field.hidden {
					f.focus = i
				}
			}
			pressKeys(f, "enter")
			if acts := f.focus == len(f.fields)+1; acts != tt.acts {
				t.Errorf("enter in the last field goes to the button: %v, want %v", acts, tt.acts)
			}
		})
	}
}

func TestCtrlSSubmitsFromAnyField(t *testing.T) {
	f := newSendForm(testTheme(), testQueues()[1])
	if view := ansi.Strip(f.View(76, 20)); !strings.Contains(view, "ctrl+s send") {
		t.Errorf("no hint:\n%s", view)
	}
	if got := pressKeys(f, "ctrl+s"); got != nil {
		t.Errorf("without a body: %#v", got)
	}
	typeText(f, "x")
	if got, ok := pressKeys(f, "ctrl+s").(doneMsg); !ok || string(got.then.(sendMsg).request.Body) != "x" {
		t.Errorf("in the body: %#v", got)
	}
	f.Update(bodyEditedMsg{body: []byte("\x00")})
	if got, ok := pressKeys(f, "ctrl+s").(doneMsg); !ok || string(got.then.(sendMsg).request.Body) != "\x00" {
		t.Errorf("with the editor's body: %#v", got)
	}
}

func TestTypingReplacesADefault(t *testing.T) {
	f := newSettingsForm(testTheme(), testQueues()[1], testQueues()).(*queueForm)
	typeText(f, "60")
	if got := f.visibility.text(); got != "60" {
		t.Errorf("60 typed at 30s gives %q", got)
	}
	pressKeys(f, "tab", "shift+tab")
	typeText(f, "m")
	if got := f.visibility.text(); got != "60m" {
		t.Errorf("back in the field m gives %q, want 60m", got)
	}
	pressKeys(f, "left", "ctrl+u")
	if got := f.visibility.text(); got != "" {
		t.Errorf("ctrl+u leaves %q", got)
	}
	pressKeys(f, "tab", "tab", "left", "left")
	typeText(f, "1")
	if got := f.retention.text(); got != "14d" {
		t.Errorf("1 typed within 4d gives %q, want 14d", got)
	}
}

func TestEscIsTheLastHintToGo(t *testing.T) {
	f := newSendForm(testTheme(), testQueues()[1])
	for width := 46; width < 90; width += 3 {
		if view := ansi.Strip(f.View(width, 14)); !strings.Contains(view, "esc cancel") {
			t.Fatalf("at %d columns:\n%s", width, view)
		}
	}
}

func TestAFormKeepsItsWidth(t *testing.T) {
	q := testQueues()[1]
	q.Attributes.MaximumMessageSize = 1024
	f := newSendForm(testTheme(), q)
	widest := 0
	draw := func(after string) {
		width := ansi.StringWidth(lines(f.View(96, 26))[0])
		if width < widest {
			t.Errorf("after %s it is %d wide, and was %d", after, width, widest)
		}
		widest = width
	}
	draw("opening")
	pressKeys(f, "tab")
	typeText(f, "8d")
	pressKeys(f, "tab")
	draw("a wrong delay")
	pressKeys(f, "shift+tab", "ctrl+u", "1", "tab")
	draw("a right one")
	pressKeys(f, "tab")
	draw("leaving the field")
}

// A terminal may paste the ends of lines as \r.
func TestTextAreaTakesEveryLineEnd(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		a := newTextArea("")
		msg := namedKey("{" + end + end + "\t\"a\": 1" + end + "}")
		msg.Paste = true
		a.key(msg)
		if got, want := a.text(), "{\n\n\t\"a\": 1\n}"; got != want {
			t.Errorf("%q: text = %q, want %q", end, got, want)
		}
	}
}

func TestALongLineOfATextAreaTakesBlanks(t *testing.T) {
	a := newTextArea(strings.Repeat("x", maxTyped+1))
	for _, k := range []string{"end", "y", " ", "z"} {
		a.key(namedKey(k))
	}
	if got := a.text()[maxTyped+1:]; got != "y z" {
		t.Errorf("typed %q, want %q", got, "y z")
	}
}
