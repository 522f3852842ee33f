package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"inflight/engine"
	"inflight/storage"
)

var errTwoPlaces = errors.New("--data and --memory exclude each other")

// place is where the messages are kept.
type place struct {
	data   string // a directory; empty: the user's own
	memory bool   // nowhere: gone when the program ends
}

func (p *place) flags(cmd *cobra.Command) {
	p.dataFlag(cmd)
	cmd.Flags().BoolVar(&p.memory, "memory", false, "keep everything in memory only, and drop it at the end")
}

func (p *place) dataFlag(cmd *cobra.Command) {
	cmd.Flags().Var((*filled)(&p.data), "data", "`directory` of the store (default: inflight in your data directory)")
	_ = cmd.MarkFlagDirname("data") // for completions; it fails for a flag that there is not
}

// filled is a flag's text that must not be empty: where it comes from a variable
// that is not set, the default is not what was meant.
type filled string

func (f *filled) String() string { return string(*f) }
func (f *filled) Type() string   { return "string" }
func (f *filled) Set(text string) error {
	if text == "" {
		return errors.New("it is empty")
	}
	*f = filled(text)
	return nil
}

// check refuses what cannot be meant.
func (p *place) check() error {
	if p.memory && p.data != "" {
		return &usageError{errTwoPlaces}
	}
	return nil
}

// directory is where the store on disk lies, absolute; it may not exist.
func (p *place) directory() (string, error) {
	if p.data == "" {
		return userDataDir()
	}
	return filepath.Abs(p.data)
}

// memoryName is what a store that is nowhere is called.
const memoryName = "memory"

// name is what the console calls the place.
func (p *place) name() string {
	if p.memory {
		return memoryName
	}
	dir, err := p.directory()
	if err != nil {
		return "unknown"
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return dir
	}
	if below, ok := strings.CutPrefix(dir, home+string(filepath.Separator)); ok {
		return filepath.Join("~", below)
	}
	return dir
}

// open opens the store, and makes it if there is none. Who finds it taken is
// told the command.
func (p *place) open(command string) (engine.Store, error) {
	if p.memory {
		return openMemory()
	}
	dir, err := p.directory()
	if err != nil {
		return nil, err
	}
	return openStoreAs(dir, command)
}

// inUse says who has the store open, if anybody.
func (p *place) inUse() error {
	if p.memory {
		return nil
	}
	dir, err := p.directory()
	if err != nil {
		return nil
	}
	return storage.InUse(dir)
}

// openMemory and openStore turn a nil *Store into a nil interface.
func openMemory() (engine.Store, error) {
	store, err := storage.OpenMemory()
	if err != nil {
		return nil, err
	}
	return store, nil
}

func openStore(dir string) (engine.Store, error) { return openStoreAs(dir, "inflight") }

func openStoreAs(dir, command string) (engine.Store, error) {
	return openStoreWith(dir, storage.Options{Owner: storage.Owner{Command: command}})
}

func openStoreWith(dir string, o storage.Options) (engine.Store, error) {
	store, err := storage.Open(dir, o)
	if err != nil {
		return nil, err
	}
	return store, nil
}
