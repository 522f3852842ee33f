package ui

import (
	"strings"
)

const (
	detailWideFrom = 96 // columns: facts and receives beside the body
	nextRows       = 4  // of what happens next
)

// divide is the layout of the detail screen below its two lines of head: the window's box,
// and on a wide screen a column of facts at the right.
func (p *detailPane) divide() (left, right, height int) {
	height = max(p.height-2, 0)
	if p.zoom || p.width < detailWideFrom {
		return p.width, 0, height
	}
	right = min(max(p.width*2/5, 40), 64)
	return p.width - right, right, height
}

// window is the size of what scrolls.
func (p *detailPane) window() (width, height int) {
	left, right, all := p.divide()
	height = all - 2
	if right == 0 && !p.zoom {
		height -= len(p.nextLines(left-4)) + 1 // the rule
	}
	return max(left-4, 0), max(height, 0)
}

func (p *detailPane) fit() {
	p.body.setSize(p.window())
	_, height := p.window()
	if !p.inBody() {
		p.tops[p.tab] = max(min(p.tops[p.tab], len(p.tabLines())-height), 0)
	}
}

func (p *detailPane) nextLines(width int) []string {
	if !p.loaded && p.gone == "" {
		return nil
	}
	lines := wrapText(p.next(), width)
	return lines[:min(len(lines), nextRows)]
}

// View draws the screen.
func (p *detailPane) View() string {
	if p.width < 8 || p.height < 5 {
		return strings.TrimSuffix(strings.Repeat(blanks(max(p.width, 0))+"\n", max(p.height, 0)), "\n")
	}
	p.fit()
	left, right, height := p.divide()
	view := p.windowBox(left, height, right == 0)
	if right > 0 {
		view = joinLeft(view, p.side(right, height))
	}
	return p.crumbs() + "\n" + p.tabBar() + "\n" + view
}

// crumbs says where we are: the queue, the state, the id; and the place in the
// list at the right.
func (p *detailPane) crumbs() string {
	th := p.th
	right := newLine(th, p.width, false)
	if p.total > 0 && p.at > 0 {
		if p.width >= detailWideFrom {
			right.put(th.muted, "message ")
		}
		right.put(th.text, countText(p.at)).put(th.muted, " of "+countText(p.total)).blank(2).put(th.key, "J K ")
	} else if p.total > 0 {
		right.put(th.muted, "not in the list any more ")
	}
	l := newLine(th, max(p.width-right.width-1, 0), false).blank(1)
	if p.loaded {
		k, glyph := p.stateLook()
		state, id, between := glyph+" "+p.stateText(), p.detail.Message.ID, " "+th.glyph.branch+" "
		room := l.max - l.width - cellWidth(state+between+between+shortID(id)) // the queue's name gives way
		queue, _ := cutText(safeLine(p.detail.Queue, 0), max(room, leastName), th.glyph.more)
		l.put(th.bold, queue).put(th.muted, between).put(k, state).put(th.muted, between)
		if l.width+len(id.String()) <= l.max {
			l.put(th.text, id.String())
		} else {
			l.put(th.text, shortID(id))
		}
	} else {
		l.put(th.muted, "message")
	}
	return newLine(th, p.width, false).raw(l.text(), l.width).to(p.width-right.width).raw(right.text(), right.width).done()
}

// tabBar names the tabs, and what the body is.
func (p *detailPane) tabBar() string {
	th := p.th
	what := ""
	if p.loaded {
		what = p.body.format.String() + " " + bytesText(len(p.body.body))
		if p.tab == tabPretty && len(p.body.body) > prettyLimit && p.body.format != formatBinary {
			what = "too large to indent, " + what
		}
	}
	l := newLine(th, p.width, false).blank(1)
	for t := range detailTabs {
		if t == p.tab {
			l.put(th.key, "["+t.String()+"]")
		} else {
			l.put(th.muted, " "+t.String()+" ")
		}
		l.blank(1)
	}
	if l.width+cellWidth(what)+2 <= p.width {
		l.to(p.width-cellWidth(what)-1).put(th.muted, what)
	}
	return l.done()
}

// windowBox is the box of the chosen tab.
func (p *detailPane) windowBox(width, height int, alone bool) string {
	th := p.th
	o := boxOptions{focused: true, width: width, height: height}
	o.title, o.right, o.note, o.bottom = p.frameWords()
	_, rows := p.window()
	lines := p.tabWindow(rows)
	for i, s := range lines {
		lines[i] = " " + fit(s, width-4, th.glyph.more) + " "
	}
	if alone && !p.zoom {
		for len(lines) < rows {
			lines = append(lines, blanks(width-2))
		}
		lines = append(lines, rule(th, width-2))
		for _, s := range p.nextLines(width - 4) {
			lines = append(lines, newLine(th, width-2, false).blank(1).put(th.text, s).done())
		}
	}
	return box(th, o, lines)
}

// frameWords are what stands in the window's border.
func (p *detailPane) frameWords() (title, right, note, bottom string) {
	th := p.th
	switch {
	case p.gone != "":
		title = th.flight.Render(th.glyph.warn) + th.text.Render(" "+p.gone)
	case p.err != nil:
		title = th.dead.Render(th.glyph.fail) + th.text.Render(" not read: "+errorText(p.err))
	case !p.loaded:
		title = th.muted.Render("reading" + th.glyph.more)
	default:
		k, _ := p.stateLook()
		title = k.Bold(true).Render(p.stateText()) + th.muted.Render("  receives ") + th.text.Render(p.receives())
		right = th.muted.Render("expires ") + th.text.Render(clockText(p.detail.Expires, p.now))
	}
	if f := &p.body.find; p.inBody() && f.query != "" {
		note = th.key.Render("/") + th.text.Render(safeLine(f.query, 40)) + th.muted.Render("  ")
		switch n := len(f.hits); {
		case n == 0:
			note += th.muted.Render("not found")
		case n == maxHits:
			note += th.text.Render(countText(f.now+1)) + th.muted.Render(" of "+countText(n)+" or more")
		default:
			note += th.text.Render(countText(f.now+1)) + th.muted.Render(" of "+countText(n))
		}
	}
	bottom = th.text.Render(p.place())
	return title, right, note, bottom
}

// place is which part of the tab is on screen.
func (p *detailPane) place() string {
	if p.inBody() {
		return p.body.place()
	}
	_, height := p.window()
	if n := len(p.tabLines()); n > height && n > 0 {
		return countText(min(p.tops[p.tab]+height, n)) + " of " + countText(n)
	}
	return ""
}

func (p *detailPane) tabWindow(rows int) []string {
	switch {
	case !p.loaded:
		return nil
	case p.inBody():
		return p.body.draw()
	}
	lines := p.tabLines()
	first := min(p.tops[p.tab], len(lines))
	return append([]string(nil), lines[first:min(first+rows, len(lines))]...)
}

// tabLines are all lines of a tab that is no body.
func (p *detailPane) tabLines() []string {
	width, _ := p.window()
	if !p.loaded {
		return nil
	}
	if p.tab == tabReceives {
		return p.lifeLines(width)
	}
	lines := []string{}
	lines = append(lines, p.factLines([]fact{
		{"id", p.detail.Message.ID.String()}, {"queue", safeLine(p.detail.Queue, 0)},
		{"state", p.stateText()}, {"size", bytesText(p.detail.Message.Size)},
	}, width)...)
	lines = append(lines, p.factLines(p.facts(), width)...)
	return append(lines, p.attributeLines(width, true)...)
}

// factLabel is the width of the labels of facts.
const factLabel = 9

func (p *detailPane) factLines(facts []fact, width int) []string {
	lines := make([]string, 0, len(facts))
	for _, f := range facts {
		for i, part := range wrapText(f.value, max(width-factLabel-1, 8)) {
			l := newLine(p.th, width, false)
			if i == 0 {
				l.put(p.th.muted, f.label)
			}
			l.to(factLabel+1).put(p.th.text, part)
			lines = append(lines, l.done())
		}
	}
	return lines
}

// attributeLines are the sender's attributes, whole or a line each.
func (p *detailPane) attributeLines(width int, whole bool) []string {
	th, m := p.th, &p.detail.Message
	if len(m.Attributes)+len(m.System) == 0 {
		if whole {
			return []string{"", newLine(th, width, false).put(th.muted, "no attributes were sent with it").done()}
		}
		return nil
	}
	lines := []string{newLine(th, width, false).put(th.faint, repeat(th.glyph.rule, width)).done()}
	names := factLabel
	for _, a := range m.Attributes {
		names = min(max(names, cellWidth(safeLine(a.Name, 0))), width/2)
	}
	for i, a := range append(m.Attributes[:len(m.Attributes):len(m.Attributes)], m.System...) {
		kind := safeLine(a.Type, 40)
		if i >= len(m.Attributes) {
			kind += ", system"
		}
		name := safeLine(a.Name, 0)
		if !whole {
			l := newLine(th, width, false).left(th.muted, name, names).blank(1)
			lines = append(lines, l.put(th.text, safeLine(a.Value, 4*width)).done())
			continue
		}
		lines = append(lines, newLine(th, width, false).put(th.text, name).blank(2).put(th.muted, kind).done())
		value, _ := safeSpans(a.Value, 16<<10)
		for _, part := range wrapText(value, max(width-2, 1)) {
			lines = append(lines, newLine(th, width, false).blank(2).put(th.text, part).done())
		}
	}
	return lines
}

// lifeLines are the receives, a line each: time, what, who and until when; in
// a narrow column the short forms.
func (p *detailPane) lifeLines(width int) []string {
	th := p.th
	var lines []string
	for _, e := range p.life() {
		l := newLine(th, width, false).put(th.muted, clockText(e.at, p.now)).blank(2).left(e.ink, e.glyph, 1).blank(1)
		if width < 60 {
			l.left(th.text, e.short, 4).blank(1).put(th.muted, e.note)
		} else {
			l.left(th.text, e.what, 13).blank(1).put(th.muted, e.rest)
		}
		lines = append(lines, l.done())
	}
	if p.detail.Receives == 0 {
		lines = append(lines, newLine(th, width, false).put(th.muted, "not received in this queue").done())
	}
	return lines
}

// side is the column of facts, receives and what happens next.
func (p *detailPane) side(width, height int) string {
	th := p.th
	inner := width - 4
	next := p.nextLines(inner)
	nextHeight := 0
	if len(next) > 0 && height >= 3 {
		nextHeight = min(len(next)+2, height)
	}
	facts := append(p.factLines(p.facts(), inner), p.attributeLines(inner, false)...)
	var life []string
	if p.loaded {
		life = p.lifeLines(inner)
	} else {
		facts = nil
	}
	rest := max(height-nextHeight, 0)
	lifeHeight := min(len(life)+2, max(rest/3, rest-len(facts)-2))
	factsHeight := rest - lifeHeight
	if lifeHeight < 3 {
		factsHeight, lifeHeight = rest, 0
	}
	pad := func(lines []string) []string {
		out := make([]string, len(lines))
		for i, s := range lines {
			out[i] = " " + s
		}
		return out
	}
	title := func(s string) string { return th.bold.Render(s) }
	more := func(lines []string, height int) string {
		if len(lines) > height-2 && height >= 2 {
			return th.muted.Render(countText(len(lines)-height+2) + " more")
		}
		return ""
	}
	parts := []string{box(th, boxOptions{width: width, height: factsHeight, title: title("Message"), bottom: more(facts, factsHeight)}, pad(facts))}
	if lifeHeight > 0 {
		hidden := max(len(life)-(lifeHeight-2), 0)
		parts = append(parts, box(th, boxOptions{width: width, height: lifeHeight, title: title("Receives"), bottom: more(life, lifeHeight)}, pad(life[hidden:])))
	}
	if nextHeight > 0 {
		for i, s := range next {
			next[i] = th.text.Render(s)
		}
		parts = append(parts, box(th, boxOptions{width: width, height: nextHeight, title: title("Next")}, pad(next)))
	}
	return strings.Join(parts, "\n")
}
