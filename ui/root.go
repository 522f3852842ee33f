package ui

import (
	"reflect"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
	"inflight/keymap"
)

// app is the root model. It only routes: a key goes to the overlay on top,
// else to a global binding, else to the screen; data goes to all; intents
// become commands of the loader, or open and close what is on top.
type app struct {
	keymap.Global
	loader  *loader
	options Options
	th      theme

	main     *mainScreen
	welcome  *welcomePane
	jobs     *jobsPane // it and the log collect from the start on
	log      *eventLog
	screens  []pane // over the main screen
	overlays []overlay
	asker    refusable // the form that the question on top is of

	status   status
	endpoint *endpoint
	bulk     *bulk // under way

	queues     []engine.QueueStats
	tasks      []engine.Task
	tasksRead  bool // once: those that had ended by then are old news
	loaded     bool
	answered   time.Time // when the engine last did
	err        error     // why it does not
	seen       uint64    // the last event
	wantQueues bool
	wantTasks  bool
	wantDetail bool
	eventful   bool // something happened since the last tick
	refreshed  time.Time
	asksQueues bool // a request is under way
	asksTasks  bool
	asksDetail bool
	stepping   paneID             // the list in which the detail screen waits for its next message
	write      func(string) error // to the terminal
	leaving    bool
	typed      int  // how often a filter was typed at
	still      bool // a test: nothing waits for time

	now           time.Time
	width, height int
}

func newApp(l *loader, th theme, o Options) *app {
	t := &endpoint{EndpointOptions: o.Endpoint}
	main := newMainScreen(th)
	main.info.endpoint = t
	return &app{
		endpoint: t,
		Global:   keymap.NewGlobal(), loader: l, options: o, th: th,
		main: main, jobs: newJobsPane(th), log: newEventLog(th), welcome: newWelcomePane(th, o, t), status: newStatus(th),
		wantQueues: true, wantTasks: true, now: o.Now(),
	}
}

// Init starts the clock and the watch over the engine.
func (a *app) Init() tea.Cmd {
	return tea.Batch(emit(tickMsg{a.now}), a.watch())
}

// Update routes.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.resize(msg.Width, msg.Height)
	case tea.KeyMsg:
		cmd = a.keys(msg)
	case tickMsg:
		cmd = a.tick(msg)
	case changesMsg:
		cmd = a.changed(msg)
	case queuesMsg:
		cmd = a.takeQueues(msg)
	case tasksMsg:
		cmd = a.takeTasks(msg)
	case bulkMsg:
		cmd = a.takeBulk(msg)
	case detailMsg:
		a.asksDetail = false
		cmd = a.broadcast(msg)
	case pageMsg:
		cmd = a.main.Update(msg)
		a.stepped()
	case resultMsg:
		a.status.take(msg, a.now)
		a.refresh()
		cmd = a.broadcast(msg)
	default:
		var taken bool
		if cmd, taken = a.intend(msg); !taken {
			cmd = a.broadcast(msg)
		}
	}
	return a, tea.Batch(cmd, a.fetch())
}

// keys gives a key to its one reader. Fast typing arrives as one message of
// several runes; pasted text stays one.
func (a *app) keys(msg tea.KeyMsg) tea.Cmd {
	if msg.Type != tea.KeyRunes || len(msg.Runes) < 2 || msg.Paste {
		return a.key(msg)
	}
	var cmds []tea.Cmd
	for _, r := range msg.Runes {
		if r == ' ' {
			cmds = append(cmds, a.key(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}, Alt: msg.Alt}))
			continue
		}
		cmds = append(cmds, a.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}))
	}
	return tea.Batch(cmds...)
}

func (a *app) key(msg tea.KeyMsg) tea.Cmd {
	a.status.off = ""
	switch {
	case key.Matches(msg, a.Interrupt):
		return a.leave()
	case key.Matches(msg, a.Suspend):
		return tea.Suspend
	case key.Matches(msg, a.Redraw):
		return tea.ClearScreen
	}
	if n := len(a.overlays); n > 0 {
		return a.atOnce(a.overlays[n-1].Update(msg))
	}
	switch {
	case key.Matches(msg, a.Help):
		a.openHelp()
	case key.Matches(msg, a.Back):
		return a.back()
	case key.Matches(msg, a.Quit):
		if a.closeScreen() {
			return nil
		}
		return a.leave()
	case key.Matches(msg, a.Refresh):
		a.refresh()
	case key.Matches(msg, a.Jobs):
		return a.atOnce(emit(openJobsMsg{}))
	case key.Matches(msg, a.Connect):
		a.openOverlay(newConnectOverlay(a.th, a.endpoint))
	case key.Matches(msg, a.Log):
		return a.atOnce(emit(openLogMsg{}))
	default:
		a.status.off = a.whyOff(msg)
		return a.atOnce(a.top().Update(msg))
	}
	return nil
}

var ownPackage = reflect.TypeFor[app]().PkgPath()

// atOnce does at once what a key asked for. Panes and overlays only emit; were
// that to go through the event loop, the next key could overtake it and reach
// the wrong reader.
func (a *app) atOnce(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	msg := cmd()
	if msg == nil {
		return nil
	}
	if batch, ok := msg.(tea.BatchMsg); ok {
		var cmds []tea.Cmd
		for _, c := range batch {
			cmds = append(cmds, a.atOnce(c))
		}
		return tea.Batch(cmds...)
	}
	if reflect.TypeOf(msg).PkgPath() != ownPackage {
		return emit(msg) // the program's own, such as a sequence
	}
	_, next := a.Update(msg)
	return next
}

// top is the screen that is shown.
func (a *app) top() pane {
	switch {
	case len(a.screens) > 0:
		return a.screens[len(a.screens)-1]
	case a.loaded && len(a.queues) == 0:
		return a.welcome
	default:
		return a.main
	}
}

// broadcast gives data to every pane.
func (a *app) broadcast(msg tea.Msg) tea.Cmd {
	cmds := []tea.Cmd{a.main.Update(msg), a.jobs.Update(msg), a.log.Update(msg)}
	if d := a.shown(); d != nil {
		cmds = append(cmds, d.Update(msg))
	}
	for _, o := range a.overlays {
		cmds = append(cmds, o.Update(msg))
	}
	return tea.Batch(cmds...)
}

// back undoes one level: the screen on top, else one of the main screen.
func (a *app) back() tea.Cmd {
	if a.closeScreen() {
		return nil
	}
	cmd, _ := a.main.back()
	return cmd
}

// backer is a screen that has levels of its own to undo.
type backer interface{ back() bool }

// closeScreen leaves the screen on top, if there is one over the main screen.
func (a *app) closeScreen() bool {
	n := len(a.screens)
	if n == 0 {
		return false
	}
	if s, ok := a.screens[n-1].(backer); ok && s.back() {
		return true
	}
	a.screens = a.screens[:n-1]
	if a.shown() == nil {
		a.stepping = paneQueues // nobody waits for a message any more
	}
	a.resize(a.width, a.height)
	return true
}

// openScreen shows a screen over those that are open.
func (a *app) openScreen(s pane) {
	a.screens = append(a.screens, s)
	s.Update(tickMsg{a.now})
	s.Update(queuesMsg{queues: a.queues, at: a.answered})
	a.resize(a.width, a.height)
}

func (a *app) openOverlay(o overlay) {
	if o != nil {
		a.overlays = append(a.overlays, o)
	}
}

func (a *app) closeOverlay() {
	if n := len(a.overlays); n > 0 {
		a.overlays = a.overlays[:n-1]
	}
}

// resize gives everything its size. It loses no focus, marks or place.
func (a *app) resize(width, height int) {
	a.width, a.height = width, height
	body := a.bodyHeight()
	a.main.SetSize(width, body)
	a.welcome.SetSize(width, body)
	a.jobs.SetSize(width, body)
	a.log.SetSize(width, body)
	if d := a.shown(); d != nil {
		d.SetSize(width, body)
	}
}
