//go:build linux || darwin

package main

import "testing"

func TestTerminalHarness(t *testing.T) {
	x := startTerminal(t, 40, 5, "sh", "-c", `printf '\033[?1049h\033[?25lhello'; read a; printf '\033[?25h\033[?1049l'; exit 3`)
	x.await("hello")
	x.press("q\r")
	if err := x.end(); err == nil || err.Error() != "exit status 3" {
		t.Error(err)
	}
}
