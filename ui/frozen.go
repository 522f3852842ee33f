package ui

import "inflight/engine"

// takeAway notes which rows of a frozen list have left it since.
func (p *messagePane) takeAway(events []engine.Event) {
	byRef := make(map[engine.Ref]*item, len(p.items))
	for _, it := range p.items {
		byRef[it.Ref] = it
	}
	for i := range events {
		event := &events[i]
		if event.Kind == engine.EventPurged && event.Queue == p.queue {
			for _, it := range p.items {
				it.away = "was purged"
			}
			continue
		}
		it := byRef[event.Ref]
		state, known := stateAfter(event)
		if it == nil || !known {
			continue
		}
		it.away = ""
		if state != p.state {
			it.away = fateText(event, it.Ref, state)
		}
	}
	p.dirty = true
	p.kind.sync(p)
}

// stateAfter is the state in which an event leaves its message, if it changes
// it. What the console receives it hides for no time.
func stateAfter(event *engine.Event) (state engine.State, known bool) {
	switch event.Kind {
	case engine.EventReceived:
		return engine.InFlight, event.Holder != consoleHolder
	case engine.EventReleased, engine.EventLapsed, engine.EventDelayOver:
		return engine.Ready, true
	case engine.EventDeleted, engine.EventDeadLettered, engine.EventRedriven, engine.EventExpired:
		return engine.Gone, true
	default:
		return 0, false
	}
}

// here is the message under the cursor, or nil if it has left a frozen list.
func (p *messagePane) here() *item {
	if it := p.current(); it != nil && it.away == "" {
		return it
	}
	return nil
}

// acts says whether there is a message to act on: a marked one, or the one
// under the cursor.
func (p *messagePane) acts() bool { return len(p.marks) > 0 || p.here() != nil }

// costAway is instead of the costs of a message that is not there any more.
func (p *messagePane) costAway(it *item, next, keys *line) {
	next.put(p.th.text, it.id+" "+it.away)
	keys.put(p.th.key, "F").put(p.th.muted, " thaws the list: it shows what is there now")
}
