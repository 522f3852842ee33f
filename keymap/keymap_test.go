package keymap

import (
	"reflect"
	"testing"

	"github.com/charmbracelet/bubbles/key"
)

// bindings walks a scope's fields, those of embedded scopes included.
func bindings(scope any) map[string]key.Binding {
	found := map[string]key.Binding{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if b, ok := v.Field(i).Interface().(key.Binding); ok {
				found[field.Name] = b
			} else if field.Anonymous {
				walk(v.Field(i))
			}
		}
	}
	walk(reflect.ValueOf(scope))
	return found
}

// layered are the scopes that are asked after Global, with those asked before
// them; overlays take every key and stand alone.
var layered = []struct {
	name   string
	scopes []any
}{
	{"main", []any{NewMain()}},
	{"queues", []any{NewMain(), NewQueues()}},
	{"visible", []any{NewMain(), NewVisible()}},
	{"flight", []any{NewMain(), NewFlight()}},
	{"dead", []any{NewMain(), NewDead()}},
	{"delayed", []any{NewMain(), NewDelayed()}},
	{"detail", []any{NewDetail()}},
	{"jobs", []any{NewJobs()}},
	{"log", []any{NewLog()}},
	{"welcome", []any{NewWelcome()}},
}

var alone = []struct {
	name  string
	scope any
}{
	{"form", NewForm()}, {"confirm", NewConfirm()}, {"filter", NewFilter()},
	{"choice", NewChoice()}, {"connect", NewConnect()}, {"help", NewHelp()},
}

func TestNoKeyHasTwoReaders(t *testing.T) {
	check := func(t *testing.T, scopes ...any) {
		t.Helper()
		taken := map[string]string{}
		for _, scope := range scopes {
			for name, b := range bindings(scope) {
				for _, k := range b.Keys() {
					if other, ok := taken[k]; ok {
						t.Errorf("key %q is bound to %s and to %s", k, other, name)
					}
					taken[k] = name
				}
			}
		}
	}
	for _, tt := range layered {
		t.Run(tt.name, func(t *testing.T) { check(t, append([]any{NewGlobal()}, tt.scopes...)...) })
	}
	for _, tt := range alone {
		t.Run(tt.name, func(t *testing.T) { check(t, tt.scope) })
	}
}

func TestKeysThatTerminalsMistakeAreNeverBound(t *testing.T) {
	never := map[string]bool{"ctrl+h": true, "ctrl+i": true, "ctrl+j": true, "ctrl+m": true, "ctrl+[": true}
	every := []any{NewGlobal()}
	for _, tt := range layered {
		every = append(every, tt.scopes...)
	}
	for _, tt := range alone {
		every = append(every, tt.scope)
	}
	for _, scope := range every {
		for name, b := range bindings(scope) {
			for _, k := range b.Keys() {
				if never[k] {
					t.Errorf("%T.%s is bound to %s", scope, name, k)
				}
			}
			if b.Help().Key == "" || b.Help().Desc == "" {
				t.Errorf("%T.%s has no help", scope, name)
			}
		}
	}
}

func TestEveryBindingIsInTheHelp(t *testing.T) {
	type full interface{ FullHelp() [][]key.Binding }
	scopes := []any{NewGlobal()}
	for _, tt := range layered {
		scopes = append(scopes, tt.scopes...)
	}
	for _, tt := range alone {
		scopes = append(scopes, tt.scope)
	}
	for _, scope := range scopes {
		shown := map[string]bool{}
		for _, group := range scope.(full).FullHelp() {
			for _, b := range group {
				shown[b.Help().Key+b.Help().Desc] = true
			}
		}
		for name, b := range bindings(scope) {
			if !shown[b.Help().Key+b.Help().Desc] {
				t.Errorf("%T: the help leaves out %s", scope, name)
			}
		}
	}
}

func TestTheHelpBeginsWithActions(t *testing.T) {
	for _, tt := range layered {
		for _, scope := range tt.scopes {
			moves, ok := scope.(interface{ Group() []key.Binding })
			if !ok {
				continue
			}
			groups := scope.(interface{ FullHelp() [][]key.Binding }).FullHelp()
			if first, last := groups[0][0].Help(), groups[len(groups)-1][0].Help(); first == moves.Group()[0].Help() || last != moves.Group()[0].Help() {
				t.Errorf("%s: the help begins with %q and ends with %q", tt.name, first.Desc, last.Desc)
			}
		}
	}
}
