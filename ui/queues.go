package ui

import (
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
	"inflight/keymap"
)

// queuesPane lists the queues. Its cursor is the queue that the other panes
// show.
type queuesPane struct {
	keymap.Queues
	th      theme
	samples samples

	all      []engine.QueueStats
	at       time.Time // of all
	list     []queueRow
	selected string // by name: rows move under the cursor
	awaited  string // to be selected once it is there
	index    int    // of selected, or where it was
	top      int
	filter   string
	loaded   bool
	err      error

	focused       bool
	width, height int

	view  string
	dirty bool
}

func newQueuesPane(th theme, s samples) *queuesPane {
	p := &queuesPane{Queues: keymap.NewQueues(), th: th, samples: s, dirty: true}
	p.sync()
	return p
}

// Update takes a key, or data.
func (p *queuesPane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case queuesMsg:
		p.err, p.dirty = msg.err, true
		if msg.err == nil {
			p.all, p.at, p.loaded = msg.queues, msg.at, true
			return p.arrange()
		}
	case filterMsg:
		if msg.pane == paneQueues {
			p.filter, p.dirty = msg.text, true
			return p.arrange()
		}
	case tea.KeyMsg:
		p.dirty = true
		return p.press(msg)
	}
	return nil
}

// arrange puts the list in order anew. When the selected queue is gone the one
// in its place is selected.
func (p *queuesPane) arrange() tea.Cmd {
	defer p.sync()
	p.list = orderQueues(p.all, p.filter)
	if p.awaited != "" && findQueue(p.all, p.awaited) != nil {
		name := p.awaited
		p.awaited, p.filter = "", ""
		p.list = orderQueues(p.all, "")
		return emit(openQueueMsg(name))
	}
	for i, row := range p.list {
		if row.stats.Name == p.selected {
			p.index = i
			return nil
		}
	}
	if len(p.list) == 0 && len(p.all) > 0 {
		return nil // nothing matches the filter: the queue stays on screen
	}
	if p.selected == "" {
		return p.moveTo(busiest(p.list))
	}
	return p.moveTo(p.index)
}

// choose selects a queue that is there. A filter that hides it goes: keys act
// on the queue that is on screen.
func (p *queuesPane) choose(name string) {
	p.selected, p.dirty = name, true
	if !slices.ContainsFunc(orderQueues(p.all, p.filter), func(row queueRow) bool { return row.stats.Name == name }) {
		p.filter = ""
	}
	p.arrange()
}

// busiest is the queue to show first: one where something is under way.
func busiest(list []queueRow) int {
	best, most := 0, 0
	for i, row := range list {
		c := row.stats.Counts
		n := min(c.Ready+c.Delayed, 1)
		if c.InFlight > 0 {
			n++
		}
		if row.stats.Attributes.Redrive.DLQ != "" {
			n++
		}
		if n > most && !row.dead {
			best, most = i, n
		}
	}
	return best
}

func (p *queuesPane) press(msg tea.KeyMsg) tea.Cmd {
	page := max(p.listRows(), 1)
	switch {
	case key.Matches(msg, p.Down):
		return p.moveTo(p.index + 1)
	case key.Matches(msg, p.Up):
		return p.moveTo(p.index - 1)
	case key.Matches(msg, p.Top):
		return p.moveTo(0)
	case key.Matches(msg, p.Bottom):
		return p.moveTo(len(p.list) - 1)
	case key.Matches(msg, p.HalfDown):
		return p.moveTo(p.index + max(page/2, 1))
	case key.Matches(msg, p.HalfUp):
		return p.moveTo(p.index - max(page/2, 1))
	case key.Matches(msg, p.PageDown):
		return p.moveTo(p.index + page)
	case key.Matches(msg, p.PageUp):
		return p.moveTo(p.index - page)
	case key.Matches(msg, p.Open):
		return emit(focusMsg(paneVisible))
	case key.Matches(msg, p.Filter):
		return emit(askFilterMsg{paneQueues, p.filter})
	case key.Matches(msg, p.Redrive):
		if dead := p.deadOf(); dead != nil {
			return emit(askRedriveMsg{source: dead.Name})
		}
	case key.Matches(msg, p.Purge):
		return emit(askPurgeMsg(p.selected))
	case key.Matches(msg, p.Delete):
		return emit(askDeleteQueueMsg(p.selected))
	}
	return nil
}

// moveTo selects the queue at an index, and shows it.
func (p *queuesPane) moveTo(index int) tea.Cmd {
	if len(p.list) == 0 && len(p.all) > 0 { // the filter hides all: the lists keep theirs
		return nil
	}
	p.index = max(min(index, len(p.list)-1), 0)
	before := p.selected
	p.selected = ""
	if p.index < len(p.list) {
		p.selected = p.list[p.index].stats.Name
	}
	p.dirty = true
	p.sync()
	if p.selected == before {
		return nil
	}
	return emit(openQueueMsg(p.selected))
}

// current is the selected queue, or nil.
func (p *queuesPane) current() *engine.QueueStats { return findQueue(p.all, p.selected) }

// deadOf is the queue that a redrive would empty: the selected one if it is a
// dead-letter queue with something in it, else its dead-letter queue.
func (p *queuesPane) deadOf() *engine.QueueStats {
	q := p.current()
	switch {
	case q == nil:
		return nil
	case len(q.Sources) > 0:
		return q
	default:
		return findQueue(p.all, q.Attributes.Redrive.DLQ)
	}
}

// sync enables exactly the keys that can act on the selected queue.
func (p *queuesPane) sync() {
	has := p.current() != nil
	p.Open.SetEnabled(has)
	p.Purge.SetEnabled(has)
	p.Delete.SetEnabled(has)
	p.Filter.SetEnabled(len(p.all) > 0)
	dead := p.deadOf()
	p.Redrive.SetEnabled(dead != nil && dead.Counts.Ready > 0)
}

func (p *queuesPane) why(b key.Binding) string {
	switch {
	case b.Enabled():
		return ""
	case len(p.all) == 0:
		return "there is no queue"
	case b.Help() == p.Redrive.Help() && p.deadOf() == nil:
		return "no dead-letter queue"
	case b.Help() == p.Redrive.Help():
		return whyNoneDead(p.deadOf())
	default:
		return "no queue is selected"
	}
}

// back clears the filter.
func (p *queuesPane) back() (tea.Cmd, bool) {
	if p.filter == "" {
		return nil, false
	}
	p.filter, p.dirty = "", true
	return p.arrange(), true
}

// neighbour is the queue before or after the selected one in the list.
func (p *queuesPane) neighbour(by int) tea.Cmd { return p.moveTo(p.index + by) }
