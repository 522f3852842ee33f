package ui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

// intend turns an intent into what it asks for. It says whether msg was one.
func (a *app) intend(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case closeMsg:
		a.closeOverlay()
	case doneMsg:
		return a.finish(msg.then), true
	case refusedMsg:
		return a.refused(msg), true
	case openMsg:
		a.openOverlay(msg.overlay)
	case openDetailMsg:
		return a.openDetail(msg), true
	case stepDetailMsg:
		return a.stepDetail(int(msg)), true
	case openJobsMsg:
		a.openJobs()
	case openLogMsg:
		a.openLog()
	case copyReadyMsg:
		return a.copyReady(msg), true
	case copyMsg:
		return a.copy(msg), true
	case editBodyMsg:
		return editBody(msg.body), true
	case startDemoMsg:
		return a.startDemo(), true
	case demoStartedMsg:
		return a.demoStarted(msg), true
	case leaveMsg:
		return a.leaveWith(msg), true
	default:
		if cmd, taken := a.ask(msg); taken {
			return cmd, true
		}
		return a.act(msg)
	}
	return nil, true
}

// act turns the intents that change something into calls of the engine.
func (a *app) act(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case peekMsg:
		return a.loader.peek(msg), true
	case pollMsg:
		return a.loader.poll(msg), true
	case extendMsg:
		return a.begin(extendBulk(msg, a.options.Now)), true
	case releaseMsg:
		return a.begin(releaseBulk(msg)), true
	case removeMsg:
		return a.begin(removeBulk(msg)), true
	case moveMsg:
		return a.begin(moveBulk(msg)), true
	case sendMsg:
		return a.loader.send(msg), true
	case createQueueMsg:
		return a.loader.createQueue(msg), true
	case configureQueueMsg:
		return a.loader.configureQueue(msg), true
	case purgeQueueMsg:
		return a.loader.purge(string(msg)), true
	case deleteQueueMsg:
		return a.loader.deleteQueue(string(msg)), true
	case redriveMsg:
		return a.loader.redrive(msg.request), true
	default:
		return a.loader.onTask(msg)
	}
}

// begin starts a bulk act; one at a time, so that its progress can be shown.
func (a *app) begin(b bulk) tea.Cmd {
	if a.bulk != nil {
		return emit(resultMsg{levelError, "nothing was " + b.verb + ": still " + a.bulk.doing + ", wait for its result"})
	}
	if len(b.refs) == 0 {
		return nil
	}
	if len(b.refs) == 1 {
		b.name = a.nameOf(b.refs[0])
	}
	a.bulk = &b
	return a.loader.step(b)
}

// nameOf is a message's short id, if it is on screen.
func (a *app) nameOf(ref engine.Ref) string {
	if d := a.shown(); d != nil && d.ref == ref && d.loaded {
		return shortID(d.detail.Message.ID)
	}
	for _, p := range a.main.messagePanes() {
		if i := p.indexOf(ref); i >= 0 {
			return p.at(i).id
		}
	}
	return ""
}

// takeBulk goes on with a bulk act, or ends it. Marks of what it was done to
// go with it; after a failure the rest stays marked.
func (a *app) takeBulk(msg bulkMsg) tea.Cmd {
	for _, p := range a.main.messagePanes() {
		p.unmark(msg.refs[:msg.next])
	}
	if msg.err == nil && msg.next < len(msg.refs) {
		a.bulk = &msg.bulk
		return a.loader.step(msg.bulk)
	}
	a.bulk = nil
	if msg.err != nil && msg.done == 0 {
		return orBack(msg.form, emit(msg.result()))
	}
	return emit(msg.result())
}

// restTime is how long lists stand while nothing happens in the engine.
const restTime = 5 * time.Second

// tick brings the time, and asks for everything anew if anything happened.
// The queues are asked every second: that the engine answers is news.
func (a *app) tick(msg tickMsg) tea.Cmd {
	a.now = msg.now
	a.endpoint.tick(msg.now)
	if rested := msg.now.Sub(a.refreshed); a.eventful || a.still || a.err != nil || rested < 0 || rested >= restTime {
		a.eventful, a.refreshed = false, msg.now
		a.refresh()
	}
	a.wantQueues = true
	cmd := a.broadcast(msg)
	if a.still {
		return cmd
	}
	return tea.Batch(cmd, a.loader.tick())
}

// refresh marks every source as to be asked.
func (a *app) refresh() {
	a.wantQueues, a.wantTasks, a.wantDetail = true, true, true
	for _, p := range a.main.messagePanes() {
		p.need = true
	}
}

func (a *app) watch() tea.Cmd {
	if a.still {
		return nil
	}
	return a.loader.watch(a.seen)
}

// changed spreads what happened in the engine. The watch comes back at most
// ten times a second: that is the pace of all data.
func (a *app) changed(msg changesMsg) tea.Cmd {
	a.seen = msg.after
	if msg.err != nil {
		a.err = msg.err
		return a.watch()
	}
	a.eventful = true
	a.refresh()
	return tea.Batch(a.broadcast(eventsMsg{msg.events, msg.missed}), a.watch())
}

func (a *app) takeQueues(msg queuesMsg) tea.Cmd {
	a.asksQueues = false
	if a.err = msg.err; msg.err == nil {
		a.queues, a.answered, a.loaded = msg.queues, msg.at, true
	}
	cmd := a.broadcast(msg)
	a.welcome.Update(msg)
	return cmd
}

// fetch asks what is to be asked, one request under way for each source.
func (a *app) fetch() tea.Cmd {
	var cmds []tea.Cmd
	if a.wantQueues && !a.asksQueues {
		a.wantQueues, a.asksQueues = false, true
		cmds = append(cmds, a.loader.queues())
	}
	if a.wantTasks && !a.asksTasks {
		a.wantTasks, a.asksTasks = false, true
		cmds = append(cmds, a.loader.tasks())
	}
	if d := a.shown(); d != nil && a.wantDetail && !a.asksDetail {
		a.wantDetail, a.asksDetail = false, true
		cmds = append(cmds, a.loader.detail(d.ref))
	}
	for _, p := range a.main.messagePanes() {
		if load, ok := p.next(); ok {
			cmds = append(cmds, a.loader.page(load))
		}
	}
	return tea.Batch(cmds...)
}

// activeTask is the redrive that the header shows: the first that runs.
func (a *app) activeTask() *engine.Task {
	for i := range a.tasks {
		if a.tasks[i].State.Active() {
			return &a.tasks[i]
		}
	}
	return nil
}

// startDemo makes the demo's queues here.
func (a *app) startDemo() tea.Cmd {
	demo := a.options.Demo
	if demo == nil || demo.Start == nil {
		return nil
	}
	return a.loader.call(actTime, func(ctx context.Context) tea.Msg { return demoStartedMsg{demo.Start(ctx)} })
}

func (a *app) demoStarted(msg demoStartedMsg) tea.Cmd {
	if msg.err != nil {
		return emit(failed("the demo was not started", msg.err))
	}
	a.resize(a.width, a.height) // its hint takes a line
	return emit(done("the demo runs here; watch the line at the bottom"))
}
