package sqs

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"inflight/engine"
)

func (r *rig) inspects(ctx context.Context) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	request := httptest.NewRequestWithContext(ctx, "GET", "http://localhost"+InspectPath+"?QueueUrl=q", nil)
	request.Header.Set("Accept", "application/json")
	r.ServeMessages(w, request)
	return w
}

func TestAnInspectionIsBounded(t *testing.T) {
	r := newRig(t, Options{})
	q := r.queue("q")
	for range 9 {
		if _, err := r.engine.Send(t.Context(), "q", engine.SendRequest{Body: []byte(strings.Repeat("x", 1<<20))}); err != nil {
			t.Fatal(err)
		}
	}
	r.wantCounts(q, "9 0 0")
	w := r.inspects(t.Context())
	if got := w.Body.Len(); w.Code != http.StatusOK || got < 8<<20 || got > 9<<20 || w.Header().Get("X-Inflight-Truncated") != "true" {
		t.Errorf("an inspection of 9 MiB = %d with %d bytes, %v; want 8 MiB, truncated", w.Code, got, w.Header())
	}
}

func TestOneInspectionAtATime(t *testing.T) {
	r := newRig(t, Options{})
	r.queue("q")
	r.inspecting = nil // made in the bubble, so that it knows who waits
	synctest.Test(t, func(t *testing.T) {
		r.inspecting = make(chan struct{}, 1)
		r.inspecting <- struct{}{} // another one
		answered, gone := 0, false
		ctx, hangUp := context.WithCancel(t.Context())
		go func() { r.inspects(ctx); gone = true }()
		go func() { answered = r.inspects(t.Context()).Code }()
		synctest.Wait()
		if answered != 0 || gone {
			t.Errorf("beside another one, an inspection was answered")
		}
		hangUp()
		synctest.Wait()
		if !gone {
			t.Error("an inspection whose client has gone still waits")
		}
		<-r.inspecting
		synctest.Wait()
		if answered != http.StatusOK || len(r.inspecting) != 0 {
			t.Errorf("after the other one: %d, want %d and the place free", answered, http.StatusOK)
		}
	})
}
