package storage

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// failure is the logger that Badger writes to, and the stop that follows from
// what it says: Badger only logs a failed sync of its value log, retries a
// failed flush for ever, and goes on after a failed compaction. Whoever relies
// on what was written must learn of that from Commit.
type failure struct {
	log    func(format string, args ...any)
	failed chan struct{} // closed at the first failure
	once   sync.Once
	cause  error // set before failed is closed
}

func newFailure(log func(format string, args ...any)) *failure {
	if log == nil {
		log = func(string, ...any) {}
	}
	return &failure{log: log, failed: make(chan struct{})}
}

// fail stops all further writing and returns the first cause.
func (f *failure) fail(err error) error {
	f.once.Do(func() {
		f.cause = err
		close(f.failed)
	})
	return f.cause
}

// err is the first failure, nil if there was none.
func (f *failure) err() error {
	select {
	case <-f.failed:
		return f.cause
	default:
		return nil
	}
}

// harmless are the beginnings of what Badger logs as errors without a write
// having failed: reads, which report by themselves that nothing was there, and
// files that it could not remove.
var harmless = []string{
	"Unable to read: Key",
	"Key: ",
	"Invalid read",
	"Unable to get stats for value log",
	"while deleting file",
	"unable to decrease reference",
	"Received err", // of Open, which returns it too
}

// Errorf implements badger.Logger. What is not known to be harmless stops the
// store: a new message of Badger's must not lose data.
func (f *failure) Errorf(format string, args ...any) {
	text := oneLine(format, args)
	f.log("badger: %s", text)
	for _, start := range harmless {
		if strings.HasPrefix(format, start) {
			return
		}
	}
	f.fail(errors.New(text))
}

// Warningf implements badger.Logger. A compaction that fails once fails again,
// until writes wait for it for ever.
func (f *failure) Warningf(format string, args ...any) {
	text := oneLine(format, args)
	f.log("badger: %s", text)
	if strings.Contains(format, "Compact FAILED") {
		f.fail(errors.New(text))
	}
}

// Infof implements badger.Logger.
func (f *failure) Infof(string, ...any) {}

// Debugf implements badger.Logger.
func (f *failure) Debugf(string, ...any) {}

func oneLine(format string, args []any) string {
	return strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
}
