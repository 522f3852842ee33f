package sqs

import (
	"strconv"
	"strings"
	"time"

	"inflight/engine"
)

// queueAttribute is one attribute of a queue: how it reads, and how it is set.
type queueAttribute struct {
	name string
	// get returns its value; false if the queue has none.
	get func(h *Handler, q *engine.QueueStats) (string, bool)
	// set checks a value and puts it into a; nil: it is read-only.
	set func(a *engine.Attributes, v string) error
	// setIn is set for what must know the call and the queue's name.
	setIn func(c *call, queue string, a *engine.Attributes, v string) error
	fifo  bool // FIFO queues only
}

// The names of attributes that are kept in the engine's Extra, as given.
const (
	attrPolicy     = "Policy"
	attrKey        = "KmsMasterKeyId"
	attrKeyReuse   = "KmsDataKeyReusePeriodSeconds"
	attrEncryption = "SqsManagedSseEnabled"
)

const attrRedrive = "RedrivePolicy"

// queueAttributes are all of them, in the order in which they are listed.
var queueAttributes = []queueAttribute{
	count("ApproximateNumberOfMessages", func(c engine.Counts) int { return c.Ready }),
	count("ApproximateNumberOfMessagesNotVisible", func(c engine.Counts) int { return c.InFlight }),
	count("ApproximateNumberOfMessagesDelayed", func(c engine.Counts) int { return c.Delayed }),
	moment("CreatedTimestamp", func(q *engine.QueueStats) time.Time { return q.Created }),
	moment("LastModifiedTimestamp", func(q *engine.QueueStats) time.Time { return q.Modified }),
	{name: "QueueArn", get: func(h *Handler, q *engine.QueueStats) (string, bool) { return h.arn(q.Name), true }},

	duration("VisibilityTimeout", 0, maxVisibility, func(a *engine.Attributes) *time.Duration { return &a.VisibilityTimeout }),
	duration("DelaySeconds", 0, maxDelay, func(a *engine.Attributes) *time.Duration { return &a.Delay }),
	duration("MessageRetentionPeriod", minRetention, maxRetention, func(a *engine.Attributes) *time.Duration { return &a.Retention }),
	duration("ReceiveMessageWaitTimeSeconds", 0, maxWait, func(a *engine.Attributes) *time.Duration { return &a.ReceiveWait }),
	{
		name: "MaximumMessageSize",
		get: func(_ *Handler, q *engine.QueueStats) (string, bool) {
			return strconv.Itoa(q.Attributes.MaximumMessageSize), true
		},
		set: func(a *engine.Attributes, v string) (err error) {
			a.MaximumMessageSize, err = within("MaximumMessageSize", v, minMessageSize, maxMessageSize)
			return err
		},
	},
	{name: attrRedrive, get: getRedrive, setIn: setRedrive},
	{name: "RedriveAllowPolicy", get: getAllow, setIn: setAllow},
	{name: attrPolicy, get: extra(attrPolicy, ""), set: setPolicy},
	{name: attrKey, get: extra(attrKey, ""), set: setKey},
	{name: attrKeyReuse, get: getKeyReuse, set: setKeyReuse},
	{name: attrEncryption, get: extra(attrEncryption, "true"), set: setEncryption},

	{name: "FifoQueue", fifo: true, get: always("true"), set: setFIFO},
	{
		name: "ContentBasedDeduplication", fifo: true,
		get: func(_ *Handler, q *engine.QueueStats) (string, bool) {
			return strconv.FormatBool(q.Attributes.ContentDeduplication), true
		},
		set: func(a *engine.Attributes, v string) (err error) {
			a.ContentDeduplication, err = boolean("ContentBasedDeduplication", v)
			return err
		},
	},
	choice("DeduplicationScope", "queue", "messageGroup", func(a *engine.Attributes) *bool { return &a.DeduplicateByGroup }),
	choice("FifoThroughputLimit", "perQueue", "perMessageGroupId", func(a *engine.Attributes) *bool { return &a.ThroughputPerGroup }),
}

func count(name string, of func(engine.Counts) int) queueAttribute {
	return queueAttribute{name: name, get: func(_ *Handler, q *engine.QueueStats) (string, bool) {
		return strconv.Itoa(of(q.Counts)), true
	}}
}

func moment(name string, of func(*engine.QueueStats) time.Time) queueAttribute {
	return queueAttribute{name: name, get: func(_ *Handler, q *engine.QueueStats) (string, bool) {
		return strconv.FormatInt(of(q).Unix(), 10), true
	}}
}

func duration(name string, low, high int, of func(*engine.Attributes) *time.Duration) queueAttribute {
	return queueAttribute{
		name: name,
		get: func(_ *Handler, q *engine.QueueStats) (string, bool) {
			return strconv.Itoa(int(*of(&q.Attributes) / time.Second)), true
		},
		set: func(a *engine.Attributes, v string) error {
			n, err := within(name, v, low, high)
			*of(a) = time.Duration(n) * time.Second
			return err
		},
	}
}

// choice is an attribute of FIFO queues with two values.
func choice(name, no, yes string, of func(*engine.Attributes) *bool) queueAttribute {
	return queueAttribute{
		name: name, fifo: true,
		get: func(_ *Handler, q *engine.QueueStats) (string, bool) {
			if *of(&q.Attributes) {
				return yes, true
			}
			return no, true
		},
		set: func(a *engine.Attributes, v string) error {
			if v != no && v != yes {
				return faultAttributeValue.with(name)
			}
			*of(a) = v == yes
			return nil
		},
	}
}

func always(v string) func(*Handler, *engine.QueueStats) (string, bool) {
	return func(*Handler, *engine.QueueStats) (string, bool) { return v, true }
}

// extra reads what the engine keeps as given; the queue has none if that is
// absent and there is no default.
func extra(name, or string) func(*Handler, *engine.QueueStats) (string, bool) {
	return func(_ *Handler, q *engine.QueueStats) (string, bool) {
		if v, ok := q.Attributes.Extra[name]; ok {
			return v, true
		}
		return or, or != ""
	}
}

func within(name, v string, low, high int) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil || n < low || n > high {
		return 0, faultAttributeValue.with(name)
	}
	return n, nil
}

func boolean(name, v string) (bool, error) {
	switch strings.ToLower(v) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, faultAttributeValue.with(name)
}

// keep puts a value into Extra, or with an empty one takes it out.
func keep(a *engine.Attributes, name, v string) {
	if v == "" {
		delete(a.Extra, name)
		return
	}
	if a.Extra == nil {
		a.Extra = map[string]string{}
	}
	a.Extra[name] = v
}

// setKey sets the KMS key, which turns SQS's own encryption off, for good.
func setKey(a *engine.Attributes, v string) error {
	keep(a, attrKey, v)
	keep(a, attrEncryption, "false")
	if v == "" {
		keep(a, attrKeyReuse, "")
	}
	return nil
}

const defaultKeyReuse = "300"

func getKeyReuse(h *Handler, q *engine.QueueStats) (string, bool) {
	if q.Attributes.Extra[attrKey] == "" {
		return "", false
	}
	return extra(attrKeyReuse, defaultKeyReuse)(h, q)
}

func setKeyReuse(a *engine.Attributes, v string) error {
	if v == "" {
		keep(a, attrKeyReuse, "")
		return nil
	}
	n, err := within(attrKeyReuse, v, minKeyReuse, maxKeyReuse)
	if err == nil {
		keep(a, attrKeyReuse, strconv.Itoa(n))
	}
	return err
}

func setEncryption(a *engine.Attributes, v string) error {
	on, err := boolean(attrEncryption, v)
	if err != nil {
		return err
	}
	if on {
		keep(a, attrEncryption, "") // the default
		keep(a, attrKey, "")
		return nil
	}
	keep(a, attrEncryption, "false")
	return nil
}

// setFIFO is for FIFO queues only, whose type cannot change (Q13).
func setFIFO(_ *engine.Attributes, v string) error {
	on, err := boolean("FifoQueue", v)
	if err == nil && !on {
		err = faultType.with()
	}
	return err
}
