package storage

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"inflight/engine"
)

// TestCollectingDoesNotDisturbReading reads what stays while most of the value
// logs around it are rewritten and removed.
func TestCollectingDoesNotDisturbReading(t *testing.T) {
	dir := t.TempDir()
	options := Options{NoSync: true, valueLog: 1 << 20}
	stay := fillLogs(t, dir, options)
	s := openIdle(t, dir, options)
	before := logs(t, dir)
	collected := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() { readUntil(t, s, stay, collected) })
	}
	if err := s.Collect(); err != nil {
		t.Errorf("Collect() = %v", err)
	}
	close(collected)
	readers.Wait()
	if now := logs(t, dir); now >= before {
		t.Errorf("%d value logs before, %d after Collect: the test shows nothing", before, now)
	}
}

// fillLogs makes a store with many value logs of messages of which each fourth
// stays, and returns those.
func fillLogs(t *testing.T, dir string, options Options) (stay []engine.Ref) {
	t.Helper()
	body := strings.Repeat("x", 2000)
	for pos := uint64(0); pos < 6000; {
		s := openIdle(t, dir, options)
		puts, drops := new(engine.Change), new(engine.Change)
		for range 500 {
			r := ref(1, 1, pos)
			puts.Puts = append(puts.Puts, engine.Put{Ref: r, Message: message(body)})
			if pos%4 == 0 {
				stay = append(stay, r)
			} else {
				drops.Drops = append(drops.Drops, r)
			}
			pos++
		}
		commit(t, s, puts)
		commit(t, s, drops)
		s.Close() // leaves a table; compacting them tells what was dropped
	}
	s := openIdle(t, dir, options)
	if err := s.tables.(*disk).db.Flatten(1); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return stay
}

// readUntil reads refs again and again, and once more after done.
func readUntil(t *testing.T, s *Store, refs []engine.Ref, done chan struct{}) {
	for over := false; !over; {
		select {
		case <-done:
			over = true
		default:
		}
		list, err := s.Read(refs, 0)
		if err != nil {
			t.Errorf("Read() while space is collected = %v", err)
			return
		}
		for i, m := range list {
			if m == nil {
				t.Errorf("the message at %v is gone", refs[i])
				return
			}
		}
	}
}

// openIdle opens a store that collects only when it is told to.
func openIdle(t *testing.T, dir string, o Options) *Store {
	t.Helper()
	o.Keep = true
	return open(t, dir, o)
}

func logs(t *testing.T, dir string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.vlog"))
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}

// TestNothingIsCollectedFromADamagedLog breaks one message: copying what is
// alive up to there would lose all that follows.
func TestNothingIsCollectedFromADamagedLog(t *testing.T) {
	dir := t.TempDir()
	options := Options{NoSync: true, valueLog: 1 << 20}
	stay := fillLogs(t, dir, options)
	files, err := filepath.Glob(filepath.Join(dir, "*.vlog"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	first := bytes.Index(b, []byte(strings.Repeat("x", 200)))
	b[first+4000] ^= 1 // in the second or third message of the log
	if err := os.WriteFile(files[0], b, 0o600); err != nil {
		t.Fatal(err)
	}
	s := openIdle(t, dir, options)
	unreadable := func() (n int) {
		for _, r := range stay {
			if list, err := s.Read([]engine.Ref{r}, -1); err != nil || list[0] == nil {
				n++
			}
		}
		return n
	}
	before, lost := logs(t, dir), unreadable()
	if lost > 1 {
		t.Fatalf("one broken byte makes %d messages unreadable", lost)
	}
	var damaged *DamagedLogError
	if err := s.Collect(); !errors.As(err, &damaged) || damaged.Log != files[0] || damaged.Offset >= int64(first+4000) {
		t.Errorf("Collect() = %v, want the damage in %s before byte %d", err, files[0], first+4000)
	}
	if now := logs(t, dir); now != before {
		t.Errorf("%d value logs before, %d after", before, now)
	}
	if n := unreadable(); n != lost {
		t.Errorf("%d messages were unreadable before the collection, %d are after", lost, n)
	}
	var problems []string
	if err := s.Check(func(problem string) { problems = append(problems, problem) }); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, "damaged at byte") }) {
		t.Errorf("Check() does not tell of the damage: %q", problems)
	}
}
