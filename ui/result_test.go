package ui

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"inflight/engine"
)

// sentinels are the errors that engine/errors.go names.
var sentinels = map[string]error{
	"ErrQueueNotFound": engine.ErrQueueNotFound, "ErrQueueExists": engine.ErrQueueExists,
	"ErrReceiptInvalid": engine.ErrReceiptInvalid, "ErrReceiptStale": engine.ErrReceiptStale, "ErrReceiptExpired": engine.ErrReceiptExpired,
	"ErrMessageGone": engine.ErrMessageGone, "ErrInFlight": engine.ErrInFlight, "ErrDelayed": engine.ErrDelayed, "ErrBlocked": engine.ErrBlocked,
	"ErrNotInFlight": engine.ErrNotInFlight, "ErrWouldDeadLetter": engine.ErrWouldDeadLetter,
	"ErrOverLimit": engine.ErrOverLimit, "ErrTaskNotFound": engine.ErrTaskNotFound, "ErrTaskRunning": engine.ErrTaskRunning,
	"ErrTaskState": engine.ErrTaskState, "ErrStoreFull": engine.ErrStoreFull, "ErrStoreFailed": engine.ErrStoreFailed, "ErrClosed": engine.ErrClosed,
}

// Every error that the engine can answer with has a sentence of ours.
func TestEveryEngineErrorHasWords(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../engine/errors.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.VAR {
			continue
		}
		for _, spec := range group.Specs {
			for _, name := range spec.(*ast.ValueSpec).Names {
				if sentinels[name.Name] == nil {
					t.Errorf("engine.%s is not in this test's table", name.Name)
				}
			}
		}
	}
	said := map[string]string{}
	for name, err := range sentinels {
		t.Run(name, func(t *testing.T) {
			got := errorText(fmt.Errorf("peek %q: %w", "orders", err))
			switch {
			case got == errorText(errors.New(err.Error())), strings.Contains(got, "peek"), strings.Contains(got, "Err"):
				t.Errorf("%v is said as %q: the engine's words", err, got)
			case said[got] != "":
				t.Errorf("%v is said as %s is: %q", err, said[got], got)
			}
			said[got] = name
		})
	}
}
