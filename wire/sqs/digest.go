package sqs

import (
	"cmp"
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"inflight/engine"
)

// bodyDigest is the MD5 of a body as the client sees it: bytes that are not
// UTF-8, which only others than SQS clients can have sent, as U+FFFD.
func bodyDigest(body []byte) string {
	if !utf8.Valid(body) {
		body = []byte(strings.ToValidUTF8(string(body), "\uFFFD"))
	}
	sum := md5.Sum(body)
	return hex.EncodeToString(sum[:])
}

// attributesDigest is the MD5 of message attributes (3.2): by name, each as
// name, type, kind of value and value, the texts with their lengths before them.
func attributesDigest(attributes []engine.Attribute) string {
	sorted := attributes
	byName := func(a, b engine.Attribute) int { return cmp.Compare(a.Name, b.Name) }
	if !slices.IsSortedFunc(sorted, byName) {
		sorted = slices.SortedFunc(slices.Values(attributes), byName)
	}
	var b []byte
	for i := range sorted {
		a := &sorted[i]
		b = lengthAnd(b, a.Name)
		b = lengthAnd(b, a.Type)
		if strings.HasPrefix(a.Type, "Binary") {
			b = append(b, 2)
		} else {
			b = append(b, 1)
		}
		b = lengthAnd(b, a.Value)
	}
	sum := md5.Sum(b)
	return hex.EncodeToString(sum[:])
}

func lengthAnd[T ~string | ~[]byte](b []byte, v T) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(v))), v...)
}
