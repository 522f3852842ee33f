package storage

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"inflight/engine"
)

// holdDir names the directory that a re-executed test binary holds open until
// its input ends.
const holdDir = "INFLIGHT_TEST_HOLD"

func hold(dir string) {
	s, err := Open(dir, Options{Owner: Owner{Command: "holder", Endpoint: "http://127.0.0.1:1"}})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("open")
	io.Copy(io.Discard, os.Stdin)
	s.Close()
}

func TestANewStoreHasOnlyASecret(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		c := load(t, s)
		if !reflect.DeepEqual(c.order, []string{"meta"}) {
			t.Errorf("Load of a new store called %v, want only meta", c.order)
		}
		if c.meta.Secret == [32]byte{} {
			t.Error("a new store's secret is zero")
		}
	})
}

func TestTheSecretStays(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{NoSync: true})
	want := load(t, s).meta
	s.Close()
	if got := load(t, open(t, dir, Options{NoSync: true})).meta; got != want {
		t.Errorf("the meta record after reopening = %v, want %v", got, want)
	}
}

func TestADirectoryThatCannotBeUsedIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "letter.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	marked := t.TempDir()
	if err := os.WriteFile(filepath.Join(marked, layoutFile), []byte("LAYOUT OF THE GARDEN"), 0o600); err != nil {
		t.Fatal(err)
	}
	// Where the owner file must go lies a directory: not writable, even for root.
	blocked := t.TempDir()
	if err := os.Mkdir(filepath.Join(blocked, ownerFile), 0o700); err != nil {
		t.Fatal(err)
	}
	// The same for reading.
	unreadable := t.TempDir()
	if err := os.Mkdir(filepath.Join(unreadable, layoutFile), 0o700); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, dir, reason string }{
		{"a file", file, "is not a directory"},
		{"a place below a file", filepath.Join(file, "below"), "lies below a file"},
		{"somebody's files", home, "holds files of another program, such as letter.txt"},
		{"another program's mark", marked, "holds files of another program"},
		{"a directory that cannot be written", blocked, "cannot be written"},
		{"a directory that cannot be read", unreadable, "cannot be read"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := listing(t, tt.dir)
			s, err := Open(tt.dir, Options{})
			if err == nil {
				s.Close()
			}
			var refused *DirError
			if !errors.As(err, &refused) || refused.Reason != tt.reason || refused.Dir != tt.dir {
				t.Errorf("Open(%q) = %v, want a DirError with %q", tt.dir, err, tt.reason)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error has several lines: %q", err)
			}
			if after := listing(t, tt.dir); !maps.Equal(before, after) {
				t.Errorf("the directory was changed: %v, was %v", after, before)
			}
		})
	}
}

// listing is the contents of each file below dir.
func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		files[path] = string(b)
		return nil
	})
	return files
}

func TestANewerStoreIsRefusedAndLeftAlone(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{NoSync: true})
	s.Close()
	if err := os.WriteFile(filepath.Join(dir, layoutFile), []byte(layoutText+"7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := listing(t, dir)
	_, err := Open(dir, Options{})
	var newer *NewerError
	if !errors.As(err, &newer) || *newer != (NewerError{Dir: dir, Layout: 7, Known: layout}) {
		t.Errorf("Open() = %v, want a NewerError of layout 7", err)
	}
	if after := listing(t, dir); !maps.Equal(before, after) {
		t.Error("the directory was changed")
	}
}

func TestANewerRecordIsRefusedWithoutTheLayoutFile(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{NoSync: true})
	want := appendMeta(nil, metaRecord{layout: 9})
	want[0] = 200 // of a version that nobody knows yet
	s.tables.update(func(w writing) error { return w.set(appendMetaKey(nil), want) })
	s.tables.close() // not Close, which would write the record
	s.closed = true
	close(s.stopCollecting)
	s.owner.release()
	os.Remove(filepath.Join(dir, layoutFile))

	_, err := Open(dir, Options{NoSync: true})
	var newer *NewerError
	if !errors.As(err, &newer) || newer.Layout != 9 {
		t.Errorf("Open() = %v, want a NewerError of layout 9", err)
	}
	d, err := openDisk(dir, Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	d.view(func(r reading) error {
		_, err := r.get(appendMetaKey(nil), func(got []byte) error {
			if !reflect.DeepEqual(got, want) {
				t.Errorf("the record was changed to %x, was %x", got, want)
			}
			return nil
		})
		return err
	})
}

func TestAnotherProgramsDatabaseIsRefused(t *testing.T) {
	dir := t.TempDir()
	d, err := openDisk(dir, Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	d.update(func(w writing) error { return w.set([]byte("their key"), []byte("1")) })
	d.close()
	var refused *DirError
	if _, err := Open(dir, Options{}); !errors.As(err, &refused) || refused.Reason != "holds a database of another program" {
		t.Errorf("Open() = %v, want a DirError", err)
	}
}

func TestASecondOpenLearnsWhoIsThere(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{NoSync: true, Now: func() time.Time { return start }, Owner: Owner{Command: "inflight serve"}})
	if err := s.Announce("http://127.0.0.1:9324"); err != nil {
		t.Fatal(err)
	}
	_, err := Open(dir, Options{})
	var used *InUseError
	want := InUseError{Dir: dir, PID: os.Getpid(), Since: start, Command: "inflight serve", Endpoint: "http://127.0.0.1:9324"}
	if !errors.As(err, &used) || *used != want {
		t.Errorf("Open() = %#v, want %#v", err, want)
	}
	s.Close()
	if _, err := os.Stat(filepath.Join(dir, "LOCK")); err == nil {
		t.Error("Badger's own lock was left behind")
	}
	open(t, dir, Options{NoSync: true})
}

func TestBadgersOwnLockCountsToo(t *testing.T) {
	dir := t.TempDir()
	d, err := openDisk(dir, Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	var used *InUseError
	if _, err := Open(dir, Options{}); !errors.As(err, &used) || used.PID != os.Getpid() {
		t.Errorf("Open() = %v, want an InUseError with our process number", err)
	}
}

func TestAnotherProcessHoldsTheDirectory(t *testing.T) {
	dir := t.TempDir()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), holdDir+"="+dir)
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "open\n" {
		t.Fatalf("the other process said %q, %v", line, err)
	}
	_, err = Open(dir, Options{})
	var used *InUseError
	if !errors.As(err, &used) || used.PID != child.Process.Pid || used.Command != "holder" || used.Endpoint != "http://127.0.0.1:1" || used.Since.IsZero() {
		t.Errorf("Open() = %v, want an InUseError with process %d", err, child.Process.Pid)
	}
	child.Process.Kill() // the owner file stays
	child.Wait()
	if b, _ := os.ReadFile(filepath.Join(dir, ownerFile)); len(b) == 0 {
		t.Error("the killed process left no owner file; the test shows nothing")
	}
	open(t, dir, Options{})
}

func TestSpaceLevels(t *testing.T) {
	dir := t.TempDir()
	free, failure := Reserve, error(nil)
	s := open(t, dir, Options{NoSync: true, Free: func() (uint64, error) { return free, failure }})
	for _, tt := range []struct {
		free uint64
		want engine.Space
	}{
		{1 << 40, engine.SpaceEnough}, {Reserve, engine.SpaceEnough}, {Reserve - 1, engine.SpaceLow},
		{Reserve / 2, engine.SpaceLow}, {Reserve/2 - 1, engine.SpaceOut}, {0, engine.SpaceOut},
	} {
		free = tt.free
		if got, err := s.Space(); got != tt.want || err != nil {
			t.Errorf("Space() with %d bytes free = %v, %v, want %v", tt.free, got, err, tt.want)
		}
	}
	s.tables = merging{s.tables, 100 << 20}
	for _, tt := range []struct {
		free uint64
		want engine.Space
	}{
		{Reserve + 100<<20, engine.SpaceEnough}, {Reserve + 100<<20 - 1, engine.SpaceLow}, {Reserve/2 + 100<<20 - 1, engine.SpaceOut},
	} {
		free = tt.free
		if got, err := s.Space(); got != tt.want || err != nil {
			t.Errorf("Space() with %d bytes free before a merge of 100 MiB = %v, %v, want %v", tt.free, got, err, tt.want)
		}
	}
	failure = errors.New("no such device")
	if got, err := s.Space(); got != engine.SpaceOut || !errors.Is(err, failure) {
		t.Errorf("Space() = %v, %v, want SpaceOut and the error", got, err)
	}
	m, _ := OpenMemory()
	defer m.Close()
	if got, err := m.Space(); got != engine.SpaceEnough || err != nil {
		t.Errorf("Space() in memory = %v, %v, want enough", got, err)
	}
}

// merging are tables that have much to merge.
type merging struct {
	tables
	bytes uint64
}

func (m merging) merge() uint64 { return m.bytes }

func TestWhatIsToBeMergedIsCounted(t *testing.T) {
	s := open(t, t.TempDir(), Options{NoSync: true})
	if bytes := s.tables.merge(); bytes != 0 {
		t.Errorf("an empty store has %d bytes to merge", bytes)
	}
	commit(t, s, sound())
	if err := s.Close(); err != nil { // which writes the memtable as a table
		t.Fatal(err)
	}
	again := open(t, s.dir, Options{NoSync: true})
	if bytes := again.tables.merge(); bytes < lowerMerge {
		t.Errorf("a store with a table has %d bytes to merge", bytes)
	}
}

func TestAStoreWhoseMarkIsNotWholeIsOpened(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, Options{})
	commit(t, s, sound())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{layoutFile, newLayoutFile} { // as a crash leaves them
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(dir, Options{})
		if err != nil {
			t.Fatalf("Open() with an empty %s: %v", name, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, layoutFile)); err != nil || string(text) != layoutText+"1\n" {
		t.Errorf("the mark is %q, %v", text, err)
	}
}

func TestTheSystemTellsItsFreeSpace(t *testing.T) {
	if free, err := freeBytes(t.TempDir()); err != nil || free == 0 {
		t.Errorf("freeBytes() = %d, %v", free, err)
	}
}

func TestAFullDiskIsNotOpened(t *testing.T) {
	dir := t.TempDir()
	_, err := Open(dir, Options{Free: func() (uint64, error) { return Reserve - 1, nil }})
	var full *FullError
	if !errors.As(err, &full) || *full != (FullError{Dir: dir, Free: Reserve - 1, Need: Reserve}) {
		t.Errorf("Open() = %v, want a FullError", err)
	}
	if files := listing(t, dir); len(files) != 0 {
		t.Errorf("the directory was changed: %v", files)
	}
}

func TestAClosedStoreRefuses(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		if err := s.Close(); err != nil {
			t.Fatalf("Close() = %v", err)
		}
		_, read := s.Read([]engine.Ref{ref(1, 1, 1)}, -1)
		_, history := s.History(ref(1, 1, 1))
		_, selection := s.Selection(1)
		_, sweep := s.Sweep(1, 1, 1)
		for call, err := range map[string]error{
			"Commit": s.Commit([]*engine.Change{{}}), "Load": s.Load(new(contents)), "Check": s.Check(func(string) {}),
			"Collect": s.Collect(), "Read": read, "History": history, "Selection": selection, "Sweep": sweep,
		} {
			if !errors.Is(err, engine.ErrClosed) {
				t.Errorf("%s after Close = %v, want ErrClosed", call, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Errorf("a second Close() = %v", err)
		}
	})
}

func TestAnUncleanStopWithoutSyncIsMended(t *testing.T) {
	for _, noSync := range []bool{true, false} {
		t.Run(fmt.Sprintf("NoSync %v", noSync), func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir, Options{NoSync: noSync})
			commit(t, s, sound())
			s.tables.update(func(w writing) error { return w.drop(appendRefKey(nil, tableMessage, ref(1, 1, 4))) })
			s.tables.close() // like a crash: not marked as clean
			s.closed = true
			close(s.stopCollecting)
			s.owner.release()

			var logged []string
			s = open(t, dir, Options{NoSync: noSync, Logger: func(format string, args ...any) {
				logged = append(logged, fmt.Sprintf(format, args...))
			}})
			problems := check(t, s)
			if mended := len(problems) == 0; mended != noSync {
				t.Errorf("Check() after reopening = %q, mended = %v, want %v", problems, mended, noSync)
			}
			if said := strings.Contains(strings.Join(logged, "\n"), "position 4: no message"); said != noSync {
				t.Errorf("logged %q, want the mended position: %v", logged, noSync)
			}
		})
	}
}
