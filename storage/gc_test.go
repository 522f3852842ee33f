package storage

import (
	"path/filepath"
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
	var s *Store
	body := strings.Repeat("x", 2000)
	var stay []engine.Ref
	for pos := uint64(0); pos < 6000; {
		s = openIdle(t, dir, options)
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
	s = openIdle(t, dir, options)
	if err := s.tables.(*disk).db.Flatten(1); err != nil {
		t.Fatal(err)
	}
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
	s := open(t, dir, o)
	close(s.stopCollecting)
	s.collecting.Wait()
	s.stopCollecting = make(chan struct{}) // for Close
	return s
}

func logs(t *testing.T, dir string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.vlog"))
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}
