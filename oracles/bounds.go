package oracles

import "math"

// Bounds computes as a kernel under a contract does, for definitions that give bounds of their own: every number is
// the exact value, and how far any kernel that keeps the contract may be from it.
type Bounds struct {
	of Contract
	m  *arithmetic
}

// Bounds is arithmetic under the contract.
func (c Contract) Bounds() *Bounds { return &Bounds{c, c.arithmetic()} }

// Bounded is an exact value with its bound.
type Bounded struct{ approx }

// Exactly is a number that the kernel has without an error, such as an element of an input.
func Exactly(x float64) Bounded { return Bounded{exactly(x)} }

// Value is the exact value.
func (b Bounded) Value() float64 { return b.v }

// Error is how far the kernel may be from it.
func (b Bounded) Error() float64 { return b.e }

// Add is x + y.
func (b *Bounds) Add(x, y Bounded) Bounded { return Bounded{b.m.add(x.approx, y.approx)} }

// Sub is x − y.
func (b *Bounds) Sub(x, y Bounded) Bounded { return Bounded{b.m.sub(x.approx, y.approx)} }

// Mul is x·y.
func (b *Bounds) Mul(x, y Bounded) Bounded { return Bounded{b.m.mul(x.approx, y.approx)} }

// Div is x/y.
func (b *Bounds) Div(x, y Bounded) Bounded { return Bounded{b.m.div(x.approx, y.approx)} }

// Rsqrt is 1/√x.
func (b *Bounds) Rsqrt(x Bounded) Bounded { return Bounded{b.m.rsqrt(x.approx)} }

// Exp is eˣ.
func (b *Bounds) Exp(x Bounded) Bounded { return Bounded{b.m.exp(x.approx)} }

// Log is ln x.
func (b *Bounds) Log(x Bounded) Bounded { return Bounded{b.m.log(x.approx)} }

// Sigmoid is 1/(1 + e⁻ˣ).
func (b *Bounds) Sigmoid(x Bounded) Bounded { return Bounded{b.m.sigmoid(x.approx)} }

// Sum is the sum of terms, in the order that the contract has under the name.
func (b *Bounds) Sum(name string, terms ...Bounded) Bounded {
	list := make([]approx, len(terms))
	for i, t := range terms {
		list[i] = t.approx
	}
	return Bounded{b.m.independentSum(b.of.order(name), list)}
}

// Stored is x as an output in a narrower format than the kernel computes in has it.
func (b *Bounds) Stored(f Format, x Bounded) Bounded {
	if !finite(x.v) || !finite(x.e) || math.Abs(x.v)+x.e > f.Max() {
		return Bounded{bounded(x.v, math.Inf(1))}
	}
	own := float64(f.UnitRoundoff()*(math.Abs(x.v)+x.e)) + float64(f.SmallestSubnormal()/2)
	x.e += own
	x.systematic += own
	return x
}

// Answer is the answer of the numbers, an element each.
func (b *Bounds) Answer(numbers ...Bounded) Answer {
	a := newAnswer(len(numbers), "roundings")
	for i, x := range numbers {
		a.give(i, x.approx)
	}
	return a
}
