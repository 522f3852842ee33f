package smq

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// topics must have a row beside the operations.
var topics = []string{
	"parameters in any case", "errors", "handles", "delayed messages", "dead letters", "long polling", "signature version 2", "signature version 4",
	"no credentials", "allowed actions", "XML read", "XML written", "holder names", "FIFO queues over SMQ", "priority over SQS",
	"names of SMQ over SQS", "names of SQS over SMQ", "regions of SQS over SMQ", "which protocol came last",
}

func TestConformance(t *testing.T) {
	text, err := os.ReadFile("CONFORMANCE.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	for prefix, dir := range map[string]string{"": ".", "wire.": "..", "engine.": "../../engine"} {
		for _, name := range testsIn(t, dir) {
			tests[prefix+name] = true
		}
	}
	rows := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 2 || strings.Trim(cells[1], " -") == "" || strings.TrimSpace(cells[2]) == "test" {
			continue
		}
		if len(cells) != 5 {
			t.Errorf("a row of %d cells: %s", len(cells)-2, line)
			continue
		}
		what, names, note := strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2]), strings.TrimSpace(cells[3])
		rows[what] = true
		if names == "–" {
			if note == "" {
				t.Errorf("%s: neither a test nor a reason", what)
			}
			continue
		}
		for name := range strings.SplitSeq(names, ", ") {
			if !tests[name] {
				t.Errorf("%s: no test is called %q", what, name)
			}
		}
	}
	for _, want := range slices.Concat(slices.Sorted(maps.Keys(actions)), topics) {
		if !rows[want] {
			t.Errorf("no row for %s", want)
		}
	}
}

// testsIn lists the tests and fuzz targets of a folder.
func testsIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && (strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Fuzz")) {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}
