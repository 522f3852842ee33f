package storage

import (
	"fmt"
	"testing"

	"inflight/engine"
)

// Neighbours are read along their keys, others one by one: both ways must give the same.
func TestRunsReadLikeSingleMessages(t *testing.T) {
	memory, err := OpenMemory()
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	for name, s := range map[string]*Store{"disk": open(t, t.TempDir(), Options{}), "memory": memory} {
		t.Run(name, func(t *testing.T) {
			const n = 3 * runLeast
			var puts []engine.Put
			var refs []engine.Ref
			for pos := range uint64(n) {
				ref := engine.Ref{Queue: 1, Lane: 8, Pos: pos}
				refs = append(refs, ref)
				if pos%7 == 3 || pos == n-1 {
					continue // never there
				}
				body := []byte(fmt.Sprintf("%0*d", 1+40*int(pos), pos)) // some inline, some in a value log
				puts = append(puts, engine.Put{Ref: ref, Message: &engine.Message{Body: body, Size: len(body), Priority: 8}})
			}
			// A neighbouring lane must not be taken for this one.
			puts = append(puts, engine.Put{Ref: engine.Ref{Queue: 1, Lane: 9}, Message: &engine.Message{Body: []byte("other"), Size: 5}})
			commit(t, s, &engine.Change{Puts: puts})
			commit(t, s, &engine.Change{Drops: refs[:2]})
			for _, limit := range []int{-1, 0, 10} {
				together, err := s.Read(refs, limit)
				if err != nil {
					t.Fatal(err)
				}
				for i, ref := range refs {
					alone, err := s.Read([]engine.Ref{ref}, limit)
					if err != nil {
						t.Fatal(err)
					}
					if got, want := fmt.Sprintf("%+v", together[i]), fmt.Sprintf("%+v", alone[0]); got != want {
						t.Errorf("limit %d, position %d: %s in a run, %s alone", limit, i, got, want)
					}
				}
			}
		})
	}
}
