package oracles

import "math"

// Trace finds the sums that element i of an answer depends on. It does not look
// them up but probes: it asks the oracle again and again, perturbs other sums each
// time, and sees whether the element's bound moves. An element whose bound is not
// finite depends on nothing.
//
// Sums are found by halving: an element that depends on k of n sums takes about
// k·log₂(n/k) answers, up to mostFound.
func Trace(ask func(*SumTracer) Answer, i int) []SumsNamed {
	tracer := NewSumTracer()
	t := &prober{ask: ask, plain: ask(tracer), element: i}
	if t.bound = t.plain.Bound(i); t.plain.Exact || !finite(t.bound) {
		return nil
	}
	var list []SumsNamed
	for _, name := range tracer.names {
		if n := tracer.counts[name]; t.dependsOn(name, 0, n) {
			list = append(list, t.named(name, n))
		}
	}
	return list
}

// SumsNamed are the sums of one name that an element of an answer depends on: if
// any of them were unknown, the element's bound would be infinite.
type SumsNamed struct {
	Name   string
	Formed int   // by the oracle in all
	Found  []int // numbers of those that the element depends on, the first mostFound of them
	More   bool  // there may be more of them

	Error, Share       float64 // what the bound would lose if none of them rounded, and that as a fraction
	Sum                Sum     // that contributes most
	OwnError, OwnShare float64 // what the bound would lose if only Sum did not round
	Elements           int     // of the answer that depend on Sum
}

// mostFound bounds the search for sums of one name.
const mostFound = 16

// Sum is one sum that an oracle formed, with its partial sums in float64 along
// its order. Where that is left open, terms go by ascending index, which is one of
// the orders allowed.
type Sum struct {
	Name   string
	Order  Schedule
	Number int     // among the sums of its name that the oracle formed, from 0
	Steps  []Step  // lane after lane
	Lanes  int     // that have a term
	Value  float64 // exact, as the oracle has it
	Error  float64 // bound on what the kernel's sum may be off

	Terms    float64 // Σ|p_j|
	Partials float64 // Σ|s_k| over the lanes' partial sums and those of the lanes' sums
}

// Step is the addition of one term to a partial sum.
type Step struct {
	Lane, Term     int
	Value, Partial float64 // of the term, and of the partial sum that has taken it
}

// newSum accounts for the sum of terms.
func newSum(o order, number int, terms []float64, y approx) Sum {
	s := Sum{Name: o.name, Order: o.Schedule, Number: number, Value: y.v, Error: y.e}
	lanes, block := max(o.Lanes, 1), max(o.Block, 1)
	var total float64
	for l := range lanes {
		var partial float64
		for first := l * block; first < len(terms); first += lanes * block {
			for j := first; j < min(first+block, len(terms)); j++ {
				partial += terms[j]
				s.Steps = append(s.Steps, Step{l, j, terms[j], partial})
				s.Terms += math.Abs(terms[j])
				s.Partials += math.Abs(partial)
			}
		}
		if l*block < len(terms) {
			s.Lanes++
			total += partial
		}
		if lanes > 1 && l*block < len(terms) {
			s.Partials += math.Abs(total)
		}
	}
	return s
}

// prober asks one oracle for one element.
type prober struct {
	ask     func(*SumTracer) Answer
	plain   Answer // unperturbed
	element int
	bound   float64
}

// named finds what the element depends on among n sums of a name; it depends on
// at least one.
func (t *prober) named(name string, n int) SumsNamed {
	s := SumsNamed{Name: name, Formed: n}
	s.Found = t.find(name, 0, n, nil)
	s.More = len(s.Found) == mostFound && s.Found[mostFound-1]+1 < n && t.dependsOn(name, s.Found[mostFound-1]+1, n)
	s.Error, s.Share = t.share(name, 0, n)
	s.OwnError, s.OwnShare = s.Error, s.Share
	at := s.Found[0]
	if len(s.Found) > 1 {
		at = t.heaviest(name, &s, n)
		s.OwnError, s.OwnShare = t.share(name, at, at+1)
	}
	s.Sum, s.Elements = t.dependents(name, at)
	return s
}

// perturbed is a tracer that perturbs the sums of a name from number first up to
// end.
func (t *prober) perturbed(p perturbation, name string, first, end int) *SumTracer {
	tracer := NewSumTracer()
	tracer.perturb = func(of string, number int) perturbation {
		if of == name && first <= number && number < end {
			return p
		}
		return asItIs
	}
	return tracer
}

// dependsOn reports whether the element depends on one of the sums from first to
// end.
func (t *prober) dependsOn(name string, first, end int) bool {
	a := t.ask(t.perturbed(unknown, name, first, end))
	return !finite(a.Bound(t.element))
}

// find appends the numbers of the sums that the element depends on, from first up
// to end; there is at least one.
func (t *prober) find(name string, first, end int, found []int) []int {
	if first+1 == end {
		return append(found, first)
	}
	middle, before := (first+end)/2, len(found)
	if t.dependsOn(name, first, middle) {
		found = t.find(name, first, middle, found)
	}
	if len(found) < mostFound && (len(found) == before || t.dependsOn(name, middle, end)) {
		found = t.find(name, middle, end, found)
	}
	return found
}

// share is the part of the bound that comes from the roundings of the sums from
// first up to end, and that as a fraction.
func (t *prober) share(name string, first, end int) (part, share float64) {
	if t.bound == 0 {
		return 0, 0
	}
	a := t.ask(t.perturbed(unrounded, name, first, end))
	part = max(0, t.bound-a.Bound(t.element))
	return part, part / t.bound
}

// heaviest is the sum that contributes most of those found, the first if none contributes. Of more than those
// it is what halving finds.
func (t *prober) heaviest(name string, found *SumsNamed, n int) int {
	if found.More {
		return t.heavier(name, found.Found[0], n)
	}
	at, most := found.Found[0], 0.0
	for _, number := range found.Found {
		if part, _ := t.share(name, number, number+1); part > most {
			at, most = number, part
		}
	}
	return at
}

// heavier goes to the half that contributes more, from first up to end, until one sum is left; to first if none
// contributes.
func (t *prober) heavier(name string, first, end int) int {
	start := first
	for first+1 < end {
		middle := (first + end) / 2
		left, _ := t.share(name, first, middle)
		right, _ := t.share(name, middle, end)
		switch {
		case !(left > 0) && !(right > 0):
			return start
		case left >= right:
			end = middle
		default:
			first = middle
		}
	}
	return first
}

// dependents is the account of one sum and the number of elements of the answer
// that depend on it.
func (t *prober) dependents(name string, number int) (s Sum, elements int) {
	tracer := t.perturbed(unknown, name, number, number+1)
	tracer.keep = true
	without := t.ask(tracer)
	for i := range t.plain.Want {
		if finite(t.plain.Bound(i)) && !finite(without.Bound(i)) {
			elements++
		}
	}
	return tracer.kept, elements
}
