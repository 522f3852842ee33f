//go:build !unix

package sqs

import "syscall"

// hungUp does not know: here net/http alone notices.
func hungUp(syscall.RawConn) bool { return false }
