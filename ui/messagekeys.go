package ui

import (
	"maps"
	"slices"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

// shiftStep is how far bodies scroll sideways at once.
const shiftStep = 8

// press takes a key of this pane.
func (p *messagePane) press(msg tea.KeyMsg) tea.Cmd {
	p.departed = ""
	if p.move(&p.keys.Move, msg) {
		p.fate = nil
		p.need = p.need || !p.covered()
		return nil
	}
	it := p.current()
	switch {
	case key.Matches(msg, p.keys.Left):
		p.shift = max(p.shift-shiftStep, 0)
	case key.Matches(msg, p.keys.Right):
		p.shift = min(p.shift+shiftStep, engine.PreviewBytes)
	case key.Matches(msg, p.keys.Open):
		return emit(openDetailMsg{p.id, it.Ref})
	case key.Matches(msg, p.keys.Mark):
		p.mark(it)
	case key.Matches(msg, p.keys.Range):
		return p.markRange(it)
	case key.Matches(msg, p.keys.Sort):
		p.sort()
	case key.Matches(msg, p.keys.Freeze):
		p.freeze()
	case key.Matches(msg, p.keys.Filter):
		return emit(askFilterMsg{p.id, p.filterText()})
	case key.Matches(msg, p.keys.Forward):
		return emit(askMoveMsg{p.queue, p.picks()})
	case key.Matches(msg, p.keys.Delete):
		return emit(askRemoveMsg{p.queue, p.picks()})
	case key.Matches(msg, p.keys.Copy):
		return emit(askCopyMsg{it.Ref})
	default:
		return p.kind.act(p, msg)
	}
	return nil
}

func (p *messagePane) mark(it *item) {
	if _, marked := p.marks[it.Ref]; marked {
		delete(p.marks, it.Ref)
	} else {
		p.marks[it.Ref] = it.Row
	}
	if p.cursor+1 < p.total {
		p.moveTo(p.cursor + 1)
		p.need = p.need || !p.covered()
	}
}

// markRange starts a range at the cursor, or ends it there.
func (p *messagePane) markRange(it *item) tea.Cmd {
	if p.rangeFrom.Ref == (engine.Ref{}) {
		p.rangeFrom = it.Row
		return nil
	}
	from := p.rangeFrom.Ref
	p.rangeFrom = engine.Row{}
	a, b := p.indexOf(from), p.cursor
	if a < 0 && p.filter == nil && !p.frozen {
		return emit(askRangeMsg{
			pageLoad{pane: p.id, serial: p.serial, queue: p.queue, state: p.state}, from, it.Ref,
		})
	}
	if a < 0 {
		return emit(resultMsg{levelError, "nothing was marked: the message that the range began at is not in this list"})
	}
	for i := min(a, b); i <= max(a, b); i++ {
		if it := p.at(i); it != nil {
			p.marks[it.Ref] = it.Row
		}
	}
	return nil
}

func (p *messagePane) indexOf(ref engine.Ref) int {
	for i, it := range p.items {
		if it.Ref == ref {
			return p.offset + i
		}
	}
	return -1
}

// takeRange marks what lies between two messages of which one was far away.
func (p *messagePane) takeRange(msg rangeMsg) tea.Cmd {
	if msg.load.pane != p.id || msg.load.serial != p.serial {
		return nil
	}
	if msg.err != nil {
		return emit(resultMsg{levelError, "nothing was marked: one end of the range is not in this list any more"})
	}
	for i := range msg.rows {
		it := newItem(&msg.rows[i])
		p.marks[it.Ref] = it.Row
	}
	p.dirty = true
	p.kind.sync(p)
	if msg.more {
		return emit(resultMsg{levelWarn, "marked the first " + countText(maxRange) + "; a range cannot be longer"})
	}
	return nil
}

// picks are the marked messages in the order in which they lie, so that what
// moves keeps it, or the one under the cursor.
func (p *messagePane) picks() []engine.Row {
	if len(p.marks) == 0 {
		if it := p.current(); it != nil {
			return []engine.Row{it.Row}
		}
		return nil
	}
	return slices.SortedFunc(maps.Values(p.marks), func(a, b engine.Row) int { return a.Ref.Compare(b.Ref) })
}

// refreshMarks brings what is marked up to date: questions count what is in
// flight, or what would end sooner.
func (p *messagePane) refreshMarks(rows []engine.Row) {
	for i := range rows {
		if _, marked := p.marks[rows[i].Ref]; marked {
			p.marks[rows[i].Ref] = rows[i]
		}
	}
}

// unmark takes back marks, those of messages that were acted on.
func (p *messagePane) unmark(refs []engine.Ref) {
	for _, ref := range refs {
		delete(p.marks, ref)
	}
	p.dirty = true
	p.kind.sync(p)
}

func (p *messagePane) sort() {
	p.reverse = !p.reverse
	p.anchor, p.cursor, p.top = engine.Ref{}, 0, 0
	p.items, p.offset, p.loaded = nil, 0, false
	p.refetch()
}

// freeze holds the list still, or lets it run again.
func (p *messagePane) freeze() {
	if p.frozen {
		p.frozen, p.need = false, true
		return
	}
	p.freezing, p.need = !p.freezing, true
}

func (p *messagePane) filterText() string {
	if p.filter == nil {
		return ""
	}
	return p.filter.text
}

// narrow sets the filter; one that cannot be read changes nothing.
func (p *messagePane) narrow(text string) tea.Cmd {
	f, err := newFilter(text)
	if err != nil || text == p.filterText() {
		return nil
	}
	p.filter, p.frozen, p.freezing = f, false, false
	p.top, p.loaded = 0, false
	if p.anchor == (engine.Ref{}) {
		p.cursor = 0
	}
	p.refetch()
	p.kind.sync(p)
	return nil
}

// refetch asks for the list anew, whatever is on its way.
func (p *messagePane) refetch() {
	p.serial++
	p.need, p.loading, p.dirty = true, false, true
}

// back undoes one level of this pane: the filter, then a begun range and the
// marks, then the freeze.
func (p *messagePane) back() bool {
	switch {
	case p.filter != nil:
		p.narrow("")
	case p.rangeFrom.Ref != (engine.Ref{}):
		p.rangeFrom = engine.Row{}
	case len(p.marks) > 0:
		p.marks = map[engine.Ref]engine.Row{}
	case p.frozen || p.freezing:
		p.frozen, p.freezing, p.need = false, false, true
	default:
		return false
	}
	p.dirty = true
	p.kind.sync(p)
	return true
}

// syncShared enables the keys that all kinds have. It is for a kind's sync.
func (p *messagePane) syncShared() {
	has := p.current() != nil
	for _, b := range []*key.Binding{
		&p.keys.Open, &p.keys.Mark, &p.keys.Range, &p.keys.Copy,
	} {
		b.SetEnabled(has)
	}
	p.keys.Delete.SetEnabled(p.acts())
	p.keys.Forward.SetEnabled(p.acts())
	p.keys.Sort.SetEnabled(p.queue != "" && !p.frozen)
	p.keys.Freeze.SetEnabled(p.queue != "")
	p.keys.Filter.SetEnabled(p.queue != "")
}

// why says why a key is off here.
func (p *messagePane) why(b key.Binding) string {
	if b.Enabled() {
		return ""
	}
	if reason := p.kind.why(p, b); reason != "" {
		return reason
	}
	switch {
	case p.queue == "" && p.id == paneDead:
		return "the queue has no dead-letter queue"
	case p.queue == "":
		return "no queue is selected"
	case p.frozen && b.Help() == p.keys.Sort.Help():
		return "the list is frozen"
	case p.current() != nil && p.here() == nil:
		return "it " + p.current().away
	default:
		return "no message is under the cursor"
	}
}

// noteTime is how long the border says where a message went.
const noteTime = 5 * time.Second

// depart says where the message went that the cursor was on.
func (p *messagePane) depart(it *item, fate engine.State) {
	p.departed = ""
	if p.focused && fate != p.state { // else it is there, and the filter hides it
		p.departed, p.left, p.leftAt = it.id+" "+fateText(p.fate, it.Ref, fate), it.Ref, p.now
	}
	p.fate = nil
}

// fateText says what became of a message that left its list.
func fateText(event *engine.Event, ref engine.Ref, state engine.State) string {
	if event == nil || event.Ref != ref {
		switch state {
		case engine.Ready:
			return "is visible again"
		case engine.InFlight:
			return "was received"
		case engine.Delayed:
			return "is delayed"
		default:
			return "is gone"
		}
	}
	by := ""
	if event.Holder != "" {
		by = " by " + safeLine(event.Holder, 0)
	}
	switch event.Kind {
	case engine.EventReceived:
		return "was received" + by
	case engine.EventReleased:
		return "was released: visible again"
	case engine.EventLapsed:
		return "lapsed: visible again"
	case engine.EventDelayOver:
		return "is visible: its delay is over"
	case engine.EventDeleted:
		return "was deleted" + by
	case engine.EventDeadLettered:
		return "died: it is in " + safeLine(event.Other, 0)
	case engine.EventRedriven:
		return "was redriven to " + safeLine(event.Other, 0)
	case engine.EventExpired:
		return "expired"
	default:
		return "is gone"
	}
}
