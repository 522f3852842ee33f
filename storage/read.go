package storage

import (
	"bytes"
	"fmt"

	"inflight/engine"
)

// Read returns the messages at refs, nil for one that is not there, all from
// one picture of the store, with at most limit bytes of each body. It returns
// *CorruptError for a message that cannot be read.
func (s *Store) Read(refs []engine.Ref, limit int) ([]*engine.Message, error) {
	done, err := s.use()
	if err != nil {
		return nil, err
	}
	defer done()
	list := make([]*engine.Message, len(refs))
	err = s.tables.view(func(r reading) error {
		for from := 0; from < len(refs); {
			to := from + run(refs[from:])
			var err error
			if to-from >= runLeast {
				err = readRun(r, refs[from:to], limit, list[from:to])
			} else {
				err = readEach(r, refs[from:to], limit, list[from:to])
			}
			if err != nil {
				return err
			}
			from = to
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	return list, nil
}

// runLeast is how many neighbours are read faster by going along the keys than
// by looking each one up.
const runLeast = 16

// run counts the refs at the beginning that are neighbours in one lane.
func run(refs []engine.Ref) int {
	n := 1
	for n < len(refs) {
		next := refs[n-1]
		next.Pos++
		if refs[n] != next {
			break
		}
		n++
	}
	return n
}

func readEach(r reading, refs []engine.Ref, limit int, list []*engine.Message) error {
	var room [maxKeyLen]byte
	for i, ref := range refs {
		key := appendRefKey(room[:0], tableMessage, ref)
		_, err := r.get(key, func(value []byte) error { return decodeInto(&list[i], key, value, limit) })
		if err != nil {
			return err
		}
	}
	return nil
}

func decodeInto(m **engine.Message, key, value []byte, limit int) (err error) {
	if *m, err = decodeMessage(value, limit); err != nil {
		return corrupt(key, err)
	}
	return nil
}

// readRun goes along the keys of neighbours. A value that gives nothing, as
// Badger's do while its collection moves them, is looked up again: see
// diskReader.get.
func readRun(r reading, refs []engine.Ref, limit int, list []*engine.Message) error {
	var room [maxKeyLen]byte
	it := r.iterateFrom(appendEpochPrefix(nil, tableMessage, refs[0].Queue, refs[0].Epoch), appendRefKey(nil, tableMessage, refs[0]))
	defer it.close()
	for i, ref := range refs {
		key := appendRefKey(room[:0], tableMessage, ref)
		if !it.valid() {
			return nil
		}
		if !bytes.Equal(it.key(), key) { // not there: the iterator is past it
			continue
		}
		empty := false
		err := it.value(func(value []byte) error {
			if empty = len(value) == 0; empty {
				return nil
			}
			return decodeInto(&list[i], key, value, limit)
		})
		if err == nil && empty {
			err = readEach(r, refs[i:i+1], limit, list[i:i+1])
		}
		if err != nil {
			return err
		}
		it.next()
	}
	return nil
}

// History returns the receives of a touched message, oldest first. It returns
// *CorruptError for a state that cannot be read.
func (s *Store) History(ref engine.Ref) (list []engine.HistoryRecord, err error) {
	done, err := s.use()
	if err != nil {
		return nil, err
	}
	defer done()
	err = s.tables.view(func(r reading) error {
		key := appendRefKey(nil, tableState, ref)
		_, err := r.get(key, func(value []byte) error {
			if list, err = decodeHistory(value); err != nil {
				return corrupt(key, err)
			}
			return nil
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	return list, nil
}

// Selection returns the chosen messages of a redrive task, in the order they
// were chosen in; none for a task that has no selection. It returns
// *CorruptError where a part cannot be read.
func (s *Store) Selection(task uint64) (refs []engine.Ref, err error) {
	done, err := s.use()
	if err != nil {
		return nil, err
	}
	defer done()
	err = s.tables.view(func(r reading) error {
		it := r.iterate(appendTaskKey(nil, task))
		defer it.close()
		for ; it.valid(); it.next() {
			if len(it.key()) != chunkKeyLen {
				continue // the task itself
			}
			err := it.value(func(value []byte) (err error) {
				refs, err = decodeSelection(value, refs)
				return err
			})
			if err != nil {
				return corrupt(it.key(), err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read selection of task %d: %w", task, err)
	}
	return refs, nil
}
