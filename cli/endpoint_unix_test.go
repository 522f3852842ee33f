//go:build unix

package cli

import (
	"io"
	"net"
	"regexp"
	"strings"
	"testing"
)

// The console says where it listens, and shows who asks.
func TestTheConsoleServes(t *testing.T) {
	dir := newStore(t)
	c := open(t, "--data", dir)
	c.await("no requests yet")
	endpoint := regexp.MustCompile(`127\.0\.0\.1:[0-9]+`).FindString(c.written())
	if endpoint == "" {
		t.Fatalf("no endpoint on screen: %q", c.written())
	}
	p := process{t: t, endpoint: "http://" + endpoint}
	if got := p.ask("SendMessage", `{"QueueUrl":"orders","MessageBody":"by wire"}`); !strings.HasPrefix(got, "200 ") {
		t.Errorf("SendMessage answered %s", got)
	}
	c.await("Go-http") // the client's name
	c.await("by wire")
	oneClearLine(t, finish(t, inflight(t, "serve", "--data", dir, "--listen", "127.0.0.1:0")), []string{
		"(inflight)", "which serves http://" + endpoint,
	})
	if _, err := io.WriteString(c.keyboard, "q"); err != nil {
		t.Fatal(err)
	}
	c.await("applications lose http://" + endpoint)
	if _, err := io.WriteString(c.keyboard, "y"); err != nil {
		t.Fatal(err)
	}
	if code := c.end(); code != 0 || c.errs.Len() > 0 {
		t.Errorf("it ended with %d and said %q", code, c.errs.String())
	}
	if got := finish(t, inflight(t, "check", "--data", dir)); got.code != 0 {
		t.Errorf("the store afterwards: %v", got)
	}
}

func TestTheConsoleWithoutAPort(t *testing.T) {
	c := open(t, "--memory", "--no-listen")
	c.await("No queues here yet")
	if strings.Contains(c.written(), "AWS_ENDPOINT_URL_SQS") {
		t.Errorf("it offers an endpoint: %q", c.written())
	}
	if _, err := io.WriteString(c.keyboard, "q"); err != nil {
		t.Fatal(err)
	}
	if code := c.end(); code != 0 {
		t.Errorf("it ended with %d", code)
	}
}

// A port that is taken is said, with both ways out, and nothing is drawn.
func TestTheConsoleAtATakenPort(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	c := open(t, "--memory", "--listen", taken.Addr().String())
	if code := c.end(); code != 1 || strings.Contains(c.written(), altScreenOn) {
		t.Errorf("it ended with %d and drew %q", code, c.written())
	}
	for _, text := range []string{"cannot listen on " + taken.Addr().String(), "nothing was changed", "--listen ADDRESS:PORT", "--no-listen"} {
		if !strings.Contains(c.errs.String(), text) {
			t.Errorf("it said %q, which lacks %q", c.errs.String(), text)
		}
	}
}
