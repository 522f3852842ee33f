package cli

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"inflight/engine"
	"inflight/storage"
)

// usageError is a command line that cannot be meant.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

// exitCode is what a command's error is to the shell.
func exitCode(err error) int {
	var usage *usageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &usage):
		return exitUsage
	default:
		return exitFailure
	}
}

// describe turns an error into lines for a person, one for each error that was
// joined; none for nil and for errSaid.
func describe(err error) []string {
	if err == nil || err == errSaid {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var lines []string
		for _, one := range joined.Unwrap() {
			lines = append(lines, describe(one)...)
		}
		return lines
	}
	var usage *usageError
	if errors.As(err, &usage) && usage.error != errNoTerminal {
		return []string{oneLine(err.Error()) + "; see inflight --help"}
	}
	return []string{oneLine(words(err))}
}

// otherPlaces are the ways out when a store cannot be had.
const otherPlaces = "--data DIR opens another store, --memory a throw-away one"

// words is the table of what errors are called here, and of what to do.
func words(err error) string {
	var (
		inUse   *storage.InUseError
		newer   *storage.NewerError
		dir     *storage.DirError
		full    *storage.FullError
		corrupt *storage.CorruptError
		port    *portError
	)
	switch {
	case errors.As(err, &inUse):
		return inUseWords(inUse)
	case errors.As(err, &newer):
		return newer.Error() + "; nothing was changed; get a newer inflight, or: " + otherPlaces
	case errors.As(err, &dir):
		return dir.Error() + "; " + otherPlaces
	case errors.As(err, &full):
		return full.Error() + "; nothing was changed; make room, or: " + otherPlaces
	case errors.As(err, &corrupt):
		return "the store is damaged: " + corrupt.Error() + "; keep a copy of its directory; " + otherPlaces
	case errors.As(err, &port):
		return port.Error() + "; nothing was changed; " + port.otherwise
	case errors.Is(err, engine.ErrStoreFailed):
		return err.Error() + "; what was answered before is on disk; start again once the disk is well"
	default:
		return err.Error()
	}
}

func inUseWords(e *storage.InUseError) string {
	who := "another process"
	if e.PID != 0 {
		who = fmt.Sprintf("process %d", e.PID)
	}
	if e.Command != "" {
		who += " (" + e.Command + ")"
	}
	if !e.Since.IsZero() {
		who += " since " + e.Since.Local().Format("2006-01-02 15:04:05")
	}
	if e.Endpoint != "" {
		who += ", which serves " + e.Endpoint
	}
	return fmt.Sprintf("%s is in use by %s; close that, or: %s", e.Dir, who, otherPlaces)
}

// oneLine keeps a text on one line, and whatever a path or a message holds
// from reaching the terminal as more than text.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case !unicode.IsPrint(r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.TrimSpace(s))
}
