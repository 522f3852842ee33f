package ui

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestDetectBody(t *testing.T) {
	tests := []struct {
		name string
		body string
		want bodyFormat
	}{
		{"nothing", "", formatEmpty},
		{"blanks are text", " \n", formatText},
		{"an object", " {\"a\":1}\n", formatJSON},
		{"an array", `[1,2]`, formatJSON},
		{"an object that is cut", `{"a":1`, formatText},
		{"a bare number is text", `42`, formatText},
		{"JSON with an invalid byte in a string is still JSON", "{\"a\":\"\xff\"}", formatJSON},
		{"deeper than the parser goes is text", strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), formatText},
		{"XML", `<?xml version="1.0"?><order id="7001"><amt>12</amt></order>`, formatXML},
		{"XML that does not close is text", `<order><amt></order></amt>`, formatText},
		{"two roots are text", `<a/><b/>`, formatText},
		{"HTML-like text is text", `<not really`, formatText},
		{"a NUL is binary", "abc\x00def", formatBinary},
		{"many invalid bytes are binary", "\xde\xad\xbe\xef", formatBinary},
		{"one invalid byte in a text is text", "a long enough text \xff here", formatText},
		{"terminal escapes are text", "a long enough text \x1b[31m here", formatText},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := detectBody([]byte(tt.body)); got != tt.want {
				t.Errorf("detectBody(%.60q) = %v, want %v", tt.body, got, tt.want)
			}
		})
	}
}

func TestIndentJSONKeepsWhatWasSent(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"numbers keep their text", `{"a":1.0000000000000000000001,"b":1E+2,"c":-0}`,
			"{\n  \"a\": 1.0000000000000000000001,\n  \"b\": 1E+2,\n  \"c\": -0\n}"},
		{"a key that comes twice comes twice, in order", `{"b":1,"a":2,"b":3}`, "{\n  \"b\": 1,\n  \"a\": 2,\n  \"b\": 3\n}"},
		{"empty ones stay on their line", `{"a":{ },"b":[ ]}`, "{\n  \"a\": {},\n  \"b\": []\n}"},
		{"escapes stay escaped", `["\u001b[2J\"\\",""]`, "[\n  \"\\u001b[2J\\\"\\\\\",\n  \"\"\n]"},
		{"letters are not", `["\u00c5se \u65e5\u672c \u003c\ud83d\ude00"]`, "[\n  \"Åse 日本 <😀\"\n]"},
		{"what ends or turns a string stays escaped", `["\u0022\u005c\u202e\u200b\u00a0\u0301\ud83d\\u00c5"]`,
			"[\n  \"\\u0022\\u005c\\u202e\\u200b\\u00a0\\u0301\\ud83d\\\\u00c5\"\n]"},
		{"brackets in strings are no brackets", `["[{,:"]`, "[\n  \"[{,:\"\n]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := indentJSON(tt.in); got != tt.want {
				t.Errorf("indentJSON(%s) =\n%s\nwant\n%s", tt.in, got, tt.want)
			}
		})
	}
}

func TestIndentJSONBoundsDepth(t *testing.T) {
	deep := strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000)
	if !json.Valid([]byte(deep)) {
		t.Skip("the parser takes less")
	}
	if got := indentJSON(deep); len(got) > len(deep)*(2*maxIndent+2) {
		t.Errorf("%d bytes became %d", len(deep), len(got))
	}
}

func FuzzIndentJSON(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"c\u001b"}],"d":null}`))
	f.Add([]byte(`[[],{},[{}]]`))
	f.Add([]byte("[]\f")) // a blank, but none of JSON
	f.Fuzz(func(t *testing.T, in []byte) {
		if detectBody(in) != formatJSON {
			return
		}
		pretty := prettyBody(in, formatJSON)
		var was, is bytes.Buffer
		if json.Compact(&was, in) != nil || json.Compact(&is, []byte(pretty.text)) != nil {
			t.Fatalf("%q became %q", in, pretty.text)
		}
		if escaped := bytes.Contains(in, []byte(`\u`)); !escaped && was.String() != is.String() || escaped && !sameJSON(was.Bytes(), is.Bytes()) {
			t.Fatalf("%q became %q", was.String(), is.String())
		}
		checkTones(t, pretty)
		checkTones(t, rawBody(in, formatJSON))
	})
}

// sameJSON says whether both mean the same, however it is escaped.
func sameJSON(a, b []byte) bool {
	var values [2]any
	for i, text := range [][]byte{a, b} {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if d.Decode(&values[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}

// checkTones fails unless the stretches cover the text in order.
func checkTones(t *testing.T, b bodyText) {
	t.Helper()
	last := 0
	for _, s := range b.tones {
		if s.end <= last {
			t.Fatalf("tones of %q: %v", b.text, b.tones)
		}
		last = s.end
	}
	if len(b.tones) > 0 && last != len(b.text) {
		t.Fatalf("tones of %q end at %d of %d", b.text, last, len(b.text))
	}
}

func TestTonesOfJSON(t *testing.T) {
	got := toned(colourJSON(`{"a":"x\u001b","b":[1.5,true]}`))
	want := `muted{"a":|text"x|mark\u001b|text"|muted,"b":[|literal1.5|muted,|literaltrue|muted]}|`
	if got != want {
		t.Errorf("tones = %s, want %s", got, want)
	}
}

func TestIndentXML(t *testing.T) {
	in := `<?xml version="1.0"?><order id="7>1"><amt>12</amt><note></note><lines><l a='b'/>mixed <b>text</b></lines><!-- c --></order>`
	parts, ok := scanXML(in)
	if !ok {
		t.Fatalf("scanXML(%s) refuses it", in)
	}
	got := indentXML(parts)
	want := `<?xml version="1.0"?>
<order id="7>1">
  <amt>12</amt>
  <note></note>
  <lines>
    <l a='b'/>
    mixed
    <b>text</b>
  </lines>
  <!-- c -->
</order>`
	if got.text != want {
		t.Errorf("indentXML =\n%s\nwant\n%s", got.text, want)
	}
	checkTones(t, got)
	if tones := toned(got); !strings.Contains(tones, `text"7>1"|`) || !strings.Contains(tones, "literal12|") {
		t.Errorf("tones = %s", tones)
	}
}

func FuzzScanXML(f *testing.F) {
	f.Add(`<a b="c>"><d/>e</a>`)
	f.Add(`<!-- x --><a><![CDATA[<b>]]></a>`)
	f.Fuzz(func(t *testing.T, in string) {
		parts, ok := scanXML(in)
		if !ok {
			return
		}
		var all strings.Builder
		for _, p := range parts {
			all.WriteString(p.text)
		}
		if all.String() != in {
			t.Fatalf("scanXML(%q) lost something: %q", in, all.String())
		}
		checkTones(t, indentXML(parts))
	})
}

func toned(b bodyText) string {
	var out strings.Builder
	start := 0
	for _, s := range b.tones {
		out.WriteString([...]string{"text", "muted", "literal", "mark"}[s.tone] + b.text[start:s.end] + "|")
		start = s.end
	}
	return out.String()
}

func testBody(width, height int, mode bodyMode, body string) *bodyView {
	v := newBodyView(testTheme())
	v.setSize(width, height)
	v.setMode(mode)
	v.set([]byte(body))
	return &v
}

func plainRows(v *bodyView) string { return ansi.Strip(strings.Join(v.draw(), "\n")) }

func TestBodyWraps(t *testing.T) {
	tests := []struct {
		name, body string
		mode       bodyMode
		want       []string
	}{
		{"a long word is cut at the edge", strings.Repeat("x", 25), modeRaw, []string{"xxxxxxxxxxxxxxxxxxxx", "xxxxx", "", ""}},
		{"a line breaks after a blank near the edge", "one two three four five", modeRaw, []string{"one two three four", "five", "", ""}},
		{"a wide character is not cut through", "xxxxxxxxxxxxxxxxxxx日本", modeRaw, []string{"xxxxxxxxxxxxxxxxxxx", "日本", "", ""}},
		{"a mark counts as what is drawn", "xxxxxxxxxxxxxxxxxx\u202ey", modeRaw, []string{"xxxxxxxxxxxxxxxxxx", `\u202ey`, "", ""}},
		{"a tab goes to its stop", "a\tb\tc", modeRaw, []string{"a   b   c", "", "", ""}},
		{"a long value stays under its key", `{"k":"0123456789abcdef"}`, modePretty, []string{"{", `  "k": "0123456789ab`, `    cdef"`, "}"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := testBody(20, 4, tt.mode, tt.body)
			got := strings.Split(plainRows(v), "\n")
			for i := range got {
				if ansi.StringWidth(got[i]) != 20 {
					t.Errorf("row %d is %d wide: %q", i, ansi.StringWidth(got[i]), got[i])
				}
				if strings.TrimRight(got[i], " ") != tt.want[i] {
					t.Errorf("row %d = %q, want %q", i, got[i], tt.want[i])
				}
			}
		})
	}
}

// Colour tells a mark of ours from the same characters in the body.
func TestBodyColours(t *testing.T) {
	th := testTheme()
	v := testBody(60, 8, modePretty, `{"key":"a`+"\xff"+`b\\xff\u001b","n":-1.5e3}`)
	row := v.draw()[1] + v.draw()[2]
	for _, want := range []string{
		th.text.on + `"a`, th.flight.on + `\xff`, th.text.on + `b\\xff`, th.flight.on + `\u001b`, th.accent.on + `-1.5e3`,
	} {
		if !strings.Contains(row, want) {
			t.Errorf("%q\nhas no %q", row, want)
		}
	}
	v.look("key")
	if row := v.draw()[1]; !strings.Contains(row, th.accent.Bold(true).Reverse(true).on+"key") {
		t.Errorf("the hit is not marked: %q", row)
	}
}

func TestBodyFind(t *testing.T) {
	v := testBody(40, 5, modeRaw, strings.Repeat("line\n", 50)+"Needle and needle\n"+strings.Repeat("line\n", 50)+"needle")
	v.look("needle")
	if len(v.find.hits) != 3 || !strings.Contains(plainRows(v), "Needle and") {
		t.Fatalf("%d hits, shows\n%s", len(v.find.hits), plainRows(v))
	}
	v.hop(-1)
	if v.find.now != 2 || v.top != 97 {
		t.Errorf("before the first comes hit %d at row %d", v.find.now, v.top)
	}
	v.hop(1)
	if v.find.now != 0 {
		t.Errorf("after the last comes hit %d", v.find.now)
	}
	v.look("Needle")
	if len(v.find.hits) != 1 {
		t.Errorf("a capital in the query is meant: %d hits", len(v.find.hits))
	}
	v.look("absent")
	if _, ok := v.find.at(); ok {
		t.Errorf("found what is not there")
	}
}

func TestBodyKeepsItsPlaceWhenResized(t *testing.T) {
	v := testBody(40, 5, modeRaw, strings.Repeat("0123456789 abcdefghij klmnopqrst\n", 100))
	v.top = 50
	v.clamp()
	at := v.offset()
	v.setSize(20, 8)
	if got := v.offset(); got != at {
		t.Errorf("top byte %d became %d", at, got)
	}
}

func TestHexRows(t *testing.T) {
	v := testBody(76, 2, modePretty, "\x00\x01AB\xff\x1b[2J0123456789")
	want := "00000000  00 01 41 42 ff 1b 5b 32  4a 30 31 32 33 34 35 36  ..AB..[2J0123456"
	if got := strings.Split(plainRows(v), "\n")[0]; strings.TrimRight(got, " ") != want {
		t.Errorf("hex row\n%q, want\n%q", got, want)
	}
	for _, w := range []int{12, 20, 30, 50, 100} {
		v.setSize(w, 2)
		for _, row := range strings.Split(plainRows(v), "\n") {
			if ansi.StringWidth(row) != w {
				t.Errorf("at %d: %q", w, row)
			}
		}
	}
}

// mebibytes are bodies of a mebibyte, of whatever kind.
func mebibytes() map[string]string {
	return map[string]string{
		"one line":  strings.Repeat("x", 1<<20),
		"lines":     strings.Repeat("x\n", 1<<19),
		"json":      "[" + strings.Repeat(`{"a":1},`, 1<<17-2) + "1]",
		"wide":      strings.Repeat("日", 1<<20/3),
		"marks":     strings.Repeat("\u0301", 1<<19),
		"controls":  strings.Repeat("\x1b", 1<<20),
		"xml":       "<a>" + strings.Repeat("<b/>", 1<<18-2) + "</a>",
		"joined up": strings.Repeat("\U0001f468\u200d", 1<<20/7),
	}
}

// A mebibyte costs what is on screen: rows are laid out as far as they are
// looked at, and drawing allocates for those in the window.
func TestAMebibyteLaysOutItsWindowOnly(t *testing.T) {
	const height, down = 40, 1000
	for name, body := range mebibytes() {
		v := testBody(96, height, modePretty, body)
		v.draw()
		if n := len(v.rows); n > height {
			t.Errorf("%s: opening lays out %d rows, want those of the window, %d", name, n, height)
		}
		v.look("zz") // not there
		v.top = down
		v.clamp()
		if n := len(v.rows); n > down+height {
			t.Errorf("%s: scrolling to row %d lays out %d", name, down, n)
		}
		const most = 70 // allocations of a row of 96 clusters that are marks
		if n := testing.AllocsPerRun(3, func() { v.draw() }); n > most*height {
			t.Errorf("%s: drawing %d rows allocates %v times", name, height, n)
		}
	}
}

func BenchmarkBodyOpenMebibyte(b *testing.B) {
	body := []byte("[" + strings.Repeat(`{"a":1,"note":"日本"},`, 1<<20/26) + "1]")
	for b.Loop() {
		v := newBodyView(testTheme())
		v.setSize(96, 40)
		v.set(body)
		v.draw()
	}
}
