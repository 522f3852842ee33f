package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"inflight/engine"
	"inflight/scenario"
	"inflight/ui"
)

// scene is one picture: what an operator does until it is taken.
type scene struct {
	name          string
	width, height int
	light         bool
	play          func(*operator)
}

var scenes = []scene{
	{"main", 100, 30, false, watchLeases},
	{"main-light", 100, 30, true, watchLeases},
	{"main-80x24", 80, 24, false, watchLeases},
	{"detail", 100, 30, false, openDead},
	{"redrive", 100, 30, false, askRedrive},
	{"jobs", 100, 30, false, runRedrives},
	{"help", 100, 30, false, askHelp},
}

// watchLeases marks two visible messages and peeks at a third, then stands on
// a message in flight whose next receive would be one too many.
func watchLeases(o *operator) {
	o.waitFor("a lease on its last receive", func(s sight) bool {
		at := s.lastChance()
		return s.dead >= 6 && s.visible >= 12 && len(s.flight) >= 4 && at >= 0 && at < 4 && s.left(at) < 5500*time.Millisecond
	})
	o.press("1", "down", "down", "space", "space", "p", "2")
	for range o.see().lastChance() {
		o.press("down")
	}
}

// manyDead waits for enough dead orders to make a redrive worthwhile.
func manyDead(o *operator) {
	o.waitFor("dead orders", func(s sight) bool { return s.dead >= 8 })
	o.press("3")
}

// openDead looks into the newest order that died of its amount, a text.
func openDead(o *operator) {
	manyDead(o)
	page, err := o.stage.engine.Page(o.ctx, engine.PageRequest{
		Queue: scenario.DemoNames.DLQ, State: engine.Ready, Limit: engine.MaxBatch, Reverse: true,
	})
	o.fail(err)
	for range slices.IndexFunc(page.Rows, func(r engine.Row) bool {
		return bytes.Contains(r.Message.Body, []byte(`"amount":"`))
	}) {
		o.press("down")
	}
	o.press("enter")
}

func askRedrive(o *operator) {
	manyDead(o)
	o.press("R")
}

// runRedrives sends two marked orders back, then all at one a second.
func runRedrives(o *operator) {
	manyDead(o)
	o.press("space", "space", "R", "right", "enter")
	o.wait(2 * time.Second)
	o.press("esc", "R", "shift+tab", "backspace", "backspace", "1", "tab", "right", "enter", "b", "g")
	o.wait(3 * time.Second)
}

func askHelp(o *operator) {
	watchLeases(o)
	o.press("?")
}

// sight is what a scene waits for: how the demo's orders stand.
type sight struct {
	now           time.Time
	visible, dead int
	flight        []engine.Row // soonest first
}

// left is how long a message in flight stays hidden.
func (s sight) left(i int) time.Duration { return s.flight[i].Due.Sub(s.now) }

// lastChance is the row in flight of a message that was received as often as
// it may be, or -1.
func (s sight) lastChance() int {
	return slices.IndexFunc(s.flight, func(r engine.Row) bool { return r.Receives >= scenario.MaxReceives })
}

func (o *operator) see() sight {
	s := sight{now: time.Now()}
	stats, err := o.stage.engine.Queues(o.ctx)
	o.fail(err)
	for _, queue := range stats {
		switch queue.Name {
		case scenario.DemoNames.Orders:
			s.visible = queue.Counts.Ready
		case scenario.DemoNames.DLQ:
			s.dead = queue.Counts.Ready
		}
	}
	page, err := o.stage.engine.Page(o.ctx, engine.PageRequest{
		Queue: scenario.DemoNames.Orders, State: engine.InFlight, Limit: engine.MaxBatch,
	})
	o.fail(err)
	s.flight = page.Rows
	return s
}

// waitFor lets the demo go on until ok says so, for ten minutes of its time.
func (o *operator) waitFor(what string, ok func(sight) bool) {
	for end := time.Now().Add(10 * time.Minute); o.err == nil && !ok(o.see()); {
		if time.Now().After(end) {
			o.fail(fmt.Errorf("the demo never shows %s", what))
		}
		o.wait(100 * time.Millisecond)
	}
}

// take plays a scene from the demo's first moment on and returns what the
// terminal shows at its end. It needs fake time: see takeAll.
func take(ctx context.Context, s scene) (shown *screen, err error) {
	if err := plainTerminal(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stage, err := openStage(ctx)
	if err != nil {
		return nil, err
	}
	options := ui.Options{
		Now:   func() time.Time { return time.Now().UTC() },
		Place: "demo", Throwaway: true, Theme: "dark",
		Demo: &ui.DemoOptions{Hint: stage.scenario.Hint},
	}
	if s.light {
		options.Theme = "light"
	}
	model, done := ui.New(ctx, stage.engine, options)
	defer func() {
		cancel() // ends the console's timers
		done()
		err = errors.Join(err, stage.close())
	}()
	o := sitDown(ctx, stage, model, s.width, s.height)
	s.play(o)
	if o.err != nil {
		return nil, fmt.Errorf("picture %s: %w", s.name, o.err)
	}
	return o.look(), nil
}

// plainTerminal makes the console draw for a terminal with all colours,
// whatever we run in.
func plainTerminal() error {
	return errors.Join(os.Setenv("TERM", "xterm-256color"), os.Setenv("COLORTERM", "truecolor"), os.Unsetenv("NO_COLOR"))
}
