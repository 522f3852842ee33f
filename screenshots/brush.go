package main

import (
	"image"
	"math"

	"golang.org/x/image/vector"
)

// brush draws filled shapes into a mask, in the mask's coordinates.
type brush struct {
	ink    *image.Alpha
	raster *vector.Rasterizer
	origin point
}

type point struct{ x, y float64 }

func newBrush(ink *image.Alpha) *brush {
	size := ink.Bounds().Size()
	return &brush{
		ink:    ink,
		raster: vector.NewRasterizer(size.X, size.Y),
		origin: point{float64(-ink.Rect.Min.X), float64(-ink.Rect.Min.Y)},
	}
}

// rect fills whole pixels.
func (b *brush) rect(x0, y0, x1, y1 int) {
	b.shade(x0, y0, x1, y1, 0xff)
}

func (b *brush) shade(x0, y0, x1, y1 int, coverage uint8) {
	r := image.Rect(x0, y0, x1, y1).Intersect(b.ink.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := b.ink.Pix[b.ink.PixOffset(r.Min.X, y):][:r.Dx()]
		for i := range row {
			row[i] = max(row[i], coverage)
		}
	}
}

func (b *brush) moveTo(p point) {
	b.raster.MoveTo(float32(p.x+b.origin.x), float32(p.y+b.origin.y))
}

func (b *brush) lineTo(p point) {
	b.raster.LineTo(float32(p.x+b.origin.x), float32(p.y+b.origin.y))
}

// fill paints what was outlined since the last fill.
func (b *brush) fill() {
	b.raster.ClosePath()
	b.raster.Draw(b.ink, b.ink.Rect, image.Opaque, image.Point{})
	size := b.raster.Size()
	b.raster.Reset(size.X, size.Y)
}

// arc outlines part of a circle, from and to in quarter turns clockwise from
// three o'clock. It starts with a line from the pen.
func (b *brush) arc(centre point, radius, from, to float64) {
	steps := max(4, int(math.Abs(to-from)*radius))
	for i := range steps + 1 {
		b.lineTo(onCircle(centre, radius, from+(to-from)*float64(i)/float64(steps)))
	}
}

func onCircle(centre point, radius, quarters float64) point {
	sin, cos := math.Sincos(quarters * math.Pi / 2)
	return point{centre.x + radius*cos, centre.y + radius*sin}
}

// disc fills a circle.
func (b *brush) disc(centre point, radius float64) {
	b.moveTo(onCircle(centre, radius, 0))
	b.arc(centre, radius, 0, 4)
	b.fill()
}

// ring fills what lies between two circles, from and to as for arc.
func (b *brush) ring(centre point, outer, inner, from, to float64) {
	b.moveTo(onCircle(centre, outer, from))
	b.arc(centre, outer, from, to)
	b.arc(centre, inner, to, from)
	b.fill()
}

// polygon fills the area between points.
func (b *brush) polygon(points ...point) {
	b.moveTo(points[0])
	for _, p := range points[1:] {
		b.lineTo(p)
	}
	b.fill()
}

// stroke draws a line along points with round ends and corners.
func (b *brush) stroke(width float64, points ...point) {
	for i, p := range points {
		b.disc(p, width/2)
		if i == 0 {
			continue
		}
		q := points[i-1]
		length := math.Hypot(p.x-q.x, p.y-q.y)
		dx, dy := (p.y-q.y)/length*width/2, (q.x-p.x)/length*width/2
		b.polygon(point{q.x + dx, q.y + dy}, point{p.x + dx, p.y + dy},
			point{p.x - dx, p.y - dy}, point{q.x - dx, q.y - dy})
	}
}
