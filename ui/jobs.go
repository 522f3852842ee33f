package ui

import (
	"fmt"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
	"inflight/keymap"
)

// jobsPane lists the redrive tasks, newest first, with the selected one below.
type jobsPane struct {
	keymap.Jobs
	th            theme
	now           time.Time
	width, height int

	tasks    []engine.Task
	pace     map[uint64]*pace
	loaded   bool
	err      error
	selected uint64 // by number: rows move under the cursor
	newest   uint64 // that there was when the screen was last looked at
	top      int
}

// pace is how fast a task went lately. The engine tells how many have moved;
// how fast follows from when it told so.
type pace struct {
	samples []paceSample // oldest first, at most one a second
}

type paceSample struct {
	at    time.Time
	moved int
}

// paceFor is the time over which a rate is measured.
const paceFor = 10 * time.Second

func (p *pace) add(at time.Time, moved int) {
	if n := len(p.samples); n > 0 && at.Sub(p.samples[n-1].at) < time.Second {
		if at.Before(p.samples[n-1].at) || moved < p.samples[n-1].moved {
			p.samples = p.samples[:0] // the clock was set back, or it started again
		} else {
			return
		}
	}
	p.samples = append(p.samples, paceSample{at, moved})
	for len(p.samples) > 2 && at.Sub(p.samples[0].at) > paceFor {
		p.samples = p.samples[1:]
	}
}

// A rate is said once that long or that many messages were seen: before, how
// the first few fall between the samples decides.
const (
	settledAfter = 5 * time.Second
	settledMoves = 10
)

// rate is messages a second, and whether enough was seen to say.
func (p *pace) rate() (float64, bool) {
	if p == nil || len(p.samples) < 2 {
		return 0, false
	}
	first, last := p.samples[0], p.samples[len(p.samples)-1]
	over, moved := last.at.Sub(first.at), last.moved-first.moved
	if over < settledAfter && moved < settledMoves {
		return 0, false
	}
	return float64(moved) / over.Seconds(), true
}

// newJobsPane is the jobs screen. It measures rates from the first tasksMsg
// on, whether it is on screen or not.
func newJobsPane(th theme) *jobsPane {
	p := &jobsPane{Jobs: keymap.NewJobs(), th: th, pace: map[uint64]*pace{}}
	p.Left.SetEnabled(false)
	p.Right.SetEnabled(false)
	p.sync()
	return p
}

// SetSize sets the size that View has.
func (p *jobsPane) SetSize(width, height int) {
	p.width, p.height = width, height
	p.scroll()
}

// Update takes a key, or data.
func (p *jobsPane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tickMsg:
		p.now = msg.now
	case tasksMsg:
		p.take(msg)
	case tea.KeyMsg:
		return p.key(msg)
	}
	return nil
}

func (p *jobsPane) take(msg tasksMsg) {
	if p.err = msg.err; msg.err != nil {
		return
	}
	p.tasks, p.loaded = msg.tasks, true
	known := p.pace
	p.pace = make(map[uint64]*pace, len(p.tasks)) // forgotten tasks go
	for _, t := range p.tasks {
		if t.State != engine.TaskRunning || p.now.IsZero() {
			continue // a pause must not count as slowness
		}
		if known[t.ID] == nil {
			known[t.ID] = &pace{}
		}
		p.pace[t.ID] = known[t.ID]
		p.pace[t.ID].add(p.now, t.Moved)
	}
	if _, i := p.current(); i < 0 && len(p.tasks) > 0 {
		p.selected = p.tasks[0].ID
	}
	p.scroll()
	p.sync()
}

// look is called when the screen is opened: it starts on a job that is newer
// than what was there the last time.
func (p *jobsPane) look() {
	if len(p.tasks) == 0 || p.tasks[0].ID <= p.newest {
		return
	}
	p.newest, p.selected = p.tasks[0].ID, p.tasks[0].ID
	p.scroll()
	p.sync()
}

// current is the selected task and its row, -1 when there is none.
func (p *jobsPane) current() (engine.Task, int) {
	for i, t := range p.tasks {
		if t.ID == p.selected {
			return t, i
		}
	}
	return engine.Task{}, -1
}

func (p *jobsPane) key(msg tea.KeyMsg) tea.Cmd {
	t, row := p.current()
	if to, moved := cursorTo(msg, p.Move, row, p.listRows(), len(p.tasks)); moved {
		if len(p.tasks) > 0 {
			p.selected = p.tasks[to].ID
		}
		p.scroll()
		p.sync()
		return nil
	}
	switch {
	case key.Matches(msg, p.Pause) && t.State == engine.TaskPaused:
		return emit(resumeRedriveMsg(t.ID))
	case key.Matches(msg, p.Pause):
		return emit(pauseRedriveMsg(t.ID))
	case key.Matches(msg, p.Faster):
		return emit(redriveRateMsg{t.ID, t.Rate, fasterRate(t.Rate)})
	case key.Matches(msg, p.Slower):
		return emit(redriveRateMsg{t.ID, t.Rate, slowerRate(t.Rate)})
	case key.Matches(msg, p.Cancel):
		return emit(openMsg{confirmCancel(p.th, t)})
	case key.Matches(msg, p.Again):
		return emit(redriveMsg{engine.RedriveRequest{Source: t.Source, Destination: t.Destination, Rate: t.Rate}})
	}
	return nil
}

// jobRates are what + and - step through; after the last comes as fast as it
// goes, which the engine calls 0.
var jobRates = [...]int{1, 2, 5, 10, 20, 50, 100, 200, engine.MaxRedriveRate}

func fasterRate(rate int) int {
	if rate == 0 {
		return 0
	}
	for _, r := range jobRates {
		if r > rate {
			return r
		}
	}
	return 0
}

func slowerRate(rate int) int {
	if rate == 0 {
		return engine.MaxRedriveRate
	}
	for i := len(jobRates) - 1; i >= 0; i-- {
		if jobRates[i] < rate {
			return jobRates[i]
		}
	}
	return rate
}

// sync enables exactly the keys that can act on the selected task.
func (p *jobsPane) sync() {
	t, row := p.current()
	runs := row >= 0 && (t.State == engine.TaskRunning || t.State == engine.TaskPaused)
	p.Pause.SetEnabled(runs)
	p.Pause.SetHelp("p", "pause")
	if t.State == engine.TaskPaused {
		p.Pause.SetHelp("p", "resume")
	}
	p.Faster.SetEnabled(runs && t.Rate != 0)
	p.Slower.SetEnabled(runs && t.Rate != jobRates[0])
	p.Cancel.SetEnabled(runs)
	p.Again.SetEnabled(row >= 0 && t.State == engine.TaskFailed && !t.Selected && !p.active(t.Source))
}

func (p *jobsPane) active(source string) bool {
	for _, t := range p.tasks {
		if t.Source == source && t.State.Active() {
			return true
		}
	}
	return false
}

// why says why a key is off.
func (p *jobsPane) why(b key.Binding) string {
	t, row := p.current()
	switch {
	case b.Enabled():
		return ""
	case b.Help() == p.Left.Help() || b.Help() == p.Right.Help():
		return "nothing is wider than the screen"
	case row < 0:
		return "there is no job"
	case b.Help() == p.Again.Help():
		switch {
		case t.State != engine.TaskFailed:
			return "only a failed job starts again"
		case t.Selected:
			return "it moved chosen messages: mark them and redrive again"
		default:
			return "another job is at work on its queue"
		}
	case !t.State.Active():
		return "the job is " + t.State.String()
	case t.State == engine.TaskCancelling:
		return "the job is being cancelled"
	case b.Help() == p.Faster.Help():
		return "it goes as fast as it can"
	default:
		return "slower than one a second is a pause"
	}
}

// progress is the part that has moved, for the bar.
func progress(t engine.Task) float64 {
	switch {
	case t.ToMove > 0:
		return min(float64(t.Moved)/float64(t.ToMove), 1)
	case t.State == engine.TaskCompleted:
		return 1
	default:
		return 0
	}
}

// leftOf is how long a running task will take still, and whether that can be
// said: from how fast it went, or else from the rate that was asked for.
func (p *jobsPane) leftOf(t engine.Task) (time.Duration, bool) {
	if t.State != engine.TaskRunning {
		return 0, false
	}
	rate, known := p.pace[t.ID].rate()
	if !known {
		rate = float64(t.Rate)
	}
	if rate <= 0 {
		return 0, false
	}
	left := float64(max(t.ToMove-t.Moved, 0)) / rate
	if left > engine.MaxRedriveTime.Seconds() {
		return 0, false
	}
	return time.Duration(left * float64(time.Second)), true
}

// route is where a task's messages come from and go to.
func route(th theme, t engine.Task) string {
	to := "their origin"
	if t.Destination != "" {
		to = safeLine(t.Destination, 0)
	}
	return safeLine(t.Source, 0) + " " + th.glyph.arrow + " " + to
}

// jobLook is the ink and glyph of a task's state.
func jobLook(th theme, s engine.TaskState) (ink, string) {
	switch s {
	case engine.TaskRunning:
		return th.ok, th.glyph.job
	case engine.TaskPaused:
		return th.flight, th.glyph.pause
	case engine.TaskCompleted:
		return th.ok, th.glyph.ok
	case engine.TaskFailed:
		return th.dead, th.glyph.fail
	case engine.TaskCancelling:
		return th.muted, th.glyph.job
	default:
		return th.muted, th.glyph.fail
	}
}

// rateWords is the rate that was asked for.
func rateWords(rate int) string {
	if rate == 0 {
		return "max"
	}
	return countText(rate) + "/s"
}

// outcome is what the list says at the end of a row: time left, or how it is.
func (p *jobsPane) outcome(t engine.Task) string {
	if left, ok := p.leftOf(t); ok {
		return leaseText(left)
	}
	switch t.State {
	case engine.TaskRunning:
		return "?" // not known yet
	case engine.TaskCompleted, engine.TaskCancelled, engine.TaskFailed:
		return ageText(p.now.Sub(t.Finished)) + " ago"
	default:
		return ""
	}
}

// movedOf is how many moved of those that were there at the start.
func movedOf(t engine.Task) string {
	return fmt.Sprintf("%s of %s", countText(t.Moved), countText(t.ToMove))
}

// movedCells is the width of movedOf in the list; larger counts are rounded
// rather than cut.
const movedCells = 15

func movedColumn(t engine.Task) string {
	if s := movedOf(t); len(s) <= movedCells {
		return s
	}
	return shortCount(t.Moved) + " of " + shortCount(t.ToMove)
}
