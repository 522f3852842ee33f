package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// modelGroup is a message group in the model: what was sent and is not gone, in
// order.
type modelGroup struct {
	messages []*groupMessage
	// since is the step in which the group was served or became able to deliver.
	since int
	could bool
}

type groupMessage struct {
	body     string
	id       ID
	due      time.Time // in flight or delayed until then
	receives int
	receipt  Receipt
	sent     time.Time
}

// fifoModel plays a FIFO queue with a dead-letter queue against a model.
type fifoModel struct {
	*rig
	names  []string // of groups, in order of first use: maps are not ranged over
	groups map[string]*modelGroup
	dead   []string // bodies, in order of their moves
	seen   map[string]time.Time
	sent   int
	step   int
	held   []Receipt
}

const fifoMax = 3 // max receives

func (m *fifoModel) group(name string) *modelGroup {
	if m.groups[name] == nil {
		m.groups[name] = &modelGroup{}
		m.names = append(m.names, name)
	}
	return m.groups[name]
}

func (g *modelGroup) can(now time.Time) bool {
	return len(g.messages) > 0 && !g.messages[0].due.After(now)
}

// refresh notes which groups have become able to deliver in this step.
func (m *fifoModel) refresh() {
	for _, name := range m.names {
		g := m.groups[name]
		can := g.can(m.now)
		if can && !g.could {
			g.since = m.step
		}
		g.could = can
	}
}

func (m *fifoModel) Send(t *rapid.T) {
	name := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "group")
	id := fmt.Sprint("id", rapid.IntRange(0, 30).Draw(t, "id"))
	m.sent++
	body := fmt.Sprintf("%s%d", name, m.sent)
	got, err := m.Engine.Send(context.Background(), "q.fifo", SendRequest{Body: []byte(body), Group: name, Deduplication: id})
	if err != nil {
		t.Fatal(err)
	}
	until, known := m.seen[id]
	if duplicate := known && m.now.Before(until); duplicate != got.Duplicate {
		t.Fatalf("send of %s = %+v, duplicate should be %v", id, got, duplicate)
	}
	if !got.Duplicate {
		m.seen[id] = m.now.Add(5 * time.Minute)
		g := m.group(name)
		g.messages = append(g.messages, &groupMessage{body: body, id: got.ID, sent: m.now})
	}
}

// Receive checks what came against the rule: whole prefixes of groups, each
// group's part contiguous, groups that waited longer first.
func (m *fifoModel) Receive(t *rapid.T) {
	n := rapid.SampledFrom([]int{1, 1, 2, 6}).Draw(t, "n")
	visibility := rapid.SampledFrom([]time.Duration{0, 0, 10 * time.Second, 30 * time.Second}).Draw(t, "visibility")
	got, err := m.Engine.Receive(context.Background(), "q.fifo", ReceiveRequest{Max: n, Visibility: &visibility})
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, d := range got {
		if name := d.Message.Group; len(order) == 0 || order[len(order)-1] != name {
			if slices.Contains(order, name) {
				t.Fatalf("group %s is torn: %v", name, bodies(got))
			}
			order = append(order, name)
		}
	}
	m.checkTurns(t, order)
	rest := got
	for i, name := range order {
		taken := m.takeFrom(t, name, rest, visibility)
		if rest = rest[taken:]; len(rest) > 0 != (i < len(order)-1) {
			t.Fatalf("groups %v of %v do not fit", order, bodies(got))
		}
	}
	m.checkFair(t, order, len(got) < n)
}

// checkTurns sees that no group was left out that had waited longer than one
// that was served. Restarts do not keep the order, so they start it anew.
func (m *fifoModel) checkTurns(t *rapid.T, served []string) {
	for _, out := range m.names {
		g := m.groups[out]
		if !g.could || slices.Contains(served, out) || g.messages[0].receives >= fifoMax {
			continue
		}
		for _, name := range served {
			if m.groups[name].since > g.since {
				t.Fatalf("group %s was served before %s, which has waited longer", name, out)
			}
		}
	}
}

// takeFrom takes one group's part of a receive and returns how many that is.
func (m *fifoModel) takeFrom(t *rapid.T, name string, got []Delivery, visibility time.Duration) (taken int) {
	g := m.groups[name]
	kept := g.messages[:0]
	blocked := false
	for _, x := range g.messages {
		blocked = blocked || x.due.After(m.now)
		full := taken == len(got) || got[taken].Message.Group != name
		if blocked || full && x.receives < fifoMax {
			blocked = true
			kept = append(kept, x)
			continue
		}
		if x.receives >= fifoMax {
			// Whether one behind the last delivered was reached depends on the batch being full.
			if full && !m.isDead(t, x) {
				blocked = true
				kept = append(kept, x)
				continue
			}
			m.dead = append(m.dead, x.body)
			continue
		}
		d := got[taken]
		x.receives++
		if string(d.Message.Body) != x.body || d.Receives != x.receives || d.Message.ID != x.id {
			t.Fatalf("group %s delivers %s for the %d. time, want %s, %d.", name, d.Message.Body, d.Receives, x.body, x.receives)
		}
		x.receipt, x.due = d.Receipt, m.now.Add(visibility)
		m.held = append(m.held, d.Receipt)
		kept = append(kept, x)
		taken++
	}
	g.messages = kept
	g.since, g.could = m.step, g.can(m.now)
	return taken
}

// isDead asks the dead-letter queue.
func (m *fifoModel) isDead(t *rapid.T, x *groupMessage) bool {
	page, err := m.Page(context.Background(), PageRequest{Queue: "dead.fifo", Limit: MaxBatch})
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(page.Rows, func(r Row) bool { return r.Message.ID == x.id })
}

// checkFair looks at the groups that a receive left out: only when the batch
// was full, and then none that waited longer than one that was served. What a
// group was left with by dead-lettering counts as served.
func (m *fifoModel) checkFair(t *rapid.T, served []string, more bool) {
	for _, name := range m.names {
		g := m.groups[name]
		if slices.Contains(served, name) || !g.could {
			continue
		}
		for len(g.messages) > 0 && g.can(m.now) && g.messages[0].receives >= fifoMax && m.isDead(t, g.messages[0]) {
			m.dead = append(m.dead, g.messages[0].body)
			g.messages = g.messages[1:]
			g.since = m.step
		}
		if more && g.can(m.now) {
			t.Fatalf("the batch has room, and group %s, which can deliver %s, was left out", name, g.messages[0].body)
		}
	}
}

func (m *fifoModel) find(r Receipt) (*modelGroup, int) {
	for _, name := range m.names {
		for i, x := range m.groups[name].messages {
			if x.receipt == r {
				return m.groups[name], i
			}
		}
	}
	return nil, 0
}

// receipt draws one of a message in flight more often than a stale one.
func (m *fifoModel) receipt(t *rapid.T) Receipt {
	var live []Receipt
	for _, name := range m.names {
		for _, x := range m.groups[name].messages {
			if x.due.After(m.now) {
				live = append(live, x.receipt)
			}
		}
	}
	if len(live) > 0 && rapid.IntRange(0, 3).Draw(t, "live") > 0 {
		return rapid.SampledFrom(live).Draw(t, "receipt")
	}
	return rapid.SampledFrom(m.held).Draw(t, "receipt")
}

func (m *fifoModel) Delete(t *rapid.T) {
	if len(m.held) == 0 {
		t.Skip("nothing held")
	}
	r := m.receipt(t)
	err := m.Engine.Delete(context.Background(), r, LastReceive)
	g, i := m.find(r)
	switch {
	case g == nil:
		if err == nil {
			t.Fatalf("a stale receipt deletes")
		}
	case !g.messages[i].due.After(m.now):
		if !errors.Is(err, ErrReceiptExpired) {
			t.Fatalf("delete of %s after its timeout: %v", g.messages[i].body, err)
		}
	default:
		if err != nil {
			t.Fatal(err)
		}
		g.messages = slices.Delete(g.messages, i, i+1)
	}
}

func (m *fifoModel) Change(t *rapid.T) {
	if len(m.held) == 0 {
		t.Skip("nothing held")
	}
	r := m.receipt(t)
	d := rapid.SampledFrom([]time.Duration{0, 5 * time.Second, time.Minute}).Draw(t, "visibility")
	_, _, err := m.ChangeVisibility(context.Background(), VisibilityRequest{Receipt: r, Visibility: d, Strictness: LastReceive})
	g, i := m.find(r)
	if ok := g != nil && g.messages[i].due.After(m.now); ok != (err == nil) {
		t.Fatalf("change of visibility: %v, should work: %v", err, ok)
	}
	if err == nil {
		g.messages[i].due = m.now.Add(d)
	}
}

func (m *fifoModel) Remove(t *rapid.T) {
	page, err := m.Page(context.Background(), PageRequest{Queue: "q.fifo", Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Rows) == 0 {
		t.Skip("nothing ready")
	}
	row := page.Rows[rapid.IntRange(0, len(page.Rows)-1).Draw(t, "row")]
	if n, err := m.Engine.Remove(context.Background(), []Ref{row.Ref}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	g := m.groups[row.Message.Group]
	g.messages = slices.DeleteFunc(g.messages, func(x *groupMessage) bool { return x.id == row.Message.ID })
}

func (m *fifoModel) Advance(t *rapid.T) {
	m.pass(time.Duration(rapid.SampledFrom([]int{1, 9, 20, 90}).Draw(t, "s")) * time.Second)
}

func (m *fifoModel) Purge(t *rapid.T) {
	if rapid.IntRange(0, 9).Draw(t, "rarely") > 0 {
		t.Skip("seldom")
	}
	if _, err := m.Engine.Purge(context.Background(), "q.fifo"); err != nil {
		t.Fatal(err)
	}
	for _, name := range m.names {
		m.groups[name].messages = nil
	}
	m.seen = map[string]time.Time{}
}

func (m *fifoModel) Reopen(*rapid.T) {
	m.reopen()
	for _, name := range m.names {
		m.groups[name].since = m.step
	}
}

// compare holds the whole queue against the model after every step.
func (m *fifoModel) compare(t *rapid.T) {
	m.step++
	m.refresh()
	var want Counts
	blocked := map[string]bool{}
	for _, name := range m.names {
		for _, x := range m.groups[name].messages {
			if x.due.After(m.now) {
				want.InFlight++
				blocked[name] = true
			} else {
				want.Ready++
			}
		}
	}
	if got := m.stats("q.fifo").Counts; got != want {
		t.Fatalf("counts = %+v, want %+v", got, want)
	}
	if got := m.stats("dead.fifo").Counts.Ready; got != len(m.dead) {
		t.Fatalf("%d dead, want %d", got, len(m.dead))
	}
	if err := m.verify(m.store); err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	page, err := m.Page(context.Background(), PageRequest{Queue: "q.fifo", Limit: MaxBatch})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range page.Rows {
		g := m.groups[row.Message.Group]
		i := at[row.Message.Group]
		for g.messages[i].due.After(m.now) {
			i++
		}
		if string(row.Message.Body) != g.messages[i].body {
			t.Fatalf("page shows %s where %s is next", row.Message.Body, g.messages[i].body)
		}
		at[row.Message.Group] = i + 1
	}
}

func TestFIFOAgainstModel(outer *testing.T) {
	rapid.Check(outer, func(t *rapid.T) {
		r := &rig{TB: outer, store: newMemory(), now: start}
		r.open()
		defer func() { r.Engine.Close() }()
		dead, a := DefaultAttributes(), DefaultAttributes()
		fifoQueue()(&dead)
		fifoQueue(deadTo("dead.fifo", fifoMax))(&a)
		a.ContentDeduplication = false
		if err := errors.Join(r.CreateQueue(context.Background(), "dead.fifo", dead), r.CreateQueue(context.Background(), "q.fifo", a)); err != nil {
			t.Fatal(err)
		}
		m := &fifoModel{rig: r, groups: map[string]*modelGroup{}, seen: map[string]time.Time{}}
		t.Repeat(map[string]func(*rapid.T){
			"send": m.Send, "send more": func(t *rapid.T) { m.Send(t); m.Send(t); m.Send(t) }, "receive": m.Receive, "delete": m.Delete, "change": m.Change, "change again": m.Change,
			"receive again": m.Receive, "remove": m.Remove, "advance": m.Advance, "purge": m.Purge, "reopen": m.Reopen, "": m.compare,
		})
	})
}
