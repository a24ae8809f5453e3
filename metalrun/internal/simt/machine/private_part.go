package machine

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
)

// A narrow element at a uniform offset is a part of a row: the whole row is shifted and converted.

// Part is the row of the element, and the number of bits to its right in each word.
func (a *PrivateAccess) Part(m *Machine, extra int64) (row []uint32, shift uint32) {
	off := a.One(m, extra)
	at := int(off>>2) * m.Stride
	return m.Private[at : at+m.N : at+m.N], uint32(off&3) * 8
}

// Widened gives the lanes of elements with so many bits to their right in each word.
func Widened(t *lanes.Table, s ir.Scalar) func(d, words []uint32, shift uint32) {
	unused := uint32(32 - 8*s.Size())
	switch s {
	case ir.S8, ir.S16:
		return func(d, words []uint32, shift uint32) {
			t.Shl.VS(d, words, unused-shift)
			t.AShr.VS(d, d, unused)
		}
	case ir.H16:
		return func(d, words []uint32, shift uint32) {
			t.LShr.VS(d, words, shift)
			t.FromHalfBits(d, d)
		}
	case ir.T16:
		return func(d, words []uint32, shift uint32) {
			t.Shl.VS(d, words, unused-shift)
			t.And.VS(d, d, 0xffff0000)
		}
	}
	decode := Decode32(s)
	return func(d, words []uint32, shift uint32) {
		t.Shl.VS(d, words, unused-shift)
		t.LShr.VS(d, d, unused)
		if decode != nil {
			for l := range d {
				d[l] = decode(d[l])
			}
		}
	}
}

// Narrowed gives the bits of an element for each lane; nil if they are the low bits of the lane.
func Narrowed(t *lanes.Table, s ir.Scalar) lanes.Unary {
	switch s {
	case ir.B8:
		return func(d, a []uint32) { t.And.VS(d, a, 1) }
	case ir.H16:
		return t.HalfBits
	case ir.T16:
		return t.BfloatBits
	}
	return nil
}
