package ui

import (
	"context"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

const (
	readTime   = 2 * time.Second
	actTime    = 10 * time.Second
	searchTime = 10 * time.Second

	// paceOfData bounds how often data may change the screen. Ten times a second
	// is what an eye can follow; half of that reads better and sends half.
	paceOfData = 200 * time.Millisecond

	eventsAtOnce = 1000
	searchScan   = 100_000
	searchHits   = engine.MaxBatch
)

// loader calls the engine off the event loop, each time with a deadline. Its
// commands use what they captured by value.
type loader struct {
	engine Engine
	ctx    context.Context
	now    func() time.Time

	mu     sync.Mutex
	closed bool
	calls  sync.WaitGroup
}

func newLoader(ctx context.Context, e Engine, now func() time.Time) *loader {
	return &loader{engine: e, ctx: ctx, now: now}
}

// close waits for the calls under way; later ones are not made. The engine may
// be closed after it.
func (l *loader) close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.calls.Wait()
}

func (l *loader) begin() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	l.calls.Add(1)
	return true
}

// call makes a command of a call.
func (l *loader) call(limit time.Duration, f func(ctx context.Context) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		if !l.begin() {
			return nil
		}
		defer l.calls.Done()
		ctx, cancel := context.WithTimeout(l.ctx, limit)
		defer cancel()
		return f(ctx)
	}
}

// tick comes at the next whole second, whatever the engine does.
func (l *loader) tick() tea.Cmd {
	return func() tea.Msg {
		now := l.now()
		wait := time.NewTimer(now.Truncate(time.Second).Add(time.Second).Sub(now))
		defer wait.Stop()
		select {
		case <-l.ctx.Done():
			return nil
		case <-wait.C:
			return tickMsg{l.now()}
		}
	}
}

// changesMsg says that something happened in the engine, or that it did not
// answer.
type changesMsg struct {
	events []engine.Event
	missed uint64
	after  uint64 // the last event's number
	err    error
}

// watch waits until something has happened after an event, and at least for
// the pace of data.
func (l *loader) watch(after uint64) tea.Cmd {
	return func() tea.Msg {
		if !l.begin() {
			return nil
		}
		defer l.calls.Done()
		pace := time.NewTicker(paceOfData)
		defer pace.Stop()
		for {
			select {
			case <-l.ctx.Done():
				return nil
			case <-pace.C:
			}
			ctx, cancel := context.WithTimeout(l.ctx, readTime)
			events, missed, err := l.engine.Events(ctx, after, eventsAtOnce)
			cancel()
			if err != nil || len(events) > 0 || missed > 0 {
				msg := changesMsg{events, missed, after + missed, err}
				if n := len(events); n > 0 {
					msg.after = events[n-1].Seq
				}
				return msg
			}
		}
	}
}

func (l *loader) queues() tea.Cmd {
	return l.call(readTime, func(ctx context.Context) tea.Msg {
		queues, err := l.engine.Queues(ctx)
		return queuesMsg{queues: queues, at: l.now(), err: err}
	})
}

func (l *loader) tasks() tea.Cmd {
	return l.call(readTime, func(ctx context.Context) tea.Msg {
		tasks, err := l.engine.Tasks(ctx)
		return tasksMsg{tasks, err}
	})
}

func (l *loader) detail(ref engine.Ref) tea.Cmd {
	return l.call(readTime, func(ctx context.Context) tea.Msg {
		detail, err := l.engine.Inspect(ctx, ref)
		return detailMsg{ref, detail, err}
	})
}

// whole reads a message to copy parts of it.
func (l *loader) whole(ref engine.Ref) tea.Cmd {
	return l.call(readTime, func(ctx context.Context) tea.Msg {
		detail, err := l.engine.Inspect(ctx, ref)
		return copyReadyMsg{detail, err}
	})
}

// pageLoad is what a message pane asks for.
type pageLoad struct {
	pane    paneID
	serial  uint64 // an answer to an older one is dropped
	queue   string
	state   engine.State
	reverse bool

	offset, limit int
	keep          engine.Ref // the cursor's message: the page is to hold it
	row           int        // and how far down the page, if it must move
	filter        *filter
}

// pageMsg answers it.
type pageMsg struct {
	load   pageLoad
	rows   []engine.Row
	offset int
	total  int
	cursor int          // where load.keep stands; -1 when it is not in this list
	fate   engine.State // what became of it then
	// searched of how many there are, with a filter
	searched, of int
	at           time.Time
	err          error
}

func (l *loader) page(load pageLoad) tea.Cmd {
	if load.filter != nil {
		return l.call(searchTime, func(ctx context.Context) tea.Msg { return l.search(ctx, load) })
	}
	return l.call(readTime, func(ctx context.Context) tea.Msg { return l.read(ctx, load) })
}

// read fetches a page, and once more when the cursor's message has moved out
// of it.
func (l *loader) read(ctx context.Context, load pageLoad) pageMsg {
	msg := pageMsg{load: load, offset: load.offset, cursor: -1}
	fetch := func() bool {
		var page engine.Page
		page, msg.err = l.engine.Page(ctx, engine.PageRequest{
			Queue: load.queue, State: load.state, Offset: msg.offset, Limit: load.limit, Reverse: load.reverse,
		})
		msg.rows, msg.total, msg.at = page.Rows, page.Total, page.At
		return msg.err == nil
	}
	if !fetch() || msg.holds(load.keep) || load.keep == (engine.Ref{}) {
		return msg
	}
	state, at, err := l.engine.Locate(ctx, load.keep)
	if err != nil || state != load.state {
		msg.fate = state
		if err != nil {
			msg.fate = engine.Gone
		}
		if msg.offset > 0 && len(msg.rows) == 0 { // the list has become shorter than that
			msg.offset = max(msg.total-load.limit, 0)
			fetch()
		}
		return msg
	}
	if load.reverse {
		at = msg.total - 1 - at
	}
	msg.offset = max(at-load.row, 0)
	if fetch() && !msg.holds(load.keep) {
		msg.fate = load.state // it moves faster than we look
	}
	return msg
}

// holds finds the message that the cursor is on.
func (m *pageMsg) holds(ref engine.Ref) bool {
	for i := range m.rows {
		if m.rows[i].Ref == ref {
			m.cursor = m.offset + i
			return true
		}
	}
	return false
}

func (l *loader) search(ctx context.Context, load pageLoad) pageMsg {
	msg := pageMsg{load: load, cursor: -1}
	result, err := l.engine.Search(ctx, engine.SearchRequest{
		Queue: load.queue, State: load.state, Reverse: load.reverse,
		Match: load.filter.match, MaxScan: searchScan, MaxHits: searchHits,
	})
	msg.rows, msg.total, msg.err, msg.at = result.Rows, len(result.Rows), err, result.At
	msg.searched, msg.of = result.Scanned, result.Total
	if err == nil && !msg.holds(load.keep) && load.keep != (engine.Ref{}) {
		msg.fate = engine.Gone
		if state, _, err := l.engine.Locate(ctx, load.keep); err == nil {
			msg.fate = state
		}
	}
	return msg
}

// rangeMsg is the rows between two marked ones, both included.
type rangeMsg struct {
	load pageLoad
	rows []engine.Row
	more bool // the range is longer than what one may mark so
	err  error
}

// maxRange bounds a marked range.
const maxRange = 20 * engine.MaxBatch

func (l *loader) between(load pageLoad, from, to engine.Ref) tea.Cmd {
	return l.call(actTime, func(ctx context.Context) tea.Msg {
		msg := rangeMsg{load: load}
		stateA, a, errA := l.engine.Locate(ctx, from)
		stateB, b, errB := l.engine.Locate(ctx, to)
		if errA != nil || errB != nil || stateA != load.state || stateB != load.state {
			msg.err = engine.ErrMessageGone
			return msg
		}
		a, b = min(a, b), max(a, b)
		if msg.more = b-a >= maxRange; msg.more {
			b = a + maxRange - 1
		}
		for at := a; at <= b; at += engine.MaxBatch {
			page, err := l.engine.Page(ctx, engine.PageRequest{
				Queue: load.queue, State: load.state, Offset: at, Limit: min(engine.MaxBatch, b+1-at),
			})
			if err != nil {
				msg.err = err
				return msg
			}
			msg.rows = append(msg.rows, page.Rows...)
		}
		return msg
	})
}
