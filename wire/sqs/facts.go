package sqs

import "inflight/engine"

// facts is what the actions on messages need to know of a queue.
type facts struct {
	number     uint32
	attributes engine.Attributes
	inFlight   int
}

// facts finds the queue that a request is about, by the engine's name, and
// what must be known of it.
func (c *call) facts(queueURL string) (string, *facts, error) {
	name, err := c.queueOf(queueURL)
	if err != nil {
		return "", nil, err
	}
	q, err := c.engine.Queue(c.ctx, name)
	if err != nil {
		return "", nil, err
	}
	return name, &facts{number: q.Number, attributes: q.Attributes, inFlight: q.Counts.InFlight}, nil
}
