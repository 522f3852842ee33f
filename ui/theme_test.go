package ui

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/lucasb-eyer/go-colorful"
	"github.com/muesli/termenv"
)

// testTheme is the dark look in true colour.
func testTheme() theme { return newTheme(themeOptions{profile: termenv.TrueColor}) }

// luminance and contrast are those of WCAG 2.
func luminance(c colorful.Color) float64 {
	r, g, b := c.LinearRgb()
	return 0.2126*r + 0.7152*g + 0.0722*b
}

func contrast(a, b colorful.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func hexColor(t *testing.T, hex string) colorful.Color {
	t.Helper()
	c, err := colorful.Hex(hex)
	if err != nil {
		t.Fatalf("%q: %v", hex, err)
	}
	return c
}

func TestTextIsReadable(t *testing.T) {
	named := map[string]lipgloss.CompleteAdaptiveColor{
		"text": tokens.text, "muted": tokens.muted, "accent": tokens.accent, "visible": tokens.visible,
		"flight": tokens.flight, "dead": tokens.dead, "ok": tokens.ok,
	}
	const enough = 4.5
	for name, token := range named {
		for _, tt := range []struct {
			ground, hex, on string
		}{
			{"a dark background", token.Dark.TrueColor, "#16181f"},
			{"a lighter dark background", token.Dark.TrueColor, "#282c34"},
			{"the dark cursor row", token.Dark.TrueColor, tokens.row.Dark.TrueColor},
			{"a white background", token.Light.TrueColor, "#ffffff"},
			{"a greyish background", token.Light.TrueColor, "#f2f2f2"},
			{"the light cursor row", token.Light.TrueColor, tokens.row.Light.TrueColor},
		} {
			if got := contrast(hexColor(t, tt.hex), hexColor(t, tt.on)); got < enough {
				t.Errorf("%s on %s: contrast %.2f, want %.1f", name, tt.ground, got, enough)
			}
		}
	}
}

// The dichromacies in linear RGB: protanopia and deuteranopia after Machado et
// al. (2009), tritanopia, for which one plane is too coarse, after Brettel et
// al. (1997) with its two half-planes.
type matrix [3][3]float64

var (
	normalEye  = matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	protanopia = matrix{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}
	deuteran   = matrix{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}
	tritanOne  = matrix{{1.01277, 0.13548, -0.14826}, {-0.01243, 0.86812, 0.14431}, {0.07589, 0.80500, 0.11911}}
	tritanTwo  = matrix{{0.93678, 0.18979, -0.12657}, {0.06154, 0.81526, 0.12320}, {-0.37562, 1.12767, 0.24796}}
)

var eyes = []struct {
	name string
	m    func(r, g, b float64) matrix
}{
	{"a normal eye", func(_, _, _ float64) matrix { return normalEye }},
	{"protanopia", func(_, _, _ float64) matrix { return protanopia }},
	{"deuteranopia", func(_, _, _ float64) matrix { return deuteran }},
	{"tritanopia", func(r, g, b float64) matrix {
		if 0.03901*r-0.02788*g-0.01113*b >= 0 {
			return tritanOne
		}
		return tritanTwo
	}},
}

func (m matrix) seen(r, g, b float64) colorful.Color {
	mix := func(row [3]float64) float64 {
		return math.Min(math.Max(row[0]*r+row[1]*g+row[2]*b, 0), 1)
	}
	return colorful.LinearRgb(mix(m[0]), mix(m[1]), mix(m[2]))
}

func TestStatesStayApartForEveryEye(t *testing.T) {
	states := []struct {
		name  string
		color lipgloss.CompleteAdaptiveColor
	}{{"visible", tokens.visible}, {"flight", tokens.flight}, {"dead", tokens.dead}, {"ok", tokens.ok}}
	const enough = 11
	for _, eye := range eyes {
		see := func(hex string) colorful.Color {
			r, g, b := hexColor(t, hex).LinearRgb()
			return eye.m(r, g, b).seen(r, g, b)
		}
		for i, a := range states {
			for _, b := range states[i+1:] {
				for ground, pair := range map[string][2]string{
					"dark":  {a.color.Dark.TrueColor, b.color.Dark.TrueColor},
					"light": {a.color.Light.TrueColor, b.color.Light.TrueColor},
				} {
					if got := 100 * see(pair[0]).DistanceCIEDE2000(see(pair[1])); got < enough {
						t.Errorf("%s and %s, %s, with %s: CIEDE2000 %.1f, want %d", a.name, b.name, ground, eye.name, got, enough)
					}
				}
			}
		}
	}
}

func TestLooks(t *testing.T) {
	tests := []struct {
		name string
		o    themeOptions
		got  func(theme) string
		want string
	}{
		{"true colour", themeOptions{profile: termenv.TrueColor},
			func(th theme) string { return th.text.Render("x") }, "\x1b[38;2;221;225;236mx\x1b[0m"},
		{"256 colours by our table", themeOptions{profile: termenv.ANSI256},
			func(th theme) string { return th.flight.Render("x") }, "\x1b[38;5;215mx\x1b[0m"},
		{"16 colours by our table", themeOptions{profile: termenv.ANSI},
			func(th theme) string { return th.flight.Render("x") }, "\x1b[93mx\x1b[0m"},
		{"light", themeOptions{profile: termenv.TrueColor, light: true},
			func(th theme) string { return th.dead.Render("x") }, "\x1b[38;2;184;18;73mx\x1b[0m"},
		{"16 colours leave text to the terminal", themeOptions{profile: termenv.ANSI},
			func(th theme) string { return th.text.Render("x") }, "x"},
		{"without colour titles are bold", themeOptions{noColor: true},
			func(th theme) string { return th.bold.Render("x") }, "\x1b[1mx\x1b[0m"},
		{"without colour the cursor row is reversed", themeOptions{noColor: true},
			func(th theme) string { return newLine(th, 2, true).put(th.dead, "x").done() }, "\x1b[7mx \x1b[0m"},
		{"without colour danger has none", themeOptions{noColor: true, profile: termenv.TrueColor},
			func(th theme) string { return th.dead.Render("x") }, "x"},
		{"a badge", themeOptions{noColor: true},
			func(th theme) string { return th.badge(th.flight, "FROZEN") }, "\x1b[7;1m FROZEN \x1b[0m"},
		{"ASCII", themeOptions{ascii: true, noColor: true},
			func(th theme) string { return th.glyph.dead + th.glyph.more + th.glyph.light.across }, "x...-"},
		{"ASCII keys", themeOptions{ascii: true},
			func(th theme) string { return th.glyph.key("j ↓") }, "j down"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.got(newTheme(tt.o)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestASCIIDrawsNothingElse(t *testing.T) {
	d := newDriveWith(newTheme(themeOptions{ascii: true, noColor: true}), fakeWorld(), Options{Place: "x"}, 100, 30)
	d.send(openQueueMsg("orders"))
	for _, r := range d.View() {
		if r >= 0x80 {
			t.Fatalf("%q in\n%s", r, d.View())
		}
	}
	for i, s := range lines(d.View()) {
		if got := lipgloss.Width(s); got != 100 {
			t.Errorf("line %d is %d wide: %q", i, got, s)
		}
	}
}

func TestLookFromEnvironment(t *testing.T) {
	tests := []struct {
		name string
		env  string
		o    Options
		want themeOptions
	}{
		{"plain", "TERM=xterm COLORFGBG=15;0", Options{}, themeOptions{profile: termenv.ANSI}},
		{"256", "TERM=xterm-256color COLORFGBG=15;0", Options{}, themeOptions{profile: termenv.ANSI256}},
		{"CI does not matter", "CI=true TERM=xterm-256color COLORTERM=truecolor COLORFGBG=15;0", Options{}, themeOptions{profile: termenv.TrueColor}},
		{"NO_COLOR of any value", "NO_COLOR=0 TERM=xterm COLORFGBG=15;0", Options{}, themeOptions{profile: termenv.ANSI, noColor: true}},
		{"a light background", "TERM=xterm COLORFGBG=0;default;15", Options{}, themeOptions{profile: termenv.ANSI, light: true}},
		{"asked for dark", "TERM=xterm COLORFGBG=0;15", Options{Theme: "dark"}, themeOptions{profile: termenv.ANSI}},
		{"asked for ASCII", "TERM=foot COLORFGBG=15;0", Options{ASCII: true}, themeOptions{profile: termenv.TrueColor, ascii: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := map[string]string{}
			for _, field := range strings.Fields(tt.env) {
				name, value, _ := strings.Cut(field, "=")
				env[name] = value
			}
			if got := look(tt.o, func(name string) string { return env[name] }); got != tt.want {
				t.Errorf("look = %+v, want %+v", got, tt.want)
			}
		})
	}
}
