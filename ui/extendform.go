package ui

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

// extendForm hides messages in flight for a typed time, counted from now.
type extendForm struct {
	*form
	rows []engine.Row
	span lineEdit
	now  time.Time
}

// newExtendForm asks for how long rows are to be hidden; by is what stands in
// the field first.
func newExtendForm(th theme, queue string, rows []engine.Row, by time.Duration, now time.Time) overlay {
	f := &extendForm{rows: rows, now: now, span: *newLineEdit(spanInput(max(by, time.Second)))}
	title := "Extend " + plural(len(rows), "message")
	if len(rows) == 1 {
		title = "Extend " + shortID(rows[0].Message.ID)
	}
	f.form = newForm(th, title, "Extend", &formField{
		label: "Hide for", control: &f.span, width: 12, hint: spanRange(time.Second, engine.MaxVisibility),
		check: spanCheck("time", time.Second, engine.MaxVisibility),
	})
	f.right = safeLine(queue, 0)
	f.enterActs = true
	f.recheck, f.submit = f.look, f.intent
	f.sync()
	return f
}

// Update takes a key, or the time.
func (f *extendForm) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(tickMsg); ok {
		f.now = msg.now
		f.sync()
	}
	return f.form.Update(msg)
}

func (f *extendForm) sooner(by time.Duration) int {
	n := 0
	for _, row := range f.rows {
		n += boolInt(f.now.Add(by).Before(row.Due))
	}
	return n
}

func (f *extendForm) look() {
	f.facts, f.warns = nil, nil
	by, ok := parseSpan(f.span.text())
	if !ok || f.fields[0].check(f.span.text()) != "" {
		f.facts = []fact{{"Result", "nothing changes"}}
		return
	}
	f.facts = []fact{{"Result", "hidden until " + clockText(f.now.Add(by), f.now)}}
	if len(f.rows) == 1 {
		f.facts[0].value += ", now until " + clockText(f.rows[0].Due, f.now)
	}
	if n := f.sooner(by); n == 1 && len(f.rows) == 1 {
		f.warns = append(f.warns, "That is sooner than now.")
	} else if n > 0 {
		f.warns = append(f.warns, fmt.Sprintf("For %s of them that is sooner than now.", countText(n)))
	}
}

// intent asks once more when a lease would lapse sooner.
func (f *extendForm) intent() tea.Msg {
	by, _ := parseSpan(f.span.text())
	if n := f.sooner(by); n > 0 {
		return openMsg{confirmSooner(f.th, f.rows, by, n, f.now)}
	}
	return extendMsg{refsOf(f.rows), by}
}
