package oracles

import (
	"fmt"
	"strings"
)

// Answer is what an oracle says of one output tensor: the exact value of each
// element and the error that the kernel's contract allows it.
//
// The rigorous bound of element i is the sum of its budget's terms. Its value
// is itself part of the verdict:
//
//	0     got must equal want (either zero will do)
//	> 0   |got − want| must not exceed it
//	+Inf  the contract promises nothing for this element
//	NaN   want is not finite and got must not be either, but which of NaN and ±Inf
//	      depends on an association that the contract leaves open
//
// Where want is NaN or ±Inf, got must be the same unless the bound is NaN or
// +Inf.
type Answer struct {
	Want   []float64
	Budget []Term    // of the rigorous bound, by origin
	Sigma  []float64 // standard deviation of the error for random inputs; nil if not derived
	Exact  bool      // compared bit for bit with want in the output's format; no budget
	Quiet  bool      // of an exact answer: where want is NaN, got must be a quiet one, of any payload
}

// Term is one origin of error.
type Term struct {
	Label string    // what it is, in the symbols of the oracle's doc
	Error []float64 // by output element
}

// Bound is the rigorous bound of element i.
func (a Answer) Bound(i int) float64 {
	var b float64
	for _, t := range a.Budget {
		b += t.Error[i]
	}
	return b
}

// Derivation is the bound of element i as the sum of its terms, for a reader.
// Terms that vanish are left out.
func (a Answer) Derivation(i int) string {
	if a.Exact {
		return "exact"
	}
	var parts []string
	for _, t := range a.Budget {
		if e := t.Error[i]; e != 0 {
			parts = append(parts, fmt.Sprintf("%.2g %s", e, t.Label))
		}
	}
	if len(parts) == 0 {
		return "0"
	}
	return strings.Join(parts, " + ")
}

// newAnswer makes room for n elements and the named terms.
func newAnswer(n int, labels ...string) Answer {
	a := Answer{Want: make([]float64, n)}
	for _, l := range labels {
		a.Budget = append(a.Budget, Term{Label: l, Error: make([]float64, n)})
	}
	return a
}

// set stores element i with one error for each term of the budget.
func (a Answer) set(i int, want float64, errs ...float64) {
	a.Want[i] = want
	for j, e := range errs {
		a.Budget[j].Error[i] = e
	}
}

// finite reports whether x is neither NaN nor infinite: Inf − Inf is NaN.
func finite(x float64) bool { return x-x == 0 }
