package ui

import (
	"errors"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
	"inflight/keymap"
)

// detailTab is what the large part of the detail screen shows.
type detailTab int

const (
	tabPretty detailTab = iota
	tabRaw
	tabHex
	tabAttributes
	tabReceives
	detailTabs
)

func (t detailTab) String() string {
	return [...]string{"pretty", "raw", "hex", "attributes", "receives"}[t]
}

// detailPane shows one message: its body, what is known about it, and what
// happens to it next. Looking changes nothing. When the message goes away what
// was read stays, marked.
type detailPane struct {
	keymap.Detail
	th   theme
	from paneID // the list it was opened from
	ref  engine.Ref
	now  time.Time

	detail engine.Detail
	loaded bool
	err    error
	gone   string // what became of it; empty while it is there

	queues    []engine.QueueStats
	at, total int // its place in the list; 0: not in it

	tab           detailTab
	body          bodyView
	tops          [detailTabs]int // of the tabs that are no body
	zoom          bool
	width, height int
}

// newDetailPane shows the message ref, which was opened from a list.
func newDetailPane(th theme, from paneID, ref engine.Ref) *detailPane {
	p := &detailPane{Detail: keymap.NewDetail(), th: th, from: from, body: newBodyView(th)}
	p.Left.SetEnabled(false)
	p.Right.SetEnabled(false)
	p.show(ref)
	return p
}

// show turns to another message, in the same tab. Its detailMsg is to follow.
func (p *detailPane) show(ref engine.Ref) {
	p.ref = ref
	p.loaded, p.err, p.gone = false, nil, ""
	p.tops = [detailTabs]int{}
	p.detail = engine.Detail{}
	p.body.set(nil)
	p.at = 0
	p.sync()
}

// SetSize sets the size that View has.
func (p *detailPane) SetSize(width, height int) {
	p.width, p.height = width, height
	p.fit()
}

// Update takes a key, or data: what belongs to another message is dropped.
func (p *detailPane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tickMsg:
		p.now = msg.now
	case queuesMsg:
		if msg.err == nil {
			p.queues = msg.queues
		}
	case detailMsg:
		if msg.ref == p.ref {
			p.take(msg)
		}
	case detailPlaceMsg:
		if msg.ref == p.ref {
			p.at, p.total = msg.at, msg.total
		}
	case eventsMsg:
		p.takeEvents(msg.events)
	case findMsg:
		if msg.on == findInBody {
			p.body.look(msg.text)
		}
	case tea.KeyMsg:
		return p.key(msg)
	}
	p.sync()
	p.fit()
	return nil
}

func (p *detailPane) take(msg detailMsg) {
	switch {
	case msg.err == nil && msg.detail.State == engine.Gone, errors.Is(msg.err, engine.ErrMessageGone),
		errors.Is(msg.err, engine.ErrQueueNotFound):
		if p.gone == "" {
			p.gone = "is gone: deleted, expired or moved"
		}
	case msg.err != nil:
		p.err = msg.err
	default:
		p.err, p.gone = nil, ""
		if !p.loaded {
			p.body.set(msg.detail.Message.Body) // it never changes
		}
		p.detail, p.loaded = msg.detail, true
	}
}

// takeEvents learns what became of the message, which asking for it would not
// tell.
func (p *detailPane) takeEvents(events []engine.Event) {
	for i := range events {
		if events[i].Ref != p.ref {
			continue
		}
		switch events[i].Kind {
		case engine.EventDeleted, engine.EventDeadLettered, engine.EventRedriven, engine.EventExpired:
			p.gone = fateText(&events[i], p.ref, engine.Gone)
		}
	}
}

// queue is the queue that the message lies in, if it still exists.
func (p *detailPane) queue() *engine.QueueStats { return findQueue(p.queues, p.detail.Queue) }

// dead says whether the message lies where dead ones go.
func (p *detailPane) dead() bool {
	q := p.queue()
	return p.detail.Message.Origin != "" || q != nil && len(q.Sources) > 0
}

// back undoes one level of this screen: what is looked for, then the zoom.
func (p *detailPane) back() bool {
	switch {
	case p.body.find.query != "":
		p.body.look("")
	case p.zoom:
		p.zoom = false
		p.fit()
	default:
		return false
	}
	p.sync()
	return true
}
