package ui

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

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

// drive makes a program of a fake without a terminal: it runs the commands of
// a model until nothing is left to do.
type drive struct {
	*app
	fake *fakeEngine
}

func newDrive(f *fakeEngine, o Options, width, height int) *drive {
	return newDriveWith(testTheme(), f, o, width, height)
}

func newDriveWith(th theme, f *fakeEngine, o Options, width, height int) *drive {
	o.Now = func() time.Time { return f.clock() }
	d := &drive{newApp(newLoader(context.Background(), f, o.Now), th, o), f}
	d.still = true
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	d.refresh()
	return d
}

// refresh is what the program does when it starts, and every second.
func (d *drive) refresh() { d.send(tickMsg{d.fake.clock()}) }

// send gives the model a message, and then all that comes of it but waiting.
func (d *drive) send(msg tea.Msg) {
	_, cmd := d.Update(msg)
	d.run(cmd)
}

func (d *drive) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	if cmds, ok := commandsIn(msg); ok {
		for _, c := range cmds {
			d.run(c)
		}
		return
	}
	if msg != nil {
		d.send(msg)
	}
}

// keys presses keys: a name such as "enter", or each letter of a text.
func (d *drive) keys(names ...string) {
	for _, name := range names {
		d.send(keyOf(name))
	}
}

var namedKeys = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"ctrl+c": tea.KeyCtrlC, "ctrl+d": tea.KeyCtrlD, "ctrl+u": tea.KeyCtrlU, "ctrl+r": tea.KeyCtrlR,
	"pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "backspace": tea.KeyBackspace, "ctrl+z": tea.KeyCtrlZ,
}

func keyOf(name string) tea.KeyMsg {
	if t, ok := namedKeys[name]; ok {
		return tea.KeyMsg{Type: t}
	}
	if name == "space" || name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// after moves the fake's clock on, and ticks.
func (d *drive) after(by time.Duration) {
	now := d.fake.clock().Add(by)
	d.fake.clock = func() time.Time { return now }
	d.refresh()
}

func lines(s string) []string { return strings.Split(s, "\n") }
