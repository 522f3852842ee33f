package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Page reads a window of one state's messages and touches none. Ready ones
// come in the order of their delivery, the others by due time. The first row
// of a page costs the same at any offset. It returns ErrQueueNotFound and
// *InvalidError. A page does not wait for anything to be durable.
func (e *Engine) Page(ctx context.Context, r PageRequest) (Page, error) {
	if err := ctx.Err(); err != nil {
		return Page{}, err
	}
	if r.Limit < 0 || r.Limit > MaxBatch || r.Offset < 0 {
		return Page{}, &InvalidError{"Limit", fmt.Sprintf("must be 0 to %d, from an offset of 0 or more", MaxBatch)}
	}
	o, err := e.begin()
	if err != nil {
		return Page{}, err
	}
	q, err := o.queue(r.Queue)
	if err != nil {
		return Page{}, o.abandon(fmt.Errorf("page: %w", err))
	}
	page := Page{At: moment(o.now), Total: q.contents.inState(r.State)}
	rows := o.rows(q, r)
	o.end()
	page.Rows, err = e.fillRows(rows, PreviewBytes)
	return page, err
}

// inState counts the messages in one state.
func (c *contents) inState(state State) int {
	n := c.counts()
	switch state {
	case Ready:
		return n.Ready
	case InFlight:
		return n.InFlight
	case Delayed:
		return n.Delayed
	}
	return 0
}

// row is a Row whose message is not read yet.
type row struct {
	Row
	retention int64 // ms
}

// rows collects what memory knows of a window.
func (o *op) rows(q *queue, r PageRequest) []row {
	c := q.contents
	total := c.inState(r.State)
	rows := make([]row, 0, min(r.Limit, max(0, total-r.Offset)))
	for k := r.Offset; k < total && len(rows) < r.Limit; k++ {
		at := k
		if r.Reverse {
			at = total - 1 - k
		}
		rows = append(rows, o.rowAt(q, r.State, at))
	}
	return rows
}

// rowAt returns the k-th message in a state; it must exist.
func (o *op) rowAt(q *queue, state State, k int) row {
	c := q.contents
	switch state {
	case InFlight:
		return o.row(q, c.flight.at(k))
	case Delayed:
		return o.row(q, c.delayed.at(k))
	}
	l, k := c.readyAt(k)
	pos, id := l.deliveryAt(k)
	if id != 0 {
		return o.row(q, id)
	}
	return o.blocked(row{Row: Row{Ref: l.ref(pos)}, retention: q.attributes.Retention.Milliseconds()}, l, pos)
}

// row is what memory knows of a touched message.
func (o *op) row(q *queue, id slotID) row {
	c := q.contents
	s := c.slab.at(id)
	r := row{retention: q.attributes.Retention.Milliseconds()}
	r.Ref, r.Receives = c.refOf(s), int(s.receives)
	r.LastReceived = moment(s.last)
	if s.last != 0 {
		r.FirstReceived = moment(s.last - int64(s.first))
	}
	r.Holder = o.e.holders.name(s.holder)
	switch s.phase {
	case phaseFlight:
		r.State, r.Due = InFlight, moment(s.due)
	case phaseDelayed:
		r.State, r.Due = Delayed, moment(s.due)
	}
	r.DeadLetters = o.wouldDeadLetter(q, id)
	return o.blocked(r, c.laneOf(s), s.pos)
}

// fillRows reads the messages of rows, without the lock; those deleted
// meanwhile drop out.
func (e *Engine) fillRows(rows []row, limit int) ([]Row, error) {
	refs := make([]Ref, len(rows))
	for i := range rows {
		refs[i] = rows[i].Ref
	}
	messages, err := e.read(refs, limit)
	if err != nil {
		return nil, errors.Join(err, e.usableNow())
	}
	filled := make([]Row, 0, len(rows))
	for i, m := range messages {
		if m == nil {
			continue
		}
		r := rows[i].Row
		r.Message = *m
		r.Expires = moment(millis(m.Sent) + rows[i].retention)
		filled = append(filled, r)
	}
	return filled, nil
}

// Locate says in which state a message is, and at which offset of a page that
// is not reversed. A message that is gone is no error.
func (e *Engine) Locate(ctx context.Context, ref Ref) (State, int, error) {
	if err := ctx.Err(); err != nil {
		return Gone, 0, err
	}
	o, err := e.begin()
	if err != nil {
		return Gone, 0, err
	}
	defer o.end()
	q, l, id, err := o.locate(ref)
	if err != nil {
		return Gone, 0, nil
	}
	c := q.contents
	if id != 0 {
		s := c.slab.at(id)
		sooner := func(other slotID) bool { return c.flight.less(other, id) } // both indexes order by due time
		switch s.phase {
		case phaseFlight:
			return InFlight, c.flight.below(sooner), nil
		case phaseDelayed:
			return Delayed, c.delayed.below(sooner), nil
		}
	}
	return Ready, c.readyBefore(l) + l.deliveryOf(ref.Pos, id), nil
}

// Inspect reads one message whole and touches nothing (SMQ's PeekMessage). It
// returns ErrMessageGone.
func (e *Engine) Inspect(ctx context.Context, ref Ref) (Detail, error) {
	if err := ctx.Err(); err != nil {
		return Detail{}, err
	}
	o, err := e.begin()
	if err != nil {
		return Detail{}, err
	}
	q, l, id, err := o.locate(ref)
	if err != nil {
		return Detail{}, o.abandon(fmt.Errorf("inspect: %w", err))
	}
	r := row{Row: Row{Ref: ref}, retention: q.attributes.Retention.Milliseconds()}
	if id != 0 {
		r = o.row(q, id)
	} else {
		r = o.blocked(r, l, ref.Pos)
	}
	d := Detail{Queue: q.name, DLQ: q.attributes.Redrive.DLQ, MaxReceives: q.attributes.Redrive.MaxReceives}
	d.LateDeletes, _ = e.late.deletes.get(ref)
	o.end()
	rows, err := e.fillRows([]row{r}, -1)
	if err == nil && len(rows) == 0 {
		err = ErrMessageGone
	}
	if err != nil {
		return Detail{}, fmt.Errorf("inspect: %w", err)
	}
	d.Row = rows[0]
	d.EarlierHistory = e.history(d.Message.EarlierHistory)
	if id == 0 {
		return d, nil
	}
	records, err := e.store.History(ref)
	if err != nil {
		return Detail{}, fmt.Errorf("inspect: %w", err)
	}
	d.History = e.history(records)
	return d, nil
}

// history gives the holders of receives their names.
func (e *Engine) history(records []HistoryRecord) []Received {
	e.mu.Lock()
	defer e.mu.Unlock()
	history := make([]Received, len(records))
	for i, r := range records {
		history[i] = Received{At: r.At, Until: r.Until, Holder: e.holders.name(r.Holder), Kind: r.Kind}
	}
	return history
}

// searchSlice is how many positions a search notes under the lock at once.
const searchSlice = 1000

// Search reads messages of one state, in the order of a page, and returns
// those that match. Messages that move meanwhile may be missed. It returns
// ErrQueueNotFound, or ctx's error when that ends first.
func (e *Engine) Search(ctx context.Context, r SearchRequest) (SearchResult, error) {
	var result SearchResult
	rows, err := e.searched(ctx, r, &result)
	if err != nil {
		return SearchResult{}, err
	}
	for part := range slices.Chunk(rows, 64) {
		if err := ctx.Err(); err != nil {
			return SearchResult{}, err
		}
		full, err := e.fillRows(part, -1)
		if err != nil {
			return SearchResult{}, err
		}
		for _, row := range full {
			result.Scanned++
			if !r.Match(&row.Message) {
				continue
			}
			if body := row.Message.Body; len(body) > PreviewBytes {
				row.Message.Body = slices.Clone(body[:PreviewBytes]) // do not keep the whole alive
			}
			if result.Rows = append(result.Rows, row); len(result.Rows) == r.MaxHits {
				return result, nil
			}
		}
	}
	return result, nil
}

// searched notes what a search will read.
func (e *Engine) searched(ctx context.Context, r SearchRequest, result *SearchResult) ([]row, error) {
	var rows []row
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		o, err := e.begin()
		if err != nil {
			return nil, err
		}
		q, err := o.queue(r.Queue)
		if err != nil {
			return nil, o.abandon(fmt.Errorf("search: %w", err))
		}
		if len(rows) == 0 {
			result.Total, result.At = q.contents.inState(r.State), moment(o.now)
		}
		part := o.rows(q, PageRequest{
			State: r.State, Reverse: r.Reverse, Offset: len(rows), Limit: min(searchSlice, r.MaxScan-len(rows)),
		})
		o.end()
		rows = append(rows, part...)
		if len(part) == 0 || len(rows) >= r.MaxScan {
			return rows, nil
		}
	}
}
