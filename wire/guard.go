package wire

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
)

// hosts are the names under which the server may be addressed.
type hosts struct {
	names map[string]bool
	any   bool
}

// newHosts allows names, and the one in the URL that queues are to have.
func newHosts(names []string, base string) hosts {
	h := hosts{names: map[string]bool{}}
	if u, err := url.Parse(base); err == nil && u.Hostname() != "" {
		names = append(names[:len(names):len(names)], u.Hostname())
	}
	for _, name := range names {
		h.any = h.any || name == "*"
		h.names[hostName(name)] = true
	}
	return h
}

// known says whether a Host header names this server. An IP address always
// does: only a name can be made to point at a machine that it does not belong to.
func (h hosts) known(header string) bool {
	name := hostName(header)
	if h.any || h.names[name] || name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	_, err := netip.ParseAddr(name)
	return err == nil
}

// hostName is a Host header without port and brackets, in lower case.
func hostName(header string) string {
	name := header
	if host, _, err := net.SplitHostPort(header); err == nil {
		name = host
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
}

// loopback says whether only this machine reaches an address.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}

// fromWebPage says whether a browser sent the request on behalf of a page:
// Query requests are plain forms, which any page could send.
func fromWebPage(r *http.Request) bool {
	if len(r.Header.Values("Origin")) > 0 {
		return true
	}
	site := r.Header.Get("Sec-Fetch-Site")
	if site != "" && site != "none" && site != "same-origin" {
		return true
	}
	return !ownReferer(r)
}

// ownReferer says whether a request comes from no page, or from one of the same
// host and port. For an image of a page, browsers send neither Origin nor, to
// other machines over plain HTTP, Sec-Fetch-Site.
func ownReferer(r *http.Request) bool {
	for _, referer := range r.Header.Values("Referer") {
		if u, err := url.Parse(referer); referer != "" && (err != nil || !strings.EqualFold(u.Host, r.Host)) {
			return false
		}
	}
	return true
}

// below says whether path is dir or in it.
func below(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == '/')
}

// limited is a listener that has no more than so many connections open; others
// wait in the system's queue.
type limited struct {
	net.Listener
	free   chan struct{}
	closed chan struct{}
	once   sync.Once
}

func limit(l net.Listener, n int) net.Listener {
	return &limited{Listener: l, free: make(chan struct{}, n), closed: make(chan struct{})}
}

// Accept waits for a place, then for a connection.
func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.free <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	return &counted{Conn: c, leave: func() { <-l.free }}, nil
}

// Close also ends an Accept that waits for a place.
func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// counted is a connection that gives its place back when it is closed.
type counted struct {
	net.Conn
	once  sync.Once
	leave func()
}

// SyscallConn is that of the connection inside.
func (c *counted) SyscallConn() (syscall.RawConn, error) {
	if s, ok := c.Conn.(syscall.Conn); ok {
		return s.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}

func (c *counted) Close() error {
	c.once.Do(c.leave)
	return c.Conn.Close()
}
