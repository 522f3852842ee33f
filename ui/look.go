package ui

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// look decides how to draw, from what was asked for and from the environment.
// The profile is by our own rule: termenv's sees no colour when CI is set.
func look(o Options, env func(string) string) themeOptions {
	t := themeOptions{ascii: o.ASCII, profile: profileOf(env)}
	t.noColor = o.NoColor || env("NO_COLOR") != "" || env("TERM") == "dumb"
	switch o.Theme {
	case "light":
		t.light = true
	case "dark":
	default:
		light, known := backgroundOf(env("COLORFGBG"))
		if !known {
			light = !lipgloss.HasDarkBackground()
		}
		t.light = light
	}
	return t
}

func profileOf(env func(string) string) termenv.Profile {
	term := env("TERM")
	switch colour := strings.ToLower(env("COLORTERM")); {
	case colour == "truecolor" || colour == "24bit" || env("WT_SESSION") != "":
		return termenv.TrueColor
	case strings.HasSuffix(term, "-direct"), strings.HasSuffix(term, "-truecolor"):
		return termenv.TrueColor
	}
	for _, name := range []string{"xterm-kitty", "xterm-ghostty", "alacritty", "wezterm", "foot", "contour"} {
		if strings.HasPrefix(term, name) {
			return termenv.TrueColor
		}
	}
	if strings.Contains(term, "256color") {
		return termenv.ANSI256
	}
	return termenv.ANSI
}

// backgroundOf reads COLORFGBG, such as "15;0": the last number is the
// background's.
func backgroundOf(value string) (light, known bool) {
	fields := strings.Split(value, ";")
	n, err := strconv.Atoi(fields[len(fields)-1])
	if err != nil || len(fields) < 2 {
		return false, false
	}
	return n == 7 || n > 8, true
}
