package ui

import (
	"strings"
	"testing"
)

func TestARangeOfAnotherQueueMarksNothing(t *testing.T) {
	d := watched(100, 30)
	p := d.main.lists[paneVisible]
	ask, ok := asked(t, d, "1", "v", "G", "v").(askRangeMsg)
	if !ok {
		t.Fatal("the far end of the range is not asked for")
	}
	late := d.loader.between(ask.load, ask.from, ask.to)()
	d.send(openQueueMsg("emails"))
	d.send(late)
	if len(p.marks) != 0 {
		t.Errorf("a late range of orders: %d marks in %s", len(p.marks), p.queue)
	}
}

func TestARangeWhoseStartIsNotInTheListMarksNothing(t *testing.T) {
	tests := []struct{ name, keys string }{
		{"the filter hides it", "1 j j j v / 12,50 enter G v"},
		{"the list is frozen elsewhere", "1 G v g F j j j v"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := watched(100, 30)
			p := d.main.lists[paneVisible]
			d.keys(strings.Fields(tt.keys)...)
			if len(p.marks) != 0 || !strings.HasPrefix(d.status.last.text, "nothing was marked") {
				t.Errorf("%d marks, and the status line says %q", len(p.marks), d.status.last.text)
			}
		})
	}
}
