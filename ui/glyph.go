package ui

// glyphs are the characters we draw with. Each is one cell wide, but for the
// ASCII forms of more and enter.
type glyphs struct {
	visible, flight, delayed, dead string
	focus, bar, mark               string
	ok, warn, fail                 string
	arrow, more, none, enter       string
	ascii                          bool
	job                            string // ▶, beside a running job
	pause                          string
	light, heavy                   border
	rule                           string // divides inside a pane
	full, half, track              string // of a bar
	spark                          [8]string
	branch                         string // stands between a queue's name parts, as in a breadcrumb
}

// border is the eight pieces of a box.
type border struct {
	topLeft, topRight, bottomLeft, bottomRight, across, down string
}

func unicodeGlyphs() *glyphs {
	return &glyphs{
		visible: "●", flight: "◐", delayed: "○", dead: "†",
		focus: "▸", bar: "▌", mark: "✓",
		ok: "✔", warn: "!", fail: "✖",
		arrow: "→", more: "…", none: "·", enter: "↵",
		job: "▶", pause: "⏸",
		light: border{"╭", "╮", "╰", "╯", "─", "│"},
		heavy: border{"┏", "┓", "┗", "┛", "━", "┃"},
		rule:  "╌",
		full:  "━", half: "╸", track: "─",
		spark:  [8]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
		branch: "▸",
	}
}

// asciiGlyphs serve a locale that is not UTF-8, and terminals that draw
// ambiguous characters two cells wide.
func asciiGlyphs() *glyphs {
	return &glyphs{
		ascii:   true,
		visible: "o", flight: "@", delayed: ".", dead: "x",
		focus: ">", bar: ">", mark: "*",
		ok: "+", warn: "!", fail: "X",
		arrow: "->", more: "...", none: "0", enter: "enter",
		job: ">", pause: "=",
		light: border{"+", "+", "+", "+", "-", "|"},
		heavy: border{"#", "#", "#", "#", "=", "#"},
		rule:  "-",
		full:  "#", half: "=", track: "-",
		spark:  [8]string{"_", ".", ":", "-", "=", "+", "*", "#"},
		branch: ">",
	}
}

// key spells a key map's name for a key in these glyphs.
func (g *glyphs) key(name string) string {
	if !g.ascii {
		return name
	}
	out := make([]byte, 0, len(name))
	for _, r := range name {
		switch r {
		case '↵':
			out = append(out, "enter"...)
		case '↑':
			out = append(out, "up"...)
		case '↓':
			out = append(out, "down"...)
		case '←':
			out = append(out, "left"...)
		case '→':
			out = append(out, "right"...)
		default:
			out = append(out, string(r)...)
		}
	}
	return string(out)
}
