package engine

import (
	"crypto/sha256"
	"encoding/hex"
)

// dedupWindow is how long a deduplication id is remembered after its first
// send (SQS: 5 minutes). It survives the message's deletion, and a purge
// forgets it.
const dedupWindow = 5 * 60 * 1000 // ms

// dedupKey is what a queue remembers of a deduplication id, within its scope.
type dedupKey [16]byte

type dedupEntry struct {
	until    int64
	id       ID
	sequence uint64
}

// dedup is what was sent to a FIFO queue lately.
type dedup struct {
	seen  map[dedupKey]dedupEntry
	order []dedupKey // by end of window: they all last the same time
}

func newDedup() dedup { return dedup{seen: map[dedupKey]dedupEntry{}} }

func keyOf(a Attributes, group, id string) (key dedupKey) {
	h := sha256.New()
	if a.DeduplicateByGroup {
		h.Write([]byte(group))
	}
	h.Write([]byte{0})
	h.Write([]byte(id))
	copy(key[:], h.Sum(nil))
	return key
}

// contentID is the deduplication id of a body (SQS: SHA-256, attributes not
// included).
func contentID(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// remember keeps a deduplication id for its window.
func (o *op) remember(q *queue, key dedupKey, m *Message) {
	d := &q.contents.fifo.dedup
	entry := dedupEntry{until: o.now + dedupWindow, id: m.ID, sequence: m.Sequence}
	d.seen[key] = entry
	d.order = append(d.order, key)
	o.change.Dedups = append(o.change.Dedups, DedupRecord{
		Queue: q.number, Epoch: q.contents.epoch, Key: key,
		Until: moment(entry.until), ID: entry.id, Sequence: entry.sequence,
	})
}

// forgetDedups drops at most limit ids whose window is over, and says how many.
func (o *op) forgetDedups(q *queue, limit int) (n int) {
	d := &q.contents.fifo.dedup
	for ; n < limit && len(d.order) > 0; n++ {
		key := d.order[0]
		if d.seen[key].until > o.now {
			return n
		}
		delete(d.seen, key)
		d.order = d.order[1:]
		o.change.Undedups = append(o.change.Undedups, DedupRecord{Queue: q.number, Epoch: q.contents.epoch, Key: key})
	}
	if len(d.order) == 0 {
		d.order = nil
	}
	return n
}
