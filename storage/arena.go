package storage

const (
	arenaChunk = 256 << 10 // bytes
	arenaKept  = 4 << 20   // of chunks kept from one group to the next
)

// arena gives out the bytes of one group's keys and values. All of them are
// free again at reset.
type arena struct {
	chunk []byte // the last part is free
	full  [][]byte
	spare [][]byte
	room  int // of the last reserve
}

// reserve returns an empty slice to append at least n bytes to, which then
// goes to take.
func (a *arena) reserve(n int) []byte {
	if cap(a.chunk)-len(a.chunk) < n {
		a.next(n)
	}
	a.room = cap(a.chunk) - len(a.chunk)
	return a.chunk[len(a.chunk):]
}

// take keeps what was appended to the last reserve. More than was reserved has
// moved away from the arena, and is kept as it is.
func (a *arena) take(b []byte) []byte {
	if len(b) <= a.room {
		a.chunk = a.chunk[:len(a.chunk)+len(b)]
	}
	return b[:len(b):len(b)]
}

func (a *arena) next(n int) {
	if a.chunk != nil {
		a.full = append(a.full, a.chunk)
	}
	for i := len(a.spare) - 1; i >= 0; i-- {
		if cap(a.spare[i]) >= n {
			a.chunk = a.spare[i][:0]
			a.spare = append(a.spare[:i], a.spare[i+1:]...)
			return
		}
	}
	a.chunk = make([]byte, 0, max(n, arenaChunk))
}

func (a *arena) reset() {
	kept := cap(a.chunk)
	a.chunk = a.chunk[:0]
	for _, s := range a.spare {
		kept += cap(s)
	}
	for _, s := range a.full {
		if kept += cap(s); kept > arenaKept {
			break
		}
		a.spare = append(a.spare, s)
	}
	clear(a.full)
	a.full = a.full[:0]
}
