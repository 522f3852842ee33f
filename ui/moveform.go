package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

// newMoveForm asks where rows are to go: to another queue of the same type. It
// is nil when there is none.
func newMoveForm(th theme, source engine.QueueStats, rows []engine.Row, queues []engine.QueueStats) overlay {
	to := &picker{options: queuesLike(source, queues)}
	title := "Move " + plural(len(rows), "message")
	if len(rows) == 1 {
		title = "Move " + shortID(rows[0].Message.ID)
	}
	field := &formField{label: "To", control: to, hint: th.glyph.key("← →") + " or type its name"}
	if len(to.options) < 2 {
		field.hint = ""
	}
	f := newForm(th, title, "Move", field)
	f.cancelFirst = len(rows) > 1
	f.right = "from " + safeLine(source.Name, 0)
	size, held := 0, 0
	for _, row := range rows {
		size += row.Message.Size
		held += boolInt(row.State == engine.InFlight)
	}
	f.facts = []fact{
		{"Size", bytesText(size)},
		{"Effect", "new ids, sent anew: retention and receives start again"},
	}
	if len(rows) > 1 {
		f.sample = rows
	}
	if len(to.options) == 0 {
		field.problem = "there is no other " + source.Attributes.Type.String() + " queue"
	}
	if held > 0 {
		f.warns = append(f.warns, countText(held)+" in flight: passed over.")
	}
	if len(rows) > engine.MaxBatch {
		f.warns = append(f.warns, fmt.Sprintf("Done in steps of %d: a failure may leave some of them here.", engine.MaxBatch))
	}
	f.submit = func() tea.Msg { return moveMsg{refs: refsOf(rows), to: to.text()} }
	f.sync()
	return f
}

// queuesLike are the names of the other queues of the same type.
func queuesLike(q engine.QueueStats, queues []engine.QueueStats) []string {
	var names []string
	for _, other := range queues {
		if other.Name != q.Name && other.Attributes.Type == q.Attributes.Type {
			names = append(names, other.Name)
		}
	}
	return names
}
