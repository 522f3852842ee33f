package ui

import (
	"strings"

	"inflight/engine"
)

// queueRow is a queue in the list: a dead-letter queue stands under the first
// queue that dead-letters into it.
type queueRow struct {
	stats *engine.QueueStats
	dead  bool
}

// orderQueues puts queues, which are sorted by name, in the order of the list.
// With a filter only those whose name contains it stay.
func orderQueues(queues []engine.QueueStats, filter string) []queueRow {
	byName := make(map[string]*engine.QueueStats, len(queues))
	for i := range queues {
		byName[queues[i].Name] = &queues[i]
	}
	rows := make([]queueRow, 0, len(queues))
	done := make(map[string]bool, len(queues))
	var add func(q *engine.QueueStats)
	add = func(q *engine.QueueStats) {
		if q == nil || done[q.Name] {
			return
		}
		done[q.Name] = true
		rows = append(rows, queueRow{q, len(q.Sources) > 0})
		add(byName[q.Attributes.Redrive.DLQ])
	}
	for i := range queues {
		if len(queues[i].Sources) == 0 {
			add(&queues[i])
		}
	}
	for i := range queues {
		add(&queues[i]) // dead-letter queues of each other
	}
	if filter == "" {
		return rows
	}
	filter = strings.ToLower(filter)
	kept := rows[:0]
	for _, row := range rows {
		if strings.Contains(strings.ToLower(row.stats.Name), filter) {
			kept = append(kept, row)
		}
	}
	return kept
}

// samples are the histories of all queues, by name.
type samples map[string]*history

// take adds what the queues count now, and forgets those that are gone.
func (s samples) take(msg queuesMsg) {
	if msg.err != nil {
		return
	}
	for i := range msg.queues {
		q := &msg.queues[i]
		if s[q.Name] == nil {
			s[q.Name] = &history{}
		}
		s[q.Name].add(q, msg.at)
	}
	if len(s) > len(msg.queues) {
		for name := range s {
			if findQueue(msg.queues, name) == nil {
				delete(s, name)
			}
		}
	}
}

// of returns a queue's history, an empty one if there is none.
func (s samples) of(name string) *history {
	if h := s[name]; h != nil {
		return h
	}
	return &history{}
}

// died is how many messages were dead-lettered into a queue in five minutes.
func (s samples) died(name string) int { return s.of(name).grown(deadInCounter, sampleSteps-1) }
