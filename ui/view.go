package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// hintRows is the demo's line above the footer.
func (a *app) hintRows() int {
	if a.options.Demo != nil && a.options.Demo.Hint != nil && (a.options.Demo.Running == nil || a.options.Demo.Running()) {
		return 1
	}
	return 0
}

// bodyHeight is what header, status, hint and footer leave.
func (a *app) bodyHeight() int { return max(a.height-3-a.hintRows(), 0) }

// View draws the screen in exactly its size.
func (a *app) View() string {
	if a.th.glyph.ascii {
		return asciiOnly(a.screen())
	}
	return a.screen()
}

func (a *app) screen() string {
	switch {
	case a.width == 0 || a.height == 0:
		return ""
	case a.width < leastWidth || a.height < leastHeight:
		return a.tooSmall()
	}
	body := a.top().View()
	var b strings.Builder
	b.Grow(len(body) + 8*a.width + 1000)
	b.WriteString(a.header(a.width))
	b.WriteByte('\n')
	b.WriteString(body)
	status := a.statusLine(a.width)
	box := ""
	if n := len(a.overlays); n > 0 {
		o := a.overlays[n-1]
		if isInline(o) {
			status = fit(o.View(a.width, 1), a.width, a.th.glyph.more)
		} else {
			box = o.View(overlayRoom(a.width, a.height))
		}
	}
	b.WriteByte('\n')
	b.WriteString(status)
	if a.hintRows() > 0 {
		b.WriteByte('\n')
		b.WriteString(a.hintLine(a.width))
	}
	b.WriteByte('\n')
	b.WriteString(a.footer(a.width))
	if box == "" {
		return b.String()
	}
	size := strings.Split(box, "\n")
	width := ansi.StringWidth(size[0])
	return over(dim(a.th, b.String()), box, (a.width-width)/2, max((a.height-len(size))/2, 1))
}

// overlayRoom is how large an overlay may be: so much that the screen stays
// recognisable around it, unless there is little room at all.
func overlayRoom(width, height int) (int, int) {
	around := 4
	if width < 80 || height < 24 {
		around = 2
	}
	return min(width-around, 96), height - around
}

// isInline says that an overlay is a line, which stands in place of the status
// line.
func isInline(o overlay) bool {
	line, ok := o.(interface{ inline() bool })
	return ok && line.inline()
}

// hintLine is the demo's: what to watch, and which key to press.
func (a *app) hintLine(width int) string {
	l := newSentence(a.th, width).blank(1).put(a.th.accent, a.th.glyph.focus).blank(1)
	hint := safeLine(a.options.Demo.Hint(a.queues), 400)
	if len(a.screens) > 0 {
		hint = fromScreen(hint)
	}
	putKeys(l, a.th, a.th.text, hint)
	return l.done()
}

// fromScreen puts the way back to the main screen before the key of one of its
// panes: on the screens over it that key does nothing.
func fromScreen(hint string) string {
	at, _, _ := strings.Cut(hint, "`")
	if key := hint[len(at):]; len(key) >= 3 && key[1] >= '0' && key[1] <= '4' && key[2] == '`' {
		return at + "`esc`, " + key
	}
	return hint
}

// tooSmall says in one line what is missing.
func (a *app) tooSmall() string {
	text := fmt.Sprintf("need %dx%d, have %dx%d", leastWidth, leastHeight, a.width, a.height)
	lines := make([]string, a.height)
	for i := range lines {
		lines[i] = blanks(a.width)
	}
	text, _ = cutText(text, a.width, "")
	lines[0] = fit(text, a.width, "")
	return strings.Join(lines, "\n")
}
