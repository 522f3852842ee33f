package smq

import (
	"errors"

	"inflight/engine"
)

// PeekMessage does not wait, whatever waitseconds says.

func (c *call) peekMessage(in *receiveInput) (answer, error) {
	messages, err := c.peek(in)
	if err != nil {
		return answer{}, err
	}
	return foundMessages(messages, false)
}

func (c *call) batchPeek(in *receiveInput) (answer, error) {
	messages, err := c.peek(in)
	if err != nil {
		return answer{}, err
	}
	return foundMessages(messages, true)
}

// peek shows what a receive would get, and changes nothing. It passes over
// what a receive would not deliver: what goes to the dead-letter queue then,
// and what of a FIFO queue waits for another message.
func (c *call) peek(in *receiveInput) ([]messageOutput, error) {
	if _, err := c.facts(); err != nil {
		return nil, err
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	want := int(in.count.or(1))
	var messages []messageOutput
	for offset, limit := 0, want; offset < maxPassed; limit = engine.MaxBatch {
		page, err := c.engine.Page(c.ctx, engine.PageRequest{Queue: c.queue, State: engine.Ready, Offset: offset, Limit: limit})
		if err != nil {
			return nil, err
		}
		for i := range page.Rows {
			row, err := c.whole(&page.Rows[i])
			if err != nil {
				return nil, err
			}
			if row == nil {
				continue
			}
			messages = append(messages, peeked(row))
			if len(messages) == want {
				return messages, nil
			}
		}
		if offset += limit; offset >= page.Total {
			break
		}
	}
	return messages, nil
}

// whole reads the rest of a message that a receive would get; nil otherwise.
func (c *call) whole(row *engine.Row) (*engine.Row, error) {
	if row.DeadLetters || row.Blocker != (engine.Ref{}) {
		return nil, nil
	}
	if len(row.Message.Body) == row.Message.Size {
		return row, nil
	}
	detail, err := c.engine.Inspect(c.ctx, row.Ref)
	switch {
	case errors.Is(err, engine.ErrMessageGone):
		return nil, nil
	case err != nil:
		return nil, err
	case detail.State != engine.Ready: // received just now
		return nil, nil
	}
	return &detail.Row, nil
}

func peeked(row *engine.Row) messageOutput {
	m := messageOutput{message: &row.Message, first: row.FirstReceived, receives: row.Receives}
	if earlier := row.Message.FirstReceived; !earlier.IsZero() {
		m.first = earlier
	}
	return m
}
