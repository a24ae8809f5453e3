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
	0x3effffff, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3fc00000, 0x40200000, 0x4affffff, 0x4b000000, 0x4b000001, // integers and halves
	0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000, // limits of int and uint
	0x7f7f7fff, 0x7f7f8000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7f802000, 0x7fbfffff, 0x7fc00000, 0x7fc12345, 0x7fffffff,
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
