package ui

// The main screen has a left column of queues and facts from these sizes on,
// and all lists open at once; below, the focused list opens and the others
// become one line each.
const (
	wideFrom  = 96 // columns
	stackFrom = 24 // rows of the body, without header, status and footer

	leastWidth, leastHeight = 40, 12
)

// rect is a pane's size; where it stands follows from the order of drawing.
type rect struct{ width, height int }

// layout is how the main screen is divided.
type layout struct {
	wide    bool // there is a left column
	stacked bool // all lists are open
	zoom    bool // the focused pane has the whole body
	queues  rect
	info    rect
	lists   [5]rect  // by pane; a height of 1 is folded, 0 hidden
	order   []paneID // lists from top to bottom
}

// divide lays out a body of width by height. open is the list that is unfolded
// when there is no room for all, queues how many there are, alarms how many the
// facts have to show.
func divide(width, height, queues, alarms int, focus, open paneID, zoom bool) layout {
	l := layout{zoom: zoom, wide: width >= wideFrom}
	if zoom && focus != paneQueues {
		l.order = []paneID{focus}
		l.lists[focus] = rect{width, height}
		return l
	}
	if zoom {
		l.info.width = min(max(width/3, 34), 60)
		l.queues = rect{width - l.info.width, height}
		l.info.height = height
		if width < 2*l.info.width {
			l.queues, l.info = rect{width, height}, rect{}
		}
		return l
	}
	right := rect{width, height}
	if l.wide {
		left := min(max(width*3/10, 34), 50)
		right.width -= left
		l.queues, l.info = divideLeft(left, height, queues, alarms, focus == paneQueues)
	} else {
		right.height-- // the queues are a line
		l.queues = rect{width, 1}
	}
	l.stacked = right.height >= stackFrom
	if l.stacked {
		l.stack(right, focus)
	} else {
		l.fold(right, open)
	}
	return l
}

// The facts and counters need infoLeast rows with their border, alarms a rule
// and a row each. A list of queues has as many rows as there are, and three.
const (
	infoLeast  = 13
	infoMost   = 16
	queuesRows = 3
)

// divideLeft gives the queues what they need, if that leaves enough for the
// facts. Focused, they take three rows more for their cost lines.
func divideLeft(width, height, queues, alarms int, focused bool) (list, info rect) {
	need, least, wanted := queues+queuesRows, 7, infoLeast
	if alarms > 0 && !focused { // a list that one moves in stays as long as it is
		wanted += 1 + alarms
	}
	if focused {
		need, least = need+costLines, least+costLines
	}
	facts := min(max(height-need, wanted), max(infoMost, wanted), height-least)
	if facts < 5 {
		facts = 0
	}
	return rect{width, height - facts}, rect{width, facts}
}

// stack opens all lists; the focused one gets more.
func (l *layout) stack(r rect, focus paneID) {
	l.order = []paneID{paneVisible, paneFlight, paneDead}
	if focus == paneDelayed {
		l.order = []paneID{paneVisible, paneDelayed, paneFlight, paneDead} // it opens where its caption was
	}
	left, share := r.height, len(l.order)
	if focus != paneQueues {
		grown := max(11, r.height*2/5)
		l.lists[focus] = rect{r.width, grown}
		left -= grown
		share--
	}
	for _, id := range l.order {
		if id == focus {
			continue
		}
		height := left / share
		if left%share > 0 {
			height++
		}
		l.lists[id] = rect{r.width, height}
		left -= height
		share--
	}
}

// fold opens one list; the others are a line each.
func (l *layout) fold(r rect, open paneID) {
	l.order = []paneID{paneVisible, paneFlight, paneDead, paneDelayed}
	for _, id := range l.order {
		l.lists[id] = rect{r.width, 1}
	}
	l.lists[open].height = max(r.height-len(l.order)+1, 1)
}
