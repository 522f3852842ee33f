package storage

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// layoutFile repeats the layout of the store's own record, as text: Badger
// cannot look at a directory without writing to it, and a store that a newer
// inflight wrote must stay as it is.
const layoutFile = "layout"

// newLayoutFile becomes layoutFile once it is whole.
const newLayoutFile = layoutFile + ".new"

const layoutText = "inflight store, layout "

// prepare makes dir if it is not there, and sees whether it may be opened as a
// store. It returns *DirError or *NewerError, and changes nothing then.
func prepare(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return &DirError{Dir: dir, Reason: "cannot be created", Err: cause(err)}
		}
	case errors.Is(err, syscall.ENOTDIR):
		return &DirError{Dir: dir, Reason: "lies below a file"}
	case err != nil:
		return &DirError{Dir: dir, Reason: "cannot be read", Err: cause(err)}
	case !info.IsDir():
		return &DirError{Dir: dir, Reason: "is not a directory"}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return &DirError{Dir: dir, Reason: "cannot be read", Err: cause(err)}
	}
	text, err := os.ReadFile(filepath.Join(dir, layoutFile))
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(text) == 0: // a crash left it empty
		return onlyOurs(dir, entries)
	case err != nil:
		return &DirError{Dir: dir, Reason: "cannot be read", Err: cause(err)}
	}
	return checkLayout(dir, string(text))
}

func checkLayout(dir, text string) error {
	number, ok := strings.CutPrefix(strings.TrimSpace(text), layoutText)
	n, err := strconv.Atoi(number)
	if !ok || err != nil {
		return &DirError{Dir: dir, Reason: "holds files of another program"}
	}
	if n > layout {
		return &NewerError{Dir: dir, Layout: n, Known: layout}
	}
	return nil
}

// onlyOurs refuses a directory that holds anything but the beginnings of a
// store: somebody may have named their home.
func onlyOurs(dir string, entries []os.DirEntry) error {
	for _, e := range entries {
		switch name := e.Name(); name {
		case ownerFile, layoutFile, newLayoutFile, "LOCK", "MANIFEST", "KEYREGISTRY", "DISCARD", "lost+found", ".DS_Store":
		default:
			switch filepath.Ext(name) {
			case ".vlog", ".sst", ".mem":
			default:
				return &DirError{Dir: dir, Reason: "holds files of another program, such as " + name}
			}
		}
	}
	return nil
}

// writeLayout marks dir as a store. It is written once, after the store's own
// record.
func writeLayout(dir string) error {
	path, next := filepath.Join(dir, layoutFile), filepath.Join(dir, newLayoutFile)
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		return nil
	}
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(layoutText + strconv.Itoa(layout) + "\n")
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(next, path)
}
