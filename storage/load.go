package storage

import (
	"fmt"
	"slices"

	"inflight/engine"
)

// living tells what the engine still has to do with from what waits to be
// swept: the lanes and states of an old epoch may be a million.
type living map[uint32]*engine.QueueRecord

func (l living) has(queue, epoch uint32) bool {
	q := l[queue]
	return q != nil && !q.Deleted && !slices.Contains(q.Old, epoch)
}

// Load hands every record but the messages to the loader, in the order of
// engine.Store. The lanes, states and deduplication ids of old epochs and of
// deleted queues are left out. It returns *CorruptError for a record that cannot be read, and the
// loader's own error.
func (s *Store) Load(l engine.Loader) error {
	done, err := s.use()
	if err != nil {
		return err
	}
	defer done()
	m, _, err := s.readMeta()
	if err != nil {
		return fmt.Errorf("load: %w", err)
	}
	err = s.tables.view(func(r reading) error {
		if err := l.Meta(m.Meta); err != nil {
			return err
		}
		queues, err := loadQueues(r, l)
		if err != nil {
			return err
		}
		for _, load := range []func(reading, engine.Loader, living) error{
			loadCounters, loadLanes, loadStates, loadDedups, loadHolders, loadTasks,
		} {
			if err := load(r, l, queues); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("load: %w", err)
	}
	return nil
}

func loadQueues(r reading, l engine.Loader) (living, error) {
	queues := make(living)
	err := scan(r, []byte{tableQueue}, func(key, value []byte) error {
		k, _ := parseKey(key)
		q, err := decodeQueue(value, k.Number)
		if err != nil {
			return corrupt(key, err)
		}
		queues[q.Number] = &q
		return l.Queue(q)
	})
	return queues, err
}

func loadCounters(r reading, l engine.Loader, _ living) error {
	return scan(r, []byte{tableCounters}, func(key, value []byte) error {
		k, _ := parseKey(key)
		c, err := decodeCounters(value, k.Number)
		if err != nil {
			return corrupt(key, err)
		}
		return l.Counters(c)
	})
}

func loadLanes(r reading, l engine.Loader, queues living) error {
	return scanLiving(r, tableLane, queues, func(key, value []byte) error {
		if len(key) != laneKeyLen {
			return corrupt(key, errShort)
		}
		queue, epoch, number := laneOf(key)
		lane, err := decodeLane(value, queue, epoch, number)
		if err != nil {
			return corrupt(key, err)
		}
		return l.Lane(lane)
	})
}

// scanLiving is scan over what is not garbage, which it steps over as a whole.
func scanLiving(r reading, table byte, queues living, fn func(key, value []byte) error) error {
	it := r.iterate([]byte{table})
	defer it.close()
	var queue, epoch uint32
	known := false // queue and epoch are living
	var key []byte
	give := func(value []byte) error { return fn(key, value) }
	for it.valid() {
		key = it.key()
		if len(key) < laneKeyLen {
			return corrupt(key, errShort)
		}
		if q, e, _ := laneOf(key); !known || q != queue || e != epoch {
			if queue, epoch, known = q, e, queues.has(q, e); !known {
				it.seek(after(appendEpochPrefix(nil, table, q, e)))
				continue
			}
		}
		if err := it.value(give); err != nil {
			return err
		}
		it.next()
	}
	return nil
}

func loadHolders(r reading, l engine.Loader, _ living) error {
	return scan(r, []byte{tableHolder}, func(key, value []byte) error {
		k, _ := parseKey(key)
		h, err := decodeHolder(value, k.Number)
		if err != nil {
			return corrupt(key, err)
		}
		return l.Holder(h)
	})
}

func loadDedups(r reading, l engine.Loader, queues living) error {
	return scanLiving(r, tableDedup, queues, func(key, value []byte) error {
		k, ok := parseKey(key)
		if !ok {
			return corrupt(key, errShort)
		}
		d, err := decodeDedup(value, k)
		if err != nil {
			return corrupt(key, err)
		}
		return l.Dedup(d)
	})
}

// loadTasks passes over selections without reading them.
func loadTasks(r reading, l engine.Loader, _ living) error {
	it := r.iterate([]byte{tableTask})
	defer it.close()
	for ; it.valid(); it.next() {
		k, ok := parseKey(it.key())
		if ok && k.Chunked {
			continue
		}
		err := it.value(func(value []byte) error {
			t, err := decodeTask(value, k.Task)
			if err != nil {
				return corrupt(it.key(), err)
			}
			return l.Task(t)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
