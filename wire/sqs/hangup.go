package sqs

import (
	"context"
	"net"
	"syscall"
)

// A long poll's client may hang up in the very moment in which a message comes.
// net/http notices, but in another goroutine, perhaps after the answer; then
// the message would be in flight for nobody. So the connection itself is asked
// whenever the engine asks whether the caller is still there.

type connectionKey struct{}

// ConnContext is for http.Server: it lets requests know their connection.
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	if s, ok := c.(syscall.Conn); ok {
		if raw, err := s.SyscallConn(); err == nil {
			return context.WithValue(ctx, connectionKey{}, raw)
		}
	}
	return ctx
}

// attentive makes a request's context end when its connection does, and not
// only when net/http has noticed.
func attentive(ctx context.Context) context.Context {
	if c, ok := ctx.Value(connectionKey{}).(syscall.RawConn); ok {
		return &connected{ctx, c}
	}
	return ctx
}

// Attentive is attentive for another protocol over the same connections.
func Attentive(ctx context.Context) context.Context { return attentive(ctx) }

// connected is a context over a connection.
type connected struct {
	context.Context
	connection syscall.RawConn
}

// Err also asks the connection.
func (c *connected) Err() error {
	if err := c.Context.Err(); err != nil {
		return err
	}
	if hungUp(c.connection) {
		return context.Canceled
	}
	return nil
}
