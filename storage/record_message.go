package storage

import (
	"encoding/binary"

	"inflight/engine"
)

// messageRoom is what a message's value needs at most.
func messageRoom(m *engine.Message, body int) int {
	const fixed = 1 + 16 + 3*8 + 11*binary.MaxVarintLen64
	n := fixed + len(m.EarlierHistory)*historyEntry + len(m.Origin) + len(m.Sender) + len(m.Group) + len(m.Deduplication) + body
	for _, list := range [2][]engine.Attribute{m.Attributes, m.System} {
		for i := range list {
			n += len(list[i].Name) + len(list[i].Type) + len(list[i].Value) + 3*binary.MaxVarintLen32
		}
	}
	return n
}

// appendMessage writes the fields first and the body last, so that a preview
// reads only the front of a value.
func appendMessage(b []byte, m *engine.Message, body []byte) []byte {
	b = append(b, messageVersion)
	b = append(b, m.ID[:]...)
	b = appendTime(b, m.Sent)
	b = appendTime(b, m.Arrived)
	b = appendTime(b, m.FirstReceived)
	b = appendInt(b, m.EarlierReceives)
	b = appendInt(b, m.Priority)
	b = binary.AppendUvarint(b, m.Sequence)
	b = appendString(b, m.Origin)
	b = appendString(b, m.Sender)
	b = appendString(b, m.Group)
	b = appendString(b, m.Deduplication)
	b = appendAttributes(b, m.Attributes)
	b = appendAttributes(b, m.System)
	b = appendInt(b, len(m.EarlierHistory))
	for i := range m.EarlierHistory {
		b = appendHistory(b, &m.EarlierHistory[i])
	}
	return appendString(b, body)
}

func appendAttributes(b []byte, list []engine.Attribute) []byte {
	b = appendInt(b, len(list))
	for i := range list {
		b = appendString(b, list[i].Name)
		b = appendString(b, list[i].Type)
		b = appendString(b, list[i].Value)
	}
	return b
}

// decodeHeader reads all but the body, which it returns as a part of b.
// Message.Size is set, Message.Body is not.
func decodeHeader(b []byte) (m *engine.Message, body []byte, err error) {
	d := decode(b, messageVersion)
	m = new(engine.Message)
	copy(m.ID[:], d.take(len(m.ID)))
	m.Sent = d.time()
	m.Arrived = d.time()
	m.FirstReceived = d.time()
	m.EarlierReceives = d.int()
	m.Priority = d.int()
	m.Sequence = d.uvarint()
	m.Origin = d.string()
	m.Sender = d.string()
	m.Group = d.string()
	m.Deduplication = d.string()
	m.Attributes = d.attributes()
	m.System = d.attributes()
	if d.version >= 2 {
		m.EarlierHistory = d.history()
	}
	body = d.bytes()
	m.Size = len(body)
	if err := d.end(); err != nil {
		return nil, nil, err
	}
	return m, body, nil
}

func (d *decoder) attributes() []engine.Attribute {
	n := d.count(3)
	if n == 0 {
		return nil
	}
	list := make([]engine.Attribute, n)
	for i := range list {
		list[i] = engine.Attribute{Name: d.string(), Type: d.string(), Value: clone(d.bytes())}
	}
	return list
}

func (d *decoder) history() []engine.HistoryRecord {
	n := d.count(historyEntry)
	if n == 0 {
		return nil
	}
	return parseHistory(d.take(n * historyEntry))
}

// decodeMessage copies at most limit bytes of the body, all of it if limit is
// negative. Empty slices become nil.
func decodeMessage(b []byte, limit int) (*engine.Message, error) {
	m, body, err := decodeHeader(b)
	if err != nil {
		return nil, err
	}
	if limit >= 0 && limit < len(body) {
		body = body[:limit]
	}
	m.Body = clone(body)
	return m, nil
}

// clone copies what aliases a value; empty becomes nil.
func clone(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return append(make([]byte, 0, len(b)), b...)
}
