package simt

import (
	"math"

	"metalconform/metalrun/internal/ir"
)

// limit is the largest error of an f32 function in ulp of its exact result:
// constant + ⌊slope·|x|⌋.
type limit struct{ ulp, slope float64 }

// limits are the accuracies of tables 8.1 (precise) and 8.2 (fast) of the Metal
// Shading Language specification. A function that is missing is correctly
// rounded in its class. Some fast functions have absolute limits besides, see
// [absolute]; fast tan and sincos count as precise.
var limits = map[string][2]limit{
	"rsqrt": {{}, {ulp: 2}}, "sqrt": {{}, {ulp: 2}},
	"exp": {{ulp: 4}, {3, 2}}, "exp2": {{ulp: 4}, {3, 2}}, "exp10": {{ulp: 4}, {ulp: 4}},
	"log": {{ulp: 4}, {ulp: 3}}, "log2": {{ulp: 4}, {ulp: 2}}, "log10": {{ulp: 4}, {ulp: 3}},
	"sin": {{ulp: 4}, {ulp: 4}}, "cos": {{ulp: 4}, {ulp: 4}}, "tan": {{ulp: 6}, {ulp: 6}},
	"sinpi": {{ulp: 4}, {ulp: 4}}, "cospi": {{ulp: 4}, {ulp: 4}}, "tanpi": {{ulp: 6}, {ulp: 6}},
	"asin": {{ulp: 4}, {ulp: 5}}, "acos": {{ulp: 4}, {ulp: 5}}, "atan": {{ulp: 5}, {ulp: 5}}, "atan2": {{ulp: 6}, {ulp: 6}},
	"sinh": {{ulp: 4}, {ulp: 4}}, "cosh": {{ulp: 4}, {ulp: 4}}, "tanh": {{ulp: 5}, {ulp: 5}},
	"asinh": {{ulp: 4}, {ulp: 4}}, "acosh": {{ulp: 4}, {ulp: 4}}, "atanh": {{ulp: 5}, {ulp: 5}},
	"pow": {{ulp: 16}, {ulp: 16}}, "powr": {{ulp: 16}, {ulp: 16}},
}

// steps is how many neighbours in its format the correctly rounded result of a
// function may be displaced by: half an ulp of its limit is spent on the rounding.
// Functions of half have a limit of one ulp (table 8.3), and so here those of bfloat.
func steps(name string, fast bool, t ir.Type, x float64) int {
	rows, ok := limits[name]
	switch {
	case !ok:
		return 0
	case t != ir.F32:
		return 0 // one ulp leaves no whole neighbour beside the rounding
	}
	l := rows[0]
	if fast {
		l = rows[1]
	}
	return max(int(l.ulp+math.Floor(math.Abs(l.slope*x))-0.5), 0)
}

// absolute is the largest absolute error of a fast function at x, where table 8.2
// has one: beyond ±π it only says that the error of sin and cos is larger.
func absolute(name string, x float64) (limit float64, ok bool) {
	switch name {
	case "sin", "cos":
		if math.Abs(x) <= math.Pi {
			return 0x1p-13, true
		}
		return 2, true
	case "log":
		return 0x1p-21, 0.5 <= x && x <= 2
	}
	return 0, false
}

// displaced wraps a function of the adversary's: results lie as far from the
// exact ones as the limit allows, all above, all below, or to either side by a
// number drawn for each argument. The same argument has the same result always.
// Exact results stay: of exp and its like at 0, of logarithms at 1, zeros,
// infinities, NaN, and results near the ends of the range.
func displaced(f func(a, b uint32) uint32, in *ir.Instr, t ir.Type, draw uint64) func(a, b uint32) uint32 {
	style := draw % 4
	return func(a, b uint32) uint32 {
		v := f(a, b)
		x, y := float64(f32frombits(a)), float64(f32frombits(v))
		if limit, ok := absolute(in.Fn, x); ok && in.Fast && t == ir.F32 && x != 0 && x != 1 && y-y == 0 {
			return moved(in.Fn, y, limit, style, mix(draw^uint64(a)))
		}
		n := steps(in.Fn, in.Fast, t, x)
		if size := math.Abs(y); n == 0 || x == 0 || x == 1 || !(size > 0x1p-120 && size < 0x1p120) {
			return v
		}
		switch style {
		case 0:
		case 1:
			n = -n
		default:
			n = int(mix(draw^uint64(a)<<32^uint64(b))%uint64(2*n+1)) - n
		}
		return shifted(v, n)
	}
}

// moved is y moved by nearly as much as an absolute limit allows, in a direction that
// the style or the draw says; sine and cosine stay between -1 and 1.
func moved(name string, y, limit float64, style, draw uint64) uint32 {
	by := 0.9 * limit
	switch {
	case style == 1, style > 1 && draw&1 != 0:
		by = -by
	}
	if y += by; name != "log" {
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
