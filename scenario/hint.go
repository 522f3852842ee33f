package scenario

import (
	"fmt"

	"inflight/engine"
)

// redriveAt is how many dead orders the hint waits for before it names the
// redrive key.
const redriveAt = 5

// Hint says what to watch now and which key to press, in one line of at most
// 78 characters, from the queues' present numbers. It is safe for concurrent
// use.
func (s *Scenario) Hint(stats []engine.QueueStats) string {
	orders, ok := find(stats, s.names.Orders)
	dlq, dead := find(stats, s.names.DLQ)
	if !ok || !dead {
		return "The demo's queues are gone: q leaves."
	}
	switch n := dlq.Counts.Ready; {
	case n >= redriveAt && dlq.Counters.RedrivenOut == 0:
		return fmt.Sprintf("%d orders are dead. Billing is mended: press 3, then R to send them back.", n)
	case dlq.Counters.RedrivenOut > 0 && n == 0:
		return "The dead went back and are billed now. b shows the job, L what happened."
	case dlq.Counters.RedrivenOut > 0:
		return fmt.Sprintf("Sent back %d; an order with no customer dies again: 3, then enter.",
			dlq.Counters.RedrivenOut)
	case n > 0:
		return "An order died: 3 receives, never deleted. Press 3, then enter to see why."
	case orders.Counters.Lapsed > 0:
		return "A lease lapsed: nobody deleted it in 6 s, so it came back. Press 1: receives."
	case orders.Counters.Received > 0:
		return "Consumers hold orders for 6 s at most. Press 2 and watch the leases run down."
	default:
		return "A shop sends orders to a queue. Press 1 to see them wait."
	}
}
