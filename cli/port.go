package cli

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"inflight/engine"
	"inflight/ui"
	"inflight/wire"
)

// port is an open port, and the server behind it once there is an engine. A
// nil *port is none: all its methods do nothing.
type port struct {
	listener    net.Listener
	options     wire.Options
	credentials string // where they are from
	visitors    visitors

	server atomic.Pointer[wire.Server] // nil before serve
	stop   context.CancelFunc
	ended  chan error // what Server.Serve returned, once; nil before serve
}

// endpoint is the URL under which this machine reaches the port.
func (p *port) endpoint() string {
	return "http://" + reachable(p.listener.Addr(), p.options.Hosts)
}

// lines are what to type where an application is started.
func (p *port) lines() []string {
	return connectLines(runtime.GOOS, p.endpoint(), p.options.Region, p.credentials)
}

// announcer is a store that tells others who has it.
type announcer interface {
	Announce(endpoint string) error
}

// serve starts to answer requests. complaints may be nil.
func (p *port) serve(e *engine.Engine, store engine.Store, complaints *log.Logger) error {
	if p == nil {
		return nil
	}
	p.options.Log = complaints
	server, err := wire.New(e, p.options)
	if err != nil {
		return err
	}
	if a, ok := store.(announcer); ok {
		if err := a.Announce(p.endpoint()); err != nil {
			return fmt.Errorf("announce the endpoint: %w", err)
		}
	}
	// It ends by end, before the engine does, and not when a signal comes.
	p.server.Store(server)
	ctx, stop := context.WithCancel(context.Background())
	p.stop, p.ended = stop, make(chan error, 1)
	go func(l net.Listener) { p.ended <- server.Serve(ctx, l) }(p.listener)
	return nil
}

// failed gives what the server ended with, should it end by itself.
func (p *port) failed() <-chan error {
	if p == nil {
		return nil
	}
	return p.ended
}

// end finishes the requests under way and closes the port.
func (p *port) end() error {
	switch {
	case p == nil:
		return nil
	case p.ended == nil:
		return p.listener.Close()
	}
	p.stop()
	err := <-p.ended
	p.ended <- nil // for a second end
	return err
}

// console is what the console shows of the port; nil: there is none.
func (p *port) console() *ui.EndpointOptions {
	if p == nil {
		return nil
	}
	return &ui.EndpointOptions{
		Address: reachable(p.listener.Addr(), p.options.Hosts), Lines: p.lines(), Requests: p.visitors.requests,
		Protocol: func(queue string) string {
			if server := p.server.Load(); server != nil {
				return server.LastProtocol(queue)
			}
			return ""
		},
	}
}

// visitors remembers who asked last, and how many did. Its methods may be
// called from any goroutine.
type visitors struct {
	mu   sync.Mutex
	seen ui.Requests
}

func (v *visitors) saw(client, _ string) {
	now := time.Now()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.seen.Total++
	v.seen.Client, v.seen.At = client, now
}

func (v *visitors) requests() ui.Requests {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.seen
}

// closePort is for what went wrong before there was anything to serve.
func closePort(p *port, err error) error { return errors.Join(err, p.end()) }
