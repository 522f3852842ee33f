package ui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// choice is a few options, all on screen. All are safe.
type choice struct {
	options []string
	at      int
}

func (c *choice) key(tea.KeyMsg) bool { return false }
func (c *choice) text() string        { return c.options[c.at] }

func (c *choice) step(by int) { c.at = (c.at + by + len(c.options)) % len(c.options) }

func (c *choice) draw(l *line, th theme) {
	for i, option := range c.options {
		if i > 0 {
			l.blank(3)
		}
		if i == c.at {
			l.put(th.accent.Bold(true), th.glyph.mark+" "+option)
		} else {
			l.put(th.muted, option)
		}
	}
}

// picker is one of many options, of which the chosen one is on screen. Typing
// goes to the next that begins so. Options are drawn safely.
type picker struct {
	options []string
	at      int
	begun   string
}

func (p *picker) text() string {
	if p.at < len(p.options) {
		return p.options[p.at]
	}
	return ""
}

func (p *picker) step(by int) {
	p.begun = ""
	if n := len(p.options); n > 0 {
		p.at = (p.at + by + n) % n
	}
}

func (p *picker) key(k tea.KeyMsg) bool {
	if k.Type == tea.KeyBackspace {
		p.begun = ""
		return true
	}
	if k.Type != tea.KeyRunes || k.Alt {
		return false
	}
	begun := p.begun + string(k.Runes)
	for i, option := range p.options {
		if len(option) >= len(begun) && lowerASCII(option[:len(begun)]) == lowerASCII(begun) {
			p.begun, p.at = begun, i
			return true
		}
	}
	p.begun = ""
	return true
}

func (p *picker) draw(l *line, th theme, width int, focused bool) {
	if len(p.options) == 0 {
		l.put(th.muted, "none")
		return
	}
	name, _ := cutText(safeLine(p.text(), 0), width, th.glyph.more)
	l.put(th.text, name)
	if focused && len(p.options) > 1 {
		l.put(th.muted, "  "+countText(p.at+1)+" of "+countText(len(p.options)))
	}
}
