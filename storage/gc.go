package storage

import "time"

// Collect gives disk space back that deleted messages took. The store calls
// it every second by itself; a caller needs it only to see the effect at once.
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
			if err := s.tables.collect(); err != nil {
				s.log("collect: %v", err)
			}
		}
	}
}
