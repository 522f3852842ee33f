package engine

import (
	"context"
	"fmt"
)

// attemptWindow is how long a receive attempt id brings the same messages
// again (SQS: 5 minutes).
const attemptWindow = 5 * 60 * 1000 // ms

// attempt is a receive that may be asked for again: what it handed out, and
// until when that is hidden.
type attempt struct {
	at         int64
	deliveries []Delivery
	due        int64
}

// remembered says whether r repeats an attempt, and then hides its messages
// for another visibility timeout. It does not count as a receive. A message
// that was deleted, received again or had its visibility changed ends the
// attempt: what follows is a new receive.
func (o *op) remembered(q *queue, r *ReceiveRequest) ([]Delivery, bool) {
	f := &q.contents.fifo
	if !f.on || r.Attempt == "" {
		return nil, false
	}
	for id, a := range f.attempts {
		if a.at+attemptWindow <= o.now {
			delete(f.attempts, id)
		}
	}
	a, ok := f.attempts[r.Attempt]
	if !ok {
		return nil, false
	}
	ids := make([]slotID, len(a.deliveries))
	for i, d := range a.deliveries {
		_, id := q.contents.find(d.Ref)
		if id == 0 || !q.contents.slab.at(id).unchanged(d.Receipt, a.due) {
			delete(f.attempts, r.Attempt)
			return nil, false
		}
		ids[i] = id
	}
	visibility := q.attributes.VisibilityTimeout
	if r.Visibility != nil {
		visibility = *r.Visibility
	}
	a.due = o.now + visibility.Milliseconds()
	again := make([]Delivery, len(ids))
	for i, id := range ids {
		o.hide(q, id, a.due)
		again[i] = a.deliveries[i]
		again[i].Due = moment(a.due)
	}
	f.attempts[r.Attempt] = a
	return again, true
}

func (s *slot) unchanged(r Receipt, due int64) bool {
	return s.delivery == r.Delivery && s.due == due && s.phase != phaseRemoved
}

// remember keeps what a receive with an attempt id brought.
func (e *Engine) rememberAttempt(ctx context.Context, q *queue, c *contents, r *ReceiveRequest, deliveries []Delivery) error {
	if r.Attempt == "" || !c.fifo.on {
		return nil
	}
	o, err := e.begin()
	if err != nil {
		return fmt.Errorf("remember attempt: %w", err)
	}
	defer o.end()
	if q.contents == c && ctx.Err() == nil {
		c.fifo.attempts[r.Attempt] = attempt{at: o.now, deliveries: deliveries, due: millis(deliveries[0].Due)}
	}
	return nil
}
