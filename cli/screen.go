package cli

import (
	"context"
	"errors"

	"inflight/engine"
)

// screen is what the console is told about where it runs.
type screen struct {
	place   string
	look    display
	traffic *traffic
	demo    bool
}

// draw shows the console until its user leaves or ctx ends.
func draw(ctx context.Context, e *engine.Engine, s screen) error {
	return errors.New("there is no console yet")
}
