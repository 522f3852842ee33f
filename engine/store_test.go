package engine

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"sync"
)

// memory is a Store in maps, obviously right, that can fail on demand. Closing
// it keeps what was committed, so that it can be opened again.
type memory struct {
	mu       sync.Mutex
	dedups   map[DedupRecord]DedupRecord // by queue, epoch and key
	meta     Meta
	queues   map[uint32]QueueRecord
	counters map[uint32]CounterRecord
	lanes    map[Ref]LaneRecord // Pos 0
	messages map[Ref]*Message
	states   map[Ref]StateRecord
	history  map[Ref][]HistoryRecord
	holders  map[uint32]HolderRecord
	tasks    map[uint64]TaskRecord
	chosen   map[uint64][]Ref

	fail   error           // the next commits return it and change nothing
	before func([]*Change) // called before a commit, without the lock
	space  Space
	groups int
}

func newMemory() *memory {
	return &memory{
		meta: Meta{Secret: [32]byte{1}}, queues: map[uint32]QueueRecord{}, counters: map[uint32]CounterRecord{},
		lanes: map[Ref]LaneRecord{}, messages: map[Ref]*Message{}, states: map[Ref]StateRecord{},
		history: map[Ref][]HistoryRecord{}, holders: map[uint32]HolderRecord{}, tasks: map[uint64]TaskRecord{},
		chosen: map[uint64][]Ref{}, dedups: map[DedupRecord]DedupRecord{},
	}
}

func (m *memory) Load(l Loader) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	err := l.Meta(m.meta)
	for _, k := range slices.Sorted(maps.Keys(m.queues)) {
		err = errors.Join(err, l.Queue(m.queues[k]))
	}
	for _, k := range slices.Sorted(maps.Keys(m.counters)) {
		err = errors.Join(err, l.Counters(m.counters[k]))
	}
	for _, k := range slices.SortedFunc(maps.Keys(m.lanes), Ref.Compare) {
		err = errors.Join(err, l.Lane(m.lanes[k]))
	}
	for _, k := range slices.SortedFunc(maps.Keys(m.states), Ref.Compare) {
		err = errors.Join(err, l.State(m.states[k]))
	}
	for _, r := range m.dedups {
		err = errors.Join(err, l.Dedup(r))
	}
	for _, k := range slices.Sorted(maps.Keys(m.holders)) {
		err = errors.Join(err, l.Holder(m.holders[k]))
	}
	for _, k := range slices.Sorted(maps.Keys(m.tasks)) {
		err = errors.Join(err, l.Task(m.tasks[k]))
	}
	return err
}

func (m *memory) Commit(changes []*Change) error {
	m.mu.Lock()
	before := m.before
	m.mu.Unlock()
	if before != nil {
		before(changes)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return m.fail
	}
	m.groups++
	for _, c := range changes {
		m.apply(c)
	}
	return nil
}

func (m *memory) apply(c *Change) {
	if c.Meta != nil {
		m.meta = *c.Meta
	}
	for _, r := range c.Queues {
		m.queues[r.Number] = r
	}
	for _, n := range c.Forget {
		delete(m.queues, n)
		delete(m.counters, n)
	}
	for _, r := range c.Holders {
		m.holders[r.Number] = r
	}
	for _, r := range c.Undedups {
		delete(m.dedups, DedupRecord{Queue: r.Queue, Epoch: r.Epoch, Key: r.Key})
	}
	for _, r := range c.Dedups {
		m.dedups[DedupRecord{Queue: r.Queue, Epoch: r.Epoch, Key: r.Key}] = r
	}
	for _, p := range c.Puts {
		m.messages[p.Ref] = p.Message
	}
	for _, v := range c.Moves {
		m.move(v)
	}
	for _, ref := range c.Drops {
		m.drop(ref)
	}
	for _, r := range c.States {
		m.state(r)
	}
	for _, ref := range c.Unstates {
		delete(m.states, ref)
		delete(m.history, ref)
	}
	for _, r := range c.Lanes {
		if r.Ended {
			delete(m.lanes, Ref{r.Queue, r.Epoch, r.Lane, 0})
			continue
		}
		m.lanes[Ref{r.Queue, r.Epoch, r.Lane, 0}] = r
	}
	for _, r := range c.Counters {
		m.counters[r.Queue] = r
	}
	for _, r := range c.Tasks {
		m.tasks[r.ID] = r
	}
	if c.Choose != nil {
		m.chosen[c.Choose.Task] = c.Choose.Refs
	}
	for _, id := range c.EndTasks {
		delete(m.tasks, id)
		delete(m.chosen, id)
	}
}

func (m *memory) drop(ref Ref) {
	delete(m.messages, ref)
	delete(m.states, ref)
	delete(m.history, ref)
}

func (m *memory) move(v Move) {
	next := *m.messages[v.From]
	next.Arrived, next.Origin, next.Sequence = v.Arrived, v.Origin, v.Sequence
	if !v.Sent.IsZero() {
		next.Sent = v.Sent
	}
	if v.Deduplicate {
		next.Deduplication = next.ID.String()
	}
	next.Arrived, next.Origin = v.Arrived, v.Origin
	if v.Redrive {
		next.ID, next.Sent, next.EarlierReceives, next.FirstReceived = v.ID, v.Sent, 0, v.FirstReceived
		next.EarlierHistory = nil
	} else {
		h := slices.Concat(next.EarlierHistory, m.history[v.From])
		next.EarlierHistory = h[max(0, len(h)-HistoryLength):]
		next.EarlierReceives += v.EarlierReceives
		if next.FirstReceived.IsZero() {
			next.FirstReceived = v.FirstReceived
		}
	}
	m.messages[v.To] = &next
	m.drop(v.From)
}

func (m *memory) state(r StateRecord) {
	if r.Append != nil {
		h := append(m.history[r.Ref], *r.Append)
		m.history[r.Ref] = h[max(0, len(h)-HistoryLength):]
	}
	if h := m.history[r.Ref]; !r.Change.IsZero() && len(h) > 0 {
		h[len(h)-1].Until = r.Change
	}
	r.Append = nil
	m.states[r.Ref] = r
}

func (m *memory) Read(refs []Ref, limit int) ([]*Message, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([]*Message, len(refs))
	for i, ref := range refs {
		if found := m.messages[ref]; found != nil {
			message := *found
			if limit >= 0 && len(message.Body) > limit {
				message.Body = bytes.Clone(message.Body[:limit])
			}
			all[i] = &message
		}
	}
	return all, nil
}

func (m *memory) History(ref Ref) ([]HistoryRecord, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.history[ref]), nil
}

func (m *memory) Selection(id uint64) ([]Ref, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.chosen[id], nil
}

func (m *memory) Sweep(queue, epoch uint32, limit int) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for ref := range m.messages {
		if ref.Queue == queue && ref.Epoch == epoch && n < limit {
			delete(m.messages, ref)
			n++
		}
	}
	for ref := range m.states {
		if ref.Queue == queue && ref.Epoch == epoch && n < limit {
			delete(m.states, ref)
			n++
		}
	}
	for ref := range m.lanes {
		if ref.Queue == queue && ref.Epoch == epoch && n < limit {
			delete(m.lanes, ref)
			n++
		}
	}
	return n < limit, nil
}

func (m *memory) Space() (Space, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.space, nil
}

func (m *memory) set(change func(*memory)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(m)
}

func (m *memory) Check(func(string)) error { return nil }
func (m *memory) Close() error             { return nil }
