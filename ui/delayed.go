package ui

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
	"inflight/keymap"
)

// delayedKind is the list of messages that wait for their first turn.
type delayedKind struct{ keymap.Delayed }

func newDelayedPane(th theme) *messagePane {
	k := &delayedKind{keymap.NewDelayed()}
	return newMessagePane(th, paneDelayed, "Delayed", engine.Delayed, k, &k.Messages)
}

func (k *delayedKind) columns(p *messagePane) []column {
	due := func(it *item) string { return leaseText(it.Due.Sub(p.now)) }
	return []column{
		idColumn(),
		{name: "due in", right: true, gap: 2, width: p.widest("due in", 6, due),
			draw: func(l *line, p *messagePane, it *item, width int) { l.right(p.th.text, due(it), width) }},
		p.ageColumn("sent", func(it *item) time.Time { return it.Message.Sent }),
		sizeColumn(),
	}
}

func (k *delayedKind) cost(p *messagePane, it *item, next, keys *line) {
	next.put(p.th.muted, "visible at ").put(p.th.text, clockText(it.Due, p.now)).
		put(p.th.muted, "; no consumer has seen it yet")
	if len(p.marks) > 0 {
		putMarked(keys, p)
		return
	}
	keys.put(p.th.key, p.th.glyph.enter).put(p.th.muted, " inspect: free   ").
		put(p.th.muted, "p off: a delayed message cannot be peeked")
}

func (k *delayedKind) act(*messagePane, tea.KeyMsg) tea.Cmd { return nil }

func (k *delayedKind) sync(p *messagePane) {
	p.syncShared()
	k.Peek.SetEnabled(false)
}

func (k *delayedKind) why(_ *messagePane, b key.Binding) string {
	if b.Help() == k.Peek.Help() {
		return "delayed: it cannot be received before its delay is over"
	}
	return ""
}

func (k *delayedKind) empty(*messagePane) []string {
	return []string{
		"Nothing waits for its delay.",
		"Press `c` to send a message with one, `,` to set the queue's.",
	}
}

func (k *delayedKind) order(reverse bool) string {
	if reverse {
		return "latest first"
	}
	return "soonest first"
}

func (k *delayedKind) arrivals(p *messagePane) uint64 {
	if p.stats == nil || p.stats.Counts.Delayed < p.total {
		return uint64(p.total)
	}
	return uint64(p.stats.Counts.Delayed)
}

func (k *delayedKind) summary(p *messagePane) string {
	if p.stats == nil || p.stats.NextDelay.IsZero() || p.stats.Counts.Delayed == 0 {
		return ""
	}
	return p.th.muted.Render("next in ") + p.th.text.Render(leaseText(p.stats.NextDelay.Sub(p.now)))
}
