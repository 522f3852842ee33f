package storage

import (
	"errors"
	"fmt"

	"inflight/engine"
)

// group is what Commit needs while it writes; one is kept, for its memory.
//
// Records that each change carries anew (lanes, counters, queues, tasks, the
// store's own) are gathered, and only the last of each is written: a group of
// 64 sends to one queue has one lane, not 64. Nil stands for one that goes.
type group struct {
	arena    arena
	w        writing
	meta     *engine.Meta
	queues   map[uint32]*engine.QueueRecord
	counters map[uint32]*engine.CounterRecord
	lanes    map[laneID]*engine.LaneRecord
	tasks    map[uint64]*engine.TaskRecord
}

type laneID struct {
	queue, epoch uint32
	lane         uint64
}

// Commit writes all changes in one transaction with one sync. Where they do
// not fit into one, it writes halves of them, each durable before the next: to
// the callers, who wait for all of them, a stop in between looks like one that
// came before the rest was sent. A change is never split.
//
// *MissingError: a Move's From is not there, so that the engine's memory and
// the store disagree. Skipping it would answer for a message that does not
// exist; nothing is written, and Check tells more. After any other error what
// was written is unknown until the store is opened again.
func (s *Store) Commit(changes []*engine.Change) error {
	done, err := s.use()
	if err != nil {
		return err
	}
	defer done()
	if err := s.commit(changes); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

func (s *Store) commit(changes []*engine.Change) error {
	g := &s.group
	err := s.tables.update(func(w writing) error { return g.write(w, changes, s.flags) })
	switch {
	case err == nil:
		g.reset()
		return nil
	case errors.Is(err, errTooBig) && len(changes) > 1:
		g.reset()
		half := len(changes) / 2
		if err := s.commit(changes[:half]); err != nil {
			return err
		}
		return s.commit(changes[half:])
	default:
		*g = group{} // the database may still be reading what it was given
		return err
	}
}

func (g *group) reset() {
	g.arena.reset()
	g.w, g.meta = nil, nil
	clear(g.queues)
	clear(g.counters)
	clear(g.lanes)
	clear(g.tasks)
}

func (g *group) write(w writing, changes []*engine.Change, flags byte) error {
	g.w = w
	if g.lanes == nil {
		g.queues = make(map[uint32]*engine.QueueRecord)
		g.counters = make(map[uint32]*engine.CounterRecord)
		g.lanes = make(map[laneID]*engine.LaneRecord)
		g.tasks = make(map[uint64]*engine.TaskRecord)
	}
	for _, c := range changes {
		if err := g.change(c); err != nil {
			return err
		}
	}
	return g.gathered(flags)
}

// change applies one operation's parts in the order of its fields, those that
// are gathered excepted: nothing reads them before the end of the group.
func (g *group) change(c *engine.Change) error {
	if c.Meta != nil {
		g.meta = c.Meta
	}
	for i := range c.Queues {
		g.queues[c.Queues[i].Number] = &c.Queues[i]
	}
	for _, number := range c.Forget {
		g.queues[number], g.counters[number] = nil, nil
	}
	for i := range c.Holders {
		h := &c.Holders[i]
		if err := g.set(appendNumberKey(g.key(), tableHolder, h.Number), appendHolder(nil, h)); err != nil {
			return err
		}
	}
	if err := g.dedups(c); err != nil {
		return err
	}
	if err := g.messages(c); err != nil {
		return err
	}
	for i := range c.Lanes {
		l := &c.Lanes[i]
		g.lanes[laneID{l.Queue, l.Epoch, l.Lane}] = l
	}
	for i := range c.Counters {
		g.counters[c.Counters[i].Queue] = &c.Counters[i]
	}
	return g.redrives(c)
}

// dedups forgets before it remembers, other than the order of the fields: a
// send forgets an id whose window is over, and then remembers it anew.
func (g *group) dedups(c *engine.Change) error {
	for i := range c.Undedups {
		d := &c.Undedups[i]
		if err := g.remove(appendDedupKey(g.key(), d.Queue, d.Epoch, d.Key)); err != nil {
			return err
		}
	}
	for i := range c.Dedups {
		d := &c.Dedups[i]
		value := g.arena.take(appendDedup(g.arena.reserve(dedupRoom), d))
		if err := g.set(appendDedupKey(g.key(), d.Queue, d.Epoch, d.Key), value); err != nil {
			return err
		}
	}
	return nil
}

func (g *group) messages(c *engine.Change) error {
	for i := range c.Puts {
		p := &c.Puts[i]
		if err := g.put(p.Ref, p.Message, p.Message.Body); err != nil {
			return err
		}
	}
	for i := range c.Moves {
		if err := g.move(&c.Moves[i]); err != nil {
			return err
		}
	}
	for _, ref := range c.Drops {
		if err := g.drop(ref); err != nil {
			return err
		}
	}
	for i := range c.States {
		if err := g.state(&c.States[i]); err != nil {
			return err
		}
	}
	for _, ref := range c.Unstates {
		if err := g.remove(appendRefKey(g.key(), tableState, ref)); err != nil {
			return err
		}
	}
	return nil
}

// redrives keeps tasks and selections. A selection lies below its task's key.
func (g *group) redrives(c *engine.Change) error {
	for i := range c.Tasks {
		g.tasks[c.Tasks[i].ID] = &c.Tasks[i]
	}
	if c.Choose != nil {
		refs := c.Choose.Refs
		for chunk := uint32(0); len(refs) > 0; chunk++ {
			n := min(len(refs), chunkRefs)
			value := appendSelection(make([]byte, 0, 1+n*refBytes), refs[:n])
			if err := g.set(appendChunkKey(g.key(), c.Choose.Task, chunk), value); err != nil {
				return err
			}
			refs = refs[n:]
		}
	}
	for _, task := range c.EndTasks {
		g.tasks[task] = nil
		for _, key := range keysBelow(g.w, appendTaskKey(nil, task)) {
			if err := g.remove(append(g.key(), key...)); err != nil {
				return err
			}
		}
	}
	return nil
}

// keysBelow copies the keys that begin with prefix.
func keysBelow(r reading, prefix []byte) (keys [][]byte) {
	it := r.iterate(prefix)
	defer it.close()
	for ; it.valid(); it.next() {
		keys = append(keys, append([]byte(nil), it.key()...))
	}
	return keys
}

// key begins a key, which then goes to set or remove.
func (g *group) key() []byte { return g.arena.reserve(maxKeyLen) }

// set keeps a key that was begun by key, with a value of the caller's.
func (g *group) set(key, value []byte) error { return g.w.set(g.arena.take(key), value) }

func (g *group) remove(key []byte) error { return g.w.drop(g.arena.take(key)) }

func (g *group) put(ref engine.Ref, m *engine.Message, body []byte) error {
	value := g.arena.take(appendMessage(g.arena.reserve(messageRoom(m, len(body))), m, body))
	return g.set(appendRefKey(g.key(), tableMessage, ref), value)
}

func (g *group) drop(ref engine.Ref) error {
	if err := g.remove(appendRefKey(g.key(), tableMessage, ref)); err != nil {
		return err
	}
	return g.remove(appendRefKey(g.key(), tableState, ref))
}

func (g *group) move(v *engine.Move) error {
	from := g.arena.take(appendRefKey(g.key(), tableMessage, v.From))
	found, err := g.w.get(from, func(value []byte) error {
		m, body, err := decodeHeader(value)
		if err != nil {
			return corrupt(from, err)
		}
		var history []engine.HistoryRecord
		if !v.Redrive {
			if history, err = g.history(v.From); err != nil {
				return err
			}
		}
		relabel(m, v, history)
		return g.put(v.To, m, body)
	})
	if err != nil {
		return err
	}
	if !found {
		return &MissingError{Ref: v.From}
	}
	return g.drop(v.From)
}

// history reads the receives of a message that is about to move.
func (g *group) history(ref engine.Ref) (list []engine.HistoryRecord, err error) {
	key := g.arena.take(appendRefKey(g.key(), tableState, ref))
	_, err = g.w.get(key, func(value []byte) (err error) {
		if list, err = decodeHistory(value); err != nil {
			return corrupt(key, err)
		}
		return nil
	})
	return list, err
}

// relabel changes a message's header as a move says. The history is that of
// the place it leaves.
func relabel(m *engine.Message, v *engine.Move, history []engine.HistoryRecord) {
	m.Arrived, m.Origin, m.Sequence = v.Arrived, v.Origin, v.Sequence
	if !v.Sent.IsZero() {
		m.Sent = v.Sent
	}
	if v.Redrive {
		m.ID, m.EarlierReceives, m.FirstReceived, m.EarlierHistory = v.ID, 0, v.FirstReceived, nil
	} else {
		all := append(m.EarlierHistory, history...)
		m.EarlierHistory = all[max(0, len(all)-engine.HistoryLength):]
		m.EarlierReceives += v.EarlierReceives
		if m.FirstReceived.IsZero() {
			m.FirstReceived = v.FirstReceived
		}
	}
	if v.Deduplicate { // by the id that it has from now on
		m.Deduplication = m.ID.String()
	}
}

// state writes a touched message. Its history is kept, so the value before is
// read, but where there can be none: before and at the first receive, which
// are most of all states written.
func (g *group) state(s *engine.StateRecord) error {
	key := g.arena.take(appendRefKey(g.key(), tableState, s.Ref))
	if s.Receives == 0 || s.Receives == 1 && s.Append != nil || s.Removed {
		return g.w.set(key, g.arena.take(appendState(g.arena.reserve(stateRoom), s, nil)))
	}
	var old [engine.HistoryLength * historyEntry]byte
	n := 0
	_, err := g.w.get(key, func(value []byte) error {
		_, history, err := splitState(value)
		if err != nil {
			return corrupt(key, err)
		}
		n = copy(old[:], history)
		return nil
	})
	if err != nil {
		return err
	}
	return g.w.set(key, g.arena.take(appendState(g.arena.reserve(stateRoom), s, old[:n])))
}

// gathered writes the last of each record.
func (g *group) gathered(flags byte) error {
	if g.meta != nil {
		value := appendMeta(nil, metaRecord{Meta: *g.meta, layout: layout, flags: flags})
		if err := g.set(appendMetaKey(g.key()), value); err != nil {
			return err
		}
	}
	for number, q := range g.queues {
		if err := record(g, appendNumberKey(nil, tableQueue, number), q, 256, appendQueue); err != nil {
			return err
		}
	}
	for number, c := range g.counters {
		if err := record(g, appendNumberKey(nil, tableCounters, number), c, 160, appendCounters); err != nil {
			return err
		}
	}
	for id, l := range g.lanes {
		if l.Ended {
			l = nil
		}
		if err := record(g, appendLaneKey(nil, id.queue, id.epoch, id.lane), l, 192, appendLane); err != nil {
			return err
		}
	}
	for id, t := range g.tasks {
		if err := record(g, appendTaskKey(nil, id), t, 256, appendTask); err != nil {
			return err
		}
	}
	return nil
}

// record writes one gathered record, or removes the key of one that goes.
func record[T any](g *group, key []byte, v *T, room int, encode func([]byte, *T) []byte) error {
	if v == nil {
		return g.w.drop(key)
	}
	return g.w.set(key, g.arena.take(encode(g.arena.reserve(room), v)))
}
