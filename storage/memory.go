package storage

import (
	"bytes"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/tidwall/btree"
)

// memory is a store that is thrown away. Badger has a mode of that name, but
// it refuses values over 1 MiB, which a large message with its attributes is,
// and groups that do not fit into a part of its memory table; and it starts a
// dozen goroutines, which tests with a fake clock feel.
type memory struct {
	write sync.Mutex
	tree  atomic.Pointer[btree.Map[string, []byte]]
}

func newMemory() *memory {
	m := new(memory)
	m.tree.Store(btree.NewMap[string, []byte](0))
	return m
}

func (m *memory) view(fn func(reading) error) error {
	return fn(branch{m.tree.Load()})
}

// update writes to a copy, which shares all that it does not change, and puts
// it in the old one's place: readers wait for nobody.
func (m *memory) update(fn func(writing) error) error {
	m.write.Lock()
	defer m.write.Unlock()
	next := branch{m.tree.Load().IsoCopy()}
	if err := fn(next); err != nil {
		return err
	}
	m.tree.Store(next.tree)
	return nil
}

func (m *memory) sync() error    { return nil }
func (m *memory) collect() error { return nil }
func (m *memory) whole() error   { return nil }
func (m *memory) merge() uint64  { return 0 }
func (m *memory) verify() error  { return nil }

func (m *memory) close() error {
	m.tree.Store(btree.NewMap[string, []byte](0))
	return nil
}

// branch is one picture of the tree.
type branch struct{ tree *btree.Map[string, []byte] }

func (b branch) get(key []byte, fn func([]byte) error) (bool, error) {
	value, ok := b.tree.Get(string(key))
	if !ok {
		return false, nil
	}
	return true, fn(value)
}

func (b branch) set(key, value []byte) error {
	b.tree.Set(string(key), bytes.Clone(value))
	return nil
}

func (b branch) drop(key []byte) error {
	b.tree.Delete(string(key))
	return nil
}

func (b branch) iterate(prefix []byte) iterator { return b.iterateFrom(prefix, prefix) }

func (b branch) iterateFrom(prefix, from []byte) iterator {
	i := &branchIterator{iter: b.tree.Iter(), prefix: string(prefix)}
	i.seek(from)
	return i
}

type branchIterator struct {
	iter   btree.MapIter[string, []byte]
	prefix string
	ok     bool
}

func (i *branchIterator) valid() bool { return i.ok && strings.HasPrefix(i.iter.Key(), i.prefix) }
func (i *branchIterator) next()       { i.ok = i.iter.Next() }
func (i *branchIterator) key() []byte { return []byte(i.iter.Key()) }
func (i *branchIterator) close()      {}

func (i *branchIterator) seek(key []byte) { i.ok = i.iter.Seek(string(key)) }

func (i *branchIterator) value(fn func([]byte) error) error { return fn(i.iter.Value()) }
