package ui

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// tokens is the visual language's table: colour belongs to a message's state
// and to nothing else. Lip Gloss's automatic fall-back turns these into other
// hues, so each says what it is with 256 and with 16 colours.
var tokens = struct {
	text, muted, faint, row, accent, visible, flight, dead, ok lipgloss.CompleteAdaptiveColor
}{
	text:    adaptive("#dde1ec", "254", "", "#1f2430", "235", ""),
	muted:   adaptive("#939bb0", "247", "7", "#5a6275", "241", "8"),
	faint:   adaptive("#4c5368", "240", "8", "#b4bac8", "250", "7"),
	row:     adaptive("#2a3042", "237", "", "#e3ebf8", "254", ""),
	accent:  adaptive("#7cc7ff", "117", "14", "#0b62c4", "25", "4"),
	visible: adaptive("#6cb6ff", "75", "12", "#0b62c4", "25", "4"),
	flight:  adaptive("#f0b94d", "215", "11", "#8a5a00", "94", "3"),
	dead:    adaptive("#ff6b8f", "204", "13", "#b8124a", "125", "5"),
	ok:      adaptive("#84f3d2", "86", "10", "#275a42", "22", "2"), // as near to teal as tritanopia lets it come to blue
}

func adaptive(dark, dark256, dark16, light, light256, light16 string) lipgloss.CompleteAdaptiveColor {
	return lipgloss.CompleteAdaptiveColor{
		Dark:  lipgloss.CompleteColor{TrueColor: dark, ANSI256: dark256, ANSI: dark16},
		Light: lipgloss.CompleteColor{TrueColor: light, ANSI256: light256, ANSI: light16},
	}
}

// ink is a style reduced to what it writes before a text: rendering through
// Lip Gloss costs microseconds, and a screen has two thousand cells of text.
type ink struct {
	on  string // over the terminal's own background
	row string // over the cursor row
}

const inkOff = "\x1b[0m"

// Render writes s in this ink. Inks do not nest.
func (k ink) Render(s string) string {
	if s == "" || k.on == "" {
		return s
	}
	return k.on + s + inkOff
}

// Bold is the ink in bold.
func (k ink) Bold(bold bool) ink {
	if !bold {
		return k
	}
	return ink{on: sgr("1", k.on), row: sgr("1", k.row)}
}

// Reverse swaps the ink's colour with the background, for badges.
func (k ink) Reverse(reverse bool) ink {
	if !reverse {
		return k
	}
	return ink{on: sgr("7", k.on), row: sgr("7", k.row)}
}

// sgr puts one more parameter before those of an escape sequence.
func sgr(parameter, sequence string) string {
	if sequence == "" {
		return "\x1b[" + parameter + "m"
	}
	return "\x1b[" + parameter + ";" + strings.TrimPrefix(sequence, "\x1b[")
}

// theme is every colour and character the console draws with. It is a value,
// made once by newTheme.
type theme struct {
	renderer *lipgloss.Renderer

	text, muted, faint, accent ink
	visible, flight, dead, ok  ink

	bold ink // text, bold: titles and names
	key  ink // accent, bold: keys
	row  ink // blanks of the cursor row

	glyph *glyphs
}

// themeOptions say which of the looks to take.
type themeOptions struct {
	light   bool
	noColor bool
	ascii   bool
	profile termenv.Profile
}

// newTheme makes the look. Without colour it is not termenv's Ascii profile,
// which drops bold and reverse too, but one of 16 colours with none in use.
func newTheme(o themeOptions) theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetHasDarkBackground(!o.light)
	r.SetColorProfile(o.profile)
	if o.noColor {
		r.SetColorProfile(termenv.ANSI)
	}
	plainRow := o.noColor || r.ColorProfile() >= termenv.ANSI
	th := theme{renderer: r, glyph: unicodeGlyphs()}
	if o.ascii {
		th.glyph = asciiGlyphs()
	}
	mix := func(c lipgloss.CompleteAdaptiveColor) ink {
		if o.noColor {
			return ink{row: sgr("7", "")}
		}
		k := ink{on: opening(r.NewStyle().Foreground(c))}
		if plainRow {
			k.row = sgr("7", "") // hues on a reversed row would be patches
		} else {
			k.row = opening(r.NewStyle().Foreground(c).Background(tokens.row))
		}
		return k
	}
	th.text, th.muted, th.faint, th.accent = mix(tokens.text), mix(tokens.muted), mix(tokens.faint), mix(tokens.accent)
	th.visible, th.flight, th.dead, th.ok = mix(tokens.visible), mix(tokens.flight), mix(tokens.dead), mix(tokens.ok)
	th.bold, th.key = th.text.Bold(true), th.accent.Bold(true)
	th.row = ink{row: opening(r.NewStyle().Background(tokens.row))}
	if plainRow {
		th.row = ink{row: sgr("7", "")}
	}
	return th
}

// opening is what a style writes before its text.
func opening(s lipgloss.Style) string {
	before, _, found := strings.Cut(s.Render("\u00a7"), "\u00a7")
	if !found {
		return ""
	}
	return before
}

// badge is a word in reverse with a blank on each side.
func (th theme) badge(k ink, word string) string {
	return k.Bold(true).Reverse(true).Render(" " + word + " ")
}

// state is the ink and the glyph of a list's messages.
func (th theme) state(id paneID) (ink, string) {
	switch id {
	case paneVisible:
		return th.visible, th.glyph.visible
	case paneFlight:
		return th.flight, th.glyph.flight
	case paneDead:
		return th.dead, th.glyph.dead
	case paneDelayed:
		return th.muted, th.glyph.delayed
	default:
		return th.text, ""
	}
}

// level is the ink and the glyph of a result.
func (th theme) level(l level) (ink, string) {
	switch l {
	case levelWarn:
		return th.flight, th.glyph.warn
	case levelError:
		return th.dead, th.glyph.fail
	default:
		return th.ok, th.glyph.ok
	}
}
