package oracles

import (
	"fmt"
	"math"
	"math/big"
)

// Answer is what an oracle says of one output tensor: the exact value of each
// element and the error that the kernel's contract allows it.
//
// The rigorous bound of element i is the sum of its budget's terms. Its value
// is itself part of the verdict:
//
//	0     got must equal want (either zero will do, unless the answer is Signed)
//	> 0   |got − want| must not exceed it
//	+Inf  the contract promises nothing for this element
//	NaN   want is not finite and got must not be either, but which of NaN and ±Inf
//	      depends on an association that the contract leaves open
//
// Where want is NaN or ±Inf, got must be the same unless the bound is NaN or
// +Inf.
//
// The statistical bound is for random inputs, whose roundings are independent:
// see [Answer.Statistical].
type Answer struct {
	Want   []float64
	Budget []Term // of the rigorous bound, by origin
	Exact  bool   // compared bit for bit with want in the output's format; no budget
	Quiet  bool   // of an exact answer: where want is NaN, got must be a quiet one, of any payload
	Signed bool   // of one operation alone: where the bound is 0, a zero has the sign of want

	// Plain says that the definition is all there is: no budget. It needs a run with exact execution,
	// which knows what any device that Metal permits may be off by: an element has to lie
	// within that, and what the kernel computes in exact arithmetic has to be want. Integers
	// have to be want.
	Plain bool
	// Unrounded says of a plain answer that the definition rounds nothing: if Want has only numbers of the output's
	// format, that is by accident.
	Unrounded bool
	// Integers says of a plain answer that it was computed from integers by operations on integers alone: no rounding
	// on the way is part of the definition.
	Integers bool
	// Words are the integers of an output of 64 bits, in two's complement; nil where Want has them as they are.
	Words []uint64
	// Stored is the format in which another implementation of the definition has stored want,
	// of a plain answer: want is off itself by as much as any device may be, and by two roundings to the format.
	// nil: want is the definition's.
	Stored *Format

	// BudgetOnly says that the budget decides and nothing else: what exact execution knows is not asked.
	BudgetOnly bool

	// Any has the elements that may be anything, unwritten too; nil: none.
	Any []bool

	// Scale is Σ|terms| of each element that is one sum, or one times a number or over one,
	// and |want| of one that is a product; nil where elements are neither. Errors
	// are shown in units of it.
	Scale []float64

	// Even has the elements whose exact value a kernel has before it rounds it to the
	// output's format, and which lies just between two numbers of that: got has to be
	// the even one, though the bound allows both.
	Even map[int]bool

	// Of the statistical bound, by element; nil if none was derived.
	Sigma      []float64 // standard deviation of what roundings add up to
	Systematic []float64 // bound on the rest: what does not average out
}

// Term is one origin of error.
type Term struct {
	Label string    // what it is, in the symbols of the oracle's doc
	Error []float64 // by output element
}

// Bound is the rigorous bound of element i.
func (a *Answer) Bound(i int) float64 {
	var b float64
	for j := range a.Budget {
		b += a.Budget[j].Error[i]
	}
	return b
}

// What the statistical bounds of all elements promise together: that sweeps every night of
// a year, each with so many elements of random inputs, raise a false alarm with a
// probability of at most FalseAlarms.
const (
	FalseAlarms     = 1e-3
	Nights          = 365
	NightlyElements = 1_000_000_000
)

// deviations is the number z of standard deviations in a statistical bound that keeps the
// promise. The rounding of a number is uniform on an interval, and
//
//	E[e^{λδ}] = sinh(a)/a ≤ e^{a²/6} = e^{λ²σ²/2},   a = λ·√3·σ,
//
// so that a sum of independent roundings exceeds zσ with a probability of at most
// 2·e^{−z²/2} (Chernoff's bound; no normal distribution is assumed), and all n of a year
// together with at most n times as much (Bonferroni's):
//
//	z = √(2·ln(2·n/FalseAlarms)),   n = Nights·NightlyElements
const deviations = 8.3

// Free reports whether element i may be anything.
func (a *Answer) Free(i int) bool { return i < len(a.Any) && a.Any[i] }

// Permuted is the answer whose element i is the one at order[i].
func (a Answer) Permuted(order []int) Answer {
	pick := func(list []float64) []float64 {
		if list == nil {
			return nil
		}
		r := make([]float64, len(order))
		for i, at := range order {
			r[i] = list[at]
		}
		return r
	}
	p := a
	p.Want, p.Scale, p.Sigma, p.Systematic = pick(a.Want), pick(a.Scale), pick(a.Sigma), pick(a.Systematic)
	p.Budget, p.Any, p.Even = nil, nil, nil
	for _, t := range a.Budget {
		p.Budget = append(p.Budget, Term{t.Label, pick(t.Error)})
	}
	for i, at := range order {
		if a.Free(at) {
			if p.Any == nil {
				p.Any = make([]bool, len(order))
			}
			p.Any[i] = true
		}
		if a.Even[at] {
			if p.Even == nil {
				p.Even = map[int]bool{}
			}
			p.Even[i] = true
		}
	}
	return p
}

// Statistical is the sharper of the rigorous bound of element i and
//
//	Systematic + 8.3·Sigma,
//
// which roundings of random inputs exceed with a probability that [FalseAlarms] bounds. A rigorous bound
// of 0, +Inf or NaN is a verdict of its own and stays. ok tells whether the
// oracle has derived a statistical bound; without one the rigorous is returned.
func (a *Answer) Statistical(i int) (bound float64, ok bool) { return a.Sharper(i, a.Bound(i)) }

// Sharper is [Answer.Statistical] for callers that already have the rigorous bound
// of element i.
func (a *Answer) Sharper(i int, rigorous float64) (bound float64, ok bool) {
	if i >= len(a.Sigma) || i >= len(a.Systematic) {
		return rigorous, false
	}
	if s := a.Systematic[i] + float64(deviations*a.Sigma[i]); s < rigorous && !math.IsInf(rigorous, 1) {
		return s, true
	}
	return rigorous, true
}

// Part is what one origin adds to the bound of an element.
type Part struct {
	Label string
	Error float64
}

// Parts are the terms of the rigorous bound of element i, for a reader.
func (a *Answer) Parts(i int) []Part {
	parts := make([]Part, len(a.Budget))
	for j, t := range a.Budget {
		parts[j] = Part{t.Label, t.Error[i]}
	}
	return parts
}

// StatisticalParts are the two terms of Systematic + 8.3·Sigma of element i, for a
// reader, whether or not their sum is the sharper bound.
func (a *Answer) StatisticalParts(i int) []Part {
	return []Part{{"systematic", a.Systematic[i]},
		{fmt.Sprintf("roundings (%gσ)", deviations), deviations * a.Sigma[i]}}
}

// newAnswer makes room for n elements, the named terms and a statistical bound.
func newAnswer(n int, labels ...string) Answer {
	a := newRigorousAnswer(n, labels...)
	a.Sigma, a.Systematic = make([]float64, n), make([]float64, n)
	return a
}

// ofSums is the answer with room for the scale of each element.
func (a Answer) ofSums() Answer {
	a.Scale = make([]float64, len(a.Want))
	return a
}

// ofProducts is the answer whose elements are products, each with its own magnitude for a
// scale.
func (a Answer) ofProducts() Answer {
	a = a.ofSums()
	for i, want := range a.Want {
		a.Scale[i] = math.Abs(want)
	}
	return a
}

// newRigorousAnswer makes room for n elements and the named terms.
func newRigorousAnswer(n int, labels ...string) Answer {
	a := Answer{Want: make([]float64, n), Even: map[int]bool{}}
	for _, l := range labels {
		a.Budget = append(a.Budget, Term{Label: l, Error: make([]float64, n)})
	}
	return a
}

// set stores element i with one error for each term of the budget. All of it is
// systematic until [Answer.setMoments] knows better. An error of NaN, as 0·∞ makes
// one, is open where want is finite.
func (a *Answer) set(i int, want float64, errs ...float64) {
	a.Want[i] = want
	var total float64
	for j, e := range errs {
		if math.IsNaN(e) && finite(want) {
			e = math.Inf(1)
		}
		a.Budget[j].Error[i] = e
		total += e
	}
	if a.Systematic != nil {
		a.Sigma[i], a.Systematic[i] = 0, total
	}
}

// setParts stores element i with a total error that is divided into the given
// parts and a remainder, the last term of the budget. A total that is 0 or
// infinite is all remainder; a part of which nothing is known is all that is left, as
// that of a sum that was unbounded before its weight vanished.
func (a *Answer) setParts(i int, want, total float64, parts ...float64) {
	a.set(i, want)
	rest := total
	if total > 0 && !math.IsInf(total, 1) {
		for j, p := range parts {
			if !(p <= rest) {
				p = rest
			}
			a.Budget[j].Error[i] = p
			rest -= p
		}
	}
	a.Budget[len(parts)].Error[i] = rest
	a.Systematic[i] = total
}

// setMoments stores how the error of element i comes about.
func (a *Answer) setMoments(i int, s moments) {
	a.Sigma[i], a.Systematic[i] = math.Sqrt(s.variance), s.systematic
}

// give stores element i as the kernel's y, with its error as the only term.
func (a *Answer) give(i int, y approx) {
	a.set(i, y.v, y.e)
	a.setMoments(i, y.moments)
}

// finite reports whether x is neither NaN nor infinite: Inf − Inf is NaN.
func finite(x float64) bool { return x-x == 0 }

// Reference is a high-precision reference of one output: the exact value of its
// element i, to many more digits than float64 has. It referees an oracle; package
// exact has one for each.
//
// It panics with [big.ErrNaN] where the value is NaN.
type Reference func(i int) *big.Float
