package simt

import (
	"math"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
)

// steps is how many neighbours in its format the correctly rounded result of a
// function may be displaced by: half an ulp of its limit is spent on the rounding.
// Functions of half have a limit of one ulp (table 8.3), and so here those of
// bfloat: that leaves no whole neighbour beside the rounding.
func steps(fn *scalar.FloatFunction, fast bool, t ir.Type, x float64) int {
	if t != ir.F32 {
		return 0
	}
	limit := fn.Precise
	if fast {
		limit = fn.Fast
	}
	return max(int(limit.At(x)-0.5), 0)
}

// displaced wraps a function of the adversary's: results lie as far from the
// exact ones as the limit allows, all above, all below, or to a side drawn for each
// argument. The same argument has the same result always.
// Exact results stay: of exp and its like at 0, of logarithms at 1, zeros,
// infinities, NaN, and results near the ends of the range.
func displaced(f func(a, b uint32) uint32, fn *scalar.FloatFunction, fast bool, t ir.Type, draw uint64) func(a, b uint32) uint32 {
	style := draw % 4
	return func(a, b uint32) uint32 {
		v := f(a, b)
		x, y := float64(f32frombits(a)), float64(f32frombits(v))
		if fn.Absolute != nil && fast && t == ir.F32 && x != 0 && x != 1 && y-y == 0 {
			if limit, ok := fn.Absolute(x); ok {
				return moved(y, limit, fn.Bounded, style, mix(draw^uint64(a)))
			}
		}
		n := steps(fn, fast, t, x)
		if size := math.Abs(y); n == 0 || x == 0 || x == 1 || !(size > 0x1p-120 && size < 0x1p120) {
			return v
		}
		switch style {
		case 0:
		case 1:
			n = -n
		default:
			if mix(draw^uint64(a)<<32^uint64(b))&1 != 0 {
				n = -n
			}
		}
		return shifted(v, n)
	}
}

// moved is y moved by nearly as much as an absolute limit allows, in a direction that
// the style or the draw says.
func moved(y, limit float64, bounded bool, style, draw uint64) uint32 {
	by := 0.9 * limit
	switch {
	case style == 1, style > 1 && draw&1 != 0:
		by = -by
	}
	if y += by; bounded {
		y = max(-1, min(1, y))
	}
	return f32bits(float32(y))
}

// shifted is v moved by n neighbours away from zero, or towards it if n is
// negative, but not out of its binade, where an ulp has another size.
func shifted(v uint32, n int) uint32 {
	const exponent = 0xff800000
	moved := uint32(int64(v) + int64(n))
	switch {
	case moved&exponent == v&exponent:
		return moved
	case n > 0:
		return v | ^uint32(exponent)
	}
	return v & exponent
}
