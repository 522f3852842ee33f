package ui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
	"inflight/keymap"
)

// mainScreen is the queues, the facts of one of them, and its messages by
// state. It gives keys to the focused pane and data to all.
type mainScreen struct {
	keymap.Main
	th      theme
	samples samples
	queues  *queuesPane
	info    *infoPane
	lists   [5]*messagePane // by pane; the first is nil

	focus paneID
	open  paneID // the list that is unfolded when not all are
	zoom  bool

	width, height int
	layout        layout

	view         string
	parts, drawn []string // that view was joined of
}

func newMainScreen(th theme) *mainScreen {
	s := samples{}
	m := &mainScreen{Main: keymap.NewMain(), th: th, samples: s, focus: paneVisible, open: paneVisible}
	m.queues = newQueuesPane(th, s)
	m.info = &infoPane{th: th, samples: s, queues: m.queues}
	m.lists[paneVisible] = newVisiblePane(th)
	m.lists[paneFlight] = newFlightPane(th)
	m.lists[paneDead] = newDeadPane(th)
	m.lists[paneDelayed] = newDelayedPane(th)
	for _, p := range m.messagePanes() {
		p.samples, p.nameOf = s, m.nameOf
	}
	m.arrange()
	m.sync()
	return m
}

// messagePanes are the lists.
func (m *mainScreen) messagePanes() []*messagePane { return m.lists[paneVisible:] }

// list is the list with the focus, or nil.
func (m *mainScreen) list() *messagePane { return m.lists[m.focus] }

// SetSize says how large the screen is drawn.
func (m *mainScreen) SetSize(width, height int) {
	m.width, m.height = width, height
	m.arrange()
}

// arrange gives every pane its place.
func (m *mainScreen) arrange() {
	alarms := 0
	if q := m.queues.current(); q != nil {
		alarms = len(m.info.alarms(q))
	}
	m.layout = divide(m.width, m.height, len(m.queues.list), alarms, m.focus, m.open, m.zoom)
	l := &m.layout
	m.queues.SetSize(l.queues.width, l.queues.height)
	m.queues.focus(m.focus == paneQueues)
	m.info.SetSize(l.info.width, l.info.height)
	for _, p := range m.messagePanes() {
		r := l.lists[p.id]
		caption := ""
		if p.id == paneVisible && l.stacked && m.focus != paneDelayed {
			caption = m.delayedCaption()
		}
		p.place(m.focus == p.id, r.height <= 1, r.height == 1, caption)
		p.SetSize(r.width, r.height)
	}
}

// delayedCaption is the delayed pane while it is closed.
func (m *mainScreen) delayedCaption() string {
	p := m.lists[paneDelayed]
	text := m.th.muted.Render("4 "+m.th.glyph.delayed+" ") + m.th.text.Render("Delayed "+countText(p.count()))
	if summary := p.kind.summary(p); summary != "" {
		text += "  " + summary
	}
	return text
}

// Update takes a key, or data.
func (m *mainScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.press(msg)
	case queuesMsg:
		m.samples.take(msg)
		cmds := []tea.Cmd{m.queues.Update(msg)}
		m.info.Update(msg)
		for _, p := range m.messagePanes() {
			cmds = append(cmds, p.Update(msg))
		}
		m.arrange()
		m.sync()
		return tea.Batch(cmds...)
	case openQueueMsg:
		m.show(string(msg))
		return nil
	case focusMsg:
		m.setFocus(paneID(msg))
		return nil
	}
	var cmds []tea.Cmd
	cmds = append(cmds, m.queues.Update(msg))
	m.info.Update(msg)
	for _, p := range m.messagePanes() {
		cmds = append(cmds, p.Update(msg))
	}
	if _, ok := msg.(tickMsg); ok {
		m.arrange() // the caption counts down
	}
	return tea.Batch(cmds...)
}

// show turns all panes to a queue, at once or as soon as it is known.
func (m *mainScreen) show(queue string) {
	if findQueue(m.queues.all, queue) == nil {
		m.queues.awaited = queue
		return
	}
	m.queues.choose(queue)
	m.info.Update(openQueueMsg(queue))
	for _, p := range m.messagePanes() {
		p.show(queue)
		p.takeQueues(queuesMsg{queues: m.queues.all})
	}
	m.arrange()
	m.sync()
}

// press takes a key of the screen, else the focused pane's.
func (m *mainScreen) press(msg tea.KeyMsg) tea.Cmd {
	switch {
	case key.Matches(msg, m.Next):
		m.step(1)
	case key.Matches(msg, m.Prev):
		m.step(-1)
	case key.Matches(msg, m.Queues):
		m.setFocus(paneQueues)
	case key.Matches(msg, m.Visible):
		m.setFocus(paneVisible)
	case key.Matches(msg, m.Flight):
		m.setFocus(paneFlight)
	case key.Matches(msg, m.Dead):
		m.setFocus(paneDead)
	case key.Matches(msg, m.Delayed):
		m.setFocus(paneDelayed)
	case key.Matches(msg, m.PrevQueue):
		return m.queues.neighbour(-1)
	case key.Matches(msg, m.NextQueue):
		return m.queues.neighbour(1)
	case key.Matches(msg, m.Zoom):
		m.zoom = !m.zoom
		m.arrange()
	case key.Matches(msg, m.Send):
		return emit(askSendMsg{m.queues.selected})
	case key.Matches(msg, m.NewQueue):
		return emit(askQueueMsg{})
	case key.Matches(msg, m.Settings):
		return emit(askQueueMsg{m.queues.selected})
	case m.focus == paneQueues:
		return m.pressQueues(msg)
	default:
		return m.list().Update(msg)
	}
	return nil
}

// pressQueues: where the queues are a line of tabs, left and right move too.
func (m *mainScreen) pressQueues(msg tea.KeyMsg) tea.Cmd {
	if !m.layout.wide && !m.layout.zoom {
		switch {
		case key.Matches(msg, m.queues.Left):
			return m.queues.neighbour(-1)
		case key.Matches(msg, m.queues.Right):
			return m.queues.neighbour(1)
		}
	}
	return m.queues.Update(msg)
}

func (m *mainScreen) step(by int) {
	m.setFocus((m.focus + paneID(by+len(m.lists))) % paneID(len(m.lists)))
}

func (m *mainScreen) setFocus(id paneID) {
	m.focus = id
	if id != paneQueues {
		m.open = id
	}
	m.arrange()
}

// back undoes one level of the screen: the focused pane's filter, marks and
// freeze, then the zoom.
func (m *mainScreen) back() (tea.Cmd, bool) {
	if p := m.list(); p != nil && p.back() {
		return nil, true
	}
	if m.focus == paneQueues {
		if cmd, ok := m.queues.back(); ok {
			return cmd, true
		}
	}
	if m.zoom {
		m.zoom = false
		m.arrange()
		return nil, true
	}
	return nil, false
}

// sync enables the keys that need a queue.
func (m *mainScreen) sync() {
	has := m.queues.current() != nil
	m.Send.SetEnabled(has)
	m.Settings.SetEnabled(has)
	m.PrevQueue.SetEnabled(len(m.queues.list) > 1)
	m.NextQueue.SetEnabled(len(m.queues.list) > 1)
}

// View draws the screen in exactly its size. What no pane has drawn anew is not
// joined anew.
func (m *mainScreen) View() string {
	parts := m.parts[:0]
	l := &m.layout
	switch {
	case l.zoom && m.focus == paneQueues:
		parts = append(parts, m.queues.View())
	case !l.zoom && l.wide:
		parts = append(parts, m.queues.View(), m.info.View())
	case !l.zoom:
		parts = append(parts, m.tabLine(m.width))
	}
	if l.zoom && m.focus == paneQueues && l.info.width > 0 {
		parts = append(parts, m.info.View())
	}
	left := len(parts)
	for _, id := range l.order {
		if l.lists[id].height > 0 {
			parts = append(parts, m.lists[id].View())
		}
	}
	if m.view == "" || !slices.Equal(parts, m.drawn) {
		m.view = m.join(parts[:left], parts[left:])
		m.drawn = append(m.drawn[:0], parts...)
	}
	m.parts = parts
	return m.view
}

// join puts the left column's parts beside the lists.
func (m *mainScreen) join(left, lists []string) string {
	right := strings.Join(lists, "\n")
	switch l := &m.layout; {
	case l.zoom && m.focus == paneQueues:
		return joinLeft(left...)
	case l.zoom:
		return right
	case !l.wide:
		return left[0] + "\n" + right
	case l.info.height == 0:
		return joinLeft(left[0], right)
	default:
		return joinLeft(left[0]+"\n"+left[1], right)
	}
}

// why says why a key is off.
func (m *mainScreen) why(b key.Binding) string {
	if b.Enabled() {
		return ""
	}
	switch b.Help() {
	case m.Send.Help(), m.Settings.Help():
		return "no queue is selected"
	case m.PrevQueue.Help(), m.NextQueue.Help():
		return "there is no other queue"
	}
	if m.focus == paneQueues {
		return m.queues.why(b)
	}
	return m.list().why(b)
}

// ShortHelp is for the footer: the focused pane's keys, then the screen's.
func (m *mainScreen) ShortHelp() []key.Binding {
	if m.focus == paneQueues {
		return append(m.queues.ShortHelp(), m.NewQueue, m.Settings, m.Send, m.Next)
	}
	return append(m.list().ShortHelp(), m.Main.ShortHelp()...)
}

// FullHelp is for the help overlay.
func (m *mainScreen) FullHelp() [][]key.Binding {
	if m.focus == paneQueues {
		return append(m.queues.FullHelp(), m.Main.FullHelp()...)
	}
	return append(m.list().FullHelp(), m.Main.FullHelp()...)
}

// tabLine is the queues in one line, the selected one in view.
func (m *mainScreen) tabLine(width int) string {
	th, rows := m.th, m.queues.list
	l := newSentence(th, width-6)
	if m.focus == paneQueues {
		l.put(th.key, th.glyph.focus+"0")
	} else {
		l.put(th.muted, " 0")
	}
	most := min(nameMost, width-26) // the selected one's counts are to stay
	i := tabFrom(rows, m.queues.index, most, width-10)
	for ; i < len(rows) && l.width < l.max; i++ {
		q := rows[i].stats
		l.blank(1)
		l.onRow = q.Name == m.queues.selected
		l.blank(1)
		k := th.muted
		if l.onRow {
			k = th.bold
		}
		if rows[i].dead {
			l.put(th.dead, th.glyph.dead)
		}
		l.put(k, shortName(safeLine(q.Name, 0), most, th.glyph.more)).put(th.muted, " "+m.tabCounts(q)).blank(1)
		l.onRow = false
	}
	if i < len(rows) {
		l.put(th.muted, th.glyph.more)
	}
	if len(rows) == 0 {
		l.put(th.muted, "  no queues: n makes one")
	}
	out := newLine(th, width, false).raw(l.done(), l.max)
	if len(rows) > 1 {
		out.blank(1).put(th.key, "[").blank(1).put(th.key, "]")
	}
	return out.done()
}

// tabCounts are visible, in flight and dead.
func (m *mainScreen) tabCounts(q *engine.QueueStats) string {
	dead := deadCount(findQueue(m.queues.all, q.Attributes.Redrive.DLQ))
	if dead == "" {
		dead = "0"
	}
	return shortCount(q.Counts.Ready) + "/" + shortCount(q.Counts.InFlight) + "/" + dead
}

// tabFrom is the first tab to draw so that the one at index is in view.
func tabFrom(rows []queueRow, index, most, width int) int {
	const about = 14 // cells of counts and blanks
	for used, i := 0, min(index, len(rows)-1); i >= 0; i-- {
		used += min(cellWidth(safeLine(rows[i].stats.Name, 0)), most) + about
		if used > width {
			return min(i+1, index)
		}
	}
	return 0
}
