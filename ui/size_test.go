package ui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/mattn/go-runewidth"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"inflight/engine"
)

// hostileTexts are texts that would move a cursor or shift what stands beside them.
var hostileTexts = []string{
	"\x1b[2J\x1b[H\x1b]0;title\x07gone", "\x1b]52;c;aGVsbG8=\x07", "carriage\rreturn", "tab\tand\nnewline",
	"c1 \u009b31m csi", "\u202eright to left\u202c", "zero\u200bwidth\u200d\ufeff\u00ad", "wide 日本語のテキスト wide",
	"👨‍👩‍👧‍👦 family 🇩🇪 flag 👍🏽", "e\u0301\u0302\u0303\u0304\u0305\u0306 zalgo", "bad \xff\xfe utf8 \xc3", strings.Repeat("x", 5000),
	strings.Repeat("日", 900), `{"k\u001b":"` + "\x1b[31m" + `red"}`, "<a b=\"\x1b[0m\">\x00</a>", "",
}

// hostileWorld is a fake whose every text is hostile.
func hostileWorld() *fakeEngine {
	f := fakeWorld()
	for i, q := range f.queues {
		for j, m := range q.messages {
			m.Body = []byte(hostileTexts[(i+j)%len(hostileTexts)])
			m.Size = len(m.Body)
			if m.holder != "" {
				m.holder = hostileTexts[(i+j+3)%len(hostileTexts)]
			}
			if m.Origin != "" && j%3 == 0 {
				m.Origin = hostileTexts[(i+j+5)%len(hostileTexts)]
			}
		}
	}
	f.make("日本語キュー\x1b[31m", engine.DefaultAttributes())
	return f
}

// requireDrawable checks a screen's size by two measures, and that it has no
// control character but our own colours.
func requireDrawable(t *testing.T, what, screen string, width, height int) {
	t.Helper()
	rows := lines(screen)
	if len(rows) != height {
		t.Fatalf("%s: %d rows, want %d", what, len(rows), height)
	}
	for i, row := range rows {
		plain := ansi.Strip(row)
		if got := ansi.StringWidth(row); got != width {
			t.Fatalf("%s: row %d is %d cells wide, want %d: %q", what, i, got, width, plain)
		}
		cells := 0
		for _, r := range plain {
			if r < ' ' || r >= 0x7f && r < 0xa0 {
				t.Fatalf("%s: row %d has %q: %q", what, i, r, plain)
			}
			cells += runewidth.RuneWidth(r)
		}
		if cells != width {
			t.Fatalf("%s: row %d is %d cells wide to wcwidth, want %d: %q", what, i, cells, width, plain)
		}
	}
}

func TestEveryScreenIsItsSize(t *testing.T) {
	runewidth.DefaultCondition.EastAsianWidth = false
	random := rand.New(rand.NewPCG(1, 2))
	sizes := [][2]int{{80, 24}, {100, 30}, {200, 50}, {40, 12}, {59, 13}, {60, 14}, {95, 27}, {96, 27}, {97, 60}}
	for range 12 {
		sizes = append(sizes, [2]int{1 + random.IntN(220), 1 + random.IntN(70)})
	}
	keys := []string{"0", "1", "2", "3", "4", "z", "z", "space", "v", "j", "l", "l", "F", "?", "esc", "b", "L", "esc", "esc", "o", "G"}
	d := newDriveWith(newTheme(themeOptions{profile: termenv.ANSI256}), hostileWorld(), Options{Place: "~/日本\x1b[2J"}, 100, 30)
	d.send(openQueueMsg("orders"))
	for _, size := range sizes {
		d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for _, key := range keys {
			d.keys(key)
			requireDrawable(t, fmt.Sprintf("%dx%d after %s", size[0], size[1], key), d.View(), size[0], size[1])
		}
		d.after(100 * time.Millisecond)
	}
}

func TestEveryOverlayLeavesTheScreenItsSize(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}, {47, 13}} {
		for _, keys := range []string{"c", "n", ",", "1 /", "2 D", "2 space space D", "3 R", "1 m", "1 P", "2 X", "0 X", "0 D", "1 y", "a", "?", "3 enter", "3 enter /"} {
			d := newDrive(hostileWorld(), Options{}, size[0], size[1])
			d.send(openQueueMsg("orders"))
			d.keys(strings.Fields(keys)...)
			if len(d.overlays)+len(d.screens) == 0 {
				t.Errorf("%s opens nothing", keys)
			}
			requireDrawable(t, fmt.Sprintf("%dx%d after %s", size[0], size[1], keys), d.View(), size[0], size[1])
		}
	}
}

func TestUnchangedDataDrawTheSame(t *testing.T) {
	d := watched(100, 30)
	before := d.View()
	d.refresh()
	if after := d.View(); after != before {
		t.Errorf("the screen changed:\n%s\n%s", before, after)
	}
	d.after(time.Second)
	if d.View() == before {
		t.Error("a second later the screen is the same: countdowns do not run")
	}
}

func TestATickSendsLittle(t *testing.T) {
	const most = 600 // bytes of a changed line
	d := watched(100, 30)
	d.keys("2")
	before := lines(d.View())
	d.after(time.Second)
	for i, row := range lines(d.View()) {
		if row != before[i] && len(row) > most {
			t.Errorf("line %d sends %d bytes, want at most %d: %q", i, len(row), most, row)
		}
	}
}

func TestResizeLosesNothing(t *testing.T) {
	d := watched(100, 30)
	d.keys("2", "j", "j", "space", "G")
	p := d.main.list()
	cursor, marks := p.anchor, len(p.marks)
	for _, size := range [][2]int{{80, 24}, {39, 11}, {200, 50}, {100, 30}} {
		d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
	}
	if d.main.focus != paneFlight || p.anchor != cursor || len(p.marks) != marks {
		t.Errorf("after resizing: focus %v, cursor %v, %d marks; want %v, %v, %d",
			d.main.focus, p.anchor, len(p.marks), paneFlight, cursor, marks)
	}
	if at := p.cursor - p.top; at < 0 || at >= p.rows {
		t.Errorf("the cursor is in row %d of %d", at, p.rows)
	}
}
