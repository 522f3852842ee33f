//go:build unix

package ui

import (
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// guarded is a text of size bytes of which only the first readable ones can be
// read: whoever looks at more faults, whatever it makes of it.
func guarded(t *testing.T, unit string, readable, size int) []byte {
	t.Helper()
	page := syscall.Getpagesize()
	open := (readable + page - 1) / page * page
	memory, err := syscall.Mmap(-1, 0, open+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(memory) })
	start := open - readable
	copy(memory[start:open], strings.Repeat(unit, readable/len(unit)+1))
	if err := syscall.Mprotect(memory[open:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return unsafe.Slice(&memory[start], size)
}

// faults says whether f looks at what cannot be read.
func faults(f func()) (fault bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { fault = recover() != nil }()
	f()
	return false
}

// costly are texts that tempt to look far ahead.
var costly = map[string]string{
	"letters": "x", "escapes": "\x1b[", "marks": "\u0301", "joiners": "\u200d", "flags": "\U0001f1e9",
	"families": "\U0001f468\u200d", "wide": "日", "jamo": "\u1100", "invalid": "\xff",
	"one character": "a" + strings.Repeat("\u0301", 1<<12),
}

// A row of a line of a mebibyte looks at the bytes that it may show, and at
// no more of them.
func TestARowLooksAtItsBytesOnly(t *testing.T) {
	const most, size = 512, 1 << 20
	for name, unit := range costly {
		line := guarded(t, unit, most, size)
		var got string
		if faults(func() { got = safeLine(line, most) }) {
			t.Errorf("%s: a row looks at more than %d bytes", name, most)
		}
		if len(got) > most*6+3 {
			t.Errorf("%s: a row of %d bytes", name, len(got))
		}
	}
	if !faults(func() { safeLine(guarded(t, "x", most, size), most+1) }) {
		t.Error("the guard lets one byte more be read")
	}
}

// Each cluster is found in a few bytes, so that a line costs its length and no
// square of it.
func TestAClusterLooksAtAFewBytesOnly(t *testing.T) {
	for name, unit := range costly {
		line := guarded(t, unit, clusterWindow, 1<<20)
		text := unsafe.String(&line[0], len(line))
		if faults(func() { nextCluster(text) }) {
			t.Errorf("%s: one cluster looks at more than %d bytes", name, clusterWindow)
		}
	}
}

// A row of a body is found without looking further than it can reach.
func TestARowOfABodyLooksAtItsCellsOnly(t *testing.T) {
	const room = 96
	for name, unit := range costly {
		line := guarded(t, unit, (room+2)*clusterWindow, 1<<20)
		text := unsafe.String(&line[0], len(line))
		end := 0
		if faults(func() { end = wrapEnd(text, 0, room) }) || end == 0 {
			t.Errorf("%s: a row of %d cells ends at byte %d, or looks beyond what it can reach", name, room, end)
		}
	}
}
