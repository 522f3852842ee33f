package ui

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"inflight/engine"
)

// consoleHolder is what the console calls itself when it receives.
const consoleHolder = "console"

func (l *loader) peek(m peekMsg) tea.Cmd {
	return l.call(actTime, func(ctx context.Context) tea.Msg {
		id := shortID(m.id)
		got, err := l.engine.Peek(ctx, m.ref, engine.PeekRequest{Holder: consoleHolder, DeadLetter: m.allow})
		switch {
		case err != nil:
			return failed(id+" was not peeked, its receives are as before", err)
		case got.DeadLettered != "":
			return resultMsg{levelWarn, id + " moved to " + safeLine(got.DeadLettered, 0) + ": that peek was one receive too many"}
		case got.MaxReceives > 0:
			return done(fmt.Sprintf("peeked %s: receive %d of %d (a peek counts)", id, got.Receives, got.MaxReceives))
		default:
			return done(fmt.Sprintf("peeked %s: receive %d (a peek counts)", id, got.Receives))
		}
	})
}

func (l *loader) poll(m pollMsg) tea.Cmd {
	return l.call(actTime, func(ctx context.Context) tea.Msg {
		var none time.Duration
		got, err := l.engine.Receive(ctx, m.queue, engine.ReceiveRequest{
			Max: m.max, Visibility: &none, Wait: &none, Holder: consoleHolder,
		})
		queue := safeLine(m.queue, 0)
		switch {
		case err != nil:
			return failed("nothing was received from "+queue, err)
		case len(got) == 0:
			return resultMsg{levelWarn, "nothing could be received from " + queue}
		default:
			return done("received " + plural(len(got), "message") + " from " + queue + ": receives +1 each, visible again at once")
		}
	})
}

// bulk is an act on many messages, done in slices that the engine takes whole.
type bulk struct {
	refs []engine.Ref
	next int // index of the first that was not tried
	done int // messages that it was done to
	due  time.Time
	name string    // of the message, if there is one only
	form refusable // to come back to when nothing was done; nil: none

	doing string // "deleting"
	verb  string // "deleted"
	act   func(ctx context.Context, e Engine, b *bulk, refs []engine.Ref) (int, error)
	end   func(b *bulk) string // the result; nil: verb and count
}

// bulkMsg is how far a bulk act got.
type bulkMsg struct {
	bulk
	err error
}

// step does the next slice.
func (l *loader) step(b bulk) tea.Cmd {
	return l.call(actTime, func(ctx context.Context) tea.Msg {
		slice := b.refs[b.next:min(b.next+engine.MaxBatch, len(b.refs))]
		n, err := b.act(ctx, l.engine, &b, slice)
		b.done += n
		if err == nil {
			b.next += len(slice)
		}
		return bulkMsg{b, err}
	})
}

// result says what a bulk act did, once it has ended.
func (m *bulkMsg) result() resultMsg {
	b := &m.bulk
	left := len(b.refs) - b.done
	switch {
	case m.err != nil && b.done == 0:
		return failed("nothing was "+b.verb, m.err)
	case m.err != nil:
		return failed(fmt.Sprintf("%s %s, %s not", b.verb, countText(b.done), countText(left)), m.err)
	case b.done == 0:
		return resultMsg{levelWarn, "nothing was " + b.verb + ": " + passedOver(len(b.refs))}
	}
	text := b.verb + " " + b.subject()
	if b.end != nil {
		text = b.end(b)
	}
	if left > 0 {
		return resultMsg{levelWarn, text + "; " + passedOver(left)}
	}
	return done(text)
}

// subject is what the act was done to.
func (b *bulk) subject() string {
	if b.name != "" && b.done == 1 {
		return b.name
	}
	return plural(b.done, "message")
}

func passedOver(n int) string {
	if n == 1 {
		return "the message was not there any more"
	}
	return countText(n) + " were not there any more"
}

func extendBulk(m extendMsg, now func() time.Time) bulk {
	return bulk{
		refs: m.refs, doing: "extending", verb: "extended",
		act: func(ctx context.Context, e Engine, b *bulk, refs []engine.Ref) (n int, err error) {
			b.due, n, err = e.Extend(ctx, refs, m.by)
			return n, err
		},
		end: func(b *bulk) string {
			return b.subject() + " hidden until " + clockText(b.due, now())
		},
	}
}

func releaseBulk(m releaseMsg) bulk {
	return bulk{
		refs: m.refs, doing: "releasing", verb: "released",
		act: func(ctx context.Context, e Engine, _ *bulk, refs []engine.Ref) (int, error) {
			return e.Release(ctx, refs)
		},
		end: func(b *bulk) string {
			return "released " + b.subject() + ": visible again, the lease is broken"
		},
	}
}

func removeBulk(m removeMsg) bulk {
	return bulk{
		refs: m.refs, doing: "deleting", verb: "deleted",
		act: func(ctx context.Context, e Engine, _ *bulk, refs []engine.Ref) (int, error) {
			return e.Remove(ctx, refs)
		},
	}
}

func moveBulk(m moveMsg) bulk {
	return bulk{
		refs: m.refs, doing: "moving", verb: "moved",
		act: func(ctx context.Context, e Engine, _ *bulk, refs []engine.Ref) (int, error) {
			return e.Move(ctx, refs, m.to)
		},
		end: func(b *bulk) string {
			ids := ", under new ids"
			if b.done == 1 {
				ids = ", under a new id"
			}
			return "moved " + b.subject() + " to " + safeLine(m.to, 0) + ids
		},
	}
}

func (l *loader) send(m sendMsg) tea.Cmd {
	return l.call(actTime, func(ctx context.Context) tea.Msg {
		queue := safeLine(m.queue, 0)
		sent, err := l.engine.Send(ctx, m.queue, m.request)
		switch {
		case err != nil:
			return failed("nothing was sent to "+queue, err)
		case sent.Duplicate:
			return resultMsg{levelWarn, "nothing was sent to " + queue + ": " + shortID(sent.ID) + " went there within 5 minutes with the same deduplication id"}
		case m.request.Delay != nil && *m.request.Delay > 0:
			return done("sent " + shortID(sent.ID) + " to " + queue + ": visible in " + spanText(*m.request.Delay))
		default:
			return done("sent " + shortID(sent.ID) + " to " + queue)
		}
	})
}

// withDLQ makes the queue that a redrive policy names, if that was asked for:
// with the longest retention, since a message's age counts on there.
func (l *loader) withDLQ(ctx context.Context, a *engine.Attributes, create bool) error {
	if !create || a.Redrive.DLQ == "" {
		return nil
	}
	dlq := engine.DefaultAttributes()
	dlq.Type, dlq.Retention = a.Type, engine.MaxRetention
	return l.engine.CreateQueue(ctx, a.Redrive.DLQ, dlq)
}

func (l *loader) createQueue(m createQueueMsg) tea.Cmd {
	return l.call(actTime, func(ctx context.Context) tea.Msg {
		name := safeLine(m.name, 0)
		if err := l.withDLQ(ctx, &m.attributes, m.createDLQ); err != nil {
			return failed("no queue was made", err)
		}
		if err := l.engine.CreateQueue(ctx, m.name, m.attributes); err != nil {
			if m.createDLQ {
				name += " (its dead-letter queue was)"
			}
			return failed(name+" was not made", err)
		}
		return tea.BatchMsg{emit(done("made the queue " + name)), emit(openQueueMsg(m.name))}
	})
}

func (l *loader) configureQueue(m configureQueueMsg) tea.Cmd {
	return l.call(actTime, func(ctx context.Context) tea.Msg {
		name := safeLine(m.name, 0)
		if err := l.withDLQ(ctx, &m.attributes, m.createDLQ); err != nil {
			return failed("the settings of "+name+" are as before", err)
		}
		if err := l.engine.Configure(ctx, m.name, m.apply); err != nil {
			not := "the settings of " + name + " are as before"
			if m.createDLQ && m.attributes.Redrive.DLQ != "" {
				not += ", " + safeLine(m.attributes.Redrive.DLQ, 0) + " was made"
			}
			return failed(not, err)
		}
		return done("settings of " + name + " changed")
	})
}

// apply changes what the form changed. The rest may have been changed since it
// was opened, by an application say.
func (m *configureQueueMsg) apply(a *engine.Attributes) {
	was, now := &m.opened, &m.attributes
	change(&a.VisibilityTimeout, was.VisibilityTimeout, now.VisibilityTimeout)
	change(&a.Delay, was.Delay, now.Delay)
	change(&a.Retention, was.Retention, now.Retention)
	change(&a.MaximumMessageSize, was.MaximumMessageSize, now.MaximumMessageSize)
	change(&a.ReceiveWait, was.ReceiveWait, now.ReceiveWait)
	change(&a.Redrive, was.Redrive, now.Redrive)
	change(&a.ContentDeduplication, was.ContentDeduplication, now.ContentDeduplication)
	if was, now := was.RedriveAllow, now.RedriveAllow; was.Mode != now.Mode || !slices.Equal(was.Sources, now.Sources) {
		a.RedriveAllow = now
	}
}

func change[T comparable](field *T, was, now T) {
	if was != now {
		*field = now
	}
}

func (l *loader) purge(queue string) tea.Cmd {
	return l.call(actTime, func(ctx context.Context) tea.Msg {
		n, err := l.engine.Purge(ctx, queue)
		if err != nil {
			return failed(safeLine(queue, 0)+" was not purged", err)
		}
		return done("purged " + safeLine(queue, 0) + ": " + plural(n, "message") + " gone")
	})
}

func (l *loader) deleteQueue(queue string) tea.Cmd {
	return l.call(actTime, func(ctx context.Context) tea.Msg {
		if err := l.engine.DeleteQueue(ctx, queue); err != nil {
			return failed("the queue "+safeLine(queue, 0)+" was not deleted", err)
		}
		return done("deleted the queue " + safeLine(queue, 0))
	})
}

func (l *loader) redrive(r engine.RedriveRequest) tea.Cmd {
	return l.call(actTime, func(ctx context.Context) tea.Msg {
		source := safeLine(r.Source, 0)
		task, err := l.engine.StartRedrive(ctx, r)
		if err != nil {
			return failed("no redrive of "+source+" was started", err)
		}
		to := "its sources"
		if r.Destination != "" {
			to = safeLine(r.Destination, 0)
		}
		return done("redriving " + plural(task.ToMove, "message") + " from " + source + " to " + to + "; b shows it")
	})
}

// task acts on a redrive task: not is what did not happen when it fails.
func (l *loader) task(what, not string, act func(ctx context.Context, e Engine) error) tea.Cmd {
	return l.call(actTime, func(ctx context.Context) tea.Msg {
		if err := act(ctx, l.engine); err != nil {
			return failed(not, err)
		}
		return done(what)
	})
}

// onTask turns the intents about a redrive task into calls.
func (l *loader) onTask(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case redriveRateMsg:
		job := "rate of " + jobName(msg.task)
		return l.task(job+" changed from "+rateOf(msg.from)+" to "+rateOf(msg.rate), "the "+job+" is as before", func(ctx context.Context, e Engine) error {
			return e.SetRedriveRate(ctx, msg.task, msg.rate)
		}), true
	case pauseRedriveMsg:
		return l.task(jobName(uint64(msg))+" is paused", jobName(uint64(msg))+" was not paused", func(ctx context.Context, e Engine) error {
			return e.PauseRedrive(ctx, uint64(msg))
		}), true
	case resumeRedriveMsg:
		return l.task(jobName(uint64(msg))+" goes on", jobName(uint64(msg))+" did not go on", func(ctx context.Context, e Engine) error {
			return e.ResumeRedrive(ctx, uint64(msg))
		}), true
	case cancelRedriveMsg:
		return l.task(jobName(uint64(msg))+" ends; what it moved stays moved", jobName(uint64(msg))+" was not cancelled", func(ctx context.Context, e Engine) error {
			return e.CancelRedrive(ctx, uint64(msg))
		}), true
	}
	return nil, false
}

func jobName(task uint64) string { return fmt.Sprintf("job %d", task) }

// rateOf is a redrive's rate in words.
func rateOf(rate int) string {
	if rate == 0 {
		return "as fast as it goes"
	}
	return countText(rate) + "/s"
}
