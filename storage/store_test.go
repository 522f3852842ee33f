package storage

import (
	"os"
	"reflect"
	"testing"
)

// holdDir names the directory that a re-executed test binary holds open.
const holdDir = "INFLIGHT_TEST_HOLD"

func hold(dir string) { os.Exit(3) }

func TestANewStoreHasOnlyASecret(t *testing.T) {
	both(t, func(t *testing.T, s *Store) {
		c := load(t, s)
		if !reflect.DeepEqual(c.order, []string{"meta"}) {
			t.Errorf("Load of a new store called %v, want only meta", c.order)
		}
		if c.meta.Secret == [32]byte{} {
			t.Error("a new store's secret is zero")
		}
	})
}
