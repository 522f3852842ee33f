package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
)

// plainScreen is what a screen says, without colours.
func plainScreen(d *drive) string { return ansi.Strip(d.View()) }

// reached is an endpoint whose requests a test counts.
func reached(seen *Requests) *EndpointOptions {
	return &EndpointOptions{
		Address: "127.0.0.1:9324",
		Lines: []string{
			"export AWS_ENDPOINT_URL_SQS=http://127.0.0.1:9324", "export AWS_ACCESS_KEY_ID=x AWS_SECRET_ACCESS_KEY=x",
			"export AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1",
		},
		Requests: func() Requests { return *seen },
	}
}

func TestEndpointViews(t *testing.T) {
	tests := []struct {
		name          string
		world         func() *fakeEngine
		width, height int
		total         uint64
		keys          string
	}{
		{"welcome 80x24", newFake, 80, 24, 0, ""},
		{"welcome 100x30 after requests", newFake, 100, 30, 12, ""},
		{"main 100x30", fakeWorld, 100, 30, 60, ""},
		{"main 80x24", fakeWorld, 80, 24, 60, ""},
		{"main 100x30 nobody yet", fakeWorld, 100, 30, 0, ""},
		{"lines 100x30", fakeWorld, 100, 30, 60, "a"},
		{"lines 60x14", fakeWorld, 60, 14, 60, "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			seen := Requests{}
			o := Options{Place: "~/.local/share/inflight", Version: "0.1.0", Endpoint: reached(&seen), Demo: &DemoOptions{
				Start: func(context.Context) error { return nil }, Running: func() bool { return false },
			}}
			d := newDrive(tt.world(), o, tt.width, tt.height)
			for range 5 {
				if seen.Total += tt.total / 5; tt.total > 0 {
					seen.Client, seen.At = "boto3 AKIA…MPLE", d.fake.clock()
				}
				d.after(time.Second)
			}
			d.keys(strings.Fields(tt.keys)...)
			requireScreen(t, d.View(), tt.width, tt.height)
		})
	}
}

func TestTheLinesAreCopied(t *testing.T) {
	for name, keys := range map[string]string{"welcome": "y", "overlay": "a y"} {
		t.Run(name, func(t *testing.T) {
			seen := Requests{}
			d := newDrive(newFake(), Options{Endpoint: reached(&seen)}, 100, 30)
			written := ""
			d.write = func(s string) error { written += s; return nil }
			d.keys(strings.Fields(keys)...)
			if len(d.overlays) > 0 || !strings.Contains(plainScreen(d), "copied") || !strings.Contains(written, "\x1b]52;") {
				t.Errorf("written %q, shown:\n%s", written, plainScreen(d))
			}
		})
	}
}

func TestWithoutAnEndpoint(t *testing.T) {
	d := newDrive(fakeWorld(), Options{}, 100, 30)
	d.keys("a", "y")
	if !strings.Contains(plainScreen(d), "No port is open here") {
		t.Errorf("shown:\n%s", plainScreen(d))
	}
	d.keys("esc")
	if len(d.overlays) > 0 || strings.Contains(plainScreen(d), "request") {
		t.Errorf("shown:\n%s", plainScreen(d))
	}
}

// The rate is that of the last seconds, and then the age of the last request.
func TestHowMuchIsAsked(t *testing.T) {
	seen := Requests{}
	e := endpoint{EndpointOptions: reached(&seen)}
	at := fakeStart
	step := func(more uint64) string {
		if seen.Total += more; more > 0 {
			seen.Client, seen.At = "boto3\x1b[2J AKIA", at
		}
		e.tick(at)
		got := e.mark(testTheme(), true)
		at = at.Add(time.Second)
		return ansi.Strip(got)
	}
	if got := step(0); got != "no requests yet" {
		t.Errorf("at first: %q", got)
	}
	for _, more := range []uint64{10, 10, 10, 10} {
		step(more)
	}
	if got := step(10); !strings.HasPrefix(got, "last request boto3") || !strings.HasSuffix(got, " 10/s") || strings.Contains(got, "\x1b") {
		t.Errorf("at ten a second: %q", got)
	}
	for range 5 {
		step(0)
	}
	if got := step(0); !strings.HasSuffix(got, " 6s ago") {
		t.Errorf("six seconds later: %q", got)
	}
}

// Where we are is pinned, and nothing moves because a request came.
func TestTheAddressStaysInTheHeader(t *testing.T) {
	for _, width := range []int{60, 80, 100, 140} {
		seen := Requests{Total: 1, Client: "boto3 AKIA", At: fakeStart}
		d := newDrive(fakeWorld(), Options{Place: "~/.local/share/inflight", Endpoint: reached(&seen)}, width, 30)
		d.after(time.Second)
		places := map[bool]bool{}
		for i := range 14 {
			if i > 1 && i < 5 {
				seen.Total, seen.At = seen.Total+uint64(500*i), d.fake.clock()
			}
			head := lines(plainScreen(d))[0]
			if !strings.Contains(head, "inflight  127.0.0.1:9324 ") {
				t.Errorf("%d columns: no address: %q", width, head)
			}
			places[strings.Contains(head, "~/.loc")] = true
			d.after(time.Second)
		}
		if len(places) != 1 {
			t.Errorf("%d columns: the data's place comes and goes", width)
		}
	}
}

func TestInfoSaysWhichProtocolUsedAQueueLast(t *testing.T) {
	e := endpoint{EndpointOptions: &EndpointOptions{Protocol: func(queue string) string {
		if queue == "orders" {
			return "SMQ"
		}
		return ""
	}}}
	m := newMainScreen(testTheme())
	m.info.endpoint = &e
	m.SetSize(100, 27)
	m.Update(tickMsg{noon})
	view := func(name string) string {
		m.Update(queuesMsg{queues: []engine.QueueStats{{Name: name, Attributes: engine.DefaultAttributes()}}, at: noon})
		return ansi.Strip(m.info.View())
	}
	if got := view("orders"); !strings.Contains(got, "standard   by SMQ") {
		t.Errorf("the protocol does not show:\n%s", got)
	}
	if got := view("emails"); strings.Contains(got, " by ") {
		t.Errorf("a protocol shows that did not use the queue:\n%s", got)
	}
}
