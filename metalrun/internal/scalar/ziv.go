package scalar

import (
	"math"
	"math/big"
)

// slack bounds the error of the float64 evaluations of this package in units of
// 2⁻⁵³ relative to the value, one of which is at most one last place of float64.
// Each evaluation states its own bound, all below 16 units; the rest is margin,
// and its price is that one result in 2²⁹/512 = 2²⁰ is computed twice.
const slack = 256

// roundable is Ziv's rounding test: it reports whether every real number within slack of y rounds to the
// same float32 as y, for results in the normal range.
func roundable(y float64) bool { return roundableWithin(y, slack) }

// roundableWithin is roundable for an error of the given units. The low 29 bits of
// y are those that rounding drops; a midpoint of two float32 values has only
// the first of them set.
func roundableWithin(y float64, units uint64) bool {
	u := math.Float64bits(y)
	return (u+1<<28+units)&(1<<29-1) > 2*units && u<<1-897<<53 < (2047-897)<<53
}

// resolve returns f(x) rounded to the format, where y is f(x) within slack and
// exact computes f(x) to the bits asked for. Zero, infinity and NaN in y are
// exact or beyond doubt by contract of the evaluation.
func resolve(f Format, x, y float64, exact func(wide, *big.Float) *big.Float) float32 {
	if r, ok := f.decide(y, slack); ok {
		return r
	}
	return f.converge(func(w wide) *big.Float { return exact(w, w.from(x)) })
}

// decide rounds y to the format if all numbers within the given units round
// alike. For half and bfloat it looks first, as roundableWithin
// does, at the 42 or 45 bits that rounding drops, for results in the normal range.
func (f Format) decide(y float64, units uint64) (float32, bool) {
	switch u := math.Float64bits(y); {
	case f == Half && (u+1<<41+units)&(1<<42-1) > 2*units && u<<1-1009<<53 < 29<<53:
		return roundHalf64(y), true
	case f == Bfloat && (u+1<<44+units)&(1<<45-1) > 2*units && u<<1-897<<53 < 253<<53:
		return roundBfloat64(y), true
	case y == 0 || math.IsInf(y, 0) || y != y:
		return f.Round(y), true
	}
	e := float64(y * float64(float64(units)*0x1p-53))
	lo, hi := f.Round(y-e), f.Round(y+e)
	return lo, lo == hi
}

// converge rounds to the format a number that can be computed to any
// precision and is not a midpoint of two values of the format.
func (f Format) converge(compute func(wide) *big.Float) float32 {
	for bits := uint(128); ; bits *= 2 {
		w := wide{bits + guard}
		y := compute(w)
		e := w.scale(y, -int(bits))
		lo, hi := f.Round(odd64(w.sub(y, e))), f.Round(odd64(w.add(y, e)))
		if lo == hi {
			return lo
		}
	}
}

// odd64 rounds y, which lies in the range of float64, to odd: one more rounding
// to a format of at most 51 bits then equals one rounding of y itself.
func odd64(y *big.Float) float64 {
	v, _ := new(big.Float).SetMode(big.ToZero).SetPrec(53).Set(y).Float64()
	if y.Cmp(new(big.Float).SetFloat64(v)) != 0 {
		v = math.Float64frombits(math.Float64bits(v) | 1)
	}
	return v
}
