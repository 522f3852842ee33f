package storage

import (
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
		var room [maxKeyLen]byte
		for i, ref := range refs {
			key := appendRefKey(room[:0], tableMessage, ref)
			_, err := r.get(key, func(value []byte) error {
				m, err := decodeMessage(value, limit)
				if err != nil {
					return corrupt(key, err)
				}
				list[i] = m
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	return list, nil
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
