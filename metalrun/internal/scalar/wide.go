package scalar

import "math/big"

// guard is the number of bits that the functions of wide may lose: with wide{p}
// their results have a relative error below 2^(guard-p). Each loses less than
// 32 bits: a few dozen roundings, and the squarings of exp.
const guard = 64

// wide evaluates functions with math/big in the given number of bits. It is
// slow and plain; only converge calls it.
type wide struct{ bits uint }

func (w wide) new() *big.Float                { return new(big.Float).SetPrec(w.bits) }
func (w wide) from(x float64) *big.Float      { return w.new().SetFloat64(x) }
func (w wide) int(n int64) *big.Float         { return w.new().SetInt64(n) }
func (w wide) add(x, y *big.Float) *big.Float { return w.new().Add(x, y) }
func (w wide) sub(x, y *big.Float) *big.Float { return w.new().Sub(x, y) }
func (w wide) mul(x, y *big.Float) *big.Float { return w.new().Mul(x, y) }
func (w wide) quo(x, y *big.Float) *big.Float { return w.new().Quo(x, y) }
func (w wide) sqrt(x *big.Float) *big.Float   { return w.new().Sqrt(x) }
func (w wide) neg(x *big.Float) *big.Float    { return w.new().Neg(x) }
func (w wide) wider(extra int) wide           { return wide{w.bits + uint(max(extra, 0))} }
func (w wide) negligible(t, s *big.Float) bool {
	return t.Sign() == 0 || exponent(t) < exponent(s)-int(w.bits)
}

// scale returns x·2ⁿ.
func (w wide) scale(x *big.Float, n int) *big.Float { return w.new().SetMantExp(x, n) }

// exponent is e with 2^(e-1) ≤ |x| < 2^e.
func exponent(x *big.Float) int { return x.MantExp(nil) }

// nearest returns x rounded to an integer, halves up.
func (w wide) nearest(x *big.Float) *big.Int {
	t := w.add(x, w.from(0.5))
	n, acc := t.Int(nil)
	if acc == big.Above { // Int truncates towards zero
		n.Sub(n, big.NewInt(1))
	}
	return n
}

// series returns Σ first·ratio(1)·…·ratio(n)·power^n, n ≥ 0, where step
// multiplies a term into the next; terms must fall at least by half.
func (w wide) series(first *big.Float, step func(t *big.Float, n int64) *big.Float) *big.Float {
	sum, t := w.new().Set(first), first
	for n := int64(1); ; n++ {
		if t = step(t, n); w.negligible(t, sum) {
			return sum
		}
		sum = w.add(sum, t)
	}
}

// atanhInverse returns atanh(1/n) = Σ 1/((2k+1)·n^(2k+1)).
func (w wide) atanhInverse(n int64) *big.Float { return w.inverseSeries(n, 1) }

// inverseSeries returns Σ sign^k/((2k+1)·n^(2k+1)): atanh(1/n) for sign = 1,
// atan(1/n) for sign = -1.
func (w wide) inverseSeries(n, sign int64) *big.Float {
	power := w.quo(w.int(1), w.int(n))
	return w.series(power, func(_ *big.Float, k int64) *big.Float {
		power = w.quo(power, w.int(sign*n*n))
		return w.quo(power, w.int(2*k+1))
	})
}

// pi is Machin's 16 atan(1/5) - 4 atan(1/239).
func (w wide) pi() *big.Float {
	return w.sub(w.mul(w.int(16), w.inverseSeries(5, -1)), w.mul(w.int(4), w.inverseSeries(239, -1)))
}

// ln2 is 18 atanh(1/26) - 2 atanh(1/4801) + 8 atanh(1/8749).
func (w wide) ln2() *big.Float {
	s := w.mul(w.int(18), w.atanhInverse(26))
	s = w.sub(s, w.mul(w.int(2), w.atanhInverse(4801)))
	return w.add(s, w.mul(w.int(8), w.atanhInverse(8749)))
}

func (w wide) ln10() *big.Float { return w.log(w.int(10)) }
