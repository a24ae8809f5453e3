package exact

import (
	"math"
	"math/big"

	"metalconform/oracles"
)

// precision is that of a number, in bits: 200 of them may cancel before a float64
// notices.
const precision = 256

// number is a real number to 256 bits. Operations leave their operands alone.
type number struct{ *big.Float }

func empty() *big.Float { return new(big.Float).SetPrec(precision) }

// num is x.
func num(x float64) number { return number{empty().SetFloat64(x)} }

// nums are all of x.
func nums(x []float64) []number {
	y := make([]number, len(x))
	for i, v := range x {
		y[i] = num(v)
	}
	return y
}

// digits is a constant from its decimal digits.
func digits(text string) number {
	x, ok := empty().SetString(text)
	if !ok {
		panic("exact: not a number: " + text)
	}
	return number{x}
}

func (x number) plus(y number) number  { return number{empty().Add(x.Float, y.Float)} }
func (x number) minus(y number) number { return number{empty().Sub(x.Float, y.Float)} }
func (x number) times(y number) number { return number{empty().Mul(x.Float, y.Float)} }
func (x number) over(y number) number  { return number{empty().Quo(x.Float, y.Float)} }
func (x number) root() number          { return number{empty().Sqrt(x.Float)} }
func (x number) negated() number       { return number{empty().Neg(x.Float)} }

// scaled is x·2^e.
func (x number) scaled(e int) number { return number{empty().SetMantExp(x.Float, e)} }

// isZero reports whether x is 0.
func (x number) isZero() bool { return x.Sign() == 0 }

// larger is the larger of x and y.
func (x number) larger(y number) number {
	if x.Cmp(y.Float) < 0 {
		return y
	}
	return x
}

// nearest is the integer nearest to x, ties to even, for |x| < 2⁶².
func (x number) nearest() number {
	const shift = 0x1.8p64 // in the binade whose neighbours of 65 bits are 1 apart
	s := new(big.Float).SetPrec(65).SetFloat64(shift)
	s.Add(s, x.Float)
	return number{empty().Sub(s, num(shift).Float)}
}

// to is x rounded to a format, ties to even, by definition.
func (x number) to(f oracles.Format) number {
	if x.isZero() || x.IsInf() {
		return x
	}
	e := max(x.MantExp(nil)-1, f.MinExponent()) - f.Precision() + 1
	y := x.scaled(-e).nearest().scaled(e)
	if empty().Abs(y.Float).Cmp(num(f.Max()).Float) > 0 {
		return num(math.Inf(x.Sign()))
	}
	return y
}

// sumOf is Σ term(i) for i < n.
func sumOf(n int, term func(i int) number) number {
	s := empty()
	for i := range n {
		s.Add(s, term(i).Float)
	}
	return number{s}
}

// innerOf is Σ aᵢ·bᵢ.
func innerOf(a, b []float64) number { return sumOfProducts(len(a), reading(a), reading(b)) }

// innerNumbers is Σ aᵢ·bᵢ over the elements of a.
func innerNumbers(a []number, b []float64) number {
	return sumOfProducts(len(a), held(a), reading(b))
}

// sumOfProducts is Σ aᵢ·bᵢ for i < n. It is nearly all that references do, and makes
// no number but the sum.
func sumOfProducts(n int, a, b func(i int) *big.Float) number {
	s, product := empty(), empty()
	for i := range n {
		s.Add(s, product.Mul(a(i), b(i)))
	}
	return number{s}
}

// reading are the elements of x, each until the next is read.
func reading(x []float64) func(i int) *big.Float {
	y := empty()
	return func(i int) *big.Float { return y.SetFloat64(x[i]) }
}

// held are the elements of x.
func held(x []number) func(i int) *big.Float {
	return func(i int) *big.Float { return x[i].Float }
}

// addProducts adds a·bⱼ to each xⱼ, which no one else may hold.
func addProducts(x []number, a number, b func(i int) *big.Float) {
	product := empty()
	for j := range x {
		x[j].Add(x[j].Float, product.Mul(a.Float, b(j)))
	}
}

// multiply multiplies each xⱼ, which no one else may hold, by a.
func multiply(x []number, a number) {
	for j := range x {
		x[j].Mul(x[j].Float, a.Float)
	}
}

// Constants, from more decimal digits than 256 bits have.
var (
	ln2 = digits(
		"0.693147180559945309417232121458176568075500134360255254120680009493393621969694715605863326996418687",
	)
	halfPi = digits(
		"1.57079632679489661923132169163975144209858469968755291048747229615390820314310449931401741267105853399",
	)
)

// exp is eˣ. With x = k·ln 2 + r it is 2ᵏ·(e^{r/2ˢ})^{2ˢ}, the inner exponential
// by Taylor's series. Beyond ±10⁶ it is taken to be ∞ or 0.
func (x number) exp() number {
	const limit, halvings = 1e6, 24
	switch {
	case x.isZero():
		return num(1)
	case x.Cmp(num(limit).Float) > 0:
		return num(math.Inf(1))
	case x.Cmp(num(-limit).Float) < 0:
		return num(0)
	}
	k := x.over(ln2).nearest()
	y := series(x.minus(k.times(ln2)).scaled(-halvings))
	for range halvings {
		y = y.times(y)
	}
	e, _ := k.Int64()
	return y.scaled(int(e))
}

// series is Σ xⁿ/n! to the end of the precision, for small x.
func series(x number) number {
	sum, term := num(1), num(1)
	for n := 1; ; n++ {
		term = term.times(x).over(num(float64(n)))
		if negligible(term, sum) {
			return sum
		}
		sum = sum.plus(term)
	}
}

// negligible reports whether a term no longer changes a sum.
func negligible(term, sum number) bool {
	return term.isZero() || term.MantExp(nil) < sum.MantExp(nil)-precision
}

// log1p is ln(1 + x) for 0 ≤ x ≤ 1, as 2·artanh(x/(2 + x)) by its series.
func (x number) log1p() number {
	if x.isZero() {
		return x
	}
	z := x.over(num(2).plus(x))
	square, power, sum := z.times(z), z, num(0)
	for n := 1; ; n += 2 {
		term := power.over(num(float64(n)))
		if n > 1 && negligible(term, sum) {
			return sum.scaled(1)
		}
		sum, power = sum.plus(term), power.times(square)
	}
}

// softplus is ln(1 + eˣ) = max(x, 0) + ln(1 + e^{−|x|}).
func (x number) softplus() number {
	tail := number{empty().Neg(empty().Abs(x.Float))}.exp().log1p()
	return x.larger(num(0)).plus(tail)
}

// sigmoid is 1/(1 + e^{−x}).
func (x number) sigmoid() number { return num(1).over(num(1).plus(x.negated().exp())) }

// silu is x·sigmoid(x).
func (x number) silu() number { return x.times(x.sigmoid()) }

// sincos is sin x and cos x: by Taylor's series after taking away a multiple of
// π/2, which costs as many bits as the multiple has.
func (x number) sincos() (sin, cos number) {
	k := x.over(halfPi).nearest()
	r := x.minus(k.times(halfPi))
	if r.isZero() {
		sin, cos = r, num(1)
	} else {
		square := r.times(r).negated()
		sin, cos = alternating(r, square, 1), alternating(num(1), square, 0)
	}
	turns, _ := k.Int64()
	switch turns & 3 {
	case 1:
		return cos, sin.negated()
	case 2:
		return sin.negated(), cos.negated()
	case 3:
		return cos.negated(), sin
	}
	return sin, cos
}

// alternating is first·(1 + s/((n+1)(n+2)) + …), a series of every other term.
func alternating(first, square number, n int) number {
	sum, term := first, first
	for {
		term = term.times(square).over(num(float64((n + 1) * (n + 2))))
		n += 2
		if negligible(term, sum) {
			return sum
		}
		sum = sum.plus(term)
	}
}
