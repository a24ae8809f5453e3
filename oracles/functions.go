package oracles

import "math"

// Functions is the class of the f32 functions that a kernel may call.
type Functions uint8

const (
	Precise Functions = iota // metal::precise, Table 8.1 of the Metal specification
	Fast                     // metal::fast, Table 8.2
)

func (f Functions) String() string { return [...]string{"precise", "fast"}[f] }

// accuracy is one row of the table: the largest error of a function in ulp of
// its exact result, of the form constant + ⌊|slope·x|⌋.
type accuracy struct {
	ulp   float64
	slope float64
}

// accuracies is the accuracy of the f32 functions that the catalogue's kernels
// use, from Tables 8.1 (precise) and 8.2 (fast) of the Metal Shading Language
// specification. A correctly rounded function has half an ulp. fast::log is
// left out within [0.5, 2], and fast::sin and fast::cos everywhere: their limits
// there are absolute, see [Functions.Log] and [Functions.Turn].
var accuracies = map[string][2]accuracy{
	"exp":    {Precise: {ulp: 4}, Fast: {ulp: 3, slope: 2}},
	"log":    {Precise: {ulp: 4}, Fast: {ulp: 3}},
	"rsqrt":  {Precise: {ulp: 0.5}, Fast: {ulp: 2}},
	"divide": {Precise: {ulp: 0.5}, Fast: {ulp: 2.5}},
	"sin":    {Precise: {ulp: 4}},
	"cos":    {Precise: {ulp: 4}},
}

// ulps is the largest error of the f32 function name at x in ulp.
func (f Functions) ulps(name string, x float64) float64 {
	a := accuracies[name][f]
	return a.ulp + math.Floor(math.Abs(a.slope*x))
}

// relative is the largest relative error of the f32 function name at x: an ulp
// is at most 2u of the exact result, down to the smallest normal number.
func (f Functions) relative(name string, x float64) float64 {
	return float64(f.ulps(name, x) * 2 * F32.UnitRoundoff())
}

// Exp is the largest relative error of exp at x. exp(±0) is taken to be
// exactly 1, as on every device that has been measured.
func (f Functions) Exp(x float64) float64 {
	if x == 0 {
		return 0
	}
	return f.relative("exp", x)
}

// Rsqrt is the largest relative error of rsqrt.
func (f Functions) Rsqrt() float64 { return f.relative("rsqrt", 0) }

// Divide is the largest relative error of x/y for |y| between [Functions.Divisors].
func (f Functions) Divide() float64 { return f.relative("divide", 0) }

// Divisors are the ends of the range of |y| in which the limit for x/y holds.
// Table 8.2 has [2⁻¹²⁶, 2¹²⁶] for fast division: it may multiply by a reciprocal,
// which is subnormal for a larger divisor, and then 0 where subnormals are
// flushed, and beyond the largest number for a smaller one.
func (f Functions) Divisors() (low, high float64) {
	if f == Fast {
		return math.Ldexp(1, -126), math.Ldexp(1, 126)
	}
	return 0, F32.Max()
}

// Log is the largest absolute error of log on [low, high], above 0, given the largest
// magnitude of its exact result there: Table 8.2 limits fast::log by 2⁻²¹ on
// [0.5, 2]. log(1) is exactly 0 in precise functions.
func (f Functions) Log(low, high, largest float64) float64 {
	e := largest * f.relative("log", high)
	if f == Fast && high >= 0.5 && low <= 2 {
		return max(e, math.Ldexp(1, -21))
	}
	return e
}

// Turn is the largest absolute error of name, sin or cos, at x given its exact
// result. Table 8.2 limits the fast ones by 2⁻¹³ on [−π, π]; beyond, it only
// says that the error is larger.
func (f Functions) Turn(name string, x, exact float64) float64 {
	switch {
	case f == Precise:
		return math.Abs(exact) * f.relative(name, x)
	case math.Abs(x) <= math.Pi:
		return math.Ldexp(1, -13)
	}
	return math.Inf(1)
}
