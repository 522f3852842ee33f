package engine

import (
	"slices"
	"sort"

	"github.com/tidwall/btree"
)

// index is an ordered set of slots that can be counted into: the k-th slot and
// the number of slots below a key cost O(log n). It keeps four bytes a slot;
// the keys are the slots' own fields, so a slot must leave every index before
// a field that orders it changes.
type index struct {
	tree btree.BTreeG[slotID]
	less func(a, b slotID) bool
}

// indexDegree is wide, since an item is four bytes: few nodes, little slack.
const indexDegree = 64

func newIndex(less func(a, b slotID) bool) *index {
	return &index{
		tree: *btree.NewBTreeGOptions(less, btree.Options{NoLocks: true, Degree: indexDegree}),
		less: less,
	}
}

func (x *index) add(id slotID)    { x.tree.Set(id) }
func (x *index) remove(id slotID) { x.tree.Delete(id) }
func (x *index) len() int         { return x.tree.Len() }

// at returns the k-th slot, which must exist.
func (x *index) at(k int) slotID {
	id, _ := x.tree.GetAt(k)
	return id
}

// first returns the lowest slot, or 0 when there is none.
func (x *index) first() slotID {
	id, _ := x.tree.Min()
	return id
}

// find returns the slot equal to the probe, or 0 when there is none.
func (x *index) find(probe slotID) slotID {
	id, _ := x.tree.Get(probe)
	return id
}

// below counts the slots for which low holds; it must hold for a prefix.
func (x *index) below(low func(slotID) bool) int {
	return sort.Search(x.len(), func(i int) bool { return !low(x.at(i)) })
}

// fill makes an empty index of slots in any order, faster than one by one.
func (x *index) fill(ids []slotID) {
	slices.SortFunc(ids, func(a, b slotID) int {
		switch {
		case x.less(a, b):
			return -1
		case x.less(b, a):
			return 1
		}
		return 0
	})
	for _, id := range ids {
		x.tree.Load(id)
	}
}
