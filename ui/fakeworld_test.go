package ui

import (
	"fmt"
	"time"

	"inflight/engine"
)

// fakeWorld is the queues of the picture that we match: eight of them, orders
// with something in every state.
func fakeWorld() *fakeEngine {
	f := newFake()
	now := f.clock()
	attributes := func(dlq string, retention time.Duration) engine.Attributes {
		a := engine.DefaultAttributes()
		a.Retention = retention
		if dlq != "" {
			a.Redrive = engine.RedrivePolicy{DLQ: dlq, MaxReceives: 3}
		}
		return a
	}
	const day = 24 * time.Hour
	audit := f.make("audit", attributes("", 4*day))
	f.make("emails", attributes("", 4*day))
	orders := f.make("orders", attributes("orders-dlq", 4*day))
	dlq := f.make("orders-dlq", attributes("", 14*day))
	f.make("pay-dlq", attributes("", 14*day))
	f.make("payments", attributes("pay-dlq", 4*day))
	f.make("txn-dlq.fifo", attributes("", 14*day))
	f.make("txn.fifo", attributes("txn-dlq.fifo", 4*day))
	_ = audit
	fill := func(q *fakeQueue, n int) {
		for i := range n {
			f.put(q, fmt.Sprintf(`{"to":"user-%d@example.com","template":"welcome"}`, i), now.Add(-time.Minute))
		}
	}
	fill(f.find("emails"), 88)
	fill(f.find("txn.fifo"), 12)
	fill(f.find("txn-dlq.fifo"), 4)
	for i := range 1204 {
		amount := []string{`19.99`, `"12,50"`, `"7,00"`, `120.00`}[i%4]
		m := f.put(orders, fmt.Sprintf(`{"orderId":%d,"amount":%s,"currency":"EUR"}`, 8841+i, amount), now.Add(-6*time.Minute+time.Duration(i)*time.Second/4))
		if i < 3 {
			m.receives = 1 + 2*(i/2)
		}
	}
	for i := range 37 {
		m := f.put(orders, fmt.Sprintf(`{"orderId":%d,"amount":1.00}`, 8801+i), now.Add(-7*time.Minute))
		m.receives, m.last = 1+i%3, now.Add(-26*time.Second+time.Duration(i)*700*time.Millisecond)
		m.due, m.holder = m.last.Add(30*time.Second), fmt.Sprintf("billing-%d", 1+i%3)
	}
	for i := range 5 {
		m := f.put(orders, fmt.Sprintf(`{"orderId":%d}`, 9900+i), now)
		m.due = now.Add(time.Duration(12+10*i) * time.Second)
	}
	for i := range 61 {
		m := f.put(dlq, fmt.Sprintf(`{"orderId":%d,"amount":"9,99"}`, 8700+i), now.Add(-time.Duration(61-i)*13*time.Second-time.Hour))
		m.Arrived, m.Origin, m.EarlierReceives = m.Sent.Add(time.Hour), "orders", 3
		if i == 58 {
			m.Sent = now.Add(-14*day + 100*time.Minute)
			m.Body = []byte(`<order id="7001"><amt>12</amt></order>`)
		}
	}
	orders.stats.Counters = engine.Counters{Sent: 12345, Received: 15012, Deleted: 11000, Lapsed: 911, DeadLetteredOut: 49}
	dlq.stats.Counters = engine.Counters{DeadLetteredIn: 49, Sent: 12}
	return f
}

// watched is a console over the fake world that has looked on for five
// minutes, in which the queues were busy.
func watched(width, height int) *drive { return watchedWith(testTheme(), width, height) }

func watchedWith(th theme, width, height int) *drive {
	f := fakeWorld()
	at := fakeStart.Add(-5 * time.Minute)
	f.clock = func() time.Time { return at }
	d := newDriveWith(th, f, Options{Place: "~/.local/share/inflight"}, width, height)
	d.send(openQueueMsg("orders"))
	orders, dlq := f.find("orders"), f.find("orders-dlq")
	for i := range 60 {
		c := &orders.stats.Counters
		c.Sent += uint64(160 + i + 9*(i%5))
		c.Received += uint64(165 + i)
		c.Deleted += uint64(190 - i%7)
		c.Lapsed += uint64(i / 4)
		if i > 50 && i%2 == 0 {
			c.DeadLetteredOut += 2
			dlq.stats.Counters.DeadLetteredIn += 2
		}
		at = at.Add(sampleStep)
		d.refresh()
	}
	return d
}
