package ui

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
	"inflight/keymap"
)

// shortRetention is when a message is about to expire.
const shortRetention = 2 * time.Hour

// deadKind is the list of what may be received from the queue's dead-letter
// queue.
type deadKind struct{ keymap.Dead }

func newDeadPane(th theme) *messagePane {
	k := &deadKind{keymap.NewDead()}
	p := newMessagePane(th, paneDead, "Dead", engine.Ready, k, &k.Messages)
	p.reverse = true
	return p
}

func (k *deadKind) columns(p *messagePane) []column {
	columns := []column{
		idColumn(),
		p.ageColumn("died", func(it *item) time.Time { return it.Message.Arrived }),
		p.deadReceivesColumn(),
		p.expiresColumn(),
	}
	if p.severalOrigins() {
		columns = append(columns, p.originColumn())
	}
	return append(columns, sizeColumn())
}

// originColumn is the queue in which a message died.
func (p *messagePane) originColumn() column {
	from := func(it *item) string { return originText(p.th, it) }
	return column{name: "from", gap: 2, width: min(p.widest("from", 6, from), 14), room: bodyLeast + 4,
		draw: func(l *line, p *messagePane, it *item, width int) {
			if it.Message.Origin == "" {
				l.left(p.th.muted, from(it), width)
				return
			}
			l.left(p.th.text, from(it), width)
		}}
}

// severalOrigins says that what lies here did not all come from one queue.
func (p *messagePane) severalOrigins() bool {
	if p.stats == nil || len(p.stats.Sources) != 1 {
		return p.stats != nil
	}
	for _, it := range p.items {
		if it.Message.Origin != p.stats.Sources[0] {
			return true
		}
	}
	return false
}

// deadLetters says whether the messages lie in a dead-letter queue.
func (p *messagePane) deadLetters() bool { return p.stats != nil && len(p.stats.Sources) > 0 }

func originText(th theme, it *item) string {
	if it.Message.Origin == "" {
		return "sent here"
	}
	return safeLine(it.Message.Origin, 0)
}

// deadReceivesColumn counts the receives that it took to die, and those since.
func (p *messagePane) deadReceivesColumn() column {
	cell := func(it *item) string { return p.deadReceives(it) }
	return column{name: "recv", right: true, gap: 2, width: p.widest("recv", 4, cell),
		draw: func(l *line, p *messagePane, it *item, width int) { l.right(p.th.text, cell(it), width) }}
}

func (p *messagePane) deadReceives(it *item) string {
	if it.Message.Origin == "" {
		return receivesText(it.Receives, 0)
	}
	limit := 0
	if p.source != nil && it.Message.Origin == p.selected {
		limit = p.source.Attributes.Redrive.MaxReceives
	}
	text := receivesText(it.Message.EarlierReceives, limit)
	if it.Receives > 0 {
		text += "+" + countText(it.Receives)
	}
	return text
}

// expiresColumn is when retention will be over.
func (p *messagePane) expiresColumn() column {
	left := func(it *item) string { return ageText(it.Expires.Sub(p.now)) + " " }
	return column{name: "expires", right: false, gap: 2, width: p.widest("expires", 7, left), room: bodyLeast + 2,
		draw: func(l *line, p *messagePane, it *item, width int) {
			if it.Expires.Sub(p.now) < shortRetention {
				l.right(p.th.dead.Bold(true), ageText(it.Expires.Sub(p.now))+p.th.glyph.warn, width)
				return
			}
			l.right(p.th.text, left(it), width)
		}}
}

func (k *deadKind) cost(p *messagePane, it *item, next, keys *line) {
	next.put(p.th.muted, "expires ").put(p.th.text, clockText(it.Expires, p.now))
	if it.Message.Origin == "" {
		next.put(p.th.muted, "; sent here ").put(p.th.text, clockText(it.Message.Arrived, p.now))
	} else {
		next.put(p.th.muted, "; died ").put(p.th.text, clockText(it.Message.Arrived, p.now)).
			put(p.th.muted, " in ").put(p.th.text, safeLine(it.Message.Origin, 0))
	}
	if n := len(p.marks); n > 0 {
		keys.put(p.th.key, "R").put(p.th.muted, " redrives ").put(p.th.text, countText(n)).put(p.th.muted, "   ")
		putMarked(keys, p)
		return
	}
	keys.put(p.th.key, "R").put(p.th.muted, " redrive: new id, receives ").put(p.th.text, "0").put(p.th.muted, "   ")
	if blocked(&it.Row) {
		keys.put(p.th.muted, peekBlocked)
		return
	}
	keys.put(p.th.key, "p").put(p.th.muted, " peek: receive ").put(p.th.text, countText(it.Receives+1)).
		put(p.th.muted, " here")
}

func (k *deadKind) act(p *messagePane, msg tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(msg, k.Peek):
		return p.peek(p.current())
	case key.Matches(msg, k.Poll):
		return emit(askPollMsg{p.queue})
	case key.Matches(msg, k.Redrive):
		return p.redrive()
	}
	return nil
}

// redrive asks about the marked messages, or all.
func (p *messagePane) redrive() tea.Cmd {
	ask := askRedriveMsg{source: p.queue}
	if len(p.marks) > 0 {
		ask.rows = p.picks()
	}
	return emit(ask)
}

func (k *deadKind) sync(p *messagePane) {
	p.syncShared()
	it := p.here()
	k.Peek.SetEnabled(it != nil && !blocked(&it.Row))
	k.Poll.SetEnabled(p.count() > 0)
	k.Redrive.SetEnabled(p.count() > 0)
}

func (k *deadKind) why(p *messagePane, b key.Binding) string {
	if p.queue == "" {
		return ""
	}
	if it := p.current(); it != nil && blocked(&it.Row) && b.Help() == k.Peek.Help() {
		return whyBlocked
	}
	switch b.Help() {
	case k.Poll.Help(), k.Redrive.Help():
		return whyNoneDead(p.stats)
	}
	return ""
}

func (k *deadKind) empty(p *messagePane) []string {
	switch {
	case p.selected == "" || p.source == nil:
		return nil
	case p.queue == "" && p.source.Attributes.Redrive.DLQ != "":
		return []string{
			shortName(safeLine(p.source.Attributes.Redrive.DLQ, 0), nameMost, p.th.glyph.more) + ", its dead-letter queue, does not exist any more:",
			"messages stay and come back. Press `,` to name another.",
		}
	case p.queue == "" && len(p.source.Sources) > 0:
		return []string{
			"This is a dead-letter queue and has none itself.",
			"What died is in the visible pane: press `1`.",
		}
	case p.queue == "":
		return []string{
			shortName(safeLine(p.selected, 0), min(nameMost, p.width-31), p.th.glyph.more) + " has no dead-letter queue:",
			"a message that nobody deletes comes back for ever.",
			"Press `,` to set one, and how many receives it takes.",
		}
	}
	if lines := p.heldLines(); len(lines) > 0 {
		return lines
	}
	return []string{
		"Nothing is dead.",
		"What is received more than " + plural(p.source.Attributes.Redrive.MaxReceives, "time") + " comes here.",
	}
}

// held is how many dead messages lie there and may not be received now.
func held(dlq *engine.QueueStats) int { return dlq.Counts.InFlight + dlq.Counts.Delayed }

// deadCount is how many dead ones may be received, or in brackets how many are
// held; empty when nothing is dead.
func deadCount(dlq *engine.QueueStats) string {
	switch {
	case dlq == nil:
		return ""
	case dlq.Counts.Ready > 0:
		return shortCount(dlq.Counts.Ready)
	case held(dlq) > 0:
		return "(" + shortCount(held(dlq)) + ")"
	default:
		return ""
	}
}

// whyNoneDead says why there is nothing to redrive from a queue.
func whyNoneDead(dlq *engine.QueueStats) string {
	if dlq == nil || held(dlq) == 0 {
		return "nothing is dead"
	}
	return "all " + countText(held(dlq)) + " are held there"
}

// heldLines say where the dead ones are when none may be received.
func (p *messagePane) heldLines() []string {
	var lines []string
	name := shortName(safeLine(p.queue, 0), nameMost, p.th.glyph.more)
	if n := p.stats.Counts.InFlight; n > 0 {
		lines = append(lines, countText(n)+verbFor(n)+" held by consumers of "+name+".")
	}
	if n := p.stats.Counts.Delayed; n > 0 {
		lines = append(lines, countText(n)+verbFor(n)+" delayed in "+name+".")
	}
	if len(lines) > 0 {
		lines = append(lines, "Select that queue to see them.")
	}
	return lines
}

func verbFor(n int) string {
	if n == 1 {
		return " is"
	}
	return " are"
}

func (k *deadKind) order(reverse bool) string {
	return deliveryOrder(reverse)
}

func (k *deadKind) arrivals(p *messagePane) uint64 {
	if p.stats == nil {
		return 0
	}
	c := p.stats.Counters
	return c.Sent + c.DeadLetteredIn + c.Lapsed
}

func (k *deadKind) summary(p *messagePane) string {
	switch {
	case p.queue == "":
		return p.th.muted.Render("no dead-letter queue")
	case p.stats == nil || p.count() == 0:
		return ""
	}
	text := p.oldest()
	if n := p.samples.died(p.stats.Name); n > 0 && p.width >= summaryRoom {
		text += "  " + p.th.dead.Render(countText(n)+" died") + p.th.muted.Render(" in 5m")
	}
	return text
}
