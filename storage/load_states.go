package storage

import "inflight/engine"

// stateBatch is how many states go from the reader to the loader at a time.
const stateBatch = 512

// stateReader reads states ahead of the loader: there may be a million of
// them, and each side takes about as long as the other.
type stateReader struct {
	full  chan []engine.StateRecord // closed at the end
	spare chan []engine.StateRecord
	stop  chan struct{}
	err   error // set before full is closed
}

func loadStates(r reading, l engine.Loader, queues living) error {
	const batches = 4
	s := &stateReader{
		full:  make(chan []engine.StateRecord, batches),
		spare: make(chan []engine.StateRecord, batches),
		stop:  make(chan struct{}),
	}
	for range batches {
		s.spare <- make([]engine.StateRecord, 0, stateBatch)
	}
	go s.run(r, queues)
	var err error
	stopped := false
	for batch := range s.full {
		for i := range batch {
			if err == nil {
				err = l.State(batch[i])
			}
		}
		if err != nil && !stopped {
			close(s.stop) // and wait for the reader, which uses r
			stopped = true
		}
		s.spare <- batch[:0]
	}
	if err == nil {
		err = s.err
	}
	return err
}

// run is the only user of r until it closes full.
func (s *stateReader) run(r reading, queues living) {
	defer close(s.full)
	batch := <-s.spare
	s.err = scanLiving(r, tableState, queues, func(key, value []byte) error {
		if len(key) != refKeyLen {
			return corrupt(key, errShort)
		}
		n := len(batch)
		batch = batch[:n+1]
		batch[n].Ref = refOf(key)
		if err := decodeState(value, &batch[n]); err != nil {
			batch = batch[:n]
			return corrupt(key, err)
		}
		if n+1 < stateBatch {
			return nil
		}
		s.full <- batch
		select {
		case <-s.stop:
			batch = nil
			return errStopped
		case batch = <-s.spare:
			return nil
		}
	})
	if len(batch) > 0 {
		s.full <- batch
	}
}
