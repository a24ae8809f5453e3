package oracles

import (
	"maps"
	"math"
	"slices"
)

// order is a sum as an oracle forms it: what the oracle calls it, and the order
// of its terms.
type order struct {
	name string
	Schedule
}

// order is the sum called name, as the contract declares it.
func (c Contract) order(name string) order {
	if c.Watch != nil {
		c.Watch.asked[name] = true
	}
	return order{name, c.Sum(name)}
}

// inAnyOrder is a sum that no contract declares.
func inAnyOrder(name string) order { return order{name, AnyOrder()} }

// Watch follows the sums that an oracle forms while it answers once. Sums are
// known by their names and by their numbers: each name counts from 0. No
// decision that an oracle takes upon an error may change how many sums it forms,
// so that a sum has the same number in every answer to the same question.
type Watch struct {
	asked  map[string]bool
	counts map[string]int
	names  []string // in the order in which they were formed first

	pretend func(name string, number int) pretence // nil: as it is
	keep    bool                                   // an account of the sum of which nothing is known
	kept    Sum
}

// pretence is what an oracle is made to believe of one of its sums.
type pretence uint8

const (
	asItIs    pretence = iota
	unknown            // the kernel's sum may be anything
	unrounded          // the kernel adds without rounding: what remains are the errors of the terms
)

// NewWatch is a watch that lets every sum be.
func NewWatch() *Watch { return &Watch{asked: map[string]bool{}, counts: map[string]int{}} }

// Asked are the names of the sums whose order the oracle looked up in its
// contract, sorted.
func (w *Watch) Asked() []string { return slices.Sorted(maps.Keys(w.asked)) }

// formed is the kernel's sum y as the watch pretends that it is. inherited is
// the part of y's error that comes from its terms.
func (w *Watch) formed(o order, y approx, inherited float64, terms func() []float64) approx {
	number := w.counts[o.name]
	if number == 0 {
		w.names = append(w.names, o.name)
	}
	w.counts[o.name]++
	if w.pretend == nil {
		return y
	}
	inherited = min(inherited, y.e)
	switch w.pretend(o.name, number) {
	case unknown:
		if w.keep {
			w.kept = newSum(o, number, terms(), y)
		}
		return bounded(y.v, math.Inf(1))
	case unrounded:
		return bounded(y.v, inherited)
	}
	return y
}

// formed is the sum y of terms as the watch has it.
func (m *arithmetic) formed(o order, y approx, terms []approx) approx {
	if m.watch == nil {
		return y
	}
	var inherited float64
	for _, t := range terms {
		inherited += t.e
	}
	return m.watch.formed(o, y, inherited, func() []float64 { return values(terms) })
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
