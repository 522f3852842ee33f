package wire

import (
	"testing"
	"time"
)

// What a client can hold of the server ends, but not before the longest poll.
func TestLimits(t *testing.T) {
	r := newRig(t, Options{Listen: "127.0.0.1:0"})
	const longestPoll = 30 * time.Second
	for name, tt := range map[string]struct{ got, least, most time.Duration }{
		"ReadHeaderTimeout": {r.http.ReadHeaderTimeout, time.Second, longestPoll},
		"ReadTimeout":       {r.http.ReadTimeout, longestPoll + time.Second, 2 * time.Minute},
		"WriteTimeout":      {r.http.WriteTimeout, longestPoll + time.Second, 2 * time.Minute},
		"IdleTimeout":       {r.http.IdleTimeout, longestPoll, 5 * time.Minute},
	} {
		if tt.got < tt.least || tt.got > tt.most {
			t.Errorf("%s = %v, want %v to %v", name, tt.got, tt.least, tt.most)
		}
	}
	if got := r.http.MaxHeaderBytes; got != 64<<10 {
		t.Errorf("MaxHeaderBytes = %d, want 64 KiB", got)
	}
	l, err := r.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if one, ok := l.(*limited); !ok || cap(one.free) != maxConnections {
		t.Errorf("Listen = %T, want one limited to %d connections", l, maxConnections)
	}
}
