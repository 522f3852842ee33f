package ui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// A form closes when its button is pressed, before the engine answers. When
// the engine refuses, the same form comes back with what was typed.

// refusable is an overlay that can come back with the reason.
type refusable interface {
	overlay
	refuse(reason string)
}

// refusedMsg is the answer to a form whose act did not happen.
type refusedMsg struct {
	form   refusable
	result resultMsg
}

// finish does what the overlay on top was opened for. A form that asks once
// more stays below its question: who says no is back in it.
func (a *app) finish(then tea.Msg) tea.Cmd {
	form, isForm := a.topOverlay().(refusable)
	if question, ok := then.(openMsg); ok && isForm {
		a.asker = form
		a.openOverlay(question.overlay)
		return nil
	}
	a.closeOverlay()
	if under, ok := a.topOverlay().(refusable); ok && !isForm && under == a.asker {
		form = under
		a.closeOverlay()
	}
	a.asker = nil
	switch {
	case then == nil:
		return nil
	case form != nil && isAct(then):
		return a.actOf(form, then)
	}
	return a.atOnce(emit(then))
}

func (a *app) topOverlay() overlay {
	if n := len(a.overlays); n > 0 {
		return a.overlays[n-1]
	}
	return nil
}

// isAct says whether the engine answers an intent of a form.
func isAct(msg tea.Msg) bool {
	switch msg.(type) {
	case createQueueMsg, configureQueueMsg, sendMsg, moveMsg, redriveMsg, extendMsg, pollMsg:
		return true
	}
	return false
}

// actOf is act with the form to come back to.
func (a *app) actOf(form refusable, msg tea.Msg) tea.Cmd {
	idle := a.bulk == nil
	cmd, _ := a.act(msg)
	if idle && a.bulk != nil {
		a.bulk.form = form // its answer comes in slices
		return a.loader.step(*a.bulk)
	}
	return orBack(form, cmd)
}

// orBack turns an error into the form's return.
func orBack(form refusable, cmd tea.Cmd) tea.Cmd {
	if cmd == nil || form == nil {
		return cmd
	}
	return func() tea.Msg {
		msg := cmd()
		if result, ok := msg.(resultMsg); ok && result.level == levelError {
			return refusedMsg{form, result}
		}
		return msg
	}
}

// refused opens a form again, below what was opened since, so that it takes no
// keys that were meant for that.
func (a *app) refused(msg refusedMsg) tea.Cmd {
	msg.form.refuse(msg.result.text)
	cmds := []tea.Cmd{emit(msg.result)}
	if a.err == nil {
		cmds = append(cmds, msg.form.Update(queuesMsg{queues: a.queues, at: a.answered}), msg.form.Update(tasksMsg{tasks: a.tasks}))
	}
	cmds = append(cmds, msg.form.Update(tickMsg{a.now}))
	a.overlays = append([]overlay{msg.form}, a.overlays...)
	return tea.Batch(cmds...)
}
