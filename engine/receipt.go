package engine

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
)

// Receipt is the proof of one delivery of one message, or of a send with a
// delay.
type Receipt struct {
	Ref      Ref
	Delivery uint32 // counts a message's deliveries, from 1; 0: of its sender
	check    uint64 // keyed by the store's secret
}

const receiptBytes = 4 + 4 + 8 + 8 + 4 + 8

// String is the receipt handle: 48 characters of A-Z a-z 0-9 - _, so that it
// needs no escaping in a URL (SMQ clients do not escape it).
func (r Receipt) String() string {
	var b [receiptBytes]byte
	r.fields(b[:])
	binary.BigEndian.PutUint64(b[28:], r.check)
	return base64.RawURLEncoding.EncodeToString(b[:])
}

func (r Receipt) fields(b []byte) {
	binary.BigEndian.PutUint32(b[0:], r.Ref.Queue)
	binary.BigEndian.PutUint32(b[4:], r.Ref.Epoch)
	binary.BigEndian.PutUint64(b[8:], r.Ref.Lane)
	binary.BigEndian.PutUint64(b[16:], r.Ref.Pos)
	binary.BigEndian.PutUint32(b[24:], r.Delivery)
}

// ParseReceipt reads a receipt handle. Whether it was issued here shows when
// it is used. It returns ErrReceiptInvalid for anything else.
func ParseReceipt(s string) (Receipt, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) != receiptBytes || len(s) != base64.RawURLEncoding.EncodedLen(receiptBytes) {
		return Receipt{}, fmt.Errorf("parse receipt: %w", ErrReceiptInvalid)
	}
	return Receipt{
		Ref: Ref{
			Queue: binary.BigEndian.Uint32(b[0:]),
			Epoch: binary.BigEndian.Uint32(b[4:]),
			Lane:  binary.BigEndian.Uint64(b[8:]),
			Pos:   binary.BigEndian.Uint64(b[16:]),
		},
		Delivery: binary.BigEndian.Uint32(b[24:]),
		check:    binary.BigEndian.Uint64(b[28:]),
	}, nil
}

// receipt issues the receipt of a delivery.
func (e *Engine) receipt(ref Ref, delivery uint32) Receipt {
	r := Receipt{Ref: ref, Delivery: delivery}
	r.check = e.sign(r)
	return r
}

// sign is called with the lock held: it reuses one keyed hash.
func (e *Engine) sign(r Receipt) uint64 {
	var b [28]byte
	r.fields(b[:])
	e.mac.Reset()
	e.mac.Write(b[:])
	var sum [sha256.Size]byte
	return binary.BigEndian.Uint64(e.mac.Sum(sum[:0]))
}

// issued says whether the engine, now or before a restart, issued r.
func (e *Engine) issued(r Receipt) bool { return e.sign(r) == r.check }
