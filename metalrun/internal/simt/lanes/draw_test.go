package lanes

import (
	"math"
	"math/rand/v2"
)

// edges are the bits of floats and integers at which something changes: zeros,
// subnormals, limits of formats and of integers, infinities and NaNs, quiet and
// signalling, with payloads.
var edges = []uint32{
	0, 1, 2, 31, 32, 33, 63, 64, 65, 0x007fffff, 0x00800000, 0x00800001, // smallest floats, and shift counts
	0x33000000, 0x33000001, 0x33800000, 0x387fc000, 0x387fe000, 0x387fffff, 0x38800000, // half's subnormals
	0x477fe000, 0x477fefff, 0x477ff000, 0x47800000, // half's overflow
	// integers and halves
	0x3effffff, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3fc00000, 0x40200000, 0x4affffff, 0x4b000000, 0x4b000001,
	0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000, // limits of int and uint
	0x7f7f7fff, 0x7f7f8000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7f802000, 0x7fbfffff, 0x7fc00000, 0x7fc12345,
	0x7fffffff,
}

// draw gives bits of all sorts: edges of either sign, midpoints of half and of
// bfloat, floats of moderate size, small integers, and any bits.
func draw(r *rand.Rand) uint32 {
	sign := r.Uint32() & (1 << 31)
	switch r.IntN(8) {
	case 0, 1, 2:
		return sign | edges[r.IntN(len(edges))]
	case 3:
		return sign | r.Uint32N(31)<<23 + 0x38000000 | r.Uint32()&0x7fe000 | 0x1000
	case 4:
		return r.Uint32()&^0xffff | 0x8000
	case 5, 6:
		return math.Float32bits(float32(math.Ldexp(r.Float64()*2-1, r.IntN(40)-8)))
	}
	return r.Uint32() >> r.IntN(32)
}

func drawLanes(r *rand.Rand, n int) []uint32 {
	x := make([]uint32, n)
	for i := range x {
		x[i] = draw(r)
	}
	return x
}

// drawModerate draws floats of about one size, so that each counts in a sum.
func drawModerate(r *rand.Rand, n int) []uint32 {
	x := make([]uint32, n)
	for i := range x {
		x[i] = math.Float32bits(r.Float32() - 0.5)
	}
	return x
}

// drawIndices draws numbers up to most, about half of them most itself.
func drawIndices(r *rand.Rand, n, most int) []uint32 {
	x := make([]uint32, n)
	for i := range x {
		x[i] = uint32(min(most, r.IntN(2*most+1)))
	}
	return x
}

func drawWide(r *rand.Rand, n int) []uint64 {
	x := make([]uint64, n)
	for i := range x {
		switch r.IntN(3) {
		case 0:
			x[i] = uint64(draw(r))<<32 | uint64(draw(r))
		case 1:
			x[i] = uint64(int64(r.Uint64()) >> r.IntN(64))
		default:
			x[i] = 1<<r.IntN(64) - r.Uint64N(2)
		}
	}
	return x
}

// drawMask draws bools of which about share out of four are set.
func drawMask(r *rand.Rand, n, share int) []uint32 {
	m := make([]uint32, n)
	for i := range m {
		if r.IntN(4) < share {
			m[i] = ^uint32(0)
		}
	}
	return m
}

// drawProducts draws operands of a·b + c: results among the subnormals,
// cancellation, short significands with their exact ties, and an addend beyond
// the last place of the product's midpoint.
func drawProducts(r *rand.Rand, n int) (a, b, c []uint32) {
	kind := r.IntN(4)
	factor := drawFactor(r, kind)
	for i := range n {
		if i > n/2 { // before, all have the same factor
			kind = r.IntN(4)
			factor = drawFactor(r, kind)
		}
		x, z := drawAddend(r, kind, factor)
		a = append(a, math.Float32bits(x))
		b = append(b, math.Float32bits(factor))
		c = append(c, math.Float32bits(z))
	}
	return a, b, c
}

func drawFactor(r *rand.Rand, kind int) float32 {
	switch kind {
	case 0:
		return r.Float32() * 0x1p-70
	case 1:
		return r.Float32() - 0.5
	case 2:
		return float32(r.IntN(1<<14) - 1<<13)
	}
	return float32(r.IntN(1<<13) | 1<<12 | 1)
}

// drawAddend gives the other factor and the addend.
func drawAddend(r *rand.Rand, kind int, b float32) (a, c float32) {
	switch kind {
	case 0:
		return r.Float32() * 0x1p-70, math.Float32frombits(r.Uint32() & 0x807fffff)
	case 1:
		a = r.Float32() - 0.5
		return a, -a * b * (1 + 0x1p-20*(r.Float32()-0.5))
	case 2:
		return float32(r.IntN(1<<12) - 1<<11), float32(math.Ldexp(float64(r.IntN(1<<24)-1<<23), r.IntN(16)-8))
	}
	return float32(r.IntN(1<<12) | 1), float32(math.Ldexp(float64(r.IntN(5)-2), -r.IntN(120)))
}
