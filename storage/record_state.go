package storage

import (
	"encoding/binary"

	"inflight/engine"
)

// A state has fixed places, unlike the other records: a million of them are
// read at opening. Its history follows, one entry after the other.
const (
	stateFixed   = 1 + 1 + 1 + 1 + 6*8 + 4*4
	historyEntry = 24
	stateRoom    = stateFixed + engine.HistoryLength*historyEntry
)

// Flags of a state.
const (
	flagWaits byte = 1 << iota
	flagRemoved
)

// appendState writes s with the history that follows from old, the entries
// stored so far: s.Append joins it, s.Change sets the end of its last entry,
// and it is never longer than the receives, so that a receive that was given
// back leaves it.
func appendState(b []byte, s *engine.StateRecord, old []byte) []byte {
	var flags byte
	if s.Waits {
		flags |= flagWaits
	}
	if s.Removed {
		flags |= flagRemoved
	}
	start := len(b)
	b = append(b, stateVersion, flags, s.SinceReceive, 0)
	b = appendTime(b, s.Due)
	b = appendTime(b, s.Sent)
	b = appendTime(b, s.FirstReceived)
	b = appendTime(b, s.LastReceived)
	b = binary.BigEndian.AppendUint64(b, s.Mark)
	b = binary.BigEndian.AppendUint64(b, s.Turn)
	b = binary.BigEndian.AppendUint32(b, s.Receives)
	b = binary.BigEndian.AppendUint32(b, s.Delivery)
	b = binary.BigEndian.AppendUint32(b, s.Size)
	b = binary.BigEndian.AppendUint32(b, s.Holder)

	room := int(min(s.Receives, engine.HistoryLength))
	kept := len(old) / historyEntry
	if s.Append != nil {
		kept = min(kept, int(max(s.Receives, 1)-1))
		skip := max(0, kept-(engine.HistoryLength-1))
		b = append(b, old[skip*historyEntry:kept*historyEntry]...)
		b = appendHistory(b, s.Append)
	} else {
		b = append(b, old[:min(kept, room)*historyEntry]...)
	}
	entries := (len(b) - start - stateFixed) / historyEntry
	if entries > 0 && !s.Change.IsZero() {
		binary.BigEndian.PutUint64(b[len(b)-historyEntry+8:], stamp(s.Change))
	}
	b[start+3] = byte(entries)
	return b
}

func appendHistory(b []byte, h *engine.HistoryRecord) []byte {
	b = appendTime(b, h.At)
	b = appendTime(b, h.Until)
	b = binary.BigEndian.AppendUint32(b, h.Holder)
	return append(b, byte(h.Kind), 0, 0, 0)
}

// splitState parts a state's value into its fields and its history.
func splitState(b []byte) (fields, history []byte, err error) {
	if len(b) < stateFixed {
		return nil, nil, errShort
	}
	if b[0] != stateVersion {
		return nil, nil, errVersion
	}
	fields, history = b[:stateFixed], b[stateFixed:]
	if len(history) != int(b[3])*historyEntry || b[3] > engine.HistoryLength {
		return nil, nil, errShort
	}
	return fields, history, nil
}

// decodeState reads a state without its history and its Ref.
func decodeState(b []byte, s *engine.StateRecord) error {
	f, _, err := splitState(b)
	if err != nil {
		return err
	}
	*s = engine.StateRecord{
		Ref:           s.Ref,
		Waits:         f[1]&flagWaits != 0,
		Removed:       f[1]&flagRemoved != 0,
		SinceReceive:  f[2],
		Due:           unstamp(binary.BigEndian.Uint64(f[4:])),
		Sent:          unstamp(binary.BigEndian.Uint64(f[12:])),
		FirstReceived: unstamp(binary.BigEndian.Uint64(f[20:])),
		LastReceived:  unstamp(binary.BigEndian.Uint64(f[28:])),
		Mark:          binary.BigEndian.Uint64(f[36:]),
		Turn:          binary.BigEndian.Uint64(f[44:]),
		Receives:      binary.BigEndian.Uint32(f[52:]),
		Delivery:      binary.BigEndian.Uint32(f[56:]),
		Size:          binary.BigEndian.Uint32(f[60:]),
		Holder:        binary.BigEndian.Uint32(f[64:]),
	}
	return nil
}

// decodeHistory reads the history of a state's value, oldest first.
func decodeHistory(b []byte) ([]engine.HistoryRecord, error) {
	_, history, err := splitState(b)
	if err != nil {
		return nil, err
	}
	return parseHistory(history), nil
}

// parseHistory reads whole entries.
func parseHistory(history []byte) []engine.HistoryRecord {
	list := make([]engine.HistoryRecord, 0, len(history)/historyEntry)
	for ; len(history) > 0; history = history[historyEntry:] {
		list = append(list, engine.HistoryRecord{
			At:     unstamp(binary.BigEndian.Uint64(history)),
			Until:  unstamp(binary.BigEndian.Uint64(history[8:])),
			Holder: binary.BigEndian.Uint32(history[16:]),
			Kind:   engine.ReceivedKind(history[20]),
		})
	}
	return list
}
