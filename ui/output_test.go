package ui

import (
	"io"
	"os"
	"testing"
)

func TestAFrameIsOneBracketedWrite(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	f := &screenFile{File: w}
	if n, err := f.Write([]byte("frame")); n != 5 || err != nil {
		t.Errorf("Write = %d, %v; want 5, nil", n, err)
	}
	w.Close()
	got, err := io.ReadAll(r)
	if want := "\x1b[?2026hframe\x1b[?2026l"; err != nil || string(got) != want {
		t.Errorf("written %q, %v; want %q", got, err, want)
	}
}

func TestATerminalThatWentAwayIsNoticedOnce(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	w.Close()
	lost := 0
	f := &screenFile{File: w, lost: func() { lost++ }}
	for range 3 {
		if _, err := f.Write([]byte("x")); err == nil {
			t.Fatal("a write to a closed terminal succeeds")
		}
	}
	if lost != 1 || f.failed() == nil {
		t.Errorf("lost was called %d times, failed = %v", lost, f.failed())
	}
}

func TestEditorCommand(t *testing.T) {
	env := map[string]string{"EDITOR": "code --wait"}
	if got := editorCommand(func(name string) string { return env[name] }); len(got) != 2 || got[0] != "code" {
		t.Errorf("editorCommand = %q", got)
	}
	env["VISUAL"] = "nano"
	if got := editorCommand(func(name string) string { return env[name] }); len(got) != 1 || got[0] != "nano" {
		t.Errorf("with VISUAL: editorCommand = %q", got)
	}
}
