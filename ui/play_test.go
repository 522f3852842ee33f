package ui

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"inflight/engine"
)

// TestLook prints a screen of the fake world, for looking at: LOOK=100x30
// KEYS=2 go test ./ui -run TestLook -v. With LOOK=live the compiled test runs
// the program itself.
func TestLook(t *testing.T) {
	switch look := os.Getenv("LOOK"); look {
	case "":
		t.Skip("set LOOK")
	case "live", "empty":
		playLive(t, look == "empty")
	default:
		var w, h int
		fmt.Sscanf(look, "%dx%d", &w, &h)
		d := newDrive(fakeWorld(), Options{Place: "~/.local/share/inflight"}, w, h)
		d.send(openQueueMsg("orders"))
		d.after(time.Second)
		d.keys(lines(os.Getenv("KEYS"))...)
		fmt.Println(d.View())
	}
}

func playLive(t *testing.T, empty bool) {
	f := fakeWorld()
	if empty {
		f = newFake()
	}
	begin := time.Now()
	start := f.clock()
	f.clock = func() time.Time { return start.Add(time.Since(begin)) }
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if !empty {
		go traffic(ctx, f)
	}
	err := Run(ctx, f, Options{Now: f.clock, Place: "~/.local/share/inflight", Version: "0.1.0", Demo: &DemoOptions{
		Start: func(context.Context) error { return engine.ErrQueueExists },
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// traffic sends, receives and deletes as the demo does.
func traffic(ctx context.Context, f *fakeEngine) {
	for i := 0; ctx.Err() == nil; i++ {
		time.Sleep(120 * time.Millisecond)
		f.Send(ctx, "orders", engine.SendRequest{Body: fmt.Appendf(nil, `{"orderId":%d,"amount":%d.5}`, 10000+i, i%90)})
		got, _ := f.Receive(ctx, "orders", engine.ReceiveRequest{Max: 1, Holder: fmt.Sprintf("billing-%d", i%3+1)})
		for _, d := range got {
			if i%4 != 0 {
				f.Remove(ctx, []engine.Ref{d.Ref})
			}
		}
	}
}
