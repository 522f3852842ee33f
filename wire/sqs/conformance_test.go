package sqs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// facts of the sheet, in its order.
const sheet = `
W1 W2 W3 W4 W5 W6 W7 W10 W11 W12 W13 W14 W15 W16 W17 W18 1.3 1.4
Q1 Q2 Q3 Q4 2.2 Q10 Q11 Q12 Q13 Q14 Q15 Q16 Q17 Q18
Q20 Q21 Q22 Q23 Q24 Q25 Q26 Q27 Q28 Q29 Q30 Q31 Q32 Q33
S1 S2 S3 S4 S5 S6 S7 S10 S11 S12 S13 3.2 B1 B2 B3 B4 B5 B6 B7 B8 B9
R1 R2 R3 R4 R5 R5a R6 R7 R8 R9 R10 R11 R12 R13 R14 R15 R16 R17 V1 V2 V3 V4 V5 V6 V7 V8 V9 V10 V11
F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 F13 D1 D2 D3 D4 D5 D6 D7 D8 D9 D10
M1 M2 M3 M4 M5 M6 M7 M8 M9 M10 M11 M12 M13 M14 M15 M16 M17`

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
	wanted := strings.Fields(sheet)
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 2 || strings.Trim(cells[1], " -") == "" || strings.TrimSpace(cells[1]) == "fact" {
			continue
		}
		if len(cells) != 6 {
			t.Errorf("a row of %d cells: %s", len(cells)-2, line)
			continue
		}
		fact, what, names, note := cells[1], cells[2], strings.TrimSpace(cells[3]), strings.TrimSpace(cells[4])
		if fact = strings.TrimSpace(fact); len(wanted) == 0 || fact != wanted[0] {
			t.Fatalf("fact %s, want %v", fact, wanted)
		}
		wanted = wanted[1:]
		if strings.TrimSpace(what) == "" || names == "–" && note == "" {
			t.Errorf("%s: neither a test nor a reason", fact)
		}
		if names == "–" {
			continue
		}
		for name := range strings.SplitSeq(names, ", ") {
			if !tests[name] {
				t.Errorf("%s: no test is called %q", fact, name)
			}
		}
	}
	if len(wanted) > 0 {
		t.Errorf("facts without a row: %v", wanted)
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
