package main

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// diary is a model that notes what it was told.
type diary struct {
	began time.Time
	notes []string
}

func say(s string) tea.Cmd { return func() tea.Msg { return s } }

func (d *diary) Init() tea.Cmd {
	d.began = time.Now()
	return d.tick()
}

func (d *diary) tick() tea.Cmd {
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return time.Since(d.began) })
}

func (d *diary) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	d.notes = append(d.notes, fmt.Sprint(msg))
	switch msg := msg.(type) {
	case time.Duration:
		return d, d.tick()
	case tea.KeyMsg:
		switch msg.String() {
		case "b":
			return d, tea.Batch(say("one"), say("two"), nil)
		case "s":
			return d, tea.Sequence(say("first"), say("then"))
		case "q":
			return d, tea.Quit
		}
	}
	return d, nil
}

func (d *diary) View() string { return "" }

func TestOperator(t *testing.T) {
	tests := []struct {
		name string
		keys []string
		wait time.Duration
		want []string
	}{
		{"a key is told by its name", []string{"x", "enter", "space"}, 0, []string{"x", "enter", " "}},
		{"a batch is answered in its order", []string{"b"}, 0, []string{"b", "one", "two"}},
		{"a sequence is answered in its order", []string{"s"}, 0, []string{"s", "first", "then"}},
		{"timers go off when time has passed", nil, 2500 * time.Millisecond, []string{"1s", "2s"}},
		{"leaving is not told to the model", []string{"q"}, 0, []string{"q"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, err := openStage(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				d := new(diary)
				o := sitDown(t.Context(), s, d, 80, 24)
				o.press(tt.keys...)
				o.wait(tt.wait)
				if o.err != nil {
					t.Fatal(o.err)
				}
				if got := d.notes[1:]; !slices.Equal(got, tt.want) {
					t.Errorf("the model was told %q, want %q", got, tt.want)
				}
				if want := slices.Contains(tt.keys, "q"); o.left != want {
					t.Errorf("left = %v, want %v", o.left, want)
				}
				if err := s.close(); err != nil {
					t.Error(err)
				}
				time.Sleep(time.Second) // the last timer's goroutine ends
			})
		})
	}
}
