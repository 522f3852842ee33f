package storage

import (
	"encoding/hex"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"inflight/engine"
)

var (
	someTime = rapid.Custom(func(t *rapid.T) time.Time {
		if rapid.Bool().Draw(t, "zero") {
			return time.Time{}
		}
		return time.UnixMilli(rapid.Int64Range(-1e12, 1e13).Draw(t, "ms")).UTC()
	})
	someInt      = rapid.IntRange(0, 1<<40)
	someDuration = rapid.Custom(func(t *rapid.T) time.Duration {
		return time.Duration(rapid.IntRange(0, 1<<21).Draw(t, "s")) * time.Second
	})
	someBytes = rapid.Custom(func(t *rapid.T) []byte {
		return clone(rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "bytes"))
	})
	someAttributes = rapid.Custom(func(t *rapid.T) (list []engine.Attribute) {
		for range rapid.IntRange(0, 4).Draw(t, "attributes") {
			list = append(list, engine.Attribute{
				Name: rapid.String().Draw(t, "name"), Type: rapid.String().Draw(t, "type"), Value: someBytes.Draw(t, "value"),
			})
		}
		return list
	})
	someMessage = rapid.Custom(func(t *rapid.T) *engine.Message {
		m := &engine.Message{
			Sent: someTime.Draw(t, "sent"), Arrived: someTime.Draw(t, "arrived"), FirstReceived: someTime.Draw(t, "first"),
			Origin: rapid.String().Draw(t, "origin"), EarlierReceives: someInt.Draw(t, "earlier"),
			Priority: rapid.IntRange(1, 16).Draw(t, "priority"), Sequence: rapid.Uint64().Draw(t, "sequence"),
			Attributes: someAttributes.Draw(t, "attributes"), System: someAttributes.Draw(t, "system"),
			Sender: rapid.String().Draw(t, "sender"), Group: rapid.String().Draw(t, "group"),
			Deduplication: rapid.String().Draw(t, "deduplication"), Body: someBytes.Draw(t, "body"),
		}
		for range rapid.IntRange(0, engine.HistoryLength).Draw(t, "earlier") {
			m.EarlierHistory = append(m.EarlierHistory, engine.HistoryRecord{
				At: someTime.Draw(t, "at"), Until: someTime.Draw(t, "until"), Holder: rapid.Uint32().Draw(t, "holder"),
				Kind: engine.ReceivedKind(rapid.IntRange(0, 1).Draw(t, "kind")),
			})
		}
		copy(m.ID[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
		m.Size = len(m.Body)
		return m
	})
	someQueue = rapid.Custom(func(t *rapid.T) engine.QueueRecord {
		q := engine.QueueRecord{
			Number: rapid.Uint32().Draw(t, "number"), Name: rapid.String().Draw(t, "name"), Epoch: rapid.Uint32().Draw(t, "epoch"),
			Deleted: rapid.Bool().Draw(t, "deleted"), Created: someTime.Draw(t, "created"), Modified: someTime.Draw(t, "modified"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "old") {
			q.Old = append(q.Old, rapid.Uint32().Draw(t, "epoch"))
		}
		q.Attributes = engine.Attributes{
			Type: engine.Type(rapid.IntRange(0, 1).Draw(t, "type")), VisibilityTimeout: someDuration.Draw(t, "visibility"),
			Delay: someDuration.Draw(t, "delay"), Retention: someDuration.Draw(t, "retention"), ReceiveWait: someDuration.Draw(t, "wait"),
			MaximumMessageSize: someInt.Draw(t, "size"),
			Redrive:            engine.RedrivePolicy{DLQ: rapid.String().Draw(t, "dlq"), MaxReceives: someInt.Draw(t, "max")},
			RedriveAllow:       engine.RedriveAllowPolicy{Mode: engine.AllowMode(rapid.IntRange(0, 2).Draw(t, "mode"))},

			ContentDeduplication: rapid.Bool().Draw(t, "content"), DeduplicateByGroup: rapid.Bool().Draw(t, "by group"),
			ThroughputPerGroup: rapid.Bool().Draw(t, "per group"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "sources") {
			q.RedriveAllow.Sources = append(q.RedriveAllow.Sources, rapid.String().Draw(t, "source"))
		}
		if rapid.Bool().Draw(t, "tagged") {
			q.Tags = rapid.MapOfN(rapid.String(), rapid.String(), 1, 4).Draw(t, "tags")
		}
		if rapid.Bool().Draw(t, "more") {
			q.Extra = rapid.MapOfN(rapid.String(), rapid.String(), 1, 4).Draw(t, "extra")
		}
		return q
	})
	someCounters = rapid.Custom(func(t *rapid.T) engine.CounterRecord {
		c := engine.CounterRecord{Queue: rapid.Uint32().Draw(t, "queue")}
		for _, n := range counterFields(&c) {
			*n = rapid.Uint64().Draw(t, "n")
		}
		return c
	})
	someLane = rapid.Custom(func(t *rapid.T) engine.LaneRecord {
		return engine.LaneRecord{
			Queue: rapid.Uint32().Draw(t, "queue"), Epoch: rapid.Uint32().Draw(t, "epoch"), Lane: rapid.Uint64().Draw(t, "lane"),
			Swept: rapid.Uint64().Draw(t, "swept"), Head: rapid.Uint64().Draw(t, "head"), Tail: rapid.Uint64().Draw(t, "tail"),
			Oldest: someTime.Draw(t, "oldest"), LastSent: someTime.Draw(t, "last"), Group: rapid.String().Draw(t, "group"),
		}
	})
	someDedup = rapid.Custom(func(t *rapid.T) engine.DedupRecord {
		d := engine.DedupRecord{
			Queue: rapid.Uint32().Draw(t, "queue"), Epoch: rapid.Uint32().Draw(t, "epoch"),
			Until: someTime.Draw(t, "until"), Sequence: rapid.Uint64().Draw(t, "sequence"),
		}
		copy(d.Key[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "key"))
		copy(d.ID[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
		return d
	})
	someRef = rapid.Custom(func(t *rapid.T) engine.Ref {
		return engine.Ref{
			Queue: rapid.Uint32().Draw(t, "queue"), Epoch: rapid.Uint32().Draw(t, "epoch"),
			Lane: rapid.Uint64().Draw(t, "lane"), Pos: rapid.Uint64().Draw(t, "pos"),
		}
	})
	someState = rapid.Custom(func(t *rapid.T) engine.StateRecord {
		return engine.StateRecord{
			Ref: someRef.Draw(t, "ref"), Due: someTime.Draw(t, "due"), Sent: someTime.Draw(t, "sent"),
			FirstReceived: someTime.Draw(t, "first"), LastReceived: someTime.Draw(t, "last"),
			Mark: rapid.Uint64().Draw(t, "mark"), Turn: rapid.Uint64().Draw(t, "turn"),
			Receives: rapid.Uint32().Draw(t, "receives"), Delivery: rapid.Uint32().Draw(t, "delivery"),
			SinceReceive: rapid.Byte().Draw(t, "since"), Size: rapid.Uint32().Draw(t, "size"),
			Holder: rapid.Uint32().Draw(t, "holder"), Waits: rapid.Bool().Draw(t, "waits"), Removed: rapid.Bool().Draw(t, "removed"),
		}
	})
	someReceive = rapid.Custom(func(t *rapid.T) engine.HistoryRecord {
		return engine.HistoryRecord{
			At: someTime.Draw(t, "at"), Until: someTime.Draw(t, "until"), Holder: rapid.Uint32().Draw(t, "holder"),
			Kind: engine.ReceivedKind(rapid.IntRange(0, 1).Draw(t, "kind")),
		}
	})
	someTask = rapid.Custom(func(t *rapid.T) engine.TaskRecord {
		r := engine.TaskRecord{
			Task: engine.Task{
				ID: rapid.Uint64().Draw(t, "id"), Source: rapid.String().Draw(t, "source"), Destination: rapid.String().Draw(t, "destination"),
				Rate: someInt.Draw(t, "rate"), Selected: rapid.Bool().Draw(t, "selected"),
				State: engine.TaskState(rapid.IntRange(0, 5).Draw(t, "state")), Reason: rapid.String().Draw(t, "reason"),
				Moved: someInt.Draw(t, "moved"), ToMove: someInt.Draw(t, "to move"),
				Started: someTime.Draw(t, "started"), Finished: someTime.Draw(t, "finished"),
			},
			SourceNumber: rapid.Uint32().Draw(t, "number"), SourceEpoch: rapid.Uint32().Draw(t, "epoch"), Next: someInt.Draw(t, "next"),
			BoundSequence: rapid.Uint64().Draw(t, "bound"),
		}
		for range rapid.IntRange(0, 5).Draw(t, "bounds") {
			r.Bounds = append(r.Bounds, engine.LaneBound{Lane: rapid.Uint64().Draw(t, "lane"), Pos: rapid.Uint64().Draw(t, "pos")})
		}
		return r
	})
)

// same fails if what was read is not what was written.
func same(t *rapid.T, what string, got, want any, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("decode %s: %v", what, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("decode %s =\n%+v, want\n%+v", what, got, want)
	}
}

func TestEveryRecordReadsAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := someMessage.Draw(t, "message")
		b := appendMessage(nil, m, m.Body)
		if room := messageRoom(m, len(m.Body)); len(b) > room {
			t.Fatalf("messageRoom = %d, the value took %d", room, len(b))
		}
		gotMessage, err := decodeMessage(b, -1)
		same(t, "message", gotMessage, m, err)

		q := someQueue.Draw(t, "queue")
		gotQueue, err := decodeQueue(appendQueue(nil, &q), q.Number)
		same(t, "queue", gotQueue, q, err)

		c := someCounters.Draw(t, "counters")
		gotCounters, err := decodeCounters(appendCounters(nil, &c), c.Queue)
		same(t, "counters", gotCounters, c, err)

		l := someLane.Draw(t, "lane")
		gotLane, err := decodeLane(appendLane(nil, &l), l.Queue, l.Epoch, l.Lane)
		same(t, "lane", gotLane, l, err)

		d := someDedup.Draw(t, "dedup")
		b = appendDedup(nil, &d)
		if len(b) > dedupRoom {
			t.Fatalf("dedupRoom = %d, the value took %d", dedupRoom, len(b))
		}
		k, _ := parseKey(appendDedupKey(nil, d.Queue, d.Epoch, d.Key))
		gotDedup, err := decodeDedup(b, k)
		same(t, "dedup", gotDedup, d, err)

		s := someState.Draw(t, "state")
		gotState := engine.StateRecord{Ref: s.Ref}
		err = decodeState(appendState(nil, &s, nil), &gotState)
		same(t, "state", gotState, s, err)

		task := someTask.Draw(t, "task")
		gotTask, err := decodeTask(appendTask(nil, &task), task.ID)
		same(t, "task", gotTask, task, err)

		h := engine.HolderRecord{Number: 7, Name: rapid.String().Draw(t, "name")}
		gotHolder, err := decodeHolder(appendHolder(nil, &h), 7)
		same(t, "holder", gotHolder, h, err)

		refs := rapid.SliceOfN(someRef, 1, 20).Draw(t, "refs")
		gotRefs, err := decodeSelection(appendSelection(nil, refs), nil)
		same(t, "selection", gotRefs, refs, err)

		meta := metaRecord{layout: rapid.Uint32().Draw(t, "layout"), flags: rapid.Byte().Draw(t, "flags")}
		copy(meta.Secret[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "secret"))
		meta.NextQueue, meta.NextTask = rapid.Uint32().Draw(t, "next queue"), rapid.Uint64().Draw(t, "next task")
		meta.Clock = someTime.Draw(t, "clock")
		gotMeta, err := decodeMeta(appendMeta(nil, meta))
		same(t, "meta", gotMeta, meta, err)
	})
}

// TestHistoryKeepsTheLastReceives plays appended receives and changes against
// a slice.
func TestHistoryKeepsTheLastReceives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var model []engine.HistoryRecord
		var value []byte
		var receives uint32
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			s := engine.StateRecord{Sent: start}
			switch rapid.IntRange(0, 2).Draw(t, "step") {
			case 0:
				receives++
				h := someReceive.Draw(t, "receive")
				s.Append = &h
				model = append(model, h)
			case 1:
				if s.Change = someTime.Draw(t, "change"); !s.Change.IsZero() && len(model) > 0 {
					model[len(model)-1].Until = s.Change
				}
			}
			s.Receives = receives
			var old []byte
			if value != nil {
				_, old, _ = splitState(value)
			}
			value = appendState(nil, &s, old)
			if len(value) > stateRoom {
				t.Fatalf("a state took %d bytes, more than %d", len(value), stateRoom)
			}
			got, err := decodeHistory(value)
			want := model[max(0, len(model)-engine.HistoryLength):]
			if err != nil || len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
				t.Fatalf("history = %v, %v, want %v", got, err, want)
			}
		}
	})
}

func TestAReceiveThatWasGivenBackLeavesTheHistory(t *testing.T) {
	first, second := engine.HistoryRecord{At: at(1), Until: at(2)}, engine.HistoryRecord{At: at(3), Until: at(4)}
	b := appendState(nil, &engine.StateRecord{Receives: 1, Append: &first}, nil)
	_, old, _ := splitState(b)
	b = appendState(nil, &engine.StateRecord{Receives: 2, Append: &second}, old)
	_, old, _ = splitState(b)
	b = appendState(nil, &engine.StateRecord{Receives: 1}, old)
	if got, err := decodeHistory(b); err != nil || len(got) != 1 || got[0] != first {
		t.Errorf("history after the second receive was given back = %v, %v, want %v", got, err, first)
	}
}

// TestGoldenValues keeps values of every version that was ever written
// readable. Add to it; never change a line of it.
func TestGoldenValues(t *testing.T) {
	for _, g := range golden() {
		t.Run(g.name, func(t *testing.T) {
			b, err := hex.DecodeString(g.value)
			if err != nil {
				t.Fatal(err)
			}
			got, err := g.decode(b)
			if err != nil || !reflect.DeepEqual(got, g.want) {
				t.Errorf("decode(%s) =\n%+v, %v, want\n%+v", g.value, got, err, g.want)
			}
			if !g.newest {
				return
			}
			if now := hex.EncodeToString(g.encode()); now != g.value {
				t.Errorf("the record is now written as\n%s, was\n%s", now, g.value)
			}
		})
	}
}

func TestABrokenValueIsRefused(t *testing.T) {
	for _, g := range golden() {
		b, _ := hex.DecodeString(g.value)
		for n := range b {
			if g.name == "selection 1" && n == 1 {
				continue // an empty selection is one
			}
			if got, err := g.decode(b[:n]); err == nil {
				t.Errorf("%s cut to %d bytes reads as %+v", g.name, n, got)
			}
		}
		newer := append([]byte{b[0] + 1}, b[1:]...)
		if _, err := g.decode(newer); err == nil {
			t.Errorf("%s with an unknown version is read", g.name)
		}
	}
}
