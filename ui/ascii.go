package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// asciiOnly draws a finished screen in ASCII: what we draw ourselves has its
// form in glyphs, and this is for what came from outside. It keeps every cell
// in its place: cut text ends in ~, a control picture becomes ^, and any other
// character becomes ? in each of its cells. In the detail screen the hex view
// shows what it was.
func asciiOnly(s string) string {
	at := strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 })
	if at < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r < 0x80:
			b.WriteByte(byte(r))
		case r == '…':
			b.WriteByte('~')
		case r >= 0x2400 && r <= 0x2421:
			b.WriteByte('^')
		default:
			// A combining mark has no cell: its character lost more than that.
			b.WriteString("??"[:min(ansi.StringWidthWc(string(r)), 2)])
		}
	}
	return b.String()
}
