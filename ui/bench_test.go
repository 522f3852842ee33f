package ui

import (
	"testing"
	"time"
)

// BenchmarkView draws the whole screen at 200x50 as after a tick: three lists
// whose every row may have changed, in a screen of 50 rows.
func BenchmarkView(b *testing.B) {
	d := watched(200, 50)
	d.keys("2")
	tick := tickMsg{d.fake.clock()}
	b.ReportAllocs()
	for b.Loop() {
		tick.now = tick.now.Add(time.Second)
		d.main.Update(tick)
		d.now = tick.now
		if len(d.View()) == 0 {
			b.Fatal("nothing drawn")
		}
	}
}

// BenchmarkThreeFullPanes draws three lists of 50 rows each, at 200 columns.
func BenchmarkThreeFullPanes(b *testing.B) {
	d := watched(200, 159)
	d.keys("0")
	tick := tickMsg{d.fake.clock()}
	b.ReportAllocs()
	for b.Loop() {
		tick.now = tick.now.Add(time.Second)
		for _, p := range d.main.messagePanes()[:3] {
			p.Update(tick)
			if len(p.View()) == 0 {
				b.Fatal("nothing drawn")
			}
		}
	}
}

// BenchmarkUnchangedView is what a message costs that changes nothing.
func BenchmarkUnchangedView(b *testing.B) {
	d := watched(200, 50)
	b.ReportAllocs()
	for b.Loop() {
		if len(d.View()) == 0 {
			b.Fatal("nothing drawn")
		}
	}
}
