package engine

import "time"

// clock cuts time to milliseconds and never lets it go back: after a step
// back it goes on from where it was.
type clock struct {
	read   func() time.Time
	raw    int64 // the last reading
	offset int64 // what steps back have taken, given back
	last   int64
}

// now returns milliseconds since 1970.
func (c *clock) now() int64 { return c.at(c.read()) }

func (c *clock) at(t time.Time) int64 {
	ms := t.UnixMilli()
	if ms < c.raw {
		c.offset += c.raw - ms
	}
	c.raw = ms
	c.last = max(c.last, ms+c.offset)
	return c.last
}

// atLeast takes a reading that may be older than the last: whoever took it
// waited for the lock. That is no step back.
func (c *clock) atLeast(t time.Time) {
	if t.UnixMilli() > c.raw {
		c.at(t)
	}
}

// moment turns the engine's milliseconds into a time; 0 is the zero time.
func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// millis is the inverse of moment.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
