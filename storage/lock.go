package storage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Owner is what a process tells another that finds the directory taken.
type Owner struct {
	Command  string // what it calls itself, such as "inflight serve"
	Endpoint string // where it listens, such as "http://127.0.0.1:9324"
}

// ownerFile holds an ownerRecord, and carries the lock. It stays when the
// store is closed: removing a lock file lets two processes each lock their
// own. Only the lock says whether somebody is there.
const ownerFile = "owner"

type ownerRecord struct {
	PID      int       `json:"pid"`
	Started  time.Time `json:"started"`
	Command  string    `json:"command,omitempty"`
	Endpoint string    `json:"endpoint,omitempty"`
}

// ownership is a directory that this Store has locked.
type ownership struct {
	mu     sync.Mutex
	file   *os.File
	record ownerRecord
}

// own locks dir. It returns *InUseError where somebody has it.
func own(dir string, o Owner, now time.Time) (*ownership, error) {
	f, err := os.OpenFile(filepath.Join(dir, ownerFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, &DirError{Dir: dir, Reason: "cannot be written", Err: cause(err)}
	}
	taken, err := lockFile(f)
	if taken {
		err = inUse(dir, f)
	} else if err != nil {
		err = &DirError{Dir: dir, Reason: "cannot be locked", Err: err}
	}
	w := &ownership{file: f, record: ownerRecord{
		PID: os.Getpid(), Started: now.UTC(), Command: o.Command, Endpoint: o.Endpoint,
	}}
	if err == nil {
		err = w.write()
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return w, nil
}

// InUse returns *InUseError if somebody has the store in dir open, and nil if
// nobody has or there is none. It opens and changes nothing.
func InUse(dir string) error {
	f, err := os.Open(filepath.Join(dir, ownerFile))
	if err != nil {
		return nil
	}
	defer f.Close() // unlocks
	if taken, _ := lockFile(f); taken {
		return inUse(dir, f)
	}
	return nil
}

func inUse(dir string, f io.Reader) error {
	e := &InUseError{Dir: dir}
	var r ownerRecord
	// The owner may be writing it just now: then we know less.
	if json.NewDecoder(f).Decode(&r) == nil {
		e.PID, e.Since, e.Command, e.Endpoint = r.PID, r.Started, r.Command, r.Endpoint
	}
	return e
}

// write replaces the record, padded so that a reader never sees the end of a
// longer one behind it.
func (w *ownership) write() error {
	b, err := json.Marshal(w.record)
	if err != nil {
		return err
	}
	if err := w.file.Truncate(int64(len(b)) + 1); err != nil {
		return err
	}
	_, err = w.file.WriteAt(append(b, '\n'), 0)
	return err
}

// announce changes the endpoint.
func (w *ownership) announce(endpoint string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.record.Endpoint = endpoint
	if err := w.write(); err != nil {
		return fmt.Errorf("write %s: %w", w.file.Name(), err)
	}
	return nil
}

// release gives the lock up, and leaves no name behind.
func (w *ownership) release() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return errors.Join(w.file.Truncate(0), w.file.Close())
}

// badgerHolder is for a directory that another program has opened as a Badger
// database: it knows no owner file, but leaves its process number.
func badgerHolder(dir string) *InUseError {
	e := &InUseError{Dir: dir}
	if b, err := os.ReadFile(filepath.Join(dir, "LOCK")); err == nil {
		e.PID, _ = strconv.Atoi(strings.TrimSpace(string(b)))
	}
	return e
}

// cause drops what os adds to an error: the path is in our message already.
func cause(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
