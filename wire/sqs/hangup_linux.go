package sqs

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// hungUp says whether the other end has closed a connection, even if what it
// sent before is still unread. It takes nothing from it and does not wait, not
// even for who reads from it.
func hungUp(c syscall.RawConn) bool {
	gone := false
	err := c.Control(func(fd uintptr) {
		one := [1]unix.PollFd{{Fd: int32(fd), Events: unix.POLLRDHUP}}
		n, err := unix.Poll(one[:], 0)
		gone = n > 0 && err == nil // an error or the end of the connection comes unasked
	})
	return gone || err != nil
}
