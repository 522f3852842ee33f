package storage

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"inflight/engine"
)

// Why a value cannot be read.
var (
	errShort   = errors.New("value is cut short")
	errLong    = errors.New("value is too long")
	errRange   = errors.New("value is out of range")
	errVersion = errors.New("value has an unknown version")
)

// errStopped ends a scan whose results nobody wants any more.
var errStopped = errors.New("stopped")

// errTooBig: the changes do not fit into one transaction of the database.
var errTooBig = errors.New("too many changes for one transaction")

// InUseError: another process, or another Store of this one, has the directory
// open. PID is 0 and Since is zero where that could not be learned.
type InUseError struct {
	Dir      string
	PID      int
	Since    time.Time
	Command  string // what it calls itself; may be empty
	Endpoint string // where it listens; empty if it does not
}

func (e *InUseError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is in use by another process", e.Dir)
	if e.PID != 0 {
		fmt.Fprintf(&b, ": %d", e.PID)
		if e.Command != "" {
			fmt.Fprintf(&b, " (%s)", e.Command)
		}
	}
	if !e.Since.IsZero() {
		fmt.Fprintf(&b, " since %s", e.Since.Local().Format("2006-01-02 15:04:05"))
	}
	if e.Endpoint != "" {
		fmt.Fprintf(&b, ", which listens on %s", e.Endpoint)
	}
	return b.String()
}

// NewerError: a later inflight wrote the store, with a layout that this one
// does not know. Its records were not changed.
type NewerError struct {
	Dir    string
	Layout int // of the store
	Known  int // the newest that this inflight reads
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%s was written by a newer inflight (layout %d, this one reads up to %d)", e.Dir, e.Layout, e.Known)
}

// DirError: the directory cannot be used as a store. Err, if there is one, is
// what the system said.
type DirError struct {
	Dir    string
	Reason string // one clause: "is not a directory", "cannot be written"
	Err    error
}

func (e *DirError) Error() string {
	if e.Err == nil {
		return e.Dir + " " + e.Reason
	}
	return fmt.Sprintf("%s %s: %v", e.Dir, e.Reason, e.Err)
}

func (e *DirError) Unwrap() error { return e.Err }

// FullError: too little space to open the store safely. Nothing was changed.
type FullError struct {
	Dir        string
	Free, Need uint64 // bytes
}

func (e *FullError) Error() string {
	const mib = 1 << 20
	return fmt.Sprintf("%s: the disk is nearly full: %d MiB free, %d MiB needed", e.Dir, e.Free/mib, (e.Need+mib-1)/mib)
}

// CorruptError: a record that cannot be read.
type CorruptError struct {
	What string // such as "queue 3"
	Err  error
}

func (e *CorruptError) Error() string { return e.What + " cannot be read: " + e.Err.Error() }

func (e *CorruptError) Unwrap() error { return e.Err }

func corrupt(key []byte, err error) error { return &CorruptError{What: describe(key), Err: err} }

// MissingError: a message that was to be moved is not there. Nothing of the
// group was written.
type MissingError struct{ Ref engine.Ref }

func (e *MissingError) Error() string {
	return "no message to move at " + describeRef(e.Ref)
}
