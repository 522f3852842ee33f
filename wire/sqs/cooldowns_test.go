package sqs

import (
	"context"
	"errors"
	"testing"
)

func TestAPurgeThatFailsStartsNoCooldown(t *testing.T) {
	r := newRig(t, Options{Cooldown: true})
	q := r.queue("q")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := &call{Handler: r.Handler, ctx: ctx, region: "us-east-1"}
	if _, err := c.purgeQueue(&queueInput{queueURL: q}); !errors.Is(err, context.Canceled) {
		t.Fatalf("a purge whose client has gone = %v", err)
	}
	r.must("PurgeQueue", M{"QueueUrl": q})
}
