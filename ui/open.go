package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

// ask opens the overlay that an intent asks for. It says whether msg was such
// an intent. Without its queue there is nothing to ask.
func (a *app) ask(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case askFilterMsg:
		a.openOverlay(newFilterLine(a.th, msg))
	case filterTypedMsg:
		return a.settle(filterMsg(msg)), true
	case filterSettledMsg:
		if msg.typed == a.typed {
			return emit(msg.filter), true
		}
	case askRemoveMsg:
		a.openOverlay(confirmDelete(a.th, msg.queue, msg.rows))
	case askReleaseMsg:
		a.openOverlay(confirmRelease(a.th, msg.queue, msg.rows))
	case askMoveMsg:
		a.withQueue(msg.queue, func(q engine.QueueStats) overlay {
			return newMoveForm(a.th, q, msg.rows, a.queues)
		})
	case askPeekMsg:
		a.openOverlay(confirmPeek(a.th, msg.row, msg.maxReceives, msg.dlq))
	case askSoonerMsg:
		a.openOverlay(confirmSooner(a.th, msg.rows, msg.by, msg.sooner, a.now))
	case askExtendMsg:
		a.withQueue(msg.queue, func(q engine.QueueStats) overlay {
			return newExtendForm(a.th, msg.queue, msg.rows, q.Attributes.VisibilityTimeout, a.now)
		})
	case askRangeMsg:
		return a.loader.between(msg.load, msg.from, msg.to), true
	default:
		return a.askOfQueue(msg)
	}
	return nil, true
}

func (a *app) askOfQueue(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case askPollMsg:
		a.withQueue(msg.queue, func(q engine.QueueStats) overlay { return newPollForm(a.th, q) })
		return a.loader.pollFirst(msg.queue), true
	case askSendMsg:
		a.withQueue(msg.queue, func(q engine.QueueStats) overlay { return newSendForm(a.th, q) })
	case askRedriveMsg:
		a.withQueue(msg.source, func(q engine.QueueStats) overlay {
			f := newRedriveForm(a.th, q, msg.rows, a.queues, a.tasks).(*redriveForm)
			if d := a.shown(); len(msg.rows) == 1 && d != nil && a.top() == pane(d) {
				return f.looksAt()
			}
			return f.shows(a.readyOf(q.Name))
		})
	case askQueueMsg:
		if msg.name == "" {
			a.openOverlay(newQueueForm(a.th, a.queues))
			break
		}
		a.withQueue(msg.name, func(q engine.QueueStats) overlay { return newSettingsForm(a.th, q, a.queues) })
	case askPurgeMsg:
		a.withQueue(string(msg), func(q engine.QueueStats) overlay { return confirmPurge(a.th, q) })
	case askDeleteQueueMsg:
		a.withQueue(string(msg), func(q engine.QueueStats) overlay { return confirmDeleteQueue(a.th, q) })
	case askCopyMsg:
		return a.askCopy(msg.ref), true
	default:
		return nil, false
	}
	return nil, true
}

// readyOf is the visible messages of a queue, as far as they are loaded.
func (a *app) readyOf(queue string) []engine.Row {
	for _, p := range a.main.messagePanes() {
		if p.queue != queue || p.state != engine.Ready || p.filter != nil {
			continue
		}
		rows := make([]engine.Row, 0, len(p.items))
		for _, it := range p.items {
			rows = append(rows, it.Row)
		}
		return rows
	}
	return nil
}

func (a *app) withQueue(name string, open func(engine.QueueStats) overlay) {
	if q := findQueue(a.queues, name); q != nil {
		a.openOverlay(open(*q))
	}
}

// settleTime is how long typing in a filter must rest before it searches.
const settleTime = 150 * time.Millisecond

// filterSettledMsg is a filter at the end of that time.
type filterSettledMsg struct {
	typed  int
	filter filterMsg
}

func (a *app) settle(f filterMsg) tea.Cmd {
	a.typed++
	settled := filterSettledMsg{a.typed, f}
	if a.still || f.pane == paneQueues {
		return emit(settled)
	}
	return tea.Tick(settleTime, func(time.Time) tea.Msg { return settled })
}
