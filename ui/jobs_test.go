package ui

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"inflight/engine"
)

func testTasks() []engine.Task {
	at := func(before time.Duration) time.Time { return noon.Add(-before) }
	return []engine.Task{
		{ID: 14, Source: "orders-dlq", Rate: 10, State: engine.TaskRunning, Moved: 23, ToMove: 61, Started: at(140 * time.Second)},
		{ID: 13, Source: "emails-dlq", Destination: "emails-eu", Rate: 50, State: engine.TaskPaused, Moved: 355, ToMove: 1500, Started: at(10 * time.Minute)},
		{ID: 12, Source: "pay-dlq", State: engine.TaskRunning, Selected: true, Moved: 0, ToMove: 3, Started: at(time.Second)},
		{ID: 11, Source: "txn-dlq", Destination: "txn", Rate: 500, State: engine.TaskFailed, Moved: 8, ToMove: 16, Reason: "destination txn was deleted", Started: at(time.Hour), Finished: at(50 * time.Minute)},
		{ID: 10, Source: "audit-dlq", Rate: 20, State: engine.TaskCompleted, Moved: 1_234_567, ToMove: 1_234_567, Started: at(26 * time.Hour), Finished: at(25 * time.Hour)},
		{ID: 9, Source: hostile, Destination: hostile, Rate: 20, State: engine.TaskFailed, Moved: 412, ToMove: 900, Reason: hostile, Started: at(26 * time.Hour), Finished: at(25 * time.Hour)},
		{ID: 8, Source: "old-dlq", Rate: 20, State: engine.TaskCancelled, Moved: 1, ToMove: 9, Started: at(26 * time.Hour), Finished: at(25 * time.Hour)},
		{ID: 7, Source: "older-dlq", Rate: 20, State: engine.TaskCancelling, Moved: 1, ToMove: 9, Started: at(time.Minute)},
	}
}

// openTestJobs has seen ten seconds of job 14, at 8 a second.
func openTestJobs(tasks []engine.Task) *jobsPane {
	p := newJobsPane(testTheme())
	for i := 10; i >= 0; i-- {
		p.Update(tickMsg{noon.Add(-time.Duration(i) * time.Second)})
		now := append([]engine.Task(nil), tasks...)
		if len(now) > 0 {
			now[0].Moved -= 8 * i / 4
		}
		p.Update(tasksMsg{tasks: now})
	}
	return p
}

func TestJobsViews(t *testing.T) {
	failed := newJobsPane(testTheme())
	failed.Update(tasksMsg{err: errors.New("no\x1b[2J")})
	for _, tt := range []struct {
		name string
		pane *jobsPane
		keys []string
	}{
		{"running", openTestJobs(testTasks()), nil},
		{"paused", openTestJobs(testTasks()), []string{"j"}},
		{"failed", openTestJobs(testTasks()), []string{"j", "j", "j"}},
		{"hostile", openTestJobs(testTasks()), []string{"j", "j", "j", "j", "j"}},
		{"none", openTestJobs(nil), nil},
		{"unread", failed, nil},
	} {
		pressKeys(tt.pane, tt.keys...)
		for _, size := range bodySizes {
			t.Run(fmt.Sprintf("%s %dx%d", tt.name, size[0], size[1]), func(t *testing.T) {
				tt.pane.SetSize(size[0], size[1])
				checkExact(t, tt.pane.View(), size[0], size[1])
				requireView(t, tt.pane.View(), size[0], size[1])
			})
		}
	}
}

func TestJobsFitAnySize(t *testing.T) {
	p := openTestJobs(testTasks())
	for width := 40; width <= 220; width += 7 {
		for height := 9; height <= 60; height += 4 {
			p.SetSize(width, height)
			checkExact(t, p.View(), width, height)
		}
	}
}

func TestJobsIntents(t *testing.T) {
	tests := []struct {
		name string
		row  int
		key  string
		want any
	}{
		{"a running job pauses", 0, "p", pauseRedriveMsg(14)},
		{"a paused job resumes", 1, "p", resumeRedriveMsg(13)},
		{"faster", 0, "+", redriveRateMsg{14, 10, 20}},
		{"slower", 0, "-", redriveRateMsg{14, 10, 5}},
		{"nothing is faster than as fast as it goes", 2, "+", nil},
		{"slower than as fast as it goes is 500", 2, "-", redriveRateMsg{12, 0, 500}},
		{"a failed job starts again as it was", 3, "r", redriveMsg{engine.RedriveRequest{Source: "txn-dlq", Destination: "txn", Rate: 500}}},
		{"a running job does not start again", 0, "r", nil},
		{"an ended job does not pause", 4, "p", nil},
		{"an ended job is not cancelled", 4, "C", nil},
		{"a job that is being cancelled is not again", 7, "C", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := openTestJobs(testTasks())
			p.SetSize(100, 27)
			for range tt.row {
				pressKeys(p, "j")
			}
			if got := pressKeys(p, tt.key); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%s asks for %#v, want %#v", tt.key, got, tt.want)
			}
			for _, group := range p.FullHelp() {
				for _, b := range group {
					if b.Enabled() == (p.why(b) != "") {
						t.Errorf("%s enabled %v, why %q", b.Help().Key, b.Enabled(), p.why(b))
					}
				}
			}
		})
	}
	p := openTestJobs(testTasks())
	open, ok := pressKeys(p, "C").(openMsg)
	if !ok {
		t.Fatal("C does not ask")
	}
	if got := pressKeys(open.overlay, "y"); got != (doneMsg{cancelRedriveMsg(14)}) {
		t.Errorf("y asks for %#v", got)
	}
}

func TestJobRates(t *testing.T) {
	rate := 1
	var up []int
	for rate != 0 {
		rate = fasterRate(rate)
		up = append(up, rate)
	}
	if want := []int{2, 5, 10, 20, 50, 100, 200, 500, 0}; !reflect.DeepEqual(up, want) {
		t.Errorf("up from 1: %v, want %v", up, want)
	}
	for _, tt := range [][3]int{{7, 10, 5}, {500, 0, 200}, {1, 2, 1}, {499, 500, 200}} {
		if fasterRate(tt[0]) != tt[1] || slowerRate(tt[0]) != tt[2] {
			t.Errorf("from %d: %d and %d, want %d and %d", tt[0], fasterRate(tt[0]), slowerRate(tt[0]), tt[1], tt[2])
		}
	}
}

// The rate is what was seen, not what was asked for; a pause does not count.
func TestJobPace(t *testing.T) {
	p := openTestJobs(testTasks())
	if rate, ok := p.pace[14].rate(); !ok || rate != 2 {
		t.Errorf("rate = %v, %v, want 2", rate, ok)
	}
	if left, ok := p.leftOf(p.tasks[0]); !ok || left != 19*time.Second {
		t.Errorf("left = %v, %v, want (61-23)/2 s", left, ok)
	}
	tasks := testTasks()
	tasks[0].State = engine.TaskPaused
	p.Update(tasksMsg{tasks: tasks})
	p.Update(tickMsg{noon.Add(time.Hour)})
	tasks = testTasks()
	p.Update(tasksMsg{tasks: tasks})
	if rate, ok := p.pace[14].rate(); ok {
		t.Errorf("right after a pause the rate is said to be %v", rate)
	}
	if left, ok := p.leftOf(tasks[0]); !ok || left != 3800*time.Millisecond {
		t.Errorf("left = %v, %v, want 38 at the 10/s asked for", left, ok)
	}
}

func TestJobsKeepTheSelection(t *testing.T) {
	p := openTestJobs(testTasks())
	pressKeys(p, "j")
	tasks := append([]engine.Task{{ID: 15, Source: "new-dlq"}}, testTasks()...)
	p.Update(tasksMsg{tasks: tasks})
	if got, _ := p.current(); got.ID != 13 {
		t.Errorf("a new job moves the selection to %d", got.ID)
	}
}

func TestLogViews(t *testing.T) {
	full := openTestLog()
	filtered := openTestLog()
	filtered.Update(findMsg{findInLog, "orders-dlq"})
	nothing := openTestLog()
	nothing.Update(findMsg{findInLog, "zzz"})
	empty := newEventLog(testTheme())
	empty.Update(tickMsg{noon})
	for _, tt := range []struct {
		name string
		pane *eventLog
		keys []string
	}{{"full", full, nil}, {"scrolled", openTestLog(), []string{"G"}}, {"filtered", filtered, nil}, {"not found", nothing, nil}, {"empty", empty, nil}} {
		for _, size := range bodySizes {
			t.Run(fmt.Sprintf("%s %dx%d", tt.name, size[0], size[1]), func(t *testing.T) {
				tt.pane.SetSize(size[0], size[1])
				pressKeys(tt.pane, tt.keys...)
				checkExact(t, tt.pane.View(), size[0], size[1])
				requireView(t, tt.pane.View(), size[0], size[1])
			})
		}
	}
}

// openTestLog has seen an event of each kind, and some results.
func openTestLog() *eventLog {
	p := newEventLog(testTheme())
	p.Update(tickMsg{noon.Add(-time.Minute)})
	p.Update(resultMsg{levelOK, "peeked 7f3a0001: receive 1 of 3 (a peek counts)"})
	var events []engine.Event
	for kind := engine.EventQueueCreated; kind <= engine.EventTask; kind++ {
		e := engine.Event{Seq: uint64(kind) + 1, At: noon.Add(time.Duration(int(kind)-20) * time.Second), Kind: kind, Queue: "orders", ID: testID(int(kind)),
			Holder: "billing-3", Other: "orders-dlq", Count: 1, Receives: 2, Task: 14, Text: "running"}
		events = append(events, e)
	}
	events = append(events, engine.Event{Seq: 98, At: noon.Add(-3 * time.Second), Kind: engine.EventExpired, Queue: "orders", Count: 1204})
	events = append(events, engine.Event{Seq: 99, At: noon.Add(-2 * time.Second), Kind: engine.EventReceived, Queue: hostile, Holder: hostile})
	p.Update(eventsMsg{events: events, missed: 12})
	p.Update(tickMsg{noon})
	p.Update(resultMsg{levelError, "7f3a0007 was not deleted: the message is gone"})
	return p
}

func TestLogRemembersIDs(t *testing.T) {
	p := newEventLog(testTheme())
	p.SetSize(80, 10)
	ref := engine.Ref{Queue: 1, Pos: 7}
	p.Update(eventsMsg{events: []engine.Event{
		{Seq: 1, Kind: engine.EventSent, Queue: "q", Ref: ref, ID: testID(7)},
		{Seq: 2, Kind: engine.EventLapsed, Queue: "q", Ref: ref},
		{Seq: 3, Kind: engine.EventLapsed, Queue: "q", Ref: engine.Ref{Queue: 1, Pos: 8}},
	}})
	view := ansi.Strip(p.View())
	if !strings.Contains(view, "7f3a0007 lapsed in q") || !strings.Contains(view, "a message lapsed in q") {
		t.Errorf("the log says\n%s", view)
	}
	for i := range 5 * keptEvents {
		p.named(engine.Event{Ref: engine.Ref{Pos: uint64(i) + 100}, ID: testID(1)})
	}
	if len(p.ids) > 4*keptEvents {
		t.Errorf("%d ids are remembered", len(p.ids))
	}
}

func TestLogKeepsThePlace(t *testing.T) {
	p := openTestLog()
	p.SetSize(80, 10)
	pressKeys(p, "j", "j", "j")
	p.View()
	was, _, _ := p.text(p.rows[p.cursor])
	for i := range 5 {
		p.Update(eventsMsg{events: []engine.Event{{Seq: uint64(200 + i), At: noon.Add(time.Duration(i) * time.Second), Kind: engine.EventSent, Queue: "q"}}})
	}
	p.View()
	if is, _, _ := p.text(p.rows[p.cursor]); is != was {
		t.Errorf("new lines move the cursor from %q to %q", was, is)
	}
	pressKeys(p, "g")
	p.Update(resultMsg{levelOK, "newest"})
	p.Update(tickMsg{noon.Add(time.Minute)})
	p.View()
	if p.cursor != 0 {
		t.Errorf("at the top the cursor follows what is newest, not %d", p.cursor)
	}
}

func TestLogKeepsResultsUnderLoad(t *testing.T) {
	p := openTestLog()
	p.SetSize(100, 27)
	for i := range 50 {
		events := make([]engine.Event, 1000)
		for j := range events {
			events[j] = engine.Event{Seq: uint64(1000*i + j), At: noon.Add(time.Duration(i) * time.Second), Kind: engine.EventSent, Queue: "q"}
		}
		p.Update(eventsMsg{events: events})
	}
	p.View()
	if n := len(p.rows); n > keptEvents+keptResults {
		t.Errorf("%d lines are shown", n)
	}
	if n := len(p.events); n > 2*keptEvents {
		t.Errorf("%d events are kept", n)
	}
	p.Update(findMsg{findInLog, "was not deleted"})
	if view := ansi.Strip(p.View()); !strings.Contains(view, "7f3a0007 was not deleted") {
		t.Errorf("events washed a result away:\n%s", view)
	}
}

func TestLogIntents(t *testing.T) {
	p := openTestLog()
	p.SetSize(80, 10)
	if got := pressKeys(p, "y"); got != (copyMsg{"log line", "12:04:31  7f3a0007 was not deleted: the message is gone"}) {
		t.Errorf("y asks for %#v", got)
	}
	if _, ok := pressKeys(p, "/").(openMsg); !ok {
		t.Errorf("/ opens nothing")
	}
	p.Update(findMsg{findInLog, "x"})
	if !p.back() || p.query != "" || p.back() {
		t.Errorf("esc does not take back the filter alone")
	}
}

// At 1 a second the first message may fall into any part of the first seconds.
func TestJobEstimateAtTheStart(t *testing.T) {
	p := newJobsPane(testTheme())
	task := engine.Task{ID: 1, Source: "orders-dlq", Rate: 1, State: engine.TaskRunning, ToMove: 30}
	for i, moved := range []int{1, 1, 2} {
		p.Update(tickMsg{noon.Add(time.Duration(i) * time.Second)})
		task.Moved = moved
		p.Update(tasksMsg{tasks: []engine.Task{task}})
	}
	if left, ok := p.leftOf(task); !ok || left != 28*time.Second {
		t.Errorf("after 2 s with 28 left at 1/s: %v, %v; want 28s", left, ok)
	}
	for i := range 8 {
		p.Update(tickMsg{noon.Add(time.Duration(3+i) * time.Second)})
		p.Update(tasksMsg{tasks: []engine.Task{task}})
	}
	if left, _ := p.leftOf(task); left <= 28*time.Second {
		t.Errorf("a job that stands still for 8 s: %v left, want what was seen to count", left)
	}
}

func TestTheRateStaysAt80Columns(t *testing.T) {
	p := openTestJobs(testTasks())
	p.SetSize(80, 21)
	if view := ansi.Strip(p.View()); !strings.Contains(view, " 10/s ") || !strings.Contains(view, " left ") {
		t.Errorf("the list shows no rate, or no time left:\n%s", view)
	}
}
