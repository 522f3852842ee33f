package main

import "image"

// shape draws r if it is one of the characters that must meet their
// neighbours without a gap, or that the font lacks, and reports whether it is.
func (t *typesetter) shape(ink *image.Alpha, r rune) bool {
	b := newBrush(ink)
	if a, ok := lines[r]; ok {
		t.line(b, a)
		return true
	}
	if f, ok := shapes[r]; ok {
		f(t, b)
		return true
	}
	return t.block(b, r)
}

// arms are the weights of a line character's four halves: 0 none, 1 light,
// 2 heavy.
type arms struct{ up, right, down, left int }

var lines = map[rune]arms{
	'─': {0, 1, 0, 1}, '━': {0, 2, 0, 2}, '│': {1, 0, 1, 0}, '┃': {2, 0, 2, 0},
	'┌': {0, 1, 1, 0}, '┐': {0, 0, 1, 1}, '└': {1, 1, 0, 0}, '┘': {1, 0, 0, 1},
	'├': {1, 1, 1, 0}, '┤': {1, 0, 1, 1}, '┬': {0, 1, 1, 1}, '┴': {1, 1, 0, 1}, '┼': {1, 1, 1, 1},
	'┏': {0, 2, 2, 0}, '┓': {0, 0, 2, 2}, '┗': {2, 2, 0, 0}, '┛': {2, 0, 0, 2},
	'┣': {2, 2, 2, 0}, '┫': {2, 0, 2, 2}, '┳': {0, 2, 2, 2}, '┻': {2, 2, 0, 2}, '╋': {2, 2, 2, 2},
	'╴': {0, 0, 0, 1}, '╵': {1, 0, 0, 0}, '╶': {0, 1, 0, 0}, '╷': {0, 0, 1, 0},
	'╸': {0, 0, 0, 2}, '╹': {2, 0, 0, 0}, '╺': {0, 2, 0, 0}, '╻': {0, 0, 2, 0},
	'╼': {0, 2, 0, 1}, '╽': {1, 0, 2, 0}, '╾': {0, 1, 0, 2}, '╿': {2, 0, 1, 0},
}

// line draws from the cell's middle to its edges.
func (t *typesetter) line(b *brush, a arms) {
	weight := [...]int{0, t.light, t.heavy}
	up, right, down, left := weight[a.up], weight[a.right], weight[a.down], weight[a.left]
	// Where arms cross, each runs on to the far side of the other. Halves of
	// one straight line meet in the middle.
	across, along := max(up, down), max(left, right)
	midX, midY := t.middle()
	vertical := func(w, y0, y1 int) { b.rect(midX-w/2, y0, midX-w/2+w, y1) }
	horizontal := func(w, x0, x1 int) { b.rect(x0, midY-w/2, x1, midY-w/2+w) }
	vertical(up, 0, midY-along/2+along)
	vertical(down, midY-along/2, t.height)
	horizontal(left, 0, midX-across/2+across)
	horizontal(right, midX-across/2, t.width)
}

// middle is where lines cross.
func (t *typesetter) middle() (x, y int) { return t.width / 2, t.height / 2 }

// block draws block elements: bars that grow in eighths, halves and shades.
func (t *typesetter) block(b *brush, r rune) bool {
	eighths := func(size int, n rune) int { return (size*int(n) + 4) / 8 }
	switch {
	case r >= '▁' && r <= '█':
		// As in most fonts, a full bar stops short of the cell's edges: the
		// sparklines of two rows must not run into one another.
		full, base := t.height-t.height/5, t.height-t.height/20
		b.rect(0, base-eighths(full, r-'▁'+1), t.width, base)
	case r >= '▉' && r <= '▏':
		b.rect(0, 0, eighths(t.width, '▐'-r), t.height)
	case r == '▀':
		b.rect(0, 0, t.width, t.height-eighths(t.height, 4))
	case r == '▐':
		b.rect(eighths(t.width, 4), 0, t.width, t.height)
	case r >= '░' && r <= '▓':
		b.shade(0, 0, t.width, t.height, 0x40*uint8(r-'░'+1))
	case r == '▔':
		b.rect(0, 0, t.width, eighths(t.height, 1))
	case r == '▕':
		b.rect(t.width-eighths(t.width, 1), 0, t.width, t.height)
	default:
		return false
	}
	return true
}

// shapes are the rest of what we draw ourselves. A function that needs to know
// the cell asks the typesetter.
var shapes = map[rune]func(*typesetter, *brush){
	'╭': func(t *typesetter, b *brush) { t.corner(b, 1, 1) },
	'╮': func(t *typesetter, b *brush) { t.corner(b, -1, 1) },
	'╯': func(t *typesetter, b *brush) { t.corner(b, -1, -1) },
	'╰': func(t *typesetter, b *brush) { t.corner(b, 1, -1) },
	'╌': func(t *typesetter, b *brush) { t.dashes(b, 2, t.light, false) },
	'╍': func(t *typesetter, b *brush) { t.dashes(b, 2, t.heavy, false) },
	'┄': func(t *typesetter, b *brush) { t.dashes(b, 3, t.light, false) },
	'┈': func(t *typesetter, b *brush) { t.dashes(b, 4, t.light, false) },
	'╎': func(t *typesetter, b *brush) { t.dashes(b, 2, t.light, true) },
	'┆': func(t *typesetter, b *brush) { t.dashes(b, 3, t.light, true) },
	'┊': func(t *typesetter, b *brush) { t.dashes(b, 4, t.light, true) },
	'▸': func(t *typesetter, b *brush) { t.triangle(b, 0.62) },
	'▶': func(t *typesetter, b *brush) { t.triangle(b, 0.9) },
	'●': func(t *typesetter, b *brush) { t.circle(b, 1) },
	'◐': func(t *typesetter, b *brush) { t.circle(b, 0.5) },
	'○': func(t *typesetter, b *brush) { t.circle(b, 0) },
	'✔': func(t *typesetter, b *brush) {
		t.mark(b, point{0.12, 0.52}, point{0.38, 0.84}, point{0.88, 0.16})
	},
	'✖': func(t *typesetter, b *brush) {
		t.mark(b, point{0.15, 0.2}, point{0.85, 0.84})
		t.mark(b, point{0.85, 0.2}, point{0.15, 0.84})
	},
	'⏸': func(t *typesetter, b *brush) { t.pause(b) },
	'↵': func(t *typesetter, b *brush) { t.enter(b) },
}

// corner draws a rounded one; its arms point to dx and dy.
func (t *typesetter) corner(b *brush, dx, dy int) {
	midX, midY := t.middle()
	// The axis of a line lies half its odd width off the middle.
	x := float64(midX-t.light/2) + float64(t.light)/2
	y := float64(midY-t.light/2) + float64(t.light)/2
	radius := float64(t.width-t.light) / 2
	centre := point{x + float64(dx)*radius, y + float64(dy)*radius}
	half := float64(t.light) / 2
	// Quarter turns from three o'clock to the side that looks at the corner.
	from := map[[2]int]float64{{1, 1}: 2, {-1, 1}: 3, {-1, -1}: 0, {1, -1}: 1}[[2]int{dx, dy}]
	b.ring(centre, radius+half, radius-half, from, from+1)
	left := midX - t.light/2
	if end := int(centre.y); dy > 0 {
		b.rect(left, end, left+t.light, t.height)
	} else {
		b.rect(left, 0, left+t.light, end+1)
	}
	if end, top := int(centre.x), midY-t.light/2; dx > 0 {
		b.rect(end, top, t.width, top+t.light)
	} else {
		b.rect(0, top, end+1, top+t.light)
	}
}

// dashes draws n dashes with gaps two fifths of their share, half a gap at
// either end, so that a run of cells is even.
func (t *typesetter) dashes(b *brush, n, weight int, vertical bool) {
	midX, midY := t.middle()
	length := t.width
	if vertical {
		length = t.height
	}
	gap := max(1, length*2/5/n)
	for i := range n {
		from, to := i*length/n+gap/2, (i+1)*length/n-(gap-gap/2)
		if vertical {
			b.rect(midX-weight/2, from, midX-weight/2+weight, to)
		} else {
			b.rect(from, midY-weight/2, to, midY-weight/2+weight)
		}
	}
}

// circle draws the glyph of a message's state, its left part filled.
func (t *typesetter) circle(b *brush, filled float64) {
	centre := point{float64(t.width) / 2, float64(t.baseline) - float64(t.size*capitalMilli)/2000}
	outer := float64(t.width) * 0.45
	switch filled {
	case 1:
		b.disc(centre, outer)
	case 0.5:
		b.ring(centre, outer, outer-float64(t.light), 0, 4)
		b.moveTo(onCircle(centre, outer-1, 1))
		b.arc(centre, outer-1, 1, 3)
		b.fill()
	default:
		outer *= 0.85
		b.ring(centre, outer, outer-float64(t.light), 0, 4)
	}
}

// triangle points to the right; size is its height as part of a capital
// letter's.
func (t *typesetter) triangle(b *brush, size float64) {
	tall := float64(t.size*capitalMilli) / 1000
	middle := float64(t.baseline) - tall/2
	half, w := tall*size/2, float64(t.width)
	left := w/2 - half*0.8
	b.polygon(point{left, middle - half}, point{left + half*1.6, middle}, point{left, middle + half})
}

// mark draws a heavy stroke; points are parts of the space that a capital
// letter has.
func (t *typesetter) mark(b *brush, points ...point) {
	tall := float64(t.size*capitalMilli) / 1000
	for i, p := range points {
		points[i] = point{p.x * float64(t.width), float64(t.baseline) + (p.y-1)*tall}
	}
	b.stroke(float64(t.width)*0.2, points...)
}

func (t *typesetter) pause(b *brush) {
	top, bottom := t.baseline-t.size*capitalMilli/1000, t.baseline
	bar := t.width / 4
	b.rect(t.width/8, top, t.width/8+bar, bottom)
	b.rect(t.width-t.width/8-bar, top, t.width-t.width/8, bottom)
}

func (t *typesetter) enter(b *brush) {
	w := float64(t.width)
	weight := w * 0.13
	y := float64(t.baseline) - w*0.3
	left, right := w*0.1, w*0.86
	b.stroke(weight, point{right, float64(t.baseline) - w*0.95}, point{right, y}, point{left, y})
	b.stroke(weight, point{left + w*0.3, y - w*0.3}, point{left, y}, point{left + w*0.3, y + w*0.3})
}
