package ui

import "testing"

func TestTheEditorsLastNewline(t *testing.T) {
	tests := []struct{ name, before, edited, want string }{
		{"added", "a", "ab\n", "ab"},
		{"added to nothing", "", "{}\n", "{}"},
		{"as Windows ends lines", "a", "ab\r\n", "ab"},
		{"one of two", "a", "a\n\n", "a\n"},
		{"there before", "a\n", "ab\n", "ab\n"},
		{"not added", "a", "ab", "ab"},
		{"emptied", "a", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := asEnded([]byte(tt.before), []byte(tt.edited)); string(got) != tt.want {
				t.Errorf("asEnded(%q, %q) = %q, want %q", tt.before, tt.edited, got, tt.want)
			}
		})
	}
}
