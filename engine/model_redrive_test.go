package engine

import (
	"cmp"
	"slices"
)

// modelTask is a redrive task as the model sees it.
type modelTask struct {
	Task
	number, epoch uint32 // of the source
	bounds        []LaneBound
	cursors       map[uint64]uint64
	selection     []Ref
	next, stored  int   // in the selection: now, and as a restart finds it
	saved, since  int64 // thousandths of messages that may move; counted up to
	started       int64
}

// startRedrive returns the error a start would.
func (m *model) startRedrive(r RedriveRequest) (*modelTask, error) {
	q := m.queue(r.Source)
	if r.Rate < 0 || r.Rate > MaxRedriveRate {
		return nil, errInvalid
	}
	if q == nil {
		return nil, ErrQueueNotFound
	}
	m.apply(q)
	for _, t := range m.tasks {
		if t.State.Active() && t.Source == r.Source {
			return nil, ErrTaskRunning
		}
	}
	dead := slices.ContainsFunc(m.queues, func(other *modelQueue) bool { return other.attributes.Redrive.DLQ == r.Source })
	switch {
	case !dead, r.Destination == r.Source:
		return nil, errInvalid
	case r.Destination != "" && m.queue(r.Destination) == nil:
		return nil, ErrQueueNotFound
	}
	t := &modelTask{number: q.number, epoch: q.epoch, selection: r.Selection, cursors: map[uint64]uint64{}, since: m.now, started: m.now}
	t.Task = Task{
		ID: m.nextTask, Source: r.Source, Destination: r.Destination, Rate: r.Rate,
		Selected: len(r.Selection) > 0, ToMove: len(q.in(Ready)),
	}
	if t.Selected {
		t.ToMove = len(r.Selection)
	}
	for _, lane := range q.lanes {
		t.bounds = append(t.bounds, LaneBound{lane, q.tails[lane]})
	}
	m.nextTask++
	m.tasks = append(m.tasks, t)
	m.forgetTasks(r.Source)
	return t, nil
}

func (m *model) forgetTasks(source string) {
	finished := 0
	for i := len(m.tasks) - 1; i >= 0; i-- {
		if t := m.tasks[i]; t.Source == source && !t.State.Active() {
			if finished++; finished > KeptTasks {
				m.tasks = slices.Delete(m.tasks, i, i+1)
			}
		}
	}
}

// steer changes an active task's state or rate.
func (m *model) steer(t *modelTask, allowed bool, do func()) error {
	if !allowed {
		return ErrTaskState
	}
	do()
	t.since, t.saved, t.stored = m.now, 0, t.next
	return nil
}

func (t *modelTask) finish(state TaskState, reason string) { t.State, t.Reason = state, reason }

// admit says how many messages t may move now, after ending it if it can go no
// further.
func (m *model) admit(t *modelTask) int {
	q := m.numbered(t.number)
	switch {
	case !t.State.Active():
		return 0
	case t.State == TaskCancelling:
		t.finish(TaskCancelled, "")
		return 0
	case q == nil:
		t.finish(TaskFailed, ReasonSourceDeleted)
		return 0
	case m.now-t.started >= MaxRedriveTime.Milliseconds():
		t.finish(TaskFailed, ReasonTooLong)
		return 0
	case q.epoch != t.epoch:
		t.finish(TaskCompleted, "")
		return 0
	case t.Destination != "" && m.queue(t.Destination) == nil:
		t.finish(TaskFailed, ReasonDestinationDeleted)
		return 0
	case t.State == TaskPaused:
		t.since, t.saved = m.now, 0
		return 0
	case t.Rate == 0:
		return redriveAtOnce
	}
	t.saved = min(t.saved+int64(t.Rate)*(m.now-t.since), int64(t.Rate)*1000)
	t.since = m.now
	return int(t.saved / 1000)
}

// runTask moves one slice and says whether another may follow at once.
func (m *model) runTask(t *modelTask) bool {
	n := m.admit(t)
	if n == 0 {
		return false
	}
	q := m.numbered(t.number)
	found, last := m.nextOf(q, t, n)
	moved := 0
	for i, x := range found {
		reason := ""
		if moved < n {
			reason = m.redriveOne(q, t, x)
		}
		if moved == n || reason != "" {
			for _, y := range found[i:] {
				t.cursors[y.ref.Lane] = min(t.cursors[y.ref.Lane], y.ref.Pos)
			}
			last = false
			if reason != "" {
				t.finish(TaskFailed, reason)
			}
			break
		}
		moved++
	}
	t.Moved += moved
	t.saved -= int64(moved) * 1000
	if moved > 0 {
		t.stored = t.next
	}
	if last {
		t.finish(TaskCompleted, "")
	}
	return t.State == TaskRunning
}

// nextOf looks in each lane for the next n ready messages that lay there at
// the start, and merges what it finds, oldest first. What is not ready when it
// is looked at is passed over for good.
func (m *model) nextOf(q *modelQueue, t *modelTask, n int) (found []*modelMessage, last bool) {
	if t.Selected {
		end := min(t.next+n, len(t.selection))
		for _, ref := range t.selection[t.next:end] {
			if x := q.find(ref); x != nil && x.state == Ready && !slices.Contains(found, x) {
				found = append(found, x)
			}
		}
		t.next = end
		return found, end == len(t.selection)
	}
	last = true
	for _, b := range t.bounds {
		lane := []*modelMessage{}
		for _, x := range q.messages { // in the order of arrival
			if x.ref.Lane == b.Lane && x.ref.Pos < b.Pos && x.ref.Pos >= t.cursors[b.Lane] && x.state == Ready {
				lane = append(lane, x)
			}
		}
		t.cursors[b.Lane] = b.Pos
		if len(lane) >= n {
			lane = lane[:n]
			t.cursors[b.Lane] = lane[n-1].ref.Pos + 1
		}
		last = last && t.cursors[b.Lane] >= b.Pos
		found = append(found, lane...)
	}
	slices.SortStableFunc(found, func(a, b *modelMessage) int { return cmp.Compare(a.arrived, b.arrived) })
	return found, last
}

// redriveOne moves x, or says why the task cannot go on.
func (m *model) redriveOne(q *modelQueue, t *modelTask, x *modelMessage) (reason string) {
	name := cmp.Or(t.Destination, x.origin)
	to := m.queue(name)
	switch {
	case name == "":
		return ReasonOriginUnknown
	case to == nil || to == q:
		return ReasonDestinationDeleted
	}
	m.resend(q, x, to)
	return ""
}

// reopened is what a restart changes: allowances count anew, and tasks look
// again at what they passed over.
func (m *model) reopened() {
	for _, q := range m.queues {
		slices.Sort(q.lanes)
	}
	for _, t := range m.tasks {
		t.cursors, t.next, t.since, t.saved = map[uint64]uint64{}, t.stored, m.now, 0
	}
}
