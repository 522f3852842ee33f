package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
	"inflight/keymap"
)

// form is fields, what they amount to, and two buttons. It refuses only what
// the engine would refuse; all else it says beside the field or as a warning.
type form struct {
	keymap.Form
	th     theme
	title  string // safe
	right  string // safe; muted in the top border
	fields []*formField
	verb   string // on the button
	danger bool
	// enterActs makes enter in a field press the button: for forms of one field.
	enterActs bool
	// cancelFirst makes enter in the last field go to Cancel, as danger does:
	// for what touches many messages.
	cancelFirst bool

	// recheck is called after each change: it hides fields, and sets hints,
	// problems that span fields, facts and warnings.
	recheck func()
	facts   []fact
	sample  []engine.Row // three are shown
	most    int          // of how many sample is a part; 0: it is all
	warns   []string
	// submit is the intent, once no visible field has a problem.
	submit func() tea.Msg

	widest  int    // that it was drawn: it keeps still while one types
	focus   int    // a field, then Cancel, then the verb's button
	refused string // what the engine said to it as it was last; safe
}

// formField is one labelled control.
type formField struct {
	label   string
	control control
	rows    int    // of a text area; otherwise 0
	width   int    // of the control at most; 0: fieldWidth
	hint    string // muted, beside the control; safe
	hidden  bool
	// check says what is wrong with the control's text: one clause that names
	// the range. nil: nothing can be.
	check   func(string) string
	problem string // across fields; set by recheck
	left    bool   // the focus has been here: problems show from then on
	typed   bool   // at; until then what is typed replaces what stands there
}

// fieldWidth holds most names.
const fieldWidth = 24

// control is what a field holds.
type control interface {
	// key takes a key that the form has no use for, and says whether it was one
	// for the control.
	key(k tea.KeyMsg) bool
	text() string
}

// chooser is a control whose value is one of a few.
type chooser interface {
	step(by int)
}

func newForm(th theme, title, verb string, fields ...*formField) *form {
	f := &form{Form: keymap.NewForm(), th: th, title: title, verb: verb, fields: fields}
	f.Edit.SetEnabled(false)
	f.recheck = func() {}
	f.sync()
	return f
}

// ShortHelp is for the last line: the keys that work where the focus is.
func (f *form) ShortHelp() []key.Binding {
	short := []key.Binding{f.Next}
	if f.Submit.Help().Desc != f.Next.Help().Desc {
		short = append(short, f.Submit)
	}
	if !f.enterActs {
		short = append(short, f.Act)
	}
	return append(short, f.Right, f.Edit, f.Clear, f.Cancel)
}

// inline is false: the form is a box.
func (f *form) inline() bool { return false }

// Update takes a key.
func (f *form) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyMsg)
	if !ok {
		return nil
	}
	defer f.sync()
	field := f.current()
	if field != nil && f.typed(field, k) {
		f.refused = ""
		return nil
	}
	switch {
	case key.Matches(k, f.Cancel):
		return emit(closeMsg{})
	case key.Matches(k, f.Next):
		f.step(1)
	case key.Matches(k, f.Prev):
		f.step(-1)
	case key.Matches(k, f.Submit):
		return f.enter()
	case key.Matches(k, f.Act):
		return f.act()
	case field == nil && key.Matches(k, f.Left):
		f.focus = len(f.fields)
	case field == nil && key.Matches(k, f.Right):
		f.focus = len(f.fields) + 1
	}
	return nil
}

// typed offers a key to the field that has the focus.
func (f *form) typed(field *formField, k tea.KeyMsg) bool {
	if c, ok := field.control.(chooser); ok {
		switch {
		case key.Matches(k, f.Left):
			c.step(-1)
			return true
		case key.Matches(k, f.Right), key.Matches(k, f.Choose):
			c.step(1)
			return true
		}
	}
	if field.rows == 0 && (key.Matches(k, f.Next) || key.Matches(k, f.Prev) || key.Matches(k, f.Submit)) {
		return false
	}
	if e, ok := field.control.(*lineEdit); ok {
		writes := (k.Type == tea.KeyRunes || k.Type == tea.KeySpace) && !k.Alt
		if key.Matches(k, f.Clear) || writes && !field.typed {
			e.set("")
		}
		defer func() { field.typed = true }()
	}
	return field.control.key(k)
}

func (f *form) enter() tea.Cmd {
	switch {
	case f.focus == len(f.fields):
		return emit(closeMsg{})
	case f.focus < len(f.fields) && !f.enterActs:
		f.step(1)
		if f.focus == len(f.fields) && !f.danger && !f.cancelFirst {
			f.focus++
		}
		return nil
	}
	return f.act()
}

// act does what the form is for, or goes to the first field with a problem.
func (f *form) act() tea.Cmd {
	for i, field := range f.fields {
		field.left = true
		if !field.hidden && field.trouble() != "" {
			f.focus = i
			return nil
		}
	}
	f.refused = ""
	return emit(doneMsg{f.submit()})
}

// refuse keeps the reason on screen until something is typed.
func (f *form) refuse(reason string) { f.refused = reason }

// current is the field that has the focus, nil on a button.
func (f *form) current() *formField {
	if f.focus < len(f.fields) {
		return f.fields[f.focus]
	}
	return nil
}

// control is that of the field that has the focus, nil on a button.
func (f *form) control() control {
	if field := f.current(); field != nil {
		return field.control
	}
	return nil
}

func (f *form) step(by int) {
	if field := f.current(); field != nil {
		field.left = true
	}
	stops := len(f.fields) + 2
	for {
		f.focus = (f.focus + by + stops) % stops
		if field := f.current(); field == nil || !field.hidden {
			return
		}
	}
}

// sync runs the checks, and enables exactly the keys that work here.
func (f *form) sync() {
	f.recheck()
	field := f.current()
	chooses := false
	if field != nil {
		_, chooses = field.control.(chooser)
	}
	_, edits := f.control().(*lineEdit)
	f.Clear.SetEnabled(edits)
	f.Act.SetHelp("ctrl+s", lowerASCII(f.verb))
	f.Choose.SetEnabled(chooses)
	f.Left.SetEnabled(chooses || field == nil)
	f.Right.SetEnabled(chooses || field == nil)
	f.Right.SetHelp("→", "next choice")
	f.Submit.SetHelp("↵", "next")
	if field == nil {
		f.Right.SetHelp("→", "next button")
		f.Submit.SetHelp("↵", "press")
	} else if field.rows > 0 {
		f.Submit.SetHelp("↵", "new line")
	} else if f.enterActs {
		f.Submit.SetHelp("↵", lowerASCII(f.verb))
	}
}

// trouble is what is wrong with the field.
func (field *formField) trouble() string {
	if field.check != nil {
		if problem := field.check(field.control.text()); problem != "" {
			return problem
		}
	}
	return field.problem
}

// View draws the form.
func (f *form) View(width, height int) string {
	p := panel{th: f.th, title: f.title, hints: f.ShortHelp(), need: f.widest}
	if f.right != "" {
		p.right = f.th.muted.Render(f.right)
	}
	p.blank()
	labels := 0
	for _, field := range f.fields {
		if !field.hidden {
			labels = max(labels, cellWidth(field.label))
		}
	}
	for _, x := range f.facts {
		labels = max(labels, cellWidth(x.label))
	}
	room := width - 2 - 2*panelPadding - labels - 2
	for i, field := range f.fields {
		if !field.hidden {
			f.drawField(&p, field, i == f.focus, labels, room)
		}
	}
	p.blank()
	for _, x := range f.facts {
		for i, part := range wrapText(x.value, min(room, textWidth)) {
			p.add(func(l *line) {
				if i == 0 {
					l.put(f.th.muted, x.label)
				}
				l.to(panelPadding+labels+2).put(f.th.text, part)
			})
		}
	}
	if len(f.facts) > 0 {
		p.blank()
	}
	addSample(&p, f.sample, max(f.most, len(f.sample)))
	f.drawEnd(&p, width)
	view := p.draw(width, height)
	f.widest = p.need
	return view
}

// drawEnd adds what is to be known before a button is pressed, and the buttons.
func (f *form) drawEnd(p *panel, width int) {
	for _, w := range f.warns {
		p.text(width, f.th.flight, f.th.glyph.warn, f.th.text, w)
	}
	if len(f.warns) > 0 {
		p.blank()
	}
	if f.refused != "" {
		p.text(width, f.th.dead, f.th.glyph.fail, f.th.text, f.refused)
		p.blank()
	}
	p.rows = append(p.rows, panelRow{pointed: f.current() == nil, cells: func(l *line) {
		button(l, f.th, "Cancel", f.focus == len(f.fields), false)
		l.blank(2)
		button(l, f.th, f.verb, f.focus == len(f.fields)+1, f.danger)
	}})
	if f.current() == nil {
		p.top = len(p.rows)
	}
	p.blank()
}

func (f *form) drawField(p *panel, field *formField, on bool, labels, room int) {
	name := f.th.muted
	if on {
		name = f.th.bold
	}
	rows := max(field.rows, 1)
	area, isArea := field.control.(*textArea)
	if isArea {
		area.scroll(rows)
	}
	for i := range rows {
		p.rows = append(p.rows, panelRow{on: on && (!isArea || i == area.row-area.top), pointed: on && i == 0, cells: func(l *line) {
			start := l.width
			if i == 0 {
				l.put(name, field.label)
			}
			l.to(start + labels + 2)
			if isArea {
				area.drawRow(l, f.th, i, min(room, 56), on)
				return
			}
			width := field.width
			if width == 0 {
				width = fieldWidth
			}
			if e, ok := field.control.(*lineEdit); ok && on && !field.typed && e.text() != "" {
				e.drawChosen(l, f.th, min(room, width))
			} else {
				drawControl(l, f.th, field.control, min(room, width), on)
			}
			if field.hint != "" {
				l.blank(2).put(f.th.muted, field.hint)
			}
		}})
	}
	if isArea && field.hint != "" {
		p.add(func(l *line) { l.to(l.width+labels+2).put(f.th.muted, field.hint) })
	}
	if problem := field.trouble(); problem != "" && (field.left || isChooser(field.control)) {
		p.add(func(l *line) {
			l.to(l.width+labels+2).put(f.th.dead, f.th.glyph.fail).blank(1).put(f.th.text, problem)
		})
	}
}

func isChooser(c control) bool {
	_, ok := c.(chooser)
	return ok
}

func drawControl(l *line, th theme, c control, width int, focused bool) {
	switch c := c.(type) {
	case *lineEdit:
		c.draw(l, th, width, focused)
	case *typedName:
		c.draw(l, th, width, focused)
	case *choice:
		c.draw(l, th)
	case *picker:
		c.draw(l, th, width, focused)
	}
}
