package sqs

import "inflight/engine"

// facts finds the queue that a request is about, by the engine's name, and
// what must be known of it.
func (c *call) facts(queueURL string) (string, *engine.Facts, error) {
	name, err := c.queueOf(queueURL)
	if err != nil {
		return "", nil, err
	}
	q, err := c.engine.Facts(name)
	if err != nil {
		return "", nil, err
	}
	c.options.Touched(name)
	return name, &q, nil
}
