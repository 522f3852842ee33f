package engine

import "time"

// LateDelete is a delete that came when the lease of its receipt was over and
// that therefore deleted nothing: the consumer did its work, and the message
// comes again or is dead all the same.
type LateDelete struct {
	At     time.Time
	By     time.Duration // after the end of the last lease then known; 0 when a newer one runs
	Holder string        // who held that lease
}

// lateKept bounds what is remembered of late deletes, and of moves that one
// may still come for. It lives in memory only: it explains, and decides
// nothing.
const lateKept = 4096

// late remembers deletes that came too late, by the message they were for.
type late struct {
	deletes *recent[[]LateDelete]
	moved   *recent[movedOn]
}

// movedOn is where a dead-lettered message went, and whose lease it was that
// had run out.
type movedOn struct {
	to     Ref
	due    int64
	holder uint32
}

func newLate() late {
	return late{deletes: newRecent[[]LateDelete](lateKept), moved: newRecent[movedOn](lateKept)}
}

// noteLate remembers a refused delete, if there is a message to show it with.
func (o *op) noteLate(r Receipt) {
	if !o.e.issued(r) {
		return
	}
	ref, due, holder := r.Ref, int64(0), uint32(0)
	if moved, ok := o.e.late.moved.get(ref); ok {
		ref, due, holder = moved.to, moved.due, moved.holder
	} else {
		q := o.e.byID[ref.Queue]
		if q == nil || q.deleted {
			return
		}
		_, id := q.contents.find(ref)
		if id == 0 || q.contents.slab.at(id).phase == phaseRemoved {
			return
		}
		s := q.contents.slab.at(id)
		due, holder = s.due, s.holder
	}
	d := LateDelete{At: moment(o.now), By: time.Duration(max(0, o.now-due)) * time.Millisecond, Holder: o.e.holders.name(holder)}
	all, _ := o.e.late.deletes.get(ref)
	all = append(all[max(0, len(all)+1-HistoryLength):len(all):len(all)], d)
	o.e.late.deletes.put(ref, all)
}

// recent is a map that forgets its oldest keys.
type recent[V any] struct {
	values map[Ref]V
	order  []Ref // a ring
	next   int
}

func newRecent[V any](n int) *recent[V] {
	return &recent[V]{values: map[Ref]V{}, order: make([]Ref, n)}
}

func (r *recent[V]) get(ref Ref) (V, bool) {
	v, ok := r.values[ref]
	return v, ok
}

func (r *recent[V]) put(ref Ref, v V) {
	if _, ok := r.values[ref]; !ok {
		delete(r.values, r.order[r.next])
		r.order[r.next] = ref
		r.next = (r.next + 1) % len(r.order)
	}
	r.values[ref] = v
}
