package ui

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"inflight/engine"
)

// facts are what the engine recorded about the message, what matters most
// first. All is safe to draw.
func (p *detailPane) facts() []fact {
	d, m := &p.detail, &p.detail.Message
	var facts []fact
	add := func(label, value string) {
		if value != "" {
			facts = append(facts, fact{label, value})
		}
	}
	if d.State != engine.Ready {
		add("until", p.moment(d.Due))
	}
	if d.Holder != "" {
		label := "last by"
		if d.State == engine.InFlight {
			label = "holder"
		}
		add(label, safeLine(d.Holder, 0))
	}
	add("receives", p.receives())
	add("origin", safeLine(m.Origin, 0))
	add("sent", p.ago(m.Sent))
	if !m.Arrived.Equal(m.Sent) {
		add("arrived", p.ago(m.Arrived))
	}
	first := d.FirstReceived
	if !m.FirstReceived.IsZero() {
		first = m.FirstReceived
	}
	if !first.IsZero() {
		add("1st recv", p.ago(first))
	}
	if !d.LastReceived.IsZero() && !d.LastReceived.Equal(first) {
		add("last recv", p.ago(d.LastReceived))
	}
	add("expires", p.moment(d.Expires))
	if m.Priority != engine.DefaultPriority {
		add("priority", strconv.Itoa(m.Priority))
	}
	add("sender", safeLine(m.Sender, 0))
	add("group", safeLine(m.Group, 0))
	add("dedup", safeLine(m.Deduplication, 0))
	if m.Sequence > 0 {
		add("sequence", strconv.FormatUint(m.Sequence, 10))
	}
	return facts
}

// receives counts those in this queue, and over all if there were others.
func (p *detailPane) receives() string {
	d := &p.detail
	s := strconv.Itoa(d.Receives)
	if d.MaxReceives > 0 {
		s += " of " + countText(d.MaxReceives)
	}
	if d.Message.EarlierReceives > 0 {
		s += " here, " + countText(d.Receives+d.Message.EarlierReceives) + " in all"
	}
	return s
}

// ago is a time in the past with its age.
func (p *detailPane) ago(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return clockText(t, p.now) + ", " + ageText(p.now.Sub(t)) + " ago"
}

// moment is a time to come with what is left until then.
func (p *detailPane) moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	left := t.Sub(p.now)
	switch {
	case left <= 0:
		return clockText(t, p.now)
	case left >= 24*time.Hour: // as long as fits beside the body
		return clockText(t, p.now) + ", " + ageText(left)
	}
	return clockText(t, p.now) + ", " + leaseOrAge(left) + " left"
}

// leaseOrAge writes short times as leases and long ones as ages.
func leaseOrAge(d time.Duration) string {
	if d < time.Hour {
		return leaseText(d)
	}
	return ageText(d)
}

func (p *detailPane) stateText() string {
	switch {
	case p.gone != "":
		return "gone"
	case p.detail.State == engine.Ready && p.dead():
		return "dead"
	case p.detail.State == engine.Ready:
		return "visible"
	default:
		return p.detail.State.String()
	}
}

// stateLook is the ink and glyph of the message's state.
func (p *detailPane) stateLook() (ink, string) {
	switch {
	case p.gone != "":
		return p.th.muted, p.th.glyph.fail
	case p.detail.State == engine.InFlight:
		return p.th.state(paneFlight)
	case p.detail.State == engine.Delayed:
		return p.th.state(paneDelayed)
	case p.dead():
		return p.th.state(paneDead)
	default:
		return p.th.state(paneVisible)
	}
}

// next says what happens to the message next, or how it came here. Every
// clause is a recorded fact or follows from one by the queue's rules.
func (p *detailPane) next() string {
	d := &p.detail
	at := func(t time.Time) string { return clockText(t, p.now) }
	used := countText(d.Receives) + " of " + countText(d.MaxReceives) + " receives used"
	last := d.MaxReceives > 0 && d.Receives >= d.MaxReceives
	dlq := safeLine(d.DLQ, 0)
	switch {
	case p.gone != "":
		return "The message " + p.gone + ". What was read of it stays on screen."
	case d.State == engine.Delayed:
		return "Its delay ends at " + at(d.Due) + ": then it may be received."
	case d.State == engine.InFlight && !d.Expires.IsZero() && d.Expires.Before(d.Due):
		return "Its retention ends at " + at(d.Expires) + ", before its lease: unless deleted it expires."
	case d.State == engine.InFlight && last:
		return fmt.Sprintf("%s. Lapses at %s unless deleted; its next receive moves it to %s.", used, at(d.Due), dlq)
	case d.State == engine.InFlight:
		s := "Lapses at " + at(d.Due) + " unless deleted; then visible again"
		if d.MaxReceives > 0 {
			return s + " with " + used + "."
		}
		return s + "."
	case blocked(&d.Row):
		s := "It waits for an earlier message of its group " + safeLine(d.Message.Group, 64) + ", which is in flight"
		if !d.BlockedUntil.IsZero() {
			s += " until " + at(d.BlockedUntil)
		}
		return s + "."
	case d.DeadLetters:
		return used + ": its next receive, or peek, moves it to " + dlq + "."
	case d.Message.Origin != "":
		return fmt.Sprintf("Moved here from %s at %s after %s, none of which deleted it. Unless redriven it expires at %s.",
			safeLine(d.Message.Origin, 0), at(d.Message.Arrived), plural(d.Message.EarlierReceives, "receive"), at(d.Expires))
	case d.MaxReceives > 0:
		return fmt.Sprintf("It may be received. %s; the one after the last moves it to %s.", used, dlq)
	default:
		return "It may be received. Without a DLQ it comes back until it is deleted, or expires at " + at(d.Expires) + "."
	}
}

// lifeEntry is a line of the receives: when, what, and how it ended.
type lifeEntry struct {
	at          time.Time
	what, rest  string // safe
	short, note string // the same for a narrow column
	ink         ink
	glyph       string
}

// life is what is recorded of the message's way, oldest first.
func (p *detailPane) life() []lifeEntry {
	d, th := &p.detail, p.th
	sent := lifeEntry{at: d.Message.Sent, what: "sent", short: "sent", ink: th.visible, glyph: th.glyph.visible}
	if d.Message.Sender != "" {
		sent.note = safeLine(d.Message.Sender, 60)
		sent.rest = "by " + sent.note
	}
	entries := []lifeEntry{sent}
	if d.Message.Origin != "" {
		entries = append(entries, p.received(d.EarlierHistory, d.Message.EarlierReceives, d.Message.FirstReceived, false)...)
		from := safeLine(d.Message.Origin, 60)
		entries = append(entries, lifeEntry{
			at: d.Message.Arrived, what: "dead-lettered", rest: "from " + from,
			short: "dead", note: "from " + from, ink: th.dead, glyph: th.glyph.dead,
		})
	}
	entries = append(entries, p.received(d.History, d.Receives, d.FirstReceived, true)...)
	for _, x := range d.LateDeletes {
		entries = append(entries, p.lateEntry(x))
	}
	slices.SortStableFunc(entries, func(a, b lifeEntry) int { return a.at.Compare(b.at) })
	return entries
}

// received are those kept of so many in one queue, or in those before it, and
// the first if that is not kept.
func (p *detailPane) received(kept []engine.Received, n int, first time.Time, here bool) []lifeEntry {
	var entries []lifeEntry
	if lost := n - len(kept); lost > 0 && !first.IsZero() {
		entries = append(entries, lifeEntry{
			at: first, what: "receive 1", rest: "the first of " + countText(lost) + " that are not kept",
			short: "1", note: "of " + countText(lost) + " not kept", ink: p.th.muted, glyph: p.th.glyph.flight,
		})
	}
	for i, r := range kept {
		entries = append(entries, p.receiveEntry(r, n-len(kept)+i+1, here && i == len(kept)-1))
	}
	return entries
}

// lateEntry is a delete that came too late: why a message that was dealt with
// is still there.
func (p *detailPane) lateEntry(x engine.LateDelete) lifeEntry {
	e := lifeEntry{at: x.At, what: "late delete", short: "late", ink: p.th.dead, glyph: p.th.glyph.fail}
	who := ""
	if x.Holder != "" {
		who = safeLine(x.Holder, 60) + ", "
	}
	if x.By <= 0 {
		e.rest, e.note = who+"by an old receipt", who+"old receipt"
		return e
	}
	e.rest = who + leaseOrAge(x.By) + " after its lease"
	e.note = who + "delete " + leaseOrAge(x.By) + " late"
	return e
}

func (p *detailPane) receiveEntry(r engine.Received, number int, last bool) lifeEntry {
	th := p.th
	holder := safeLine(r.Holder, 60)
	if holder == "" {
		holder = "somebody"
	}
	e := lifeEntry{at: r.At, what: "receive " + countText(number), short: countText(number), ink: th.muted, glyph: th.glyph.flight}
	switch {
	case r.Kind == engine.ByPeek:
		e.what, e.ink, e.glyph = "peek "+countText(number), th.visible, th.glyph.visible
		e.rest, e.note = holder+", hidden for no time", holder+", peek"
	case last && p.detail.State == engine.InFlight && p.gone == "":
		left := leaseOrAge(p.detail.Due.Sub(p.now)) + " left"
		e.ink = th.flight
		e.rest, e.note = holder+", until "+clockText(p.detail.Due, p.now)+", "+left, holder+", "+left
	default:
		e.rest = holder + ", until " + clockText(r.Until, p.now)
		e.note = holder + ", " + leaseOrAge(r.Until.Sub(r.At))
	}
	return e
}
