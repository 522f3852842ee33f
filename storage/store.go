// Package storage keeps what the engine must not forget in a Badger database:
// how its records become keys and values, and when they are safe.
//
// It knows no rule of the queue: see engine. Only keys.go knows keys, only the
// record files know values, and only badger.go and failure.go know Badger.
package storage

import (
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"inflight/engine"
)

// Options change how a store is opened. The zero value is the safe one.
type Options struct {
	// NoSync leaves it to the system when a change reaches the disk: a crash of
	// the machine loses what was answered. For benchmarks.
	NoSync bool
	// Logger takes what an operator should know, one line a call; nil drops it.
	Logger func(format string, args ...any)
	// Now is the time for the owner file; time.Now if nil.
	Now func() time.Time
	// Owner is what to tell a process that finds the directory taken.
	Owner Owner
	// Keep leaves the space of deleted messages taken, so that nothing in the
	// files is moved: for looking at a store that may be damaged.
	Keep bool
	// Free replaces the system's answer to how many bytes may still be
	// written, for tests: see Reserve.
	Free func() (uint64, error)

	valueLog int64 // bytes of a value log, for tests; valueLogBytes if 0
}

// collectEvery is how often space is given back: a nearly empty queue at full
// speed fills two value logs in that time.
const collectEvery = time.Second

// Store implements engine.Store. All methods are safe for concurrent use, but
// for what engine.Store says of Commit and Sweep.
type Store struct {
	dir    string
	tables tables
	owner  *ownership // nil in memory
	free   func() (uint64, error)
	log    func(format string, args ...any)
	flags  byte

	// open is held by whoever uses the tables, and taken by Close: values are
	// read from mapped files.
	open   sync.RWMutex
	closed bool

	group  group
	sweeps sweeps

	stopCollecting chan struct{}
	collecting     sync.WaitGroup
}

var _ engine.Store = (*Store)(nil)

// Open opens the store in dir, and makes one where there is none. It returns
// *DirError for a directory that cannot be used, *InUseError for one that is
// open elsewhere, *NewerError for one of a later inflight, *FullError where
// less than Reserve is free, and *CorruptError where its own record is broken.
func Open(dir string, o Options) (_ *Store, err error) {
	if err := prepare(dir); err != nil {
		return nil, err
	}
	s := newStore(o)
	s.dir = dir
	if s.free == nil {
		s.free = func() (uint64, error) { return freeBytes(dir) }
	}
	if free, err := s.free(); err != nil {
		return nil, &DirError{Dir: dir, Reason: "does not tell its free space", Err: err}
	} else if free < Reserve {
		return nil, &FullError{Dir: dir, Free: free, Need: Reserve}
	}
	now := o.Now
	if now == nil {
		now = time.Now
	}
	if s.owner, err = own(dir, o.Owner, now()); err != nil {
		return nil, err
	}
	disk, err := openDisk(dir, o)
	if err != nil {
		if strings.Contains(err.Error(), "Cannot acquire directory lock") { // Badger's errors carry no type
			err = badgerHolder(dir)
		}
		return nil, errors.Join(fmt.Errorf("open %s: %w", dir, err), s.owner.release())
	}
	s.tables = disk
	if err := s.begin(o.NoSync); err != nil {
		return nil, errors.Join(err, s.tables.close(), s.owner.release())
	}
	if !o.Keep {
		s.collecting.Add(1)
		go s.collectLoop()
	}
	return s, nil
}

// OpenMemory opens a store that is gone when it is closed.
func OpenMemory() (*Store, error) {
	s := newStore(Options{Free: func() (uint64, error) { return math.MaxUint64, nil }})
	s.dir = "memory"
	s.tables = newMemory()
	if err := s.begin(false); err != nil {
		return nil, err
	}
	return s, nil
}

func newStore(o Options) *Store {
	s := &Store{free: o.Free, log: o.Logger, stopCollecting: make(chan struct{})}
	if s.log == nil {
		s.log = func(string, ...any) {}
	}
	return s
}

// begin reads or makes the store's own record, repairs what an unclean stop
// without sync may have torn, and marks the store as open.
func (s *Store) begin(noSync bool) error {
	m, found, err := s.readMeta()
	if err != nil {
		return err
	}
	if !found {
		if err := s.mustBeEmpty(); err != nil {
			return err
		}
		rand.Read(m.Secret[:]) // never fails
		m.layout = layout
	}
	if m.flags == flagOpen|flagUnsynced {
		if err := s.repair(); err != nil {
			return fmt.Errorf("repair %s: %w", s.dir, err)
		}
		if m, _, err = s.readMeta(); err != nil {
			return err
		}
	}
	s.flags = flagOpen
	if noSync {
		s.flags |= flagUnsynced
	}
	if err := s.writeMeta(m.Meta, s.flags); err != nil {
		return err
	}
	if s.owner == nil {
		return nil
	}
	if err := writeLayout(s.dir); err != nil {
		return &DirError{Dir: s.dir, Reason: "cannot be written", Err: cause(err)}
	}
	return nil
}

func (s *Store) readMeta() (m metaRecord, found bool, err error) {
	k := appendMetaKey(nil)
	err = s.tables.view(func(r reading) error {
		found, err = r.get(k, func(value []byte) error {
			n, err := layoutOf(value)
			if err == nil && n > layout {
				return &NewerError{Dir: s.dir, Layout: int(n), Known: layout}
			}
			m, err = decodeMeta(value)
			if err != nil {
				return corrupt(k, err)
			}
			return nil
		})
		return err
	})
	return m, found, err
}

func (s *Store) writeMeta(m engine.Meta, flags byte) error {
	k, v := appendMetaKey(nil), appendMeta(nil, metaRecord{Meta: m, layout: layout, flags: flags})
	if err := s.tables.update(func(w writing) error { return w.set(k, v) }); err != nil {
		return err
	}
	return s.tables.sync()
}

// mustBeEmpty refuses the database of another program.
func (s *Store) mustBeEmpty() error {
	return s.tables.view(func(r reading) error {
		it := r.iterate(nil)
		defer it.close()
		if it.valid() {
			return &DirError{Dir: s.dir, Reason: "holds a database of another program"}
		}
		return nil
	})
}

// Announce tells who finds the directory taken where this process listens.
// It does nothing for a store in memory.
func (s *Store) Announce(endpoint string) error {
	if s.owner == nil {
		return nil
	}
	return s.owner.announce(endpoint)
}

// use keeps the store open until the returned function is called.
func (s *Store) use() (done func(), err error) {
	s.open.RLock()
	if s.closed {
		s.open.RUnlock()
		return nil, fmt.Errorf("store %s: %w", s.dir, engine.ErrClosed)
	}
	return s.open.RUnlock, nil
}

// Close waits for calls under way, marks the store as cleanly closed, and
// gives the directory free. A second call does nothing.
func (s *Store) Close() error {
	s.open.Lock()
	defer s.open.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	close(s.stopCollecting)
	s.collecting.Wait()
	err := s.end()
	err = errors.Join(err, s.tables.close())
	if s.owner != nil {
		err = errors.Join(err, s.owner.release())
	}
	if err != nil {
		return fmt.Errorf("close store %s: %w", s.dir, err)
	}
	return nil
}

// end takes the mark away that begin set.
func (s *Store) end() error {
	m, _, err := s.readMeta()
	if err != nil {
		return err
	}
	if err := s.tables.sync(); err != nil {
		return err
	}
	return s.writeMeta(m.Meta, 0)
}
