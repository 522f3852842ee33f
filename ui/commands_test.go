package ui

import (
	"reflect"

	tea "github.com/charmbracelet/bubbletea"
)

// commandsIn takes apart a batch or a sequence, whose type is Bubble Tea's own.
func commandsIn(msg tea.Msg) ([]tea.Cmd, bool) {
	v := reflect.ValueOf(msg)
	if !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return nil, false
	}
	cmds := make([]tea.Cmd, v.Len())
	for i := range cmds {
		cmds[i], _ = v.Index(i).Interface().(tea.Cmd)
	}
	return cmds, true
}
