package ui

import (
	"strings"

	"inflight/engine"
)

// costLines is how many lines the focused pane keeps for what happens next:
// a rule and two lines.
const costLines = 3

// listRows is how many messages fit.
func (p *messagePane) listRows() int {
	rows := p.height - 3 // borders and the names of the columns
	if p.showsCost() {
		rows -= costLines
	}
	return max(rows, 0)
}

func (p *messagePane) showsCost() bool { return p.focused && p.height >= 9 }

// View draws the pane in exactly its size.
func (p *messagePane) View() string {
	if p.dirty || p.view == "" {
		p.setRows(p.listRows())
		p.view, p.dirty = p.draw(), false
	}
	return p.view
}

func (p *messagePane) draw() string {
	if p.folded {
		return p.drawFolded()
	}
	return exactBox(p.th, boxOptions{
		focused: p.focused,
		title:   paneTitle(p.th, p.id, p.focused, p.name, p.countTitle()),
		right:   p.rightTitle(),
		note:    p.noteLine(),
		bottom:  p.bottomLine(),
		width:   p.width, height: p.height,
	}, p.lines())
}

// lines is what stands inside the border.
func (p *messagePane) lines() []string {
	inner, height := p.width-2, p.height-2
	lines := make([]string, 0, max(height, 0))
	if inner < 1 || height < 1 {
		return lines
	}
	if !p.loaded || p.total == 0 {
		lines = append(lines, p.emptyLines(inner)...)
	} else {
		columns, body := fitColumns(p.columns(), inner)
		lines = append(lines, p.headLine(columns, inner))
		for i := p.top; i < min(p.top+p.rows, p.total); i++ {
			lines = append(lines, p.rowLine(columns, inner, body, i))
		}
	}
	if !p.showsCost() || !p.loaded || p.current() == nil {
		return lines[:min(len(lines), height)]
	}
	lines = lines[:min(len(lines), height-costLines)]
	for len(lines) < height-costLines {
		lines = append(lines, blanks(inner))
	}
	return append(append(lines, rule(p.th, inner)), p.costLines(inner)...)
}

func (p *messagePane) costLines(inner int) []string {
	next, keys := newSentence(p.th, inner-1).blank(1), newSentence(p.th, inner-1).blank(1)
	switch it := p.current(); {
	case it == nil || !p.loaded:
	case it.away != "" && len(p.marks) == 0:
		p.costAway(it, next, keys)
	default:
		p.kind.cost(p, it, next, keys)
	}
	return []string{next.done() + " ", keys.done() + " "}
}

// emptyLines teach: what this list is, why it is empty, and how to leave it.
func (p *messagePane) emptyLines(inner int) []string {
	var texts []string
	k := p.th.muted
	switch {
	case p.err != nil && !p.loaded:
		texts = []string{"Not read: " + errorText(p.err) + ".", "Trying again every second."}
		k = p.th.text
	case !p.known:
		texts = []string{"reading" + p.th.glyph.more}
	case p.queue == "":
		texts = p.kind.empty(p)
	case !p.loaded:
		texts = []string{"reading" + p.th.glyph.more}
	case p.filter != nil:
		texts = []string{"Nothing here matches " + safeLine(p.filter.text, 200) + ".", "esc clears the filter."}
	default:
		texts = p.kind.empty(p)
	}
	lines := []string{blanks(inner)}
	for _, s := range texts {
		l := newSentence(p.th, inner).blank(gutter)
		putKeys(l, p.th, k, s)
		lines = append(lines, l.done())
	}
	return lines
}

// putKeys writes a sentence in which keys stand between back quotes.
func putKeys(l *line, th theme, k ink, text string) {
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			l.put(th.key, part)
		} else {
			l.put(k, part)
		}
	}
}

// countTitle is how many messages there are; with a filter both counts.
func (p *messagePane) countTitle() string {
	switch {
	case p.filter != nil && p.loaded:
		return countText(p.total) + " of " + countText(p.of)
	case p.filter != nil || p.queue == "":
		return ""
	case p.frozen:
		return countText(p.total)
	case p.id == paneDead && held(p.stats) > 0:
		return countText(p.count()) + "  " + countText(held(p.stats)) + " held"
	default:
		return countText(p.count())
	}
}

// count is how many messages the queue has in this state; the page's answer
// and the queue's are seldom of the same moment, so the list's own goes first.
func (p *messagePane) count() int {
	switch {
	case p.loaded && p.filter == nil && !p.hidden:
		return p.total
	case p.stats == nil:
		return 0
	case p.id == paneFlight:
		return p.stats.Counts.InFlight
	case p.id == paneDelayed:
		return p.stats.Counts.Delayed
	default:
		return p.stats.Counts.Ready
	}
}

func (p *messagePane) rightTitle() string {
	if p.queue == "" {
		return ""
	}
	var parts []string
	if p.frozen {
		fresh := int(p.kind.arrivals(p) - p.arrived)
		parts = append(parts, p.th.badge(p.th.flight, "FROZEN")+" "+p.th.text.Render(countText(max(fresh, 0))+" new"))
	}
	if p.filter != nil {
		text, _ := cutText(safeLine(p.filter.text, 200), 24, p.th.glyph.more)
		parts = append(parts, p.th.key.Render("/")+p.th.text.Render(strings.TrimPrefix(text, "/")))
	}
	parts = append(parts, p.th.muted.Render(p.kind.order(p.reverse)))
	return strings.Join(parts, "  ")
}

// noteLine is what is worth knowing about the list: where the cursor's message
// went, how far a search got, where a range begins.
func (p *messagePane) noteLine() string {
	switch {
	case p.departed != "":
		return p.th.text.Render(p.departed)
	case p.filter != nil && p.searched < p.of && len(p.items) >= searchHits:
		return p.th.flight.Render(p.th.glyph.warn) + p.th.text.Render(" the first "+countText(searchHits)+" that match; searched "+
			countText(p.searched)+" of "+countText(p.of))
	case p.filter != nil && p.searched < p.of:
		return p.th.flight.Render(p.th.glyph.warn) + p.th.text.Render(" searched "+countText(p.searched)+" of "+countText(p.of))
	case p.rangeFrom.Ref != (engine.Ref{}):
		return p.th.accent.Render(p.th.glyph.mark) + p.th.text.Render(" range from "+shortID(p.rangeFrom.Message.ID)) +
			p.th.key.Render("  v") + p.th.muted.Render(" ends it")
	default:
		return ""
	}
}

// bottomLine is the position, or what comes next.
func (p *messagePane) bottomLine() string {
	position := ""
	if p.focused && p.loaded && p.total > 0 {
		position = p.th.muted.Render(countText(p.cursor+1) + " of " + countText(p.total))
	}
	switch {
	case p.caption == "" || p.departed != "" && position != "":
		return position
	case position == "":
		return p.caption
	default:
		return p.caption + "   " + position
	}
}

// drawFolded is the pane in one line.
func (p *messagePane) drawFolded() string {
	across := p.th.glyph.light.across
	return borderLine(p.th, p.th.faint, p.width, across, across, across,
		paneTitle(p.th, p.id, p.focused, p.name, p.countTitle()), p.kind.summary(p))
}
