package engine

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/semaphore"
)

// What one group may hold: below what a store takes in one transaction.
const (
	groupKeys  = 8_000
	groupSmall = 768 << 10 // bytes of keys and small values
	groupBytes = 16 << 20  // bytes of bodies
	underWay   = 64 << 20  // bytes of bodies that wait to be durable; senders beyond wait
)

// cost is what a change adds to a group.
type cost struct{ keys, small, bodies int }

func (c *Change) cost() cost {
	k := cost{keys: len(c.Puts) + 3*len(c.Moves) + 2*len(c.Drops) + len(c.States) + len(c.Unstates) +
		len(c.Lanes) + len(c.Counters) + len(c.Queues) + len(c.Tasks) + len(c.EndTasks) + len(c.Holders) +
		len(c.Dedups) + len(c.Undedups)}
	k.small = 48*k.keys + 128*len(c.States) + 1024*len(c.Queues) + 256*(len(c.Puts)+len(c.Moves)) + 512*len(c.Tasks)
	for i := range c.Puts {
		k.bodies += c.Puts[i].Message.Size
		k.small += min(c.Puts[i].Message.Size, 512)
	}
	for i := range c.Moves {
		k.bodies += c.Moves[i].Size
		k.small += min(c.Moves[i].Size, 512)
	}
	for i := range c.Tasks {
		k.small += 16 * len(c.Tasks[i].Bounds)
	}
	if c.Choose != nil {
		k.keys += len(c.Choose.Refs)/1000 + 1
		k.small += 24 * len(c.Choose.Refs)
	}
	return k
}

// group is what becomes durable together.
type group struct {
	changes []*Change
	cost    cost
	done    chan struct{} // closed when err is set
	err     error
}

func newGroup() *group { return &group{done: make(chan struct{})} }

func (g *group) takes(k cost) bool {
	return len(g.changes) == 0 ||
		g.cost.keys+k.keys <= groupKeys && g.cost.small+k.small <= groupSmall && g.cost.bodies+k.bodies <= groupBytes
}

// wait blocks until the group is durable. A nil group is.
func (g *group) wait() error {
	if g == nil {
		return nil
	}
	<-g.done
	return g.err
}

// committer makes changes durable in the order in which they were handed in,
// as many at a time as fit.
type committer struct {
	store  Store
	room   *semaphore.Weighted // bytes of bodies under way
	before func()              // called before each group: is there still room?
	failed func(error)         // told once, before the group's waiters

	mu     sync.Mutex
	queue  []*group
	latest *group // the last one that got a change; perhaps already durable
	wake   chan struct{}
	closed bool
	gone   chan struct{} // closed when the loop has ended
}

func newCommitter(store Store, before func(), failed func(error)) *committer {
	c := &committer{
		store: store, room: semaphore.NewWeighted(underWay), before: before, failed: failed,
		wake: make(chan struct{}, 1), gone: make(chan struct{}),
	}
	go c.loop()
	return c
}

// reserve waits until bodies of that size may be handed in; release gives the room back.
func (c *committer) reserve(ctx context.Context, bytes int) error {
	return c.room.Acquire(ctx, int64(bytes))
}

func (c *committer) release(bytes int) { c.room.Release(int64(bytes)) }

// hand takes a change over. The caller holds the engine's lock, so that changes stand in the
// order in which they were applied.
func (c *committer) hand(change *Change) *group {
	k := change.cost()
	c.mu.Lock()
	defer c.mu.Unlock()
	var g *group
	if n := len(c.queue); n > 0 && c.queue[n-1].takes(k) {
		g = c.queue[n-1]
	} else {
		g = newGroup()
		c.queue = append(c.queue, g)
	}
	g.changes = append(g.changes, change)
	g.cost = cost{g.cost.keys + k.keys, g.cost.small + k.small, g.cost.bodies + k.bodies}
	c.latest = g
	c.nudge()
	return g
}

func (c *committer) nudge() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// last returns the group of the newest change, for answers that rest on it.
func (c *committer) last() *group {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.latest
}

func (c *committer) next() (g *group, closed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 {
		return nil, c.closed
	}
	g = c.queue[0]
	c.queue = c.queue[1:]
	return g, false
}

func (c *committer) loop() {
	defer close(c.gone)
	var failure error
	for {
		g, closed := c.next()
		if closed {
			return
		}
		if g == nil {
			<-c.wake
			continue
		}
		if failure == nil {
			c.before()
			if err := c.store.Commit(g.changes); err != nil {
				failure = fmt.Errorf("%w: %w", ErrStoreFailed, err)
				c.failed(failure)
			}
		}
		g.err = failure
		g.changes = nil
		close(g.done)
	}
}

// close ends the loop once everything handed in is durable.
func (c *committer) close() {
	c.mu.Lock()
	c.closed = true
	c.nudge()
	c.mu.Unlock()
	<-c.gone
}
