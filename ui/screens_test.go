package ui

import "testing"

// A step that waits for its page ends with the screen, or with another message.
func TestAStepDoesNotOutliveItsScreen(t *testing.T) {
	tests := []struct {
		name  string
		leave func(d *drive)
	}{
		{"the screen is closed and opened from another list", func(d *drive) {
			for _, k := range []string{"esc", "2", "enter"} {
				d.Update(keyOf(k))
			}
		}},
		{"another message is opened meanwhile", func(d *drive) {
			d.Update(openDetailMsg{paneFlight, rowOf(d, paneFlight, 0).Ref})
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := watched(100, 30)
			d.keys("1", "enter")
			p := d.main.lists[paneVisible]
			p.items = p.items[:1] // the next one is not held
			_, page := d.Update(keyOf("J"))
			if d.stepping != paneVisible {
				t.Fatalf("J waits in list %d, want %d", d.stepping, paneVisible)
			}
			tt.leave(d)
			want := d.shown().ref
			d.run(page)
			if got := d.shown(); got.ref != want || got.from != paneFlight {
				t.Errorf("it turns to %v by itself, want %v", got.ref, want)
			}
		})
	}
}

func TestTheCopyMenuDoesNotOpenOverWhatWasOpenedSince(t *testing.T) {
	d := watched(100, 30)
	d.keys("1")
	_, answer := d.Update(keyOf("y"))
	d.keys("c", "h")
	d.run(answer)
	if f, ok := d.topOverlay().(*sendForm); !ok || len(d.overlays) != 1 || f.body.text() != "h" {
		t.Errorf("%d overlays are open, on top %T", len(d.overlays), d.topOverlay())
	}
	d.keys("esc", "y")
	if _, ok := d.topOverlay().(*copyMenu); !ok {
		t.Errorf("y opens %T", d.topOverlay())
	}
}
