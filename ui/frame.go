package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// boxOptions say how a box looks. Its words are styled already.
type boxOptions struct {
	focused bool   // heavy border in accent
	overlay bool   // light border in accent
	title   string // left in the top border
	right   string // right in the top border
	note    string // left in the bottom border
	bottom  string // right in the bottom border

	width, height int
}

// box draws lines in a border, exactly width by height cells: lines that are
// too wide are cut, those that are too many left out.
func box(th theme, o boxOptions, lines []string) string {
	if o.width < 2 || o.height < 1 {
		return ""
	}
	inner := o.width - 2
	fitted := make([]string, len(lines))
	for i, s := range lines {
		fitted[i] = fit(s, inner, th.glyph.more)
	}
	return exactBox(th, o, fitted)
}

// exactBox is box for lines of exactly the inner width.
func exactBox(th theme, o boxOptions, lines []string) string {
	if o.width < 2 || o.height < 1 {
		return ""
	}
	edge, ink := th.glyph.light, th.faint
	if o.focused {
		edge, ink = th.glyph.heavy, th.accent
	} else if o.overlay {
		ink = th.accent
	}
	inner, down := o.width-2, ink.Render(edge.down)
	var b strings.Builder
	b.Grow(o.width * o.height * 3)
	b.WriteString(borderLine(th, ink, o.width, edge.topLeft, edge.across, edge.topRight, o.title, o.right))
	for i := range o.height - 2 {
		b.WriteByte('\n')
		b.WriteString(down)
		if i < len(lines) {
			b.WriteString(lines[i])
		} else {
			b.WriteString(blanks(inner))
		}
		b.WriteString(down)
	}
	if o.height > 1 {
		b.WriteByte('\n')
		b.WriteString(borderLine(th, ink, o.width, edge.bottomLeft, edge.across, edge.bottomRight, o.note, o.bottom))
	}
	return b.String()
}

// borderLine is a horizontal border with words set into it. When both do not
// fit the right one goes, then the left one is cut.
func borderLine(th theme, k ink, width int, start, across, end, left, right string) string {
	room := width - 2
	leftWidth, rightWidth := ansi.StringWidth(left), ansi.StringWidth(right)
	if rightWidth > 0 && room < rightWidth+4+boolInt(leftWidth > 0)*(leftWidth+3) {
		right, rightWidth = "", 0
	}
	if leftWidth > 0 && room < leftWidth+4 {
		left = ansi.Truncate(left, max(room-4, 0), th.glyph.more)
		leftWidth = ansi.StringWidth(left)
	}
	var b strings.Builder
	used := 0
	if leftWidth > 0 {
		b.WriteString(k.Render(start+across) + " " + left + " ")
		used += 1 + leftWidth + 2
	} else {
		b.WriteString(k.Render(start))
	}
	fill := room - used
	if rightWidth > 0 {
		fill -= rightWidth + 3
	}
	if rightWidth == 0 {
		b.WriteString(k.Render(repeat(across, fill) + end))
		return b.String()
	}
	b.WriteString(k.Render(repeat(across, fill)) + " " + right + " " + k.Render(across+end))
	return b.String()
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rule divides a pane of the given inner width, with a blank at each end.
func rule(th theme, width int) string {
	if width < 3 {
		return blanks(width)
	}
	return " " + th.faint.Render(repeat(th.glyph.rule, width-2)) + " "
}

// paneTitle is a message pane's title: number, state, name and count.
func paneTitle(th theme, id paneID, focused bool, name, count string) string {
	k, glyph := th.state(id)
	number := th.muted.Render(string(rune('0' + id)))
	if focused {
		number = th.key.Render(th.glyph.focus + " " + string(rune('0'+id)))
	}
	if glyph != "" {
		name = glyph + " " + name
	}
	title := number + " " + k.Bold(true).Render(name)
	if count == "" {
		return title
	}
	if focused {
		return title + " " + th.bold.Render(count)
	}
	return title + " " + th.text.Render(count)
}

// joinLeft puts blocks of equal height side by side.
func joinLeft(blocks ...string) string {
	if len(blocks) == 1 {
		return blocks[0]
	}
	split := make([][]string, len(blocks))
	size := 0
	for i, s := range blocks {
		split[i] = strings.Split(s, "\n")
		size += len(s)
	}
	var b strings.Builder
	b.Grow(size)
	for row := range split[0] {
		if row > 0 {
			b.WriteByte('\n')
		}
		for _, lines := range split {
			if row < len(lines) {
				b.WriteString(lines[row])
			}
		}
	}
	return b.String()
}

// dim redraws a screen in muted, for what stands behind an overlay.
func dim(th theme, screen string) string {
	lines := strings.Split(ansi.Strip(screen), "\n")
	for i, s := range lines {
		lines[i] = th.muted.Render(s)
	}
	return strings.Join(lines, "\n")
}

// over lays a box on a screen with its top left corner at x, y.
func over(screen, box string, x, y int) string {
	lines := strings.Split(screen, "\n")
	for i, s := range strings.Split(box, "\n") {
		row := y + i
		if row < 0 || row >= len(lines) {
			continue
		}
		width := ansi.StringWidth(s)
		below := lines[row]
		lines[row] = fit(ansi.Truncate(below, x, ""), x, "") + s + rightOf(below, x+width)
	}
	return strings.Join(lines, "\n")
}

// rightOf is what of a line lies right of column; a wide character cut in two
// leaves a blank.
func rightOf(s string, column int) string {
	width := ansi.StringWidth(s) - column
	rest := ansi.TruncateLeft(s, column, "")
	if ansi.StringWidth(rest) > width {
		rest = " " + ansi.TruncateLeft(s, column+1, "")
	}
	return rest
}
