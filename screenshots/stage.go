package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"inflight/engine"
	"inflight/scenario"
	"inflight/storage"
)

const (
	// seed is that of `inflight demo`.
	seed = 20260101
	// reapEvery is the engine's own pace.
	reapEvery = 50 * time.Millisecond
)

// opening is when the demo begins in the pictures.
var opening = time.Date(2026, time.January, 1, 12, 3, 0, 0, time.UTC)

// stage is an engine with the demo's traffic. It lives in a bubble of fake
// time, see takeAll.
type stage struct {
	engine   *engine.Engine
	scenario *scenario.Scenario
}

func openStage(ctx context.Context) (*stage, error) {
	time.Sleep(time.Until(opening))
	store, err := storage.OpenMemory()
	if err != nil {
		return nil, err
	}
	e, err := engine.Open(store, engine.Options{NewID: seededIDs()})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	s := &stage{engine: e, scenario: scenario.New(e, scenario.Options{Seed: seed, Start: time.Now()})}
	if err := s.scenario.Setup(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return s, nil
}

func (s *stage) close() error { return s.engine.Close() }

// play lets d pass: the traffic does its steps, each at its time, and the
// engine ticks. Before each of them it calls settle, so that whoever has
// something to do at the same moment has done it.
func (s *stage) play(ctx context.Context, d time.Duration, settle func() error) error {
	for end := time.Now().Add(d); time.Now().Before(end); {
		tick := time.Now().Truncate(reapEvery).Add(reapEvery)
		err := s.scenario.Play(ctx, tick, func(t time.Time) error {
			time.Sleep(time.Until(t))
			if err := settle(); err != nil {
				return err
			}
			return s.engine.Tick(t)
		})
		if err != nil {
			return fmt.Errorf("play the demo: %w", err)
		}
	}
	return settle()
}

// seededIDs gives message ids that are the same in every run.
func seededIDs() func() engine.ID {
	r := rand.New(rand.NewPCG(seed, 0))
	return func() (id engine.ID) {
		for i := range id {
			id[i] = byte(r.Uint32())
		}
		id[6] = id[6]&0x0f | 0x40 // version 4
		id[8] = id[8]&0x3f | 0x80
		return id
	}
}
