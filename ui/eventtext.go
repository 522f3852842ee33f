package ui

import (
	"fmt"

	"inflight/engine"
)

// eventLook is the ink and glyph of the state that an event leads to.
func eventLook(th theme, e engine.Event) (ink, string) {
	switch e.Kind {
	case engine.EventDeleted:
		if e.Stale || e.Late > 0 {
			return th.flight, th.glyph.warn
		}
		return th.ok, th.glyph.ok
	case engine.EventSent, engine.EventReleased, engine.EventLapsed, engine.EventDelayOver, engine.EventPeeked:
		return th.visible, th.glyph.visible
	case engine.EventReceived, engine.EventExtended:
		return th.flight, th.glyph.flight
	case engine.EventDeadLettered:
		return th.dead, th.glyph.dead
	case engine.EventPurged:
		return th.ok, th.glyph.ok
	case engine.EventRedriven:
		return th.visible, th.glyph.arrow
	case engine.EventExpired, engine.EventQueueDeleted:
		return th.flight, th.glyph.warn
	case engine.EventTask:
		for s := engine.TaskRunning; s <= engine.TaskFailed; s++ {
			if e.Text == s.String() {
				return jobLook(th, s)
			}
		}
		return th.muted, th.glyph.none
	default:
		return th.muted, th.glyph.none
	}
}

// eventText says what happened.
func eventText(e engine.Event) string {
	queue, other, holder := safeLine(e.Queue, 60), safeLine(e.Other, 60), safeLine(e.Holder, 60)
	what := "a message"
	if e.ID != (engine.ID{}) {
		what = shortID(e.ID)
	}
	if e.Count > 1 {
		what = plural(e.Count, "message")
	}
	by := ""
	if holder != "" {
		by = " by " + holder
	}
	switch e.Kind {
	case engine.EventQueueCreated:
		return "queue " + queue + " created"
	case engine.EventQueueConfigured:
		return "settings of " + queue + " changed"
	case engine.EventQueueDeleted:
		return "queue " + queue + " deleted"
	case engine.EventPurged:
		return queue + " purged: " + plural(e.Count, "message")
	case engine.EventSent:
		return what + " sent to " + queue
	case engine.EventReceived:
		return fmt.Sprintf("%s received from %s%s, receive %d", what, queue, by, e.Receives)
	case engine.EventPeeked:
		return fmt.Sprintf("%s peeked in %s%s, receive %d", what, queue, by, e.Receives)
	case engine.EventExtended:
		return what + " extended in " + queue
	case engine.EventReleased:
		return what + " released in " + queue + ": visible again"
	case engine.EventLapsed:
		held := ""
		if holder != "" {
			held = ", held" + by
		}
		return what + " lapsed in " + queue + held
	case engine.EventDelayOver:
		return what + " visible in " + queue + ": its delay is over"
	case engine.EventDeleted:
		return what + " deleted from " + queue + deletedBy(e, by)
	case engine.EventDeadLettered:
		return fmt.Sprintf("%s moved from %s to %s after %s", what, queue, other, plural(e.Receives, "receive"))
	case engine.EventRedriven:
		return what + " redriven from " + queue + " to " + other
	case engine.EventExpired:
		return what + " expired in " + queue
	case engine.EventTask:
		return fmt.Sprintf("job %d on %s: %s", e.Task, queue, safeLine(e.Text, 80))
	default:
		return what + " changed in " + queue
	}
}

// deletedBy says by whom, and what was wrong with that: two consumers may have
// worked on the message.
func deletedBy(e engine.Event, by string) string {
	late := ""
	if e.Late > 0 {
		late = ", " + leaseOrAge(e.Late) + " after its lease ended"
	}
	switch {
	case !e.Stale:
		return by + late
	case late == "" && e.Holder != "":
		return " by an old receipt, while " + safeLine(e.Holder, 60) + " held it"
	default:
		return " by an old receipt" + late
	}
}
