package scalar

import (
	"math"
	"math/big"
)

// powSlack bounds the error of e^(y·log x) in units of 2⁻⁵³: the
// exponent is at most 105 where the result is neither zero nor infinite, and off
// by 6 units of log and product, 105·6·2⁻⁵³, which is that relative error of the
// result: 630 units. The price of 2048 is one result in 2¹⁷ computed twice.
const powSlack = 2048

// powr returns x^y for x ≥ 0 as e^(y·log x), with the special cases of IEEE
// 754: NaN for negative x, for 0^0, Inf^0 and 1^±Inf.
func (f Format) powr(x, y float32) float32 {
	infinite := math.IsInf(float64(x), 0)
	switch {
	case x != x || y != y || x < 0:
		return quietNaN
	case y == 0 && (x == 0 || infinite):
		return quietNaN
	case x == 1 && math.IsInf(float64(y), 0):
		return quietNaN
	case x == 0 && y < 0:
		return float32(math.Inf(1))
	case x == 0:
		return 0
	}
	return f.pow(x, y)
}

// pow returns x^y with the special cases of IEEE 754: pow(x, ±0) = pow(1, y) =
// 1 for any x and y, NaN included; NaN for negative x and fractional y.
func (f Format) pow(x, y float32) float32 {
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return quietNaN
	}
	whole, odd := parity(y)
	a := float64(x)
	sign := 1.0
	if math.Signbit(a) {
		a = -a
		if odd {
			sign = -1
		}
	}
	switch yInf := math.IsInf(float64(y), 0); {
	case yInf && a == 1:
		return 1
	case a == 0 || math.IsInf(a, 1) || yInf:
		if (y > 0) == (a > 1) {
			return float32(math.Copysign(math.Inf(1), sign))
		}
		return float32(math.Copysign(0, sign))
	case x < 0 && !whole:
		return quietNaN
	case a == 1:
		return float32(sign)
	}
	return float32(math.Copysign(float64(f.powPositive(a, float64(y))), sign))
}

// powPositive is x^y for finite x > 0 other than 1 and finite y other than 0.
func (f Format) powPositive(x, y float64) float32 {
	p := exp64(float64(y * log64(x)))
	if f == F32 && roundableWithin(p, powSlack) {
		return float32(p)
	}
	if r, ok := f.decide(p, powSlack); ok {
		return r
	}
	if p, ok := exactPower(x, y); ok {
		return f.Round(p)
	}
	return f.converge(func(w wide) *big.Float { return w.pow(w.from(x), w.from(y)) })
}

// pow64 is x^y for finite x > 0, within powSlack.
func pow64(x, y float64) float64 {
	if x == 1 || y == 0 {
		return 1
	}
	return exp64(float64(y * log64(x)))
}

// parity reports whether y is an integer and whether it is odd; an infinity
// counts as even.
func parity(y float32) (whole, odd bool) {
	a := math.Abs(float64(y))
	if a >= 1<<24 {
		return true, false
	}
	n := int64(a)
	return float64(n) == a, float64(n) == a && n&1 != 0
}

// exactPower returns x^y where it is a number of at most 53 bits, as every
// midpoint of two float32 values is. With x = a·2^b, a odd, and y = c/2^d in lowest
// terms, x^y is a dyadic fraction only if a = 1 and b·y is an integer, or if y > 0
// and a is the 2^d-th power of an odd r ≥ 3 and b a multiple of 2^d; then
// x^y = r^c·2^(b·y), which has more than 53 bits for c > 33.
func exactPower(x, y float64) (float64, bool) {
	fraction, exp := math.Frexp(x)
	a := uint64(fraction * (1 << 53))
	b := exp - 53
	for a&1 == 0 {
		a, b = a>>1, b+1
	}
	exponent := float64(float64(b) * y) // at most 8 + 24 bits: exact
	if exponent != math.Trunc(exponent) || math.Abs(exponent) > 1000 {
		return 0, false
	}
	if a == 1 {
		return math.Ldexp(1, int(exponent)), true
	}
	if y < 0 || y > 33 {
		return 0, false
	}
	for y != math.Trunc(y) {
		root := uint64(math.Sqrt(float64(a)))
		if root*root != a {
			return 0, false
		}
		a, y = root, 2*y
	}
	p := uint64(1)
	for ; y > 0; y-- {
		if p > (1<<53)/a {
			return 0, false
		}
		p *= a
	}
	return math.Ldexp(float64(p), int(exponent)), true
}
