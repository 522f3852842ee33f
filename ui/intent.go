package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

// Intents: what a pane, screen or overlay asks of the root. The root turns
// them into commands of load.go, or opens and closes what is on top.
type (
	// closeMsg closes the overlay on top, else the screen.
	closeMsg struct{}
	// doneMsg closes the overlay on top, and then does what it was opened for.
	doneMsg struct{ then tea.Msg }
	// openMsg puts an overlay on top.
	openMsg struct{ overlay overlay }

	// openQueueMsg shows a queue's messages.
	openQueueMsg string
	// openDetailMsg opens the detail screen on a message.
	openDetailMsg struct {
		from paneID // the list it was opened from, for J and K
		ref  engine.Ref
	}
	// stepDetailMsg asks for the next (+1) or the previous (-1) message of the
	// list that the detail screen was opened from; detailPlaceMsg tells where the
	// shown one stands in it, counted from 1 (0: not in it).
	stepDetailMsg  int
	detailPlaceMsg struct {
		ref       engine.Ref
		at, total int
	}
	// focusMsg gives a pane of the main screen the focus.
	focusMsg    paneID
	openJobsMsg struct{}
	openLogMsg  struct{}

	// peekMsg receives one message with visibility 0. allow lets it
	// dead-letter; the asking was done before.
	peekMsg struct {
		ref   engine.Ref
		id    engine.ID
		allow bool
	}
	// pollMsg receives up to max messages with visibility 0.
	pollMsg struct {
		queue string
		max   int
	}
	extendMsg struct {
		refs []engine.Ref
		by   time.Duration
	}
	releaseMsg struct{ refs []engine.Ref }
	removeMsg  struct{ refs []engine.Ref }
	moveMsg    struct {
		refs []engine.Ref
		to   string
	}
	sendMsg struct {
		queue   string
		request engine.SendRequest
	}
	// editBodyMsg opens $EDITOR on a body; the answer comes as bodyEditedMsg.
	editBodyMsg   struct{ body []byte }
	bodyEditedMsg struct {
		body []byte
		err  error
	}

	createQueueMsg struct {
		name       string
		attributes engine.Attributes
		// createDLQ makes the redrive policy's queue first, with the default
		// attributes but the longest retention.
		createDLQ bool
	}
	configureQueueMsg struct {
		name       string
		opened     engine.Attributes // before the change
		attributes engine.Attributes
		createDLQ  bool
	}
	purgeQueueMsg  string
	deleteQueueMsg string

	redriveMsg     struct{ request engine.RedriveRequest }
	redriveRateMsg struct {
		task       uint64
		from, rate int
	}
	pauseRedriveMsg  uint64
	resumeRedriveMsg uint64
	cancelRedriveMsg uint64

	// copyMsg copies text to the clipboard by OSC 52; what names it in the
	// status line ("body", "id", …).
	copyMsg struct{ what, text string }

	// filterTypedMsg is a filter that is still typed: it becomes a filterMsg when
	// nothing was typed for a moment.
	filterTypedMsg filterMsg
	filterMsg      struct {
		pane paneID
		text string // substring, or /regex/; empty clears
	}

	// The asks below open an overlay; the root knows what they need besides.
	askFilterMsg struct {
		pane paneID
		text string
	}
	askRemoveMsg struct {
		queue string
		rows  []engine.Row
	}
	askReleaseMsg struct {
		queue string
		rows  []engine.Row
	}
	askMoveMsg struct {
		queue string
		rows  []engine.Row
	}
	// askPeekMsg asks before a peek that dead-letters.
	askPeekMsg struct {
		row         engine.Row
		maxReceives int
		dlq         string
	}
	askPollMsg   struct{ queue string }
	askExtendMsg struct {
		queue string
		rows  []engine.Row
	}
	// askSoonerMsg asks before an extend that ends some leases sooner.
	askSoonerMsg struct {
		rows   []engine.Row
		by     time.Duration
		sooner int
	}
	askCopyMsg    struct{ ref engine.Ref }
	askRedriveMsg struct {
		source string
		rows   []engine.Row // the marked ones, if any
	}
	askSendMsg        struct{ queue string }
	askQueueMsg       struct{ name string } // its settings; empty: a new one
	askPurgeMsg       string
	askDeleteQueueMsg string
	// askRangeMsg marks all that lies between two messages.
	askRangeMsg struct {
		load     pageLoad
		from, to engine.Ref
	}

	// startDemoMsg makes the demo's queues here.
	startDemoMsg   struct{}
	demoStartedMsg struct{ err error }
	// leaveMsg ends the console; remove deletes the demo's queues first.
	leaveMsg struct{ remove bool }

	// resultMsg is a line for the status line and the event log.
	resultMsg struct {
		level level
		text  string // already safe to draw
	}
)

// level says how a result is marked.
type level int

const (
	levelOK level = iota
	levelWarn
	levelError
)

// paneID names a region of the main screen by the digit that focuses it.
type paneID int

const (
	paneQueues paneID = iota
	paneVisible
	paneFlight
	paneDead
	paneDelayed
)

// Data: what load.go brings. Every pane gets all of it, and drops what belongs
// to a queue it has left.
type (
	queuesMsg struct {
		queues []engine.QueueStats
		at     time.Time
		err    error
	}
	tasksMsg struct {
		tasks []engine.Task
		err   error
	}
	// eventsMsg is what happened since the last one; missed were forgotten
	// before we could read them.
	eventsMsg struct {
		events []engine.Event
		missed uint64
	}
	detailMsg struct {
		ref    engine.Ref
		detail engine.Detail
		err    error
	}
	// tickMsg is the engine's present time, for ages and countdowns.
	tickMsg struct{ now time.Time }
)
