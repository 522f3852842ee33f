package storage

import (
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"inflight/engine"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdDir); dir != "" {
		hold(dir)
		return
	}
	goleak.VerifyTestMain(m)
}

// start is when everything in these tests happens.
var start = time.Date(2025, 6, 1, 12, 0, 0, 123e6, time.UTC)

func at(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }

// open opens a store on disk that does not wait for the disk, and closes it at
// the end of the test.
func open(t testing.TB, dir string, o Options) *Store {
	t.Helper()
	s, err := Open(dir, o)
	if err != nil {
		t.Fatalf("Open(%q) = %v", dir, err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close() = %v", err)
		}
	})
	return s
}

// both runs a test on a store of each kind.
func both(t *testing.T, test func(t *testing.T, s *Store)) {
	t.Run("on disk", func(t *testing.T) { test(t, open(t, t.TempDir(), Options{NoSync: true})) })
	t.Run("in memory", func(t *testing.T) {
		s, err := OpenMemory()
		if err != nil {
			t.Fatalf("OpenMemory() = %v", err)
		}
		defer s.Close()
		test(t, s)
	})
}

func commit(t testing.TB, s *Store, changes ...*engine.Change) {
	t.Helper()
	if err := s.Commit(changes); err != nil {
		t.Fatalf("Commit() = %v", err)
	}
}

func ref(queue uint32, lane, pos uint64) engine.Ref {
	return engine.Ref{Queue: queue, Epoch: 1, Lane: lane, Pos: pos}
}

// dedup is a deduplication id whose key begins with hash.
func dedup(queue uint32, hash byte, sequence uint64) engine.DedupRecord {
	return engine.DedupRecord{Queue: queue, Epoch: 1, Key: [16]byte{hash, 15: 7}, Until: at(300), ID: engine.ID{hash}, Sequence: sequence}
}

func message(body string) *engine.Message {
	return &engine.Message{ID: engine.ID{1, 2, 3}, Sent: start, Arrived: start, Priority: 8, Body: []byte(body), Size: len(body)}
}

// contents is a Loader that remembers what it was given, and the order.
type contents struct {
	meta     engine.Meta
	queues   []engine.QueueRecord
	counters []engine.CounterRecord
	lanes    []engine.LaneRecord
	states   []engine.StateRecord
	dedups   []engine.DedupRecord
	holders  []engine.HolderRecord
	tasks    []engine.TaskRecord
	order    []string
}

func (c *contents) note(what string) error {
	if n := len(c.order); n == 0 || c.order[n-1] != what {
		c.order = append(c.order, what)
	}
	return nil
}

func (c *contents) Meta(m engine.Meta) error { c.meta = m; return c.note("meta") }
func (c *contents) Queue(q engine.QueueRecord) error {
	c.queues = append(c.queues, q)
	return c.note("queues")
}
func (c *contents) Counters(n engine.CounterRecord) error {
	c.counters = append(c.counters, n)
	return c.note("counters")
}
func (c *contents) Lane(l engine.LaneRecord) error {
	c.lanes = append(c.lanes, l)
	return c.note("lanes")
}
func (c *contents) State(s engine.StateRecord) error {
	c.states = append(c.states, s)
	return c.note("states")
}
func (c *contents) Dedup(d engine.DedupRecord) error {
	c.dedups = append(c.dedups, d)
	return c.note("dedups")
}
func (c *contents) Holder(h engine.HolderRecord) error {
	c.holders = append(c.holders, h)
	return c.note("holders")
}
func (c *contents) Task(t engine.TaskRecord) error {
	c.tasks = append(c.tasks, t)
	return c.note("tasks")
}

func load(t testing.TB, s *Store) *contents {
	t.Helper()
	c := new(contents)
	if err := s.Load(c); err != nil {
		t.Fatalf("Load() = %v", err)
	}
	return c
}

// read returns the bodies at refs, "-" for none.
func read(t testing.TB, s *Store, refs ...engine.Ref) (bodies []string) {
	t.Helper()
	list, err := s.Read(refs, -1)
	if err != nil {
		t.Fatalf("Read(%v) = %v", refs, err)
	}
	for _, m := range list {
		if m == nil {
			bodies = append(bodies, "-")
			continue
		}
		bodies = append(bodies, string(m.Body))
	}
	return bodies
}
