package cli

import (
	"errors"
	"os"

	"github.com/mattn/go-isatty"
)

// errNoTerminal is said before anything is opened.
var errNoTerminal = errors.New("the console needs a terminal for input and output; without one try: inflight demo --plain")

// needTerminal returns a usage error unless a console can be drawn here.
func needTerminal() error {
	if os.Getenv("TERM") == "dumb" || !isatty.IsTerminal(os.Stdin.Fd()) || !isatty.IsTerminal(os.Stdout.Fd()) {
		return &usageError{errNoTerminal}
	}
	return nil
}
