package engine

// slotID numbers a slot within its contents. 0 is none; as a probe for look-ups it is
// never in an index.
type slotID uint32

// phase is what a touched message is doing.
type phase uint8

const (
	phaseReady   phase = iota // may be received
	phaseFlight               // received, visibility not over
	phaseDelayed              // sent with a delay that is not over
	phaseRemoved              // deleted ahead of its turn: only holds its position
)

// slot is a message that something has happened to. It has no pointers, so
// that a million of them cost the garbage collector nothing.
type slot struct {
	pos  uint64
	due  int64  // ready once this has passed
	sent int64  // retention counts from here
	turn uint64 // ready again: lowest first
	last int64  // last receive in this queue, 0 if never

	mark     uint32 // ready again: not before the lane's head is at pos + mark
	first    uint32 // the first receive was so many ms before the last
	receives uint32 // in this queue
	delivery uint32 // of the newest receipt
	size     uint32 // bytes of the body
	holder   uint32 // number of the last receiver
	lane     uint32 // index in contents.lanes

	phase phase
	since uint8 // deliveries issued by changes since the last receive
	waits bool  // sent with a delay that nobody has waited out yet
}

func (s *slot) turnFrom() uint64 { return s.pos + uint64(s.mark) }

func (s *slot) setMark(tail uint64) {
	if tail <= s.pos {
		s.mark = 0
		return
	}
	s.mark = uint32(min(tail-s.pos, 1<<32-1))
}

// slab keeps slots in chunks, so that growing never copies them.
type slab struct {
	chunks [][]slot
	used   slotID // highest ever given
	free   []slotID
}

const (
	chunkBits = 10
	chunkSize = 1 << chunkBits
)

func newSlab() slab {
	return slab{chunks: [][]slot{make([]slot, chunkSize)}} // slot 0 is the probe
}

func (s *slab) at(id slotID) *slot { return &s.chunks[id>>chunkBits][id&(chunkSize-1)] }

func (s *slab) take() slotID {
	if n := len(s.free); n > 0 {
		id := s.free[n-1]
		s.free = s.free[:n-1]
		*s.at(id) = slot{}
		return id
	}
	s.used++
	if int(s.used>>chunkBits) == len(s.chunks) {
		s.chunks = append(s.chunks, make([]slot, chunkSize))
	}
	return s.used
}

func (s *slab) give(id slotID) { s.free = append(s.free, id) }
