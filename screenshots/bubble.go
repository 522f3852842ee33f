package main

import (
	"context"
	"flag"
	"testing"
	"testing/synctest"
)

// takeAll takes the pictures and ends the program: 0 it worked, 1 it did not.
//
// The console runs on timers of its own. In a bubble of package synctest time
// stands still while anything is being done and jumps ahead once everybody
// waits, so that nobody really waits and each run is the same. Only package
// testing makes such bubbles; to it the pictures are tests.
func takeAll(chosen []scene, dir string) {
	var tests []testing.InternalTest
	for _, s := range chosen {
		tests = append(tests, testing.InternalTest{Name: s.name, F: func(t *testing.T) {
			if err := write(s, inBubble(t, s), dir); err != nil {
				t.Fatal(err)
			}
		}})
	}
	testing.Init()
	_ = flag.CommandLine.Parse(nil) // its flags are not ours
	testing.Main(func(_, _ string) (bool, error) { return true, nil }, tests, nil, nil)
}

// inBubble takes a scene in fake time.
func inBubble(t *testing.T, s scene) (shown *screen) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var err error
		if shown, err = take(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	})
	return shown
}
