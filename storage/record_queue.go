package storage

import (
	"encoding/binary"
	"maps"
	"slices"

	"inflight/engine"
)

func appendQueue(b []byte, q *engine.QueueRecord) []byte {
	b = append(b, queueVersion)
	var deleted byte
	if q.Deleted {
		deleted = 1
	}
	b = append(b, deleted, byte(q.Type), byte(q.RedriveAllow.Mode))
	b = appendString(b, q.Name)
	b = binary.AppendUvarint(b, uint64(q.Epoch))
	b = appendInt(b, len(q.Old))
	for _, epoch := range q.Old {
		b = binary.AppendUvarint(b, uint64(epoch))
	}
	b = appendTime(b, q.Created)
	b = appendTime(b, q.Modified)
	b = appendDuration(b, q.VisibilityTimeout)
	b = appendDuration(b, q.Delay)
	b = appendDuration(b, q.Retention)
	b = appendDuration(b, q.ReceiveWait)
	b = appendInt(b, q.MaximumMessageSize)
	b = appendString(b, q.Redrive.DLQ)
	b = appendInt(b, q.Redrive.MaxReceives)
	b = appendInt(b, len(q.RedriveAllow.Sources))
	for _, source := range q.RedriveAllow.Sources {
		b = appendString(b, source)
	}
	b = appendInt(b, len(q.Tags))
	for _, name := range slices.Sorted(maps.Keys(q.Tags)) {
		b = appendString(b, name)
		b = appendString(b, q.Tags[name])
	}
	return b
}

func decodeQueue(b []byte, number uint32) (q engine.QueueRecord, err error) {
	d := decode(b, queueVersion)
	q.Number = number
	q.Deleted = d.byte() != 0
	q.Type = engine.Type(d.byte())
	q.RedriveAllow.Mode = engine.AllowMode(d.byte())
	q.Name = d.string()
	q.Epoch = uint32(d.uvarint())
	for range d.count(1) {
		q.Old = append(q.Old, uint32(d.uvarint()))
	}
	q.Created = d.time()
	q.Modified = d.time()
	q.VisibilityTimeout = d.duration()
	q.Delay = d.duration()
	q.Retention = d.duration()
	q.ReceiveWait = d.duration()
	q.MaximumMessageSize = d.int()
	q.Redrive.DLQ = d.string()
	q.Redrive.MaxReceives = d.int()
	for range d.count(1) {
		q.RedriveAllow.Sources = append(q.RedriveAllow.Sources, d.string())
	}
	if n := d.count(2); n > 0 {
		q.Tags = make(map[string]string, n)
		for range n {
			name := d.string()
			q.Tags[name] = d.string()
		}
	}
	return q, d.end()
}

// counterFields are a record's numbers in the order of version 1. A number
// added later joins at the end, with a new version.
func counterFields(c *engine.CounterRecord) [13]*uint64 {
	return [13]*uint64{
		&c.Sent, &c.Received, &c.EmptyReceives, &c.Deleted, &c.Lapsed, &c.Expired, &c.Purged,
		&c.DeadLetteredIn, &c.DeadLetteredOut, &c.RedrivenOut,
		&c.LastTurn, &c.LastLane, &c.LastSequence,
	}
}

func appendCounters(b []byte, c *engine.CounterRecord) []byte {
	b = append(b, counterVersion)
	for _, n := range counterFields(c) {
		b = binary.AppendUvarint(b, *n)
	}
	return b
}

func decodeCounters(b []byte, queue uint32) (c engine.CounterRecord, err error) {
	d := decode(b, counterVersion)
	c.Queue = queue
	for _, n := range counterFields(&c) {
		*n = d.uvarint()
	}
	return c, d.end()
}

// appendLane writes a lane that has not ended.
func appendLane(b []byte, l *engine.LaneRecord) []byte {
	b = append(b, laneVersion)
	b = binary.AppendUvarint(b, l.Swept)
	b = binary.AppendUvarint(b, l.Head)
	b = binary.AppendUvarint(b, l.Tail)
	b = appendTime(b, l.Oldest)
	b = appendTime(b, l.LastSent)
	return appendString(b, l.Group)
}

func decodeLane(b []byte, queue, epoch uint32, lane uint64) (l engine.LaneRecord, err error) {
	d := decode(b, laneVersion)
	l.Queue, l.Epoch, l.Lane = queue, epoch, lane
	l.Swept = d.uvarint()
	l.Head = d.uvarint()
	l.Tail = d.uvarint()
	l.Oldest = d.time()
	l.LastSent = d.time()
	l.Group = d.string()
	return l, d.end()
}

func appendHolder(b []byte, h *engine.HolderRecord) []byte {
	return appendString(append(b, holderVersion), h.Name)
}

func decodeHolder(b []byte, number uint32) (h engine.HolderRecord, err error) {
	d := decode(b, holderVersion)
	h.Number = number
	h.Name = d.string()
	return h, d.end()
}
