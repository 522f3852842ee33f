package ui

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
	"inflight/keymap"
)

// copyChoice is one thing that can be copied.
type copyChoice struct {
	name, note string // safe
	what       string // for the status line
	text       func() string
}

// copyMenu chooses what of a message to copy. Bytes that a terminal would act
// on leave only by the choice that says raw.
type copyMenu struct {
	keymap.Choice
	th      theme
	title   string
	choices []copyChoice
	at      int
}

// newCopyMenu offers the parts of a message.
func newCopyMenu(th theme, d engine.Detail) overlay {
	body, id := d.Message.Body, d.Message.ID.String()
	m := &copyMenu{Choice: keymap.NewChoice(), th: th, title: "Copy " + shortID(d.Message.ID)}
	m.choices = []copyChoice{
		{"body", bytesText(len(body)) + ", control characters as marks", "body", func() string { return safeBody(body) }},
		{"body, raw", "its bytes as they are", "raw body", func() string { return string(body) }},
		{"id", id, "id", func() string { return id }},
		{"JSON", "the message with its attributes and times", "JSON", func() string { return messageJSON(d) }},
	}
	return m
}

// Update moves and chooses.
func (m *copyMenu) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyMsg)
	if !ok {
		return nil
	}
	switch {
	case key.Matches(k, m.Down):
		m.at = (m.at + 1) % len(m.choices)
	case key.Matches(k, m.Up):
		m.at = (m.at + len(m.choices) - 1) % len(m.choices)
	case key.Matches(k, m.Press):
		c := m.choices[m.at]
		return emit(doneMsg{copyMsg{c.what, c.text()}})
	case key.Matches(k, m.Cancel):
		return emit(closeMsg{})
	}
	return nil
}

// View draws the choices.
func (m *copyMenu) View(width, height int) string {
	p := panel{th: m.th, title: m.title, hints: m.ShortHelp()}
	p.blank()
	for i, c := range m.choices {
		p.rows = append(p.rows, panelRow{on: i == m.at, cells: func(l *line) {
			l.left(m.th.text, c.name, 9).blank(2).put(m.th.muted, c.note)
		}})
	}
	p.blank()
	return p.draw(width, height)
}

// safeBody is a body whose lines are safe to paste into a terminal.
func safeBody(body []byte) string {
	var b strings.Builder
	for i, part := range strings.Split(string(body), "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		for j, cell := range strings.Split(part, "\t") {
			if j > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(safeLine(cell, len(cell)))
		}
	}
	return b.String()
}

// messageJSON is a message with what is known about it. A body that is no
// UTF-8 is in bodyBase64.
func messageJSON(d engine.Detail) string {
	type attribute struct {
		Type  string `json:"type"`
		Value string `json:"value,omitempty"`
		Bytes []byte `json:"valueBase64,omitempty"`
	}
	attributes := map[string]attribute{}
	for _, a := range d.Message.Attributes {
		if utf8.Valid(a.Value) && !strings.HasPrefix(a.Type, "Binary") {
			attributes[a.Name] = attribute{Type: a.Type, Value: string(a.Value)}
		} else {
			attributes[a.Name] = attribute{Type: a.Type, Bytes: a.Value}
		}
	}
	out := struct {
		ID            string               `json:"id"`
		Queue         string               `json:"queue"`
		State         string               `json:"state"`
		Sent          time.Time            `json:"sent"`
		Arrived       time.Time            `json:"arrived"`
		Expires       time.Time            `json:"expires"`
		Receives      int                  `json:"receives"`
		ReceivesInAll int                  `json:"receivesInAll"`
		Origin        string               `json:"origin,omitempty"`
		Priority      int                  `json:"priority"`
		Group         string               `json:"group,omitempty"`
		Attributes    map[string]attribute `json:"attributes,omitempty"`
		Body          *string              `json:"body,omitempty"`
		BodyBase64    string               `json:"bodyBase64,omitempty"`
	}{
		ID: d.Message.ID.String(), Queue: d.Queue, State: d.State.String(),
		Sent: d.Message.Sent, Arrived: d.Message.Arrived, Expires: d.Expires,
		Receives: d.Receives, ReceivesInAll: d.Receives + d.Message.EarlierReceives,
		Origin: d.Message.Origin, Priority: d.Message.Priority, Group: d.Message.Group,
		Attributes: attributes,
	}
	if body := string(d.Message.Body); utf8.ValidString(body) {
		out.Body = &body
	} else {
		out.BodyBase64 = base64.StdEncoding.EncodeToString(d.Message.Body)
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if encoder.Encode(out) != nil {
		return "" // a time out of JSON's range, which the engine does not make
	}
	return strings.TrimSuffix(b.String(), "\n")
}
