package ui

import (
	"strings"
	"time"

	"inflight/engine"
)

// The engine counts since a queue's creation; rates and sparklines come from
// what the counters were in the last five minutes, one value every five
// seconds.
const (
	sampleStep  = 5 * time.Second
	sampleSteps = 61 // five minutes and the step they are compared with
	rateSteps   = 12 // the last 60 s
)

// unknown is a sparkline's value for a time before we looked.
const unknown = -1

// counter picks one of a queue's counters.
type counter func(*engine.Counters) uint64

func inCounter(c *engine.Counters) uint64       { return c.Sent + c.DeadLetteredIn }
func sentCounter(c *engine.Counters) uint64     { return c.Sent }
func receivedCounter(c *engine.Counters) uint64 { return c.Received }
func deletedCounter(c *engine.Counters) uint64  { return c.Deleted }
func lapsedCounter(c *engine.Counters) uint64   { return c.Lapsed }
func deadOutCounter(c *engine.Counters) uint64  { return c.DeadLetteredOut }
func deadInCounter(c *engine.Counters) uint64   { return c.DeadLetteredIn }
func redrivenCounter(c *engine.Counters) uint64 { return c.RedrivenOut }

type sample struct {
	step     int64
	ready    int
	counters engine.Counters
}

// history is one queue's last five minutes.
type history struct {
	queue   uint32
	samples []sample // by step, one a step at most
	since   time.Time
	at      time.Time
}

// add takes what the queue counts at a time. A queue that was made anew under
// its name starts afresh.
func (h *history) add(stats *engine.QueueStats, at time.Time) {
	if h.queue != stats.Number || at.Before(h.at) {
		*h = history{queue: stats.Number}
	}
	step := at.UnixNano() / int64(sampleStep)
	s := sample{step, stats.Counts.Ready, stats.Counters}
	h.at = at
	switch last := len(h.samples) - 1; {
	case last < 0:
		h.since = at
		first := s
		first.step-- // what this step's growth is compared with
		h.samples = append(h.samples, first, s)
	case h.samples[last].step == step:
		h.samples[last] = s
	default:
		h.samples = append(h.samples, s)
	}
	oldest := 0
	for oldest < len(h.samples)-1 && h.samples[oldest+1].step <= step-sampleSteps {
		oldest++
	}
	h.samples = h.samples[oldest:]
}

// before returns the last sample not after step, or nil.
func (h *history) before(step int64) *sample {
	for i := len(h.samples) - 1; i >= 0; i-- {
		if h.samples[i].step <= step {
			return &h.samples[i]
		}
	}
	return nil
}

func (h *history) step() int64 { return h.at.UnixNano() / int64(sampleStep) }

// grown is by how much a counter grew in the last steps.
func (h *history) grown(pick counter, steps int) int {
	if len(h.samples) == 0 {
		return 0
	}
	from := h.before(h.step() - int64(steps))
	if from == nil {
		from = &h.samples[0]
	}
	to := &h.samples[len(h.samples)-1]
	return int(pick(&to.counters) - pick(&from.counters))
}

// rate is how fast a counter grew in the last 60 s, or since we look.
func (h *history) rate(pick counter) float64 {
	seen := h.at.Sub(h.since)
	window := time.Duration(rateSteps-1)*sampleStep + h.at.Sub(h.at.Truncate(sampleStep))
	window = max(min(seen, window), time.Second)
	return float64(h.grown(pick, rateSteps)) / window.Seconds()
}

// growth is a counter's growth in each of the last steps, oldest first.
func (h *history) growth(pick counter, steps int) []int {
	values := make([]int, steps)
	for i := range values {
		step := h.step() - int64(steps-1-i)
		from, to := h.before(step-1), h.before(step)
		if from == nil || to == nil {
			values[i] = unknown
			continue
		}
		values[i] = int(pick(&to.counters) - pick(&from.counters))
	}
	return values
}

// depth is how many messages were ready at the end of each cell's share of the
// last five minutes, oldest first.
func (h *history) depth(cells int) []int {
	values := make([]int, cells)
	per := int64((sampleSteps - 1) / cells)
	last := h.step()
	end := last - last%per + per - 1 // cells keep their place while time goes on
	for i := range values {
		step := end - per*int64(cells-1-i)
		s := h.before(step)
		if s == nil || s.step <= step-per && i < cells-1 && s == &h.samples[0] {
			values[i] = unknown
			continue
		}
		values[i] = s.ready
	}
	return values
}

// spark draws values in one scale from zero, the unknown ones as a faint
// ground line. A flat run stands half high, so that it is not a block.
func spark(th theme, k ink, values []int, onRow bool) string {
	top, sum, known := 0, 0, 0
	for _, v := range values {
		top = max(top, v)
		if v > 0 {
			sum += v
			known++
		}
	}
	if known > 1 {
		top = max(top, 2*sum/known)
	}
	var b, ground strings.Builder
	flush := func(run *strings.Builder, k ink) {
		if onRow {
			k.on = k.row
		}
		b.WriteString(k.Render(run.String()))
		run.Reset()
	}
	var run strings.Builder
	for _, v := range values {
		if v == unknown {
			flush(&run, k)
			ground.WriteString(th.glyph.spark[0])
			continue
		}
		flush(&ground, th.faint)
		level := 0
		if top > 0 && v > 0 {
			level = max((v*7+top-1)/top, 1)
		}
		run.WriteString(th.glyph.spark[level])
	}
	flush(&ground, th.faint)
	flush(&run, k)
	return b.String()
}
