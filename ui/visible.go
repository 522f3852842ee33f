package ui

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
	"inflight/keymap"
)

// visibleKind is the list of messages that may be received.
type visibleKind struct{ keymap.Visible }

func newVisiblePane(th theme) *messagePane {
	k := &visibleKind{keymap.NewVisible()}
	return newMessagePane(th, paneVisible, "Visible", engine.Ready, k, &k.Messages)
}

func (k *visibleKind) columns(p *messagePane) []column {
	columns := []column{
		idColumn(),
		p.ageColumn("age", func(it *item) time.Time { return it.Message.Arrived }),
		p.receivesColumn(),
	}
	if !p.deadLetters() || p.fifo() || p.maxReceives() > 0 {
		columns = append(columns, p.badgeColumn())
	}
	if p.deadLetters() {
		columns = append(columns, p.expiresColumn())
		if p.severalOrigins() {
			columns = append(columns, p.originColumn())
		}
	}
	return append(columns, sizeColumn())
}

// badgeColumn marks what the next receive dead-letters.
func (p *messagePane) badgeColumn() column {
	badge := p.th.glyph.arrow + "dlq"
	return column{gap: 1, width: cellWidth(badge) + 1, draw: func(l *line, p *messagePane, it *item, _ int) {
		switch {
		case blocked(&it.Row):
			l.put(p.th.flight, "waits")
		case it.DeadLetters:
			l.put(p.th.dead.Bold(true), badge)
		}
	}}
}

// receivesColumn counts receives against the queue's limit.
func (p *messagePane) receivesColumn() column {
	limit := p.maxReceives()
	cell := func(it *item) string { return receivesText(it.Receives, limit) }
	return column{name: "recv", right: true, gap: 2, width: p.widest("recv", 4, cell),
		draw: func(l *line, p *messagePane, it *item, width int) {
			k := p.th.text
			if limit > 0 && it.Receives >= limit {
				k = p.th.dead
			}
			l.right(k, cell(it), width)
		}}
}

// maxReceives is the limit of the queue where the messages lie, 0 without one.
func (p *messagePane) maxReceives() int {
	if p.stats == nil || p.stats.Attributes.Redrive.DLQ == "" {
		return 0
	}
	return p.stats.Attributes.Redrive.MaxReceives
}

func sizeColumn() column {
	return column{name: "size", right: true, gap: 2, width: 4, room: 60, draw: func(l *line, p *messagePane, it *item, width int) {
		l.right(p.th.muted, bytesText(it.Message.Size), width)
	}}
}

func (k *visibleKind) cost(p *messagePane, it *item, next, keys *line) {
	limit := p.maxReceives()
	switch {
	case blocked(&it.Row):
		p.putBlocker(next, it)
	case it.DeadLetters:
		next.put(p.th.dead.Bold(true), receivesText(it.Receives, limit)).
			put(p.th.text, " used; its next receive moves it to ")
		putQueue(next, p.th, p.stats.Attributes.Redrive.DLQ)
	case limit > 0:
		next.put(p.th.text, receivesText(it.Receives, limit)).put(p.th.muted, " received; ").
			put(p.th.text, plural(max(limit-it.Receives, 0), "receive")).put(p.th.muted, " left before ")
		putQueue(next, p.th, p.stats.Attributes.Redrive.DLQ)
	default:
		next.put(p.th.muted, "received ").put(p.th.text, plural(it.Receives, "time")).
			put(p.th.muted, "; no dead-letter queue takes it")
	}
	k.costKeys(p, it, limit, keys)
}

func (k *visibleKind) costKeys(p *messagePane, it *item, limit int, keys *line) {
	if blocked(&it.Row) {
		keys.put(p.th.muted, peekBlocked)
	} else {
		k.costOfPeek(p, it, limit, keys)
	}
	keys.put(p.th.muted, "   ")
	if p.deadLetters() {
		what := "all " + countText(p.count())
		if n := len(p.marks); n > 0 {
			what = countText(n)
		}
		keys.put(p.th.key, "R").put(p.th.muted, " redrives ").put(p.th.text, what).put(p.th.muted, "   ")
	}
	if len(p.marks) > 0 {
		putMarked(keys, p)
		return
	}
	keys.put(p.th.key, p.th.glyph.enter).put(p.th.muted, " inspect: free")
}

func (k *visibleKind) costOfPeek(p *messagePane, it *item, limit int, keys *line) {
	keys.put(p.th.key, "p")
	switch {
	case it.DeadLetters:
		keys.put(p.th.muted, " peek: moves it to ")
		putQueue(keys, p.th, p.stats.Attributes.Redrive.DLQ)
		keys.put(p.th.muted, ", asks first")
	case limit > 0:
		keys.put(p.th.muted, " peek: receive ").
			put(p.th.text, countText(it.Receives+1)).put(p.th.muted, " of ").put(p.th.text, countText(limit))
	default:
		keys.put(p.th.muted, " peek: receive ").put(p.th.text, countText(it.Receives+1))
	}
}

// putMarked says what the keys do to the marked messages.
func putMarked(l *line, p *messagePane) {
	size := 0
	for _, pick := range p.marks {
		size += pick.Message.Size
	}
	l.put(p.th.key, "D").put(p.th.muted, " deletes ").put(p.th.text, countText(len(p.marks))).
		put(p.th.muted, " marked, ").put(p.th.text, bytesText(size))
}

// putQueue names a dead-letter queue.
func putQueue(l *line, th theme, name string) {
	l.put(th.dead, th.glyph.dead+" ").put(th.text, safeLine(name, 0))
}

func (k *visibleKind) act(p *messagePane, msg tea.KeyMsg) tea.Cmd {
	it := p.current()
	switch {
	case key.Matches(msg, k.Peek):
		return p.peek(it)
	case key.Matches(msg, k.Poll):
		return emit(askPollMsg{p.queue})
	case key.Matches(msg, k.Redrive):
		return p.redrive()
	}
	return nil
}

// peek receives the message under the cursor, and asks when that moves it.
func (p *messagePane) peek(it *item) tea.Cmd {
	if it.DeadLetters {
		return emit(askPeekMsg{it.Row, p.maxReceives(), p.stats.Attributes.Redrive.DLQ})
	}
	return emit(peekMsg{ref: it.Ref, id: it.Message.ID})
}

func (k *visibleKind) sync(p *messagePane) {
	p.syncShared()
	it := p.here()
	k.Peek.SetEnabled(it != nil && !blocked(&it.Row))
	k.Poll.SetEnabled(p.count() > 0)
	k.Redrive.SetEnabled(p.deadLetters() && p.count() > 0)
}

func (k *visibleKind) why(p *messagePane, b key.Binding) string {
	if it := p.current(); it != nil && blocked(&it.Row) && b.Help() == k.Peek.Help() {
		return whyBlocked
	}
	if p.queue != "" && b.Help() == k.Poll.Help() {
		return "nothing may be received"
	}
	if p.queue != "" && b.Help() == k.Redrive.Help() {
		if !p.deadLetters() {
			return "not a dead-letter queue: what died is in pane 3"
		}
		return whyNoneDead(p.stats)
	}
	return ""
}

func (k *visibleKind) empty(p *messagePane) []string {
	return []string{
		"No message may be received now.",
		"Press `c` to send one.",
	}
}

// deliveryOrder says how ready messages are sorted. By age it would be untrue:
// what was returned waits for another turn, and priorities go first.
func deliveryOrder(reverse bool) string {
	if reverse {
		return "last first"
	}
	return "next first"
}

func (k *visibleKind) order(reverse bool) string {
	return deliveryOrder(reverse)
}

func (k *visibleKind) arrivals(p *messagePane) uint64 {
	if p.stats == nil {
		return 0
	}
	c := p.stats.Counters
	return c.Sent + c.DeadLetteredIn + c.Lapsed
}

func (k *visibleKind) summary(p *messagePane) string {
	return p.oldest() + p.rate("in", inCounter)
}

// oldest is the age of the oldest message of the queue, whatever its state.
func (p *messagePane) oldest() string {
	if p.stats == nil || p.stats.OldestArrived.IsZero() {
		return ""
	}
	return p.th.muted.Render("oldest ") + p.th.text.Render(ageText(p.now.Sub(p.stats.OldestArrived)))
}

// summaryRoom is the width from which a folded pane says more than one thing.
const summaryRoom = 56

// rate is how fast a counter grew in the last minute, empty when it did not.
func (p *messagePane) rate(name string, pick counter) string {
	if p.stats == nil || p.width < summaryRoom {
		return ""
	}
	rate := p.samples.of(p.stats.Name).rate(pick)
	if rate == 0 {
		return ""
	}
	return p.th.muted.Render("  "+name+" ") + p.th.text.Render(rateText(rate))
}
