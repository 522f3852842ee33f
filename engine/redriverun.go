package engine

import (
	"cmp"
	"slices"
)

// redriveSlices is how many slices of 500 a task that goes as fast as it can
// moves in one tick, so that others get their turn.
const redriveSlices = 20

// runTasks moves what the active tasks may move by now.
func (e *Engine) runTasks() error {
	for _, t := range e.activeTasks() {
		for range redriveSlices {
			more, err := e.runTask(t)
			if err != nil {
				return err
			}
			if !more {
				break
			}
		}
	}
	return nil
}

func (e *Engine) activeTasks() []*task {
	e.mu.Lock()
	defer e.mu.Unlock()
	var active []*task
	for _, t := range e.tasks {
		if t.State.Active() {
			active = append(active, t)
		}
	}
	slices.SortFunc(active, func(a, b *task) int { return cmp.Compare(a.ID, b.ID) })
	return active
}

// batch is what a task looked at in one slice.
type batch struct {
	refs    []Ref
	cursors map[uint64]uint64 // where the next slice goes on
	next    int               // in the selection
	last    bool              // there is nothing behind it
	cut     map[uint64]bool   // FIFO: lanes of which only a part was chosen
}

// runTask moves one slice of a task: it chooses under the lock, reads without
// it, and moves under it what is still ready, in one atomic write with the
// task's progress.
func (e *Engine) runTask(t *task) (more bool, err error) {
	o, err := e.begin()
	if err != nil {
		return false, err
	}
	n, ended := o.admitTask(t)
	if ended || n == 0 {
		return false, o.end().wait()
	}
	q := e.byID[t.SourceNumber]
	o.apply(q)
	b := o.nextBatch(q, t, n)
	o.end()
	messages, err := e.read(b.refs, 0)
	if err != nil {
		return false, err
	}
	if o, err = e.begin(); err != nil {
		return false, err
	}
	if _, ended := o.admitTask(t); ended || t.State != TaskRunning {
		return false, o.end().wait()
	}
	o.moveBatch(q, t, b, messages, n)
	more = t.State == TaskRunning && !b.last
	return more, o.end().wait()
}

// admitTask ends a task that can go no further, and otherwise says how many
// messages it may move now.
func (o *op) admitTask(t *task) (n int, ended bool) {
	q := o.e.byID[t.SourceNumber]
	switch {
	case !t.State.Active():
		return 0, true
	case t.State == TaskCancelling:
		o.finish(t, TaskCancelled, "")
		return 0, true
	case q == nil || q.deleted:
		o.finish(t, TaskFailed, ReasonSourceDeleted)
		return 0, true
	case t.overdue(o.now):
		o.finish(t, TaskFailed, ReasonTooLong)
		return 0, true
	case q.contents.epoch != t.SourceEpoch: // purged: nothing of then is left
		o.finish(t, TaskCompleted, "")
		return 0, true
	case t.Destination != "" && o.e.byName[t.Destination] == nil:
		o.finish(t, TaskFailed, ReasonDestinationDeleted)
		return 0, true
	case t.State == TaskPaused || o.e.space >= SpaceLow: // when there is room again, it goes on
		t.restart(o.now)
		return 0, false
	}
	return t.allowance(o.now), false
}

// lookAtOnce bounds how many positions a slice looks at.
const lookAtOnce = 4096

// nextBatch chooses up to n messages in each lane, from where the task stands.
func (o *op) nextBatch(q *queue, t *task, n int) batch {
	if t.Selected {
		end := min(t.Next+n, len(t.selection))
		return batch{refs: t.selection[t.Next:end], next: end, last: end == len(t.selection)}
	}
	if q.contents.fifo.on {
		return o.nextGroups(q, n)
	}
	b := batch{cursors: map[uint64]uint64{}, last: true}
	for _, bound := range t.Bounds {
		l := q.contents.byNumber[bound.Lane]
		if l == nil {
			continue
		}
		cursor := t.cursors[bound.Lane]
		found := 0
		for looked := 0; cursor < bound.Pos && found < n && looked < lookAtOnce; looked++ {
			pos, id, ok := l.from(cursor)
			if !ok || pos >= bound.Pos {
				cursor = bound.Pos
				break
			}
			cursor = pos + 1
			if id == 0 || q.contents.slab.at(id).phase == phaseReady {
				b.refs = append(b.refs, l.ref(pos))
				found++
			}
		}
		b.cursors[bound.Lane] = cursor
		b.last = b.last && cursor >= bound.Pos
	}
	return b
}

// from returns the first message at or after pos that is not removed.
func (l *lane) from(pos uint64) (uint64, slotID, bool) {
	if pos < l.head {
		l.c.slab.at(0).pos = pos
		var found slotID
		l.slots.ascend(0, func(id slotID) bool {
			found = id
			return false
		})
		if found != 0 && l.c.slab.at(found).pos < l.head {
			return l.c.slab.at(found).pos, found, true
		}
		pos = l.head
	}
	if pos >= l.tail {
		return 0, 0, false
	}
	return pos, l.slotAt(pos), true
}

// moveBatch moves those of a batch that are still ready, oldest first, and
// notes how far the task came.
func (o *op) moveBatch(q *queue, t *task, b batch, messages []*Message, n int) {
	order := make([]int, 0, len(b.refs))
	for i, m := range messages {
		if m != nil {
			order = append(order, i)
		}
	}
	if !t.Selected && (len(t.Bounds) > 1 || q.contents.fifo.on) {
		slices.SortStableFunc(order, func(x, y int) int { return messages[x].Arrived.Compare(messages[y].Arrived) })
	}
	moved, bytes, failure := 0, 0, ""
	if q.contents.fifo.on && !t.Selected {
		order = b.trim(t, messages, order)
	}
	for k, i := range order {
		if moved == n || bytes > MaxBatchBytes {
			b.putBack(order[k:])
			break
		}
		done, reason := o.moveOne(q, t, b.refs[i], messages[i])
		if reason != "" {
			failure = reason
			b.putBack(order[k:])
			break
		}
		if done {
			moved++
			bytes += messages[i].Size
		}
	}
	t.Moved += moved
	t.saved -= 1000 * int64(moved)
	t.cursors, t.Next = b.cursors, b.next
	switch {
	case failure != "":
		o.finish(t, TaskFailed, failure)
	case b.last:
		o.finish(t, TaskCompleted, "")
	case moved > 0:
		o.keepTask(t)
	}
}

// putBack makes the next slice start with the given messages of the batch.
func (b *batch) putBack(order []int) {
	b.last = false
	for _, i := range order {
		ref := b.refs[i]
		if b.cursors == nil { // a selection keeps its order
			b.next -= len(b.refs) - i
			return
		}
		b.cursors[ref.Lane] = min(b.cursors[ref.Lane], ref.Pos)
	}
}

// moveOne moves one message, unless it is in flight or gone by now. The reason
// says why the task cannot go on.
func (o *op) moveOne(q *queue, t *task, ref Ref, m *Message) (moved bool, reason string) {
	from, l, id, err := o.locate(ref)
	if err != nil || from != q || id != 0 && q.contents.slab.at(id).phase != phaseReady || l.blocker(ref.Pos) != 0 {
		return false, ""
	}
	name := t.Destination
	if name == "" {
		name = m.Origin
	}
	to := o.e.byName[name]
	switch {
	case name == "":
		return false, ReasonOriginUnknown
	case to == nil || to == q || to.attributes.Type != q.attributes.Type:
		return false, ReasonDestinationDeleted
	}
	o.resend(q, l, ref.Pos, id, to, m)
	return true, ""
}
