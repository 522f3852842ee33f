package sqs

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"inflight/engine"
)

// batchText is a batch of ten sends with bodies of n bytes.
func batchText(n int) []byte {
	var entries []string
	for i := range 10 {
		entries = append(entries, fmt.Sprintf(`{"Id":"id_%d","MessageBody":"%s"}`, i, strings.Repeat("x", n)))
	}
	return []byte(`{"QueueUrl":"http://127.0.0.1:9324/000000000000/q","Entries":[` + strings.Join(entries, ",") + `]}`)
}

// BenchmarkDecode reads a batch of ten sends of 1 KiB, and compares with
// reflection.
func BenchmarkDecode(b *testing.B) {
	text := batchText(1024)
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			var in sendBatchInput
			if err := readJSON(text, &in); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			var in struct {
				QueueUrl string
				Entries  []struct {
					Id, MessageBody   string
					DelaySeconds      *int
					MessageAttributes map[string]struct{ DataType, StringValue string }
				}
			}
			if err := json.Unmarshal(text, &in); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkEncode writes a receive of ten messages of 1 KiB, and compares with
// reflection.
func BenchmarkEncode(b *testing.B) {
	out := &receiveOutput{}
	type message struct{ MessageId, ReceiptHandle, MD5OfBody, Body string }
	var same struct{ Messages []message }
	for range 10 {
		m := messageOutput{id: engine.ID{}.String(), receipt: strings.Repeat("r", 48), digest: bodyDigest(nil), body: []byte(strings.Repeat("x", 1024))}
		out.messages = append(out.messages, m)
		same.Messages = append(same.Messages, message{m.id, m.receipt, m.digest, string(m.body)})
	}
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		var text []byte
		for b.Loop() {
			text = writeJSON(text[:0], out)
		}
		b.SetBytes(int64(len(text)))
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		var text []byte
		for b.Loop() {
			text, _ = json.Marshal(same)
		}
		b.SetBytes(int64(len(text)))
	})
}
