package smq

import (
	"crypto/md5"
	"fmt"
	"net/http"
	"strings"
	"time"

	"inflight/engine"
)

// messageInput is one message to send.
type messageInput struct {
	body            *element // nil: not given
	delay, priority number
	group           string
	user, system    []property
}

func (m *messageInput) fill(e *element) {
	m.body = e.child("MessageBody")
	m.delay, m.priority = e.number("DelaySeconds"), e.number("Priority")
	m.group = e.words("MessageGroupId")
	m.user = readProperties(e.child("UserProperties").all("PropertyValue"))
	m.system = readProperties(e.child("SystemProperties").all("SystemPropertyValue"))
}

// request checks a message and turns it into the engine's request.
func (m *messageInput) request(c *call, limit int64) (r engine.SendRequest, err error) {
	if m.body == nil || !m.body.plain() {
		return r, faultSchema.with("MessageBody")
	}
	r = engine.SendRequest{Body: m.body.text, Priority: int(m.priority.or(defaultPriority)), Group: m.group, Sender: c.who.key}
	size := number{true, int64(len(r.Body))}
	for _, err := range []error{
		size.within("MessageBody", 1, limit, "bytes"),
		m.delay.within("DelaySeconds", 0, maxDelay, "seconds"),
		m.priority.within("Priority", highestPriority, lowestPriority, ""),
	} {
		if err != nil {
			return r, err
		}
	}
	if m.delay.given {
		delay := time.Duration(m.delay.n) * time.Second
		r.Delay = &delay
	}
	if r.Attributes, err = attributesOf("UserProperties", m.user); err != nil {
		return r, err
	}
	if r.System, err = attributesOf("SystemProperties", m.system); err != nil {
		return r, err
	}
	if n := int64(len(r.Body) + sizeOf(r.Attributes) + sizeOf(r.System)); n > limit {
		return r, faultInvalid.with("MessageBody", fmt.Sprintf("with its properties it takes %d bytes of %d", n, limit))
	}
	return r, nil
}

// sentOutput is what a sender learns of one message.
type sentOutput struct {
	id, digest, handle string
	refused            *Error
}

func (out *sentOutput) members(x *xmlWriter, handles bool) {
	if out.refused != nil {
		x.text("ErrorCode", out.refused.code.name)
		x.text("ErrorMessage", out.refused.text)
		return
	}
	x.text("MessageId", out.id)
	x.text("MessageBodyMD5", out.digest)
	if out.handle != "" && handles {
		x.text("ReceiptHandle", out.handle)
	}
}

func (out *sentOutput) write(x *xmlWriter) {
	x.document("Message", func() { out.members(x, true) })
}

// sent shows what the engine did with one message.
func sent(r *engine.SendRequest, s *engine.Sent) sentOutput {
	out := sentOutput{id: idText(s.ID), digest: digest(r.Body)}
	if s.Receipt != (engine.Receipt{}) {
		out.handle = s.Receipt.String()
	}
	return out
}

// idText is a message's id as the service writes it: 32 digits.
func idText(id engine.ID) string { return fmt.Sprintf("%X", id[:]) }

// digest is a body's MD5 as the service writes it.
func digest(body []byte) string { return fmt.Sprintf("%X", md5.Sum(body)) }

// sendable returns the queue and how long a message for it may be.
func (c *call) sendable() (limit int64, err error) {
	q, err := c.facts()
	if err != nil {
		return 0, err
	}
	if q.Attributes.Type == engine.FIFO {
		return 0, faultFIFO.with()
	}
	return min(int64(q.Attributes.MaximumMessageSize), maxMessageSize), nil
}

type sendInput struct{ messageInput }

func (in *sendInput) read(s *source) { in.fill(s.body) }

func (c *call) sendMessage(in *sendInput) (answer, error) {
	limit, err := c.sendable()
	if err != nil {
		return answer{}, err
	}
	r, err := in.request(c, limit)
	if err != nil {
		return answer{}, err
	}
	result, err := c.engine.Send(c.ctx, c.queue, r)
	if err != nil {
		return answer{}, err
	}
	out := sent(&r, &result)
	return answer{status: http.StatusCreated, body: &out}, nil
}

type batchSendInput struct{ messages []messageInput }

func (in *batchSendInput) read(s *source) {
	for _, e := range s.body.all("Message") {
		var m messageInput
		m.fill(e)
		in.messages = append(in.messages, m)
	}
}

type batchSentOutput struct {
	messages []sentOutput
	failed   bool
}

// write leaves handles out when a message failed: Python's client refuses a
// list that mixes failures with more than id and digest.
func (out *batchSentOutput) write(x *xmlWriter) {
	x.document("Messages", func() {
		for i := range out.messages {
			x.nest("Message", func() { out.messages[i].members(x, !out.failed) })
		}
	})
}

// batchSend sends what is good. What is not has its own error in the list, and
// the status is 500, which is how clients learn to look for it.
func (c *call) batchSend(in *batchSendInput) (answer, error) {
	limit, err := c.sendable()
	if err != nil {
		return answer{}, err
	}
	count, total := number{true, int64(len(in.messages))}, number{given: true}
	for _, m := range in.messages {
		if m.body != nil {
			total.n += int64(len(m.body.text))
		}
	}
	if err := count.within("Messages", 1, maxBatch, ""); err != nil {
		return answer{}, err
	}
	if err := total.within("Messages", 0, maxBatchBytes, "bytes"); err != nil {
		return answer{}, err
	}
	out := &batchSentOutput{messages: make([]sentOutput, len(in.messages))}
	var requests []engine.SendRequest
	for i := range in.messages {
		r, err := in.messages[i].request(c, limit)
		if err != nil {
			out.messages[i].refused, out.failed = refusal(err), true
			continue
		}
		requests = append(requests, r)
	}
	if err := c.sendAll(out, requests); err != nil {
		return answer{}, err
	}
	status := http.StatusCreated
	if out.failed {
		status = http.StatusInternalServerError
	}
	return answer{status: status, body: out}, nil
}

// sendAll sends the good messages of a batch.
func (c *call) sendAll(out *batchSentOutput, requests []engine.SendRequest) error {
	if len(requests) == 0 {
		return nil
	}
	results, err := c.engine.SendBatch(c.ctx, c.queue, requests)
	if err != nil {
		return err
	}
	for i := range out.messages {
		if out.messages[i].refused != nil {
			continue
		}
		if results[0].Err != nil {
			out.messages[i].refused, out.failed = refusal(results[0].Err), true
		} else {
			out.messages[i] = sent(&requests[0], &results[0].Sent)
		}
		requests, results = requests[1:], results[1:]
	}
	return nil
}

// property is one named value that travels with a message.
type property struct {
	name, kind, value string
	nested            bool // the value has elements in it
}

func readProperties(list []*element) (all []property) {
	for _, e := range list {
		p := property{name: e.words("Name"), kind: strings.ToUpper(e.words("Type"))}
		if v := e.child("Value"); v != nil {
			p.value, p.nested = string(v.text), !v.plain()
		}
		all = append(all, p)
	}
	return all
}
