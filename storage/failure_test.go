package storage

import (
	"errors"
	"strings"
	"testing"

	"inflight/engine"
)

func TestWhatBadgerOnlyLogsStopsTheStore(t *testing.T) {
	cause := errors.New("input/output error")
	tests := []struct {
		name string
		log  func(*failure)
		stop bool
	}{
		{"a failed sync of the value log", func(f *failure) { f.Errorf("Error while curlf sync: %v\n", cause) }, true},
		{"a failed write", func(f *failure) { f.Errorf("writeRequests: %v", cause) }, true},
		{"a failed flush", func(f *failure) { f.Errorf("error flushing memtable to disk: %v, retrying", cause) }, true},
		{"a failed compaction", func(f *failure) { f.Warningf("[Compactor: %d] LOG Compact FAILED with error: %+v: %+v", 1, cause, 2) }, true},
		{"an error that nobody knows yet", func(f *failure) { f.Errorf("something new: %v", cause) }, true},
		{"a failed read", func(f *failure) {
			f.Errorf("Unable to read: Key: %v, Version : %v, meta: %v, userMeta: %v Error: %v", 1, 2, 3, 4, cause)
		}, false},
		{"a file that stays", func(f *failure) { f.Errorf("while deleting file: %s, err: %v", "x", cause) }, false},
		{"a warning", func(f *failure) { f.Warningf("While running doCompact: %v\n", cause) }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var logged []string
			s := open(t, t.TempDir(), Options{NoSync: true, Logger: func(format string, args ...any) { logged = append(logged, format) }})
			commit(t, s, &engine.Change{Puts: []engine.Put{{Ref: ref(1, 1, 0), Message: message("a")}}})
			stop := s.tables.(*disk).stop
			tt.log(stop)
			if len(logged) != 1 {
				t.Errorf("logged %q, want one line", logged)
			}
			err := s.Commit([]*engine.Change{{Puts: []engine.Put{{Ref: ref(1, 1, 1), Message: message("b")}}}})
			if stopped := err != nil; stopped != tt.stop {
				t.Errorf("Commit() = %v, stopped = %v, want %v", err, stopped, tt.stop)
			}
			if tt.stop && !strings.Contains(err.Error(), cause.Error()) {
				t.Errorf("Commit() = %v, does not tell why", err)
			}
			if got := read(t, s, ref(1, 1, 0)); got[0] != "a" {
				t.Errorf("Read() = %q, want what was there", got)
			}
			if tt.stop {
				if err := s.Close(); err == nil {
					t.Error("Close() of a stopped store reports nothing")
				}
			}
		})
	}
}

func TestAFailureDuringACommitReachesIt(t *testing.T) {
	s := open(t, t.TempDir(), Options{NoSync: true})
	stop := s.tables.(*disk).stop
	err := s.tables.update(func(w writing) error {
		stop.Errorf("Error while curlf sync: %v\n", errors.New("disk gone"))
		return w.set(appendNumberKey(nil, tableHolder, 1), []byte{1, 0})
	})
	if err == nil || !strings.Contains(err.Error(), "disk gone") {
		t.Errorf("update() = %v, want the failed sync", err)
	}
	s.Close()
}
