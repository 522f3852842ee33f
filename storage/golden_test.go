package storage

import (
	"slices"
	"time"

	"inflight/engine"
)

// goldenValue is one record as some version wrote it.
type goldenValue struct {
	name   string // record and version
	newest bool   // still written like this
	value  string // in hex
	want   any
	decode func([]byte) (any, error)
	encode func() []byte // of the newest
}

func golden() []goldenValue {
	return slices.Concat(goldenQueues(), goldenMessages(), goldenTasks())
}

// goldenQueues are the store's own record and what belongs to a queue.
func goldenQueues() []goldenValue {
	secret := [32]byte{0: 0xaa, 31: 0xbb}
	meta := metaRecord{Meta: engine.Meta{Secret: secret, NextQueue: 3, NextTask: 4, Clock: start}, layout: 1, flags: flagOpen}
	queue := engine.QueueRecord{
		Number: 5, Name: "orders", Epoch: 300, Old: []uint32{1, 2}, Deleted: true, Created: start, Modified: at(1),
		Attributes: engine.Attributes{
			Type: engine.FIFO, VisibilityTimeout: 30 * time.Second, Delay: time.Second, Retention: 4 * 24 * time.Hour,
			MaximumMessageSize: 1 << 20, ReceiveWait: 20 * time.Second,
			Redrive:      engine.RedrivePolicy{DLQ: "dead", MaxReceives: 3},
			RedriveAllow: engine.RedriveAllowPolicy{Mode: engine.AllowByQueue, Sources: []string{"a", "b"}},
			Tags:         map[string]string{"k": "v", "a": "z"},

			ContentDeduplication: true, ThroughputPerGroup: true,
			Extra: map[string]string{"Policy": "{}", "K": ""},
		},
	}
	byGroup := engine.QueueRecord{Number: 5, Name: "q", Attributes: engine.Attributes{DeduplicateByGroup: true}}
	counters := engine.CounterRecord{Queue: 5, LastTurn: 11, LastLane: 12, LastSequence: 1 << 60}
	counters.Counters = engine.Counters{Sent: 1, Received: 2, EmptyReceives: 3, Deleted: 4, Lapsed: 5, Expired: 6, Purged: 7,
		DeadLetteredIn: 8, DeadLetteredOut: 9, RedrivenOut: 10}
	lane := engine.LaneRecord{Queue: 5, Epoch: 6, Lane: 7, Swept: 1, Head: 2, Tail: 300, Oldest: start, LastSent: at(9), Group: "g"}
	return []goldenValue{
		{"meta 1", true, goldenMeta1, meta,
			func(b []byte) (any, error) { return decodeMeta(b) },
			func() []byte { return appendMeta(nil, meta) }},
		{"queue 1", true, goldenQueue1, queue,
			func(b []byte) (any, error) { return decodeQueue(b, 5) },
			func() []byte { return appendQueue(nil, &queue) }},
		{"queue 1 that deduplicates by group", true, goldenByGroup1, byGroup,
			func(b []byte) (any, error) { return decodeQueue(b, 5) },
			func() []byte { return appendQueue(nil, &byGroup) }},
		{"counters 1", true, goldenCounters1, counters,
			func(b []byte) (any, error) { return decodeCounters(b, 5) },
			func() []byte { return appendCounters(nil, &counters) }},
		{"lane 1", true, goldenLane1, lane,
			func(b []byte) (any, error) { return decodeLane(b, 5, 6, 7) },
			func() []byte { return appendLane(nil, &lane) }},
	}
}

// goldenMessages are messages and what is remembered of them.
func goldenMessages() []goldenValue {
	msg := &engine.Message{
		ID: engine.ID{0: 0xff, 15: 0xee}, Sent: start, Arrived: at(1), Origin: "o", EarlierReceives: 3, FirstReceived: at(2),
		Priority: 8, Attributes: []engine.Attribute{{Name: "n", Type: "String", Value: []byte("v")}},
		System: []engine.Attribute{{Name: "AWSTraceHeader", Type: "String", Value: []byte("t")}},
		Sender: "s", Group: "g", Deduplication: "d", Sequence: 9, Body: []byte("hello"), Size: 5,
	}
	receive := &engine.HistoryRecord{At: at(3), Until: at(4), Holder: 2, Kind: engine.ByPeek}
	dead := *msg
	dead.EarlierHistory = []engine.HistoryRecord{*receive}
	state := engine.StateRecord{
		Due: at(1), Sent: start, FirstReceived: at(2), LastReceived: at(3), Mark: 4, Turn: 5, Receives: 1, Delivery: 7,
		SinceReceive: 8, Size: 9, Holder: 10, Waits: true,
	}
	withHistory := state
	withHistory.Append = receive
	remembered := engine.DedupRecord{Queue: 5, Epoch: 6, Key: [16]byte{1, 15: 2}, Until: at(300), ID: engine.ID{0: 0xff, 15: 0xee}, Sequence: 300}
	dedupKey := key{Table: tableDedup, Ref: engine.Ref{Queue: 5, Epoch: 6}, Hash: remembered.Key}
	return []goldenValue{
		{"message 1", false, goldenMessage1, msg,
			func(b []byte) (any, error) { return decodeMessage(b, -1) }, nil},
		{"message 2", true, goldenMessage2, &dead,
			func(b []byte) (any, error) { return decodeMessage(b, -1) },
			func() []byte { return appendMessage(nil, &dead, dead.Body) }},
		{"state 1", true, goldenState1, state,
			func(b []byte) (any, error) {
				var s engine.StateRecord
				err := decodeState(b, &s)
				return s, err
			},
			func() []byte { return appendState(nil, &withHistory, nil) }},
		{"history 1", true, goldenState1, []engine.HistoryRecord{*receive},
			func(b []byte) (any, error) { return decodeHistory(b) },
			func() []byte { return appendState(nil, &withHistory, nil) }},
		{"dedup 1", true, goldenDedup1, remembered,
			func(b []byte) (any, error) { return decodeDedup(b, dedupKey) },
			func() []byte { return appendDedup(nil, &remembered) }},
	}
}

// goldenTasks are redrive tasks, and holders.
func goldenTasks() []goldenValue {
	task := engine.TaskRecord{
		Task: engine.Task{ID: 1, Source: "dead", Destination: "to", Rate: 500, Selected: true, State: engine.TaskFailed,
			Reason: "r", Moved: 2, ToMove: 3, Started: start, Finished: at(5)},
		SourceNumber: 4, SourceEpoch: 5, Bounds: []engine.LaneBound{{Lane: 6, Pos: 7}}, BoundSequence: 300, Next: 8,
	}
	refs := []engine.Ref{{Queue: 1, Epoch: 2, Lane: 3, Pos: 4}}
	return []goldenValue{
		{"holder 1", true, "01027731", engine.HolderRecord{Number: 3, Name: "w1"},
			func(b []byte) (any, error) { return decodeHolder(b, 3) },
			func() []byte { return appendHolder(nil, &engine.HolderRecord{Name: "w1"}) }},
		{"task 1", true, goldenTask1, task,
			func(b []byte) (any, error) { return decodeTask(b, 1) },
			func() []byte { return appendTask(nil, &task) }},
		{"selection 1", true, "01" + "00000001" + "00000002" + "0000000000000003" + "0000000000000004", refs,
			func(b []byte) (any, error) { return decodeSelection(b, nil) },
			func() []byte { return appendSelection(nil, refs) }},
	}
}

const (
	goldenMeta1 = "010000000101aa000000000000000000000000000000000000000000000000000000000000bb00000003000000000000" +
		"0004000001972b5cee7b"
	goldenQueue1 = "010b0101066f7264657273ac02020102000001972b5cee7b000001972b5cf263b0ea01e80780e0e5a401a09c01808040" +
		"0464656164030201610162020161017a016b017602014b0006506f6c696379027b7d"
	goldenByGroup1  = "01040000017100008000000000000000800000000000000000000000000000000000"
	goldenCounters1 = "010102030405060708090a0b0c808080808080808010"
	goldenLane1     = "010102ac02000001972b5cee7b000001972b5d11a30167"
	goldenMessage1  = "01ff0000000000000000000000000000ee000001972b5cee7b000001972b5cf263000001972b5cf64b030809016f0173" +
		"0167016401016e06537472696e670176010e415753547261636548656164657206537472696e6701740568656c6c6f"
	goldenMessage2 = "02ff0000000000000000000000000000ee000001972b5cee7b000001972b5cf263000001972b5cf64b030809016f0173" +
		"0167016401016e06537472696e670176010e415753547261636548656164657206537472696e670174" +
		"01000001972b5cfa33000001972b5cfe1b00000002010000000568656c6c6f"
	goldenState1 = "01010801000001972b5cf263000001972b5cee7b000001972b5cf64b000001972b5cfa33000000000000000400000000" +
		"000000050000000100000007000000090000000a000001972b5cfa33000001972b5cfe1b0000000201000000"
	goldenDedup1 = "01ff0000000000000000000000000000ee000001972b61825bac02"
	goldenTask1  = "010501046465616402746f0172f403020308000001972b5cee7b000001972b5d02030000000400000005ac02010607"
)
