package main

import (
	_ "embed"
	"fmt"
	"image"
	"image/draw"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

//go:embed font/JetBrainsMono-Regular.ttf
var regularTTF []byte

//go:embed font/JetBrainsMono-Bold.ttf
var boldTTF []byte

// wideOTF has the few wide characters that the demo's orders use.
//
//go:embed font/MPLUS1Code-Subset.otf
var wideOTF []byte

// JetBrains Mono in thousandths of its size: every glyph advances 600, a line
// is 1,320 high with its baseline 1,020 below the top.
const (
	advanceMilli  = 600
	lineMilli     = 1320
	baselineMilli = 1020
	capitalMilli  = 730
)

// metrics are the sizes of a cell in pixels.
type metrics struct {
	size          int // of the font
	width, height int // of a cell
	baseline      int // from the cell's top
	light, heavy  int // widths of lines
}

// metricsAt returns the sizes at scale pixels to a point; a cell is 12 points
// wide.
func metricsAt(scale int) metrics {
	size := 20 * scale
	return metrics{
		size:     size,
		width:    size * advanceMilli / 1000,
		height:   (size*lineMilli + 500) / 1000,
		baseline: (size*baselineMilli + 500) / 1000,
		light:    max(1, 3*scale/2),
		heavy:    3 * scale,
	}
}

// typesetter turns grapheme clusters into masks of one cell, or of more than
// one when the cluster is wide. What the font lacks it draws as shapes; what
// nobody can draw becomes an empty box.
type typesetter struct {
	metrics
	faces [3]face // regular, bold, wide
	masks map[glyph]*image.Alpha
}

type face struct {
	font *sfnt.Font
	font.Face
}

func (f face) has(r rune) bool {
	n, err := f.font.GlyphIndex(nil, r)
	return err == nil && n != 0
}

func newFace(ttf []byte, pixels int) (face, error) {
	f, err := opentype.Parse(ttf)
	if err != nil {
		return face{}, fmt.Errorf("read font: %w", err)
	}
	drawn, err := opentype.NewFace(f, &opentype.FaceOptions{Size: float64(pixels), DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return face{}, fmt.Errorf("read font: %w", err)
	}
	return face{f, drawn}, nil
}

// Indices of faces.
const (
	regular = iota
	bold
	wide
)

type glyph struct {
	text  string
	width int
	bold  bool
}

func newTypesetter(scale int) (*typesetter, error) {
	t := &typesetter{metrics: metricsAt(scale), masks: map[glyph]*image.Alpha{}}
	for i, ttf := range [][]byte{regularTTF, boldTTF, wideOTF} {
		pixels := t.size
		if i == wide {
			pixels = t.width * 2 * 11 / 12 // square letters, a little air between them
		}
		var err error
		if t.faces[i], err = newFace(ttf, pixels); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// mask returns the ink of g, with the origin at the cell's top left corner. It
// may reach over the cell, as some letters do.
func (t *typesetter) mask(g glyph) *image.Alpha {
	if m, ok := t.masks[g]; ok {
		return m
	}
	m := t.draw(g)
	coarsen(m)
	t.masks[g] = m
	return m
}

// coarsen leaves 32 levels of ink: nobody sees the difference, and the whole
// picture then has few enough colours for a palette.
func coarsen(m *image.Alpha) {
	for i, a := range m.Pix {
		m.Pix[i] = a&^7 | a>>5
	}
}

func (t *typesetter) draw(g glyph) *image.Alpha {
	cell := image.Rect(0, 0, t.width*g.width, t.height)
	// Room for letters that lean out, and for marks above and below.
	ink := image.NewAlpha(cell.Inset(-t.width / 2))
	for _, r := range g.text {
		switch {
		case invisible(r):
		case t.shape(ink, r):
		case t.letter(ink, r, g):
		default:
			t.box(ink, g.width)
			return ink
		}
	}
	return ink
}

// invisible characters join or vary others and have no ink of their own.
func invisible(r rune) bool {
	return r == 0x200d || r >= 0xfe00 && r <= 0xfe0f
}

// letter draws r from a font, and reports whether one has it.
func (t *typesetter) letter(ink *image.Alpha, r rune, g glyph) bool {
	i := regular
	if g.bold {
		i = bold
	}
	pen := fixed.P(0, t.baseline)
	switch {
	case t.faces[i].has(r) && unicode.Is(unicode.Mn, r):
		pen.X = fixed.I(t.width) // the font draws marks back over the letter
	case t.faces[i].has(r):
	case t.faces[wide].has(r):
		i = wide
		if advance, ok := t.faces[i].GlyphAdvance(r); ok {
			pen.X = (fixed.I(t.width*g.width) - advance) / 2
		}
	default:
		return false
	}
	at, mask, from, _, ok := t.faces[i].Glyph(pen, r)
	if ok {
		draw.DrawMask(ink, at, image.Opaque, image.Point{}, mask, from, draw.Over)
	}
	return ok
}

// box stands for a character that the font does not have.
func (t *typesetter) box(ink *image.Alpha, width int) {
	clear(ink.Pix)
	b := newBrush(ink)
	side := t.width / 8
	top, bottom := t.baseline-t.size*capitalMilli/1000, t.baseline
	left, right := side, t.width*width-side
	b.rect(left, top, right, top+t.light)
	b.rect(left, bottom-t.light, right, bottom)
	b.rect(left, top, left+t.light, bottom)
	b.rect(right-t.light, top, right, bottom)
}
