package ui

import (
	"os"
	"sync"
)

// screenFile is the terminal. Bubble Tea flushes a frame in one Write, so
// brackets around it make the terminal show the frame whole; terminals that do
// not know them pass over them. It stays a file: Bubble Tea asks for its
// descriptor.
type screenFile struct {
	*os.File
	lost func() // called once, when the terminal went away

	mu  sync.Mutex
	err error
	buf []byte
}

const (
	beginFrame = "\x1b[?2026h"
	endFrame   = "\x1b[?2026l"
)

// Write writes a frame.
func (f *screenFile) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.buf = append(f.buf[:0], beginFrame...)
	f.buf = append(f.buf, p...)
	f.buf = append(f.buf, endFrame...)
	if _, err := f.File.Write(f.buf); err != nil {
		if f.err == nil && f.lost != nil {
			f.lost()
		}
		f.err = err
		return 0, err
	}
	return len(p), nil
}

// failed is the error of the last failed write.
func (f *screenFile) failed() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}
