package smq

import (
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strings"

	"inflight/engine"
)

// facts finds the queue in the request's path, for an action on messages.
func (c *call) facts() (*engine.Facts, error) {
	q, err := c.engine.Facts(c.queue)
	if err != nil {
		return nil, err
	}
	c.options.Touched(c.queue)
	return &q, nil
}

// checkName checks a new queue's name. Those of SQS queues, with "_", ".fifo"
// or "@" and a region in them, are found but cannot be made.
func checkName(name string) error {
	if len(name) > maxName {
		return faultQueueNameLength.with(maxName)
	}
	for i := range len(name) {
		c := name[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' && i > 0) {
			return faultQueueName.with()
		}
	}
	return nil
}

func (c *call) url(name string) string { return c.base + Path + "/" + name }

// createQueue answers 204 where the queue exists with the same settings, after
// defaulting.
func (c *call) createQueue(in *settingsInput) (answer, error) {
	if err := checkName(c.queue); err != nil {
		return answer{}, err
	}
	if err := in.check(); err != nil {
		return answer{}, err
	}
	wanted, err := in.over(defaults)
	if err != nil {
		return answer{}, err
	}
	for {
		present, err := c.engine.Facts(c.queue)
		switch {
		case err == nil && settingsOf(&present.Attributes) != wanted:
			return answer{}, faultQueueExists.with()
		case err == nil:
			return answer{status: http.StatusNoContent, location: c.url(c.queue)}, nil
		case !errors.Is(err, engine.ErrQueueNotFound):
			return answer{}, err
		}
		attributes := engine.DefaultAttributes()
		attributes.MaximumMessageSize = maxMessageSize
		wanted.apply(&attributes)
		err = c.engine.CreateQueue(c.ctx, c.queue, attributes)
		if errors.Is(err, engine.ErrQueueExists) {
			continue // made by another request just now: compare with that
		}
		if err != nil {
			return answer{}, err
		}
		return answer{status: http.StatusCreated, location: c.url(c.queue)}, nil
	}
}

func (c *call) setAttributes(in *settingsInput) (answer, error) {
	present, err := c.engine.Facts(c.queue)
	if err != nil {
		return answer{}, err
	}
	if err := in.check(); err != nil {
		return answer{}, err
	}
	if _, err := in.over(settingsOf(&present.Attributes)); err != nil {
		return answer{}, err
	}
	var refused error
	err = c.engine.Configure(c.ctx, c.queue, func(a *engine.Attributes) {
		var next settings
		if next, refused = in.over(settingsOf(a)); refused == nil {
			next.apply(a)
		}
	})
	if err == nil {
		err = refused // changed by another request just now
	}
	return answer{status: http.StatusNoContent}, err
}

// deleteQueue has no error of its own: a queue that is missing is deleted.
func (c *call) deleteQueue(*nothing) (answer, error) {
	err := c.engine.DeleteQueue(c.ctx, c.queue)
	if errors.Is(err, engine.ErrQueueNotFound) {
		err = nil
	}
	return answer{status: http.StatusNoContent}, err
}

func (c *call) getAttributes(*nothing) (answer, error) {
	q, err := c.engine.Queue(c.ctx, c.queue)
	if err != nil {
		return answer{}, err
	}
	return answer{status: http.StatusOK, body: (*attributesOutput)(&q)}, nil
}

// attributesOutput shows a queue. Python's client insists on all but the
// policy, which is there only if there is one.
type attributesOutput engine.QueueStats

func (out *attributesOutput) write(x *xmlWriter) {
	x.document("Queue", func() { out.members(x) })
}

func (out *attributesOutput) members(x *xmlWriter) {
	s := settingsOf(&out.Attributes)
	x.text("QueueName", out.Name)
	x.number("CreateTime", out.Created.Unix())
	x.number("LastModifyTime", out.Modified.Unix())
	x.number("DelaySeconds", s.delay)
	x.number("MaximumMessageSize", s.size)
	x.number("MessageRetentionPeriod", s.retention)
	x.number("VisibilityTimeout", s.visibility)
	x.number("PollingWaitSeconds", s.wait)
	x.number("ActiveMessages", int64(out.Counts.Ready))
	x.number("InactiveMessages", int64(out.Counts.InFlight))
	x.number("DelayMessages", int64(out.Counts.Delayed))
	x.text("LoggingEnabled", map[bool]string{true: "True", false: "False"}[s.logging])
	if s.policy != (policy{}) {
		x.nest("DlqPolicy", func() {
			x.text("Enabled", "true")
			x.text("DeadLetterTargetQueue", s.policy.target)
			x.number("MaxReceiveCount", s.policy.max)
		})
	}
}

type listInput struct {
	prefix, marker string
	count          number
	meta           bool
}

func (in *listInput) read(s *source) {
	in.prefix, in.marker = s.header.Get("X-Mns-Prefix"), s.header.Get("X-Mns-Marker")
	if text := s.header.Get("X-Mns-Ret-Number"); text != "" {
		in.count = parseNumber(text)
	}
	in.meta = isTrue(s.header.Get("X-Mns-With-Meta"))
}

type listOutput struct {
	queues []engine.QueueStats
	urls   []string
	next   string
	meta   bool
}

func (out *listOutput) write(x *xmlWriter) {
	x.document("Queues", func() {
		for i := range out.queues {
			x.nest("Queue", func() {
				x.text("QueueURL", out.urls[i])
				if out.meta {
					(*attributesOutput)(&out.queues[i]).members(x)
				} else {
					x.text("QueueName", out.queues[i].Name)
				}
			})
		}
		if out.next != "" { // an empty one fails Python's client
			x.text("NextMarker", out.next)
		}
	})
}

// listQueues lists every queue of the engine, also those of SQS's other
// regions, which are called name@region here. Their attributes are for those
// who may ask for them one by one.
func (c *call) listQueues(in *listInput) (answer, error) {
	if in.meta && !c.who.may("GetQueueAttributes") {
		return answer{}, faultDenied.with()
	}
	if err := in.count.within("x-mns-ret-number", 1, maxPage, ""); err != nil {
		return answer{}, err
	}
	after, err := base64.RawURLEncoding.DecodeString(in.marker)
	if err != nil {
		return answer{}, faultInvalid.with("x-mns-marker", "it is none of ours")
	}
	all, err := c.engine.Queues(c.ctx)
	if err != nil {
		return answer{}, err
	}
	all = slices.DeleteFunc(all, func(q engine.QueueStats) bool {
		return !strings.HasPrefix(q.Name, in.prefix) || q.Name <= string(after)
	})
	out := &listOutput{queues: all, meta: in.meta}
	if n := int(in.count.or(maxPage)); len(all) > n {
		out.queues = all[:n]
		out.next = base64.RawURLEncoding.EncodeToString([]byte(all[n-1].Name))
	}
	for i := range out.queues {
		out.urls = append(out.urls, c.url(out.queues[i].Name))
	}
	return answer{status: http.StatusOK, body: out}, nil
}
