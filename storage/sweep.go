package storage

import (
	"fmt"
	"slices"
)

// sweepMost is how many keys one call removes at most, whatever its limit: a
// transaction of Badger holds 13,107.
const sweepMost = 10_000

// sweepTables are emptied in this order.
var sweepTables = [...]byte{tableMessage, tableState, tableLane, tableDedup}

// sweeps remembers, for each old epoch, the last key that was removed: to seek
// from the front again would step over everything that was deleted before.
type sweeps map[epochID][]byte

type epochID struct{ queue, epoch uint32 }

// Sweep removes messages, states, lanes and deduplication ids of an old epoch,
// at most limit keys and never more than 10,000, and reports whether nothing is left. As long as
// the stored queue does not list the epoch as old (its purge is not durable
// yet), it removes nothing and reports false.
func (s *Store) Sweep(queue, epoch uint32, limit int) (finished bool, err error) {
	done, err := s.use()
	if err != nil {
		return false, err
	}
	defer done()
	if s.sweeps == nil {
		s.sweeps = make(sweeps)
	}
	id := epochID{queue, epoch}
	var last []byte
	err = s.tables.update(func(w writing) error {
		ok, err := mayShrink(w, id)
		if err != nil || !ok {
			return err
		}
		keys := sweepKeys(w, id, s.sweeps[id], min(limit, sweepMost))
		for _, key := range keys {
			if err := w.drop(key); err != nil {
				return err
			}
		}
		if finished = len(keys) < min(limit, sweepMost); !finished && len(keys) > 0 {
			last = keys[len(keys)-1]
		}
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("sweep queue %d epoch %d: %w", queue, epoch, err)
	}
	if finished {
		delete(s.sweeps, id)
	} else if last != nil {
		s.sweeps[id] = last
	}
	return finished, nil
}

// mayShrink says whether the epoch is garbage by what is durable.
func mayShrink(r reading, id epochID) (ok bool, err error) {
	key := appendNumberKey(nil, tableQueue, id.queue)
	found, err := r.get(key, func(value []byte) error {
		q, err := decodeQueue(value, id.queue)
		if err != nil {
			return corrupt(key, err)
		}
		ok = q.Deleted || slices.Contains(q.Old, id.epoch)
		return nil
	})
	return ok || !found, err
}

// sweepKeys copies the next keys of the epoch behind last, limit at most.
func sweepKeys(r reading, id epochID, last []byte, limit int) [][]byte {
	first := 0
	if last != nil {
		first = slices.Index(sweepTables[:], last[0])
	}
	var keys [][]byte
	for _, table := range sweepTables[first:] {
		if len(keys) >= limit {
			break
		}
		prefix := appendEpochPrefix(nil, table, id.queue, id.epoch)
		from := prefix
		if last != nil && last[0] == table {
			from = append(slices.Clone(last), 0) // the first key behind it
		}
		it := r.iterateFrom(prefix, from)
		for ; it.valid() && len(keys) < limit; it.next() {
			keys = append(keys, slices.Clone(it.key()))
		}
		it.close()
	}
	return keys
}
