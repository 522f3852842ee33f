package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"inflight/engine"
)

// In a standard queue age counts from the first send, also in the dead-letter
// queue; a FIFO queue's messages start anew there.
func TestTheAlarmOfAShortRetention(t *testing.T) {
	tests := []struct {
		name   string
		source engine.Attributes
		dlq    time.Duration
		want   bool
	}{
		{"a longer one is fine", engine.Attributes{Retention: time.Hour}, 2 * time.Hour, false},
		{"the same is too short", engine.Attributes{Retention: time.Hour}, time.Hour, true},
		{"FIFO starts anew", engine.Attributes{Type: engine.FIFO, Retention: time.Hour}, time.Minute, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := expireEarly(tt.source, tt.dlq); got != tt.want {
				t.Errorf("expireEarly(%v, %v) = %v, want %v", tt.source, tt.dlq, got, tt.want)
			}
		})
	}
}

func TestAlarmsHaveRoomBesideManyQueues(t *testing.T) {
	for width, want := range map[int]string{
		100: "dead ones expire too soon ", 200: "dead ones expire too soon: the DLQ keeps 1h ",
	} {
		d := watched(width, 30)
		d.fake.find("orders-dlq").stats.Attributes.Retention = time.Hour
		for i := range 12 {
			d.fake.make(fmt.Sprintf("queue-%d", i), engine.DefaultAttributes())
		}
		d.refresh()
		for _, want := range []string{want, "messages died in 5m", "dead", "lapsed"} {
			if !strings.Contains(plainScreen(d), want) {
				t.Errorf("%d columns: no %q in\n%s", width, want, plainScreen(d))
			}
		}
	}
}
