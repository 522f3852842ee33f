package storage_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"inflight/engine"
	"inflight/storage"
)

// Benchmarks of the engine over the real store. Every call waits until what it
// did is on disk. The large ones take minutes and run in full only when
// INFLIGHT_BENCH=full; otherwise they are smaller, so that each can run once in
// the gate.
var full = os.Getenv("INFLIGHT_BENCH") == "full"

func size(large, small int) int {
	if full {
		return large
	}
	return small
}

const (
	callers  = 64
	bodySize = 1024
)

var ctx = context.Background()

type bench struct {
	*testing.B
	*engine.Engine
	dir string
}

func newBench(b *testing.B) *bench {
	x := &bench{B: b, dir: b.TempDir()}
	x.open()
	b.Cleanup(func() { x.Engine.Close() })
	if err := x.CreateQueue(ctx, "q", attributes(time.Hour)); err != nil {
		b.Fatal(err)
	}
	return x
}

func attributes(visibility time.Duration) engine.Attributes {
	a := engine.DefaultAttributes()
	a.VisibilityTimeout = visibility
	return a
}

func (x *bench) open() {
	store, err := storage.Open(x.dir, storage.Options{})
	if err != nil {
		x.Fatal(err)
	}
	if x.Engine, err = engine.Open(store, engine.Options{}); err != nil {
		x.Fatal(err)
	}
}

// body is sent again and again: the engine never changes one.
var body = []byte(strings.Repeat("abcdefgh", bodySize/8))

func batch(n int) []engine.SendRequest {
	all := make([]engine.SendRequest, n)
	for i := range all {
		all[i].Body = body
	}
	return all
}

func (x *bench) send(n int) {
	if _, err := x.SendBatch(ctx, "q", batch(n)); err != nil {
		x.Fatal(err)
	}
}

func (x *bench) receive(n int, visibility *time.Duration) []engine.Delivery {
	d, err := x.Receive(ctx, "q", engine.ReceiveRequest{Max: n, Visibility: visibility, Holder: "bench"})
	if err != nil {
		x.Fatal(err)
	}
	return d
}

func (x *bench) delete(d []engine.Delivery) {
	receipts := make([]engine.Receipt, len(d))
	for i := range d {
		receipts[i] = d[i].Receipt
	}
	if _, err := x.DeleteBatch(ctx, receipts, engine.AnyDelivery); err != nil {
		x.Fatal(err)
	}
}

// crowd runs do from many callers until calls calls were made, and returns how
// long each took.
func crowd(calls int, do func(call int)) []time.Duration {
	took := make([]time.Duration, calls)
	next := make(chan int)
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			for call := range next {
				start := time.Now()
				do(call)
				took[call] = time.Since(start)
			}
		})
	}
	for call := range calls {
		next <- call
	}
	close(next)
	group.Wait()
	return took
}

// report gives what a user would ask about.
func (x *bench) report(messages int, elapsed time.Duration, took []time.Duration) {
	slices.Sort(took)
	x.ReportMetric(float64(messages)/elapsed.Seconds(), "msgs/s")
	x.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	x.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
	x.ReportMetric(0, "ns/op")
}

// BenchmarkCalls measures calls of 10 messages of 1 KiB from 64 callers.
func BenchmarkCalls(b *testing.B) {
	calls := size(20_000, 500)
	b.Run("send", func(b *testing.B) {
		for b.Loop() {
			x := newBench(b)
			start := time.Now()
			took := crowd(calls, func(int) { x.send(10) })
			x.report(10*calls, time.Since(start), took)
		}
	})
	b.Run("receive", func(b *testing.B) {
		for b.Loop() {
			x := newBench(b)
			crowd(calls, func(int) { x.send(10) })
			start := time.Now()
			took := crowd(calls, func(int) { x.receive(10, nil) })
			x.report(10*calls, time.Since(start), took)
		}
	})
	b.Run("delete", func(b *testing.B) {
		for b.Loop() {
			x := newBench(b)
			held := make([][]engine.Delivery, calls)
			crowd(calls, func(call int) { x.send(10); held[call] = x.receive(10, nil) })
			start := time.Now()
			took := crowd(calls, func(call int) { x.delete(held[call]) })
			x.report(10*calls, time.Since(start), took)
		}
	})
	b.Run("cycle", func(b *testing.B) {
		for b.Loop() {
			x := newBench(b)
			start := time.Now()
			took := crowd(calls, func(int) { x.send(10); x.delete(x.receive(10, nil)) })
			x.report(10*calls, time.Since(start), took)
		}
	})
	b.Run("cycle of 1", func(b *testing.B) {
		for b.Loop() {
			x := newBench(b)
			start := time.Now()
			took := crowd(calls, func(int) { x.send(1); x.delete(x.receive(1, nil)) })
			x.report(calls, time.Since(start), took)
		}
	})
}

// fill puts n messages into the queue.
func (x *bench) fill(n int) {
	crowd(n/500, func(int) { x.send(500) })
}

// BenchmarkDepth measures receives of 10 by one caller with few and with many
// messages waiting: the ratio matters.
func BenchmarkDepth(b *testing.B) {
	for _, waiting := range []int{1_000, size(1_000_000, 20_000)} {
		b.Run(fmt.Sprintf("waiting %d", waiting), func(b *testing.B) {
			for b.Loop() {
				x := newBench(b)
				x.fill(waiting)
				var took []time.Duration
				start := time.Now()
				for range size(2000, 50) {
					from := time.Now()
					d := x.receive(10, nil)
					took = append(took, time.Since(from))
					x.delete(d)
					x.send(10)
				}
				x.report(10*len(took), time.Since(start), took)
			}
		})
	}
}

func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// BenchmarkMillion measures what a million messages cost: memory, and the time
// to open the store again.
func BenchmarkMillion(b *testing.B) {
	n := size(1_000_000, 20_000)
	for _, touched := range []bool{false, true} {
		name := "waiting"
		if touched {
			name = "touched"
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				x := newBench(b)
				x.fill(n)
				if touched {
					crowd(n/500, func(int) { x.receive(500, nil) })
				}
				if err := x.Engine.Close(); err != nil {
					b.Fatal(err)
				}
				x.Engine = nil
				before := heap()
				start := time.Now()
				x.open()
				opened := time.Since(start)
				// What Badger keeps for itself is the same with an empty store.
				b.ReportMetric((heap()-before-emptyHeap(b))/float64(n), "B/msg")
				b.ReportMetric(opened.Seconds(), "s/open")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

// emptyHeap is what an engine over an empty store takes.
func emptyHeap(b *testing.B) float64 {
	before := heap()
	x := newBench(b)
	defer x.Engine.Close()
	return heap() - before
}

// BenchmarkLapse lets many visibility timeouts end at one moment, and measures
// how long that takes and how long others are held up meanwhile.
func BenchmarkLapse(b *testing.B) {
	n := size(100_000, 10_000)
	for b.Loop() {
		x := newBench(b)
		x.fill(n)
		hour := time.Hour
		crowd(n/500, func(int) { x.receive(500, &hour) })
		stop, worst := make(chan struct{}), make(chan time.Duration)
		go func() {
			var longest time.Duration
			for {
				select {
				case <-stop:
					worst <- longest
					return
				default:
				}
				from := time.Now()
				if _, _, err := x.Events(ctx, 1<<62, 1); err != nil {
					b.Error(err)
				}
				longest = max(longest, time.Since(from))
			}
		}()
		start := time.Now()
		if err := x.Tick(time.Now().Add(2 * time.Hour)); err != nil {
			b.Fatal(err)
		}
		took := time.Since(start)
		close(stop)
		b.ReportMetric(float64(took.Microseconds())/1000, "ms/all")
		b.ReportMetric(float64((<-worst).Microseconds()), "worst-pause-µs")
		b.ReportMetric(0, "ns/op")
		if d := x.receive(10, nil); len(d) != 10 {
			b.Fatalf("received %d after the lapse", len(d))
		}
	}
}

// BenchmarkPage reads 50 rows from the start, the middle and the end.
func BenchmarkPage(b *testing.B) {
	n := size(1_000_000, 20_000)
	x := newBench(b)
	x.fill(n)
	crowd(n/2500, func(int) { x.receive(500, nil) })
	for _, state := range []engine.State{engine.Ready, engine.InFlight} {
		count := n / 5 // in flight; the others are ready
		if state == engine.Ready {
			count = n - count
		}
		for _, offset := range []int{0, count / 2, count - 50} {
			b.Run(fmt.Sprintf("%s at %d", state, offset), func(b *testing.B) {
				for b.Loop() {
					p, err := x.Page(ctx, engine.PageRequest{Queue: "q", State: state, Offset: offset, Limit: 50})
					if err != nil || len(p.Rows) != 50 {
						b.Fatalf("%d rows, %v", len(p.Rows), err)
					}
				}
			})
		}
	}
}

// BenchmarkChurn sends many messages through an almost empty queue and reports
// the most disk space taken meanwhile.
func BenchmarkChurn(b *testing.B) {
	calls := size(500_000, 500)
	const parts = 100 // the disk is looked at after each
	for b.Loop() {
		x := newBench(b)
		start := time.Now()
		var took []time.Duration
		var most int64
		for range parts {
			took = append(took, crowd(calls/parts, func(int) { x.send(10); x.delete(x.receive(10, nil)) })...)
			most = max(most, diskBytes(b, x.dir))
		}
		x.report(10*calls, time.Since(start), took)
		b.ReportMetric(float64(most)/(1<<20), "MiB-most")
	}
}

// diskBytes is what the files of a store in use take: Badger maps more of each
// than it has filled.
func diskBytes(b *testing.B, dir string) (bytes int64) {
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		switch {
		case err == nil:
			bytes += storage.Allocated(info)
		case errors.Is(err, fs.ErrNotExist): // the store removes files meanwhile
			return nil
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return bytes
}
