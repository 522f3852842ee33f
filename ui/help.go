package ui

import (
	"strings"

	"github.com/charmbracelet/bubbles/help"
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/keymap"
)

// helpSection is the keys of one reader, as its key map has them.
type helpSection struct {
	title string
	keys  help.KeyMap
	// why says why a binding is off; nil when nobody knows.
	why func(key.Binding) string
}

// sectionOf is the section of a pane or overlay.
func sectionOf(title string, keys help.KeyMap) helpSection {
	s := helpSection{title: title, keys: keys}
	if e, ok := keys.(explainer); ok {
		s.why = e.why
	}
	return s
}

// helpOverlay lists every key that works here, and those that do not now with
// the reason. Typing searches.
type helpOverlay struct {
	keymap.Help
	th       theme
	title    string
	sections []helpSection
	search   lineEdit
	top      int
	last     int // the highest top, as last drawn
}

// newHelp lists sections, the focused one first.
func newHelp(th theme, context string, sections ...helpSection) overlay {
	return &helpOverlay{Help: keymap.NewHelp(), th: th, title: "Help: " + context, sections: sections}
}

// Update scrolls, searches and closes.
func (h *helpOverlay) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyMsg)
	if !ok {
		return nil
	}
	switch {
	case key.Matches(k, h.Close):
		if h.search.text() == "" {
			return emit(closeMsg{})
		}
		h.search.set("")
	case k.Type == tea.KeyPgDown:
		h.top += 10
	case k.Type == tea.KeyPgUp:
		h.top -= 10
	case key.Matches(k, h.Down):
		h.top++
	case key.Matches(k, h.Up):
		h.top--
	case k.String() == "?" && h.search.text() == "":
		return emit(closeMsg{}) // the key that opened it
	default:
		h.search.key(k)
		h.top = 0
	}
	h.top = max(min(h.top, h.last), 0)
	return nil
}

// entry is one binding in the help.
type entry struct {
	key, verb string
	off       bool
	reason    string
}

// found are the entries of a section that match the search, in groups.
func (h *helpOverlay) found(s helpSection) [][]entry {
	query := lowerASCII(strings.TrimSpace(h.search.text()))
	var groups [][]entry
	for _, group := range s.keys.FullHelp() {
		var entries []entry
		for _, b := range group {
			e := entry{key: h.th.glyph.key(b.Help().Key), verb: b.Help().Desc, off: !b.Enabled()}
			if e.off && s.why != nil {
				e.reason = s.why(b)
			}
			if query == "" || lowerASCII(e.key) == query ||
				len(query) > 1 && strings.Contains(lowerASCII(e.key+" "+e.verb+" "+e.reason), query) ||
				len(query) == 1 && strings.HasPrefix(lowerASCII(e.verb), query) {
				entries = append(entries, e)
			}
		}
		if len(entries) > 0 {
			groups = append(groups, entries)
		}
	}
	return groups
}

// View draws the help in columns, and what is off below, a line each.
func (h *helpOverlay) View(width, height int) string {
	p := panel{th: h.th, title: h.title, hints: h.ShortHelp(), right: h.th.muted.Render("type to search")}
	if s := h.search.text(); s != "" {
		p.right = h.th.key.Render("/") + h.th.text.Render(safeLine(s, 40))
	}
	room := min(width-2-2*panelPadding, 96)
	for _, s := range h.sections {
		h.addSection(&p, s, room)
	}
	if len(p.rows) == 0 {
		p.blank()
		p.text(width, ink{}, "", h.th.muted, "No key does that here. esc shows all again.")
	}
	p.rows = append([]panelRow{{cells: func(*line) {}}}, p.rows...)
	for len(p.rows) > 0 && h.search.text() == "" && len(p.rows) < min(6, height-2) {
		p.blank()
	}
	p.blank()
	h.last = max(len(p.rows)-(height-2), 0)
	h.top = min(h.top, h.last)
	p.top = h.top
	return p.draw(width, height)
}

func (h *helpOverlay) addSection(p *panel, s helpSection, room int) {
	groups := h.found(s)
	if len(groups) == 0 {
		return
	}
	if len(p.rows) > 0 {
		p.blank()
	}
	p.add(func(l *line) { l.put(h.th.bold, s.title) })
	var on, off []entry
	for _, group := range groups {
		for _, e := range group {
			if e.off {
				off = append(off, e)
			} else {
				on = append(on, e)
			}
		}
	}
	h.addColumns(p, on, room)
	for _, e := range off {
		h.addOff(p, e, room)
	}
}

// keyCells is the width of the keys in the help.
const keyCells = 9

// addColumns lays entries out from top to bottom, then right.
func (h *helpOverlay) addColumns(p *panel, entries []entry, room int) {
	widest := 0
	for _, e := range entries {
		widest = max(widest, max(cellWidth(e.key), keyCells)+2+cellWidth(e.verb))
	}
	columns := max(min((room+3)/(widest+3), 3), 1)
	rows := (len(entries) + columns - 1) / columns
	for row := range rows {
		p.add(func(l *line) {
			start := l.width
			for column := range columns {
				if i := column*rows + row; i < len(entries) {
					l.to(start + column*(widest+3))
					l.left(h.th.key, entries[i].key, max(cellWidth(entries[i].key), keyCells)).blank(2)
					l.put(h.th.text, entries[i].verb)
				}
			}
		})
	}
}

// addOff lists a key that is off, dimmed, with its reason.
func (h *helpOverlay) addOff(p *panel, e entry, room int) {
	reason := e.reason
	if reason == "" {
		reason = "off now"
	}
	reason = "(" + reason + ")"
	indent := max(cellWidth(e.key), keyCells) + 2
	head := func(l *line) *line {
		return l.left(h.th.muted, e.key, indent-2).blank(2).put(h.th.muted, e.verb)
	}
	if indent+cellWidth(e.verb)+2+cellWidth(reason) <= room {
		p.add(func(l *line) { head(l).blank(2).put(h.th.muted, reason) })
		return
	}
	p.add(func(l *line) { head(l) })
	for _, part := range wrapText(reason, max(room-indent-2, 8)) {
		p.add(func(l *line) { l.blank(indent+2).put(h.th.muted, part) })
	}
}
