package engine

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// TestReadAhead plays with lanes longer than what is read at once.
func TestReadAhead(t *testing.T) {
	ctx := context.Background()
	t.Run("no message of a lower priority overtakes where reading ahead stopped", func(t *testing.T) {
		r := newRig(t)
		r.queue("orders")
		n := aheadMessages + 10
		var refs []Ref
		for i := range n {
			refs = append(refs, r.send("orders", fmt.Sprint(i)))
		}
		if _, err := r.Send(ctx, "orders", SendRequest{Body: []byte("low"), Priority: LowestPriority}); err != nil {
			t.Fatal(err)
		}
		r.reopen()
		gone := refs[aheadMessages-5 : aheadMessages-2]
		if _, err := r.Remove(ctx, gone); err != nil {
			t.Fatal(err)
		}
		var got, want []string
		for len(got) < n+1-len(gone) {
			d := r.receive("orders", 10)
			if len(d) == 0 {
				t.Fatalf("nothing after %d messages", len(got))
			}
			got = append(got, bodies(d)...)
		}
		for i, ref := range refs {
			if !slices.Contains(gone, ref) {
				want = append(want, fmt.Sprint(i))
			}
		}
		r.want("order", got, append(want, "low"))
	})
}
