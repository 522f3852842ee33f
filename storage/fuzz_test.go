package storage

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"testing"

	"inflight/engine"
)

func FuzzKey(f *testing.F) {
	for _, k := range []key{
		{Table: tableMeta}, {Table: tableQueue, Number: 1}, {Table: tableCounters, Number: 2}, {Table: tableHolder, Number: 3},
		{Table: tableLane, Ref: engine.Ref{Queue: 1, Epoch: 2, Lane: 3}}, {Table: tableMessage, Ref: ref(1, 2, 3)},
		{Table: tableState, Ref: ref(1<<31, 1<<63, 1<<64-1)}, {Table: tableTask, Task: 4}, {Table: tableTask, Task: 4, Chunk: 5, Chunked: true},
		{Table: tableDedup, Ref: engine.Ref{Queue: 1, Epoch: 2}, Hash: [16]byte{3, 15: 4}},
	} {
		f.Add(k.append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		describe(b)
		k, ok := parseKey(b)
		if !ok {
			return
		}
		if got := k.append(nil); !bytes.Equal(got, b) {
			t.Errorf("parseKey(%x) = %+v, which is written as %x", b, k, got)
		}
		if len(b) > maxKeyLen {
			t.Errorf("key %x is longer than %d", b, maxKeyLen)
		}
	})
}

// recode reads a value and writes what it read.
var recode = []func(b []byte) (read any, again []byte, err error){
	func(b []byte) (any, []byte, error) {
		m, err := decodeMeta(b)
		return m, appendMeta(nil, m), err
	},
	func(b []byte) (any, []byte, error) {
		q, err := decodeQueue(b, 1)
		return q, appendQueue(nil, &q), err
	},
	func(b []byte) (any, []byte, error) {
		c, err := decodeCounters(b, 1)
		return c, appendCounters(nil, &c), err
	},
	func(b []byte) (any, []byte, error) {
		l, err := decodeLane(b, 1, 2, 3)
		return l, appendLane(nil, &l), err
	},
	func(b []byte) (any, []byte, error) {
		d, err := decodeDedup(b, key{})
		return d, appendDedup(nil, &d), err
	},
	func(b []byte) (any, []byte, error) {
		m, err := decodeMessage(b, -1)
		if err != nil {
			return nil, nil, err
		}
		return m, appendMessage(nil, m, m.Body), nil
	},
	func(b []byte) (any, []byte, error) {
		var s engine.StateRecord
		err := decodeState(b, &s)
		return s, appendState(nil, &s, nil), err
	},
	func(b []byte) (any, []byte, error) {
		h, err := decodeHistory(b)
		state := []byte{stateVersion, 0, 0, byte(len(h))}
		state = append(state, make([]byte, stateFixed-4)...)
		for i := range h {
			state = appendHistory(state, &h[i])
		}
		return h, state, err
	},
	func(b []byte) (any, []byte, error) {
		h, err := decodeHolder(b, 1)
		return h, appendHolder(nil, &h), err
	},
	func(b []byte) (any, []byte, error) {
		t, err := decodeTask(b, 1)
		return t, appendTask(nil, &t), err
	},
	func(b []byte) (any, []byte, error) {
		refs, err := decodeSelection(b, nil)
		return refs, appendSelection(nil, refs), err
	},
}

func FuzzRecord(f *testing.F) {
	for _, g := range golden() {
		b, _ := hex.DecodeString(g.value)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for i, decode := range recode {
			want, again, err := decode(b)
			if err != nil {
				continue
			}
			if got, _, err := decode(again); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("decoder %d: %x reads as\n%+v, is written as %x, and reads as\n%+v, %v", i, b, want, again, got, err)
			}
		}
	})
}
