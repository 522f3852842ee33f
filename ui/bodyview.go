package ui

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/keymap"
)

// bodyMode is how a body is shown.
type bodyMode int

const (
	modePretty bodyMode = iota
	modeRaw
	modeHex
)

// bodyView shows a body in a window. Lines are wrapped, so nothing hides at
// the right; rows are found as far as they are looked at, so that a mebibyte
// opens as fast as a line.
type bodyView struct {
	th     theme
	body   []byte
	format bodyFormat
	mode   bodyMode

	width, height int
	top           int // first row shown

	shown bodyText // of the mode, not for hex
	lines int      // line ends in shown, and one
	rows  []bodyRow
	whole bool // rows has all

	find finder
}

// bodyRow is one row of the window: a part of shown.
type bodyRow struct {
	start, end int
	line       int // counted from 1; 0 where a line goes on
	hang       int // blanks before a line that goes on
}

const tabWidth = 4

func newBodyView(th theme) bodyView { return bodyView{th: th} }

// set shows another body, from its top, in the same mode.
func (v *bodyView) set(body []byte) {
	v.body, v.format = body, detectBody(body)
	v.top = 0
	v.prepare()
}

// setMode changes how the body is shown. A binary one has no other form than
// hex that is worth a look.
func (v *bodyView) setMode(mode bodyMode) {
	if mode == v.mode {
		return
	}
	v.mode, v.top = mode, 0
	v.prepare()
}

func (v *bodyView) setSize(width, height int) {
	if width == v.width && height == v.height {
		return
	}
	at := v.offset()
	rewrap := width != v.width
	v.width, v.height = max(width, 0), max(height, 0)
	if rewrap {
		v.rows, v.whole = nil, false
		v.top = v.rowOf(at)
	}
	v.clamp()
}

// hex says whether the window shows bytes.
func (v *bodyView) hex() bool {
	return v.mode == modeHex || v.mode == modePretty && v.format == formatBinary
}

func (v *bodyView) prepare() {
	v.rows, v.whole, v.shown, v.lines = nil, false, bodyText{}, 0
	if !v.hex() {
		if v.mode == modePretty {
			v.shown = prettyBody(v.body, v.format)
		} else {
			v.shown = rawBody(v.body, v.format)
		}
		v.lines = strings.Count(v.shown.text, "\n") + 1
	}
	v.find.search(v.searched())
	v.clamp()
}

// searched is the text that find looks through.
func (v *bodyView) searched() string {
	if v.hex() {
		return string(v.body)
	}
	return v.shown.text
}

// offset is the byte at the top of the window.
func (v *bodyView) offset() int {
	if v.hex() {
		return v.top * hexColumns(v.width)
	}
	if v.top < len(v.rows) {
		return v.rows[v.top].start
	}
	return 0
}

// gutter is the width of the line numbers, with their blanks.
func (v *bodyView) gutter() int {
	if v.hex() || v.lines < 2 || v.width < 24 {
		return 0
	}
	return max(len(strconv.Itoa(v.lines)), 2) + 2
}

// index finds rows until there are n, or all.
func (v *bodyView) index(n int) {
	room := max(v.width-v.gutter(), 4)
	for !v.whole && len(v.rows) < n {
		start, line, hang := 0, 1, 0
		if last := len(v.rows) - 1; last >= 0 {
			start = v.rows[last].end
			if start >= len(v.shown.text) {
				v.whole = true
				return
			}
			if v.shown.text[start] == '\n' {
				start++
				line = v.lineAfter(last)
			} else {
				line, hang = 0, v.hangAfter(last, room)
			}
		}
		end := wrapEnd(v.shown.text, start, room-hang)
		v.rows = append(v.rows, bodyRow{start, end, line, hang})
		if end >= len(v.shown.text) {
			v.whole = true
		}
	}
}

// lineAfter is the number of the line after the one that row last is of.
func (v *bodyView) lineAfter(last int) int {
	for v.rows[last].line == 0 {
		last--
	}
	return v.rows[last].line + 1
}

// hangAfter is how far the rest of row last's line is indented: a little more
// than the line, so that a long value stays under its key.
func (v *bodyView) hangAfter(last, room int) int {
	if v.rows[last].line == 0 {
		return v.rows[last].hang
	}
	if v.mode != modePretty || v.format != formatJSON && v.format != formatXML {
		return 0
	}
	text := v.shown.text[v.rows[last].start:v.rows[last].end]
	return min(len(text)-len(strings.TrimLeft(text, " "))+2, room/2)
}

// wrapEnd returns where the row that starts at start ends: at the line's end,
// or before what does not fit, after a blank if there is one not far back.
func wrapEnd(text string, start, room int) int {
	column, blank, blankColumn := 0, -1, 0
	for i := start; i < len(text); {
		c := text[i]
		if c == '\n' {
			return i
		}
		width, size := 1, 1
		switch {
		case c == '\t':
			width = tabWidth - column%tabWidth
		case c >= 0x20 && c < 0x7f && (i+1 >= len(text) || text[i+1] < 0x80):
		default:
			glyph := nextCluster(text[i:])
			width, size = glyph.width, glyph.bytes
		}
		if column+width > room && column > 0 {
			if blank > start && column-blankColumn < room/3 {
				return blank
			}
			return i
		}
		column += width
		i += size
		if c == ' ' {
			blank, blankColumn = i, column
		}
	}
	return len(text)
}

// rowOf returns the row that shows byte offset.
func (v *bodyView) rowOf(offset int) int {
	if v.hex() {
		return offset / hexColumns(v.width)
	}
	for !v.whole && (len(v.rows) == 0 || v.rows[len(v.rows)-1].end <= offset) {
		v.index(len(v.rows) + 256)
	}
	row := sort.Search(len(v.rows), func(i int) bool { return v.rows[i].start > offset })
	return max(row-1, 0)
}

// total is how many rows there are, as far as known.
func (v *bodyView) total() int {
	if v.hex() {
		return (len(v.body) + hexColumns(v.width) - 1) / hexColumns(v.width)
	}
	return len(v.rows)
}

func (v *bodyView) clamp() {
	if !v.hex() {
		v.index(v.top + v.height)
	}
	v.top = max(min(v.top, v.total()-v.height), 0)
}

// move scrolls if msg is a movement key, and says whether it was.
func (v *bodyView) move(msg tea.KeyMsg, keys keymap.Move) bool {
	if key.Matches(msg, keys.Bottom) && !v.hex() {
		v.index(len(v.shown.text) + 1)
	}
	top, moved := scrollTo(msg, keys, v.top, v.height, v.total()+v.unseen())
	if moved {
		v.top = top
		v.clamp()
	}
	return moved
}

// unseen is more rows than there can be below those that were found.
func (v *bodyView) unseen() int {
	if v.hex() || v.whole {
		return 0
	}
	return len(v.shown.text)
}

// scrollTo is where a movement key takes the first row of a window.
func scrollTo(msg tea.KeyMsg, keys keymap.Move, top, height, total int) (int, bool) {
	switch {
	case key.Matches(msg, keys.Down):
		top++
	case key.Matches(msg, keys.Up):
		top--
	case key.Matches(msg, keys.HalfDown):
		top += max(height/2, 1)
	case key.Matches(msg, keys.HalfUp):
		top -= max(height/2, 1)
	case key.Matches(msg, keys.PageDown):
		top += max(height-1, 1)
	case key.Matches(msg, keys.PageUp):
		top -= max(height-1, 1)
	case key.Matches(msg, keys.Top):
		top = 0
	case key.Matches(msg, keys.Bottom):
		top = total
	default:
		return top, false
	}
	return max(min(top, total-height), 0), true
}

// look starts a search, and shows the first hit from the top on.
func (v *bodyView) look(query string) {
	v.find.query = query
	v.find.search(v.searched())
	v.find.from(v.offset())
	v.reveal()
}

// hop shows the next hit in a direction, around the ends.
func (v *bodyView) hop(by int) {
	v.find.step(by)
	v.reveal()
}

func (v *bodyView) reveal() {
	offset, ok := v.find.at()
	if !ok {
		return
	}
	if row := v.rowOf(offset); row < v.top || row >= v.top+v.height {
		v.top = row - v.height/3
		v.clamp()
	}
}

// place says which part of the body is on screen, empty when all is.
func (v *bodyView) place() string {
	switch {
	case v.height < 1 || v.total() == 0:
		return ""
	case v.hex():
		if v.total() <= v.height {
			return ""
		}
		return fmt.Sprintf("%d%%", 100*min(v.top+v.height, v.total())/v.total())
	case v.whole && len(v.rows) <= v.height:
		return ""
	}
	last := v.rows[min(v.top+v.height, len(v.rows))-1]
	return fmt.Sprintf("%d%%", 100*last.end/max(len(v.shown.text), 1))
}
