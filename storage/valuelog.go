package storage

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Badger collects a value log by copying what is alive in it, up to the first
// entry that it cannot read, and removing the file. One bad byte, be it of a
// message that was deleted long ago, would take all that follows along. So no
// space is given back before the logs were read whole.

// valueLogs are the value logs of a directory: once closed they never change,
// and each is read once.
type valueLogs struct {
	dir     string
	mu      sync.Mutex
	whole   map[string]bool
	damaged error // of the first that is not whole
}

// DamagedLogError: a value log has a part that cannot be read. What lies there
// is lost; what lies elsewhere is not.
type DamagedLogError struct {
	Log    string // its file
	Offset int64  // of the first entry that is not whole
}

func (e *DamagedLogError) Error() string {
	return fmt.Sprintf("value log %s is damaged at byte %d", e.Log, e.Offset)
}

// read reads the closed logs that were not read yet. It returns
// *DamagedLogError for the first that is not whole, and from then on.
func (l *valueLogs) read() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.damaged != nil {
		return l.damaged
	}
	names, err := fs.Glob(os.DirFS(l.dir), "*.vlog")
	if err != nil {
		return err
	}
	whole := make(map[string]bool, len(names))
	for _, name := range names[:max(len(names)-1, 0)] { // the last is being written
		if !l.whole[name] {
			err := readLog(filepath.Join(l.dir, name))
			if errors.Is(err, fs.ErrNotExist) { // collected meanwhile
				continue
			}
			var damaged *DamagedLogError
			if errors.As(err, &damaged) {
				l.damaged = err
			}
			if err != nil {
				return err
			}
		}
		whole[name] = true
	}
	l.whole = whole
	return nil
}

// Badger's form of a value log: a header of the file, and entries of a header
// (two bytes, and the lengths of key and value and a time as varints), key,
// value and the checksum of all three.
const (
	logHeaderLen   = 20
	longestLogKey  = 1 << 16
	longestLogItem = 1 << 30
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// readLog reads a closed log and returns *DamagedLogError for the first entry
// that is not whole.
func readLog(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r := &logReader{Reader: bufio.NewReaderSize(f, 1<<18)}
	if _, err := r.Discard(logHeaderLen); err != nil {
		return &DamagedLogError{Log: name}
	}
	for at := int64(logHeaderLen); ; at += r.n {
		switch err := r.entry(); {
		case err == io.EOF && r.n == 0:
			return nil
		case err != nil:
			return &DamagedLogError{Log: name, Offset: at}
		}
	}
}

// logReader reads entries: n bytes and their checksum so far.
type logReader struct {
	*bufio.Reader
	n   int64
	sum uint32
	one [1]byte
	buf [1 << 14]byte
}

// ReadByte is for varints.
func (r *logReader) ReadByte() (byte, error) {
	b, err := r.Reader.ReadByte()
	if err == nil {
		r.one[0] = b
		r.sum, r.n = crc32.Update(r.sum, castagnoli, r.one[:]), r.n+1
	}
	return b, err
}

// entry reads one entry. It is io.EOF, with n 0, at the end of the log.
func (r *logReader) entry() error {
	r.n, r.sum = 0, 0
	var numbers [3]uint64 // lengths of key and value, and when it expires
	for range 2 {
		if _, err := r.ReadByte(); err != nil {
			return err
		}
	}
	for i := range numbers {
		var err error
		if numbers[i], err = binary.ReadUvarint(r); err != nil {
			return err
		}
	}
	if numbers[0] == 0 || numbers[0] > longestLogKey || numbers[1] > longestLogItem {
		return errRange
	}
	for left := numbers[0] + numbers[1]; left > 0; {
		part := r.buf[:min(left, uint64(len(r.buf)))]
		if _, err := io.ReadFull(r.Reader, part); err != nil {
			return err
		}
		r.sum = crc32.Update(r.sum, castagnoli, part)
		r.n += int64(len(part))
		left -= uint64(len(part))
	}
	var sum [crc32.Size]byte
	if _, err := io.ReadFull(r.Reader, sum[:]); err != nil {
		return err
	}
	r.n += crc32.Size
	if binary.BigEndian.Uint32(sum[:]) != r.sum {
		return errShort
	}
	return nil
}
