package ball

import "math"

// Where a compiler may reorder, distribute and factor sums and products, divide by reciprocals and
// join functions, a device evaluates some expression that is the same in exact arithmetic. What it
// may be off by then does not follow from the order of the source: (a + b) + c with a = −b loses
// nothing as written, and all of c as a + (b + c). It follows from four numbers that no such
// rewriting enlarges, where the expression is thought of as multiplied out, a sum of products of
// leaves:
//
//	M  the sum of the sizes of all terms
//	V  what errors of the leaves amount to, each term for itself
//	N  operations, and at least as many as any leaf passes on its way
//	S  the sum of |log₂| over the factors of a term, the largest
//	D  the factors of a term, the most, where more than two are as many as any
//
// Each operation multiplies what has come to it by 1 + δ, |δ| ≤ u, so that (Higham, Accuracy and
// Stability of Numerical Algorithms, section 3.1, for sums in any order, and lemma 3.1)
//
//	|v − X| ≤ V + γ_N·(M + V),  γ_N = N·u/(1 − N·u)
//
// as long as no product of some of the factors leaves the range, for which S ≤ 100 is enough, in bits, and no sum of
// some of the terms, for which M + V and that bound together are. A term of two factors has no other product than
// itself, which is in M; so S matters from the third one on, and where such terms are added up, whose common factor may
// be taken out: what it leaves is a sum that is in no M. Leaves are what expressions read: memory, results of other
// functions, of simdgroups and of choices; and every value with no tree.
//
// One thing is kept of what is written. A value that no operation has rounded is the same on every device that
// takes the source at its word: a decision on it, such as floor(x/y) of a multiple of y, is made as there
// ([Ball.AsWritten]), and a device that makes it otherwise relies on what safe math does not allow.
//
// A tree is carried in L, which double-double needs for itself.

// tree is an expression that is multiplied out.
type tree struct {
	size, off float64 // M and V
	ops, span int     // N and S
	factors   int     // D, from 1 to 3
}

// Limits of what a tree says.
const (
	mostOps  = 1<<16 - 1
	mostSpan = 100
	spanBits = 1<<9 - 1
	// factorsAt is where the factors stand above the span.
	factorsAt, mostFactors = 9, 3
	// unrounded is set next to the span where the value as written is exact.
	unrounded = 1 << 15
)

// gamma is γ_N.
func gamma(ops int) float64 {
	n := float64(float64(ops) * unit)
	return n / (1 - n)
}

// tree is that of a.
func (a Ball) tree() tree {
	if a.L == 0 {
		t := tree{size: math.Abs(a.X), off: a.E, factors: 1}
		if t.size > 0 {
			_, e := math.Frexp(t.size)
			t.span = max(e, 1-e)
		}
		return t
	}
	bits := math.Float64bits(a.L) &^ (1 << 63) // whoever negates a
	t := tree{size: float64(math.Float32frombits(uint32(bits >> 32))), ops: int(bits >> 16 & mostOps),
		span: int(bits & spanBits), factors: int(bits >> factorsAt & mostFactors)}
	g := gamma(t.ops)
	t.off = math.Max(0, (a.E-float64(g*t.size))/(1+g)*(1+Allowance))
	return t
}

// Leaf is a without its tree.
func (a Ball) Leaf() Ball {
	a.L = 0
	return a
}

// grown is a result y of operations as written, with the tree of what they may be rewritten to.
func (y Ball) grown(t tree) Ball {
	if !finite(y.X) || !y.Known() {
		return y.Leaf()
	}
	size := float64(float32(t.size * (1 + 0x1p-22)))
	g := gamma(t.ops)
	e := t.off + float64(g*(size+t.off)) + float64(float64(t.ops)*normal)
	switch {
	case t.ops > mostOps, !(size+e < largest) && t.ops > 1:
		return Unknown(y.X)
	case !(size+e < largest): // one operation is what is written; there may be no other on it
		size, e = math.Inf(1), 0
	}
	y.E = math.Max(y.E, e)
	y.L = math.Float64frombits(uint64(math.Float32bits(float32(size)))<<32 | uint64(t.ops)<<16 |
		uint64(t.factors)<<factorsAt | uint64(min(t.span, spanBits)))
	return y
}

func (t tree) plus(s tree) tree {
	r := tree{t.size + s.size, t.off + s.off, t.ops + s.ops + 1, max(t.span, s.span), max(t.factors, s.factors)}
	return r.within(1)
}

// within says nothing of an expression that may leave the range on the way, unless no term has more factors.
func (t tree) within(factors int) tree {
	if t.span > mostSpan && t.factors > factors {
		t.ops = mostOps + 1
	}
	return t
}

func (t tree) times(s tree) tree {
	off := float64(t.size*s.off) + float64(t.off*s.size) + float64(t.off*s.off)
	p := tree{float64(t.size * s.size), off, t.ops + s.ops + 1, t.span + s.span, min(t.factors+s.factors, mostFactors)}
	return p.within(2)
}

// AsWritten is a where the source decides: without an error if no operation has rounded it.
func (a Ball) AsWritten() Ball {
	if a.exact() {
		a.E = 0
	}
	return a.Leaf()
}

// exact reports whether a is the same on every device that evaluates what is written.
func (a Ball) exact() bool { return a.E == 0 || math.Float64bits(a.L)&unrounded != 0 }

// from is a result y of operands, with the mark of a value that is exact as written if it is one.
func (y Ball) from(of ...Ball) Ball {
	if y.L == 0 || float64(float32(y.X)) != y.X || y.X != 0 && math.Abs(y.X) < normal {
		return y
	}
	for _, a := range of {
		if !a.exact() {
			return y
		}
	}
	y.L = math.Float64frombits(math.Float64bits(y.L) | unrounded)
	return y
}

// ReorderedSum is the ball y of a sum or a difference, grown by what it may become where a compiler may rewrite it.
func ReorderedSum(y, a, b Ball) Ball { return y.grown(a.tree().plus(b.tree())).from(a, b) }

// ReorderedProduct is the same for the ball y of a product.
func ReorderedProduct(y, a, b Ball) Ball {
	return y.grown(a.tree().times(b.tree())).from(a, b)
}

// ReorderedFMA is the same for the ball y of a·b + c.
func ReorderedFMA(y, a, b, c Ball) Ball {
	return y.grown(a.tree().times(b.tree()).plus(c.tree())).from(a, b, c)
}

// someOps are more roundings than a function or a quotient has that a compiler puts in place of
// another: a reciprocal and a product, rsqrt for a root.
const someOps = 8

// ReorderedQuotient is a quotient by b, whose reciprocal is r. The factors of b may be taken apart: x/(y/z) is x·z/y,
// and the product may leave the range where y/z is near 1.
func ReorderedQuotient(y, a, b, r Ball) Ball {
	by, of := r.Leaf().tree(), b.tree()
	by.span, by.factors = max(by.span, of.span), of.factors
	t := a.tree().times(by)
	t.ops += someOps
	return y.grown(t).from(a, b)
}

// ReorderedRoot is a square root of a, which may be joined with others.
func ReorderedRoot(y, a Ball) Ball { return Joined(y).from(a) }

// Joined is the value of a function that may be joined with others: exp(x)·exp(y) is exp(x + y), whose
// argument is rounded, which changes it by u·|x + y| ≤ u·(|log exp(x)| + |log exp(y)|).
func Joined(y Ball) Ball {
	t := y.Leaf().tree()
	if !(t.size > 0) || !finite(t.size) {
		return y.Leaf()
	}
	t.ops = someOps + int(4*math.Abs(math.Log(t.size)))
	return y.grown(t)
}
