package smq

import (
	"maps"
	"strings"
	"time"

	"inflight/engine"
)

// attrLogging is where the engine keeps what it does not need: whether the
// service should log. Nothing is logged here.
const attrLogging = "smq.LoggingEnabled"

// settings are what the owner of a queue sets, as SMQ has it.
type settings struct {
	delay, size, retention, visibility, wait int64
	logging                                  bool
	policy                                   policy
}

// policy is a DlqPolicy; the zero value is one that is not enabled.
type policy struct {
	target string
	max    int64
}

// defaults are the settings of a queue made without any.
var defaults = settings{size: maxMessageSize, retention: defaultRetention, visibility: defaultVisible}

// settingsOf shows the attributes of a queue as SMQ can say them. What SQS
// allows beyond that shows as the limit.
func settingsOf(a *engine.Attributes) settings {
	return settings{
		delay: wholeSeconds(a.Delay), size: min(int64(a.MaximumMessageSize), maxMessageSize),
		retention:  min(wholeSeconds(a.Retention), maxRetention),
		visibility: max(wholeSeconds(a.VisibilityTimeout), minVisibility),
		wait:       wholeSeconds(a.ReceiveWait), logging: a.Extra[attrLogging] != "",
		policy: policy{a.Redrive.DLQ, int64(a.Redrive.MaxReceives)},
	}
}

func wholeSeconds(d time.Duration) int64 { return int64(d / time.Second) }

func duration(seconds int64) time.Duration { return time.Duration(seconds) * time.Second }

// apply changes the attributes that show otherwise. So what SMQ cannot say
// survives a client that reads all settings, changes one and writes all back.
func (s settings) apply(a *engine.Attributes) {
	was := settingsOf(a)
	if s.delay != was.delay {
		a.Delay = duration(s.delay)
	}
	if s.size != was.size {
		a.MaximumMessageSize = int(s.size)
	}
	if s.retention != was.retention {
		a.Retention = duration(s.retention)
	}
	if s.visibility != was.visibility {
		a.VisibilityTimeout = duration(s.visibility)
	}
	if s.wait != was.wait {
		a.ReceiveWait = duration(s.wait)
	}
	if s.policy != was.policy {
		a.Redrive = engine.RedrivePolicy{DLQ: s.policy.target, MaxReceives: int(s.policy.max)}
	}
	if s.logging != was.logging {
		a.Extra = maps.Clone(a.Extra)
		delete(a.Extra, attrLogging)
		if s.logging {
			if a.Extra == nil {
				a.Extra = map[string]string{}
			}
			a.Extra[attrLogging] = "True"
		}
	}
}

// settingsInput is the body of CreateQueue and SetQueueAttributes.
type settingsInput struct {
	root                                     string // name of the body's root; empty without a body
	delay, size, retention, visibility, wait number
	logging                                  string
	policy                                   bool
	enabled, target                          string // of the policy
	max                                      number
}

func (in *settingsInput) read(s *source) {
	if s.body == nil {
		return
	}
	b := s.body
	in.root = b.name
	in.delay, in.size = b.number("DelaySeconds"), b.number("MaximumMessageSize")
	in.retention, in.visibility = b.number("MessageRetentionPeriod"), b.number("VisibilityTimeout")
	in.wait, in.logging = b.number("PollingWaitSeconds"), b.words("LoggingEnabled")
	if p := b.child("DlqPolicy"); p != nil {
		in.policy = true
		in.enabled, in.target, in.max = p.words("Enabled"), p.words("DeadLetterTargetQueue"), p.number("MaxReceiveCount")
	}
}

// check checks what can be checked without the queue.
func (in *settingsInput) check() error {
	if in.root != "" && in.root != "Queue" {
		return faultSchema.with(in.root)
	}
	for _, err := range []error{
		in.delay.within("DelaySeconds", 0, maxDelay, "seconds"),
		in.size.within("MaximumMessageSize", minMessageSize, maxMessageSize, "bytes"),
		in.retention.within("MessageRetentionPeriod", minRetention, maxRetention, "seconds"),
		in.visibility.within("VisibilityTimeout", minVisibility, maxVisibility, "seconds"),
		in.wait.within("PollingWaitSeconds", 0, maxWait, "seconds"),
		in.max.within("MaxReceiveCount", 1, maxReceiveCount, ""),
		checkBoolean("LoggingEnabled", in.logging),
		checkBoolean("Enabled", in.enabled),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// checkBoolean takes True and true, as clients write either.
func checkBoolean(name, text string) error {
	if text != "" && !isTrue(text) && !strings.EqualFold(text, "false") {
		return faultInvalid.with(name, "it must be True or False")
	}
	return nil
}

// over is base with what was given. A policy that names only one of its parts
// keeps the other; without Enabled it is enabled.
func (in *settingsInput) over(base settings) (settings, error) {
	s := settings{
		delay: in.delay.or(base.delay), size: in.size.or(base.size), retention: in.retention.or(base.retention),
		visibility: in.visibility.or(base.visibility), wait: in.wait.or(base.wait),
		logging: base.logging, policy: base.policy,
	}
	if in.logging != "" {
		s.logging = isTrue(in.logging)
	}
	switch {
	case !in.policy:
	case strings.EqualFold(in.enabled, "false"):
		s.policy = policy{}
	default:
		if in.target != "" {
			s.policy.target = in.target
		}
		s.policy.max = in.max.or(s.policy.max)
		if s.policy.target == "" {
			return s, faultInvalid.with("DlqPolicy", "it lacks DeadLetterTargetQueue")
		}
		if s.policy.max == 0 {
			return s, faultInvalid.with("DlqPolicy", "it lacks MaxReceiveCount")
		}
	}
	return s, nil
}
