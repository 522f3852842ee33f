package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Queues returns every queue, sorted by name. It does not wait for anything
// to be durable.
func (e *Engine) Queues(ctx context.Context) ([]QueueStats, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all, unknown, err := e.snapshot()
	if err != nil {
		return nil, err
	}
	if len(unknown) > 0 {
		if err := e.learnOldest(unknown); err != nil {
			return nil, err
		}
		if all, _, err = e.snapshot(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b QueueStats) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// Facts is what an operation on messages needs to know of its queue.
type Facts struct {
	Number     uint32
	Attributes Attributes // shared with the engine: not to be changed
	InFlight   int
}

// Facts returns what is cheap to know of a queue. It returns ErrQueueNotFound.
func (e *Engine) Facts(name string) (Facts, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.usable(); err != nil {
		return Facts{}, err
	}
	q := e.byName[name]
	if q == nil {
		return Facts{}, fmt.Errorf("queue %q: %w", name, ErrQueueNotFound)
	}
	return Facts{Number: q.number, Attributes: q.attributes, InFlight: q.contents.flight.len()}, nil
}

// Names returns the names of all queues, sorted.
func (e *Engine) Names() ([]string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.usable(); err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(e.byName)), nil
}

// Queue returns one queue. It returns ErrQueueNotFound.
func (e *Engine) Queue(ctx context.Context, name string) (QueueStats, error) {
	if err := ctx.Err(); err != nil {
		return QueueStats{}, err
	}
	o, err := e.begin()
	if err != nil {
		return QueueStats{}, err
	}
	defer o.end()
	q, err := o.queue(name)
	if err != nil {
		return QueueStats{}, err
	}
	stats := q.stats()
	stats.Sources = e.sourcesOf(name)
	return stats, nil
}

// sourcesOf returns the queues whose redrive policy names this one, sorted.
func (e *Engine) sourcesOf(name string) (sources []string) {
	for source, other := range e.byName {
		if other.attributes.Redrive.DLQ == name {
			sources = append(sources, source)
		}
	}
	slices.Sort(sources)
	return sources
}

// snapshot also returns the oldest messages whose time of arrival is not in memory.
func (e *Engine) snapshot() (all []QueueStats, unknown []Ref, err error) {
	o, err := e.begin()
	if err != nil {
		return nil, nil, err
	}
	defer o.end()
	sources := map[string][]string{}
	for name, q := range e.byName {
		if dlq := q.attributes.Redrive.DLQ; dlq != "" {
			sources[dlq] = append(sources[dlq], name)
		}
	}
	all = make([]QueueStats, 0, len(e.byName))
	for name, q := range e.byName {
		o.apply(q)
		stats := q.stats()
		stats.Sources = sources[name]
		slices.Sort(stats.Sources)
		oldest, refs := q.contents.oldestArrived()
		stats.OldestArrived = moment(oldest)
		unknown = append(unknown, refs...)
		all = append(all, stats)
	}
	return all, unknown, nil
}

func (q *queue) stats() QueueStats {
	c := q.contents
	s := QueueStats{
		Name: q.name, Number: q.number, Attributes: q.attributes.clone(),
		Created: moment(q.created), Modified: moment(q.modified),
		Counts: c.counts(), Counters: q.counters,
	}
	if id := c.delayed.first(); id != 0 {
		s.NextDelay = moment(c.slab.at(id).due)
	}
	if id := c.flight.first(); id != 0 {
		s.NextLapse = moment(c.slab.at(id).due)
	}
	return s
}

// arrival remembers when the oldest message of a lane came into it.
type arrival struct {
	known bool
	pos   uint64
	at    int64
}

// oldestArrived returns the first arrival that is in memory, and the oldest
// messages of the lanes where it is not.
func (c *contents) oldestArrived() (oldest int64, unknown []Ref) {
	if c.fifo.on { // no message there is older than its arrival
		if id := c.bySent.first(); id != 0 {
			oldest = c.slab.at(id).sent
		}
		if l, ok := c.aging.Min(); ok && (oldest == 0 || l.oldest < oldest) {
			oldest = l.oldest
		}
		return oldest, nil
	}
	for _, l := range c.lanes {
		pos, ok := l.lowest()
		if !ok {
			continue
		}
		if !l.arrival.known || l.arrival.pos != pos {
			if pos == l.head && len(l.ahead) > 0 && l.ahead[0] != nil {
				l.arrival = arrival{known: true, pos: pos, at: millis(l.ahead[0].Arrived)}
			} else {
				unknown = append(unknown, l.ref(pos))
				continue
			}
		}
		if oldest == 0 || l.arrival.at < oldest {
			oldest = l.arrival.at
		}
	}
	return oldest, unknown
}

// lowest returns the position of the lane's oldest message.
func (l *lane) lowest() (pos uint64, ok bool) {
	for i := range l.slots.len() {
		s := l.c.slab.at(l.slots.at(i))
		if s.pos > l.head+uint64(i) { // an untouched one lies before it
			break
		}
		if s.phase != phaseRemoved {
			return s.pos, true
		}
		if i >= 64 { // a run of removed ones that no receive has passed yet
			return 0, false
		}
	}
	for pos := l.head; pos < l.tail && pos < l.head+64; pos++ {
		if id := l.slotAt(pos); id == 0 || l.c.slab.at(id).phase != phaseRemoved {
			return pos, true
		}
	}
	return 0, false
}

// learnOldest reads when messages arrived, without the lock.
func (e *Engine) learnOldest(refs []Ref) error {
	messages, err := e.read(refs, 0)
	if err != nil {
		return err
	}
	o, err := e.begin()
	if err != nil {
		return err
	}
	defer o.end()
	for i, m := range messages {
		q := e.byID[refs[i].Queue]
		if m == nil || q == nil {
			continue
		}
		if l, _ := q.contents.find(refs[i]); l != nil {
			l.arrival = arrival{known: true, pos: refs[i].Pos, at: millis(m.Arrived)}
		}
	}
	return nil
}
