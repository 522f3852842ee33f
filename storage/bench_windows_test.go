package storage

import "os"

// Allocated is what a file takes on disk at most.
func Allocated(info os.FileInfo) int64 { return info.Size() }
