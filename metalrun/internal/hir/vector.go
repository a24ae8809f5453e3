package hir

import "fmt"

// Vector is TN or packed_TN. A plain vector of three takes the room of four. Those of 8 and
// 16 components have no name but vec<T, N>, and no functions.
type Vector struct {
	Elem   Kind
	N      int // 2, 3, 4, 8 or 16
	Packed bool
}

func (v Vector) Size() int {
	if v.N == 3 && !v.Packed {
		return 4 * v.Elem.Size()
	}
	return v.N * v.Elem.Size()
}

func (v Vector) Align() int {
	if v.Packed {
		return v.Elem.Size()
	}
	return v.Size()
}

func (v Vector) String() string {
	if v.N > 4 && v.Packed {
		return fmt.Sprintf("packed_vec<%s, %d>", v.Elem, v.N)
	}
	if v.N > 4 {
		return fmt.Sprintf("vec<%s, %d>", v.Elem, v.N)
	}
	if v.Packed {
		return fmt.Sprintf("packed_%s%d", v.Elem, v.N)
	}
	return fmt.Sprintf("%s%d", v.Elem, v.N)
}

// Matrix is floatCxR or halfCxR: Cols columns, each a vector of Rows, column-major.
type Matrix struct {
	Elem       Kind
	Cols, Rows int
}

// Column is the type of one column.
func (m Matrix) Column() Vector { return Vector{Elem: m.Elem, N: m.Rows} }
func (m Matrix) Size() int      { return m.Cols * m.Column().Size() }
func (m Matrix) Align() int     { return m.Column().Align() }

func (m Matrix) String() string {
	if m.Elem == BFloat {
		return fmt.Sprintf("matrix<bfloat, %d, %d>", m.Cols, m.Rows)
	}
	return fmt.Sprintf("%s%dx%d", m.Elem, m.Cols, m.Rows)
}

// SimdMatrix is simdgroup_matrix<Elem, 8, 8>: a value spread over the 32 lanes
// of a simdgroup, two elements a lane. It cannot be stored in a buffer.
type SimdMatrix struct{ Elem Kind }

func (m SimdMatrix) Size() int      { return 2 * m.Elem.Size() }
func (m SimdMatrix) Align() int     { return m.Elem.Align() }
func (m SimdMatrix) String() string { return fmt.Sprintf("simdgroup_%s8x8", m.Elem) }

// SimdVote is the result of simd_ballot and quad_ballot: one bit a lane, 8 bytes.
type SimdVote struct{}

func (SimdVote) Size() int      { return 8 }
func (SimdVote) Align() int     { return 8 }
func (SimdVote) String() string { return "simd_vote" }

// Atomic is atomic<Elem>.
type Atomic struct{ Elem Kind }

func (a Atomic) Size() int      { return a.Elem.Size() }
func (a Atomic) Align() int     { return a.Elem.Align() }
func (a Atomic) String() string { return "atomic_" + a.Elem.String() }
