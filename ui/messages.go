package ui

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
	"inflight/keymap"
)

// messagePane lists the messages of a queue that are in one state. What the
// states do not share is in its kind.
type messagePane struct {
	window
	th      theme
	samples samples
	id      paneID
	name    string
	kind    kind
	keys    *keymap.Messages

	selected string                  // the queue that the screen shows
	queue    string                  // where the messages lie: that one or its DLQ; empty: nowhere
	number   uint32                  // of queue; each that is made has its own
	nameOf   func(engine.Ref) string // short id of a message on screen; may be nil
	source   *engine.QueueStats      // of selected
	stats    *engine.QueueStats      // of queue
	state    engine.State
	reverse  bool
	now      time.Time

	marks     map[engine.Ref]engine.Row
	rangeFrom engine.Row
	filter    *filter
	searched  int // of the messages, with a filter
	of        int
	frozen    bool
	freezing  bool   // frozen once the next page has come
	arrived   uint64 // what came into this list since the queue was made
	departed  string // where the cursor's message went
	left      engine.Ref
	leftAt    time.Time
	fate      *engine.Event
	shift     int // cells that bodies are scrolled by
	widths    map[string]int

	known    bool // the queues were read at least once
	loaded   bool
	err      error
	need     bool // a page is to be fetched
	loading  bool
	serial   uint64
	searchAt time.Time // when the last search was started

	focused       bool
	hidden        bool // not on screen: nothing is fetched
	folded        bool // one line
	width, height int
	caption       string // of another pane, for the bottom border

	view  string
	dirty bool
}

// kind is what one message pane knows and the others do not.
type kind interface {
	keyMap
	// columns are those before the body.
	columns(p *messagePane) []column
	// cost says what happens next to the message under the cursor, and what each
	// key would cost.
	cost(p *messagePane, it *item, next, keys *line)
	// act is for the keys that only this pane has.
	act(p *messagePane, msg tea.KeyMsg) tea.Cmd
	// sync enables exactly the keys that can act.
	sync(p *messagePane)
	// why says why a binding is off.
	why(p *messagePane, b key.Binding) string
	// empty is what stands in an empty list.
	empty(p *messagePane) []string
	// order says how the list is sorted.
	order(reverse bool) string
	// arrivals counts what came into the list.
	arrivals(p *messagePane) uint64
	// summary is what a folded pane says at its right end.
	summary(p *messagePane) string
}

type keyMap interface {
	ShortHelp() []key.Binding
	FullHelp() [][]key.Binding
}

func newMessagePane(th theme, id paneID, name string, state engine.State, k kind, keys *keymap.Messages) *messagePane {
	p := &messagePane{th: th, id: id, name: name, state: state, kind: k, keys: keys, dirty: true}
	p.clear()
	k.sync(p)
	return p
}

func (p *messagePane) ShortHelp() []key.Binding  { return p.kind.ShortHelp() }
func (p *messagePane) FullHelp() [][]key.Binding { return p.kind.FullHelp() }

// show turns the pane to another queue.
func (p *messagePane) show(queue string) {
	if p.selected == queue {
		return
	}
	p.selected, p.queue, p.source, p.stats = queue, "", nil, nil
	p.clear()
}

// clear forgets everything that belongs to the queue shown so far.
func (p *messagePane) clear() {
	p.reset()
	p.marks, p.widths = map[engine.Ref]engine.Row{}, map[string]int{}
	p.rangeFrom, p.filter, p.fate = engine.Row{}, nil, nil
	p.frozen, p.freezing, p.departed, p.shift = false, false, "", 0
	p.loaded, p.err, p.need, p.loading = false, nil, true, false
	p.searchAt = time.Time{}
	p.serial++
	p.dirty = true
}

// Update takes a key, or data: what belongs to a queue that we have left is
// dropped.
func (p *messagePane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tickMsg:
		p.now, p.dirty = msg.now, true
		if p.now.Sub(p.leftAt) >= noteTime {
			p.departed = ""
		}
	case queuesMsg:
		p.takeQueues(msg)
	case eventsMsg:
		p.takeEvents(msg.events)
	case pageMsg:
		p.takePage(msg)
	case rangeMsg:
		return p.takeRange(msg)
	case filterMsg:
		if msg.pane == p.id {
			return p.narrow(msg.text)
		}
	case tea.KeyMsg:
		cmd := p.press(msg)
		p.dirty = true
		p.kind.sync(p)
		return cmd
	}
	return nil
}

func (p *messagePane) takeQueues(msg queuesMsg) {
	if msg.err != nil {
		if !p.known {
			p.err, p.dirty = msg.err, true
		}
		return
	}
	p.known = true
	p.source, p.stats = findQueue(msg.queues, p.selected), nil
	queue := p.selected
	if p.id == paneDead {
		queue = ""
		if p.source != nil {
			queue = p.source.Attributes.Redrive.DLQ
		}
	}
	p.stats = findQueue(msg.queues, queue)
	if p.stats == nil {
		queue = ""
	}
	number := uint32(0)
	if p.stats != nil {
		number = p.stats.Number
	}
	if queue != p.queue || number != p.number { // by name alone, one that was made anew would look the same
		p.clear()
		p.queue, p.number = queue, number
	}
	p.dirty = true
	p.kind.sync(p)
}

func findQueue(queues []engine.QueueStats, name string) *engine.QueueStats {
	for i := range queues {
		if queues[i].Name == name {
			return &queues[i]
		}
	}
	return nil
}

// takeEvents remembers what happened to the cursor's message, so that we can
// say who took it, takes the marks off what is gone, and keeps the state of
// what is marked.
func (p *messagePane) takeEvents(events []engine.Event) {
	p.need = true
	if p.frozen {
		p.takeAway(events)
	}
	if p.anchor == (engine.Ref{}) && len(p.marks) == 0 {
		return
	}
	for i := range events {
		if row, marked := p.marks[events[i].Ref]; marked {
			switch state, known := stateAfter(&events[i]); {
			case known && state == engine.Gone:
				p.unmark([]engine.Ref{row.Ref})
			case known:
				row.State, row.Holder = state, ""
				if state == engine.InFlight {
					row.Holder = events[i].Holder
				}
				p.marks[row.Ref] = row
			}
		}
		if events[i].Ref == p.anchor {
			event := events[i]
			p.fate = &event
		}
	}
}

// next is the page to fetch now, if any.
func (p *messagePane) next() (pageLoad, bool) {
	switch {
	case !p.need || p.loading || p.frozen || p.queue == "":
		return pageLoad{}, false
	case p.hidden && p.loaded:
		return pageLoad{}, false
	case p.filter != nil && p.loaded && p.now.Sub(p.searchAt) < time.Second:
		return pageLoad{}, false // a search reads whole bodies
	}
	p.need, p.loading = false, true
	load := pageLoad{
		pane: p.id, serial: p.serial, queue: p.queue, state: p.state, reverse: p.reverse,
		keep: p.anchor, filter: p.filter,
	}
	load.offset, load.limit = p.wanted()
	if p.freezing {
		load.offset, load.limit = max(p.top-engine.MaxBatch/2, 0), engine.MaxBatch
	}
	load.row = min(p.cursor-load.offset, load.limit-1) // the page must reach it
	if p.filter != nil {
		p.searchAt = p.now
	}
	return load, true
}

func (p *messagePane) takePage(msg pageMsg) {
	if msg.load.pane != p.id || msg.load.serial != p.serial {
		return
	}
	p.loading, p.err, p.dirty = false, msg.err, true
	if msg.err != nil || p.frozen {
		return
	}
	p.refreshMarks(msg.rows)
	known := make(map[engine.Ref]*item, len(p.items))
	for _, it := range p.items {
		known[it.Ref] = it
	}
	items := make([]*item, len(msg.rows))
	for i := range msg.rows {
		row := &msg.rows[i]
		if it := known[row.Ref]; it != nil && it.Message.ID == row.Message.ID {
			it.Row, it.away = *row, ""
			items[i] = it
			continue
		}
		items[i] = newItem(row)
	}
	if msg.load.keep != p.anchor {
		msg.cursor = -1
		for i, it := range items {
			if it.Ref == p.anchor {
				msg.cursor = msg.offset + i
			}
		}
		if msg.cursor < 0 && p.anchor != (engine.Ref{}) {
			p.need = true // the cursor moved meanwhile: ask again
			return
		}
	}
	gone := p.current()
	p.searched, p.of, p.loaded = msg.searched, msg.of, true
	if p.take(items, msg.offset, msg.total, msg.cursor) && gone != nil {
		p.depart(gone, msg.fate)
	}
	if i := p.indexOf(p.left); i >= p.top && i < p.top+p.rows {
		p.departed = "" // it is on screen again
	}
	p.frozen, p.freezing = p.freezing, false
	if p.frozen {
		p.arrived = p.kind.arrivals(p)
	}
	p.need = p.need || !p.frozen && p.filter == nil && !p.covered()
	p.kind.sync(p)
}

// SetSize says how large the pane is drawn.
func (p *messagePane) SetSize(width, height int) {
	if p.width != width || p.height != height {
		p.width, p.height, p.dirty = width, height, true
		p.widths = map[string]int{}
	}
	p.setRows(p.listRows())
	p.need = p.need || !p.covered()
}

// place says how the pane stands on the main screen.
func (p *messagePane) place(focused, hidden, folded bool, caption string) {
	if p.focused != focused {
		p.dirty = true
		p.focused = focused
		p.stand(focused && p.id == paneFlight) // its rows end on the first one all the time
		if !focused {
			p.letGo()
			p.departed = ""
		}
		p.kind.sync(p)
	}
	if p.hidden && !hidden {
		p.need = true
	}
	if p.hidden != hidden || p.folded != folded || p.caption != caption {
		p.dirty = true
	}
	p.hidden, p.folded, p.caption = hidden, folded, caption
}
