package machine

import (
	"sync"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
)

// Tiles calls f for runs of whole simdgroups that take part.
func (m *Machine) Tiles(in *ir.Instr, what string, f func(lo, hi int)) {
	if m.Whole && m.N%Simdgroup == 0 {
		f(0, m.N)
		return
	}
	m.Groups(Simdgroup, func(lo, hi int) {
		switch active := m.activeIn(lo, hi); active {
		case 0:
		case Simdgroup:
			f(lo, hi)
		default:
			m.fail(Divergent, in.Pos, m.FirstIn(lo, hi), "simdgroup matrix %s with %d of 32 threads active", what,
				active)
		}
	})
}

func (m *Machine) activeIn(lo, hi int) int {
	mask := m.Mask[lo:hi]
	return m.P.Table.AndMask(mask, mask, mask)
}

// Tile is both elements of a matrix of every lane of a simdgroup.
type Tile [2 * Simdgroup]uint32

// tiles is room for operands and sums of drawn products of matrices, which would otherwise be allocated for each
// product.
var Tiles = sync.Pool{New: func() any { return new([3]Tile) }}

// reordering is where the elements of a reordered matrix come from: first for the first element of each lane, then for
// the second. A source is the number of a lane, plus [Simdgroup] for its second element.
type reordering [2 * Simdgroup]uint8

// Reordered replaces element i by element from(i), counted by rows.
func Reordered(from func(i int) int) (r reordering) {
	var at [2 * Simdgroup]uint8
	for l := range Simdgroup {
		i := lanes.TileIndex(l)
		at[i], at[i+1] = uint8(l), uint8(l+Simdgroup)
	}
	for l := range Simdgroup {
		i := lanes.TileIndex(l)
		r[l], r[l+Simdgroup] = at[from(i)], at[from(i+1)]
	}
	return r
}

// Of is the matrix of one simdgroup, reordered.
func (r *reordering) Of(x0, x1 []uint32) (out Tile) {
	var x Tile
	copy(x[:Simdgroup], x0)
	copy(x[Simdgroup:], x1)
	for i, from := range r {
		out[i] = x[from%(2*Simdgroup)]
	}
	return out
}
