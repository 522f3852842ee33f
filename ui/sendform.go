package ui

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

// sendForm composes one message.
type sendForm struct {
	*form
	queue engine.QueueStats

	body            textArea
	opaque          []byte // a body that the area cannot hold, from the editor
	delay, priority lineEdit
	group, twice    lineEdit // of a FIFO queue, instead
	attributes      []*attributeEdit

	bodyField *formField
}

// attributeEdit is a row for one attribute: name, type and value in one line,
// as name:Type=value.
type attributeEdit struct{ lineEdit }

// newSendForm composes a message for q.
func newSendForm(th theme, q engine.QueueStats) overlay {
	f := &sendForm{queue: q}
	f.body = *newTextArea("")
	f.delay = *newLineEdit(spanInput(q.Attributes.Delay))
	f.priority = *newLineEdit(strconv.Itoa(engine.DefaultPriority))
	f.bodyField = &formField{label: "Body", control: &f.body, rows: 6}
	fields := []*formField{
		f.bodyField,
		{label: "Delay", control: &f.delay, check: spanCheck("delay", 0, engine.MaxDelay), hint: spanRange(0, engine.MaxDelay)},
		{label: "Priority", control: &f.priority, check: numberCheck("priority", engine.HighestPriority, engine.LowestPriority),
			hint: "1 first, 16 last"},
	}
	if q.Attributes.Type == engine.FIFO {
		fields = append(fields[:1], f.fifoFields()...)
	}
	for range engine.MaxAttributes {
		a := &attributeEdit{}
		f.attributes = append(f.attributes, a)
		fields = append(fields, &formField{label: "Attribute", control: &a.lineEdit, check: attributeCheck, hidden: true})
	}
	f.form = newForm(th, "Send to "+safeLine(q.Name, 0), "Send", fields...)
	f.Edit.SetEnabled(true)
	f.recheck, f.submit = f.look, f.intent
	f.sync()
	return f
}

// Update takes a key, or the body from the editor.
func (f *sendForm) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case bodyEditedMsg:
		if msg.err == nil {
			f.setBody(msg.body)
		} else {
			f.refuse("the editor failed, the body is as it was: " + safeLine(msg.err.Error(), 200))
		}
		return nil
	case tea.KeyMsg:
		if key.Matches(msg, f.Edit) {
			return emit(editBodyMsg{f.bytes()})
		}
		if f.opaque != nil && f.current() == f.bodyField && !f.moves(msg) {
			if msg.Type == tea.KeyBackspace {
				f.setBody(nil)
			}
			return nil
		}
	}
	return f.form.Update(msg)
}

func (f *sendForm) moves(k tea.KeyMsg) bool {
	return key.Matches(k, f.Next) || key.Matches(k, f.Prev) || key.Matches(k, f.Act) || key.Matches(k, f.Cancel)
}

// setBody takes a body as it is: what the area would change is kept aside and
// sent untouched.
func (f *sendForm) setBody(body []byte) {
	f.refused, f.opaque = "", nil
	if len(body) <= areaLimit && plainText(body) {
		f.body.set(string(body))
		f.body.shown = ""
	} else {
		f.opaque = body
		f.body.set("")
		f.body.shown = safeLine(body, 256)
	}
	f.sync()
}

// plainText says whether body survives the text area.
func plainText(body []byte) bool {
	if !utf8.Valid(body) {
		return false
	}
	for _, r := range string(body) {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return false
		}
	}
	return true
}

func (f *sendForm) bytes() []byte {
	if f.opaque != nil {
		return f.opaque
	}
	return []byte(f.body.text())
}

func (f *sendForm) look() {
	size := len(f.bytes())
	format := detectBody(f.bytes())
	f.bodyField.hint = bytesText(size) + "  " + format.String()
	f.bodyField.rows = 6
	if f.opaque != nil {
		f.bodyField.rows = 1
		f.bodyField.hint += "  from the editor; backspace empties it"
	}
	f.warns = nil
	shown := 0 // up to the first free row after all that is sent
	for i, a := range f.attributes {
		if strings.TrimSpace(a.text()) != "" {
			shown = i + 1
			size += attributeSize(a.text())
		}
	}
	f.fields[3].hint = "name=value, or name:Number=1"
	for i, field := range f.fields[3:] {
		field.hidden = i > shown && field != f.current()
	}
	if limit := f.queue.Attributes.MaximumMessageSize; limit > 0 && size > limit {
		f.bodyField.problem = fmt.Sprintf("size: %s with attributes, the queue takes %s", bytesText(size), bytesText(limit))
		f.bodyField.left = true
	} else if len(f.bytes()) == 0 {
		f.bodyField.problem = "body: 1 byte to " + bytesText(max(limit, 1))
	} else {
		f.bodyField.problem = ""
	}
	if trimmed := strings.TrimSpace(f.body.text()); format == formatText && (strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[")) {
		f.warns = append(f.warns, "The body begins like JSON but is not valid.")
	}
}

// An attribute is typed as name=value, or name:Type=value.
var attributeForm = regexp.MustCompile(`^([A-Za-z0-9_.-]{1,256})(?::((?:String|Number|Binary)(?:\.[^=]{1,240})?))?=((?s).*)$`)

func parseAttribute(s string) (engine.Attribute, string) {
	s = strings.TrimSpace(s)
	parts := attributeForm.FindStringSubmatch(s)
	if parts == nil {
		return engine.Attribute{}, "attribute: name=value or name:Type=value, the type String, Number or Binary"
	}
	a := engine.Attribute{Name: parts[1], Type: parts[2], Value: []byte(parts[3])}
	if a.Type == "" {
		a.Type = "String"
	}
	switch {
	case parts[3] == "":
		return a, "attribute: its value is empty"
	case strings.HasPrefix(a.Type, "Number"):
		if _, err := strconv.ParseFloat(parts[3], 64); err != nil {
			return a, "attribute: the value is no number"
		}
	}
	return a, ""
}

func attributeCheck(s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	_, problem := parseAttribute(s)
	return problem
}

func attributeSize(s string) int {
	a, _ := parseAttribute(s)
	return len(a.Name) + len(a.Type) + len(a.Value)
}

func (f *sendForm) intent() tea.Msg {
	request := engine.SendRequest{Body: f.bytes()}
	if f.queue.Attributes.Type == engine.FIFO {
		request.Group, request.Deduplication = strings.TrimSpace(f.group.text()), strings.TrimSpace(f.twice.text())
	} else if d, _ := parseSpan(f.delay.text()); d != f.queue.Attributes.Delay {
		request.Delay = new(time.Duration)
		*request.Delay = d
	}
	request.Priority, _ = strconv.Atoi(strings.TrimSpace(f.priority.text()))
	for _, a := range f.attributes {
		if strings.TrimSpace(a.text()) == "" {
			continue
		}
		attribute, _ := parseAttribute(a.text())
		request.Attributes = append(request.Attributes, attribute)
	}
	return sendMsg{queue: f.queue.Name, request: request}
}
