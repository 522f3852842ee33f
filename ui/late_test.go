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
	text := eventText(engine.Event{Kind: engine.EventDeleted, Queue: "orders", Count: 1, Late: 3 * time.Second})
	if !strings.Contains(text, "3s after its lease ended") {
		t.Errorf("the log says %q", text)
	}
}
