package storage

import "fmt"

// Check reads the whole store and reports each broken rule as one line of
// text. What waits to be swept (old epochs, deleted queues) breaks none. A
// store that is written to meanwhile is seen as it was at the call.
//
// Where the database's own files are damaged it says so and reads no further:
// what they would give is not to be trusted. The database may panic on them;
// that is an error then.
func (s *Store) Check(report func(problem string)) (err error) {
	done, err := s.use()
	if err != nil {
		return err
	}
	defer done()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("check: the database cannot be read: %v", p)
		}
	}()
	if err := s.tables.verify(); err != nil {
		report(fmt.Sprintf("a table of the database: %v", err))
		return nil
	}
	if err := s.tables.whole(); err != nil {
		report(fmt.Sprintf("%v; no space is given back while it is there", err))
	}
	err = s.audit(func(p problem) { report(p.text) })
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	return nil
}

// problem is one broken rule, and what would mend it.
type problem struct {
	text string
	mend []write
}

// write is one record to be set, or removed where value is nil.
type write struct{ key, value []byte }

// audit finds every problem in one picture of the store.
func (s *Store) audit(report func(problem)) error {
	return s.tables.view(func(r reading) error {
		a := &audit{r: r, report: report, queues: make(map[uint32]*account), holders: make(map[uint32]bool), living: make(living)}
		for _, step := range []func() error{
			a.unknown, a.meta, a.readQueues, a.readCounters, a.readHolders, a.tasks, a.lanes, a.dedups,
		} {
			if err := step(); err != nil {
				return err
			}
		}
		a.balance()
		return nil
	})
}

// mendBatch is how many records one transaction of a repair writes.
const mendBatch = 1000

// mendRounds bounds a repair: mending messages makes counts wrong, and mending
// those ends it.
const mendRounds = 4

// repair mends what a crash of the machine tore that had not been synced. What
// was lost then is gone; what is left is whole.
func (s *Store) repair() error {
	s.log("%s was not closed and not synced: reading all of it", s.dir)
	torn := 0
	for range mendRounds {
		var batch []write
		err := s.audit(func(p problem) {
			if p.mend == nil {
				return // Check will say so too
			}
			torn++
			s.log("mended: %s", p.text)
			batch = append(batch, p.mend...)
		})
		if err != nil {
			return err
		}
		if len(batch) == 0 {
			break
		}
		for len(batch) > 0 {
			n := min(len(batch), mendBatch)
			if err := s.tables.update(func(w writing) error { return apply(w, batch[:n]) }); err != nil {
				return err
			}
			batch = batch[n:]
		}
	}
	s.log("%s is whole again: %d things were mended", s.dir, torn)
	return nil
}

func apply(w writing, batch []write) error {
	for _, b := range batch {
		var err error
		if b.value == nil {
			err = w.drop(b.key)
		} else {
			err = w.set(b.key, b.value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
