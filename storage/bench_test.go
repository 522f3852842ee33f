package storage

import (
	"os"
	"path/filepath"
	"testing"

	"inflight/engine"
)

// sends is a group of 64 callers' sends, 10 messages of 1 KiB each, to one
// lane from pos on.
func sends(pos uint64) []*engine.Change {
	const callers, messages = 64, 10
	m := message(string(make([]byte, 1024)))
	changes := make([]*engine.Change, callers)
	for i := range changes {
		c := &engine.Change{
			Lanes:    []engine.LaneRecord{{Queue: 1, Epoch: 1, Lane: 8, Tail: pos + messages, Oldest: start, LastSent: start}},
			Counters: []engine.CounterRecord{{Queue: 1, LastTurn: pos}},
		}
		for range messages {
			c.Puts = append(c.Puts, engine.Put{Ref: ref(1, 8, pos), Message: m})
			pos++
		}
		changes[i] = c
	}
	return changes
}

func BenchmarkCommit(b *testing.B) {
	for _, noSync := range []bool{false, true} {
		b.Run(map[bool]string{false: "sync", true: "nosync"}[noSync], func(b *testing.B) {
			s := open(b, b.TempDir(), Options{NoSync: noSync})
			b.ReportAllocs()
			n := uint64(0)
			for b.Loop() {
				b.StopTimer()
				group := sends(n)
				b.StartTimer()
				if err := s.Commit(group); err != nil {
					b.Fatal(err)
				}
				n += 640
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "msgs/s")
		})
	}
}

// BenchmarkThrough sends messages through a nearly empty queue: received and
// deleted right after they came. It reports what the directory takes on disk.
func BenchmarkThrough(b *testing.B) {
	dir := b.TempDir()
	s := open(b, dir, Options{NoSync: true})
	n, most := uint64(0), int64(0)
	for b.Loop() {
		if err := s.Commit(sends(n)); err != nil {
			b.Fatal(err)
		}
		taken, gone := new(engine.Change), new(engine.Change)
		for pos := n; pos < n+640; pos++ {
			taken.States = append(taken.States, engine.StateRecord{
				Ref: ref(1, 8, pos), Sent: start, Due: at(30), Receives: 1, Append: &engine.HistoryRecord{At: at(1), Until: at(30)},
			})
			gone.Drops = append(gone.Drops, ref(1, 8, pos))
		}
		for _, c := range []*engine.Change{taken, gone} {
			if err := s.Commit([]*engine.Change{c}); err != nil {
				b.Fatal(err)
			}
		}
		if n += 640; n%64_000 == 0 {
			most = max(most, onDisk(b, dir))
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "msgs/s")
	b.ReportMetric(float64(most)/(1<<20), "MiB-most")
	b.ReportMetric(float64(onDisk(b, dir))/(1<<20), "MiB-end")
}

// onDisk is what the files below dir take; they are sparse.
func onDisk(b *testing.B, dir string) (size int64) {
	filepath.Walk(dir, func(_ string, info os.FileInfo, err error) error {
		if err == nil {
			size += Allocated(info)
		}
		return nil
	})
	return size
}

// manyStates makes a store of n states on disk.
func manyStates(b *testing.B, n uint64) *Store {
	s := open(b, b.TempDir(), Options{NoSync: true})
	commit(b, s, &engine.Change{Queues: []engine.QueueRecord{{Number: 1, Epoch: 1}}})
	for pos := uint64(0); pos < n; {
		c := new(engine.Change)
		for range 2000 {
			c.States = append(c.States, engine.StateRecord{
				Ref: ref(1, 8, pos), Sent: start, Due: at(30), Mark: pos, Turn: pos, Receives: 1, Delivery: 1, Size: 1024, Holder: 1,
				FirstReceived: at(1), LastReceived: at(1), Append: &engine.HistoryRecord{At: at(1), Until: at(30), Holder: 1},
			})
			pos++
		}
		commit(b, s, c)
	}
	return s
}

// counting is a Loader that only counts.
type counting struct {
	contents
	states int
}

func (c *counting) State(engine.StateRecord) error { c.states++; return nil }

func BenchmarkLoadStates(b *testing.B) {
	const n = 1_000_000
	s := manyStates(b, n)
	b.ReportAllocs()
	for b.Loop() {
		c := new(counting)
		if err := s.Load(c); err != nil || c.states != n {
			b.Fatal(c.states, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/state")
}

// BenchmarkRead reads pages of 50 previews out of 100,000 messages.
func BenchmarkRead(b *testing.B) {
	s := open(b, b.TempDir(), Options{NoSync: true})
	const n = 100_480
	for pos := uint64(0); pos < n; pos += 640 {
		commit(b, s, sends(pos)...)
	}
	refs := make([]engine.Ref, 50)
	pos := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		for i := range refs {
			pos = (pos + 7919) % n
			refs[i] = ref(1, 8, pos)
		}
		if _, err := s.Read(refs, engine.PreviewBytes); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(refs)), "ns/message")
}
