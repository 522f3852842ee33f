package main

import (
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// screen is what a terminal shows: rows of cells, all of the same length.
type screen struct {
	width, height int
	rows          [][]cell
}

// cell is one place of the screen. A wide character stands in its first cell;
// the others it covers have width 0.
type cell struct {
	text  string // one grapheme cluster; empty or a blank draws nothing
	width int
	style uv.Style
}

// readFrame lets a terminal of that size draw frame, which is a View of Bubble
// Tea: lines parted by "\n", with styles as escape sequences.
func readFrame(frame string, width, height int) *screen {
	terminal := vt.NewEmulator(width, height)
	defer terminal.Close()
	// A View has no newline at its end; one more would scroll it.
	frame = strings.TrimSuffix(strings.ReplaceAll(frame, "\r\n", "\n"), "\n")
	_, _ = terminal.WriteString(strings.ReplaceAll(frame, "\n", "\r\n"))
	// The emulator holds the last character back: a combining mark may follow.
	_, _ = terminal.WriteString(ansi.ResetStyle)
	return readTerminal(terminal)
}

// cellReader is a terminal's present screen.
type cellReader interface {
	Width() int
	Height() int
	CellAt(x, y int) *uv.Cell
}

func readTerminal(terminal cellReader) *screen {
	s := &screen{width: terminal.Width(), height: terminal.Height()}
	for y := range s.height {
		row := make([]cell, s.width)
		for x := range row {
			if c := terminal.CellAt(x, y); c != nil {
				row[x] = cell{text: c.Content, width: c.Width, style: c.Style}
			}
		}
		s.rows = append(s.rows, row)
	}
	return s
}

// text is the screen without its styles: a line a row, blanks at the end of a
// line left out.
func (s *screen) text() string {
	var b strings.Builder
	for _, row := range s.rows {
		var line strings.Builder
		for _, c := range row {
			switch {
			case c.text != "":
				line.WriteString(c.text)
			case c.width > 0:
				line.WriteByte(' ')
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return b.String()
}
