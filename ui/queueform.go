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

// queueForm makes a queue, or changes one.
type queueForm struct {
	*form
	queues   []engine.QueueStats
	existing string // the queue that is changed; empty: a new one
	kept     engine.Attributes
	opened   engine.Attributes // as the form showed them first

	name, visibility, delay, retention, size, wait lineEdit
	dlq, receives, sources                         lineEdit
	make, admits, kind, content                    choice

	nameField, contentField                          *formField
	dlqField, makeField, receivesField, sourcesField *formField
}

// The redrive allow policy's modes, as AllowMode counts them.
var admitsOptions = []string{"all queues", "by name", "none"}

// What a queue may be, as Type counts them, and how a FIFO queue tells that a
// message was sent twice.
var (
	kindOptions    = []string{"standard", "FIFO"}
	contentOptions = []string{"its deduplication id", "its body, if it has none"}
)

// madeRetention is the retention of a DLQ that the form makes: the longest, so
// that the dead outlive the living.
const madeRetention = engine.MaxRetention

// newQueueForm asks for a new queue.
func newQueueForm(th theme, queues []engine.QueueStats) overlay {
	f := &queueForm{queues: queues}
	f.build(th, "New queue", "Create", engine.DefaultAttributes())
	return f
}

// newSettingsForm asks for other attributes of a queue.
func newSettingsForm(th theme, q engine.QueueStats, queues []engine.QueueStats) overlay {
	f := &queueForm{queues: queues, existing: q.Name}
	f.build(th, "Settings of "+safeLine(q.Name, 0), "Save", q.Attributes)
	f.right = q.Attributes.Type.String()
	f.sync()
	return f
}

func (f *queueForm) build(th theme, title, verb string, a engine.Attributes) {
	f.kept = a
	f.visibility = *newLineEdit(spanInput(a.VisibilityTimeout))
	f.delay = *newLineEdit(spanInput(a.Delay))
	f.retention = *newLineEdit(spanInput(a.Retention))
	f.size = *newLineEdit(sizeInput(a.MaximumMessageSize))
	f.wait = *newLineEdit(spanInput(a.ReceiveWait))
	f.dlq = *newLineEdit(a.Redrive.DLQ)
	f.receives = *newLineEdit(strconv.Itoa(max(a.Redrive.MaxReceives, 1)))
	if a.Redrive == (engine.RedrivePolicy{}) {
		f.receives = *newLineEdit("3")
	}
	f.sources = *newLineEdit(strings.Join(a.RedriveAllow.Sources, ", "))
	f.make = choice{options: []string{"yes", "no"}}
	f.admits = choice{options: admitsOptions, at: int(a.RedriveAllow.Mode)}

	f.kind = choice{options: kindOptions, at: int(a.Type)}
	f.content = choice{options: contentOptions, at: boolInt(a.ContentDeduplication)}

	f.contentField = &formField{label: "Same by", control: &f.content}
	f.dlqField = &formField{label: "DLQ", control: &f.dlq}
	f.makeField = &formField{label: "Make it", control: &f.make}
	f.receivesField = &formField{label: "Max receives", control: &f.receives,
		check: numberCheck("max receives", 1, engine.MaxReceivesLimit), hint: "1 to 1,000"}
	f.sourcesField = &formField{label: "Sources", control: &f.sources, check: sourcesCheck, hint: "1 to 10 names, with commas"}
	fields := []*formField{
		{label: "Visibility", control: &f.visibility, check: spanCheck("visibility timeout", 0, engine.MaxVisibility), hint: spanRange(0, engine.MaxVisibility)},
		{label: "Delay", control: &f.delay, check: spanCheck("delay", 0, engine.MaxDelay), hint: spanRange(0, engine.MaxDelay)},
		{label: "Retention", control: &f.retention, check: spanCheck("retention", engine.MinRetention, engine.MaxRetention), hint: spanRange(engine.MinRetention, engine.MaxRetention)},
		{label: "Max size", control: &f.size, check: sizeCheck("maximum message size", engine.MinMessageSize, engine.MaxMessageSize), hint: "1K to 1M"},
		{label: "Wait", control: &f.wait, check: spanCheck("receive wait", 0, engine.MaxWait), hint: spanRange(0, engine.MaxWait)},
		f.contentField, f.dlqField, f.makeField, f.receivesField,
		{label: "May be DLQ of", control: &f.admits}, f.sourcesField,
	}
	if f.existing == "" {
		f.nameField = &formField{label: "Name", control: &f.name, check: f.checkName}
		fields = append([]*formField{f.nameField, {label: "Type", control: &f.kind}}, fields...)
	}
	f.form = newForm(th, title, verb, fields...)
	f.recheck, f.submit = f.look, f.intent
	f.sync()
	f.opened = f.attributes()
}

// Update takes a key, or newer queues.
func (f *queueForm) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(queuesMsg); ok && msg.err == nil {
		f.queues = msg.queues
		f.sync()
	}
	return f.form.Update(msg)
}

func (f *queueForm) checkName(typed string) string {
	switch name := f.queueName(); {
	case typed == "":
		return "name: 1 to " + strconv.Itoa(engine.MaxNameLength) + " characters"
	case f.find(name) != nil:
		return "name: a queue of that name exists"
	default:
		return nameProblem(name, f.kept.Type)
	}
}

// nameProblem says why no queue of that type can have that name.
func nameProblem(name string, kind engine.Type) string {
	if len(name) > engine.MaxNameLength {
		return "name: at most " + strconv.Itoa(engine.MaxNameLength) + " characters"
	}
	stem, suffixed := strings.CutSuffix(name, engine.FIFOSuffix)
	switch {
	case kind == engine.FIFO && !suffixed:
		return "name: a FIFO queue's ends in " + engine.FIFOSuffix
	case kind != engine.FIFO && suffixed:
		return "name: only a FIFO queue's ends in " + engine.FIFOSuffix
	}
	name = stem
	for i := range len(name) {
		c := name[i]
		if c != '-' && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return "name: only letters, digits, - and _"
		}
	}
	return ""
}

func sourcesCheck(s string) string {
	names := splitNames(s)
	if len(names) < 1 || len(names) > engine.MaxSourcesByQueue {
		return fmt.Sprintf("sources: 1 to %d queues, not %d", engine.MaxSourcesByQueue, len(names))
	}
	return ""
}

func splitNames(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
}

func (f *queueForm) find(name string) *engine.QueueStats {
	for i := range f.queues {
		if f.queues[i].Name == name {
			return &f.queues[i]
		}
	}
	return nil
}

func (f *queueForm) queueName() string {
	if f.existing != "" {
		return f.existing
	}
	name := strings.TrimSpace(f.name.text())
	if f.kept.Type == engine.FIFO && name != "" && !strings.HasSuffix(name, engine.FIFOSuffix) {
		name += engine.FIFOSuffix
	}
	return name
}

func (f *queueForm) dlqName() string { return strings.TrimSpace(f.dlq.text()) }

// look follows what was typed: which fields there are, and what to say.
func (f *queueForm) look() {
	f.lookAtType()
	name, dlq := f.queueName(), f.find(f.dlqName())
	has := f.dlqName() != ""
	f.receivesField.hidden = !has
	f.makeField.hidden = !has || dlq != nil || f.dlqName() == name || nameProblem(f.dlqName(), f.kept.Type) != ""
	f.sourcesField.hidden = engine.AllowMode(f.admits.at) != engine.AllowByQueue
	f.dlqField.hint, f.dlqField.problem, f.makeField.problem = "", "", ""
	f.warns = nil
	switch {
	case !has:
		f.dlqField.hint = "none: they come back for ever"
	case f.dlqName() == name:
		f.dlqField.problem = "DLQ: a queue cannot be its own"
	case dlq == nil && nameProblem(f.dlqName(), f.kept.Type) != "":
		f.dlqField.problem = "DLQ: " + nameProblem(f.dlqName(), f.kept.Type)
	case dlq == nil:
		f.dlqField.hint = "does not exist"
		f.makeField.hint = "first, keeping messages " + spanText(madeRetention)
		if f.make.at == 1 {
			f.makeField.problem = "DLQ: it must exist"
		}
	case dlq.Attributes.Type != f.kept.Type:
		f.dlqField.problem = "DLQ: must be " + f.kept.Type.String() + ", as this queue is"
	case !admitted(dlq, name):
		f.dlqField.problem = "DLQ: its redrive allow policy does not admit this queue"
	default:
		f.dlqField.hint = "exists, " + dlq.Attributes.Type.String()
	}
	if has && f.dlqField.problem == "" {
		f.warn(dlq)
	}
}

// lookAtType follows the type, which only a new queue's can be chosen.
func (f *queueForm) lookAtType() {
	f.kept.Type = engine.Type(f.kind.at)
	f.contentField.hidden = f.kept.Type != engine.FIFO
	if f.nameField == nil {
		return
	}
	f.nameField.hint = "letters, digits, - and _"
	if f.kept.Type == engine.FIFO {
		f.nameField.hint += ", then " + engine.FIFOSuffix
	}
}

func admitted(dlq *engine.QueueStats, source string) bool {
	p := dlq.Attributes.RedriveAllow
	return p.Mode == engine.AllowAll || p.Mode == engine.AllowByQueue && slices.Contains(p.Sources, source)
}

// warn says what is allowed but seldom meant.
func (f *queueForm) warn(dlq *engine.QueueStats) {
	retention, _ := parseSpan(f.retention.text())
	dlqRetention := time.Duration(madeRetention)
	if dlq != nil {
		dlqRetention = dlq.Attributes.Retention
	}
	if expireEarly(engine.Attributes{Type: f.kept.Type, Retention: retention}, dlqRetention) {
		f.warns = append(f.warns, "The DLQ keeps messages "+spanText(dlqRetention)+
			", not longer than this queue, and age counts from the first send: dead messages soon expire.")
	}
	if strings.TrimSpace(f.receives.text()) == "1" {
		f.warns = append(f.warns, "Max receives 1: one lease that lapses, or one peek, and the next receive dead-letters.")
	}
}

// attributes are those that the fields amount to.
func (f *queueForm) attributes() engine.Attributes {
	a := f.kept
	a.ContentDeduplication = a.Type == engine.FIFO && f.content.at == 1
	a.VisibilityTimeout, _ = parseSpan(f.visibility.text())
	a.Delay, _ = parseSpan(f.delay.text())
	a.Retention, _ = parseSpan(f.retention.text())
	a.MaximumMessageSize, _ = parseSize(f.size.text())
	a.ReceiveWait, _ = parseSpan(f.wait.text())
	a.Redrive = engine.RedrivePolicy{}
	if f.dlqName() != "" {
		receives, _ := strconv.Atoi(strings.TrimSpace(f.receives.text()))
		a.Redrive = engine.RedrivePolicy{DLQ: f.dlqName(), MaxReceives: receives}
	}
	a.RedriveAllow = engine.RedriveAllowPolicy{Mode: engine.AllowMode(f.admits.at)}
	if a.RedriveAllow.Mode == engine.AllowByQueue {
		a.RedriveAllow.Sources = splitNames(f.sources.text())
	}
	return a
}

func (f *queueForm) intent() tea.Msg {
	a := f.attributes()
	createDLQ := !f.makeField.hidden && f.make.at == 0
	if f.existing != "" {
		return configureQueueMsg{name: f.existing, opened: f.opened, attributes: a, createDLQ: createDLQ}
	}
	return createQueueMsg{name: f.queueName(), attributes: a, createDLQ: createDLQ}
}
