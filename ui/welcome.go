package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/keymap"
)

// welcomePane is what an empty store shows: what this is, and the ways to
// start that work.
type welcomePane struct {
	keymap.Welcome
	th            theme
	endpoint      *endpoint
	place         string
	version       string
	width, height int
}

func newWelcomePane(th theme, o Options, t *endpoint) *welcomePane {
	p := &welcomePane{Welcome: keymap.NewWelcome(), th: th, endpoint: t, place: o.Place, version: o.Version}
	p.Copy.SetEnabled(o.Endpoint != nil)
	p.Demo.SetEnabled(o.Demo != nil && o.Demo.Start != nil)
	return p
}

// SetSize says how large the pane is drawn.
func (p *welcomePane) SetSize(width, height int) { p.width, p.height = width, height }

// Update takes a key.
func (p *welcomePane) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyMsg)
	switch {
	case !ok:
	case key.Matches(k, p.Demo):
		return emit(startDemoMsg{})
	case key.Matches(k, p.NewQueue):
		return emit(askQueueMsg{})
	case key.Matches(k, p.Copy):
		return emit(p.endpoint.copyLines())
	}
	return nil
}

func (p *welcomePane) why(b key.Binding) string {
	if b.Help() == p.Demo.Help() && !p.Demo.Enabled() {
		return "there is no demo here"
	}
	if b.Help() == p.Copy.Help() && !p.Copy.Enabled() {
		return "no port is open"
	}
	return ""
}

// View draws the pane in exactly its size.
func (p *welcomePane) View() string {
	th, inner := p.th, p.width-2
	var lines []string
	add := func(key, verb, text string) {
		l := newLine(th, inner, false).blank(3)
		if key != "" {
			l.put(th.key, key).blank(3)
		}
		l.put(th.bold, verb).put(th.muted, text)
		lines = append(lines, l.done())
	}
	skip := func() { lines = append(lines, blanks(inner)) }
	skip()
	add("", "No queues here yet. ", "A queue keeps messages until a consumer has dealt")
	add("", "", "with them, and hides each one while it is being worked on.")
	skip()
	add("n", "Make a queue", "   name, visibility timeout, dead-letter queue")
	if p.Demo.Enabled() {
		skip()
		add("s", "Watch the demo here", "   a shop, its consumers, and orders that")
		add("", "", "                          nobody can deal with: they lapse, then die.")
		add("", "", "                          Two queues, demo-orders and demo-orders-dlq,")
		add("", "", "                          offered for deletion when you leave.")
	}
	skip()
	if p.endpoint.EndpointOptions != nil {
		lines = append(lines, p.connect(inner)...)
	} else {
		add("?", "Help", "   every key, and what it costs")
		add("q", "Quit", "")
	}
	right := ""
	if p.version != "" {
		right = th.muted.Render("inflight " + safeLine(p.version, 40))
	}
	bottom := th.muted.Render("data: " + safeLine(p.place, 200))
	return exactBox(th, boxOptions{
		focused: true, title: th.bold.Render("Welcome"), right: right, bottom: bottom,
		width: p.width, height: p.height,
	}, lines)
}

// connect is what an application needs, and what has come in.
func (p *welcomePane) connect(inner int) []string {
	th := p.th
	row := func() *line { return newLine(th, inner, false).blank(3) }
	lines := []string{row().put(th.key, "y").blank(3).put(th.bold, "Point an application here").
		put(th.muted, "   copies these lines").done()}
	for _, text := range p.endpoint.Lines {
		lines = append(lines, row().blank(4).put(th.accent, safeLine(text, 500)).done())
	}
	waiting := row()
	p.endpoint.putWaiting(waiting, th)
	return append(lines, blanks(inner), waiting.done())
}
