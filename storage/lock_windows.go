package storage

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile takes the lock of f, or reports that another open file has it. The
// lock ends with the process, however that ends. It covers one byte far behind
// the contents: Windows lets nobody read what is locked.
func lockFile(f *os.File) (taken bool, err error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	at := &windows.Overlapped{Offset: 1 << 30}
	err = windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return true, nil
	}
	return false, err
}
