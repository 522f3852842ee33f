package engine

import (
	"cmp"
	"fmt"
	"slices"
)

// load builds what the engine keeps in memory from what the store holds.
func (e *Engine) load() error {
	b := builder{e: e}
	if err := e.store.Load(&b); err != nil {
		return err
	}
	now := e.clock.now()
	for _, q := range e.byID {
		b.build(q.contents, now)
	}
	space, err := e.store.Space()
	if err != nil {
		return err
	}
	e.space = space
	return b.tasks(now)
}

// builder takes the store's records. Slots come in order of position, lane by
// lane, and enter the other indexes when all are there.
type builder struct {
	e       *Engine
	records []TaskRecord
	lane    *lane // of the last state
}

func (b *builder) Meta(m Meta) error {
	b.e.meta = m
	b.e.meta.NextQueue = max(m.NextQueue, 1)
	b.e.meta.NextTask = max(m.NextTask, 1)
	return nil
}

func (b *builder) Queue(r QueueRecord) error {
	q := &queue{
		engine: b.e, number: r.Number, name: r.Name, created: millis(r.Created), modified: millis(r.Modified),
		attributes: r.Attributes, deleted: r.Deleted, old: r.Old,
	}
	q.contents = newContents(q, r.Epoch)
	b.e.byID[q.number] = q
	if !q.deleted {
		b.e.byName[q.name] = q
	}
	return nil
}

func (b *builder) Counters(r CounterRecord) error {
	if q := b.e.byID[r.Queue]; q != nil {
		q.counters, q.lastTurn, q.lastLane, q.lastSequence = r.Counters, r.LastTurn, r.LastLane, r.LastSequence
	}
	return nil
}

// contents returns what is current; old epochs wait to be swept.
func (b *builder) contents(queue, epoch uint32) *contents {
	q := b.e.byID[queue]
	if q == nil || q.deleted || q.contents.epoch != epoch {
		return nil
	}
	return q.contents
}

func (b *builder) Lane(r LaneRecord) error {
	c := b.contents(r.Queue, r.Epoch)
	if c == nil {
		return nil
	}
	l := c.newLane(r.Lane, r.Group)
	l.swept, l.head, l.tail = r.Swept, r.Head, r.Tail
	l.lastSent = millis(r.LastSent)
	l.tally(int(l.tail-l.head), 0, 0)
	l.setOldest(millis(r.Oldest))
	if l.swept < l.head {
		c.untidy[l] = true
	}
	return nil
}

func (b *builder) State(r StateRecord) error {
	l := b.lane
	if l == nil || l.number != r.Ref.Lane || l.c.epoch != r.Ref.Epoch || l.c.queue.number != r.Ref.Queue {
		c := b.contents(r.Ref.Queue, r.Ref.Epoch)
		if c == nil {
			return nil
		}
		if l = c.byNumber[r.Ref.Lane]; l == nil {
			return fmt.Errorf("queue %q: a state in lane %d, which does not exist", c.queue.name, r.Ref.Lane)
		}
		b.lane = l
	}
	id := l.c.slab.take()
	s := l.c.slab.at(id)
	*s = slot{
		pos: r.Ref.Pos, due: millis(r.Due), sent: millis(r.Sent), turn: r.Turn, last: millis(r.LastReceived),
		receives: r.Receives, delivery: r.Delivery, size: r.Size, holder: r.Holder,
		lane: l.index, since: r.SinceReceive, waits: r.Waits,
	}
	s.setMark(r.Mark)
	if s.last != 0 {
		s.first = uint32(s.last - millis(r.FirstReceived))
	}
	if r.Removed {
		s.phase = phaseRemoved
	}
	l.slots.append(id)
	return nil
}

func (b *builder) Dedup(r DedupRecord) error {
	if c := b.contents(r.Queue, r.Epoch); c != nil && c.fifo.on {
		c.fifo.dedup.seen[r.Key] = dedupEntry{until: millis(r.Until), id: r.ID, sequence: r.Sequence}
		c.fifo.dedup.order = append(c.fifo.dedup.order, r.Key)
	}
	return nil
}

func (b *builder) Holder(r HolderRecord) error {
	h := &b.e.holders
	for uint32(len(h.names)) <= r.Number {
		h.names = append(h.names, "")
	}
	h.names[r.Number] = r.Name
	h.numbers[r.Name] = r.Number
	return nil
}

func (b *builder) Task(r TaskRecord) error {
	b.records = append(b.records, r)
	return nil
}

// build puts the slots of a queue into its indexes: ready, or not until they
// are due.
func (b *builder) build(c *contents, now int64) {
	all := make([]slotID, 0, c.slab.used)
	var flight, delayed []slotID
	c.each(func(l *lane) bool {
		var returned, holes []slotID
		l.slots.scan(func(id slotID) bool {
			s := c.slab.at(id)
			switch {
			case s.phase == phaseRemoved:
			case s.due > now && s.waits:
				s.phase = phaseDelayed
				delayed = append(delayed, id)
			case s.due > now:
				s.phase = phaseFlight
				flight = append(flight, id)
			default:
				s.waits = false
			}
			if s.phase != phaseRemoved {
				all = append(all, id)
			}
			switch ahead := s.pos >= l.head; {
			case ahead && s.phase != phaseReady:
				holes = append(holes, id)
			case !ahead && s.phase == phaseReady:
				returned = append(returned, id)
			}
			return true
		})
		l.returned.fill(returned)
		l.holes.fill(holes)
		l.tally(0, len(returned), len(holes))
		if l.removedAt(l.head) {
			c.untidy[l] = true
		}
		return true
	})
	c.flight.fill(flight)
	c.delayed.fill(delayed)
	c.bySent.fill(all)
	c.rebuildRing()
	d := &c.fifo.dedup
	slices.SortFunc(d.order, func(x, y dedupKey) int { return cmp.Compare(d.seen[x].until, d.seen[y].until) })
}

// tasks takes up the redrive tasks; their allowance counts from now.
func (b *builder) tasks(now int64) error {
	slices.SortFunc(b.records, func(x, y TaskRecord) int { return cmp.Compare(x.ID, y.ID) })
	for _, r := range b.records {
		t := &task{TaskRecord: r, since: now}
		if r.Selected && r.State.Active() {
			refs, err := b.e.store.Selection(r.ID)
			if err != nil {
				return err
			}
			t.selection = refs
		}
		b.e.tasks[r.ID] = t
	}
	return nil
}
