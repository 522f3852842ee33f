//go:build unix

package wire

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"testing"
)

// A client hangs up during a long poll, with the first byte of its next request
// sent: net/http holds that and looks no further, so the server itself must see
// the end, or the next message is in flight for nobody.
func TestAClientThatHungUpSwallowsNothing(t *testing.T) {
	const body = `{"QueueUrl":"q","WaitTimeSeconds":20}`
	for name, request := range map[string]string{
		SQS: fmt.Sprintf("POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: AmazonSQS.ReceiveMessage\r\nContent-Length: %d\r\n\r\n%s", len(body), body),
		SMQ: "GET /queues/q/messages?waitseconds=20 HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			polling := make(chan struct{}, 10)
			r := newRig(t, Options{Listen: "127.0.0.1:0", Seen: func(_, action string) {
				if action == "ReceiveMessage" {
					polling <- struct{}{}
				}
			}})
			r.must("CreateQueue", `{"QueueName":"q"}`)
			done := make(chan struct{})
			r.http.Handler = http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
				r.ServeHTTP(w, request)
				close(done)
			})
			l, err := r.Listen()
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			served := make(chan error, 1)
			go func() { served <- r.Serve(ctx, l) }()
			defer func() {
				stop()
				if err := <-served; err != nil {
					t.Errorf("Serve = %v", err)
				}
			}()
			client, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			write(t, client, request)
			<-polling
			write(t, client, "G")
			client.Close()
			r.must("SendMessage", `{"QueueUrl":"q","MessageBody":"x"}`)
			<-done // the poll has ended: with the message, or without
			r.wantIn(r.must("ReceiveMessage", `{"QueueUrl":"q","AttributeNames":["ApproximateReceiveCount"]}`), `"ApproximateReceiveCount":"1"`)
		})
	}
}

func write(t *testing.T, c net.Conn, text string) {
	t.Helper()
	if _, err := c.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
}
