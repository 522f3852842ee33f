package storage

import (
	"errors"
	"time"
)

// Collect gives disk space back that deleted messages took. The store calls
// it every second by itself; a caller needs it only to see the effect at once.
// It returns *DamagedLogError, and gives nothing back, where a value log is
// damaged.
func (s *Store) Collect() error {
	done, err := s.use()
	if err != nil {
		return err
	}
	defer done()
	return s.tables.collect()
}

func (s *Store) collectLoop() {
	defer s.collecting.Done()
	ticks := time.NewTicker(collectEvery) // of real time: the disk knows no other
	defer ticks.Stop()
	for {
		select {
		case <-s.stopCollecting:
			return
		case <-ticks.C:
			err := s.tables.collect()
			if err != nil {
				s.log("space of deleted messages is not given back: %v", err)
			}
			if damaged := (*DamagedLogError)(nil); errors.As(err, &damaged) {
				return // as long as the store is open
			}
		}
	}
}
