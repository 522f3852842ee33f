package main

import (
	"image/color"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
)

func TestReadFrame(t *testing.T) {
	tests := []struct {
		name, frame string
		width       int
		want        string
	}{
		{"lines are rows", "one\ntwo", 5, "one\ntwo\n"},
		{"styles are not text", "\x1b[1;38;2;1;2;3mone\x1b[0m two", 9, "one two\n\n"},
		{"a newline at the end does not scroll", "one\ntwo\n", 5, "one\ntwo\n"},
		{"a row of full width does not wrap", "12345\nabcde", 5, "12345\nabcde\n"},
		{"blanks before text stay, those after it go", "  a  ", 5, "  a\n\n"},
		{"wide characters take two columns", "日本x", 5, "日本x\n\n"},
		{"marks stay with their letter", "e\u0301x", 5, "e\u0301x\n\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := readFrame(tt.frame, tt.width, 2).text(); got != tt.want {
				t.Errorf("text of %q = %q, want %q", tt.frame, got, tt.want)
			}
		})
	}
}

func TestCellWidths(t *testing.T) {
	row := readFrame("日a\u0308.", 6, 1).rows[0]
	want := []cell{{text: "日", width: 2}, {width: 0}, {text: "a\u0308", width: 1}, {text: ".", width: 1}}
	for x, w := range want {
		if got := row[x]; got.text != w.text || got.width != w.width {
			t.Errorf("cell %d = %q, %d wide; want %q, %d wide", x, got.text, got.width, w.text, w.width)
		}
	}
}

func TestColours(t *testing.T) {
	red := rgb(0xff6b8f)
	tests := []struct {
		name, sgr string
		fg, bg    color.RGBA
	}{
		{"nothing is the terminal's own", "", darkTheme.text, darkTheme.window},
		{"true colour", "38;2;1;2;3;48;2;4;5;6", rgb(0x010203), rgb(0x040506)},
		{"one of 256", "38;5;204", rgb(0xff5f87), darkTheme.window},
		{"one of 16", "31", red, darkTheme.window},
		{"one of the lower 16 of 256", "38;5;1", red, darkTheme.window},
		{"a bright one", "95", red, darkTheme.window},
		{"reverse swaps", "7", darkTheme.window, darkTheme.text},
		{"faint is half way to the background", "2;38;2;255;255;255;48;2;0;0;0", rgb(0x808080), rgb(0)},
		{"concealed cannot be seen", "8", darkTheme.window, darkTheme.window},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := readFrame("\x1b["+tt.sgr+"mx", 1, 1).rows[0][0]
			if fg, bg := darkTheme.colours(c.style); fg != tt.fg || bg != tt.bg {
				t.Errorf("SGR %q is %v on %v, want %v on %v", tt.sgr, fg, bg, tt.fg, tt.bg)
			}
		})
	}
}

func TestBoldIsKept(t *testing.T) {
	c := readFrame("\x1b[1mx", 1, 1).rows[0][0]
	if c.style.Attrs&uv.AttrBold == 0 {
		t.Error("bold is lost")
	}
}
