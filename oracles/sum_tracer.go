package oracles

import (
	"maps"
	"math"
	"slices"
)

// SumTracer follows the sums that an oracle forms in one answer. A sum is known
// by its name and its number: each name counts from 0. No decision that an oracle
// bases on an error may change how many sums it forms, so that a sum has the same
// number in every answer to the same question.
type SumTracer struct {
	asked      map[string]bool
	operations [operations]bool // whose form was asked for
	counts     map[string]int
	names      []string // in the order in which they were formed first

	perturb func(name string, number int) perturbation // nil: as it is
	keep    bool                                       // account for the unknown sum
	kept    Sum
}

// perturbation is what a tracer changes about one of an oracle's sums.
type perturbation uint8

const (
	asItIs    perturbation = iota
	unknown                // the kernel's sum may be anything
	unrounded              // the kernel adds without rounding: what remains are the errors of the terms
)

// NewSumTracer is a tracer that perturbs no sum.
func NewSumTracer() *SumTracer { return &SumTracer{asked: map[string]bool{}, counts: map[string]int{}} }

// Asked are the names of the sums whose order the oracle looked up in its
// contract, sorted.
func (t *SumTracer) Asked() []string { return slices.Sorted(maps.Keys(t.asked)) }

// Operations are those whose form the oracle looked up in its contract.
func (t *SumTracer) Operations() []Operation {
	var list []Operation
	for o, asked := range t.operations {
		if asked {
			list = append(list, Operation(o))
		}
	}
	return list
}

// formed is the kernel's sum y as the tracer perturbs it. inherited is the part of
// y's error that comes from its terms.
func (t *SumTracer) formed(o order, y approx, inherited float64, terms func() []float64) approx {
	number := t.counts[o.name]
	if number == 0 {
		t.names = append(t.names, o.name)
	}
	t.counts[o.name]++
	if t.perturb == nil {
		return y
	}
	inherited = min(inherited, y.e)
	switch t.perturb(o.name, number) {
	case unknown:
		if t.keep {
			t.kept = newSum(o, number, terms(), y)
		}
		return bounded(y.v, math.Inf(1))
	case unrounded:
		return bounded(y.v, inherited)
	}
	return y
}

// formed is the sum y of terms as the tracer has it.
func (m *arithmetic) formed(o order, y approx, terms []approx) approx {
	if m.tracer == nil {
		return y
	}
	var inherited float64
	for _, t := range terms {
		inherited += t.e
	}
	return m.tracer.formed(o, y, inherited, func() []float64 { return values(terms) })
}

// values are the exact values of numbers.
func values(numbers []approx) []float64 {
	v := make([]float64, len(numbers))
	for i, a := range numbers {
		v[i] = a.v
	}
	return v
}

// termwise are the products aᵢ·bᵢ.
func termwise(a, b []float64) []float64 {
	p := make([]float64, len(a))
	for i, x := range a {
		p[i] = x * b[i]
	}
	return p
}
