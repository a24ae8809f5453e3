package scalar

import "math/big"

// exp: x = k·ln 2 + 2⁸·r, so that e^x = 2^k·(e^r)^256 with |r| < 2⁻⁹.
func (w wide) exp(x *big.Float) *big.Float {
	w = w.wider(exponent(x) + 16)
	ln2 := w.ln2()
	k := w.nearest(w.quo(x, ln2))
	r := w.scale(w.sub(x, w.mul(w.new().SetInt(k), ln2)), -8)
	y := w.series(w.int(1), func(t *big.Float, n int64) *big.Float {
		return w.quo(w.mul(t, r), w.int(n))
	})
	for range 8 {
		y = w.mul(y, y)
	}
	return w.scale(y, int(k.Int64()))
}

func (w wide) exp2(x *big.Float) *big.Float {
	w = w.wider(exponent(x))
	return w.exp(w.mul(x, w.ln2()))
}

func (w wide) exp10(x *big.Float) *big.Float {
	w = w.wider(exponent(x) + 8)
	return w.exp(w.mul(x, w.ln10()))
}

// log: x = m·2^e with m in [3/4, 3/2), so that nothing cancels near 1.
func (w wide) log(x *big.Float) *big.Float {
	m := w.new()
	e := x.MantExp(m) // m in [1/2, 1)
	if m.Cmp(w.from(0.75)) < 0 {
		m, e = w.scale(m, 1), e-1
	}
	s := w.log1p(w.sub(m, w.int(1)))
	if e == 0 {
		return s
	}
	return w.add(s, w.mul(w.int(int64(e)), w.ln2()))
}

// log1p is log(1+u) for u > -1/2. Near zero it is 2 atanh(u/(2+u)).
func (w wide) log1p(u *big.Float) *big.Float {
	if u.Sign() == 0 {
		return u
	}
	if u.Cmp(w.from(0.5)) >= 0 {
		return w.log(w.add(u, w.int(1)))
	}
	t := w.quo(u, w.add(w.int(2), u))
	t2, power := w.mul(t, t), w.scale(t, 1)
	return w.series(power, func(_ *big.Float, n int64) *big.Float {
		power = w.mul(power, t2)
		return w.quo(power, w.int(2*n+1))
	})
}

func (w wide) log2(x *big.Float) *big.Float  { return w.quo(w.log(x), w.ln2()) }
func (w wide) log10(x *big.Float) *big.Float { return w.quo(w.log(x), w.ln10()) }

// sinh sums its Taylor series near zero, where e^x - e^-x cancels.
func (w wide) sinh(x *big.Float) *big.Float {
	if exponent(x) > 0 {
		e := w.exp(x)
		return w.scale(w.sub(e, w.quo(w.int(1), e)), -1)
	}
	x2 := w.mul(x, x)
	return w.series(x, func(t *big.Float, n int64) *big.Float {
		return w.quo(w.mul(t, x2), w.int(2*n*(2*n+1)))
	})
}

func (w wide) cosh(x *big.Float) *big.Float {
	e := w.exp(x)
	return w.scale(w.add(e, w.quo(w.int(1), e)), -1)
}

func (w wide) tanh(x *big.Float) *big.Float { return w.quo(w.sinh(x), w.cosh(x)) }

// asinh |x| = log1p(|x| + x²/(1+√(1+x²))).
func (w wide) asinh(x *big.Float) *big.Float {
	a, one := w.new().Abs(x), w.int(1)
	x2 := w.mul(x, x)
	y := w.log1p(w.add(a, w.quo(x2, w.add(one, w.sqrt(w.add(one, x2))))))
	if x.Signbit() {
		return w.neg(y)
	}
	return y
}

// acosh x = log1p(t + √(t(t+2))), t = x-1.
func (w wide) acosh(x *big.Float) *big.Float {
	t := w.wider(160).sub(x, w.int(1))
	return w.log1p(w.add(t, w.sqrt(w.mul(t, w.add(t, w.int(2))))))
}

// atanh |x| = log1p(2|x|/(1-|x|))/2.
func (w wide) atanh(x *big.Float) *big.Float {
	a := w.new().Abs(x)
	y := w.scale(w.log1p(w.quo(w.scale(a, 1), w.wider(160).sub(w.int(1), a))), -1)
	if x.Signbit() {
		return w.neg(y)
	}
	return y
}

// pow is x^y for positive x other than 1.
func (w wide) pow(x, y *big.Float) *big.Float {
	v := w.wider(16)
	return w.exp(v.mul(y, v.log(x)))
}

func (w wide) rsqrt(x *big.Float) *big.Float { return w.quo(w.int(1), w.sqrt(x)) }
