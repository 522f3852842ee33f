package ui

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

const (
	// pollMost is what one poll of the SQS console receives at most.
	pollMost = 10
	// pollLook is how many messages are read to say what a poll will meet.
	pollLook = engine.MaxBatch
)

// pollForm asks how many messages to receive as the SQS console's poll does,
// with what that costs.
type pollForm struct {
	*form
	queue  engine.QueueStats
	number *lineEdit
	first  []engine.Row // of the queue, in the order in which they are received
	known  bool         // first was read
	whole  bool         // it is all of them
}

// pollFirstMsg is what a poll would meet.
type pollFirstMsg struct {
	queue string
	rows  []engine.Row
	total int
}

func newPollForm(th theme, q engine.QueueStats) overlay {
	f := &pollForm{queue: q, number: newLineEdit(strconv.Itoa(pollMost))}
	f.form = newForm(th, "Poll "+safeLine(q.Name, 0), "Poll", &formField{
		label: "Receive", control: f.number, width: 6, hint: "1 to 10 messages",
		check: numberCheck("messages", 1, pollMost),
	})
	f.enterActs = true
	f.recheck, f.submit = f.look, f.intent
	f.sync()
	return f
}

// pollFirst reads what a poll would meet. It touches nothing.
func (l *loader) pollFirst(queue string) tea.Cmd {
	return l.call(readTime, func(ctx context.Context) tea.Msg {
		page, err := l.engine.Page(ctx, engine.PageRequest{Queue: queue, State: engine.Ready, Limit: pollLook})
		if err != nil {
			return nil // the form says what it can
		}
		return pollFirstMsg{queue, page.Rows, page.Total}
	})
}

// Update takes a key, or what a poll would meet.
func (f *pollForm) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(pollFirstMsg); ok && msg.queue == f.queue.Name {
		f.first, f.known, f.whole = msg.rows, true, msg.total <= len(msg.rows)
		f.sync()
	}
	return f.form.Update(msg)
}

func (f *pollForm) most() int {
	n, _ := strconv.Atoi(strings.TrimSpace(f.number.text()))
	return n
}

// meets is how many of the first messages a poll of n would receive, and how
// many it would dead-letter on its way.
func (f *pollForm) meets(n int) (received, dead int) {
	for _, row := range f.first {
		switch {
		case received == n:
			return received, dead
		case row.Blocker != engine.Ref{}: // it waits for another of its group
		case row.DeadLetters:
			dead++
		default:
			received++
		}
	}
	return received, dead
}

func (f *pollForm) look() {
	n := min(max(f.most(), 0), pollMost)
	cost := "up to " + plural(min(n, f.queue.Counts.Ready), "message") + ": receives +1 each, visible again at once"
	received, dead := f.meets(n)
	switch {
	case f.known && f.whole && received == 0 && dead == 0 && len(f.first) > 0:
		cost = "nothing: every group waits for a message in flight or delayed"
	case f.known && f.whole && received == 0:
		cost = "nothing is received"
	case f.known && (received == n || f.whole):
		cost = plural(received, "message") + ": receives +1 each, visible again at once"
	}
	f.facts, f.warns = []fact{{"Cost", cost}}, nil
	r := f.queue.Attributes.Redrive
	switch {
	case r.DLQ == "":
	case !f.known:
		f.warns = []string{fmt.Sprintf("Those that have used %d of %d receives move to %s instead.", r.MaxReceives, r.MaxReceives, safeLine(r.DLQ, 0))}
	case dead > 0:
		f.warns = []string{fmt.Sprintf("%s of the first have used %d of %d: they move to %s.", countText(dead), r.MaxReceives, r.MaxReceives, safeLine(r.DLQ, 0))}
	}
}

// intent asks once more when messages would be dead-lettered.
func (f *pollForm) intent() tea.Msg {
	poll := pollMsg{queue: f.queue.Name, max: f.most()}
	if _, dead := f.meets(poll.max); dead > 0 {
		dlq := safeLine(f.queue.Attributes.Redrive.DLQ, 0)
		return openMsg{newQuestion(f.th, "this poll moves "+plural(dead, "message")+" to "+dlq+" instead. poll?", poll).naming(dlq)}
	}
	return poll
}
