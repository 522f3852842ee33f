package storage

import (
	"fmt"

	"inflight/engine"
)

// Reserve is how many bytes must stay free on the disk, beside what the next
// merge of tables takes: what Badger may still have to put into files that it
// has mapped but not filled, and the group that is under way. A full disk would
// end the process with SIGBUS, not an error.
const Reserve uint64 = 2*memtableBytes + 2*valueLogBytes + 64<<20 + groupBytes

// groupBytes is the most that one group of changes carries in bodies.
const groupBytes = 16 << 20

// Space tells how much may still be written: SpaceLow below Reserve and the
// room of the next merge, SpaceOut below half of Reserve and that room. A store
// in memory has always enough.
func (s *Store) Space() (engine.Space, error) {
	free, err := s.free()
	merge := s.tables.merge()
	switch {
	case err != nil:
		return engine.SpaceOut, fmt.Errorf("free space of %s: %w", s.dir, err)
	case free < merge+Reserve/2:
		return engine.SpaceOut, nil
	case free < merge+Reserve:
		return engine.SpaceLow, nil
	default:
		return engine.SpaceEnough, nil
	}
}
