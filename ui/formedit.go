package ui

import (
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
)

// lineEdit is a line to type in. Everything typed stays as it is: what cannot
// be drawn is drawn as a mark.
type lineEdit struct {
	value  []rune
	cursor int
	limit  int // characters; 0: maxTyped
}

// maxTyped is far more than any name or number needs: a paste is no reason to
// stall.
const maxTyped = 4096

func newLineEdit(s string) *lineEdit {
	e := &lineEdit{}
	e.set(s)
	return e
}

func (e *lineEdit) text() string { return string(e.value) }

func (e *lineEdit) set(s string) { e.value = []rune(s); e.cursor = len(e.value) }

// key takes a key, and says whether it was for the line.
func (e *lineEdit) key(k tea.KeyMsg) bool {
	switch k.String() {
	case "left", "ctrl+b":
		e.cursor = max(e.cursor-1, 0)
	case "right", "ctrl+f":
		e.cursor = min(e.cursor+1, len(e.value))
	case "home", "ctrl+a":
		e.cursor = 0
	case "end":
		e.cursor = len(e.value)
	case "backspace", "ctrl+h":
		e.cut(max(e.cursor-1, 0), e.cursor)
	case "delete":
		e.cut(e.cursor, min(e.cursor+1, len(e.value)))
	case "ctrl+u":
		e.cut(0, e.cursor)
	case "ctrl+w", "alt+backspace":
		e.cut(e.wordStart(), e.cursor)
	default:
		if k.Alt || k.Type != tea.KeyRunes && k.Type != tea.KeySpace {
			return false
		}
		e.insert(k.Runes)
	}
	return true
}

func (e *lineEdit) insert(runes []rune) {
	limit := e.limit
	if limit == 0 {
		limit = maxTyped
	}
	runes = runes[:min(len(runes), max(limit-len(e.value), 0))]
	typed := make([]rune, 0, len(e.value)+len(runes))
	typed = append(typed, e.value[:e.cursor]...)
	for _, r := range runes {
		if r == '\n' || r == '\r' || r == '\t' {
			r = ' ' // a pasted line's end is not part of a name
		}
		typed = append(typed, r)
	}
	at := len(typed)
	e.value, e.cursor = append(typed, e.value[e.cursor:]...), at
}

func (e *lineEdit) cut(from, to int) {
	e.value = append(e.value[:from:from], e.value[to:]...)
	e.cursor = from
}

func (e *lineEdit) wordStart() int {
	i := e.cursor
	for i > 0 && unicode.IsSpace(e.value[i-1]) {
		i--
	}
	for i > 0 && !unicode.IsSpace(e.value[i-1]) {
		i--
	}
	return i
}

// draw writes the line in width cells; the part around the cursor is shown.
func (e *lineEdit) draw(l *line, th theme, width int, focused bool) {
	if !focused {
		l.left(th.text, safeLine(e.text(), 0), width)
		return
	}
	drawTyped(l, th, string(e.value[:e.cursor]), string(e.value[e.cursor:]), width)
}

// drawChosen is draw for a text that the next letter replaces.
func (e *lineEdit) drawChosen(l *line, th theme, width int) {
	end := min(l.width+width, l.max)
	l.put(cursorInk(th), tail(e.text(), width)).blank(end - l.width)
}

// drawTyped writes text with the cursor between before and after, in width
// cells.
func drawTyped(l *line, th theme, before, after string, width int) {
	at, rest := " ", ""
	if after != "" {
		c := nextCluster(after)
		at, rest = c.drawn, safeLine(after[c.bytes:], 4*width)
	}
	left := tail(before, width-cellWidth(at))
	right := max(l.width+width, l.width)
	l.put(th.text, left).put(cursorInk(th), at)
	if room := right - l.width; room > 0 {
		rest, _ = cutText(rest, room, th.glyph.more)
		l.put(th.text, rest)
	}
	l.blank(right - l.width)
}

// tail is the end of s, safe to draw, in at most width cells.
func tail(s string, width int) string {
	if len(s) > 16*max(width, 1) {
		cut := len(s) - 16*max(width, 1)
		for cut < len(s) && s[cut]&0xc0 == 0x80 {
			cut++
		}
		s = s[cut:]
	}
	var drawn []cluster
	used := 0
	for s != "" {
		c := nextCluster(s)
		s = s[c.bytes:]
		drawn = append(drawn, c)
		used += c.width
	}
	for len(drawn) > 0 && used > width {
		used -= drawn[0].width
		drawn = drawn[1:]
	}
	var b strings.Builder
	for _, c := range drawn {
		b.WriteString(c.drawn)
	}
	return b.String()
}

// cursorInk shows the cell that typing goes to. On a row that is in reverse
// itself, it is the cell that is not.
func cursorInk(th theme) ink {
	k := th.text.Reverse(true)
	if th.row.row == sgr("7", "") {
		k.row = "\x1b[27m"
	}
	return k
}

// textArea is several lines to type in.
type textArea struct {
	lines []lineEdit
	row   int
	top   int
	shown string // drawn instead of lines, muted and safe
}

func newTextArea(s string) *textArea {
	a := &textArea{}
	a.set(s)
	return a
}

func (a *textArea) text() string {
	parts := make([]string, len(a.lines))
	for i := range a.lines {
		parts[i] = a.lines[i].text()
	}
	return strings.Join(parts, "\n")
}

func (a *textArea) set(s string) {
	a.lines = a.lines[:0]
	for part := range strings.SplitSeq(s, "\n") {
		a.lines = append(a.lines, *newLineEdit(part))
	}
	a.row, a.top = 0, 0
	a.lines[0].cursor = 0
}

// areaLimit bounds what is typed here; longer bodies are for an editor.
const areaLimit = 64 << 10

// key takes a key, and says whether it was for the text.
func (a *textArea) key(k tea.KeyMsg) bool {
	now := &a.lines[a.row]
	switch s := k.String(); {
	case s == "enter":
		a.split()
	case s == "up" && a.row > 0:
		a.moveRow(-1)
	case s == "down" && a.row < len(a.lines)-1:
		a.moveRow(1)
	case s == "left" && now.cursor == 0 && a.row > 0:
		a.row--
		a.lines[a.row].cursor = len(a.lines[a.row].value)
	case s == "right" && now.cursor == len(now.value) && a.row < len(a.lines)-1:
		a.row++
		a.lines[a.row].cursor = 0
	case s == "backspace" && now.cursor == 0 && a.row > 0:
		a.join(a.row - 1)
	case s == "delete" && now.cursor == len(now.value) && a.row < len(a.lines)-1:
		a.join(a.row)
	case (k.Type == tea.KeyRunes || k.Type == tea.KeySpace) && !k.Alt:
		a.insert(string(k.Runes))
	default:
		return now.key(k)
	}
	return true
}

func (a *textArea) moveRow(by int) {
	column := a.lines[a.row].cursor
	a.row += by
	a.lines[a.row].cursor = min(column, len(a.lines[a.row].value))
}

// Terminals paste a line's end as \r, \n or both.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// insert types s; a pasted one may have lines, and their tabs are kept.
func (a *textArea) insert(s string) {
	room := areaLimit
	for i := range a.lines {
		room -= len(a.lines[i].value) + 1
	}
	for i, part := range strings.Split(lineEnds.Replace(s), "\n") {
		if i > 0 {
			a.split()
		}
		runes := []rune(part)
		runes = runes[:min(len(runes), max(room, 0))]
		room -= len(runes)
		e := &a.lines[a.row]
		typed := append([]rune{}, e.value[:e.cursor]...)
		typed = append(typed, runes...)
		at := len(typed)
		e.value, e.cursor = append(typed, e.value[e.cursor:]...), at
	}
}

func (a *textArea) split() {
	e := &a.lines[a.row]
	rest := lineEdit{value: append([]rune{}, e.value[e.cursor:]...)}
	e.value = e.value[:e.cursor:e.cursor]
	a.lines = append(a.lines[:a.row+1], append([]lineEdit{rest}, a.lines[a.row+1:]...)...)
	a.row++
}

// join puts line i and the next together, with the cursor between them.
func (a *textArea) join(i int) {
	e := &a.lines[i]
	e.cursor = len(e.value)
	e.value = append(e.value, a.lines[i+1].value...)
	a.lines = append(a.lines[:i+1], a.lines[i+2:]...)
	a.row = i
}

// scroll keeps the cursor's line among those shown.
func (a *textArea) scroll(height int) {
	a.top = min(a.top, a.row)
	a.top = max(a.top, a.row-height+1)
	a.top = max(min(a.top, len(a.lines)-height), 0)
}

// drawRow writes row i of the window.
func (a *textArea) drawRow(l *line, th theme, i, width int, focused bool) {
	if a.shown != "" {
		if i == 0 {
			l.left(th.muted, a.shown, width)
		}
		return
	}
	if i += a.top; i < len(a.lines) {
		a.lines[i].draw(l, th, width, focused && i == a.row)
	}
}
