package ui

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestWhatDoesNotFitIsNotLeftOutInSilence(t *testing.T) {
	th := testTheme()
	tests := []struct {
		name   string
		pieces []string
		want   string
	}{
		{"all fits", []string{"abc", "defg"}, "abcdefg"},
		{"the cut falls into a piece", []string{"abc", "defghi"}, "abcdef…"},
		{"the cut falls between two", []string{"abc", "defg", "hi"}, "abcdef…"},
		{"an ellipsis stands there already", []string{"abc", "defghi", "j"}, "abcdef…"},
		{"blanks are nothing", []string{"abc", "defg", "   "}, "abcdefg"},
		{"a wide character gives way whole", []string{"abcde", "日", "x"}, "abcde… "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, onRow := range []bool{false, true} {
				l := newSentence(th, 7)
				l.onRow = onRow
				for i, piece := range tt.pieces {
					k := th.text
					if i%2 == 1 {
						k = th.bold
					}
					l.put(k, piece)
				}
				if got := ansi.Strip(l.done()); got != tt.want {
					t.Errorf("%q in 7 cells = %q, want %q", tt.pieces, got, tt.want)
				}
			}
		})
	}
}
