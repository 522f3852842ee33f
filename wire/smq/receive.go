package smq

import (
	"net/http"
	"time"

	"inflight/engine"
)

// messageOutput is one message as a receiver or somebody who peeks sees it.
type messageOutput struct {
	message  *engine.Message
	handle   string    // empty: peeked at
	visible  time.Time // again; of one that was received
	first    time.Time // when it was first received, zero if never
	receives int       // in this queue
}

func (m *messageOutput) write(x *xmlWriter) {
	x.document("Message", func() { m.members(x) })
}

func (m *messageOutput) members(x *xmlWriter) {
	x.text("MessageId", idText(m.message.ID))
	if m.handle != "" {
		x.text("ReceiptHandle", m.handle)
	}
	x.text("MessageBodyMD5", digest(m.message.Body))
	x.bytes("MessageBody", m.message.Body)
	x.milliseconds("EnqueueTime", m.message.Sent)
	if m.handle != "" {
		x.milliseconds("NextVisibleTime", m.visible)
	}
	first := m.first
	if first.IsZero() {
		first = m.message.Sent
	}
	x.milliseconds("FirstDequeueTime", first)
	x.number("DequeueCount", int64(m.receives))
	x.number("Priority", int64(m.message.Priority))
	if m.message.Group != "" {
		x.text("MessageGroupId", m.message.Group)
	}
	writeProperties(x, "UserProperties", "PropertyValue", m.message.Attributes)
	writeProperties(x, "SystemProperties", "SystemPropertyValue", m.message.System)
}

type messagesOutput struct{ messages []messageOutput }

func (out *messagesOutput) write(x *xmlWriter) {
	x.document("Messages", func() {
		for i := range out.messages {
			x.nest("Message", func() { out.messages[i].members(x) })
		}
	})
}

// foundMessages answers with one message or a list, never with none.
func foundMessages(messages []messageOutput, batch bool) (answer, error) {
	switch {
	case len(messages) == 0:
		return answer{}, faultNoMessage.with()
	case batch:
		return answer{status: http.StatusOK, body: &messagesOutput{messages}}, nil
	}
	return answer{status: http.StatusOK, body: &messages[0]}, nil
}

type receiveInput struct{ count, wait number }

func (in *receiveInput) read(s *source) {
	in.count, in.wait = s.number("numofmessages"), s.number("waitseconds")
}

func (in *receiveInput) check() error {
	if err := in.count.within("numOfMessages", 1, maxBatch, ""); err != nil {
		return err
	}
	return in.wait.within("waitseconds", 0, maxWait, "seconds")
}

func (c *call) receiveMessage(in *receiveInput) (answer, error) {
	messages, err := c.receive(in)
	if err != nil {
		return answer{}, err
	}
	return foundMessages(messages, false)
}

func (c *call) batchReceive(in *receiveInput) (answer, error) {
	messages, err := c.receive(in)
	if err != nil {
		return answer{}, err
	}
	return foundMessages(messages, true)
}

func (c *call) receive(in *receiveInput) ([]messageOutput, error) {
	q, err := c.facts()
	if err != nil {
		return nil, err
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	r := engine.ReceiveRequest{Max: int(in.count.or(1)), Holder: c.holder}
	if in.wait.given {
		wait := duration(in.wait.n)
		r.Wait = &wait
	}
	if q.Attributes.VisibilityTimeout == 0 {
		least := duration(minVisibility) // 0, which SQS allows, would give out handles that are dead already
		r.Visibility = &least
	}
	deliveries, err := c.engine.Receive(c.options.Attentive(c.ctx), c.queue, r)
	if err != nil {
		return nil, err
	}
	messages := make([]messageOutput, len(deliveries))
	for i, d := range deliveries {
		messages[i] = messageOutput{
			message: d.Message, handle: d.Receipt.String(), visible: d.Due, first: d.FirstReceived, receives: d.Receives,
		}
	}
	return messages, nil
}
