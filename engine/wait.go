package engine

import (
	"cmp"
	"slices"
)

// waiters are the receives that wait for a message, in order of arrival.
// Each message that becomes ready wakes one, so that there is no herd.
type waiters struct {
	list []*waiter
	last uint64
}

// waiter is one waiting receive. woken is closed, with the engine's lock held,
// when it should look again.
type waiter struct {
	queue *queue // where it waited last; nil before
	woken chan struct{}
	again bool   // woken before
	place uint64 // in the order of arrival, which it keeps
}

func (w *waiters) add(x *waiter) {
	x.woken = make(chan struct{})
	if x.place == 0 {
		w.last++
		x.place = w.last
	}
	i, _ := slices.BinarySearchFunc(w.list, x.place, func(y *waiter, place uint64) int { return cmp.Compare(y.place, place) })
	w.list = slices.Insert(w.list, i, x)
}

func (w *waiters) remove(x *waiter) {
	for i, other := range w.list {
		if other == x {
			w.list = append(w.list[:i:i], w.list[i+1:]...)
			return
		}
	}
}

// wake tells the first n that there may be something for them.
func (q *queue) wake(n int) {
	n = min(n, len(q.waiters.list))
	for _, x := range q.waiters.list[:n] {
		x.again = true
		close(x.woken)
	}
	if q.waiters.list = q.waiters.list[n:]; len(q.waiters.list) == 0 {
		q.waiters.list = nil
	}
}

// leave gives what x was woken for to the next.
func (x *waiter) leave() {
	if x.again {
		x.queue.wake(1)
	}
}

// wakeAll is for the end of the queue or of the engine.
func (q *queue) wakeAll() { q.wake(len(q.waiters.list)) }
