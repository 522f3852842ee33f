package ui

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
	"inflight/keymap"
)

func testHelp() overlay {
	p := openTestDetail(flightDetail(), 100, 27)
	return newHelp(testTheme(), "message", sectionOf("Message", p), sectionOf("Everywhere", keymap.NewGlobal()))
}

func TestHelpViews(t *testing.T) {
	search, none := testHelp(), testHelp()
	typeText(search, "lease")
	typeText(none, "zzz\x1b")
	end := testHelp()
	end.View(76, 20)
	for range 100 {
		pressKeys(end, "down")
	}
	for _, tt := range []struct {
		name string
		help overlay
	}{{"all", testHelp()}, {"search", search}, {"none", none}, {"end", end}} {
		for _, size := range [][2]int{{76, 20}, {96, 26}, {196, 46}, {38, 10}} {
			if tt.name == "end" && size[0] != 76 {
				continue
			}
			t.Run(fmt.Sprintf("%s %dx%d", tt.name, size[0], size[1]), func(t *testing.T) {
				requireView(t, tt.help.View(size[0], size[1]), size[0], size[1])
			})
		}
	}
}

// Every key of the context is listed, those that are off with their reason.
func TestHelpListsEveryKey(t *testing.T) {
	p := openTestDetail(flightDetail(), 100, 27)
	h := newHelp(testTheme(), "message", sectionOf("Message", p))
	view := ansi.Strip(h.View(96, 100))
	for _, group := range p.FullHelp() {
		for _, b := range group {
			if !strings.Contains(view, b.Help().Key) || !strings.Contains(view, b.Help().Desc) {
				t.Errorf("%s %s is not listed", b.Help().Key, b.Help().Desc)
			}
			if !b.Enabled() && !strings.Contains(view, p.why(b)) {
				t.Errorf("%s is off and does not say why: %q", b.Help().Key, p.why(b))
			}
		}
	}
}

func TestHelpKeys(t *testing.T) {
	h := testHelp().(*helpOverlay)
	if got := pressKeys(h, "?"); got != (closeMsg{}) {
		t.Errorf("? asks for %#v", got)
	}
	typeText(h, "rel")
	if got := pressKeys(h, "esc"); got != nil || h.search.text() != "" {
		t.Errorf("esc does not take back the search first: %#v", got)
	}
	if got := pressKeys(h, "esc"); got != (closeMsg{}) {
		t.Errorf("esc asks for %#v", got)
	}
	h.View(76, 8)
	pressKeys(h, "up")
	if h.top != 0 {
		t.Errorf("scrolls above the top: %d", h.top)
	}
	for range 1000 {
		pressKeys(h, "pgdown")
	}
	if h.top != h.last || h.last == 0 {
		t.Errorf("scrolls to %d, the last is %d", h.top, h.last)
	}
}

func TestCopyViews(t *testing.T) {
	for _, size := range [][2]int{{76, 20}, {38, 10}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			requireView(t, newCopyMenu(testTheme(), hostileDetail()).View(size[0], size[1]), size[0], size[1])
		})
	}
}

func TestCopyChoices(t *testing.T) {
	d := hostileDetail()
	d.Message.Body = []byte("a\x1b[2J\tb\nc\xff")
	choose := func(keys ...string) copyMsg {
		return pressKeys(newCopyMenu(testTheme(), d), append(keys, "enter")...).(doneMsg).then.(copyMsg)
	}
	if got := choose(); got != (copyMsg{"body", "a␛[2J\tb\nc\\xff"}) {
		t.Errorf("body = %#v", got)
	}
	if got := choose("j"); got != (copyMsg{"raw body", string(d.Message.Body)}) {
		t.Errorf("raw body = %#v", got)
	}
	if got := choose("j", "j"); got != (copyMsg{"id", d.Message.ID.String()}) {
		t.Errorf("id = %#v", got)
	}
	if got := choose("k"); got.what != "JSON" || !json.Valid([]byte(got.text)) || !utf8.ValidString(got.text) || strings.ContainsAny(got.text, "\x1b\r") {
		t.Errorf("JSON = %#v", got)
	}
	if got := pressKeys(newCopyMenu(testTheme(), d), "esc"); got != (closeMsg{}) {
		t.Errorf("esc asks for %#v", got)
	}
}

func TestMessageJSONKeepsTheBody(t *testing.T) {
	for _, body := range []string{testBodyJSON, "", "<a>&</a>", "\xff\x00"} {
		d := flightDetail()
		d.Message.Body = []byte(body)
		var got struct {
			Body       *string
			BodyBase64 []byte
			Receives   int
			Sent       time.Time
		}
		if err := json.Unmarshal([]byte(messageJSON(d)), &got); err != nil {
			t.Fatal(err)
		}
		back := got.BodyBase64
		if got.Body != nil {
			back = []byte(*got.Body)
		}
		if string(back) != body || got.Receives != 3 || !got.Sent.Equal(d.Message.Sent) {
			t.Errorf("%q became %+v", body, got)
		}
	}
	d := engine.Detail{}
	if !reflect.DeepEqual(json.Valid([]byte(messageJSON(d))), true) {
		t.Errorf("an empty message: %s", messageJSON(d))
	}
}
