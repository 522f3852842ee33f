package ui

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
	"inflight/keymap"
)

// shortLease is when a lease is about to lapse.
const shortLease = 5 * time.Second

func isShort(left time.Duration) bool { return wholeSeconds(left) < shortLease }

// flightKind is the list of messages that a consumer holds.
type flightKind struct{ keymap.Flight }

func newFlightPane(th theme) *messagePane {
	k := &flightKind{keymap.NewFlight()}
	return newMessagePane(th, paneFlight, "In flight", engine.InFlight, k, &k.Messages)
}

func (k *flightKind) columns(p *messagePane) []column {
	holder := func(it *item) string { return holderText(p.th, it) }
	holderColumn := column{name: "holder", gap: 2, width: min(p.widest("holder", 9, holder), 16), room: bodyLeast + 2,
		draw: func(l *line, p *messagePane, it *item, width int) { l.left(p.th.text, holder(it), width) }}
	return []column{idColumn(), p.leaseColumn(), p.receivesColumn(), holderColumn, sizeColumn()}
}

func holderText(th theme, it *item) string {
	if it.Holder == "" {
		return th.glyph.none
	}
	return safeLine(it.Holder, 0)
}

// leaseLeft is what is left of a lease. One that began after the last tick has
// all of it left, not more.
func (p *messagePane) leaseLeft(it *item) time.Duration {
	if it.LastReceived.After(p.now) {
		return it.Due.Sub(it.LastReceived)
	}
	return it.Due.Sub(p.now)
}

// shortBar is the shortest lease bar that says anything.
const shortBar = 4

// leaseColumn is a bar and a countdown, or the countdown alone. A long
// countdown takes from the bar, so that the columns beside it keep their place.
func (p *messagePane) leaseColumn() column {
	text := p.widest("", 4, func(it *item) string { return leaseText(p.leaseLeft(it)) + " " })
	full := max(barCells+1+4, shortBar+1+text)
	return column{name: "lease", gap: 2, width: full, short: shortBar + 1 + text, least: max(text, 5), room: bodyLeast + 6,
		draw: func(l *line, p *messagePane, it *item, width int) {
			left, whole := p.leaseLeft(it), it.Due.Sub(it.LastReceived)
			k := p.th.flight
			if isShort(left) {
				k = p.th.dead
			}
			if cells := min(width-1-text, barCells); cells >= shortBar {
				part := 0.0
				if whole > 0 {
					part = float64(wholeSeconds(left)) / float64(whole)
				}
				bar(p.th, l, k, part, cells)
				width -= cells
			}
			dueText(p.th, l, left, width)
		}}
}

func (k *flightKind) cost(p *messagePane, it *item, next, keys *line) {
	limit, left := p.maxReceives(), leaseText(p.leaseLeft(it))
	switch {
	case limit > 0 && it.Receives >= limit:
		next.put(p.th.dead.Bold(true), receivesText(it.Receives, limit)).
			put(p.th.text, " lapses in "+left+"; its next receive moves it to ")
		putQueue(next, p.th, p.stats.Attributes.Redrive.DLQ)
	case limit > 0:
		next.put(p.th.text, receivesText(it.Receives, limit)).put(p.th.muted, " lapses in ").put(p.th.text, left).
			put(p.th.muted, ", then visible again; ").put(p.th.text, plural(limit-it.Receives, "receive")).put(p.th.muted, " left")
	default:
		next.put(p.th.muted, "lapses in ").put(p.th.text, left).put(p.th.muted, ", then visible again; received ").
			put(p.th.text, plural(it.Receives, "time"))
	}
	if len(p.marks) > 0 {
		keys.put(p.th.key, "r").put(p.th.muted, " releases ").put(p.th.text, countText(len(p.marks))).put(p.th.muted, "   ")
		putMarked(keys, p)
		return
	}
	timeout := p.stats.Attributes.VisibilityTimeout
	if timeout > 0 {
		due := p.now.Add(timeout)
		keys.put(p.th.key, "x").put(p.th.muted, " hide until ").put(p.th.text, clockText(due, p.now))
		if due.Before(it.Due) {
			keys.put(p.th.flight, " sooner").put(p.th.muted, ", asks")
		}
		keys.put(p.th.muted, "   ")
	}
	keys.put(p.th.key, "r").put(p.th.muted, " release: breaks ")
	if it.Holder != "" {
		keys.put(p.th.text, safeLine(it.Holder, 0)).put(p.th.muted, "'s lease")
	} else {
		keys.put(p.th.muted, "a lease")
	}
}

func (k *flightKind) act(p *messagePane, msg tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(msg, k.Extend):
		return k.extend(p)
	case key.Matches(msg, k.ExtendTo):
		return emit(askExtendMsg{p.queue, p.picks()})
	case key.Matches(msg, k.Release):
		picks := p.picks()
		if len(picks) > 1 {
			return emit(askReleaseMsg{p.queue, picks})
		}
		return emit(releaseMsg{refsOf(picks)})
	}
	return nil
}

// extend hides by the queue's visibility timeout, counted from now. When that
// ends a lease sooner than it would end, it asks.
func (k *flightKind) extend(p *messagePane) tea.Cmd {
	picks, by := p.picks(), p.stats.Attributes.VisibilityTimeout
	sooner := 0
	for _, pick := range picks {
		if i := p.indexOf(pick.Ref); i >= 0 && p.now.Add(by).Before(p.at(i).Due) {
			sooner++
		}
	}
	if sooner > 0 {
		return emit(askSoonerMsg{picks, by, sooner})
	}
	return emit(extendMsg{refsOf(picks), by})
}

func refsOf(picks []engine.Row) []engine.Ref {
	refs := make([]engine.Ref, len(picks))
	for i, pick := range picks {
		refs[i] = pick.Ref
	}
	return refs
}

func (k *flightKind) sync(p *messagePane) {
	p.syncShared()
	has := p.acts()
	k.Extend.SetEnabled(has && p.stats != nil && p.stats.Attributes.VisibilityTimeout > 0)
	k.ExtendTo.SetEnabled(has)
	k.Release.SetEnabled(has)
	k.Peek.SetEnabled(false)
	k.Forward.SetEnabled(false)
}

func (k *flightKind) why(p *messagePane, b key.Binding) string {
	switch b.Help() {
	case k.Peek.Help():
		return "in flight: hidden from receives until its lease lapses"
	case k.Forward.Help():
		return "in flight: release it first"
	case k.Extend.Help():
		if p.acts() {
			return "the queue's visibility timeout is 0"
		}
	}
	return ""
}

func (k *flightKind) empty(p *messagePane) []string {
	return []string{
		"Nothing is in flight: no consumer holds a message.",
		"A received one stands here until it is deleted,",
		"released, or its lease lapses.",
	}
}

func (k *flightKind) order(reverse bool) string {
	if reverse {
		return "latest first"
	}
	return "soonest first"
}

func (k *flightKind) arrivals(p *messagePane) uint64 {
	if p.stats == nil {
		return 0
	}
	return p.stats.Counters.Received
}

func (k *flightKind) summary(p *messagePane) string {
	if p.stats == nil || p.stats.NextLapse.IsZero() || p.stats.Counts.InFlight == 0 {
		return ""
	}
	left := p.stats.NextLapse.Sub(p.now)
	ink := p.th.text
	if isShort(left) {
		ink = p.th.dead
	}
	return p.th.muted.Render("next lapse in ") + ink.Render(leaseText(left)) + p.rate("lapsed", lapsedCounter)
}
