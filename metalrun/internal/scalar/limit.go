package scalar

import "math"

// Limit is what the specification promises of a function's error. The zero value is
// a correctly rounded result.
//
// Source: Metal Shading Language Specification, version 4, section 8.4: table 8.1
// for precise functions of f32, 8.2 for fast ones, 8.3 for half, 8.4 and 8.5 for
// the arithmetic of bfloat, which has no table of functions.
type Limit struct {
	Ulps     Ulps
	Absolute Absolute // where it holds, Ulps do not
	As       Composition
	// Undefined are the arguments of which the table says so; nil: none.
	Undefined func(x, y float32) bool
}

// Ulps is the largest error in units in the last place of the exact result:
// Max + ⌊Slope·|x|⌋.
type Ulps struct{ Max, Slope float64 }

// At is the largest error at x.
func (u Ulps) At(x float64) float64 { return u.Max + math.Floor(math.Abs(u.Slope*x)) }

// Absolute is the largest error itself, for arguments in [Low, High].
type Absolute struct {
	Error, Low, High float64
	// Beyond is the largest error elsewhere, 0 where ulps are counted: that of sine
	// and cosine is "larger", and their results still lie in [-1, 1].
	Beyond float64
}

// At is the largest error at x, if it is absolute there.
func (a Absolute) At(x float64) (limit float64, ok bool) {
	if a.Error != 0 && a.Low <= x && x <= a.High {
		return a.Error, true
	}
	return a.Beyond, a.Beyond != 0
}

// Open reports whether a device has a choice in addition to the correctly rounded result.
func (l Limit) Open() bool {
	return l.Ulps != (Ulps{}) || l.Absolute != (Absolute{}) || l.As != nil
}

// Limit is the function's limit in a format and class.
func (fn *FloatFunction) Limit(f Format, fast bool) Limit {
	switch {
	case f == F32 && fast:
		return fn.Fast
	case f == F32:
		return fn.Precise
	case f == Half && fn.OneUlp:
		return Limit{Ulps: Ulps{Max: 1}}
	}
	return Limit{}
}

// Quotients are the limits of x/y: correctly rounded, except with fast math for |y| in
// [2⁻¹²⁶, 2¹²⁶]. Beyond there is none.
func Quotients(f Format, fast bool) Limit {
	switch {
	case !fast:
	case f == F32:
		return Limit{Ulps: Ulps{Max: 2.5}}
	case f == Bfloat:
		return Limit{Ulps: Ulps{Max: 0.6}}
	}
	return Limit{}
}

// Farthest is the number of a format that is farthest from y on the side of sign,
// and within a limit in ulp. y is normal in the format, and so is the result.
func (f Format) Farthest(y, ulps, sign float64) float32 {
	_, e := math.Frexp(y)
	ulp := math.Ldexp(1, e-f.precision())
	target := y + math.Copysign(ulps*ulp, sign)
	n := math.Floor(target / ulp)
	if sign < 0 {
		n = math.Ceil(target / ulp)
	}
	// A power of two ends the binade: beyond it numbers are twice as far apart.
	return float32(max(-math.Ldexp(1, e), min(n*ulp, math.Ldexp(1, e))))
}

// Within is v, or the number of f32 that is nearest to it among those within ulps of the
// exact result y, the correctly rounded one if there is none. What is subnormal may also
// be zero, and of what is beyond the largest number nothing is said.
func Within(v float32, y, ulps float64) float32 {
	if !(math.Abs(y) <= math.MaxFloat32) || v == 0 && math.Abs(y) < 0x1p-126 {
		return v
	}
	by := float64(ulps * Ulp(y))
	low, high := float32(y-by), float32(y+by)
	if float64(low) < y-by {
		low = math.Nextafter32(low, float32(math.Inf(1)))
	}
	if float64(high) > y+by {
		high = math.Nextafter32(high, float32(math.Inf(-1)))
	}
	switch {
	case low > high:
		return F32.Round(y)
	case v < low:
		return low
	case v > high:
		return high
	case v != v:
		return F32.Round(y)
	}
	return v
}

// Ulp is that of f32 at a number.
func Ulp(x float64) float64 {
	fraction, e := math.Frexp(x)
	switch {
	case x == 0:
		e = -200
	case math.Abs(fraction) == 0.5: // a power of two: of its neighbours the one below is nearer
		e--
	}
	return math.Ldexp(1, max(e-24, -149))
}

// precision is the number of significant bits.
func (f Format) precision() int { return [...]int{F32: 24, Half: 11, Bfloat: 8}[f] }

// CoarserIfFast reports whether the fast function may be further off than the precise
// one, or is undefined where that is not.
func (fn *FloatFunction) CoarserIfFast() bool {
	fast := fn.Fast
	return fast.Ulps != fn.Precise.Ulps || fast.Absolute != fn.Precise.Absolute || fast.As != nil ||
		fast.Undefined != nil
}
