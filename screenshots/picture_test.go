package main

import (
	"bytes"
	"image"
	"image/png"
	"testing"
)

// drawn is every character of the console's visual language that is not
// plain ASCII.
const drawn = "●◐○†▸▌✓✔✖→…·×╭─╮│╰╯├┤┬┴┼┏━┓┃┗┛╌╸▁▂▃▄▅▆▇█░↵↑↓←⏸▶␛␇�‹›•▲▼▾┊"

func typesetterFor(t *testing.T) *typesetter {
	t.Helper()
	setter, err := newTypesetter(2)
	if err != nil {
		t.Fatal(err)
	}
	return setter
}

func TestEveryCharacterOfTheConsoleCanBeDrawn(t *testing.T) {
	setter := typesetterFor(t)
	for _, r := range drawn {
		for _, g := range []glyph{{string(r), 1, false}, {string(r), 1, true}} {
			ink := image.NewAlpha(image.Rect(0, 0, setter.width, setter.height))
			if !setter.shape(ink, r) && !setter.letter(ink, r, g) {
				t.Errorf("%q (bold %v) is neither a shape nor in the font", r, g.bold)
			}
			if inked(ink, ink.Rect) == 0 {
				t.Errorf("%q (bold %v) leaves no ink", r, g.bold)
			}
		}
	}
}

func inked(m *image.Alpha, r image.Rectangle) (n int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if m.AlphaAt(x, y).A >= 0x40 {
				n++
			}
		}
	}
	return n
}

func TestLinesMeetTheirNeighbours(t *testing.T) {
	setter := typesetterFor(t)
	w, h := setter.width, setter.height
	edges := map[string]image.Rectangle{
		"left": image.Rect(0, 0, 1, h), "right": image.Rect(w-1, 0, w, h),
		"top": image.Rect(0, 0, w, 1), "bottom": image.Rect(0, h-1, w, h),
	}
	tests := []struct{ one, edge, other, meets string }{
		{"╭", "right", "─", "left"}, {"╭", "bottom", "│", "top"},
		{"╮", "left", "─", "right"}, {"╮", "bottom", "│", "top"},
		{"╰", "right", "─", "left"}, {"╰", "top", "│", "bottom"},
		{"╯", "left", "─", "right"}, {"╯", "top", "│", "bottom"},
		{"┏", "right", "━", "left"}, {"┏", "bottom", "┃", "top"},
		{"┛", "left", "━", "right"}, {"┛", "top", "┃", "bottom"},
		{"├", "right", "─", "left"}, {"┤", "left", "─", "right"},
		{"━", "right", "╸", "left"}, {"█", "right", "█", "left"},
		{"▌", "bottom", "▌", "top"},
	}
	for _, tt := range tests {
		t.Run(tt.one+" "+tt.edge, func(t *testing.T) {
			one := setter.mask(glyph{tt.one, 1, false}).SubImage(edges[tt.edge]).(*image.Alpha)
			other := setter.mask(glyph{tt.other, 1, false}).SubImage(edges[tt.meets]).(*image.Alpha)
			for i := range max(w, h) {
				a := one.AlphaAt(one.Rect.Min.X+min(i, one.Rect.Dx()-1), min(i, one.Rect.Dy()-1)+one.Rect.Min.Y)
				b := other.AlphaAt(other.Rect.Min.X+min(i, other.Rect.Dx()-1), min(i, other.Rect.Dy()-1)+other.Rect.Min.Y)
				if a != b {
					t.Fatalf("pixel %d: %s of %s has ink %d, %s of %s %d",
						i, tt.edge, tt.one, a.A, tt.meets, tt.other, b.A)
				}
			}
			if inked(one, one.Rect) == 0 {
				t.Errorf("no ink at the %s of %s", tt.edge, tt.one)
			}
		})
	}
}

func TestAMissingCharacterIsABoxOfItsWidth(t *testing.T) {
	setter := typesetterFor(t)
	for _, g := range []glyph{{"永", 2, false}, {"\U0001f980", 2, true}, {"\ue000", 1, false}} {
		m := setter.mask(g)
		last := image.Rect((g.width-1)*setter.width, 0, g.width*setter.width, setter.height)
		if inked(m, last) == 0 {
			t.Errorf("%q: no ink in the last of its %d cells", g.text, g.width)
		}
		last.Min.X, last.Max.X = last.Max.X, m.Rect.Max.X
		if n := inked(m, last); n != 0 {
			t.Errorf("%q: %d pixels of ink beside its cells", g.text, n)
		}
	}
}

func TestWideCharactersOfTheDemoAreInTheFont(t *testing.T) {
	setter := typesetterFor(t)
	for _, r := range "山田花子" {
		if !setter.faces[wide].has(r) {
			t.Errorf("the font has no %q", r)
		}
	}
}

func TestBoldIsHeavier(t *testing.T) {
	setter := typesetterFor(t)
	regular, bold := setter.mask(glyph{"m", 1, false}), setter.mask(glyph{"m", 1, true})
	if r, b := inked(regular, regular.Rect), inked(bold, bold.Rect); b <= r {
		t.Errorf("bold m has %d pixels of ink, regular %d", b, r)
	}
}

func TestPicture(t *testing.T) {
	frame := "\x1b[1m● inflight\x1b[0m  \x1b[7m RW \x1b[0m\n╭──╮ 日本\n╰──╯"
	for name, theme := range map[string]*theme{"dark": &darkTheme, "light": &lightTheme} {
		t.Run(name, func(t *testing.T) {
			encode := func() []byte {
				p, err := newPicture(theme, 2)
				if err != nil {
					t.Fatal(err)
				}
				b, err := p.encode(readFrame(frame, 20, 3))
				if err != nil {
					t.Fatal(err)
				}
				return b
			}
			first := encode()
			if !bytes.Equal(first, encode()) {
				t.Error("the same frame twice gives different bytes")
			}
			img, err := png.Decode(bytes.NewReader(first))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := img.Bounds().Size(), image.Pt(20*24+88, 3*53+88); got != want {
				t.Errorf("size = %v, want %v", got, want)
			}
			if _, _, _, a := img.At(0, 0).RGBA(); a != 0 {
				t.Errorf("alpha outside the rounded corner = %#x, want 0", a)
			}
			if got := theme.resolve(img.At(20, 120), theme.text); got != theme.window {
				t.Errorf("padding is %v, want %v", got, theme.window)
			}
		})
	}
}
