package scalar

import "math/big"

// sincos reduces x by multiples of π/2, with as many more bits of π as x has
// before its binary point and as the difference may lose.
func (w wide) sincos(x *big.Float) (sin, cos *big.Float) {
	v := w.wider(2*max(exponent(x), 0) + 64)
	half := v.scale(v.pi(), -1)
	k := v.nearest(v.quo(x, half))
	r := v.sub(x, v.mul(v.new().SetInt(k), half))
	sin, cos = w.sincosNearZero(r)
	switch new(big.Int).And(k, big.NewInt(3)).Int64() {
	case 1:
		return cos, w.neg(sin)
	case 2:
		return w.neg(sin), w.neg(cos)
	case 3:
		return w.neg(cos), sin
	}
	return sin, cos
}

// sincosNearZero sums the Taylor series for |r| < 1.
func (w wide) sincosNearZero(r *big.Float) (sin, cos *big.Float) {
	minus := w.neg(w.mul(r, r))
	sin = w.series(r, func(t *big.Float, n int64) *big.Float {
		return w.quo(w.mul(t, minus), w.int(2*n*(2*n+1)))
	})
	cos = w.series(w.int(1), func(t *big.Float, n int64) *big.Float {
		return w.quo(w.mul(t, minus), w.int(2*n*(2*n-1)))
	})
	return sin, cos
}

func (w wide) sin(x *big.Float) *big.Float { s, _ := w.sincos(x); return s }
func (w wide) cos(x *big.Float) *big.Float { _, c := w.sincos(x); return c }
func (w wide) tan(x *big.Float) *big.Float { s, c := w.sincos(x); return w.quo(s, c) }

// sincospi is sin πx and cos πx: x is reduced by multiples of 1/2 exactly.
func (w wide) sincospi(x *big.Float) (sin, cos *big.Float) {
	k := w.nearest(w.scale(x, 1))
	r := w.sub(x, w.scale(w.new().SetInt(k), -1))
	sin, cos = w.sincosNearZero(w.mul(r, w.pi()))
	switch new(big.Int).And(k, big.NewInt(3)).Int64() {
	case 1:
		return cos, w.neg(sin)
	case 2:
		return w.neg(sin), w.neg(cos)
	case 3:
		return w.neg(cos), sin
	}
	return sin, cos
}

func (w wide) sinpi(x *big.Float) *big.Float { s, _ := w.sincospi(x); return s }
func (w wide) cospi(x *big.Float) *big.Float { _, c := w.sincospi(x); return c }
func (w wide) tanpi(x *big.Float) *big.Float { s, c := w.sincospi(x); return w.quo(s, c) }

// atan halves the angle until |x| < 2⁻³: atan x = 2 atan(x/(1+√(1+x²))).
func (w wide) atan(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return x
	}
	one, halvings := w.int(1), 0
	for ; exponent(x) > -3; halvings++ {
		x = w.quo(x, w.add(one, w.sqrt(w.add(one, w.mul(x, x)))))
	}
	minus, power := w.neg(w.mul(x, x)), x
	y := w.series(x, func(_ *big.Float, n int64) *big.Float {
		power = w.mul(power, minus)
		return w.quo(power, w.int(2*n+1))
	})
	return w.scale(y, halvings)
}

// atan2 is the angle of the point (x, y), x and y not both zero.
func (w wide) atan2(y, x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return w.scale(w.mul(w.int(int64(y.Sign())), w.pi()), -1)
	}
	a := w.atan(w.quo(y, x))
	switch {
	case x.Sign() > 0:
		return a
	case y.Signbit():
		return w.sub(a, w.pi())
	}
	return w.add(a, w.pi())
}

// complement is √(1-x²); the product is exact enough near 1 as a product of
// two exact differences.
func (w wide) complement(x *big.Float) *big.Float {
	v := w.wider(64)
	return w.sqrt(w.mul(v.sub(w.int(1), x), v.add(w.int(1), x)))
}

func (w wide) asin(x *big.Float) *big.Float { return w.atan2(x, w.complement(x)) }
func (w wide) acos(x *big.Float) *big.Float { return w.atan2(w.complement(x), x) }
