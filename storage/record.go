package storage

import (
	"encoding/binary"
	"math"
	"time"

	"inflight/engine"
)

// The first byte of each value is the version of its record. Values are read
// in every version that was ever written, and written in the newest one. A new
// version needs a case in the decoder and a golden value in the tests.
const (
	metaVersion      byte = 1
	queueVersion     byte = 1
	counterVersion   byte = 1
	laneVersion      byte = 1
	messageVersion   byte = 2
	stateVersion     byte = 1
	dedupVersion     byte = 1
	holderVersion    byte = 1
	taskVersion      byte = 1
	selectionVersion byte = 1
)

// noTime stands for the zero time: no message was sent 292 million years ago.
const noTime = math.MinInt64

// stamp is a time as it is stored: milliseconds, UTC.
func stamp(t time.Time) uint64 {
	if t.IsZero() {
		return 1 << 63 // noTime
	}
	return uint64(t.UnixMilli())
}

func unstamp(v uint64) time.Time {
	if int64(v) == noTime {
		return time.Time{}
	}
	return time.UnixMilli(int64(v)).UTC()
}

func appendTime(b []byte, t time.Time) []byte {
	return binary.BigEndian.AppendUint64(b, stamp(t))
}

func appendString[T string | []byte](b []byte, s T) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

func appendInt(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

func appendDuration(b []byte, d time.Duration) []byte {
	return binary.AppendUvarint(b, uint64(d.Milliseconds()))
}

// decoder reads one value from front to back. The first thing that does not
// fit sets err, and everything read after it is zero, so that a decoder needs
// one check at its end.
type decoder struct {
	b       []byte
	version byte
	err     error
}

// decode begins a value, whose version must be known.
func decode(b []byte, newest byte) *decoder {
	d := &decoder{b: b}
	if d.version = d.byte(); d.err == nil && (d.version == 0 || d.version > newest) {
		d.err = errVersion
	}
	return d
}

func (d *decoder) take(n int) []byte {
	if d.err != nil {
		return nil
	}
	if n < 0 || n > len(d.b) {
		d.err = errShort
		return nil
	}
	b := d.b[:n:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) byte() byte {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) uint32() uint32 {
	if b := d.take(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

func (d *decoder) uint64() uint64 {
	if b := d.take(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

func (d *decoder) uvarint() uint64 {
	if d.err != nil {
		return 0
	}
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.err = errShort
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) int() int { return int(d.uvarint()) }

func (d *decoder) time() time.Time {
	b := d.take(8)
	if b == nil {
		return time.Time{}
	}
	return unstamp(binary.BigEndian.Uint64(b))
}

// duration reads milliseconds; what no Duration can hold is an error, not
// another duration.
func (d *decoder) duration() time.Duration {
	ms := d.uvarint()
	if ms > math.MaxInt64/uint64(time.Millisecond) {
		d.err = errRange
		return 0
	}
	return time.Duration(ms) * time.Millisecond
}

// bytes aliases the value.
func (d *decoder) bytes() []byte {
	n := d.uvarint()
	if n > uint64(len(d.b)) {
		d.err = errShort
		return nil
	}
	return d.take(int(n))
}

func (d *decoder) string() string { return string(d.bytes()) }

// count reads how many things of at least size bytes follow: a torn value must
// not make us allocate for a billion.
func (d *decoder) count(size int) int {
	n := d.uvarint()
	if n > uint64(len(d.b)/size) {
		d.err = errShort
		return 0
	}
	return int(n)
}

// end reports the first problem, or that something is left.
func (d *decoder) end() error {
	if d.err == nil && len(d.b) > 0 {
		d.err = errLong
	}
	return d.err
}

// layout is the version of the keys. A store with a newer one is refused.
const layout = 1

// Flags of the store's own record.
const (
	flagOpen     byte = 1 << iota // not closed since it was opened
	flagUnsynced                  // opened with NoSync
)

// metaRecord is engine.Meta with what only this package needs.
type metaRecord struct {
	engine.Meta
	layout uint32
	flags  byte
}

// appendMeta keeps the layout at the same place in every version, so that an
// older inflight can tell what it must not touch.
func appendMeta(b []byte, m metaRecord) []byte {
	b = append(b, metaVersion)
	b = binary.BigEndian.AppendUint32(b, m.layout)
	b = append(b, m.flags)
	b = append(b, m.Secret[:]...)
	b = binary.BigEndian.AppendUint32(b, m.NextQueue)
	b = binary.BigEndian.AppendUint64(b, m.NextTask)
	return appendTime(b, m.Clock)
}

// layoutOf reads the layout of a record of any version, newer ones too.
func layoutOf(b []byte) (uint32, error) {
	if len(b) < 5 || b[0] == 0 {
		return 0, errShort
	}
	return binary.BigEndian.Uint32(b[1:]), nil
}

func decodeMeta(b []byte) (m metaRecord, err error) {
	d := decode(b, metaVersion)
	m.layout = d.uint32()
	m.flags = d.byte()
	copy(m.Secret[:], d.take(len(m.Secret)))
	m.NextQueue = d.uint32()
	m.NextTask = d.uint64()
	m.Clock = d.time()
	return m, d.end()
}
