package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

// takeTasks takes the jobs, and announces those that ended since the last
// answer: a job outlives the key that started it.
func (a *app) takeTasks(msg tasksMsg) tea.Cmd {
	a.asksTasks = false
	if msg.err != nil {
		return a.broadcast(msg)
	}
	var cmds []tea.Cmd
	if a.tasksRead {
		for _, r := range endedJobs(a.tasks, msg.tasks) {
			cmds = append(cmds, emit(r))
		}
	}
	a.tasks, a.tasksRead = msg.tasks, true
	return tea.Batch(a.broadcast(msg), tea.Sequence(cmds...))
}

// endedJobs says what became of the jobs that have ended in now and had not
// before, the oldest first.
func endedJobs(before, now []engine.Task) []resultMsg {
	over := make(map[uint64]bool, len(before))
	for _, t := range before {
		over[t.ID] = !t.State.Active()
	}
	var results []resultMsg
	for i := len(now) - 1; i >= 0; i-- {
		if t := now[i]; !t.State.Active() && !over[t.ID] {
			results = append(results, endOf(t))
		}
	}
	return results
}

// endOf says how a job ended.
func endOf(t engine.Task) resultMsg {
	moved := countText(t.Moved) + " of " + countText(t.ToMove)
	switch t.State {
	case engine.TaskFailed:
		return resultMsg{levelError, fmt.Sprintf("job %d failed at %s: %s; b shows it", t.ID, moved, reasonText(t.Reason))}
	case engine.TaskCancelled:
		return resultMsg{levelWarn, fmt.Sprintf("job %d was cancelled at %s: what it moved stays moved", t.ID, moved)}
	default:
		to := "their origin"
		if t.Destination != "" {
			to = safeLine(t.Destination, 0)
		}
		return done(fmt.Sprintf("job %d moved %s to %s", t.ID, moved, to))
	}
}

// reasonText says why a job failed, safe to draw.
func reasonText(reason string) string {
	if reason == engine.ReasonOriginUnknown {
		return "a message has no origin"
	}
	return safeLine(reason, 200)
}
