package storage

import (
	"encoding/binary"

	"inflight/engine"
)

func appendTask(b []byte, t *engine.TaskRecord) []byte {
	b = append(b, taskVersion, byte(t.State))
	var selected byte
	if t.Selected {
		selected = 1
	}
	b = append(b, selected)
	b = appendString(b, t.Source)
	b = appendString(b, t.Destination)
	b = appendString(b, t.Reason)
	b = appendInt(b, t.Rate)
	b = appendInt(b, t.Moved)
	b = appendInt(b, t.ToMove)
	b = appendInt(b, t.Next)
	b = appendTime(b, t.Started)
	b = appendTime(b, t.Finished)
	b = binary.BigEndian.AppendUint32(b, t.SourceNumber)
	b = binary.BigEndian.AppendUint32(b, t.SourceEpoch)
	b = binary.AppendUvarint(b, t.BoundSequence)
	b = appendInt(b, len(t.Bounds))
	for _, bound := range t.Bounds {
		b = binary.AppendUvarint(b, bound.Lane)
		b = binary.AppendUvarint(b, bound.Pos)
	}
	return b
}

func decodeTask(b []byte, id uint64) (t engine.TaskRecord, err error) {
	d := decode(b, taskVersion)
	t.ID = id
	t.State = engine.TaskState(d.byte())
	if t.State > engine.TaskFailed {
		d.err = errRange // its String would panic
	}
	t.Selected = d.byte() != 0
	t.Source = d.string()
	t.Destination = d.string()
	t.Reason = d.string()
	t.Rate = d.int()
	t.Moved = d.int()
	t.ToMove = d.int()
	t.Next = d.int()
	t.Started = d.time()
	t.Finished = d.time()
	t.SourceNumber = d.uint32()
	t.SourceEpoch = d.uint32()
	t.BoundSequence = d.uvarint()
	if n := d.count(2); n > 0 {
		t.Bounds = make([]engine.LaneBound, n)
		for i := range t.Bounds {
			t.Bounds[i] = engine.LaneBound{Lane: d.uvarint(), Pos: d.uvarint()}
		}
	}
	return t, d.end()
}

// A selection of 100,000 messages is 100 values of 24 KB: small enough to
// read one by one, large enough to lie outside the key tables.
const (
	chunkRefs = 1000
	refBytes  = 24
)

func appendSelection(b []byte, refs []engine.Ref) []byte {
	b = append(b, selectionVersion)
	for _, r := range refs {
		b = binary.BigEndian.AppendUint32(b, r.Queue)
		b = binary.BigEndian.AppendUint32(b, r.Epoch)
		b = binary.BigEndian.AppendUint64(b, r.Lane)
		b = binary.BigEndian.AppendUint64(b, r.Pos)
	}
	return b
}

// decodeSelection appends the refs of one chunk.
func decodeSelection(b []byte, refs []engine.Ref) ([]engine.Ref, error) {
	d := decode(b, selectionVersion)
	if d.err == nil && len(d.b)%refBytes != 0 {
		d.err = errShort
	}
	for d.err == nil && len(d.b) > 0 {
		refs = append(refs, engine.Ref{Queue: d.uint32(), Epoch: d.uint32(), Lane: d.uint64(), Pos: d.uint64()})
	}
	return refs, d.err
}
