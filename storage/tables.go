package storage

// tables is what this package needs of a database: ordered keys, snapshots,
// and changes that are durable as one. disk is Badger; memory is a tree.
type tables interface {
	// view gives fn one unchanging picture.
	view(fn func(reading) error) error
	// update applies what fn writes, all or nothing, and returns once it is
	// durable. It returns errTooBig, with nothing written, where one
	// transaction cannot hold it. What fn gave to set may be used again when
	// update has returned nil.
	update(fn func(writing) error) error
	// sync makes durable what was written without.
	sync() error
	// collect gives space back to the system. It returns *DamagedLogError, and
	// gives nothing back, where that would lose more than is lost already.
	collect() error
	// whole returns *DamagedLogError where a part of a log cannot be read.
	whole() error
	// merge is how many bytes the next merge of tables may write before it
	// gives the old ones back.
	merge() uint64
	// verify compares what it can with checksums.
	verify() error
	close() error
}

type reading interface {
	// get calls fn with the value at key, valid until fn returns. It reports
	// whether there is one.
	get(key []byte, fn func(value []byte) error) (found bool, err error)
	// iterate gives the keys that begin with prefix, in order, from the first.
	// The caller closes it before the view or update ends.
	iterate(prefix []byte) iterator
	// iterateFrom is iterate from the first key not before from. To begin at
	// the front and seek would step over everything that was deleted there.
	iterateFrom(prefix, from []byte) iterator
}

type writing interface {
	reading
	set(key, value []byte) error
	drop(key []byte) error
}

type iterator interface {
	valid() bool
	next()
	seek(key []byte) // to the first key not before it
	key() []byte     // valid until next or seek
	value(fn func(value []byte) error) error
	close()
}

// scan calls fn for each record whose key begins with prefix.
func scan(r reading, prefix []byte, fn func(key, value []byte) error) error {
	it := r.iterate(prefix)
	defer it.close()
	for ; it.valid(); it.next() {
		err := it.value(func(value []byte) error { return fn(it.key(), value) })
		if err != nil {
			return err
		}
	}
	return nil
}
