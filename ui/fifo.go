package ui

import (
	"strconv"
	"strings"

	"inflight/engine"
)

// fifo says whether the messages lie in a FIFO queue.
func (p *messagePane) fifo() bool {
	return p.stats != nil && p.stats.Attributes.Type == engine.FIFO
}

// columns are the kind's, and the group's in a FIFO queue.
func (p *messagePane) columns() []column {
	columns := p.kind.columns(p)
	if !p.fifo() {
		return columns
	}
	return append([]column{columns[0], p.groupColumn()}, columns[1:]...)
}

// groupColumn is the message group.
func (p *messagePane) groupColumn() column {
	group := func(it *item) string { return safeLine(it.Message.Group, 64) }
	width := min(p.widest("group", 5, group), 12)
	return column{name: "group", gap: 2, width: width, short: 5, room: bodyLeast + 5,
		draw: func(l *line, p *messagePane, it *item, width int) { l.left(p.th.text, group(it), width) }}
}

// blocked says whether a ready message waits for another of its group.
func blocked(row *engine.Row) bool {
	return row.State == engine.Ready && row.Blocker != engine.Ref{}
}

// Why a blocked message cannot be peeked.
const (
	peekBlocked = "p off: its turn has not come"
	whyBlocked  = "an earlier message of its group is in flight"
)

// putBlocker names the message that a row waits for, and says until when.
func (p *messagePane) putBlocker(l *line, it *item) {
	name := ""
	if p.nameOf != nil {
		name = p.nameOf(it.Blocker)
	}
	l.put(p.th.muted, "waits for ")
	if name == "" {
		l.put(p.th.muted, "one in flight")
	} else {
		l.put(p.th.text, name)
	}
	const of, until = " of group ", " until "
	time := clockText(it.BlockedUntil, p.now)
	room := l.max - l.width - len(of)
	if !it.BlockedUntil.IsZero() {
		room -= len(until) + len(time)
	}
	group, width := cutText(safeLine(it.Message.Group, 64), min(room, 20), p.th.glyph.more)
	if width > 1 {
		l.put(p.th.muted, of).put(p.th.text, group)
	}
	if !it.BlockedUntil.IsZero() {
		l.put(p.th.muted, until).put(p.th.flight, time)
	}
}

// nameOf is the short id of a message that one of the lists has on screen.
func (m *mainScreen) nameOf(ref engine.Ref) string {
	for _, p := range m.messagePanes() {
		if i := p.indexOf(ref); i >= 0 {
			return p.at(i).id
		}
	}
	return ""
}

// maxIdentifier is how long a group and a deduplication id may be.
const maxIdentifier = 128

// fifoFields are what a message for a FIFO queue has instead of a delay and a
// priority.
func (f *sendForm) fifoFields() []*formField {
	hint, least := "not the same again within 5 minutes", 1
	if f.queue.Attributes.ContentDeduplication {
		hint, least = "empty: the body's SHA-256", 0
	}
	return []*formField{
		{label: "Group", control: &f.group, check: identifierCheck("group", 1), hint: "its messages keep their order"},
		{label: "Dedup id", control: &f.twice, check: identifierCheck("dedup id", least), hint: hint},
	}
}

// identifierCheck refuses what SQS refuses in a group or deduplication id.
func identifierCheck(what string, least int) func(string) string {
	return func(s string) string {
		if s = strings.TrimSpace(s); len(s) < least || len(s) > maxIdentifier {
			return what + ": " + strconv.Itoa(least) + " to " + strconv.Itoa(maxIdentifier) + " characters"
		}
		for _, r := range s {
			if r <= ' ' || r > '~' {
				return what + ": only letters, digits and punctuation, no blanks"
			}
		}
		return ""
	}
}
