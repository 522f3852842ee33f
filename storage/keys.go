package storage

import (
	"encoding/binary"
	"fmt"

	"inflight/engine"
)

// The tables: the first byte of each key. Keys are big-endian and of fixed
// width, so that their order is that of their numbers.
const (
	tableMeta     byte = 0x00
	tableCounters byte = 'c'
	tableDedup    byte = 'd' // deduplication ids of FIFO queues
	tableHolder   byte = 'h'
	tableTask     byte = 'j' // a task, and the chunks of its selection
	tableLane     byte = 'l'
	tableMessage  byte = 'm'
	tableQueue    byte = 'q'
	tableState    byte = 's'
)

// Widths of keys, the table's byte included.
const (
	metaKeyLen   = 1
	numberKeyLen = 1 + 4
	epochKeyLen  = 1 + 4 + 4 // a prefix, never a key
	laneKeyLen   = epochKeyLen + 8
	refKeyLen    = laneKeyLen + 8
	dedupKeyLen  = epochKeyLen + 16
	taskKeyLen   = 1 + 8
	chunkKeyLen  = taskKeyLen + 4
	maxKeyLen    = refKeyLen
)

// key is any key of the store. Number is a queue's or a holder's; Ref alone
// says where a lane, a message or a state is, and with Hash a deduplication id.
type key struct {
	Table  byte
	Number uint32
	Ref    engine.Ref
	Hash   [16]byte
	Task   uint64
	Chunk  uint32
	// Chunked tells the chunk of a selection from its task.
	Chunked bool
}

func appendMetaKey(b []byte) []byte { return append(b, tableMeta) }

// appendNumberKey is the key of a queue, its counters or a holder.
func appendNumberKey(b []byte, table byte, number uint32) []byte {
	return binary.BigEndian.AppendUint32(append(b, table), number)
}

// appendEpochPrefix begins the key of everything in one epoch of a queue.
func appendEpochPrefix(b []byte, table byte, queue, epoch uint32) []byte {
	return binary.BigEndian.AppendUint32(appendNumberKey(b, table, queue), epoch)
}

func appendLaneKey(b []byte, queue, epoch uint32, lane uint64) []byte {
	return binary.BigEndian.AppendUint64(appendEpochPrefix(b, tableLane, queue, epoch), lane)
}

// appendRefKey is the key of a message or a state.
func appendRefKey(b []byte, table byte, ref engine.Ref) []byte {
	b = appendEpochPrefix(b, table, ref.Queue, ref.Epoch)
	b = binary.BigEndian.AppendUint64(b, ref.Lane)
	return binary.BigEndian.AppendUint64(b, ref.Pos)
}

func appendDedupKey(b []byte, queue, epoch uint32, hash [16]byte) []byte {
	return append(appendEpochPrefix(b, tableDedup, queue, epoch), hash[:]...)
}

// appendTaskKey is the key of a task, and begins those of its selection.
func appendTaskKey(b []byte, task uint64) []byte {
	return binary.BigEndian.AppendUint64(append(b, tableTask), task)
}

func appendChunkKey(b []byte, task uint64, chunk uint32) []byte {
	return binary.BigEndian.AppendUint32(appendTaskKey(b, task), chunk)
}

// append is the inverse of parseKey.
func (k key) append(b []byte) []byte {
	switch k.Table {
	case tableMeta:
		return appendMetaKey(b)
	case tableQueue, tableCounters, tableHolder:
		return appendNumberKey(b, k.Table, k.Number)
	case tableLane:
		return appendLaneKey(b, k.Ref.Queue, k.Ref.Epoch, k.Ref.Lane)
	case tableDedup:
		return appendDedupKey(b, k.Ref.Queue, k.Ref.Epoch, k.Hash)
	case tableTask:
		if k.Chunked {
			return appendChunkKey(b, k.Task, k.Chunk)
		}
		return appendTaskKey(b, k.Task)
	default:
		return appendRefKey(b, k.Table, k.Ref)
	}
}

// parseKey reads any key; it reports false for one of no table or of another
// width.
func parseKey(b []byte) (k key, ok bool) {
	if len(b) == 0 {
		return key{}, false
	}
	k.Table = b[0]
	switch k.Table {
	case tableMeta:
		return k, len(b) == metaKeyLen
	case tableQueue, tableCounters, tableHolder:
		if len(b) != numberKeyLen {
			return key{}, false
		}
		k.Number = binary.BigEndian.Uint32(b[1:])
		return k, true
	case tableLane:
		if len(b) != laneKeyLen {
			return key{}, false
		}
		k.Ref.Queue, k.Ref.Epoch, k.Ref.Lane = laneOf(b)
		return k, true
	case tableMessage, tableState:
		if len(b) != refKeyLen {
			return key{}, false
		}
		k.Ref = refOf(b)
		return k, true
	case tableDedup:
		if len(b) != dedupKeyLen {
			return key{}, false
		}
		k.Ref.Queue, k.Ref.Epoch = epochOf(b)
		copy(k.Hash[:], b[epochKeyLen:])
		return k, true
	case tableTask:
		return parseTaskKey(b)
	}
	return key{}, false
}

func parseTaskKey(b []byte) (key, bool) {
	switch len(b) {
	case taskKeyLen:
		return key{Table: tableTask, Task: binary.BigEndian.Uint64(b[1:])}, true
	case chunkKeyLen:
		return key{
			Table: tableTask, Task: binary.BigEndian.Uint64(b[1:]),
			Chunk: binary.BigEndian.Uint32(b[taskKeyLen:]), Chunked: true,
		}, true
	}
	return key{}, false
}

// epochOf reads a key of epochKeyLen bytes or more.
func epochOf(b []byte) (queue, epoch uint32) {
	return binary.BigEndian.Uint32(b[1:]), binary.BigEndian.Uint32(b[5:])
}

// laneOf reads a key of laneKeyLen bytes or more.
func laneOf(b []byte) (queue, epoch uint32, lane uint64) {
	queue, epoch = epochOf(b)
	return queue, epoch, binary.BigEndian.Uint64(b[epochKeyLen:])
}

// refOf reads a key of refKeyLen bytes.
func refOf(b []byte) (ref engine.Ref) {
	ref.Queue, ref.Epoch, ref.Lane = laneOf(b)
	ref.Pos = binary.BigEndian.Uint64(b[laneKeyLen:])
	return ref
}

// after is the first key that follows every key that begins with prefix; it
// changes prefix. It is nil where there is none.
func after(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		prefix[i]++
		if prefix[i] != 0 {
			return prefix[:i+1]
		}
	}
	return nil
}

// describe says where a record is, for people.
func describe(b []byte) string {
	k, ok := parseKey(b)
	if !ok {
		return fmt.Sprintf("key %x", b)
	}
	switch k.Table {
	case tableMeta:
		return "the store's own record"
	case tableQueue:
		return fmt.Sprintf("queue %d", k.Number)
	case tableCounters:
		return fmt.Sprintf("counters of queue %d", k.Number)
	case tableHolder:
		return fmt.Sprintf("holder %d", k.Number)
	case tableLane:
		return fmt.Sprintf("queue %d epoch %d lane %d", k.Ref.Queue, k.Ref.Epoch, k.Ref.Lane)
	case tableDedup:
		return fmt.Sprintf("queue %d epoch %d deduplication id %x", k.Ref.Queue, k.Ref.Epoch, k.Hash)
	case tableTask:
		if k.Chunked {
			return fmt.Sprintf("selection of task %d, chunk %d", k.Task, k.Chunk)
		}
		return fmt.Sprintf("task %d", k.Task)
	case tableMessage:
		return "message at " + describeRef(k.Ref)
	default:
		return "state at " + describeRef(k.Ref)
	}
}

func describeRef(r engine.Ref) string {
	return fmt.Sprintf("queue %d epoch %d lane %d position %d", r.Queue, r.Epoch, r.Lane, r.Pos)
}
