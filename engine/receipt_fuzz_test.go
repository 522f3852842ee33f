package engine

import (
	"context"
	"errors"
	"testing"
)

// FuzzParseReceipt reads what clients send: refusing is fine, guessing is not.
func FuzzParseReceipt(f *testing.F) {
	r := newRig(f)
	r.queue("orders")
	r.send("orders", "a", "b")
	issued := map[string]bool{}
	for _, d := range r.receive("orders", 2) {
		issued[d.Receipt.String()] = true
		f.Add(d.Receipt.String())
	}
	forged := Receipt{Ref: Ref{Queue: 1, Lane: DefaultPriority}, Delivery: 1, check: 42}
	for _, s := range []string{
		"", "garbage", "a b", forged.String(), forged.String() + "=", forged.String() + "\n", forged.String()[:47],
		"________________________________________________", "AAAA/AAA+AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		receipt, err := ParseReceipt(s)
		if err != nil {
			if !errors.Is(err, ErrReceiptInvalid) || receipt != (Receipt{}) {
				t.Fatalf("ParseReceipt(%q) = %+v, %v", s, receipt, err)
			}
			return
		}
		if receipt.String() != s {
			t.Fatalf("ParseReceipt(%q).String() = %q", s, receipt)
		}
		_, _, err = r.ChangeVisibility(context.Background(), VisibilityRequest{Receipt: receipt, Visibility: MaxVisibility})
		if issued[s] && err != nil || !issued[s] && !errors.Is(err, ErrReceiptInvalid) {
			t.Fatalf("%q, issued: %v, was answered %v", s, issued[s], err)
		}
	})
}

// TestForgedReceipts changes every bit of a good one.
func TestForgedReceipts(t *testing.T) {
	r := newRig(t)
	r.queue("orders")
	r.send("orders", "a")
	good := r.receive("orders", 1)[0].Receipt.String()
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for i := range good {
		for bit := range 6 {
			at := 0
			for alphabet[at] != good[i] {
				at++
			}
			forged := good[:i] + alphabet[at^1<<bit:at^1<<bit+1] + good[i+1:]
			receipt, err := ParseReceipt(forged)
			if err == nil {
				err = r.Delete(context.Background(), receipt, AnyDelivery)
			}
			wantError(t, err, ErrReceiptInvalid)
		}
	}
	other := newRig(t)
	other.store.meta.Secret[0] = 9
	other.reopen()
	other.queue("orders")
	other.send("orders", "a")
	other.receive("orders", 1)
	receipt, err := ParseReceipt(good)
	wantError(t, err, nil)
	wantError(t, other.Delete(context.Background(), receipt, AnyDelivery), ErrReceiptInvalid)
}
