package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"
)

func (p *play) send(t *rapid.T) {
	q := p.queue(t)
	var requests []SendRequest
	for range rapid.IntRange(1, 4).Draw(t, "messages") {
		p.sends++
		r := SendRequest{
			Body:     fmt.Appendf(nil, "m%d", p.sends),
			Priority: rapid.SampledFrom([]int{0, 0, 0, 0, 0, 0, 1, 16, 17}).Draw(t, "priority"),
		}
		if d := rapid.SampledFrom([]int{-1, -1, -1, 0, 1, 3}).Draw(t, "delay"); d >= 0 {
			delay := time.Duration(d) * time.Second
			r.Delay = &delay
		}
		requests = append(requests, r)
	}
	results, err := p.e.SendBatch(context.Background(), q.name, requests)
	must(t, "send", err, nil)
	for i, r := range requests {
		if r.Priority > LowestPriority {
			must(t, "send", results[i].Err, errInvalid)
			continue
		}
		delay, lane := q.attributes.Delay, uint64(r.Priority)
		if r.Delay != nil {
			delay = *r.Delay
		}
		if lane == 0 {
			lane = DefaultPriority
		}
		must(t, "send", results[i].Err, nil)
		equal(t, "sent", results[i].Ref, p.m.send(q, lane, string(r.Body), delay.Milliseconds()).ref)
	}
}

func (p *play) receiveRequest(t *rapid.T, q *modelQueue) (ReceiveRequest, int64) {
	if rapid.IntRange(0, 2).Draw(t, "forget") == 0 {
		p.forget(t)
	}
	r := ReceiveRequest{Max: rapid.IntRange(1, 5).Draw(t, "max"), Wait: new(time.Duration), Holder: "somebody"}
	visibility := q.attributes.VisibilityTimeout
	if s := rapid.IntRange(-3, 5).Draw(t, "visibility"); s >= 0 {
		visibility = time.Duration(s) * time.Second
		r.Visibility = &visibility
	}
	return r, visibility.Milliseconds()
}

func (p *play) receive(t *rapid.T) {
	q := p.queue(t)
	r, visibility := p.receiveRequest(t, q)
	deliveries, err := p.e.Receive(context.Background(), q.name, r)
	must(t, "receive", err, nil)
	var got, want []string
	for _, d := range deliveries {
		m := d.Message
		got = append(got, fmt.Sprint(string(m.Body), d.Ref, d.Receives, m.EarlierReceives, m.Origin, m.Priority, millis(m.Sent), millis(m.Arrived), millis(d.Due)))
		p.receipts = append(p.receipts, held{d.Receipt, d.Ref, d.Receipt.Delivery})
	}
	for _, x := range p.m.receive(q, r.Max, visibility, false) {
		want = append(want, fmt.Sprint(x.body, x.ref, x.receives, x.earlier, x.origin, x.ref.Lane, x.sent, x.arrived, p.m.now+visibility))
	}
	equal(t, "received", got, want)
}

// receiveGone receives for a caller whose context ends while the receive
// becomes durable.
func (p *play) receiveGone(t *rapid.T) {
	q := p.queue(t)
	r, visibility := p.receiveRequest(t, q)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p.store.set(func(m *memory) {
		m.before = func(changes []*Change) {
			for _, c := range changes {
				if slices.ContainsFunc(c.States, func(s StateRecord) bool { return s.Append != nil }) {
					cancel()
				}
			}
		}
	})
	deliveries, err := p.e.Receive(ctx, q.name, r)
	p.store.set(func(m *memory) { m.before = nil })
	equal(t, "handed to one who has gone", len(deliveries), 0)
	must(t, "receive", err, ctx.Err())
	p.m.receive(q, r.Max, visibility, true)
}

// receipt draws one of the last receipts, most often of a message that is there.
func (p *play) receipt(t *rapid.T) held {
	var good []held
	for _, h := range p.receipts {
		if q := p.m.numbered(h.ref.Queue); q != nil && q.find(h.ref) != nil {
			good = append(good, h)
		}
	}
	if len(good) == 0 || rapid.IntRange(0, 7).Draw(t, "any") == 7 {
		good = p.receipts
	}
	if len(good) == 0 {
		t.Skip("no receipt")
	}
	return rapid.SampledFrom(good[max(0, len(good)-6):]).Draw(t, "receipt")
}

var strictnesses = []Strictness{AnyDelivery, LastReceive, LastDelivery}

func (p *play) delete(t *rapid.T) {
	strictness := rapid.SampledFrom(strictnesses).Draw(t, "strictness")
	hs := []held{p.receipt(t), p.receipt(t)}
	errs, err := p.e.DeleteBatch(context.Background(), []Receipt{hs[0].receipt, hs[1].receipt}, strictness)
	must(t, "delete", err, nil)
	for i, h := range hs {
		q, x, want := p.m.behind(h, strictness)
		must(t, "delete", errs[i], want)
		if want == nil {
			q.remove(x)
			q.counters.Deleted++
		}
	}
}

func (p *play) changeVisibility(t *rapid.T) {
	h := p.receipt(t)
	r := VisibilityRequest{
		Receipt: h.receipt, Strictness: rapid.SampledFrom(strictnesses).Draw(t, "strictness"),
		Visibility: rapid.SampledFrom([]time.Duration{0, time.Second, 4 * time.Second, MaxVisibility}).Draw(t, "visibility"),
		Renew:      rapid.Bool().Draw(t, "renew"), CapTotal: rapid.Bool().Draw(t, "cap"),
	}
	due, renewed, err := p.e.ChangeVisibility(context.Background(), r)
	_, x, want := p.m.behind(h, r.Strictness)
	until := p.m.now + r.Visibility.Milliseconds()
	if want == nil && r.CapTotal && until >= x.last+MaxVisibility.Milliseconds() {
		want = errInvalid
	}
	must(t, "change visibility", err, want)
	if want != nil {
		return
	}
	if r.Renew {
		x.delivery++
	}
	p.m.hide(x, r.Visibility.Milliseconds())
	equal(t, "due", millis(due), until)
	equal(t, "renewed", renewed.Delivery, x.delivery)
	p.receipts = append(p.receipts, held{renewed, x.ref, x.delivery})
}

// extend also releases.
func (p *play) extend(t *rapid.T) {
	refs := p.someRefs(t)
	d := time.Duration(rapid.IntRange(0, 4).Draw(t, "seconds")) * time.Second
	var n int
	var err error
	if d > 0 {
		_, n, err = p.e.Extend(context.Background(), refs, d)
	} else {
		n, err = p.e.Release(context.Background(), refs)
	}
	want, passed := 0, error(nil)
	for _, ref := range refs {
		switch _, x := p.m.locate(ref); {
		case x == nil:
			passed = ErrMessageGone
		case x.state != InFlight:
			passed = ErrNotInFlight
		default:
			p.m.hide(x, d.Milliseconds())
			want++
		}
	}
	if len(refs) > 1 {
		passed = nil
	}
	must(t, "extend", err, passed)
	equal(t, "extended", n, want)
}

func (p *play) removeRefs(t *rapid.T) {
	refs := p.someRefs(t)
	n, err := p.e.Remove(context.Background(), refs)
	want := 0
	for _, ref := range refs {
		if q, x := p.m.locate(ref); x != nil {
			q.remove(x)
			q.counters.Deleted++
			want++
		}
	}
	if want == 0 && len(refs) == 1 {
		must(t, "remove", err, ErrMessageGone)
	} else {
		must(t, "remove", err, nil)
	}
	equal(t, "removed", n, want)
}

func (p *play) move(t *rapid.T) {
	refs := p.someRefs(t)
	to := rapid.SampledFrom(names).Draw(t, "to")
	n, err := p.e.Move(context.Background(), refs, to)
	want, wantErr := p.m.move(refs, to)
	must(t, "move", err, wantErr)
	equal(t, "moved", n, want)
}

func (p *play) peek(t *rapid.T) {
	ref := p.ref(t)
	r := PeekRequest{Holder: "me", DeadLetter: rapid.Bool().Draw(t, "dead-letter")}
	peeked, err := p.e.Peek(context.Background(), ref, r)
	x, moved, want := p.m.peek(ref, r.DeadLetter)
	must(t, "peek", err, want)
	if want == nil {
		equal(t, "dead-lettered", peeked.DeadLettered != "", moved)
		equal(t, "receives", peeked.Receives, x.receives)
	}
}

func (p *play) startRedrive(t *rapid.T) {
	r := RedriveRequest{
		Source:      rapid.SampledFrom([]string{"dead", "dead", "dead", "a", "b", "c"}).Draw(t, "source"),
		Destination: rapid.SampledFrom([]string{"", "", "a", "b", "c", "dead"}).Draw(t, "destination"),
		Rate:        rapid.SampledFrom([]int{0, 0, 1, 2, 10, 501}).Draw(t, "rate"),
	}
	if rapid.IntRange(0, 3).Draw(t, "select") == 0 {
		r.Selection = p.someRefs(t)
	}
	task, err := p.e.StartRedrive(context.Background(), r)
	want, wantErr := p.m.startRedrive(r)
	must(t, "start redrive", err, wantErr)
	if err == nil {
		want.Started = task.Started
		equal(t, "task", task, want.Task)
	}
}

func (p *play) steerRedrive(t *rapid.T) {
	if len(p.m.tasks) == 0 {
		t.Skip("no task")
	}
	task := rapid.SampledFrom(p.m.tasks).Draw(t, "task")
	ctx := context.Background()
	var err, want error
	switch rapid.IntRange(0, 3).Draw(t, "how") {
	case 0:
		err = p.e.PauseRedrive(ctx, task.ID)
		want = p.m.steer(task, task.State == TaskRunning, func() { task.State = TaskPaused })
	case 1:
		err = p.e.ResumeRedrive(ctx, task.ID)
		want = p.m.steer(task, task.State == TaskPaused, func() { task.State = TaskRunning })
	case 2:
		err = p.e.CancelRedrive(ctx, task.ID)
		want = p.m.steer(task, task.State == TaskRunning || task.State == TaskPaused, func() { task.State = TaskCancelling })
	case 3:
		rate := rapid.IntRange(0, 4).Draw(t, "rate")
		err = p.e.SetRedriveRate(ctx, task.ID, rate)
		want = p.m.steer(task, task.State == TaskRunning || task.State == TaskPaused, func() { task.Rate = rate })
	}
	must(t, "steer", err, want)
}
