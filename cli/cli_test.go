package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"inflight/engine"
	"inflight/storage"
)

// runEnv makes the test binary be inflight: tests start it as a process of its
// own, with what is really there of terminals and signals.
const runEnv = "INFLIGHT_TEST_RUN"

func TestMain(m *testing.M) {
	if os.Getenv(runEnv) != "" {
		os.Exit(Main())
	}
	code := m.Run()
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// inflight prepares a process; its home is a new directory.
func inflight(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	home := t.TempDir()
	for _, setting := range os.Environ() {
		name, _, _ := strings.Cut(setting, "=")
		switch name {
		case "HOME", "XDG_DATA_HOME", "LocalAppData", "USERPROFILE", "TERM", "NO_COLOR", "LC_ALL", "LANG":
		default:
			cmd.Env = append(cmd.Env, setting)
		}
	}
	cmd.Env = append(cmd.Env, runEnv+"=1", "HOME="+home, "USERPROFILE="+home, "LocalAppData="+home,
		"TERM=tmux-256color", "LANG=C.UTF-8")
	return cmd
}

type result struct {
	code     int
	out, err string
}

func (r result) String() string {
	return fmt.Sprintf("exit code %d\nstdout: %s\nstderr: %s", r.code, r.out, r.err)
}

// finish runs a process to its end, without a terminal.
func finish(t *testing.T, cmd *exec.Cmd) result {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// here runs a command line in this process, where that makes no difference.
func here(t *testing.T, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(t.Context(), args, &out, &errs)
	return result{code, out.String(), errs.String()}
}

// newStore makes a store with one queue and one message.
func newStore(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "store")
	store, err := openStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(store, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.CreateQueue(t.Context(), "orders", engine.DefaultAttributes()); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Send(t.Context(), "orders", engine.SendRequest{Body: []byte("one")}); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// picture is every file below dir, with its content.
func picture(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %d %x\n", path, len(content), content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestExits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	tests := []struct {
		name string
		args []string
		env  string
		code int
		want string // all of standard error
	}{
		{"the console without a terminal", []string{"--data", dir}, "", 2,
			"the console needs a terminal for input and output; without one try: inflight demo --plain"},
		{"the demo without a terminal", []string{"demo"}, "", 2,
			"the console needs a terminal for input and output; without one try: inflight demo --plain"},
		{"a dumb terminal", []string{"--memory"}, "TERM=dumb", 2,
			"the console needs a terminal for input and output; without one try: inflight demo --plain"},
		{"a flag that there is not", []string{"--nope"}, "", 2, "unknown flag: --nope; see inflight --help"},
		{"a theme that there is not", []string{"--theme", "pink"}, "", 2,
			`invalid argument "pink" for "--theme" flag: it is dark or light; see inflight --help`},
		{"two places", []string{"--data", dir, "--memory"}, "", 2,
			"--data and --memory exclude each other; see inflight --help"},
		{"a variable that is not set", []string{"serve", "--credentials", ""}, "", 2,
			`invalid argument "" for "--credentials" flag: it is empty; see inflight --help`},
		{"a directory without a name", []string{"check", "--data", ""}, "", 2,
			`invalid argument "" for "--data" flag: it is empty; see inflight --help`},
		{"a command that there is not", []string{"orders"}, "", 2, `there is no command "orders"; see inflight --help`},
		{"a command misspelt", []string{"chekc"}, "", 2, `there is no command "chekc"; is it check?; see inflight --help`},
		{"a word too many", []string{"version", "please"}, "", 2,
			`version takes no argument, and got "please"; see inflight --help`},
		{"a shell that there is not", []string{"completion", "csh"}, "", 2,
			`there is no command "csh"; see inflight --help`},
		{"a time without --plain", []string{"demo", "--for", "2s"}, "", 2,
			"--for goes with --plain only; see inflight --help"},
		{"a time that is none", []string{"demo", "--plain", "--for", "-2s"}, "", 2,
			"--for must be longer than nothing; see inflight --help"},
		{"a check of nothing", []string{"check", "--data", dir}, "", 1, "there is no store in " + dir},
		{"a path with an escape", []string{"check", "--data", dir + "\x1b[2J"}, "", 1,
			"there is no store in " + dir + "\uFFFD[2J"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cmd := inflight(t, tt.args...)
			cmd.Env = append(cmd.Env, tt.env)
			got := finish(t, cmd)
			if got.code != tt.code || got.out != "" || got.err != "inflight: "+tt.want+"\n" {
				t.Errorf("inflight %q: %v\nwant exit code %d and on standard error only: %s", tt.args, got, tt.code, tt.want)
			}
			if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("inflight %q made %s", tt.args, dir)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	got := finish(t, inflight(t, "version"))
	want := regexp.MustCompile(`^inflight ` + regexp.QuoteMeta(version) + `( [0-9a-f]{12}\+?)? \(go\S+ ` + runtime.GOOS + "/" + runtime.GOARCH + `\)\n$`)
	if got.code != 0 || !want.MatchString(got.out) {
		t.Errorf("version: %v\nwant %v", got, want)
	}
}

func TestHelpNamesTheTwoMainCommandsFirst(t *testing.T) {
	got := here(t, "--help")
	var at []int
	for _, text := range []string{"  inflight         open", "  inflight demo    watch", "Usage:", "Available Commands:", "--data", "--memory", "--no-color", "--ascii", "--theme"} {
		at = append(at, strings.Index(got.out, text))
	}
	for i := range at {
		if at[i] < 0 || i > 0 && i < 4 && at[i] < at[i-1] {
			t.Fatalf("--help: %v\nwant the console, the demo, then the rest (found at %v)", got, at)
		}
	}
	for _, command := range rootCommand(nil, nil).Commands() {
		got := here(t, command.Name(), "--help")
		if got.code != 0 || len(got.out) < 100 || got.err != "" {
			t.Errorf("%s --help: %v", command.Name(), got)
		}
	}
}

func TestCompletions(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if got := here(t, "completion", shell); got.code != 0 || !strings.Contains(got.out, "inflight") {
			t.Errorf("completion %s: %v", shell, got)
		}
	}
	if got := here(t, "__complete", "--theme", ""); !strings.Contains(got.out, "dark\nlight\n") {
		t.Errorf("completion of --theme: %v", got)
	}
}

func TestCheck(t *testing.T) {
	dir := newStore(t)
	if got := finish(t, inflight(t, "check", "--data", dir)); got.code != 0 || got.out != dir+": sound\n" || got.err != "" {
		t.Errorf("check of a sound store: %v", got)
	}
}

type unsound struct{ problems []string }

func (u unsound) Check(report func(string)) error {
	for _, problem := range u.problems {
		report(problem)
	}
	return nil
}

func TestCheckPrintsProblems(t *testing.T) {
	var out bytes.Buffer
	err := report(&out, "here", unsound{[]string{"lane 8: a hole", "a body: \x1b[2J"}})
	if exitCode(err) != exitFailure || describe(err) != nil {
		t.Errorf("two problems: code %d and %q, want 1 and nothing more to say", exitCode(err), describe(err))
	}
	if want := "lane 8: a hole\na body: \uFFFD[2J\nhere: problems: 2\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}

// Each of these says what is wrong and how to go on, and changes nothing.
func TestStoresThatCannotBeHad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	newer := newStore(t)
	if err := os.WriteFile(filepath.Join(newer, "layout"), []byte("inflight store, layout 99\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		dir  string
		want []string
	}{
		{"a file", file, []string{file, "is not a directory", "--data", "--memory"}},
		{"below a file", filepath.Join(file, "x"), []string{file, "--data", "--memory"}},
		{"somebody's files", filepath.Dir(file), []string{"another program", "--data", "--memory"}},
		{"a newer layout", newer, []string{newer, "newer inflight", "layout 99", "nothing was changed"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := picture(t, filepath.Dir(file)) + picture(t, newer)
			got := finish(t, inflight(t, "check", "--data", tt.dir))
			oneClearLine(t, got, tt.want)
			if after := picture(t, filepath.Dir(file)) + picture(t, newer); after != before {
				t.Errorf("files changed:\n%s\n%s", before, after)
			}
		})
	}
}

func oneClearLine(t *testing.T, got result, want []string) {
	t.Helper()
	if got.code != 1 || got.out != "" || strings.Count(got.err, "\n") != 1 || !strings.HasPrefix(got.err, "inflight: ") {
		t.Errorf("%v\nwant exit code 1 and one line", got)
	}
	for _, text := range want {
		if !strings.Contains(got.err, text) {
			t.Errorf("%q lacks %q", got.err, text)
		}
	}
}

func TestAStoreInUse(t *testing.T) {
	dir := newStore(t)
	store, err := storage.Open(dir, storage.Options{Owner: storage.Owner{Command: "a test"}})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	got := finish(t, inflight(t, "check", "--data", dir))
	oneClearLine(t, got, []string{
		dir, "in use by process " + fmt.Sprint(os.Getpid()), "(a test)", " since 20", "--data", "--memory",
	})
	if err := store.Check(func(problem string) { t.Error(problem) }); err != nil {
		t.Error(err)
	}
}

func TestDescribe(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want []string
	}{
		{"nothing", nil, nil},
		{"what was said already", errSaid, nil},
		{"two at once", errors.Join(errors.New("one"), errors.New("two")), []string{"one", "two"}},
		{"a text of two lines", errors.New("one\ntwo\n"), []string{"one two"}},
		{"a full disk", fmt.Errorf("open: %w", &storage.FullError{Dir: "d", Free: 3 << 20, Need: 200 << 20}),
			[]string{"d: the disk is nearly full: 3 MiB free, 200 MiB needed; nothing was changed; make room, or: " + otherPlaces}},
		{"a holder that nothing is known of", &storage.InUseError{Dir: "d"},
			[]string{"d is in use by another process; close that, or: " + otherPlaces}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := describe(tt.err); strings.Join(got, "|") != strings.Join(tt.want, "|") {
				t.Errorf("describe(%v) = %q, want %q", tt.err, got, tt.want)
			}
		})
	}
}

func TestDataDir(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths with slashes")
	}
	tests := []struct {
		name, goos, home string
		env              map[string]string
		want             string
	}{
		{"Linux", "linux", "/home/ana", nil, "/home/ana/.local/share/inflight"},
		{"Linux with XDG_DATA_HOME", "linux", "/home/ana", map[string]string{"XDG_DATA_HOME": "/data"}, "/data/inflight"},
		{"a relative XDG_DATA_HOME", "linux", "/home/ana", map[string]string{"XDG_DATA_HOME": "data"}, "/home/ana/.local/share/inflight"},
		{"FreeBSD", "freebsd", "/home/ana", nil, "/home/ana/.local/share/inflight"},
		{"macOS", "darwin", "/Users/ana", map[string]string{"XDG_DATA_HOME": "/data"}, "/Users/ana/Library/Application Support/inflight"},
		{"Windows", "windows", "/U/ana", map[string]string{"LocalAppData": "/L"}, "/L/inflight"},
		{"Windows without LocalAppData", "windows", "/U/ana", nil, "/U/ana/AppData/Local/inflight"},
		{"no home", "linux", "", nil, ""},
		{"no home on macOS", "darwin", "", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := dataDir(tt.goos, func(name string) string { return tt.env[name] }, tt.home)
			if got != tt.want || (err != nil) != (tt.want == "") {
				t.Errorf("dataDir = %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

func TestAPlaceHasAShortName(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	tests := []struct {
		name  string
		place place
		want  string
	}{
		{"memory", place{memory: true}, "memory"},
		{"below home", place{data: filepath.Join(home, "a", "b")}, filepath.Join("~", "a", "b")},
		{"a neighbour of home", place{data: home + "2"}, home + "2"},
		{"a directory called memory", place{data: filepath.Join(home, "memory")}, filepath.Join("~", "memory")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.place.name(); got != tt.want {
				t.Errorf("%+v.name() = %q, want %q", tt.place, got, tt.want)
			}
		})
	}
}

func TestUTF8Locale(t *testing.T) {
	tests := []struct {
		name string
		env  map[string]string
		want bool
	}{
		{"none is set", nil, true},
		{"a UTF-8 one", map[string]string{"LANG": "de_DE.UTF-8"}, true},
		{"spelt otherwise", map[string]string{"LANG": "C.utf8"}, true},
		{"C", map[string]string{"LANG": "C"}, false},
		{"LC_ALL counts more", map[string]string{"LC_ALL": "POSIX", "LANG": "C.UTF-8"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := utf8Locale(func(name string) string { return tt.env[name] }); got != tt.want {
				t.Errorf("utf8Locale(%v) = %v, want %v", tt.env, got, tt.want)
			}
		})
	}
}
