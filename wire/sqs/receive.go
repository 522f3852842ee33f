package sqs

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"inflight/engine"
)

type receiveInput struct {
	queueURL   string
	names      []string // of system attributes, the older member
	system     []string // the newer
	user       []string
	max        *int
	visibility *int
	wait       *int
	attempt    *string
}

var (
	attributeNames = listName{json: "AttributeNames", element: "AttributeName"}
	systemNames    = listName{json: "MessageSystemAttributeNames", element: "MessageSystemAttributeName"}
	userNames      = listName{json: "MessageAttributeNames", element: "MessageAttributeName"}
)

func (in *receiveInput) read(s source) {
	s.text("QueueUrl", &in.queueURL)
	s.texts(attributeNames, &in.names)
	s.texts(systemNames, &in.system)
	s.texts(userNames, &in.user)
	s.number("MaxNumberOfMessages", &in.max)
	s.number("VisibilityTimeout", &in.visibility)
	s.number("WaitTimeSeconds", &in.wait)
	s.optional("ReceiveRequestAttemptId", &in.attempt)
}

// messageOutput is one message as a receiver sees it.
type messageOutput struct {
	id      string
	receipt string
	body    []byte
	digest  string
	system  []pair
	user    []engine.Attribute
}

type receiveOutput struct{ messages []messageOutput }

var (
	messageList = listName{json: "Messages", element: "Message", tree: "messages"}
	systemPairs = pairName{json: "Attributes", element: "Attribute", key: "Name", value: "Value"}
)

func (out *receiveOutput) write(s sink) {
	s.list(messageList, len(out.messages), func(i int) { out.messages[i].write(s) })
}

func (m *messageOutput) write(s sink) {
	s.text("MessageId", m.id)
	s.text("ReceiptHandle", m.receipt)
	s.text("MD5OfBody", m.digest)
	s.bytes("Body", m.body)
	s.pairs(systemPairs, m.system)
	if len(m.user) > 0 {
		s.text("MD5OfMessageAttributes", attributesDigest(m.user))
	}
	s.values(userValues, m.user)
}

// request checks the numbers and turns them into the engine's request.
func (in *receiveInput) request() (engine.ReceiveRequest, error) {
	r := engine.ReceiveRequest{Max: 1}
	if in.max != nil {
		if r.Max = *in.max; r.Max < 1 || r.Max > maxReceive {
			return r, faultMax.with(r.Max)
		}
	}
	if in.wait != nil {
		if *in.wait < 0 || *in.wait > maxWait {
			return r, faultWait.with(*in.wait)
		}
		wait := time.Duration(*in.wait) * time.Second
		r.Wait = &wait
	}
	if in.visibility != nil {
		if *in.visibility < 0 || *in.visibility > maxVisibility {
			return r, faultReceiveVisibility.with(*in.visibility)
		}
		visibility := time.Duration(*in.visibility) * time.Second
		r.Visibility = &visibility
	}
	return r, nil
}

func (c *call) receiveMessage(in *receiveInput) (output, error) {
	name, q, err := c.facts(in.queueURL)
	if err != nil {
		return nil, err
	}
	r, err := in.request()
	if err != nil {
		return nil, err
	}
	r.Holder = c.holder
	fifo := fifoName(name)
	if in.attempt != nil && fifo { // clients send it to standard queues too, where it means nothing
		if r.Attempt = *in.attempt; !identifier(r.Attempt) {
			return nil, faultAttempt.with(r.Attempt)
		}
	}
	if q.InFlight >= maxInFlight {
		return c.overLimit(fifo, cmp.Or(r.Wait, &q.Attributes.ReceiveWait))
	}
	deliveries, err := c.engine.Receive(attentive(c.ctx), name, r)
	if err != nil {
		return nil, err
	}
	wanted := in.wanted()
	out := &receiveOutput{messages: make([]messageOutput, len(deliveries))}
	for i := range deliveries {
		out.messages[i] = c.delivered(&deliveries[i], &wanted)
	}
	return out, nil
}

// overLimit answers while too many messages are in flight (R12): short polls of
// a standard queue are refused, others get nothing, when their time is up and
// not before, so that a client that asks again at once does not spin.
func (c *call) overLimit(fifo bool, wait *time.Duration) (output, error) {
	if *wait == 0 && !fifo {
		return nil, faultInFlight.with()
	}
	over := time.NewTimer(*wait)
	defer over.Stop()
	select {
	case <-over.C:
		return &receiveOutput{}, nil
	case <-c.ctx.Done():
		return nil, c.ctx.Err()
	}
}

// wanted is which attributes a receiver asked for.
type wanted struct {
	system map[string]bool
	all    bool // every system attribute
	user   []string
}

func (in *receiveInput) wanted() wanted {
	w := wanted{user: in.user}
	for _, names := range [][]string{in.names, in.system} {
		for _, n := range names {
			if n == "All" {
				w.all = true
				continue
			}
			if w.system == nil {
				w.system = map[string]bool{}
			}
			w.system[n] = true
		}
	}
	return w
}

func (c *call) delivered(d *engine.Delivery, w *wanted) messageOutput {
	m := d.Message
	out := messageOutput{
		id: m.ID.String(), receipt: d.Receipt.String(), body: m.Body, digest: bodyDigest(m.Body), user: w.chosen(m.Attributes),
	}
	if w.all || len(w.system) > 0 {
		out.system = c.systemOf(m, m.EarlierReceives+d.Receives, d.FirstReceived, w)
	}
	return out
}

// systemOf lists the system attributes of a message that were asked for (R7).
func (h *Handler) systemOf(m *engine.Message, receives int, first time.Time, w *wanted) []pair {
	list := make([]pair, 0, 9)
	add := func(name, value string) {
		if value != "" && (w.all || w.system[name]) {
			list = append(list, pair{name, value})
		}
	}
	sender := m.Sender
	if sender == "" {
		sender = h.options.Account
	}
	add("SenderId", sender)
	add("SentTimestamp", milliseconds(m.Sent))
	add("ApproximateReceiveCount", strconv.Itoa(receives))
	add("ApproximateFirstReceiveTimestamp", milliseconds(first))
	if m.Sequence != 0 {
		add("SequenceNumber", sequenceText(m.Sequence))
	}
	add("MessageDeduplicationId", m.Deduplication)
	add("MessageGroupId", m.Group)
	for _, a := range m.System { // over SMQ senders choose any names, also those above
		if a.Name == traceHeader && a.Type == "String" {
			add(a.Name, string(a.Value))
		}
	}
	if m.Origin != "" {
		add("DeadLetterQueueSourceArn", h.arn(m.Origin))
	}
	return list
}

func milliseconds(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return strconv.FormatInt(t.UnixMilli(), 10)
}

// chosen are the message attributes that were asked for (R8): by name, by
// prefix with ".*" behind it, or all.
func (w *wanted) chosen(attributes []engine.Attribute) []engine.Attribute {
	if len(w.user) == 0 || len(attributes) == 0 {
		return nil
	}
	var list []engine.Attribute
	for _, a := range attributes {
		for _, n := range w.user {
			prefix, isPrefix := strings.CutSuffix(n, ".*")
			if n == "All" || n == "*" || n == a.Name || isPrefix && strings.HasPrefix(a.Name, prefix) {
				list = append(list, a)
				break
			}
		}
	}
	return list
}
