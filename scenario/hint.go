package scenario

import (
	"fmt"

	"inflight/engine"
)

// redriveAt is how many dead orders the hint waits for before it names the
// redrive key.
const redriveAt = 5

// Hint says what to watch now and which key to press, from the queues' present
// numbers: one line of ASCII, at most 76 characters, with keys between back
// quotes. It is safe for concurrent use.
func (s *Scenario) Hint(stats []engine.QueueStats) string {
	orders, ok := find(stats, s.names.Orders)
	dlq, dead := find(stats, s.names.DLQ)
	if !ok || !dead {
		return "The demo's queues are gone. `q` leaves."
	}
	switch n, back := dlq.Counts.Ready, dlq.Counters.RedrivenOut; {
	case n >= redriveAt && back == 0:
		return fmt.Sprintf("%d orders are dead, billing is mended. `3`, `R`, `tab`, `enter` redrives them.", n)
	case back > 0 && n == 0:
		return "The dead went back and are billed now. `b` shows the job, `L` what happened."
	case back > 0:
		return fmt.Sprintf("%d went back. An order with no customer dies again: `3`, then `enter`.", back)
	case n > 0:
		return "An order died: 3 receives, never deleted. Press `3`, then `enter` to see why."
	case orders.Counters.Lapsed > 0:
		return "A lease lapsed: nobody deleted its order, so it is back. Press `1`: see recv."
	case orders.Counters.Received > 0:
		return "Consumers take orders, each hidden for 6 s. Press `2` and watch the leases."
	default:
		return "A shop sends orders to a queue. Press `1` to see them wait."
	}
}
