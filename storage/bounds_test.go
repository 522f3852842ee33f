package storage_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"inflight/engine"
	"inflight/storage"
)

// big is an engine over a store on disk, where a change has a most.
type big struct {
	*testing.T
	*engine.Engine
	now time.Time
}

func newBig(t *testing.T) *big {
	b := &big{T: t, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	store, err := storage.Open(t.TempDir(), storage.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if b.Engine, err = engine.Open(store, engine.Options{Now: func() time.Time { return b.now }}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Engine.Close() })
	return b
}

func (b *big) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *big) queue(name string, change ...func(*engine.Attributes)) {
	a := engine.DefaultAttributes()
	for _, c := range change {
		c(&a)
	}
	b.must(b.CreateQueue(context.Background(), name, a))
}

func (b *big) fill(name string, n int) (refs []engine.Ref) {
	for len(refs) < n {
		batch := make([]engine.SendRequest, 500)
		for i := range batch {
			batch[i].Body = []byte("x")
		}
		sent, err := b.SendBatch(context.Background(), name, batch)
		b.must(err)
		for _, s := range sent {
			refs = append(refs, s.Ref)
		}
	}
	return refs
}

func (b *big) drain(name string) (all []engine.Delivery) {
	for {
		d, err := b.Receive(context.Background(), name, engine.ReceiveRequest{Max: 500})
		b.must(err)
		if len(d) == 0 {
			return all
		}
		all = append(all, d...)
	}
}

func short(a *engine.Attributes) { a.Retention, a.VisibilityTimeout = time.Minute, 12*time.Hour }

// Each of these would write more than one transaction holds, and a store that
// cannot write stops its engine.
func TestABatchOfDeletesAfterManyExpired(t *testing.T) {
	b := newBig(t)
	b.queue("orders", short)
	b.fill("orders", 10_000)
	held := b.drain("orders")
	b.now = b.now.Add(2 * time.Minute)
	var receipts []engine.Receipt
	for _, d := range held[:10] { // as many as one SQS batch
		receipts = append(receipts, d.Receipt)
	}
	_, err := b.DeleteBatch(context.Background(), receipts, engine.AnyDelivery)
	b.must(err)
	_, err = b.Queues(context.Background())
	b.must(err)
}

func TestAllQueuesAfterManyExpired(t *testing.T) {
	b := newBig(t)
	for q := range 8 {
		b.queue(fmt.Sprint("q", q), short)
		b.fill(fmt.Sprint("q", q), 1100)
		b.drain(fmt.Sprint("q", q))
	}
	b.now = b.now.Add(2 * time.Minute)
	_, err := b.Queues(context.Background())
	b.must(err)
	b.must(b.Check(context.Background(), func(p string) { t.Error(p) }))
	_, err = b.Send(context.Background(), "q0", engine.SendRequest{Body: []byte("x")})
	b.must(err)
}

func TestAllQueuesAfterManyDeduplicationIDs(t *testing.T) {
	b := newBig(t)
	for q := range 14 {
		name := fmt.Sprint("q", q, ".fifo")
		b.queue(name, func(a *engine.Attributes) { a.Type = engine.FIFO })
		for n := range 3 {
			batch := make([]engine.SendRequest, 400)
			for i := range batch {
				batch[i] = engine.SendRequest{Body: []byte("x"), Group: "g", Deduplication: fmt.Sprint(n, "-", i)}
			}
			_, err := b.SendBatch(context.Background(), name, batch)
			b.must(err)
		}
	}
	b.now = b.now.Add(6 * time.Minute)
	_, err := b.Queues(context.Background())
	b.must(err)
	_, err = b.Purge(context.Background(), "q0.fifo")
	b.must(err)
}

func TestARedriveBehindManyRemoved(t *testing.T) {
	b := newBig(t)
	b.queue("dlq")
	b.queue("orders", func(a *engine.Attributes) { a.Redrive = engine.RedrivePolicy{DLQ: "dlq", MaxReceives: 1} })
	refs := b.fill("dlq", 25_000)
	for i := 500; i < 22_000; i += 500 {
		_, err := b.Remove(context.Background(), refs[i:i+500])
		b.must(err)
	}
	_, err := b.StartRedrive(context.Background(), engine.RedriveRequest{Source: "dlq", Destination: "orders"})
	b.must(err)
	b.must(b.Tick(b.now))
}

func TestADeleteBeforeManyRemoved(t *testing.T) {
	b := newBig(t)
	b.queue("orders")
	refs := b.fill("orders", 21_000)
	for i := 1; i < 20_000; i += 500 {
		_, err := b.Remove(context.Background(), refs[i:i+500])
		b.must(err)
	}
	_, err := b.Remove(context.Background(), append(refs[:1:1], refs[20_501:]...))
	b.must(err)
}

func TestAnExtensionKeepsNothingThatExpired(t *testing.T) {
	b := newBig(t)
	b.queue("orders", short)
	b.fill("orders", 2500)
	held := b.drain("orders")
	b.now = b.now.Add(2 * time.Minute)
	var refs []engine.Ref
	for _, d := range held[len(held)-500:] {
		refs = append(refs, d.Ref)
	}
	b.Extend(context.Background(), refs, time.Hour)
	n := 0
	b.must(b.Check(context.Background(), func(p string) {
		if n++; n < 4 {
			t.Error(p)
		}
	}))
	t.Log(n, "problems")
}
