package ui

import (
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"inflight/keymap"
)

// EndpointOptions are where applications reach the queues.
type EndpointOptions struct {
	Address string   // such as "127.0.0.1:9324"
	Lines   []string // what to type where an application is started
	// Requests says what has come in so far. It may be called from any
	// goroutine, and does not wait.
	Requests func() Requests
	// Protocol says by which protocol a queue was last used, "" if by none;
	// nil: nobody knows. It does not wait either.
	Protocol func(queue string) string
}

// Requests is what has come in at the endpoint.
type Requests struct {
	Total  uint64
	Client string    // who asked last, such as "boto3 AKIA…MPLE"
	At     time.Time // when
}

// endpoint is what the console knows of the endpoint. It changes with the tick
// only, as everything that is drawn.
type endpoint struct {
	*EndpointOptions // nil: there is none
	last             Requests
	now              time.Time
	named            int              // cells of the longest client name so far
	past             [6]requestSample // of the last ticks, the newest first
}

type requestSample struct {
	at    time.Time
	total uint64
}

// tick reads the endpoint's counts.
func (t *endpoint) tick(now time.Time) {
	if t.EndpointOptions == nil || t.Requests == nil {
		return
	}
	t.now, t.last = now, t.Requests()
	t.named = max(t.named, cellWidth(t.client()))
	if now.Sub(t.past[0].at) < time.Second/2 {
		t.past[0].total = t.last.Total
		return
	}
	copy(t.past[1:], t.past[:])
	t.past[0] = requestSample{now, t.last.Total}
}

// protocol says by which protocol a queue was last used.
func (t *endpoint) protocol(queue string) string {
	if t == nil || t.EndpointOptions == nil || t.Protocol == nil {
		return ""
	}
	return t.Protocol(queue)
}

// rate is how many requests a second came over the last ticks.
func (t *endpoint) rate() float64 {
	for i := len(t.past) - 1; i > 0; i-- {
		if from := t.past[i]; !from.at.IsZero() {
			if over := t.past[0].at.Sub(from.at).Seconds(); over > 0 {
				return float64(t.past[0].total-from.total) / over
			}
		}
	}
	return 0
}

// client is the last client's name without its key and address.
func (t *endpoint) client() string {
	name, _, _ := strings.Cut(t.last.Client, " ")
	name, _ = cutText(safeLine(name, 100), 12, "")
	return name
}

// recency is how many requests a second there are, or how long ago the last was.
func (t *endpoint) recency() string {
	if r := t.rate(); r > 0 {
		return rateText(r)
	}
	return ageText(max(t.now.Sub(t.last.At), 0)) + " ago"
}

// lately is how long after its last request an application is taken to be at
// work still.
const lately = time.Minute

// inUse says who would lose the endpoint now; empty: nobody that we know of.
func (t *endpoint) inUse() string {
	if t.EndpointOptions == nil || t.last.Total == 0 || t.now.Sub(t.last.At) >= lately {
		return ""
	}
	client := t.client()
	if client == "" {
		client = "an application"
	}
	return client + " asked " + ageText(t.now.Sub(t.last.At)) + " ago: applications lose http://" + safeLine(t.Address, 100)
}

// mark is the header's: who asked last, and how much is asked.
func (t *endpoint) mark(th theme, wide bool) string {
	switch {
	case t.EndpointOptions == nil:
		return ""
	case t.last.Total == 0:
		return th.muted.Render("no requests yet")
	}
	said := th.text.Render(t.client()) + th.muted.Render(" "+t.recency())
	if wide {
		said = th.muted.Render("last request ") + said
	}
	return said
}

// markWidth is what the mark is given, so that what stands beside it does not
// move with each rate and age.
func (t *endpoint) markWidth(mark string, wide bool) int {
	width := ansi.StringWidth(mark)
	if width == 0 || t.last.Total == 0 {
		return width
	}
	steady := t.named + 1 + len("59m ago")
	if wide {
		steady += len("last request ")
	}
	return max(width, steady)
}

// putWaiting is what the welcome and the overlay say of what has come in.
func (t *endpoint) putWaiting(l *line, th theme) {
	address := safeLine(t.Address, 100)
	if t.last.Total == 0 {
		l.put(th.muted, "Waiting for the first request on "+address+" "+th.glyph.more+"  ").put(th.text, "0 seen")
		return
	}
	client, _ := cutText(safeLine(t.last.Client, 100), 32, th.glyph.more)
	word := " requests"
	if t.last.Total == 1 {
		word = " request"
	}
	l.put(th.ok, th.glyph.ok).put(th.text, " "+countText(int(t.last.Total))+word).put(th.muted, " on "+address+", the last from ").
		put(th.text, client).put(th.muted, ", "+t.recency())
}

// copyLines copies what an application needs.
func (t *endpoint) copyLines() tea.Msg {
	return copyMsg{"lines for an application", strings.Join(t.Lines, "\n") + "\n"}
}

// connectOverlay shows what an application needs to find us.
type connectOverlay struct {
	keymap.Connect
	th       theme
	endpoint *endpoint
}

func newConnectOverlay(th theme, t *endpoint) overlay {
	o := &connectOverlay{keymap.NewConnect(), th, t}
	o.Copy.SetEnabled(t.EndpointOptions != nil)
	return o
}

// Update copies and closes.
func (o *connectOverlay) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyMsg)
	switch {
	case !ok:
	case key.Matches(k, o.Copy):
		return emit(doneMsg{o.endpoint.copyLines()})
	case key.Matches(k, o.Close):
		return emit(closeMsg{})
	}
	return nil
}

func (o *connectOverlay) why(b key.Binding) string {
	if b.Help() == o.Copy.Help() && !b.Enabled() {
		return "no port is open"
	}
	return ""
}

// View draws the lines.
func (o *connectOverlay) View(width, height int) string {
	p := panel{th: o.th, title: "Connect an application", hints: o.ShortHelp()}
	p.blank()
	if o.endpoint.EndpointOptions == nil {
		p.text(width, o.th.muted, "", o.th.text, "No port is open here: applications cannot reach these queues.")
		p.blank()
		p.text(width, o.th.muted, "", o.th.muted, "Started with --listen 127.0.0.1:9324, and without --no-listen, inflight opens one.")
		p.blank()
		return p.draw(width, height)
	}
	p.text(width, o.th.muted, "", o.th.text, "An application that uses an AWS SDK needs these lines where it is started, and no other change:")
	p.blank()
	for _, text := range o.endpoint.Lines {
		p.add(func(l *line) { l.put(o.th.accent, safeLine(text, 500)) })
	}
	p.blank()
	p.text(width, o.th.muted, "", o.th.muted, "AWS_SDK_UA_APP_ID=NAME beside them is the consumer's name in this console. A client for SMQ takes http://"+
		safeLine(o.endpoint.Address, 100)+" as its endpoint.")
	p.blank()
	p.add(func(l *line) { o.endpoint.putWaiting(l, o.th) })
	p.blank()
	return p.draw(width, height)
}
