package engine

import (
	"slices"
	"sort"

	"github.com/tidwall/btree"
)

// index is an ordered set of slots that can be counted into: the k-th slot and
// the number of slots below a key cost O(log n). It keeps four bytes a slot;
// the keys are the slots' own fields, so a slot must leave every index before
// a field that orders it changes. An empty index takes no memory of its own:
// a FIFO queue has three for each message group.
type index struct {
	less func(a, b slotID) bool
	tree *btree.BTreeG[slotID] // nil until the first slot
}

// indexDegree is wide, since an item is four bytes: few nodes, little slack.
const indexDegree = 64

func newTree(less func(a, b slotID) bool) *btree.BTreeG[slotID] {
	return btree.NewBTreeGOptions(less, btree.Options{NoLocks: true, Degree: indexDegree})
}

func (x *index) add(id slotID) {
	if x.tree == nil {
		x.tree = newTree(x.less)
	}
	x.tree.Set(id)
}

func (x *index) remove(id slotID) {
	if x.tree != nil {
		x.tree.Delete(id)
	}
}

func (x *index) len() int {
	if x.tree == nil {
		return 0
	}
	return x.tree.Len()
}

// at returns the k-th slot, which must exist.
func (x *index) at(k int) slotID {
	id, _ := x.tree.GetAt(k)
	return id
}

// first returns the lowest slot, or 0 when there is none.
func (x *index) first() slotID {
	if x.tree == nil {
		return 0
	}
	id, _ := x.tree.Min()
	return id
}

// last returns the highest slot, or 0 when there is none.
func (x *index) last() slotID {
	if x.tree == nil {
		return 0
	}
	id, _ := x.tree.Max()
	return id
}

// find returns the slot equal to the probe, or 0 when there is none.
func (x *index) find(probe slotID) slotID {
	if x.tree == nil {
		return 0
	}
	id, _ := x.tree.Get(probe)
	return id
}

// ascend calls do for each slot from the probe on, until it returns false.
func (x *index) ascend(probe slotID, do func(slotID) bool) {
	if x.tree != nil {
		x.tree.Ascend(probe, do)
	}
}

// scan calls do for each slot, until it returns false.
func (x *index) scan(do func(slotID) bool) {
	if x.tree != nil {
		x.tree.Scan(do)
	}
}

// below counts the slots for which low holds; it must hold for a prefix.
func (x *index) below(low func(slotID) bool) int {
	return sort.Search(x.len(), func(i int) bool { return !low(x.at(i)) })
}

// append adds a slot that is the highest, faster than add.
func (x *index) append(id slotID) {
	if x.tree == nil {
		x.tree = newTree(x.less)
	}
	x.tree.Load(id)
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
		x.append(id)
	}
}
