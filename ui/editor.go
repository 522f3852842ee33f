package ui

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// editBody opens the user's editor on a body. The file is the user's alone,
// and removed afterwards.
func editBody(body []byte) tea.Cmd {
	f, err := os.CreateTemp("", "inflight-*.txt") // 0600
	if err != nil {
		return emit(bodyEditedMsg{err: err})
	}
	name := f.Name()
	_, err = f.Write(body)
	if err = errors.Join(err, f.Close()); err != nil {
		return emit(bodyEditedMsg{err: errors.Join(err, os.Remove(name))})
	}
	command := append(editorCommand(os.Getenv), name)
	c := exec.Command(command[0], command[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr // not our frames' brackets
	return tea.ExecProcess(c, func(err error) tea.Msg {
		edited, readErr := os.ReadFile(name)
		err = errors.Join(err, readErr, os.Remove(name))
		return bodyEditedMsg{asEnded(body, edited), err}
	})
}

// asEnded takes back the newline that an editor ends every file with, where
// the body had none.
func asEnded(body, edited []byte) []byte {
	end := []byte("\n")
	if !bytes.HasSuffix(edited, end) || bytes.HasSuffix(body, end) {
		return edited
	}
	return bytes.TrimSuffix(edited[:len(edited)-1], []byte("\r"))
}

// editorCommand is $VISUAL or $EDITOR, with its arguments.
func editorCommand(env func(string) string) []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if fields := strings.Fields(env(name)); len(fields) > 0 {
			return fields
		}
	}
	if runtime.GOOS == "windows" {
		return []string{"notepad"}
	}
	return []string{"vi"}
}
