package storage

import (
	"encoding/binary"
	"maps"
	"slices"

	"inflight/engine"
)

// Flags of a queue.
const (
	flagDeleted byte = 1 << iota
	flagContentDeduplication
	flagDeduplicateByGroup
	flagThroughputPerGroup
)

func queueFlags(q *engine.QueueRecord) byte {
	return bit(flagDeleted, q.Deleted) | bit(flagContentDeduplication, q.ContentDeduplication) |
		bit(flagDeduplicateByGroup, q.DeduplicateByGroup) | bit(flagThroughputPerGroup, q.ThroughputPerGroup)
}

func bit(flag byte, set bool) byte {
	if set {
		return flag
	}
	return 0
}

func appendQueue(b []byte, q *engine.QueueRecord) []byte {
	b = append(b, queueVersion, queueFlags(q), byte(q.Type), byte(q.RedriveAllow.Mode))
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
	b = appendStrings(b, q.Tags)
	return appendStrings(b, q.Extra)
}

// appendStrings writes a map in the order of its names.
func appendStrings(b []byte, m map[string]string) []byte {
	b = appendInt(b, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		b = appendString(b, name)
		b = appendString(b, m[name])
	}
	return b
}

func decodeQueue(b []byte, number uint32) (q engine.QueueRecord, err error) {
	d := decode(b, queueVersion)
	q.Number = number
	flags := d.byte()
	q.Deleted = flags&flagDeleted != 0
	q.ContentDeduplication = flags&flagContentDeduplication != 0
	q.DeduplicateByGroup = flags&flagDeduplicateByGroup != 0
	q.ThroughputPerGroup = flags&flagThroughputPerGroup != 0
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
	q.Tags = d.strings()
	q.Extra = d.strings()
	return q, d.end()
}

// strings reads a map; an empty one is nil.
func (d *decoder) strings() map[string]string {
	n := d.count(2)
	if n == 0 {
		return nil
	}
	m := make(map[string]string, n)
	for range n {
		name := d.string()
		m[name] = d.string()
	}
	return m
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

// dedupRoom is what a deduplication id's value needs at most.
const dedupRoom = 1 + 16 + 8 + binary.MaxVarintLen64

func appendDedup(b []byte, r *engine.DedupRecord) []byte {
	b = append(b, dedupVersion)
	b = append(b, r.ID[:]...)
	b = appendTime(b, r.Until)
	return binary.AppendUvarint(b, r.Sequence)
}

func decodeDedup(b []byte, k key) (r engine.DedupRecord, err error) {
	d := decode(b, dedupVersion)
	r.Queue, r.Epoch, r.Key = k.Ref.Queue, k.Ref.Epoch, k.Hash
	copy(r.ID[:], d.take(len(r.ID)))
	r.Until = d.time()
	r.Sequence = d.uvarint()
	return r, d.end()
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
