package scalar

import "math"

// Reduction for logarithms: x = 2^k·z with z in [0.69, 1.38), and z·inverse = 1 + r
// with |r| < 2⁻⁷·⁹, so that log x = k·ln 2 + log(1/inverse) + log(1+r), the second
// term from a table. For x of 24 bits r is exact.
//
// Error of log64: around 1, k and the table's term are zero and the result is the
// polynomial, to 2 units of its own last place. Elsewhere the result exceeds half
// of the largest term or, for k = 0, 2⁻⁹ with all terms below 2⁻¹·⁴ and each
// rounded in its own size: below 4 units.
const (
	logOrigin   = 0x3fe6100000000000
	inverseLn2E = 0x1.71547652b82fep0  // 1/ln 2
	inverseLn10 = 0x1.bcb7b1526e50ep-2 // 1/ln 10
)

// Log returns the natural logarithm of x; -Inf at zero, NaN below.
func Log(x float32) float32 {
	y := log64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.log)
}

// Log2 returns the logarithm of x to base 2; -Inf at zero, NaN below.
func Log2(x float32) float32 {
	y := log2of64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.log2)
}

// Log10 returns the decimal logarithm of x; -Inf at zero, NaN below.
func Log10(x float32) float32 {
	y := log10of64(float64(x))
	if roundable(y) {
		return float32(y)
	}
	return resolve(F32, float64(x), y, wide.log10)
}

// log64 is log x for x of at most 24 bits.
func log64(x float64) float64 {
	if !(x > 0 && x <= math.MaxFloat32) {
		return logLimit(x)
	}
	u := math.Float64bits(x)
	t := u - logOrigin
	row := &logTable[t>>45&127]
	k := float64(int64(t) >> 52)
	r := float64(math.Float64frombits(u-t&^(1<<52-1))*row.inverse) - 1
	return mulAdd(k, ln2, row.log) + log1pPoly(r)
}

// log2of64 and log10of64 scale log64: below 6 units. Where the result is an
// integer it is off by a few units, which rounding to any format removes.
func log2of64(x float64) float64  { return log64(x) * inverseLn2E }
func log10of64(x float64) float64 { return log64(x) * inverseLn10 }

// logLimit is log x where x is not a positive finite number.
func logLimit(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x > 0:
		return x
	}
	return math.NaN()
}

// log1p64 is log(1+u) for 0 ≤ u < 2²⁰⁰. The sum h = 1+u is reduced like the
// argument of log64, by a fused operation because h has 53 bits, and l, what
// rounding h left out, joins r: below 5 units.
func log1p64(u float64) float64 {
	h := 1 + u
	l := u - (h - 1)
	if u > 1 {
		l = 1 - (h - u)
	}
	b := math.Float64bits(h)
	t := b - logOrigin
	row := &logTable[t>>45&127]
	scale := t &^ (1<<52 - 1)
	z := math.Float64frombits(b - scale)
	l *= math.Float64frombits(1023<<52 - scale)
	r := math.FMA(z, row.inverse, -1) + float64(l*row.inverse)
	return mulAdd(float64(int64(t)>>52), ln2, row.log) + log1pPoly(r)
}
