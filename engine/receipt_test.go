package engine

import (
	"context"
	"testing"
	"time"
)

// issuedBy receives the only message of "orders" and lets its timeout pass.
func issuedBy(r *rig) Receipt {
	r.Helper()
	d := r.receive("orders", 1)
	if len(d) != 1 {
		r.Fatalf("received %d messages", len(d))
	}
	r.pass(time.Second)
	return d[0].Receipt
}

func forged(r Receipt) Receipt {
	r.check++
	return r
}

// receiptTests are the receipts that somebody may hold, and what becomes of
// them under each strictness.
var receiptTests = []struct {
	name string
	get  func(*rig) Receipt
	want [3]error // by strictness
}{
	{"the newest, in time", func(r *rig) Receipt { return r.receive("orders", 1)[0].Receipt }, [3]error{}},
	{"the newest, expired", issuedBy, [3]error{nil, ErrReceiptExpired, ErrReceiptExpired}},
	{"an older one", func(r *rig) Receipt {
		old := issuedBy(r)
		r.receive("orders", 1)
		return old
	}, [3]error{nil, ErrReceiptStale, ErrReceiptStale}},
	{"one of before a change that renews", func(r *rig) Receipt {
		old := r.receive("orders", 1)[0].Receipt
		r.renew(old)
		return old
	}, [3]error{nil, nil, ErrReceiptStale}},
	{"one that a change issued, before a later receive", func(r *rig) Receipt {
		renewed := r.renew(r.receive("orders", 1)[0].Receipt)
		r.pass(10 * time.Second)
		r.receive("orders", 1)
		return renewed
	}, [3]error{nil, ErrReceiptStale, ErrReceiptStale}},
	{"one that a change issued", func(r *rig) Receipt { return r.renew(r.receive("orders", 1)[0].Receipt) }, [3]error{}},
	{"never issued", func(r *rig) Receipt { return forged(r.receive("orders", 1)[0].Receipt) },
		[3]error{ErrReceiptInvalid, ErrReceiptInvalid, ErrReceiptInvalid}},
	{"of a message that was deleted", func(r *rig) Receipt {
		d := r.receive("orders", 1)[0].Receipt
		wantError(r.TB.(*testing.T), r.Delete(context.Background(), d, AnyDelivery), nil)
		return d
	}, [3]error{ErrMessageGone, ErrMessageGone, ErrMessageGone}},
	{"of a message that was purged", func(r *rig) Receipt {
		d := r.receive("orders", 1)[0].Receipt
		_, err := r.Purge(context.Background(), "orders")
		wantError(r.TB.(*testing.T), err, nil)
		r.send("orders", "another at the same place")
		r.receive("orders", 1)
		return d
	}, [3]error{ErrMessageGone, ErrMessageGone, ErrMessageGone}},
	{"of a message that expired in flight", func(r *rig) Receipt {
		d, _ := r.Receive(context.Background(), "orders", ReceiveRequest{Visibility: seconds64(40000)})
		r.now = r.now.Add(time.Hour)
		return d[0].Receipt
	}, [3]error{ErrMessageGone, ErrMessageGone, ErrMessageGone}},
	{"of a queue that was deleted and made again", func(r *rig) Receipt {
		d := r.receive("orders", 1)[0].Receipt
		wantError(r.TB.(*testing.T), r.DeleteQueue(context.Background(), "orders"), nil)
		r.pass(time.Second)
		r.queue("orders")
		r.send("orders", "a")
		r.receive("orders", 1)
		return d
	}, [3]error{ErrQueueNotFound, ErrQueueNotFound, ErrQueueNotFound}},
}

func TestReceipts(t *testing.T) {
	for _, tt := range receiptTests {
		for i, strictness := range strictnesses {
			t.Run(tt.name+[]string{", any delivery", ", last receive", ", last delivery"}[i], func(t *testing.T) {
				for _, restart := range []bool{false, true} {
					for _, act := range []string{"delete", "change"} {
						r := newRig(t)
						r.queue("orders", visibility(time.Second), retention(time.Hour))
						r.send("orders", "a")
						receipt := tt.get(r)
						if restart {
							r.reopen()
						}
						parsed, err := ParseReceipt(receipt.String())
						wantError(t, err, nil)
						if act == "delete" {
							err = r.Delete(context.Background(), parsed, strictness)
						} else {
							_, _, err = r.ChangeVisibility(context.Background(), VisibilityRequest{Receipt: parsed, Strictness: strictness, Visibility: time.Minute})
						}
						wantError(t, err, tt.want[i])
					}
				}
			})
		}
	}
}

// renew changes a visibility as SMQ does, which issues a new receipt.
func (r *rig) renew(receipt Receipt) Receipt {
	r.Helper()
	_, renewed, err := r.ChangeVisibility(context.Background(), VisibilityRequest{Receipt: receipt, Visibility: 10 * time.Second, Renew: true})
	if err != nil {
		r.Fatal(err)
	}
	return renewed
}

func TestDeletes(t *testing.T) {
	ctx := context.Background()
	t.Run("a second delete says that the message is gone and counts nothing", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders")
		r.send("orders", "a", "b")
		d := r.receive("orders", 2)
		errs, err := r.DeleteBatch(ctx, []Receipt{d[0].Receipt, d[0].Receipt, d[1].Receipt}, LastDelivery)
		wantError(t, err, nil)
		wantError(t, errs[0], nil)
		wantError(t, errs[1], ErrMessageGone)
		wantError(t, errs[2], nil)
		r.want("deleted", r.stats("orders").Counters.Deleted, 2)
		r.wantCounts("orders", Counts{})
		r.reopen()
		r.wantCounts("orders", Counts{})
	})
	t.Run("a delete after the message went to the dead-letter queue deletes nothing", func(t *testing.T) {
		r := newRig(t)
		r.queue("dlq")
		r.queue("orders", deadTo("dlq", 1), visibility(time.Second))
		r.send("orders", "a")
		old := issuedBy(r)
		r.receive("orders", 1)
		wantError(t, r.Delete(ctx, old, AnyDelivery), ErrMessageGone)
		r.wantCounts("dlq", Counts{Ready: 1})
	})
	t.Run("a batch has 1 to 500 receipts", func(t *testing.T) {
		r := newRig(t)
		for _, n := range []int{0, 501} {
			_, err := r.DeleteBatch(ctx, make([]Receipt, n), AnyDelivery)
			wantInvalid(t, err, "Receipts", "1 to 500")
		}
	})
}

func TestChangeVisibility(t *testing.T) {
	ctx := context.Background()
	change := func(r *rig, receipt Receipt, d time.Duration, capped bool) error {
		_, _, err := r.ChangeVisibility(ctx, VisibilityRequest{Receipt: receipt, Visibility: d, CapTotal: capped})
		return err
	}
	t.Run("a lease lasts 12 hours from its receive at most", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders", visibility(time.Hour))
		r.send("orders", "a")
		d := r.receive("orders", 1)[0]
		wantInvalid(t, change(r, d.Receipt, MaxVisibility, true), "VisibilityTimeout", "43200")
		r.pass(time.Minute)
		wantInvalid(t, change(r, d.Receipt, MaxVisibility-time.Minute, true), "VisibilityTimeout", "43200")
		r.want("due", r.stats("orders").NextLapse.Sub(start), time.Hour)
		wantError(t, change(r, d.Receipt, MaxVisibility-time.Minute-time.Second, true), nil)
		wantError(t, change(r, d.Receipt, MaxVisibility, false), nil)
		wantInvalid(t, change(r, d.Receipt, MaxVisibility+time.Second, false), "VisibilityTimeout", "43200")
		wantInvalid(t, change(r, d.Receipt, -time.Second, false), "VisibilityTimeout")
		wantInvalid(t, change(r, d.Receipt, time.Millisecond, false), "VisibilityTimeout", "whole seconds")
	})
	t.Run("the cap still counts from the last receive after a restart", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders", visibility(time.Hour))
		r.send("orders", "a")
		d := r.receive("orders", 1)[0]
		r.pass(time.Minute)
		r.reopen()
		wantInvalid(t, change(r, d.Receipt, MaxVisibility, true), "VisibilityTimeout")
	})
	t.Run("an expired one hides its message again", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders", visibility(time.Second))
		r.send("orders", "a")
		receipt := issuedBy(r)
		r.wantCounts("orders", Counts{Ready: 1})
		wantError(t, change(r, receipt, time.Minute, false), nil)
		r.wantCounts("orders", Counts{InFlight: 1})
	})
	t.Run("an older receipt gives the message back", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders", visibility(0))
		r.send("orders", "a")
		old := r.receive("orders", 1)[0].Receipt
		if _, err := r.Receive(ctx, "orders", ReceiveRequest{Visibility: seconds64(3)}); err != nil {
			t.Fatal(err)
		}
		wantError(t, change(r, old, 0, false), nil)
		r.wantCounts("orders", Counts{Ready: 1})
	})
}

// sendLater sends a message with a delay of a minute and returns its receipt.
func (r *rig) sendLater() Receipt {
	r.Helper()
	delay := time.Minute
	sent, err := r.Send(context.Background(), "orders", SendRequest{Body: []byte("a"), Delay: &delay})
	if err != nil {
		r.Fatal(err)
	}
	return sent.Receipt
}

func TestReceiptOfADelayedSend(t *testing.T) {
	ctx := context.Background()
	renew := func(r *rig, receipt Receipt, d time.Duration) (Receipt, error) {
		_, renewed, err := r.ChangeVisibility(ctx, VisibilityRequest{Receipt: receipt, Visibility: d, Strictness: LastDelivery, Renew: true})
		return renewed, err
	}
	for _, strictness := range strictnesses {
		r := newRig(t)
		r.queue("orders")
		receipt := r.sendLater()
		r.reopen()
		wantError(t, r.Delete(ctx, receipt, strictness), nil)
		wantError(t, r.Delete(ctx, receipt, strictness), ErrMessageGone)
		r.wantCounts("orders", Counts{})
	}
	t.Run("a change keeps the message delayed, until then", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders")
		first := r.sendLater()
		second, err := renew(r, first, 10*time.Second)
		wantError(t, err, nil)
		r.reopen()
		r.wantCounts("orders", Counts{Delayed: 1})
		_, err = renew(r, first, time.Second)
		wantError(t, err, ErrReceiptStale)
		third, err := renew(r, second, 20*time.Second)
		wantError(t, err, nil)
		r.pass(19 * time.Second)
		r.wantCounts("orders", Counts{Delayed: 1})
		r.pass(time.Second)
		r.wantCounts("orders", Counts{Ready: 1})
		wantError(t, r.Delete(ctx, third, LastDelivery), ErrReceiptExpired)
		d := r.receive("orders", 1)[0]
		r.want("receives", d.Receives, 1)
		wantError(t, r.Delete(ctx, third, LastDelivery), ErrReceiptStale)
		wantError(t, r.Delete(ctx, d.Receipt, LastDelivery), nil)
	})
	t.Run("a send without delay has none", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders")
		sent, err := r.Send(ctx, "orders", SendRequest{Body: []byte("a")})
		wantError(t, err, nil)
		r.want("receipt", sent.Receipt, Receipt{})
	})
}
