package ui

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

// hostile is what a message may hold to harm the console. Other tests put it
// wherever text from outside is drawn.
const hostile = "a\x1b[2J\x1b]52;c;cm0gLXJm\x07\r\n\t\x9b31m\u202egnp\u200b\u00ad\x7f\xff" +
	"\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea \u2764\ufe0f \U0001f44d\U0001f3fd z\u0301\u0301\u0301\u0301\u0301\u0301\u0301"

func TestSafeLine(t *testing.T) {
	tests := []struct {
		name, in, want string
	}{
		{"plain text is drawn as it is", `{"orderId":8790}`, `{"orderId":8790}`},
		{"nothing is nothing", "", ""},
		{"an escape sequence loses its escape", "\x1b[2Jhello\a", "␛[2Jhello␇"},
		{"OSC 52 cannot reach the clipboard", "\x1b]52;c;cm0=\x07", "␛]52;c;cm0=␇"},
		{"carriage return, line feed and tab are seen", "a\r\nb\tc", "a␍␊b␉c"},
		{"NUL and DEL are seen", "\x00\x7f", "␀␡"},
		{"C1 as raw bytes", "\x9b31m\x85", `\x9b31m\x85`},
		{"C1 as characters", "\u009b31m\u0085", `\u009b31m\u0085`},
		{"bidi controls are seen", "a\u202eb\u2066c\u200fd", `a\u202eb\u2066c\u200fd`},
		{"zero-width characters are seen", "a\u200bb\ufeffc\u2060", `a\u200bb\ufeffc\u2060`},
		{"soft hyphen is seen", "a\u00adb", `a\u00adb`},
		{"line separators are seen", "a\u2028b\u2029", `a\u2028b\u2029`},
		{"invisible letters are seen", "a\u3164b\u115f", `a\u3164b\u115f`},
		{"invalid UTF-8 is shown byte by byte", "a\xff\xc3(\xe2\x82", `a\xff\xc3(\xe2\x82`},
		{"a surrogate half is three bytes", "\xed\xa0\x80", `\xed\xa0\x80`},
		{"the replacement character itself is drawn", "a\ufffdb", "a\ufffdb"},
		{"wide characters are drawn", "Åse 日本 한국 😀", "Åse 日本 한국 😀"},
		{"a combining mark is drawn on its base", "e\u0301a\u030a\u0323", "e\u0301a\u030a\u0323"},
		{"too many combining marks are not", "z" + strings.Repeat("\u0301", 5), "z" + strings.Repeat(`\u0301`, 5)},
		{"a combining mark without a base is not", "\u0301a", `\u0301a`},
		{"a combining mark does not climb on a mark of ours", "\x1b\u0301", `␛\u0301`},
		{"a family falls apart", "\U0001f468\u200d\U0001f469", "\U0001f468" + `\u200d` + "\U0001f469"},
		{"emoji presentation is seen", "\u2764\ufe0f!", "\u2764" + `\ufe0f!`},
		{"a keycap falls apart", "1\ufe0f\u20e3", `1\ufe0f\u20e3`},
		{"skin tones are seen", "\U0001f44d\U0001f3fd", "\U0001f44d" + `\u{1f3fd}`},
		{"flags are seen", "\U0001f1e9\U0001f1ea", `\u{1f1e9}\u{1f1ea}`},
		{"a tag sequence is seen", "\U0001f3f4\U000e0067", "\U0001f3f4" + `\u{e0067}`},
		{"letters that would join are not both drawn", "\u1100\u1100\u1161", `\u1100` + "\u1100" + `\u1161`},
		{"a prepended letter is seen", "\u0d4ea", `\u0d4ea`},
		{"private use is seen", "\ue0b0", `\ue0b0`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := safeLine(tt.in, 0)
			if got != tt.want {
				t.Errorf("safeLine(%+q) = %q (%+q), want %q", tt.in, got, got, tt.want)
			}
			if fromBytes := safeLine([]byte(tt.in), 0); fromBytes != got {
				t.Errorf("as bytes: %q, as a string %q", fromBytes, got)
			}
			checkSafe(t, tt.in, got)
		})
	}
}

func TestSafeLineCutsBytesFirst(t *testing.T) {
	tests := []struct {
		name, in string
		max      int
		want     string
	}{
		{"what fits stays whole", "abc", 3, "abc"},
		{"cut text ends in an ellipsis", "abcd", 3, "abc…"},
		{"no character is cut through", "ab日", 4, "ab…"},
		{"invalid bytes at the cut stay visible", "ab\xff\xff\xff\xff", 4, `ab\xff\xff…`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := safeLine(tt.in, tt.max); got != tt.want {
				t.Errorf("safeLine(%q, %d) = %q, want %q", tt.in, tt.max, got, tt.want)
			}
		})
	}
}

func TestSafeSpansNamesWhatWasReplaced(t *testing.T) {
	got, marks := safeSpans("a\x1bb\u202ec日", 0)
	var replaced []string
	for _, m := range marks {
		replaced = append(replaced, got[m.start:m.end])
	}
	if want := []string{"␛", `\u202e`}; strings.Join(replaced, " ") != strings.Join(want, " ") {
		t.Errorf("marks of %q = %q, want %q", got, replaced, want)
	}
}

// Every character, alone and between others, is measured alike by all.
func TestSafeLineMeasuresEveryCharacterAlike(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		if !unicode.IsGraphic(r) && !unicode.In(r, unicode.Cc, unicode.Cf) { // private or not assigned
			if r > 0xd7ff && r%64 == 0 && safeLine(string(r), 0)[0] != '\\' && r != utf8.RuneError {
				t.Fatalf("%U is drawn as it is", r)
			}
			continue
		}
		if r%64 != 0 && unicode.In(r, unicode.Han, unicode.Tangut, unicode.Hangul) && unicode.Is(unicode.Lo, r) && r > 0x1200 {
			continue
		}
		for _, s := range []string{string(r) + "a", "a" + string(r) + "日", "\u1100" + string(r), string(r) + string(r)} {
			checkSafe(t, s, safeLine(s, 0))
		}
		if t.Failed() {
			t.Fatalf("at %U", r)
		}
	}
}

func FuzzSafe(f *testing.F) {
	f.Add([]byte(hostile), 100)
	f.Add([]byte("e\u0301\u1100\u1161\u11a8 क्षि"), 0)
	f.Add([]byte("\u0d4e\u0600\U0001f1e9\U0001f3fb"), 7)
	f.Fuzz(func(t *testing.T, in []byte, maxBytes int) {
		got, marks := safeSpans(in, maxBytes)
		checkSafe(t, string(in), got)
		last := 0
		for _, m := range marks {
			if m.start < last || m.end <= m.start || m.end > len(got) {
				t.Fatalf("marks of %q: %v", got, marks)
			}
			last = m.end
		}
		// The line may be cut anywhere and still measures the same.
		width := ansi.StringWidth(got)
		for _, w := range []int{width / 3, width - 1} {
			if part := ansi.Truncate(got, max(w, 0), ""); ansi.StringWidth(part) > max(w, 0) {
				t.Fatalf("Truncate(%q, %d) is %d wide", got, w, ansi.StringWidth(part))
			}
		}
	})
}

// checkSafe fails unless drawn can be drawn: no control character, no escape,
// and one width whoever measures it.
func checkSafe(t *testing.T, in, drawn string) {
	t.Helper()
	if !utf8.ValidString(drawn) {
		t.Errorf("safeLine(%+q) = %+q: invalid UTF-8", in, drawn)
	}
	for _, r := range drawn {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0xad || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x206f {
			t.Errorf("safeLine(%+q) = %+q: holds %U", in, drawn, r)
		}
	}
	byRune := 0
	for _, r := range drawn {
		byRune += ansi.StringWidthWc(string(r))
	}
	if w := ansi.StringWidth(drawn); byRune != w || ansi.StringWidthWc(drawn) != w || lipgloss.Width(drawn) != w {
		t.Errorf("safeLine(%+q) = %+q: wcwidth %d, x/ansi %d, lipgloss %d", in, drawn, byRune, w, lipgloss.Width(drawn))
	}
}

func BenchmarkSafeLine(b *testing.B) {
	for name, unit := range map[string]string{"letters": "x", "wide": "日", "marks": "\u0301", "families": "\U0001f468\u200d"} {
		line := []byte(strings.Repeat(unit, 1<<20/len(unit)))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				safeLine(line, 512)
			}
		})
	}
}
