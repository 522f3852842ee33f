package main

import (
	"cmp"
	"image"
	"image/color"
	"slices"
)

// paletted redraws img in its 256 most frequent colours, which makes the file
// less than half as large. A terminal has few colours; the rest are the shades at
// the edges of letters, where the nearest one cannot be told apart.
func paletted(img *image.RGBA) *image.Paletted {
	palette := commonest(img, 256)
	known := map[color.RGBA]uint8{}
	for i, c := range palette {
		known[c.(color.RGBA)] = uint8(i)
	}
	out := image.NewPaletted(img.Rect, palette)
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		for x := img.Rect.Min.X; x < img.Rect.Max.X; x++ {
			c := img.RGBAAt(x, y)
			i, ok := known[c]
			if !ok {
				i = uint8(palette.Index(c))
				known[c] = i
			}
			out.SetColorIndex(x, y, i)
		}
	}
	return out
}

// commonest returns at most n colours of img, the most frequent first; equals
// stand in the order of their values, so that the answer is always the same.
func commonest(img *image.RGBA, n int) color.Palette {
	uses := map[color.RGBA]int{}
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		for x := img.Rect.Min.X; x < img.Rect.Max.X; x++ {
			uses[img.RGBAAt(x, y)]++
		}
	}
	colours := make([]color.RGBA, 0, len(uses))
	for c := range uses {
		colours = append(colours, c)
	}
	slices.SortFunc(colours, func(a, b color.RGBA) int {
		return cmp.Or(uses[b]-uses[a], cmp.Compare(value(a), value(b)))
	})
	var p color.Palette
	for _, c := range colours[:min(n, len(colours))] {
		p = append(p, c)
	}
	return p
}

func value(c color.RGBA) uint32 {
	return uint32(c.R)<<24 | uint32(c.G)<<16 | uint32(c.B)<<8 | uint32(c.A)
}
