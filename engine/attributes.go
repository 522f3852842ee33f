package engine

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Type is the kind of a queue. It is fixed when the queue is created.
type Type uint8

// The types of queue.
const (
	Standard Type = iota
	FIFO
)

func (t Type) String() string {
	if t == FIFO {
		return "FIFO"
	}
	return "standard"
}

// RedrivePolicy says where a message goes that was received too often. The
// zero value means: nowhere.
type RedrivePolicy struct {
	DLQ         string // name of the dead-letter queue
	MaxReceives int    // 1..1000; the receive after that many dead-letters
}

// AllowMode is the kind of a redrive allow policy.
type AllowMode uint8

// Which sources a dead-letter queue admits.
const (
	AllowAll AllowMode = iota
	AllowByQueue
	DenyAll
)

// RedriveAllowPolicy says which queues may name this one in their redrive
// policy.
type RedriveAllowPolicy struct {
	Mode    AllowMode
	Sources []string // names, 1 to 10, with AllowByQueue only
}

// Attributes are what a queue's owner sets. Durations are whole seconds.
type Attributes struct {
	Type               Type
	VisibilityTimeout  time.Duration // 0..12 h
	Delay              time.Duration // 0..7 d
	Retention          time.Duration // 1 min..14 d
	MaximumMessageSize int           // bytes, 1,024..1,048,576
	ReceiveWait        time.Duration // 0..30 s
	Redrive            RedrivePolicy
	RedriveAllow       RedriveAllowPolicy
	Tags               map[string]string

	// FIFO queues only.
	ContentDeduplication bool // the deduplication id is the body's SHA-256 when none is given
	DeduplicateByGroup   bool // within a message group, not within the whole queue
	ThroughputPerGroup   bool // kept for SQS; the engine has no such quota

	// Extra is what only a protocol knows, kept as given: SQS's Policy, say.
	// Names and values take 64 KiB together at most.
	Extra map[string]string
}

// DefaultAttributes are those of SQS.
func DefaultAttributes() Attributes {
	return Attributes{
		VisibilityTimeout:  DefaultVisibility,
		Retention:          DefaultRetention,
		MaximumMessageSize: MaxMessageSize,
	}
}

// clone copies what would otherwise be shared. No sources and no tags have one
// form, so that attributes can be compared.
func (a Attributes) clone() Attributes {
	a.RedriveAllow.Sources = slices.Clone(a.RedriveAllow.Sources)
	a.Tags = maps.Clone(a.Tags)
	a.Extra = maps.Clone(a.Extra)
	if len(a.RedriveAllow.Sources) == 0 {
		a.RedriveAllow.Sources = nil
	}
	if len(a.Tags) == 0 {
		a.Tags = nil
	}
	if len(a.Extra) == 0 {
		a.Extra = nil
	}
	return a
}

func (a Attributes) validate() error {
	if a.Type > FIFO {
		return &InvalidError{"FifoQueue", "must be standard or FIFO"}
	}
	if a.Type == Standard && (a.ContentDeduplication || a.DeduplicateByGroup || a.ThroughputPerGroup) {
		return &InvalidError{"FifoQueue", "deduplication and throughput settings are for FIFO queues only"}
	}
	if a.ThroughputPerGroup && !a.DeduplicateByGroup {
		return &InvalidError{"FifoThroughputLimit", "per message group takes deduplication by message group"}
	}
	if size := a.extraSize(); size > maxExtraSize {
		return &InvalidError{"Attributes", fmt.Sprintf("names and values beside the engine's own take %d bytes, at most %d", size, maxExtraSize)}
	}
	for _, err := range []error{
		seconds("VisibilityTimeout", a.VisibilityTimeout, 0, MaxVisibility),
		seconds("DelaySeconds", a.Delay, 0, MaxDelay),
		seconds("MessageRetentionPeriod", a.Retention, MinRetention, MaxRetention),
		seconds("ReceiveMessageWaitTimeSeconds", a.ReceiveWait, 0, MaxWait),
	} {
		if err != nil {
			return err
		}
	}
	if a.MaximumMessageSize < MinMessageSize || a.MaximumMessageSize > MaxMessageSize {
		return &InvalidError{"MaximumMessageSize", fmt.Sprintf("must be %d to %d bytes", MinMessageSize, MaxMessageSize)}
	}
	return a.RedriveAllow.validate()
}

const maxExtraSize = 64 << 10

func (a Attributes) extraSize() (n int) {
	for name, value := range a.Extra {
		n += len(name) + len(value)
	}
	for name, value := range a.Tags {
		n += len(name) + len(value)
	}
	return n
}

func (p RedriveAllowPolicy) validate() error {
	switch n := len(p.Sources); {
	case p.Mode > DenyAll:
		return &InvalidError{"RedriveAllowPolicy", "must allow all, allow by queue, or deny all"}
	case p.Mode == AllowByQueue && (n < 1 || n > MaxSourcesByQueue):
		return &InvalidError{"RedriveAllowPolicy", fmt.Sprintf("by queue takes 1 to %d source queues, not %d", MaxSourcesByQueue, n)}
	case p.Mode != AllowByQueue && n > 0:
		return &InvalidError{"RedriveAllowPolicy", "source queues go with by queue only"}
	}
	return nil
}

// admits says whether source may name this queue in its redrive policy.
func (p RedriveAllowPolicy) admits(source string) bool {
	return p.Mode == AllowAll || p.Mode == AllowByQueue && slices.Contains(p.Sources, source)
}

// checkRedrive says whether a queue of that name and type may have the policy.
func (e *Engine) checkRedrive(name string, a Attributes) error {
	p := a.Redrive
	if p == (RedrivePolicy{}) {
		return nil
	}
	dlq := e.byName[p.DLQ]
	switch {
	case p.DLQ == "":
		return &InvalidError{"RedrivePolicy", "names no dead-letter queue"}
	case p.MaxReceives < 1 || p.MaxReceives > MaxReceivesLimit:
		return &InvalidError{"RedrivePolicy", fmt.Sprintf("max receives must be 1 to %d", MaxReceivesLimit)}
	case p.DLQ == name:
		return &InvalidError{"RedrivePolicy", "a queue cannot be its own dead-letter queue"}
	case dlq == nil:
		return &InvalidError{"RedrivePolicy", fmt.Sprintf("dead-letter queue %q does not exist", p.DLQ)}
	case dlq.attributes.Type != a.Type:
		return &InvalidError{"RedrivePolicy", fmt.Sprintf("dead-letter queue %q must be %s like its source", p.DLQ, a.Type)}
	case !dlq.attributes.RedriveAllow.admits(name):
		return &InvalidError{"RedrivePolicy", fmt.Sprintf("the redrive allow policy of %q does not admit %q", p.DLQ, name)}
	}
	return nil
}
