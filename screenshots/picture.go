package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

// picture draws screens as windows on a transparent ground. The same screen
// always gives the same bytes.
type picture struct {
	theme   *theme
	letters *typesetter
	scale   int
	padding int
	radius  int
}

// newPicture draws scale pixels to a point: 2 is sharp on a screen of high
// resolution and shrinks well on others.
func newPicture(t *theme, scale int) (*picture, error) {
	setter, err := newTypesetter(scale)
	if err != nil {
		return nil, err
	}
	return &picture{theme: t, letters: setter, scale: scale, padding: 22 * scale, radius: 12 * scale}, nil
}

// encode draws s and returns it as PNG.
func (p *picture) encode(s *screen) ([]byte, error) {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&b, paletted(p.draw(s))); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return b.Bytes(), nil
}

func (p *picture) draw(s *screen) *image.RGBA {
	size := image.Rect(0, 0, s.width*p.letters.width+2*p.padding, s.height*p.letters.height+2*p.padding)
	img := image.NewRGBA(size)
	fill(img, size, p.theme.window)
	for y, row := range s.rows {
		p.grounds(img, row, y)
	}
	for y, row := range s.rows {
		for x, c := range row {
			p.ink(img, c, p.origin(x, y))
		}
	}
	p.frame(img)
	return img
}

func (p *picture) origin(x, y int) image.Point {
	return image.Pt(p.padding+x*p.letters.width, p.padding+y*p.letters.height)
}

// grounds paints the backgrounds of a row before any ink, which may reach over
// its cell.
func (p *picture) grounds(img *image.RGBA, row []cell, y int) {
	for x, c := range row {
		if _, bg := p.theme.colours(c.style); bg != p.theme.window {
			at := p.origin(x, y)
			fill(img, image.Rect(at.X, at.Y, at.X+max(1, c.width)*p.letters.width, at.Y+p.letters.height), bg)
		}
	}
}

func (p *picture) ink(img *image.RGBA, c cell, at image.Point) {
	fg, _ := p.theme.colours(c.style)
	if strings.TrimSpace(c.text) != "" {
		bold := c.style.Attrs&uv.AttrBold != 0
		stamp(img, p.letters.mask(glyph{c.text, max(1, c.width), bold}), at, fg)
	}
	rule := func(y int) {
		fill(img, image.Rect(at.X, at.Y+y, at.X+c.width*p.letters.width, at.Y+y+p.letters.light), fg)
	}
	if c.style.Underline != 0 {
		rule(p.letters.baseline + 2*p.scale)
	}
	if c.style.Attrs&uv.AttrStrikethrough != 0 {
		rule(p.letters.baseline - p.letters.size*3/10)
	}
}

// stamp blends a colour in where the mask has ink.
func stamp(img *image.RGBA, mask *image.Alpha, at image.Point, c color.RGBA) {
	for y := mask.Rect.Min.Y; y < mask.Rect.Max.Y; y++ {
		for x := mask.Rect.Min.X; x < mask.Rect.Max.X; x++ {
			if a := mask.AlphaAt(x, y).A; a != 0 {
				img.SetRGBA(at.X+x, at.Y+y, blend(img.RGBAAt(at.X+x, at.Y+y), c, a))
			}
		}
	}
}

func fill(img *image.RGBA, r image.Rectangle, c color.RGBA) {
	r = r.Intersect(img.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			img.SetRGBA(x, y, c)
		}
	}
}

// frame rounds the window's corners and draws a hairline along its edge.
func (p *picture) frame(img *image.RGBA) {
	inside := img.Rect.Inset(p.radius)
	for y := range img.Rect.Max.Y {
		for x := 0; x < img.Rect.Max.X; x++ {
			if image.Pt(x, y).In(inside) {
				x = inside.Max.X
			}
			d := p.depth(img.Rect, x, y)
			c := blend(img.RGBAAt(x, y), p.theme.edge, coverage(float64(p.scale)-d))
			img.SetRGBA(x, y, blend(c, color.RGBA{}, coverage(-d)))
		}
	}
}

// depth is the distance of a pixel's middle from the window's edge, negative
// outside.
func (p *picture) depth(window image.Rectangle, x, y int) float64 {
	r := float64(p.radius)
	inset := func(at, size int) float64 { return min(float64(at)+0.5, float64(size-at)-0.5) }
	dx, dy := inset(x, window.Max.X), inset(y, window.Max.Y)
	if dx >= r || dy >= r {
		return min(dx, dy)
	}
	return r - math.Hypot(r-dx, r-dy)
}

// coverage is how much of a pixel lies beyond an edge, d pixels behind its
// middle.
func coverage(d float64) uint8 {
	return uint8(max(0, min(1, d+0.5))*0xff + 0.5)
}
