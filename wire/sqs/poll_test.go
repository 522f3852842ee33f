package sqs

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"inflight/engine"
)

func TestLongPollsEndEarly(t *testing.T) {
	ctx := context.Background()
	alone := engine.SendRequest{Body: []byte("alone")}
	tests := []struct {
		name  string
		then  func(e *engine.Engine)
		want  string        // in the answer
		after time.Duration // when the answer comes
	}{
		{"one message is there, though ten were asked for", func(e *engine.Engine) {
			e.Send(ctx, "q", alone)
		}, `"Body":"alone"`, 0},
		{"one message comes, though ten were asked for", func(e *engine.Engine) {
			time.Sleep(3 * time.Second)
			e.Send(ctx, "q", alone)
		}, `"Body":"alone"`, 3 * time.Second},
		{"the queue is re-created", func(e *engine.Engine) {
			time.Sleep(2 * time.Second)
			e.DeleteQueue(ctx, "q")
			e.CreateQueue(ctx, "q", engine.DefaultAttributes())
		}, `QueueDoesNotExist`, 2 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, h := bubble(t, "0")
				start := time.Now()
				go tt.then(e)
				synctest.Wait() // it is done, or sleeps
				w := httptest.NewRecorder()
				h.ServeHTTP(w, jsonRequest(t.Context(), "ReceiveMessage", `{"QueueUrl":"q","WaitTimeSeconds":20,"MaxNumberOfMessages":10}`))
				if waited := time.Since(start).Round(100 * time.Millisecond); waited != tt.after {
					t.Errorf("the answer came after %s, want %s", waited, tt.after)
				}
				if !strings.Contains(w.Body.String(), tt.want) {
					t.Errorf("answer = %s, want %s in it", w.Body, tt.want)
				}
			})
		})
	}
}

func TestInFlightLimitOfFIFOQueues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, h := bubble(t, "0")
		ctx := t.Context()
		ask := func(action, in string) string {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, jsonRequest(ctx, action, in))
			if w.Code != http.StatusOK {
				t.Errorf("%s: %d %s", action, w.Code, w.Body)
			}
			return w.Body.String()
		}
		ask("CreateQueue", `{"QueueName":"q.fifo","Attributes":{"FifoQueue":"true","VisibilityTimeout":"43200"}}`)
		requests := make([]engine.SendRequest, engine.MaxBatch)
		for i := range maxInFlight / engine.MaxBatch {
			for j := range requests {
				requests[j] = engine.SendRequest{Body: []byte("x"), Group: fmt.Sprint(i), Deduplication: fmt.Sprint(i, "-", j)}
			}
			if _, err := e.SendBatch(ctx, "q.fifo", requests); err != nil {
				t.Fatal(err)
			}
			if got, err := e.Receive(ctx, "q.fifo", engine.ReceiveRequest{Max: engine.MaxBatch}); err != nil || len(got) != engine.MaxBatch {
				t.Fatalf("received %d, %v", len(got), err)
			}
		}
		if _, err := e.Send(ctx, "q.fifo", engine.SendRequest{Body: []byte("x"), Group: "g", Deduplication: "one-more"}); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if got := ask("ReceiveMessage", `{"QueueUrl":"q.fifo"}`); got != "{}" || time.Since(start) != 0 {
			t.Errorf("a short poll over the limit: %s after %s, want nothing at once", got, time.Since(start))
		}
		if got := ask("ReceiveMessage", `{"QueueUrl":"q.fifo","WaitTimeSeconds":20}`); got != "{}" || time.Since(start) != 20*time.Second {
			t.Errorf("a long poll over the limit: %s after %s, want nothing after 20s", got, time.Since(start))
		}
	})
}
