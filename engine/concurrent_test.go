package engine

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// crowd is many senders and receivers at once, some of whom go in the middle
// of a receive or forget to delete.
type crowd struct {
	t *testing.T
	*rig
	wg sync.WaitGroup

	mu      sync.Mutex
	deleted map[string]int
	left    int
}

func TestCrowd(t *testing.T) {
	const senders, each, receivers = 4, 100, 6
	bubble(t, "every message is deleted once, whoever goes", func(t *testing.T, r *rig) {
		c := &crowd{t: t, rig: r, deleted: map[string]int{}, left: 2 * senders * each}
		for i := range senders * each {
			r.send("orders", fmt.Sprint("old ", i))
		}
		for _, q := range r.byName { // as after a restart: nothing is read ahead
			for _, l := range q.contents.lanes {
				r.windows -= l.forgetAhead()
			}
		}
		for n := range senders {
			c.wg.Go(func() { c.sendAll(n, each) })
		}
		for n := range receivers {
			c.wg.Go(func() { c.receiveAll(n) })
		}
		c.wg.Go(c.look)
		c.wg.Wait()
		synctest.Wait()
		for body, n := range c.deleted {
			if n != 1 {
				t.Errorf("%q was deleted %d times", body, n)
			}
		}
		r.want("deleted", len(c.deleted), 2*senders*each)
		r.wantCounts("orders", Counts{})
		if err := r.verify(r.store); err != nil {
			t.Error(err)
		}
	})
}

func (c *crowd) sendAll(n, count int) {
	for i := range count {
		c.send("orders", fmt.Sprint("new ", n, " ", i))
		if i%10 == n {
			time.Sleep(100 * time.Millisecond)
		}
	}
}

func (c *crowd) done() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.left == 0
}

func (c *crowd) receiveAll(n int) {
	for round := 0; !c.done(); round++ {
		ctx, cancel := context.WithCancel(context.Background())
		if (round+n)%5 == 0 {
			go cancel() // at some moment
		}
		d, err := c.Receive(ctx, "orders", ReceiveRequest{Max: 1 + n, Wait: seconds64(2), Visibility: seconds64(3)})
		if err != nil && ctx.Err() == nil {
			c.t.Error(err)
		}
		for i := range d {
			if (round+i)%7 != 0 { // otherwise it comes again
				c.deleteOne(&d[i])
			}
		}
		cancel()
	}
}

func (c *crowd) deleteOne(d *Delivery) {
	if err := c.Delete(context.Background(), d.Receipt, LastDelivery); err != nil {
		c.t.Error(err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deleted[string(d.Message.Body)]++
	c.left--
}

// look reads what it can while all that happens.
func (c *crowd) look() {
	ctx := context.Background()
	for !c.done() {
		for _, state := range []State{Ready, InFlight} {
			page, err := c.Page(ctx, PageRequest{Queue: "orders", State: state, Limit: 50})
			wantError(c.t, err, nil)
			for _, row := range page.Rows {
				if _, err := c.Peek(ctx, row.Ref, PeekRequest{}); err == nil && row.Ref.Pos%3 == 0 {
					break
				}
			}
		}
		_, err := c.Queues(ctx)
		wantError(c.t, err, nil)
		time.Sleep(300 * time.Millisecond)
	}
}
