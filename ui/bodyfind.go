package ui

import (
	"sort"
	"strings"
)

// maxHits bounds what a search remembers: a letter in a mebibyte is found a
// hundred thousand times, and nobody steps through those.
const maxHits = 10_000

// finder looks for a text in a body. Without capitals in the query, capitals
// of the body count as small letters (ASCII only, so that offsets stay).
type finder struct {
	query string
	hits  []int // byte offsets, ascending
	now   int   // the hit that is shown
}

func (f *finder) search(text string) {
	f.hits, f.now = nil, 0
	if f.query == "" {
		return
	}
	if f.query == lowerASCII(f.query) {
		text = lowerASCII(text)
	}
	for at := 0; len(f.hits) < maxHits; {
		i := strings.Index(text[at:], f.query)
		if i < 0 {
			return
		}
		f.hits = append(f.hits, at+i)
		at += i + len(f.query)
	}
}

// from makes the first hit at or after offset the one that is shown.
func (f *finder) from(offset int) {
	f.now = sort.SearchInts(f.hits, offset)
	if f.now == len(f.hits) {
		f.now = 0
	}
}

func (f *finder) step(by int) {
	if n := len(f.hits); n > 0 {
		f.now = ((f.now+by)%n + n) % n
	}
}

func (f *finder) at() (int, bool) {
	if f.now >= len(f.hits) {
		return 0, false
	}
	return f.hits[f.now], true
}

// covers says whether the byte at offset belongs to a hit, and to the one that
// is shown.
func (f *finder) covers(offset int) (hit, now bool) {
	i := sort.SearchInts(f.hits, offset+1) - 1
	if i < 0 || offset >= f.hits[i]+len(f.query) {
		return false, false
	}
	return true, i == f.now
}

func lowerASCII(s string) string {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}
