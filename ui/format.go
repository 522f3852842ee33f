package ui

import (
	"strconv"
	"strings"
	"time"

	"inflight/engine"
)

// Numbers are written one way on every screen: see "Numbers" in the visual
// language. Zero in a column is not a number but the glyph none.

// countText writes a count for titles and sentences: 1,204.
func countText(n int) string {
	s := strconv.Itoa(n)
	if n > -1000 && n < 1000 {
		return s
	}
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	var b strings.Builder
	for i, digit := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return sign + b.String()
}

// shortCount writes a count for columns in at most four cells: 999, 1.2k, 61k,
// 1.2M. It rounds down, so that it never says more than there is.
func shortCount(n int) string {
	for _, unit := range []struct {
		size int
		name string
	}{{1_000_000_000, "G"}, {1_000_000, "M"}, {1_000, "k"}} {
		switch {
		case n < unit.size:
		case n < 10*unit.size:
			tenths := n / (unit.size / 10)
			return strconv.Itoa(tenths/10) + "." + strconv.Itoa(tenths%10) + unit.name
		default:
			return strconv.Itoa(n/unit.size) + unit.name
		}
	}
	return strconv.Itoa(n)
}

// bytesText writes a size in at most four cells: 412B, 1.2K, 64K, 1.0M.
func bytesText(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n) + "B"
	case n < 1000<<10:
		return scaled(n, 1<<10, "K")
	case n < 1000<<20:
		return scaled(n, 1<<20, "M")
	default:
		return scaled(n, 1<<30, "G")
	}
}

func scaled(n, unit int, name string) string {
	if tenths := n * 10 / unit; tenths < 100 {
		return strconv.Itoa(tenths/10) + "." + strconv.Itoa(tenths%10) + name
	}
	return strconv.Itoa(n/unit) + name
}

// leaseText writes what is left of a lease: 27s, 1m 40s, 11h 59m. A second
// that has begun counts whole, so that 0s means over.
func leaseText(d time.Duration) string {
	return twoUnits(wholeSeconds(d), true)
}

// wholeSeconds rounds up, as countdowns do; less than nothing is nothing.
func wholeSeconds(d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return (d + time.Second - 1).Truncate(time.Second)
}

// ageText writes how long ago something was: 42s, then 6m, 3h 12m, 13d 23h.
// Past a minute it has no seconds: a list that ticks is restless.
func ageText(d time.Duration) string {
	return twoUnits(max(d, 0).Truncate(time.Second), false)
}

// spanText writes a setting exactly where two units can: 0s, 30s, 1m 30s, 4d.
func spanText(d time.Duration) string {
	return twoUnits(d.Truncate(time.Second), true)
}

func twoUnits(d time.Duration, secondsPastMinute bool) string {
	seconds := int(d / time.Second)
	minutes, hours, days := seconds/60, seconds/3600, seconds/86400
	switch {
	case seconds < 60:
		return strconv.Itoa(seconds) + "s"
	case minutes < 60 && secondsPastMinute:
		return pair(minutes, "m", seconds%60, "s")
	case minutes < 60:
		return strconv.Itoa(minutes) + "m"
	case hours < 24:
		return pair(hours, "h", minutes%60, "m")
	default:
		return pair(days, "d", hours%24, "h")
	}
}

func pair(major int, majorUnit string, minor int, minorUnit string) string {
	if minor == 0 {
		return strconv.Itoa(major) + majorUnit
	}
	return strconv.Itoa(major) + majorUnit + " " + strconv.Itoa(minor) + minorUnit
}

// clockText writes a time in now's zone: 12:04:31, with the date when it is
// not today's.
func clockText(t, now time.Time) string {
	if t.IsZero() {
		return "never"
	}
	t = t.In(now.Location())
	switch {
	case sameDay(t, now):
		return t.Format("15:04:05")
	case t.Year() == now.Year():
		return t.Format("Jan 2 15:04:05")
	default:
		return t.Format("2006-01-02 15:04:05")
	}
}

func sameDay(a, b time.Time) bool {
	return a.YearDay() == b.YearDay() && a.Year() == b.Year()
}

// rateText writes events a second: 42/s, below one 2/m, and nothing as 0/s.
func rateText(perSecond float64) string {
	switch {
	case perSecond <= 0:
		return "0/s"
	case perSecond >= 1:
		return shortCount(int(perSecond+0.5)) + "/s"
	default:
		return strconv.Itoa(max(int(perSecond*60+0.5), 1)) + "/m"
	}
}

// shortID is the first eight characters of an id; detail and copy have all.
func shortID(id engine.ID) string {
	const hex = "0123456789abcdef"
	var b [8]byte
	for i := range 4 {
		b[2*i], b[2*i+1] = hex[id[i]>>4], hex[id[i]&15]
	}
	return string(b[:])
}

// receivesText is 2/3 against the limit, or 2 without one.
func receivesText(receives, max int) string {
	if max <= 0 {
		return strconv.Itoa(receives)
	}
	return strconv.Itoa(receives) + "/" + strconv.Itoa(max)
}

// plural is "1 message", "1,204 messages".
func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return countText(n) + " " + one + "s"
}
