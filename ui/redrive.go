package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

// redriveForm starts a redrive task. It shows what would happen; nothing moves
// before its button is pressed, and Cancel has the focus.
type redriveForm struct {
	*form
	source engine.QueueStats
	marked []engine.Row
	loaded []engine.Row // of source, if its list is on screen
	this   bool         // marked is the one message that is looked at
	queues []engine.QueueStats
	tasks  []engine.Task

	what choice
	to   picker
	rate lineEdit
	name typedName

	nameField, toField *formField
}

// toOrigin is the first destination on offer.
const toOrigin = "origin of each message"

// typedName is a name to type that does not take a paste.
type typedName struct{ lineEdit }

func (n *typedName) key(k tea.KeyMsg) bool { return k.Paste || n.lineEdit.key(k) }

// newRedriveForm asks about moving messages out of source, a dead-letter
// queue: all, or the marked ones.
func newRedriveForm(th theme, source engine.QueueStats, marked []engine.Row, queues []engine.QueueStats, tasks []engine.Task) overlay {
	f := &redriveForm{source: source, marked: marked, queues: queues, tasks: tasks}
	f.what.options = []string{"all " + countText(source.Counts.Ready)}
	if len(marked) > 0 {
		f.what.options = append(f.what.options, countText(len(marked))+" marked")
		f.what.at = 1
	}
	f.to.options = append([]string{toOrigin}, queuesLike(source, queues)...)
	f.rate = *newLineEdit("10")
	f.toField = &formField{label: "To", control: &f.to, hint: th.glyph.key("← →") + " or type its name"}
	f.nameField = &formField{label: "Type its name", control: &f.name, hint: safeLine(source.Name, 0), check: func(s string) string {
		if s != source.Name {
			return "name: type " + safeLine(source.Name, 0) + " to move all of it elsewhere"
		}
		return ""
	}}
	f.form = newForm(th, "Redrive from "+safeLine(source.Name, 0), "Redrive",
		&formField{label: "What", control: &f.what},
		f.toField,
		&formField{label: "Rate", control: &f.rate, check: rateCheck, width: 6, hint: "a second, 1 to 500; empty: as fast as it goes"},
		f.nameField,
	)
	f.right, f.cancelFirst = "nothing moved yet", true
	f.focus = len(f.fields)
	f.recheck, f.submit = f.look, f.intent
	f.sync()
	return f
}

// looksAt says that marked is the message on screen.
func (f *redriveForm) looksAt() *redriveForm {
	f.this = true
	f.what.options[1] = "this message"
	f.sync()
	return f
}

// shows gives the form the messages of source that are on screen.
func (f *redriveForm) shows(rows []engine.Row) *redriveForm {
	f.loaded = rows
	f.sync()
	return f
}

func rateCheck(s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return numberCheck("rate", 1, engine.MaxRedriveRate)(s)
}

// Update takes a key, or newer data.
func (f *redriveForm) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case queuesMsg:
		if msg.err == nil {
			f.takeQueues(msg.queues)
		}
	case tasksMsg:
		if msg.err == nil {
			f.tasks = msg.tasks
		}
	}
	f.sync()
	return f.form.Update(msg)
}

func (f *redriveForm) takeQueues(queues []engine.QueueStats) {
	f.queues = queues
	for _, q := range queues {
		if q.Name == f.source.Name {
			f.source = q
			f.what.options[0] = "all " + countText(q.Counts.Ready)
		}
	}
}

func (f *redriveForm) all() bool { return f.what.at == 0 }

// count is how many messages would move.
func (f *redriveForm) count() int {
	if f.all() {
		return f.source.Counts.Ready
	}
	return len(f.marked)
}

// ratePerSecond is 0 for as fast as it goes.
func (f *redriveForm) ratePerSecond() int {
	n, _ := strconv.Atoi(strings.TrimSpace(f.rate.text()))
	return n
}

func (f *redriveForm) look() {
	f.nameField.hidden = !(f.all() && f.to.at > 0)
	f.danger = !f.nameField.hidden
	n := f.count()
	f.verb = "Redrive " + countText(n)
	estimate := "as fast as it goes"
	if rate := f.ratePerSecond(); rate > 0 {
		estimate = movingTime(n, rate) + " at " + countText(rate) + "/s"
	}
	f.facts = []fact{
		{"Estimate", plural(n, "message") + f.size() + ", " + estimate + ", oldest first"},
		{"Effect", "new ids, sent anew: retention and receives start again"},
	}
	if name := safeLine(f.source.Name, 0); !f.nameField.hidden && cellWidth(name) > fieldWidth {
		f.nameField.hint = ""
		f.facts = append(f.facts, fact{"Its name", name})
	}
	f.toField.problem = f.refusal()
	f.warns = f.cautions()
}

// size is that of all that would move, as far as it is known, and shows some.
func (f *redriveForm) size() string {
	rows := f.marked
	if f.all() {
		rows = f.loaded
	}
	f.sample, f.most = nil, f.count()
	if f.most > 1 {
		f.sample = rows
	}
	if len(rows) == 0 || len(rows) < f.most {
		return ""
	}
	bytes := 0
	for _, row := range rows {
		bytes += row.Message.Size
	}
	return ", " + bytesText(bytes)
}

// movingTime is how long n messages take: 6.1s, 2m 3s.
func movingTime(n, rate int) string {
	if seconds := float64(n) / float64(rate); seconds < 60 {
		return strconv.FormatFloat(seconds, 'f', 1, 64) + "s"
	}
	return spanText(wholeSeconds(time.Duration(n) * time.Second / time.Duration(rate)))
}

// refusal is why the engine would not start this task.
func (f *redriveForm) refusal() string {
	active := 0
	for _, t := range f.tasks {
		active += boolInt(t.State.Active())
		if t.Source == f.source.Name && t.State.Active() {
			return fmt.Sprintf("job %d is at work on this queue: wait for it or cancel it", t.ID)
		}
	}
	switch {
	case active >= engine.MaxRedriveTasks:
		return fmt.Sprintf("%d jobs are active, more cannot be", active)
	case len(f.source.Sources) == 0:
		return "it is no queue's DLQ: only a DLQ can be redriven"
	case f.count() == 0:
		return "nothing is there to move"
	}
	return ""
}

// cautions are what may go otherwise than one thinks.
func (f *redriveForm) cautions() []string {
	var out []string
	if c := f.source.Counts; f.all() && c.InFlight+c.Delayed > 0 {
		out = append(out, countText(c.InFlight+c.Delayed)+" in flight or delayed here: passed over.")
	}
	if f.to.at > 0 {
		return out
	}
	if f.all() {
		if f.source.Counters.Sent > 0 {
			out = append(out, countText(int(f.source.Counters.Sent))+
				" were sent here, not dead-lettered. Such a one has no origin: the job fails at it, and what is left stays.")
		}
		return out
	}
	lost, noOrigin := 0, 0
	for _, row := range f.marked {
		switch origin := row.Message.Origin; {
		case origin == "":
			noOrigin++
		case !slices.ContainsFunc(f.queues, func(q engine.QueueStats) bool { return q.Name == origin }):
			lost++
		}
	}
	switch {
	case f.this && noOrigin > 0:
		return append(out, "It has no origin: the job would fail at it. Choose a queue.")
	case f.this && lost > 0:
		return append(out, "The queue it comes from is gone: the job would fail at it. Choose a queue.")
	}
	if noOrigin > 0 {
		out = append(out, countText(noOrigin)+" marked have no origin: the job fails at the first. Choose a queue.")
	}
	if lost > 0 {
		out = append(out, countText(lost)+" marked come from a queue that is gone: the job fails at the first. Choose a queue.")
	}
	return out
}

func (f *redriveForm) intent() tea.Msg {
	request := engine.RedriveRequest{Source: f.source.Name, Rate: f.ratePerSecond()}
	if f.to.at > 0 {
		request.Destination = f.to.text()
	}
	if !f.all() {
		request.Selection = refsOf(f.marked)
	}
	return redriveMsg{request}
}
