package machine

import (
	"unsafe"

	"metalconform/metalrun/internal/simt/lanes"
)

// Simdgroups often read the same elements: each multiplies its own row of a matrix by one vector in threadgroup memory.
// One gather for the first simdgroup then serves all of them.

// gatherOnce reads an element for each lane, as g does.
func (m *Machine) gatherOnce(g lanes.Gather, d []uint32, mem *Memory, idx []uint32, at lanes.Index) int {
	if !m.P.Does(passBroadcastGather) || !m.Full || !repeated(idx[:m.N]) {
		return g(d, mem.Cover, idx, m.Mask, at)
	}
	if n := g(d[:Simdgroup], mem.Cover, idx[:Simdgroup], m.Mask[:Simdgroup], at); n < Simdgroup {
		return n
	}
	for done := Simdgroup; done < m.N; done *= 2 {
		copy(d[done:m.N], d[:done])
	}
	return m.N
}

// repeated reports whether the lanes are those of several whole simdgroups, and the same in each.
func repeated(row []uint32) bool {
	rest := len(row) - Simdgroup
	if rest <= 0 || rest%Simdgroup != 0 || row[0] != row[Simdgroup] || row[Simdgroup-1] != row[len(row)-1] {
		return false
	}
	return text(row[:rest]) == text(row[Simdgroup:])
}

// text views lanes as a string, which is compared many bytes at once.
func text(row []uint32) string {
	return unsafe.String((*byte)(unsafe.Pointer(unsafe.SliceData(row))), 4*len(row))
}
