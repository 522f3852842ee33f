package engine

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestPages(t *testing.T) {
	ctx := context.Background()
	r := newRig(t)
	r.queue("orders")
	for i := range 20 {
		r.send("orders", fmt.Sprint(i))
		r.delayed("orders", fmt.Sprint("d", i), time.Duration(100-i)*time.Second)
	}
	tests := []struct {
		name    string
		request PageRequest
		want    []string
	}{
		{"the first rows", PageRequest{State: Ready, Limit: 3}, []string{"0", "1", "2"}},
		{"from an offset", PageRequest{State: Ready, Offset: 18, Limit: 5}, []string{"18", "19"}},
		{"the last first", PageRequest{State: Ready, Limit: 2, Reverse: true}, []string{"19", "18"}},
		{"an offset from the end", PageRequest{State: Ready, Offset: 18, Limit: 5, Reverse: true}, []string{"1", "0"}},
		{"behind the end", PageRequest{State: Ready, Offset: 20, Limit: 5}, nil},
		{"no rows", PageRequest{State: Ready}, nil},
		{"delayed ones by due time", PageRequest{State: Delayed, Limit: 2}, []string{"d19", "d18"}},
		{"none in flight", PageRequest{State: InFlight, Limit: 2}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.request.Queue = "orders"
			page, err := r.Page(ctx, tt.request)
			wantError(t, err, nil)
			var got []string
			for _, row := range page.Rows {
				got = append(got, string(row.Message.Body))
			}
			r.want("rows", got, tt.want)
			total := map[State]int{Ready: 20, Delayed: 20}[tt.request.State]
			r.want("total", page.Total, total)
		})
	}
	for _, bad := range []PageRequest{{Limit: -1}, {Limit: MaxBatch + 1}, {Offset: -1}} {
		bad.Queue = "orders"
		_, err := r.Page(ctx, bad)
		wantInvalid(t, err, "Limit", "0 to 500")
	}
	_, err := r.Page(ctx, PageRequest{Queue: "nowhere"})
	wantError(t, err, ErrQueueNotFound)
	state, _, err := r.Locate(ctx, Ref{Queue: 1, Lane: 8, Pos: 999})
	wantError(t, err, nil)
	r.want("state of what is not there", state, Gone)
}

func TestPreviews(t *testing.T) {
	ctx := context.Background()
	r := newRig(t)
	r.queue("orders")
	body := bytes.Repeat([]byte("x"), 10*PreviewBytes)
	ref := r.send("orders", string(body))
	page, _ := r.Page(ctx, PageRequest{Queue: "orders", Limit: 1})
	m := page.Rows[0].Message
	r.want("preview", fmt.Sprintln(len(m.Body), m.Size), fmt.Sprintln(PreviewBytes, len(body)))
	detail, _ := r.Inspect(ctx, ref)
	r.want("detail", len(detail.Message.Body), len(body))
	peeked, _ := r.Peek(ctx, ref, PeekRequest{})
	r.want("peeked", len(peeked.Message.Body), len(body))
	r.want("received", len(r.receive("orders", 1)[0].Message.Body), len(body))
}

func TestSearch(t *testing.T) {
	ctx := context.Background()
	r := newRig(t)
	r.queue("orders")
	for i := range 300 {
		r.send("orders", fmt.Sprint(strings.Repeat("x", PreviewBytes), "needle", i%3))
	}
	search := func(request SearchRequest) string {
		request.Queue = "orders"
		request.Match = func(m *Message) bool { return bytes.HasSuffix(m.Body, []byte("needle1")) }
		found, err := r.Search(ctx, request)
		wantError(t, err, nil)
		for _, row := range found.Rows {
			r.want("preview", len(row.Message.Body), PreviewBytes)
		}
		return fmt.Sprintln(len(found.Rows), found.Scanned, found.Total)
	}
	r.want("all of it", search(SearchRequest{MaxScan: 1000, MaxHits: 1000}), "100 300 300\n")
	r.want("the first hits", search(SearchRequest{MaxScan: 1000, MaxHits: 2}), "2 5 300\n")
	r.want("from the end", search(SearchRequest{MaxScan: 1000, MaxHits: 1, Reverse: true}), "1 2 300\n")
	r.want("a part", search(SearchRequest{MaxScan: 100, MaxHits: 1000}), "33 100 300\n")
	r.want("another state", search(SearchRequest{State: InFlight, MaxScan: 100, MaxHits: 1000}), "0 0 0\n")
	_, err := r.Search(ctx, SearchRequest{Queue: "nowhere", MaxScan: 1})
	wantError(t, err, ErrQueueNotFound)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	_, err = r.Search(gone, SearchRequest{Queue: "orders", MaxScan: 1})
	wantError(t, err, context.Canceled)
}
