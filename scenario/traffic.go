package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"inflight/engine"
)

// mendAt is how many orders die before the consumers are mended, so that a
// redrive of those with a text for an amount succeeds.
const mendAt = 5

// span is a time chosen at random between two.
type span struct{ least, most time.Duration }

func (s span) pick(r *rand.Rand) time.Duration {
	if s.most <= s.least {
		return s.least
	}
	whole := int64((s.most - s.least) / time.Millisecond)
	return s.least + time.Duration(r.Int64N(whole+1))*time.Millisecond
}

// producer sends one kind of message again and again.
type producer struct {
	queue string
	first time.Duration // after the start
	every span
	burst int // messages at once; 0: 1
	// message makes the nth message, counted from 0.
	message func(r *rand.Rand, at time.Time, n int) engine.SendRequest
}

// consumer takes messages one by one and deletes those it has done.
type consumer struct {
	queue string
	name  string
	first time.Duration
	work  span // on one message
	idle  time.Duration
	// crawls: one message in so many takes longer than its lease; 0: none.
	crawls int
	orders bool // reads orders, and fails on what it cannot read
}

// restart is how long a consumer is away after a message it cannot read. It
// does not delete that message, so its lease lapses.
const restart = 800 * time.Millisecond

// crawl is the work on a message that takes longer than its lease.
var crawl = span{Visibility + time.Second, Visibility + 2*time.Second}

// cast puts every producer, every consumer and the watch on the schedule.
// Each has random numbers of its own: an operator who takes a message away
// does not change what the shop sends.
func (s *Scenario) cast() {
	stream := uint64(0)
	random := func() *rand.Rand {
		stream++
		return rand.New(rand.NewPCG(s.options.Seed, stream))
	}
	for _, p := range s.producers() {
		if p.queue != "" {
			s.produce(p, random(), s.options.Start.Add(p.first), 0)
		}
	}
	for _, c := range s.consumers() {
		if c.queue != "" {
			s.look(c, random(), s.options.Start.Add(c.first))
		}
	}
	s.watch(s.options.Start.Add(time.Second))
}

func (s *Scenario) producers() []producer {
	const ms = time.Millisecond
	return []producer{
		{queue: s.names.Orders, first: 200 * ms, every: span{450 * ms, 900 * ms}, message: s.orderMessage("shop-1")},
		{queue: s.names.Orders, first: 300 * ms, every: span{18 * time.Second, 24 * time.Second}, burst: 12,
			message: s.orderMessage("shop-2")},
		{queue: s.names.Orders, first: 100 * ms, every: span{3500 * ms, 5500 * ms}, message: s.poisonMessage},
		{queue: s.names.Orders, first: 900 * ms, every: span{5 * time.Second, 7 * time.Second}, message: s.laterMessage},
		{queue: s.names.Emails, first: 1500 * ms, every: span{2500 * ms, 5 * time.Second}, message: emailMessage},
		{queue: s.names.Audit, first: 2 * time.Second, every: span{6 * time.Second, 12 * time.Second}, message: auditMessage},
	}
}

func (s *Scenario) consumers() []consumer {
	const ms = time.Millisecond
	return []consumer{
		{queue: s.names.Orders, name: "billing-1", first: 700 * ms, work: span{300 * ms, 700 * ms}, idle: 200 * ms, orders: true},
		{queue: s.names.Orders, name: "billing-2", first: 900 * ms, work: span{900 * ms, 2200 * ms}, idle: 300 * ms, orders: true},
		{queue: s.names.Orders, name: "billing-3", first: 1100 * ms, work: span{2500 * ms, 4500 * ms}, idle: 400 * ms, crawls: 5, orders: true},
		{queue: s.names.Emails, name: "mailer-1", first: 2 * time.Second, work: span{1500 * ms, 4 * time.Second}, idle: 500 * ms},
	}
}

func (s *Scenario) produce(p producer, r *rand.Rand, at time.Time, n int) {
	s.at(at, func(ctx context.Context, at time.Time) error {
		s.produce(p, r, at.Add(p.every.pick(r)), n+max(p.burst, 1))
		for i := range max(p.burst, 1) {
			if _, err := s.queues.Send(ctx, p.queue, p.message(r, at, n+i)); err != nil {
				return fmt.Errorf("send to %q: %w", p.queue, err)
			}
		}
		return nil
	})
}

// look is a consumer asking for its next message.
func (s *Scenario) look(c consumer, r *rand.Rand, at time.Time) {
	s.at(at, func(ctx context.Context, at time.Time) error {
		var now time.Duration // the schedule waits, never a receive
		got, err := s.queues.Receive(ctx, c.queue, engine.ReceiveRequest{Max: 1, Wait: &now, Holder: c.name})
		switch {
		case err != nil || len(got) == 0:
			s.look(c, r, at.Add(c.idle))
		case c.orders && !readable(got[0].Message.Body, s.fixed):
			s.look(c, r, at.Add(restart))
		default:
			s.finish(c, r, at.Add(c.takes(r)), got[0].Receipt)
		}
		if err != nil {
			return fmt.Errorf("receive from %q: %w", c.queue, err)
		}
		return nil
	})
}

func (c consumer) takes(r *rand.Rand) time.Duration {
	if c.crawls > 0 && r.IntN(c.crawls) == 0 {
		return crawl.pick(r)
	}
	return c.work.pick(r)
}

// finish is a consumer deleting what it has done, late or not.
func (s *Scenario) finish(c consumer, r *rand.Rand, at time.Time, receipt engine.Receipt) {
	s.at(at, func(ctx context.Context, at time.Time) error {
		s.look(c, r, at.Add(50*time.Millisecond))
		if err := s.queues.Delete(ctx, receipt, engine.AnyDelivery); err != nil {
			return fmt.Errorf("delete from %q: %w", c.queue, err)
		}
		return nil
	})
}

// watch looks at the dead-letter queue every second, and mends the consumers
// once enough orders have died.
func (s *Scenario) watch(at time.Time) {
	s.at(at, func(ctx context.Context, at time.Time) error {
		stats, err := s.queues.Queues(ctx)
		if err != nil {
			s.watch(at.Add(time.Second))
			return fmt.Errorf("watch %q: %w", s.names.DLQ, err)
		}
		if dlq, ok := find(stats, s.names.DLQ); ok && dlq.Counters.DeadLetteredIn >= mendAt {
			s.fixed = true
			return nil // and there is nothing more to watch for
		}
		s.watch(at.Add(time.Second))
		return nil
	})
}

func (s *Scenario) orderMessage(sender string) func(*rand.Rand, time.Time, int) engine.SendRequest {
	return func(r *rand.Rand, at time.Time, n int) engine.SendRequest {
		m := request(r, sender, s.newOrder(r, at, sound).body())
		if n%9 == 8 {
			m.Priority = 4 // express
		}
		return m
	}
}

// poisonMessage is an order that consumers cannot read: most have a text for
// an amount, and every fifth has no customer, which is never mended.
func (s *Scenario) poisonMessage(r *rand.Rand, at time.Time, n int) engine.SendRequest {
	wrong := textAmount
	if n%5 == 4 {
		wrong = noCustomer
	}
	return request(r, "market-1", s.newOrder(r, at, wrong).body())
}

// laterMessage is an order to be charged some seconds from now.
func (s *Scenario) laterMessage(r *rand.Rand, at time.Time, _ int) engine.SendRequest {
	delay := time.Duration(10+r.IntN(8)) * time.Second
	o := s.newOrder(r, at, sound)
	o.Charge = at.Add(delay).UTC().Format(time.RFC3339)
	m := request(r, "shop-1", o.body())
	m.Delay = &delay
	return m
}

func emailMessage(r *rand.Rand, _ time.Time, n int) engine.SendRequest {
	body, _ := json.Marshal(map[string]any{ // strings and numbers: cannot fail
		"template": []string{"order-received", "order-shipped", "password-reset"}[r.IntN(3)],
		"to":       fmt.Sprintf("customer-%d@example.com", 100+r.IntN(900)),
		"mail":     n + 1,
	})
	return request(r, "notifier-1", body)
}

func auditMessage(r *rand.Rand, at time.Time, n int) engine.SendRequest {
	who := []string{"ana", "bola", "grace"}[r.IntN(3)]
	what := []string{"signed in", "changed a price", "issued a refund"}[r.IntN(3)]
	return request(r, "backoffice", fmt.Appendf(nil, "<entry n=\"%d\" at=\"%s\" by=\"%s\">%s</entry>",
		n+1, at.UTC().Format(time.RFC3339), who, what))
}

func request(r *rand.Rand, sender string, body []byte) engine.SendRequest {
	kind := "application/json"
	if body[0] == '<' {
		kind = "application/xml"
	}
	return engine.SendRequest{
		Body:   body,
		Sender: sender,
		Attributes: []engine.Attribute{
			{Name: "traceId", Type: "String", Value: fmt.Appendf(nil, "%016x", r.Uint64())},
			{Name: "contentType", Type: "String", Value: []byte(kind)},
		},
	}
}
