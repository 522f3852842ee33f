package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"inflight/engine"
	"inflight/keymap"
)

// asciiScreens are screens and overlays in a look, with nothing in them that
// is not ASCII.
func asciiScreens(th theme) map[string]string {
	queues, rows := testQueues(), []engine.Row{testRow(1, "body"), heldRow()}
	d := flightDetail()
	d.Message.Body = []byte(strings.ReplaceAll(testBodyJSON, "Åse Ødegård 日本", "Ase"))
	detail := newDetailPane(th, paneFlight, d.Ref)
	jobs, log := newJobsPane(th), newEventLog(th)
	tasks := testTasks()
	tasks[5].Source, tasks[5].Destination, tasks[5].Reason = "a-dlq", "b", "destination b was deleted"
	for _, p := range []pane{detail, jobs, log} {
		p.SetSize(90, 24)
		p.Update(tickMsg{noon})
		p.Update(queuesMsg{queues: queues})
		p.Update(detailMsg{ref: d.Ref, detail: d})
		p.Update(detailPlaceMsg{d.Ref, 1, 61})
		p.Update(tasksMsg{tasks: tasks})
		p.Update(resultMsg{levelWarn, "nothing was deleted"})
		p.Update(eventsMsg{events: []engine.Event{{Kind: engine.EventRedriven, Queue: "q", Other: "r"}}})
	}
	screens := map[string]string{
		"detail": detail.View(), "jobs": jobs.View(), "log": log.View(),
		"no jobs": newJobsPane(th).View(), "no detail": newDetailPane(th, paneDead, d.Ref).View(),
	}
	for name, o := range map[string]overlay{
		"delete": confirmDelete(th, "orders", rows), "question": confirmDelete(th, "orders", rows[:1]),
		"purge": confirmPurge(th, queues[1]), "new": newQueueForm(th, queues), "settings": newSettingsForm(th, queues[1], queues),
		"send": newSendForm(th, queues[1]), "move": newMoveForm(th, queues[1], rows, queues),
		"extend": newExtendForm(th, "orders", rows, time.Minute, noon), "poll": newPollForm(th, queues[1]),
		"redrive": newRedriveForm(th, queues[2], rows, queues, nil), "copy": newCopyMenu(th, d),
		"help": newHelp(th, "message", sectionOf("message", detail), sectionOf("everywhere", keymap.NewGlobal())),
		"find": newFindLine(th, findInBody, "find in the body", "sku"),
	} {
		screens[name] = o.View(76, 24)
		screens[name+", narrow"] = o.View(40, 12)
	}
	return screens
}

func TestFormsAndScreensInASCII(t *testing.T) {
	for name, view := range asciiScreens(newTheme(themeOptions{ascii: true, profile: termenv.TrueColor})) {
		for i, s := range strings.Split(ansi.Strip(view), "\n") {
			for _, r := range s {
				if r >= 0x80 {
					t.Errorf("%s, line %d: %q holds %q", name, i, s, r)
					break
				}
			}
		}
	}
}

// Without colour there is no colour, but what is focused still stands out.
func TestFormsAndScreensWithoutColour(t *testing.T) {
	for name, view := range asciiScreens(newTheme(themeOptions{noColor: true, profile: termenv.TrueColor})) {
		for _, part := range strings.Split(view, "\x1b[")[1:] {
			code, _, _ := strings.Cut(part, "m")
			for _, p := range strings.Split(code, ";") {
				if p != "" && p != "0" && p != "1" && p != "7" && p != "27" {
					t.Fatalf("%s holds the sequence %q", name, code)
				}
			}
		}
		if !strings.Contains(view, "\x1b[1m") && !strings.Contains(view, "\x1b[7m") && !strings.HasPrefix(name, "no ") {
			t.Errorf("%s: nothing stands out", name)
		}
	}
}

// What has the focus in a box is said by a glyph at its left: colour, bold and
// reverse may all be lost on the way to who looks at it.
func TestFocusOfOverlaysIsAGlyph(t *testing.T) {
	th := newTheme(themeOptions{noColor: true, profile: termenv.TrueColor})
	queues, rows := testQueues(), []engine.Row{testRow(1, "body"), heldRow()}
	for name, o := range map[string]overlay{
		"delete": confirmDelete(th, "orders", rows), "purge": confirmPurge(th, queues[1]), "new": newQueueForm(th, queues),
		"send": newSendForm(th, queues[1]), "move": newMoveForm(th, queues[1], rows, queues), "poll": newPollForm(th, queues[1]),
		"extend": newExtendForm(th, "orders", rows, time.Minute, noon), "redrive": newRedriveForm(th, queues[2], rows, queues, nil),
	} {
		for range 4 {
			if n := strings.Count(ansi.Strip(o.View(96, 40)), "│▸ "); n != 1 {
				t.Errorf("%s: %d places are marked:\n%s", name, n, ansi.Strip(o.View(96, 40)))
			}
			o.Update(namedKey("tab"))
		}
	}
}
