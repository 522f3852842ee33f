package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "inflight"

// room is what a folder may import besides the standard library and itself: a
// path, or a path and "/..." for all below it.
type room struct {
	code  []string
	tests []string // beyond what its code may
}

// rooms is the map of the house. A folder that is not on it fails, as does an
// import that its room does not list.
var rooms = map[string]room{
	".": {
		code:  []string{"inflight/cli"},
		tests: []string{},
	},
	"cli": {
		code: []string{
			"inflight/engine", "inflight/storage", "inflight/wire", "inflight/scenario", "inflight/ui",
			"github.com/spf13/cobra", "github.com/mattn/go-isatty",
		},
		tests: []string{"github.com/creack/pty", "go.uber.org/goleak", "github.com/charmbracelet/x/vt"},
	},
	"engine": {
		code:  []string{"github.com/google/uuid", "github.com/tidwall/btree", "golang.org/x/sync/semaphore"},
		tests: []string{"pgregory.net/rapid", "go.uber.org/goleak", "inflight/storage"}, // the real store, in engine_test only
	},
	"storage": {
		code: []string{
			"inflight/engine", "github.com/dgraph-io/badger/v4/...", "github.com/google/uuid",
			"github.com/tidwall/btree", "golang.org/x/sys/...",
		},
		tests: []string{"pgregory.net/rapid", "go.uber.org/goleak"},
	},
	"wire": { // what the protocols share stands here and is given to them: they do not know it
		code:  []string{"inflight/engine", "inflight/wire/sqs", "inflight/wire/smq"},
		tests: []string{"inflight/storage", "go.uber.org/goleak", "github.com/aws/aws-sdk-go-v2/...", "github.com/aws/smithy-go"},
	},
	"wire/sqs": {
		code:  []string{"inflight/engine", "github.com/google/uuid", "golang.org/x/sys/unix"},
		tests: []string{"inflight/storage", "pgregory.net/rapid", "go.uber.org/goleak"},
	},
	"wire/smq": {
		code:  []string{"inflight/engine"},
		tests: []string{"inflight/storage", "go.uber.org/goleak"},
	},
	"keymap": {
		code: []string{"github.com/charmbracelet/bubbles/..."},
	},
	"ui": {
		code: []string{
			"inflight/engine", "inflight/keymap", "github.com/charmbracelet/...", "github.com/google/uuid",
			"github.com/aymanbagabas/go-osc52/v2", "github.com/mattn/go-runewidth", "github.com/rivo/uniseg",
			"github.com/muesli/termenv",
		},
		tests: []string{
			"inflight/storage", "inflight/scenario", "pgregory.net/rapid", "go.uber.org/goleak",
			"github.com/creack/pty", "github.com/hinshun/vt10x", "github.com/lucasb-eyer/go-colorful",
		},
	},
	"scenario": {
		code:  []string{"inflight/engine"},
		tests: []string{"inflight/storage", "go.uber.org/goleak", "github.com/google/uuid"},
	},
	"screenshots": {
		code: []string{
			"inflight/engine", "inflight/storage", "inflight/scenario", "inflight/ui",
			"github.com/charmbracelet/...", "golang.org/x/image/...", "github.com/google/uuid",
		},
		tests: []string{"github.com/creack/pty", "go.uber.org/goleak"},
	},
}

// unwanted names say nothing about what is inside.
var unwanted = []string{"util", "utils", "common", "helper", "helpers", "manager", "misc"}

const (
	longestFile     = 400 // lines
	longestFunction = 60  // lines, its first and last included
)

// source is one Go file of the repository.
type source struct {
	name string // from the top, with slashes
	room string // its folder
	test bool
	text string
	set  *token.FileSet
	file *ast.File
}

func sources(t *testing.T) []source {
	t.Helper()
	var found []source
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() {
			if name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		found = append(found, source{
			name: name, room: path.Dir(name), test: strings.HasSuffix(name, "_test.go"),
			text: string(text), set: set, file: file,
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatal("no Go files found")
	}
	return found
}

func TestArrows(t *testing.T) {
	for _, s := range sources(t) {
		for _, spec := range s.file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if problem := arrow(s.room, s.test, imported); problem != "" {
				t.Errorf("%s: %s", s.set.Position(spec.Pos()), problem)
			}
		}
	}
}

// arrow says what is wrong with a room's import, or nothing.
func arrow(name string, test bool, imported string) string {
	r, ok := rooms[name]
	if !ok {
		return fmt.Sprintf("%s is not on the map of rooms: say there what it may import", name)
	}
	first, _, _ := strings.Cut(imported, "/")
	if !strings.Contains(first, ".") && first != module {
		return "" // the standard library
	}
	if imported == path.Join(module, name) {
		if test {
			return "" // an outside test of the room itself
		}
		return "imports itself"
	}
	allowed, what := r.code, "code"
	if test {
		allowed, what = slices.Concat(r.code, r.tests), "tests"
	}
	for _, pattern := range allowed {
		below, all := strings.CutSuffix(pattern, "/...")
		if imported == pattern || all && (imported == below || strings.HasPrefix(imported, below+"/")) {
			return ""
		}
	}
	return fmt.Sprintf("the %s of %s may not import %s; it may import the standard library and: %s",
		what, name, imported, strings.Join(allowed, ", "))
}

func TestArrowRefuses(t *testing.T) {
	tests := []struct {
		name     string
		room     string
		test     bool
		imported string
		want     bool // a problem
	}{
		{"the engine may use the standard library", "engine", false, "crypto/hmac", false},
		{"the engine knows no database", "engine", false, "github.com/dgraph-io/badger/v4", true},
		{"the engine knows no screen", "engine", false, "github.com/charmbracelet/lipgloss", true},
		{"the engine's tests may use the real store", "engine", true, "inflight/storage", false},
		{"the engine's code may not", "engine", false, "inflight/storage", true},
		{"the console knows no store", "ui", false, "inflight/storage", true},
		{"the store knows no console", "storage", true, "inflight/ui", true},
		{"a protocol does not know another", "wire/smq", false, "inflight/wire/sqs", true},
		{"a protocol knows no server", "wire/sqs", false, "inflight/wire", true},
		{"the server knows no store", "wire", false, "inflight/storage", true},
		{"only tests know the SDK", "wire", false, "github.com/aws/aws-sdk-go-v2/aws", true},
		{"the engine knows no protocol", "engine", false, "inflight/wire/sqs", true},
		{"the traffic knows no screen", "scenario", false, "inflight/ui", true},
		{"the command line draws nothing", "cli", false, "github.com/charmbracelet/bubbletea", true},
		{"a folder below a listed one counts", "storage", false, "github.com/dgraph-io/badger/v4/options", false},
		{"a name that only begins alike does not", "storage", false, "github.com/dgraph-io/badger/v40", true},
		{"a room that is not on the map", "stuff", false, "fmt", true},
		{"a test from outside imports its room", "scenario", true, "inflight/scenario", false},
		{"the program calls the command line only", ".", false, "inflight/engine", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := arrow(tt.room, tt.test, tt.imported); (got != "") != tt.want {
				t.Errorf("arrow(%q, %v, %q) = %q, want a problem: %v", tt.room, tt.test, tt.imported, got, tt.want)
			}
		})
	}
}

func TestSizes(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		if lines := strings.Count(s.text, "\n"); lines > longestFile {
			t.Errorf("%s has %d lines, more than %d", s.name, lines, longestFile)
		}
		for _, problem := range longFunctions(s.set, s.file) {
			t.Error(problem)
		}
	}
}

func longFunctions(set *token.FileSet, file *ast.File) (problems []string) {
	ast.Inspect(file, func(node ast.Node) bool {
		name := "a function literal"
		switch f := node.(type) {
		case *ast.FuncDecl:
			name = f.Name.Name
		case *ast.FuncLit:
		default:
			return true
		}
		from, to := set.Position(node.Pos()), set.Position(node.End())
		if lines := to.Line - from.Line + 1; lines > longestFunction {
			problems = append(problems, fmt.Sprintf("%s: %s has %d lines, more than %d", from, name, lines, longestFunction))
		}
		return true
	})
	return problems
}

func TestLongFunctionsAreFound(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines int
		want  int
	}{{"as long as may be", longestFunction, 0}, {"one line more", longestFunction + 1, 1}} {
		t.Run(tt.name, func(t *testing.T) {
			set := token.NewFileSet()
			text := "package p\n\nfunc f() {" + strings.Repeat("\n", tt.lines-1) + "}\n"
			file, err := parser.ParseFile(set, "p.go", text, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := longFunctions(set, file); len(got) != tt.want {
				t.Errorf("longFunctions of a function of %d lines = %q, want %d problems", tt.lines, got, tt.want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	for _, s := range sources(t) {
		if problem := badName(s.name, s.file.Name.Name); problem != "" {
			t.Error(problem)
		}
	}
}

// badName looks for unwanted words in a path and its package's name.
func badName(name, pkg string) string {
	words := strings.FieldsFunc(strings.ToLower(strings.TrimSuffix(name, ".go")+"/"+pkg), func(r rune) bool {
		return r == '/' || r == '_' || r == '-' || r == '.'
	})
	for _, word := range words {
		if slices.Contains(unwanted, word) {
			return fmt.Sprintf("%s: a name that says nothing: %s", name, word)
		}
	}
	return ""
}

func TestBadNamesAreFound(t *testing.T) {
	for name, want := range map[string]bool{
		"engine/receive.go": false, "engine/utility.go": false,
		"engine/util.go": true, "engine/time_helper.go": true, "common/words.go": true, "ui/Manager.go": true,
	} {
		if got := badName(name, "p"); (got != "") != want {
			t.Errorf("badName(%q) = %q, want a problem: %v", name, got, want)
		}
	}
}

func TestEveryRoomExists(t *testing.T) {
	for name := range rooms {
		if info, err := os.Stat(filepath.FromSlash(name)); err != nil || !info.IsDir() {
			t.Errorf("the map has a room %q that is not there", name)
		}
	}
}

func TestChangelogNamesTheVersion(t *testing.T) {
	changelog, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(filepath.Join("cli", "version.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(changelog), "\n## [")
	newest, _, closed := strings.Cut(after, "]")
	if !ok || !closed {
		t.Fatal("CHANGELOG.md has no heading such as \"## [0.1.0]\"")
	}
	if want := fmt.Sprintf("const version = %q", newest); !strings.Contains(string(code), want) {
		t.Errorf("cli/version.go lacks %s, which is the newest version in CHANGELOG.md", want)
	}
}
