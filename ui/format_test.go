package ui

import (
	"testing"
	"time"
)

func TestNumbers(t *testing.T) {
	tests := []struct{ name, got, want string }{
		{"a small count", countText(7), "7"},
		{"a title's count", countText(1204), "1,204"},
		{"a million", countText(1234567), "1,234,567"},
		{"a column's count", shortCount(999), "999"},
		{"thousands keep a digit", shortCount(1204), "1.2k"},
		{"never more than there is", shortCount(1999), "1.9k"},
		{"ten thousands do not", shortCount(61_999), "61k"},
		{"almost a million", shortCount(999_999), "999k"},
		{"millions", shortCount(1_250_000), "1.2M"},
		{"bytes", bytesText(412), "412B"},
		{"four digits of bytes", bytesText(1000), "0.9K"},
		{"kilobytes", bytesText(1260), "1.2K"},
		{"tens of kilobytes", bytesText(64 << 10), "64K"},
		{"just below a megabyte", bytesText(1<<20 - 1), "0.9M"},
		{"a megabyte", bytesText(1 << 20), "1.0M"},
		{"a lease", leaseText(27 * time.Second), "27s"},
		{"a begun second counts", leaseText(26*time.Second + time.Millisecond), "27s"},
		{"a lease over", leaseText(-time.Second), "0s"},
		{"a lease past a minute", leaseText(100 * time.Second), "1m 40s"},
		{"a long lease", leaseText(12*time.Hour - time.Minute), "11h 59m"},
		{"an age", ageText(42 * time.Second), "42s"},
		{"an age past a minute has no seconds", ageText(6*time.Minute + 12*time.Second), "6m"},
		{"an age in hours", ageText(3*time.Hour + 12*time.Minute), "3h 12m"},
		{"an age in days", ageText(14*24*time.Hour - time.Hour), "13d 23h"},
		{"an age before now", ageText(-time.Hour), "0s"},
		{"a setting", spanText(96 * time.Hour), "4d"},
		{"an odd setting", spanText(90 * time.Second), "1m 30s"},
		{"a rate", rateText(42.4), "42/s"},
		{"a slow rate", rateText(0.033), "2/m"},
		{"the slowest rate", rateText(0.0001), "1/m"},
		{"no rate", rateText(0), "0/s"},
		{"receives", receivesText(2, 3), "2/3"},
		{"receives without a policy", receivesText(2, 0), "2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got %q, want %q", tt.got, tt.want)
			}
		})
	}
}

func TestClockText(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 4, 31, 0, time.UTC)
	tests := []struct {
		name string
		t    time.Time
		want string
	}{
		{"today", now.Add(-time.Hour), "11:04:31"},
		{"yesterday", now.Add(-24 * time.Hour), "Mar 3 12:04:31"},
		{"another year", now.Add(-365 * 24 * time.Hour), "2025-03-04 12:04:31"},
		{"in now's zone", now.In(time.FixedZone("", 3600)), "12:04:31"},
		{"never", time.Time{}, "never"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := clockText(tt.t, now); got != tt.want {
				t.Errorf("clockText(%v) = %q, want %q", tt.t, got, tt.want)
			}
		})
	}
}
