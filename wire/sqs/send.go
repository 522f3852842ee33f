package sqs

import (
	"strconv"
	"time"

	"inflight/engine"
)

// messageInput is what a single send and an entry of a batch have in common.
type messageInput struct {
	body   []byte
	delay  *int
	user   []value
	system []value
	group  *string
	dedup  *string
}

var (
	userValues   = listName{json: "MessageAttributes", element: "MessageAttribute"}
	systemValues = listName{json: "MessageSystemAttributes", element: "MessageSystemAttribute"}
)

func (m *messageInput) read(s source) {
	s.bytes("MessageBody", &m.body)
	s.number("DelaySeconds", &m.delay)
	s.values(userValues, &m.user)
	s.values(systemValues, &m.system)
	s.optional("MessageGroupId", &m.group)
	s.optional("MessageDeduplicationId", &m.dedup)
}

// size is what counts for MaximumMessageSize and for a batch (S2).
func (m *messageInput) size() int {
	n := len(m.body)
	for i := range m.user {
		v := &m.user[i]
		n += len(v.name) + len(v.kind) + len(v.text) + len(v.binary)
	}
	return n
}

type sendInput struct {
	queueURL string
	messageInput
}

func (in *sendInput) read(s source) {
	s.text("QueueUrl", &in.queueURL)
	in.messageInput.read(s)
}

// sendOutput is what a sender learns of one message.
type sendOutput struct {
	id       string
	body     string // digests
	user     string
	system   string
	sequence uint64
}

func (out *sendOutput) write(s sink) {
	s.text("MessageId", out.id)
	s.text("MD5OfMessageBody", out.body)
	if out.user != "" {
		s.text("MD5OfMessageAttributes", out.user)
	}
	if out.system != "" {
		s.text("MD5OfMessageSystemAttributes", out.system)
	}
	if out.sequence != 0 {
		s.text("SequenceNumber", sequenceText(out.sequence))
	}
}

// sequenceText is a sequence number as SQS writes it: 20 digits (F11).
func sequenceText(n uint64) string {
	const width = 20
	digits := strconv.FormatUint(n, 10)
	return "00000000000000000000"[:width-len(digits)] + digits
}

func (c *call) sendMessage(in *sendInput) (output, error) {
	name, q, err := c.facts(in.queueURL)
	if err != nil {
		return nil, err
	}
	if len(in.body) == 0 {
		return nil, faultMissingMessage.with()
	}
	if fifoName(name) {
		if in.lacksGroup() {
			return nil, faultNoGroup.with()
		}
		if err := in.needDedup(q); err != nil {
			return nil, err
		}
	}
	request, err := c.message(&in.messageInput, name, q, false)
	if err != nil {
		return nil, err
	}
	results, err := c.engine.SendBatch(c.ctx, name, []engine.SendRequest{request})
	if err != nil {
		return nil, err
	}
	if results[0].Err != nil {
		return nil, results[0].Err
	}
	out := in.answer(&request, &results[0].Sent)
	return &out, nil
}

// message checks one message alone, or as an entry of a batch, for which some
// texts differ, and turns it into the engine's request.
func (c *call) message(m *messageInput, name string, q *engine.Facts, entry bool) (engine.SendRequest, error) {
	r := engine.SendRequest{Body: m.body, Sender: c.sender()}
	if m.size() > q.Attributes.MaximumMessageSize {
		tooBig := faultSize
		if entry {
			tooBig = faultEntrySize
		}
		return r, tooBig.with(q.Attributes.MaximumMessageSize)
	}
	if bad, ok := badRune(m.body); ok {
		return r, faultCharacters.with(bad)
	}
	if err := m.queueing(&r, fifoName(name), entry); err != nil {
		return r, err
	}
	var err error
	if r.Attributes, err = userAttributes(m.user); err != nil {
		return r, err
	}
	if r.System, err = systemAttributes(m.system); err != nil {
		return r, err
	}
	if len(r.System) == 0 && c.trace != "" && allowedText([]byte(c.trace)) {
		r.System = []engine.Attribute{{Name: traceHeader, Type: "String", Value: []byte(c.trace)}}
	}
	return r, nil
}

// queueing checks what depends on the type of the queue: delay, group and
// deduplication id.
func (m *messageInput) queueing(r *engine.SendRequest, fifo, entry bool) error {
	if m.delay != nil {
		d := *m.delay
		switch {
		case d < 0 || d > maxDelay:
			return faultDelay.with(d)
		case fifo && d > 0:
			return faultFIFODelay.with(d)
		case !fifo:
			delay := time.Duration(d) * time.Second
			r.Delay = &delay
		}
	}
	if m.group != nil {
		if r.Group = *m.group; !identifier(r.Group) {
			return faultGroup.with(r.Group)
		}
	}
	if m.dedup != nil {
		switch r.Deduplication = *m.dedup; {
		case !fifo && entry:
			return faultEntryStandard.with()
		case !fifo:
			return faultStandard.with(r.Deduplication, "MessageDeduplicationId")
		case !identifier(r.Deduplication):
			return faultDedup.with(r.Deduplication)
		}
	}
	return nil
}

// lacksGroup says whether a message for a FIFO queue has no group (F1); an
// empty one is none there.
func (m *messageInput) lacksGroup() bool { return m.group == nil || *m.group == "" }

// needDedup wants a deduplication id where a FIFO queue makes none itself (F3).
func (m *messageInput) needDedup(q *engine.Facts) error {
	if m.dedup == nil && !q.Attributes.ContentDeduplication {
		return faultNoDedup.with()
	}
	return nil
}

func (m *messageInput) answer(r *engine.SendRequest, sent *engine.Sent) sendOutput {
	out := sendOutput{id: sent.ID.String(), body: bodyDigest(r.Body), sequence: sent.Sequence}
	if len(r.Attributes) > 0 {
		out.user = attributesDigest(r.Attributes)
	}
	if len(m.system) > 0 { // not for one that the HTTP request brought
		out.system = attributesDigest(r.System)
	}
	return out
}

// sender is what becomes SenderId.
func (c *call) sender() string {
	if c.options.Authorizer != nil && c.client.Key != "" {
		return c.client.Key
	}
	return c.options.Account
}
