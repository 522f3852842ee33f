package engine

import (
	"context"
	"errors"
	"fmt"
)

// deliver makes a receive durable and fetches the bodies. It returns none when
// every message was deleted meanwhile, and gives all back when the caller has gone.
func (e *Engine) deliver(ctx context.Context, q *queue, o *op, all []taken) ([]Delivery, error) {
	c := q.contents
	if err := o.end().wait(); err != nil {
		return nil, err
	}
	var refs []Ref
	for i := range all {
		if all[i].Message == nil {
			refs = append(refs, all[i].Ref)
		}
	}
	messages, err := e.store.Read(refs, -1)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read messages: %w", err), e.giveBack(q, c, all))
	}
	if ctx.Err() != nil {
		return nil, errors.Join(ctx.Err(), e.giveBack(q, c, all))
	}
	deliveries := make([]Delivery, 0, len(all))
	for i := range all {
		d := all[i].Delivery
		if d.Message == nil {
			d.Message, messages = messages[0], messages[1:]
		}
		if d.Message == nil {
			continue
		}
		if first := d.Message.FirstReceived; !first.IsZero() {
			d.FirstReceived = first
		}
		deliveries = append(deliveries, d)
	}
	return deliveries, nil
}

// giveBack undoes a receive whose caller has gone: count and place are as
// before, and the receipts that nobody saw are spent.
func (e *Engine) giveBack(q *queue, c *contents, all []taken) error {
	o, err := e.begin()
	if err != nil {
		return err
	}
	woken := 0
	for _, t := range all {
		id := t.lane.slotAt(t.pos)
		if q.contents != c || id == 0 || c.slab.at(id).delivery != t.Receipt.Delivery {
			continue // something else has happened to it since
		}
		c.leave(id)
		s := c.slab.at(id)
		s.phase, s.due, s.since = phaseReady, t.before.due, 0
		s.receives, s.last, s.first = t.before.receives, t.before.last, t.before.first
		s.holder, s.mark, s.turn = t.before.holder, t.before.mark, t.before.turn
		c.enter(id)
		o.keep(c, id)
		q.counters.Received--
		o.touchCounters(q)
		woken++
	}
	q.wake(woken)
	return o.end().wait()
}
