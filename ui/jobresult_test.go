package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
)

func TestJobsThatEndAreAnnounced(t *testing.T) {
	ran := engine.Task{ID: 2, Source: "orders-dlq", ToMove: 3}
	ends := func(s engine.TaskState, reason, to string, moved int) engine.Task {
		t := ran
		t.State, t.Reason, t.Destination, t.Moved = s, reason, to, moved
		return t
	}
	tests := []struct {
		name string
		end  engine.Task
		want resultMsg
	}{
		{"failed", ends(engine.TaskFailed, engine.ReasonOriginUnknown, "", 0), resultMsg{levelError, "job 2 failed at 0 of 3: a message has no origin; b shows it"}},
		{"a hostile reason", ends(engine.TaskFailed, "\x1b[2J", "", 0), resultMsg{levelError, "job 2 failed at 0 of 3: ␛[2J; b shows it"}},
		{"completed", ends(engine.TaskCompleted, "", "orders", 3), resultMsg{levelOK, "job 2 moved 3 of 3 to orders"}},
		{"completed to many", ends(engine.TaskCompleted, "", "", 3), resultMsg{levelOK, "job 2 moved 3 of 3 to their origin"}},
		{"cancelled", ends(engine.TaskCancelled, "", "", 1), resultMsg{levelWarn, "job 2 was cancelled at 1 of 3: what it moved stays moved"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := watched(100, 30)
			d.fake.tasks = []engine.Task{ran}
			d.refresh()
			before := d.status.last
			d.fake.tasks = []engine.Task{tt.end}
			d.refresh()
			if before == tt.want || d.status.last != tt.want {
				t.Errorf("result = %v, want %v", d.status.last, tt.want)
			}
			d.send(done("something else"))
			d.refresh()
			if d.status.last == tt.want {
				t.Error("it is announced twice")
			}
		})
	}
}

func TestJobsThatEndedBeforeAreNoNews(t *testing.T) {
	f := fakeWorld()
	f.tasks = []engine.Task{{ID: 1, Source: "orders-dlq", State: engine.TaskFailed, Reason: engine.ReasonSourceDeleted}}
	d := newDrive(f, Options{}, 100, 30)
	if !d.status.at.IsZero() {
		t.Errorf("at the start: %v", d.status.last)
	}
	f.tasks = append([]engine.Task{{ID: 2, Source: "orders-dlq", State: engine.TaskFailed, ToMove: 1}}, f.tasks...)
	d.refresh()
	if want := "job 2 failed at 0 of 1"; !strings.HasPrefix(d.status.last.text, want) {
		t.Errorf("a job that began and ended between two answers: %q, want %q", d.status.last.text, want)
	}
}

func TestJobResultsNameTheJob(t *testing.T) {
	for want, msg := range map[string]any{
		"rate of job 13 changed from 20/s to 50/s": redriveRateMsg{13, 20, 50},
		"job 13 is paused":                         pauseRedriveMsg(13),
		"job 13 goes on":                           resumeRedriveMsg(13),
		"job 13 ends; what it moved stays moved":   cancelRedriveMsg(13),
	} {
		d := watched(100, 30)
		d.fake.tasks = []engine.Task{{ID: 13, Source: "orders-dlq", ToMove: 3}}
		cmd, _ := d.loader.onTask(msg)
		if got := cmd(); got != done(want) {
			t.Errorf("%#v says %v, want %q", msg, got, want)
		}
	}
}

func TestTheJobsScreenOpensOnANewJob(t *testing.T) {
	d := watched(100, 30)
	d.fake.tasks = testTasks()[1:]
	d.refresh()
	d.keys("b", "j", "j", "esc", "b")
	if d.jobs.selected != 11 {
		t.Errorf("with no new job b selects %d, want the same as before: 11", d.jobs.selected)
	}
	d.keys("esc")
	d.fake.tasks = testTasks()
	d.refresh()
	d.keys("b")
	if d.jobs.selected != 14 {
		t.Errorf("b selects %d, want the new job 14", d.jobs.selected)
	}
}

func TestTheLogSaysWhyAJobFailed(t *testing.T) {
	p := newEventLog(testTheme())
	p.SetSize(100, 10)
	p.Update(eventsMsg{events: []engine.Event{
		{Seq: 1, Kind: engine.EventTask, Queue: "q", Task: 2, Text: "failed"},
		{Seq: 2, Kind: engine.EventTask, Queue: "q", Task: 3, Text: "completed"},
	}})
	p.Update(tasksMsg{tasks: []engine.Task{{ID: 2, State: engine.TaskFailed, Reason: engine.ReasonOriginUnknown}}})
	view := ansi.Strip(p.View())
	for _, want := range []string{"✖ job 2 on q: failed: a message has no origin", "✔ job 3 on q: completed"} {
		if !strings.Contains(view, want) {
			t.Errorf("the log does not say %q:\n%s", want, view)
		}
	}
}

func TestEnterShowsALogLineWhole(t *testing.T) {
	d := watched(80, 24)
	text := "orders was not purged: " + strings.Repeat("the disk is nearly full and ", 6) + "this is the end"
	d.send(failed("orders was not purged", &engine.InvalidError{Field: "x", Reason: text}))
	d.keys("L")
	if view := plainScreen(d); strings.Contains(view, "this is the end") {
		t.Fatalf("the line is not cut:\n%s", view)
	}
	d.keys("enter")
	if view := plainScreen(d); !strings.Contains(view, "this is the end") {
		t.Errorf("enter does not show the end:\n%s", view)
	}
	d.keys("enter")
	if len(d.overlays) != 0 {
		t.Error("enter does not close it")
	}
}
