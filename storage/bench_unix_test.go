//go:build unix

package storage

import (
	"os"
	"syscall"
)

// Allocated is what a file takes on disk.
func Allocated(info os.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Blocks * 512
	}
	return info.Size()
}
