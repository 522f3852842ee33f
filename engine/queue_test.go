package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// wantInvalid checks that err is about field and that its text holds each part.
func wantInvalid(t *testing.T, err error, field string, parts ...string) {
	t.Helper()
	var invalid *InvalidError
	if !errors.As(err, &invalid) || invalid.Field != field {
		t.Fatalf("error = %v, want one about %s", err, field)
	}
	for _, part := range parts {
		if !strings.Contains(invalid.Reason, part) {
			t.Errorf("reason = %q, want %q in it", invalid.Reason, part)
		}
	}
}

func wantError(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error = %v, want %v", err, want)
	}
}

func TestQueueNames(t *testing.T) {
	tests := []struct {
		name, queue string
		good        bool
	}{
		{"one character", "a", true},
		{"letters, digits, hyphens and underscores", "aZ-9_", true},
		{"the longest", strings.Repeat("x", MaxNameLength), true},
		{"empty", "", false},
		{"too long", strings.Repeat("x", MaxNameLength+1), false},
		{"a dot", "a.fifo", false},
		{"a slash", "a/b", false},
		{"a space", "a b", false},
		{"an umlaut", "ä", false},
		{"a line break", "a\n", false},
		{"invalid UTF-8", "a\xff", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			err := r.CreateQueue(context.Background(), tt.queue, DefaultAttributes())
			if tt.good && err != nil {
				t.Errorf("CreateQueue(%q) = %v", tt.queue, err)
			}
			if !tt.good {
				wantInvalid(t, err, "QueueName", "1 to 120")
				all, _ := r.Queues(context.Background())
				r.want("queues", len(all), 0)
			}
		})
	}
}

// attributeRanges are the limits of each attribute: the last good values and
// the first bad ones.
var attributeRanges = []struct {
	field, low, high string
	set              func(*Attributes, time.Duration)
	good, bad        []time.Duration
}{
	{"VisibilityTimeout", "0", "43200", func(a *Attributes, d time.Duration) { a.VisibilityTimeout = d },
		[]time.Duration{0, 12 * time.Hour}, []time.Duration{-time.Second, 12*time.Hour + time.Second, 1500 * time.Millisecond}},
	{"DelaySeconds", "0", "604800", func(a *Attributes, d time.Duration) { a.Delay = d },
		[]time.Duration{0, 7 * 24 * time.Hour}, []time.Duration{-time.Second, 7*24*time.Hour + time.Second, time.Millisecond}},
	{"MessageRetentionPeriod", "60", "1209600", func(a *Attributes, d time.Duration) { a.Retention = d },
		[]time.Duration{time.Minute, 14 * 24 * time.Hour}, []time.Duration{0, 59 * time.Second, 14*24*time.Hour + time.Second, time.Minute + 1}},
	{"ReceiveMessageWaitTimeSeconds", "0", "30", func(a *Attributes, d time.Duration) { a.ReceiveWait = d },
		[]time.Duration{0, 30 * time.Second}, []time.Duration{-time.Second, 31 * time.Second}},
	{"MaximumMessageSize", "1024", "1048576", func(a *Attributes, d time.Duration) { a.MaximumMessageSize = int(d) },
		[]time.Duration{1024, 1 << 20}, []time.Duration{0, 1023, 1<<20 + 1, -1}},
}

func TestAttributeRanges(t *testing.T) {
	ctx := context.Background()
	for _, tt := range attributeRanges {
		t.Run(tt.field+" has a range", func(t *testing.T) {
			r := newRig(t)
			r.queue("old")
			before := fmt.Sprint(r.stats("old"))
			for i, v := range tt.good {
				a := DefaultAttributes()
				tt.set(&a, v)
				wantError(t, r.CreateQueue(ctx, fmt.Sprint("good", i), a), nil)
			}
			for _, v := range tt.bad {
				a := DefaultAttributes()
				tt.set(&a, v)
				wantInvalid(t, r.CreateQueue(ctx, "bad", a), tt.field, tt.low, tt.high)
				r.now = r.now.Add(time.Second)
				err := r.Configure(ctx, "old", func(a *Attributes) {
					tt.set(a, v)
					a.Tags = map[string]string{"half": "done"}
				})
				wantInvalid(t, err, tt.field, tt.low, tt.high)
			}
			r.want("the queue that was there", fmt.Sprint(r.stats("old")), before)
			r.reopen()
			r.want("the queue after reopening", fmt.Sprint(r.stats("old")), before)
			all, _ := r.Queues(ctx)
			r.want("queues", len(all), 1+len(tt.good))
		})
	}
}

func TestRedrivePolicies(t *testing.T) {
	ctx := context.Background()
	tests := []struct {
		name   string
		policy RedrivePolicy
		why    string // empty: accepted
	}{
		{"a queue that admits all", RedrivePolicy{"open", 3}, ""},
		{"a queue that admits this one by name", RedrivePolicy{"mine", 1}, ""},
		{"the most receives", RedrivePolicy{"open", 1000}, ""},
		{"a missing queue", RedrivePolicy{"nowhere", 3}, "does not exist"},
		{"itself", RedrivePolicy{"orders", 3}, "its own"},
		{"no name", RedrivePolicy{"", 3}, "names no"},
		{"no receives", RedrivePolicy{"open", 0}, "1 to 1000"},
		{"too many receives", RedrivePolicy{"open", 1001}, "1 to 1000"},
		{"a queue that denies all", RedrivePolicy{"closed", 3}, "does not admit"},
		{"a queue that admits another one only", RedrivePolicy{"others", 3}, "does not admit"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.queue("open")
			r.queue("mine", allow(AllowByQueue, "orders"))
			r.queue("others", allow(AllowByQueue, "invoices"))
			r.queue("closed", allow(DenyAll))
			a := DefaultAttributes()
			a.Redrive = tt.policy
			created := r.CreateQueue(ctx, "orders", a)
			if tt.why != "" {
				r.queue("orders")
			}
			configured := r.Configure(ctx, "orders", func(a *Attributes) { a.Redrive = tt.policy })
			for _, err := range []error{created, configured} {
				if tt.why == "" {
					wantError(t, err, nil)
				} else {
					wantInvalid(t, err, "RedrivePolicy", tt.why)
				}
			}
			if want := (RedrivePolicy{}); tt.why != "" && r.stats("orders").Attributes.Redrive != want {
				t.Errorf("policy = %+v after a refusal", r.stats("orders").Attributes.Redrive)
			}
		})
	}
}

func allow(mode AllowMode, sources ...string) func(*Attributes) {
	return func(a *Attributes) { a.RedriveAllow = RedriveAllowPolicy{mode, sources} }
}

func TestRedriveAllowPolicies(t *testing.T) {
	many := strings.Fields(strings.Repeat("q ", 11))
	tests := []struct {
		name   string
		policy RedriveAllowPolicy
		good   bool
	}{
		{"allow all", RedriveAllowPolicy{}, true},
		{"deny all", RedriveAllowPolicy{Mode: DenyAll}, true},
		{"by queue with one source", RedriveAllowPolicy{AllowByQueue, many[:1]}, true},
		{"by queue with ten sources", RedriveAllowPolicy{AllowByQueue, many[:10]}, true},
		{"by queue without a source", RedriveAllowPolicy{Mode: AllowByQueue}, false},
		{"by queue with eleven sources", RedriveAllowPolicy{AllowByQueue, many}, false},
		{"allow all with a source", RedriveAllowPolicy{AllowAll, many[:1]}, false},
		{"deny all with a source", RedriveAllowPolicy{DenyAll, many[:1]}, false},
		{"an unknown mode", RedriveAllowPolicy{Mode: 9}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			a := DefaultAttributes()
			a.RedriveAllow = tt.policy
			err := r.CreateQueue(context.Background(), "dlq", a)
			if tt.good {
				wantError(t, err, nil)
			} else {
				wantInvalid(t, err, "RedriveAllowPolicy")
			}
		})
	}
}

func TestDeadLetterQueueDeleted(t *testing.T) {
	r := newRig(t)
	r.queue("dlq")
	r.queue("orders", deadTo("dlq", 1), visibility(time.Second))
	r.send("orders", "a")
	r.receive("orders", 1)
	wantError(t, r.DeleteQueue(context.Background(), "dlq"), nil)
	for range 3 {
		r.pass(time.Second)
		r.want("delivered", bodies(r.receive("orders", 1)), []string{"a"})
	}
	r.want("dead-letters", r.page("orders", Ready), []string{})
	// The policy names it: a new queue of that name is the dead-letter queue.
	r.queue("dlq")
	r.pass(time.Second)
	r.want("delivered", bodies(r.receive("orders", 1)), []string{})
	r.want("dead", r.page("dlq", Ready), []string{"a"})
	// A policy that names a missing queue may stay while something else changes.
	wantError(t, r.DeleteQueue(context.Background(), "dlq"), nil)
	wantError(t, r.Configure(context.Background(), "orders", visibility(time.Minute)), nil)
}

func TestCreateAgain(t *testing.T) {
	ctx := context.Background()
	r := newRig(t)
	a := DefaultAttributes()
	a.RedriveAllow = RedriveAllowPolicy{AllowByQueue, []string{"x"}}
	a.Tags = map[string]string{}
	wantError(t, r.CreateQueue(ctx, "orders", a), nil)
	r.send("orders", "a")
	a.Tags = nil // no tags are no tags
	wantError(t, r.CreateQueue(ctx, "orders", a), nil)
	r.wantCounts("orders", Counts{Ready: 1})
	a.Delay = time.Second
	wantError(t, r.CreateQueue(ctx, "orders", a), ErrQueueExists)
	wantError(t, r.DeleteQueue(ctx, "orders"), nil)
	wantError(t, r.DeleteQueue(ctx, "orders"), ErrQueueNotFound)
	wantError(t, r.CreateQueue(ctx, "orders", a), nil)
	r.wantCounts("orders", Counts{})
	wantInvalid(t, r.Configure(ctx, "orders", func(a *Attributes) { a.Type = FIFO }), "FifoQueue")
	wantError(t, r.Configure(ctx, "nowhere", func(*Attributes) {}), ErrQueueNotFound)
}
