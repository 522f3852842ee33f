package main

import (
	"image/color"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// theme is the terminal that a picture pretends to be: what it shows where a
// frame leaves the colour to the terminal.
type theme struct {
	window color.RGBA // behind everything
	text   color.RGBA
	edge   color.RGBA // hairline round the window, for pages of nearly the same colour
	basic  [16]color.RGBA
}

// The sixteen colours are those that console.md maps its tokens to, so that a
// frame drawn for sixteen colours looks like the console too.
var (
	darkTheme = theme{
		window: rgb(0x16181f), text: rgb(0xdde1ec), edge: rgb(0x2a2e3a),
		basic: [16]color.RGBA{
			rgb(0x16181f), rgb(0xff6b8f), rgb(0x7fe8c8), rgb(0xf0b94d),
			rgb(0x6cb6ff), rgb(0xff6b8f), rgb(0x7fe8c8), rgb(0x939bb0),
			rgb(0x4c5368), rgb(0xff6b8f), rgb(0x7fe8c8), rgb(0xf0b94d),
			rgb(0x6cb6ff), rgb(0xff6b8f), rgb(0x7cc7ff), rgb(0xffffff),
		},
	}
	lightTheme = theme{
		window: rgb(0xffffff), text: rgb(0x1f2430), edge: rgb(0xd5d9e2),
		basic: [16]color.RGBA{
			rgb(0x1f2430), rgb(0xb8124a), rgb(0x00705a), rgb(0x8a5a00),
			rgb(0x0b62c4), rgb(0xb8124a), rgb(0x00705a), rgb(0xb4bac8),
			rgb(0x5a6275), rgb(0xb8124a), rgb(0x00705a), rgb(0x8a5a00),
			rgb(0x0b62c4), rgb(0xb8124a), rgb(0x00705a), rgb(0xffffff),
		},
	}
)

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

// colours returns what a style looks like here: reverse swaps the two, faint
// goes half way to the background, concealed text is not there.
func (t *theme) colours(s uv.Style) (fg, bg color.RGBA) {
	fg, bg = t.resolve(s.Fg, t.text), t.resolve(s.Bg, t.window)
	if s.Attrs&uv.AttrReverse != 0 {
		fg, bg = bg, fg
	}
	if s.Attrs&uv.AttrFaint != 0 {
		fg = blend(bg, fg, 0x80)
	}
	if s.Attrs&uv.AttrConceal != 0 {
		fg = bg
	}
	return fg, bg
}

func (t *theme) resolve(c color.Color, otherwise color.RGBA) color.RGBA {
	switch c := c.(type) {
	case nil:
		return otherwise
	case ansi.BasicColor:
		return t.basic[c]
	case ansi.IndexedColor:
		if c < 16 {
			return t.basic[c]
		}
	}
	r, g, b, _ := c.RGBA()
	return color.RGBA{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 0xff}
}

// blend lays over on under; coverage 0xff hides under.
func blend(under, over color.RGBA, coverage uint8) color.RGBA {
	mix := func(u, o uint8) uint8 {
		a := int(coverage)
		return uint8((int(u)*(0xff-a) + int(o)*a + 0x7f) / 0xff)
	}
	return color.RGBA{
		R: mix(under.R, over.R), G: mix(under.G, over.G),
		B: mix(under.B, over.B), A: mix(under.A, over.A),
	}
}
