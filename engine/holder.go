package engine

import "unicode/utf8"

// holders numbers what receivers call themselves, so that a slot keeps four
// bytes of it.
type holders struct {
	numbers map[string]uint32
	names   []string // by number; 0 is nobody
}

// maxHolders bounds the memory that made-up names can take; receivers beyond
// it stay nameless.
const maxHolders = 1 << 16

func newHolders() holders {
	return holders{numbers: map[string]uint32{"": 0}, names: []string{""}}
}

func (h *holders) name(number uint32) string {
	if int(number) >= len(h.names) {
		return ""
	}
	return h.names[number]
}

// holder returns the number of a name, made if need be.
func (o *op) holder(name string) uint32 {
	if len(name) > MaxHolderLength {
		name = name[:MaxHolderLength]
		for !utf8.ValidString(name) && len(name) > MaxHolderLength-utf8.UTFMax {
			name = name[:len(name)-1]
		}
	}
	h := &o.e.holders
	if number, ok := h.numbers[name]; ok {
		return number
	}
	if len(h.names) >= maxHolders {
		return 0
	}
	number := uint32(len(h.names))
	h.numbers[name] = number
	h.names = append(h.names, name)
	o.change.Holders = append(o.change.Holders, HolderRecord{Number: number, Name: name})
	return number
}
