package scalar

import "math"

// Reduction for exponentials: x = k·ln 2/64 + r with |r| ≤ ln 2/128 + 2⁻⁴⁰, so
// that e^x = 2^(k/64)·e^r, the first factor from a table. Adding and taking
// away 1.5·2⁵² rounds to the nearest integer and leaves k, in two's complement,
// in the low bits of the sum. ln2High has 32 bits, so its product with k is exact
// and so is the first difference, by cancellation; the low parts carry an
// error below 2⁻⁵³·2⁻²⁵ each.
//
// Error of exp64, exp2of64 and exp10of64 in units of 2⁻⁵³: the table entry and the
// last addition contribute 1 each, the series 0.4, r and e^r - 1 < 2⁻⁷ with their
// roundings less than 0.1: below 2.5 units.
const (
	inverseLn2 = 0x1.71547652b82fep6   // 64/ln 2
	ln2High    = 0x1.62e42feep-7       // ln 2/64, high 32 bits
	ln2Low     = 0x1.a39ef35793c76p-39 // the rest
	ln10High   = 0x1.26bb1bap1         // ln 10, high 28 bits
	ln10Low    = 0x1.b5551582dd4aep-27 // the rest
	log2of10   = 0x1.a934f0979a371p7   // 64·log2 10
	toInteger  = 0x1.8p52              // adding it rounds to an integer
	ln2        = 0x1.62e42fefa39efp-1  // ln 2
	expFar     = 200                   // beyond, e^x and 10^x over- or underflow all formats
)

// Exp returns e^x.
func Exp(x float32) float32 {
	y := exp64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.exp)
}

// Exp2 returns 2^x.
func Exp2(x float32) float32 {
	y := exp2of64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return F32.exp2(x)
}

// exp2 rounds exact results as they are: half of the smallest number of a format
// is a tie, which no number of bits would decide.
func (f Format) exp2(x float32) float32 {
	y := exp2of64(float64(x))
	if x == Trunc(x) {
		return f.Round(y)
	}
	return resolve(f, float64(x), y, wide.exp2)
}

// Exp10 returns 10^x.
func Exp10(x float32) float32 {
	y := exp10of64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.exp10)
}

// exp64 is e^x.
func exp64(x float64) float64 {
	if !(math.Abs(x) < expFar) {
		return beyond(x)
	}
	t := mulAdd(x, inverseLn2, toInteger)
	k := t - toInteger
	r := x - float64(k*ln2High) - float64(k*ln2Low)
	return power2(math.Float64bits(t), expm1Poly(r))
}

// exp2of64 is 2^x for x of at most 24 bits, for which x - k/64 is exact. For
// integers x the result is exact.
func exp2of64(x float64) float64 {
	if !(math.Abs(x) < expFar) {
		return beyond(x)
	}
	t := mulAdd(x, 64, toInteger)
	r := x - float64((t-toInteger)*(1.0/64))
	return power2(math.Float64bits(t), expm1Poly(float64(r*ln2)))
}

// exp10of64 is 10^x for x of at most 24 bits, whose product with ln10High is exact.
func exp10of64(x float64) float64 {
	if !(math.Abs(x) < expFar) {
		return beyond(x)
	}
	t := mulAdd(x, log2of10, toInteger)
	k := t - toInteger
	r := float64(x*ln10High) - float64(k*ln2High)
	r += float64(x*ln10Low) - float64(k*ln2Low)
	return power2(math.Float64bits(t), expm1Poly(r))
}

// beyond is the limit of an exponential for an argument too large to reduce.
func beyond(x float64) float64 {
	if x < 0 {
		return 0
	}
	return x + math.Inf(1)
}

// power2 is 2^(k/64)·(1+p), with k in the low bits of its argument.
func power2(k uint64, p float64) float64 {
	s := math.Float64frombits(expTable[k%64] + k<<46)
	return mulAdd(s, p, s)
}
