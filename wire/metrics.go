package wire

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"inflight/engine"
)

const (
	metricsPath = "/_inflight/metrics"
	healthPath  = "/_inflight/health"
)

// requests counts requests by action.
type requests struct {
	mu       sync.Mutex
	byAction map[string]uint64
}

func newRequests() requests { return requests{byAction: map[string]uint64{}} }

func (r *requests) count(action string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.byAction[action]++
}

func (r *requests) copy() map[string]uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.byAction)
}

// serveHealth says whether the engine works: 200, or 503 with the reason.
func (s *Server) serveHealth(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if _, err := s.engine.Tasks(r.Context()); err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintf(w, "{\"status\":\"failed\",\"reason\":%q}\n", err)
		return
	}
	fmt.Fprintln(w, `{"status":"ok"}`)
}

// serveMetrics writes counts, counters and ages of each queue in the text
// format of Prometheus. Where credentials are asked for, it asks for one that
// may GetQueueAttributes.
func (s *Server) serveMetrics(w http.ResponseWriter, r *http.Request) {
	if s.options.Credentials != nil {
		a := authorizer{s.options.Credentials, s.options.Now}
		client, err := a.Authorize(r, nil)
		if err != nil {
			w.Header().Set("WWW-Authenticate", `Basic realm="inflight"`)
			http.Error(w, "access key and secret key, please", http.StatusUnauthorized)
			return
		}
		if !client.May("GetQueueAttributes") {
			http.Error(w, "GetQueueAttributes is not allowed", http.StatusForbidden)
			return
		}
	}
	queues, err := s.engine.Queues(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	var b strings.Builder
	writeMetrics(&b, queues, s.options.Now(), cmp.Or(s.options.Region, "us-east-1"))
	fmt.Fprint(&b, "# HELP inflight_requests_total Requests by action.\n# TYPE inflight_requests_total counter\n")
	counts := s.requests.copy()
	for _, action := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&b, "inflight_requests_total{action=%q} %d\n", action, counts[action])
	}
	fmt.Fprint(w, b.String())
}

// metric is one number of a queue.
type metric struct {
	name, kind, help string
	labels           string // beside queue and region
	of               func(q *engine.QueueStats, now time.Time) float64
}

// counter is a metric over a queue's counters.
func counter(name, help string, of func(engine.Counters) uint64) metric {
	return metric{name: "inflight_" + name + "_total", kind: "counter", help: help,
		of: func(q *engine.QueueStats, _ time.Time) float64 { return float64(of(q.Counters)) }}
}

// state is a metric over a queue's counts.
func state(label string, of func(engine.Counts) int) metric {
	return metric{name: "inflight_messages", kind: "gauge", help: "Messages by state.", labels: `,state="` + label + `"`,
		of: func(q *engine.QueueStats, _ time.Time) float64 { return float64(of(q.Counts)) }}
}

// metrics are all numbers of a queue; those of one name stand together.
var metrics = []metric{
	state("visible", func(c engine.Counts) int { return c.Ready }),
	state("in_flight", func(c engine.Counts) int { return c.InFlight }),
	state("delayed", func(c engine.Counts) int { return c.Delayed }),
	{
		name: "inflight_oldest_message_age_seconds", kind: "gauge", help: "Age of the oldest message, counted from its arrival in the queue; 0 when empty.",
		of: func(q *engine.QueueStats, now time.Time) float64 {
			if q.OldestArrived.IsZero() {
				return 0
			}
			return max(0, now.Sub(q.OldestArrived).Seconds())
		},
	},
	counter("sent", "Messages sent, redriven ones included.", func(c engine.Counters) uint64 { return c.Sent }),
	counter("received", "Deliveries.", func(c engine.Counters) uint64 { return c.Received }),
	counter("empty_receives", "Receives that found nothing.", func(c engine.Counters) uint64 { return c.EmptyReceives }),
	counter("deleted", "Messages deleted.", func(c engine.Counters) uint64 { return c.Deleted }),
	counter("lapsed", "Visibility timeouts that ran out.", func(c engine.Counters) uint64 { return c.Lapsed }),
	counter("expired", "Messages whose retention was over.", func(c engine.Counters) uint64 { return c.Expired }),
	counter("purged", "Messages purged.", func(c engine.Counters) uint64 { return c.Purged }),
	counter("dead_lettered_in", "Messages moved here as a dead-letter queue.", func(c engine.Counters) uint64 { return c.DeadLetteredIn }),
	counter("dead_lettered_out", "Messages moved from here to the dead-letter queue.", func(c engine.Counters) uint64 { return c.DeadLetteredOut }),
	counter("redriven_out", "Messages moved from here by a redrive.", func(c engine.Counters) uint64 { return c.RedrivenOut }),
}

func writeMetrics(b *strings.Builder, queues []engine.QueueStats, now time.Time, home string) {
	last := ""
	for _, m := range metrics {
		if m.name != last {
			fmt.Fprintf(b, "# HELP %s %s\n# TYPE %s %s\n", m.name, m.help, m.name, m.kind)
			last = m.name
		}
		for i := range queues {
			name, region, regional := strings.Cut(queues[i].Name, "@")
			if !regional {
				region = home
			}
			fmt.Fprintf(b, "%s{queue=%q,region=%q%s} %g\n", m.name, name, region, m.labels, m.of(&queues[i], now))
		}
	}
}
