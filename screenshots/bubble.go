package main

import (
	"errors"
	"flag"
	"testing"
	"testing/synctest"
)

// inFakeTime calls f where time stands still while anything is being done and
// jumps ahead once everybody waits: the console's own timers run, nobody
// waits for them, and each run is the same. Such a bubble is to be had from
// package testing only.
func inFakeTime(f func() error) error {
	testing.Init()
	if err := flag.CommandLine.Parse(nil); err != nil {
		return err
	}
	var err error
	every := func(pattern, name string) (bool, error) { return true, nil }
	ok := testing.RunTests(every, []testing.InternalTest{{Name: "fake time", F: func(t *testing.T) {
		synctest.Test(t, func(*testing.T) { err = f() })
	}}})
	if err == nil && !ok {
		err = errors.New("the console left something running; see above")
	}
	return err
}
