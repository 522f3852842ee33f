package storage

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

// Sizes that decide how much disk a nearly empty store takes, and how much
// must be free: see reserve.
const (
	memtableBytes = 8 << 20 // a transaction may hold 15 % of it, and 13,107 keys
	memtables     = 3
	// levelZero is how many memtables lie on disk before they are merged into
	// the sorted tables below. A queue's messages go in at one end of its keys
	// and out at the other, so that each merge meets all that lies between.
	levelZero     = 7
	valueLogBytes = 32 << 20
	// inlineBytes is how long a value may be to lie beside its key: states and
	// lanes always do, so that opening reads tables only.
	inlineBytes = 512
	// lowerMerge is what a merge of one table into the level below it writes:
	// that has about ten times as many bytes in the same range of keys.
	lowerMerge = 11 * 2 << 20
	// collectRatio is the part of a value log that must be garbage before the
	// rest is copied out of it.
	collectRatio = 0.5
)

// settings are those of design section 6; each was measured.
func settings(dir string, o Options, log badger.Logger) badger.Options {
	return badger.DefaultOptions(dir).
		WithLogger(log).
		WithSyncWrites(!o.NoSync).
		WithDetectConflicts(false). // one committer: nobody to conflict with
		WithNumVersionsToKeep(1).
		WithCompression(options.None).
		WithValueThreshold(inlineBytes).
		WithVerifyValueChecksum(true).
		WithMemTableSize(memtableBytes).
		WithNumMemtables(memtables).
		WithNumCompactors(2).
		WithNumLevelZeroTables(levelZero).
		WithNumLevelZeroTablesStall(2 * levelZero).
		WithValueLogFileSize(cmp.Or(o.valueLog, valueLogBytes)).
		WithBlockCacheSize(16 << 20).
		WithMetricsEnabled(false)
}

// disk is the tables in Badger.
type disk struct {
	db   *badger.DB
	stop *failure
	logs valueLogs
}

func openDisk(dir string, o Options) (*disk, error) {
	stop := newFailure(o.Logger)
	db, err := badger.Open(settings(dir, o, stop))
	if err != nil {
		return nil, err
	}
	return &disk{db: db, stop: stop, logs: valueLogs{dir: dir}}, nil
}

func (d *disk) view(fn func(reading) error) error {
	txn := d.db.NewTransaction(false)
	defer txn.Discard()
	return fn(diskReader{txn})
}

func (d *disk) update(fn func(writing) error) error {
	if err := d.stop.err(); err != nil {
		return err
	}
	txn := d.db.NewTransaction(true)
	defer txn.Discard()
	if err := fn(&diskWriter{diskReader: diskReader{txn}}); err != nil {
		return err
	}
	// Badger retries a failed flush for ever, and a commit behind it never
	// returns: what the log says ends our waiting.
	done := make(chan error, 1)
	txn.CommitWith(func(err error) { done <- err })
	var err error
	select {
	case err = <-done:
	case <-d.stop.failed:
	}
	switch {
	case d.stop.err() != nil: // after a failed sync of the value log the commit succeeds
		return d.stop.err()
	case errors.Is(err, badger.ErrTxnTooBig):
		return errTooBig
	case err != nil:
		return d.stop.fail(err)
	}
	return nil
}

func (d *disk) sync() error { return d.db.Sync() }

// collect rewrites value logs that are mostly garbage until none is left.
func (d *disk) collect() error {
	for {
		if err := d.whole(); err != nil {
			return err
		}
		switch err := d.db.RunValueLogGC(collectRatio); {
		case err == nil:
		case errors.Is(err, badger.ErrNoRewrite), errors.Is(err, badger.ErrRejected),
			errors.Is(err, badger.ErrDBClosed), errors.Is(err, badger.ErrBlockedWrites):
			return nil
		default:
			return err
		}
	}
}

func (d *disk) whole() error { return d.logs.read() }

// merge counts the tables that are not sorted yet and those that they are
// sorted into, which are written anew as a whole, and a merge further down.
func (d *disk) merge() uint64 {
	var bytes int64
	for _, level := range d.db.Levels() {
		if level.Level == 0 || level.IsBaseLevel {
			bytes += level.Size
		}
	}
	if bytes > 0 {
		bytes += lowerMerge
	}
	return uint64(bytes)
}

func (d *disk) verify() error { return d.db.VerifyChecksum() }

// close waits for Badger, but not for one that retries what cannot succeed.
func (d *disk) close() error {
	if d.stop.err() == nil {
		return d.db.Close()
	}
	done := make(chan error, 1)
	go func() { done <- d.db.Close() }()
	select {
	case err := <-done:
		return errors.Join(d.stop.err(), err)
	case <-time.After(closeWait):
		return fmt.Errorf("close after a failure did not end: %w", d.stop.err())
	}
}

// closeWait is how long a failed database may take to close.
const closeWait = 5 * time.Second

type diskReader struct{ txn *badger.Txn }

// get reads again where Badger gives nothing: it does so, with no error, when
// its collection has removed the value log between the look-up and the read;
// by then the key leads to the copy. No value of ours is empty.
func (r diskReader) get(key []byte, fn func([]byte) error) (bool, error) {
	const attempts = 3
	for i := 1; ; i++ {
		item, err := r.txn.Get(key)
		if errors.Is(err, badger.ErrKeyNotFound) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		empty := false
		err = item.Value(func(value []byte) error {
			if empty = len(value) == 0 && i < attempts; empty {
				return nil
			}
			return fn(value)
		})
		if !empty {
			return true, err
		}
	}
}

func (r diskReader) iterate(prefix []byte) iterator { return r.iterateFrom(prefix, prefix) }

func (r diskReader) iterateFrom(prefix, from []byte) iterator {
	o := badger.DefaultIteratorOptions
	o.Prefix = prefix
	o.PrefetchValues = false // it starts a goroutine a value; ours lie beside the key
	it := r.txn.NewIterator(o)
	it.Seek(from)
	return diskIterator{it}
}

type diskIterator struct{ *badger.Iterator }

func (i diskIterator) valid() bool                             { return i.Valid() }
func (i diskIterator) next()                                   { i.Next() }
func (i diskIterator) seek(key []byte)                         { i.Seek(key) }
func (i diskIterator) key() []byte                             { return i.Item().Key() }
func (i diskIterator) value(fn func(value []byte) error) error { return i.Item().Value(fn) }
func (i diskIterator) close()                                  { i.Close() }

type diskWriter struct {
	diskReader
	entries []badger.Entry // a slab: Badger keeps a pointer to each
}

func (w *diskWriter) set(key, value []byte) error {
	if len(w.entries) == cap(w.entries) {
		w.entries = make([]badger.Entry, 0, min(max(16, 2*cap(w.entries)), 1024))
	}
	w.entries = append(w.entries, badger.Entry{Key: key, Value: value})
	return tooBig(w.txn.SetEntry(&w.entries[len(w.entries)-1]))
}

func (w *diskWriter) drop(key []byte) error { return tooBig(w.txn.Delete(key)) }

func tooBig(err error) error {
	if errors.Is(err, badger.ErrTxnTooBig) {
		return errTooBig
	}
	return err
}
