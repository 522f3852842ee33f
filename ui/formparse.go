package ui

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// parseSpan reads a time as people type it: 30, 30s, 5m, 1h30m, 4d. It is
// false for anything else, and for what is no whole number of seconds.
func parseSpan(s string) (time.Duration, bool) {
	s = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(s)), " ", "")
	if s == "" {
		return 0, false
	}
	var total time.Duration
	for s != "" {
		digits := 0
		for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
			digits++
		}
		n, err := strconv.Atoi(s[:digits])
		if err != nil {
			return 0, false
		}
		unit := time.Second
		if s = s[digits:]; s != "" {
			switch s[0] {
			case 's':
			case 'm':
				unit = time.Minute
			case 'h':
				unit = time.Hour
			case 'd':
				unit = 24 * time.Hour
			default:
				return 0, false
			}
			s = s[1:]
		}
		if time.Duration(n) > 1<<31*time.Second/unit { // the product might not fit
			return 0, false
		}
		total += time.Duration(n) * unit
		if total > 1<<31*time.Second {
			return 0, false
		}
	}
	return total, true
}

// spanInput writes a time so that parseSpan reads the same.
func spanInput(d time.Duration) string {
	if d < time.Second {
		return "0s"
	}
	var b strings.Builder
	for _, u := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}} {
		if n := d / u.size; n > 0 {
			fmt.Fprintf(&b, "%d%s", n, u.name)
			d -= n * u.size
		}
	}
	return b.String()
}

// spanCheck is a field's check for a time between least and most.
func spanCheck(name string, least, most time.Duration) func(string) string {
	return func(s string) string {
		if d, ok := parseSpan(s); ok && d >= least && d <= most {
			return ""
		}
		return name + ": " + spanRange(least, most) + ", as 30, 30s, 5m, 4d"
	}
}

func spanRange(least, most time.Duration) string {
	return spanInput(least) + " to " + spanInput(most)
}

// numberCheck is a field's check for a whole number.
func numberCheck(name string, least, most int) func(string) string {
	return func(s string) string {
		if n, err := strconv.Atoi(strings.TrimSpace(s)); err == nil && n >= least && n <= most {
			return ""
		}
		return fmt.Sprintf("%s: %s to %s", name, countText(least), countText(most))
	}
}

// parseSize reads bytes: 1024, 64K, 1M.
func parseSize(s string) (int, bool) {
	s = strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(s)), "B")
	unit := 1
	switch {
	case strings.HasSuffix(s, "K"):
		s, unit = s[:len(s)-1], 1<<10
	case strings.HasSuffix(s, "M"):
		s, unit = s[:len(s)-1], 1<<20
	}
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 || n > 1<<30 {
		return 0, false
	}
	return n * unit, true
}

// sizeInput writes a size so that parseSize reads the same.
func sizeInput(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return strconv.Itoa(n>>20) + "M"
	case n >= 1<<10 && n%(1<<10) == 0:
		return strconv.Itoa(n>>10) + "K"
	default:
		return strconv.Itoa(n)
	}
}

func sizeCheck(name string, least, most int) func(string) string {
	return func(s string) string {
		if n, ok := parseSize(s); ok && n >= least && n <= most {
			return ""
		}
		return name + ": " + sizeInput(least) + " to " + sizeInput(most) + ", as 1024, 64K, 1M"
	}
}
