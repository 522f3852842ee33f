package storage

import (
	"errors"
	"testing"

	"inflight/engine"
)

// stubborn is a Loader that fails at the n-th state.
type stubborn struct {
	contents
	left int
	err  error
}

func (s *stubborn) State(r engine.StateRecord) error {
	if s.left--; s.left < 0 {
		return s.err
	}
	return s.contents.State(r)
}

// touched commits n states and returns their refs in order.
func touched(t testing.TB, s *Store, n int) (refs []engine.Ref) {
	t.Helper()
	commit(t, s, &engine.Change{Queues: []engine.QueueRecord{{Number: 1, Epoch: 1}}})
	for len(refs) < n {
		c := new(engine.Change)
		for range min(1000, n-len(refs)) {
			r := ref(1, 1+uint64(len(refs))/700, uint64(len(refs)))
			refs = append(refs, r)
			c.States = append(c.States, engine.StateRecord{Ref: r, Turn: uint64(len(refs))})
		}
		commit(t, s, c)
	}
	return refs
}

func TestStatesAreLoadedInAscendingOrder(t *testing.T) {
	for _, n := range []int{1, stateBatch - 1, stateBatch, stateBatch + 1, 8 * stateBatch, 5000} {
		both(t, func(t *testing.T, s *Store) {
			refs := touched(t, s, n)
			states := load(t, s).states
			if len(states) != n {
				t.Fatalf("loaded %d states, want %d", len(states), n)
			}
			for i, r := range refs {
				if states[i].Ref != r || states[i].Turn != uint64(i+1) {
					t.Fatalf("state %d is %+v, want that of %v", i, states[i], r)
				}
			}
		})
	}
}

func TestTheLoadersErrorEndsTheLoad(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		touched(t, s, 10*stateBatch)
		for _, left := range []int{0, 1, stateBatch, 9*stateBatch + 5} {
			l := &stubborn{left: left, err: errors.New("enough")}
			if err := s.Load(l); !errors.Is(err, l.err) {
				t.Errorf("Load() = %v, want the loader's error", err)
			}
			if len(l.states) != left || len(l.tasks) != 0 {
				t.Errorf("after its error at state %d the loader got %d states and %d tasks", left, len(l.states), len(l.tasks))
			}
		}
	})
}

func TestABrokenStateEndsTheLoad(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		touched(t, s, 2000)
		s.tables.update(func(w writing) error { return w.set(appendRefKey(nil, tableState, ref(1, 2, 1200)), []byte{1, 2}) })
		var broken *CorruptError
		if err := s.Load(new(contents)); !errors.As(err, &broken) || broken.What != "state at queue 1 epoch 1 lane 2 position 1200" {
			t.Errorf("Load() = %v, want a CorruptError of position 1200", err)
		}
	})
}
