package main

import (
	"os"
	"testing"
)

func TestPicturesShowTheConsoleAsItIs(t *testing.T) {
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			got := inBubble(t, s).text()
			want, err := os.ReadFile(s.name + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s.png is out of date; take it anew with: go run ./screenshots\nit shows\n%s\nthe console is\n%s",
					s.name, want, got)
			}
			if _, err := os.Stat(s.name + ".png"); err != nil {
				t.Error(err)
			}
		})
	}
}
