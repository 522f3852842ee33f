//go:build unix

package sqs

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"inflight/engine"
	"inflight/storage"
)

// twoEnds is both ends of a connection.
func twoEnds(t *testing.T) (client, server net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if client, err = net.Dial("tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if server, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close(); server.Close() })
	return client, server
}

// However late net/http notices that a client hung up, the message that came
// in that moment is not in flight for nobody.
func TestAPollThatHungUpSwallowsNothing(t *testing.T) {
	store, err := storage.OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(store, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := e.CreateQueue(t.Context(), "q", engine.DefaultAttributes()); err != nil {
		t.Fatal(err)
	}
	client, server := twoEnds(t)
	ctx := attentive(ConnContext(t.Context(), server)) // nobody reads from server: net/http is asleep
	wait := 20 * time.Second
	polled := make(chan error, 1)
	go func() {
		_, err := e.Receive(ctx, "q", engine.ReceiveRequest{Wait: &wait})
		polled <- err
	}()
	if err := ctx.Err(); err != nil {
		t.Fatalf("the context of a client that is there ended: %v", err)
	}
	client.Close()
	if _, err := e.Send(t.Context(), "q", engine.SendRequest{Body: []byte("b")}); err != nil {
		t.Fatal(err)
	}
	got, err := e.Receive(t.Context(), "q", engine.ReceiveRequest{Wait: &wait})
	if err != nil || len(got) != 1 || got[0].Receives != 1 {
		t.Errorf("after a poll that hung up: %+v, %v, want the message, for the first time", got, err)
	}
	if err := <-polled; !errors.Is(err, context.Canceled) {
		t.Errorf("the poll returned %v", err)
	}
}

func TestAttentiveWithoutAConnection(t *testing.T) {
	if ctx := attentive(t.Context()); ctx != t.Context() {
		t.Errorf("attentive made %v of a context that knows no connection", ctx)
	}
}
