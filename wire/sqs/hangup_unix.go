//go:build unix && !linux

package sqs

import "syscall"

// hungUp says whether the other end has closed a connection. It takes nothing
// from it and does not wait, not even for who reads from it. While bytes wait
// to be read it does not see the end behind them.
func hungUp(c syscall.RawConn) bool {
	gone := false
	err := c.Control(func(fd uintptr) {
		var one [1]byte
		n, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		gone = n == 0 && err == nil || err == syscall.ECONNRESET
	})
	return gone || err != nil
}
