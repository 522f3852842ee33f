package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
	"inflight/keymap"
)

// window is the part of a list that we hold: the rows from offset on, out of
// total. The cursor keeps to a message: anchor is its identity, and an index
// only says where it was last. Until it is moved, and after g, it has none and
// stays at the head of the list; a steady one holds on there too.
type window struct {
	items  []*item
	offset int
	total  int

	cursor, top int // indexes in the whole list
	rows        int // on screen
	anchor      engine.Ref
	steady      bool
	chosen      bool // the cursor was moved to its message
}

// at returns the row at an index of the whole list, or nil when we do not hold
// it.
func (w *window) at(index int) *item {
	if i := index - w.offset; i >= 0 && i < len(w.items) {
		return w.items[i]
	}
	return nil
}

func (w *window) current() *item { return w.at(w.cursor) }

// move is for a movement key; it says whether it was one.
func (w *window) move(keys *keymap.Move, msg tea.KeyMsg) bool {
	page := max(w.rows, 1)
	switch {
	case key.Matches(msg, keys.Down):
		w.moveTo(w.cursor + 1)
	case key.Matches(msg, keys.Up):
		w.moveTo(w.cursor - 1)
	case key.Matches(msg, keys.Top):
		w.moveTo(0)
		w.letGo()
	case key.Matches(msg, keys.Bottom):
		w.moveTo(w.total - 1)
	case key.Matches(msg, keys.HalfDown):
		w.moveTo(w.cursor + max(page/2, 1))
	case key.Matches(msg, keys.HalfUp):
		w.moveTo(w.cursor - max(page/2, 1))
	case key.Matches(msg, keys.PageDown):
		w.moveTo(w.cursor + page)
	case key.Matches(msg, keys.PageUp):
		w.moveTo(w.cursor - page)
	default:
		return false
	}
	return true
}

// moveTo puts the cursor on an index and holds on to the message there.
func (w *window) moveTo(index int) {
	w.cursor = max(min(index, w.total-1), 0)
	w.hold()
	w.chosen = true
	w.scroll()
}

// hold ties the cursor to the message under it.
func (w *window) hold() {
	w.anchor, w.chosen = engine.Ref{}, false
	if it := w.current(); it != nil {
		w.anchor = it.Ref
	}
}

// letGo leaves a cursor that stands on the first row to the row, so that it
// stays at the head of the list.
func (w *window) letGo() {
	if w.cursor == 0 && !w.steady {
		w.anchor, w.chosen = engine.Ref{}, false
	}
}

// stand makes the cursor steady, or lets it follow the head again.
func (w *window) stand(steady bool) {
	w.steady = steady
	if steady && w.anchor == (engine.Ref{}) {
		w.hold()
	}
}

// scroll brings the cursor into view, and leaves no blank rows at the end.
func (w *window) scroll() {
	w.top = min(w.top, w.cursor)
	w.top = max(w.top, w.cursor-w.rows+1)
	w.top = max(min(w.top, w.total-w.rows), 0)
}

// setRows says how many rows are on screen.
func (w *window) setRows(rows int) {
	w.rows = max(rows, 0)
	w.scroll()
}

// wanted is the part of the list to fetch: what is on screen, and a margin of
// as much on each side.
func (w *window) wanted() (offset, limit int) {
	margin := max(w.rows, 10)
	offset = max(w.top-margin, 0)
	return offset, min(w.top-offset+w.rows+margin, engine.MaxBatch)
}

// covered says that every row on screen is held.
func (w *window) covered() bool {
	return w.top >= w.offset && min(w.top+w.rows, w.total) <= w.offset+len(w.items)
}

// take puts in a new part of the list. cursor is where the anchored message
// stands now, or -1 when it is not in the list any more: the cursor then holds
// the next one. take says whether it lost a message that it was moved to; else
// the head of a busy list would say goodbye to each one.
func (w *window) take(items []*item, offset, total, cursor int) (lost bool) {
	w.items, w.offset, w.total = items, offset, total
	switch {
	case w.anchor == engine.Ref{}:
		w.cursor = max(min(w.cursor, total-1), 0)
		w.stand(w.steady)
	case cursor >= 0:
		if w.top > 0 || cursor >= w.rows {
			w.top += cursor - w.cursor // the message keeps its place on screen
		}
		w.cursor = cursor
	default:
		lost = w.chosen
		w.cursor = max(min(w.cursor, total-1), 0)
		w.hold()
	}
	w.scroll()
	return lost
}

// reset forgets everything but the size.
func (w *window) reset() { *w = window{rows: w.rows} }
