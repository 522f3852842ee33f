package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
)

func TestLateDeletesAreShown(t *testing.T) {
	d := deadDetail()
	d.LateDeletes = []engine.LateDelete{
		{At: noon.Add(-5 * time.Second), By: 7 * time.Second, Holder: "billing-3"},
		{At: noon.Add(-4 * time.Second), Holder: "billing-1"},
	}
	p := newDetailPane(testTheme(), paneDead, d.Ref)
	p.SetSize(200, 50)
	p.Update(tickMsg{noon})
	p.Update(detailMsg{ref: d.Ref, detail: d})
	view := ansi.Strip(p.View())
	for _, want := range []string{"7s after its lease", "old receipt"} {
		if !strings.Contains(view, want) {
			t.Errorf("the detail does not say %q:\n%s", want, view)
		}
	}
	if strings.Index(view, "dead-lettered") > strings.Index(view, "7s after its lease") {
		t.Errorf("the late delete stands before the death that it followed:\n%s", view)
	}
}

func TestLogSaysHowLateADeleteWas(t *testing.T) {
	for _, tt := range []struct {
		event engine.Event
		want  string
	}{
		{engine.Event{Holder: "billing-2"}, "a message deleted from orders by billing-2"},
		{engine.Event{Holder: "billing-2", Late: 3 * time.Second}, "a message deleted from orders by billing-2, 3s after its lease ended"},
		{engine.Event{Holder: "billing-2", Stale: true}, "a message deleted from orders by an old receipt, while billing-2 held it"},
		{engine.Event{Holder: "billing-2", Stale: true, Late: time.Second}, "a message deleted from orders by an old receipt, 1s after its lease ended"},
	} {
		tt.event.Kind, tt.event.Queue, tt.event.Count = engine.EventDeleted, "orders", 1
		if got := eventText(tt.event); got != tt.want {
			t.Errorf("the log says %q, want %q", got, tt.want)
		}
	}
}
