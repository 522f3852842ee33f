package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

func TestASCIIOnly(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "cut…": "cut~", "␛[2J␡": "^[2J^", "日本é": "?????", "e\u0301x": "ex", "\x1b[1mü\x1b[0m": "\x1b[1m?\x1b[0m",
	} {
		got := asciiOnly(in)
		if got != want {
			t.Errorf("asciiOnly(%q) = %q, want %q", in, got, want)
		}
		if a, b := ansi.StringWidth(in), ansi.StringWidth(got); a != b {
			t.Errorf("asciiOnly(%q) is %d cells wide, want %d", in, b, a)
		}
	}
}

// Whatever came from outside, an ASCII screen holds ASCII and keeps its size.
func TestEveryScreenInASCII(t *testing.T) {
	th := newTheme(themeOptions{ascii: true, profile: termenv.ANSI256})
	for _, keys := range []string{
		"0", "1", "2", "3", "4", "1 z", "1 enter", "3 enter t", "b", "L", "?", "c", "n", ",", "1 /", "1 D", "1 space space D",
		"3 R", "1 m", "1 P", "2 X", "0 X", "1 y", "1 p",
	} {
		for _, size := range [][2]int{{80, 24}, {100, 30}} {
			d := newDriveWith(th, hostileWorld(), Options{Place: "~/日本\x1b[2J"}, size[0], size[1])
			d.keys(strings.Fields(keys)...)
			view := d.View()
			requireDrawable(t, "after "+keys, view, size[0], size[1])
			for _, r := range view {
				if r >= 0x80 {
					t.Fatalf("after %s: %q is drawn", keys, r)
				}
			}
		}
	}
}

// What we draw ourselves has an ASCII form: nothing of it needs the fallback.
func TestOurOwnMarksHaveASCIIForms(t *testing.T) {
	th := newTheme(themeOptions{ascii: true, profile: termenv.ANSI256})
	for _, keys := range []string{"0", "1", "2", "3", "4", "b", "L", "?", "n", ",", "1 m", "3 R", "2 X", "1 space space D"} {
		d := newDriveWith(th, fakeWorld(), Options{Place: "in memory"}, 100, 30)
		d.send(openQueueMsg("orders"))
		d.keys(strings.Fields(keys)...)
		for i, s := range lines(ansi.Strip(d.screen())) {
			for _, r := range s {
				if r >= 0x80 && r != '…' {
					t.Errorf("after %s, line %d: %q holds %q", keys, i, s, r)
				}
			}
		}
	}
}
