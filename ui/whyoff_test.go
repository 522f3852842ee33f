package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestAKeyThatIsOffSaysWhy(t *testing.T) {
	tests := []struct {
		name string
		keys string
		want string // in the status line; empty: no reason
	}{
		{"in a list", "2 p", "p peek: in flight: hidden from receives until its lease lapses"},
		{"on a screen", "b p", "p pause: there is no job"},
		{"the next key takes it back", "2 p j", ""},
		{"a key that works says nothing", "2 j", ""},
		{"a key that is bound to nothing", "2 Q", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := watched(100, 30)
			before := ansi.Strip(d.statusLine(100))
			d.keys(strings.Fields(tt.keys)...)
			got := ansi.Strip(d.statusLine(100))
			if tt.want == "" && got != before || !strings.Contains(got, tt.want) {
				t.Errorf("%s: the status line says %q, want %q", tt.keys, got, tt.want)
			}
		})
	}
}
