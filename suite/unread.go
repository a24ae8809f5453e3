package suite

import (
	"math"
	"math/rand/v2"
	"slices"
)

// What a kernel may not let reach a result, such as the columns between a row's
// length and its stride, is declared by [Arg.Unread] and filled in turn with each of
// these. Ordinary numbers there would hide a maximum over too long a row, and so
// would NaN, which max drops. To load such an element and to discard it is common in
// Metal, and no failure.
var unreadFills = []struct {
	name  string
	value func(r *rand.Rand, t Type, largest float64) float64
}{
	{"unread_nan", func(_ *rand.Rand, t Type, _ float64) float64 { return t.special(math.NaN()) }},
	{"unread_inf", func(_ *rand.Rand, t Type, _ float64) float64 { return t.special(math.Inf(1)) }},
	{"unread_minus_inf", func(_ *rand.Rand, t Type, _ float64) float64 { return t.special(math.Inf(-1)) }},
	{"unread_huge", func(_ *rand.Rand, t Type, _ float64) float64 { return t.huge() }},
	{"unread_minus_huge", func(_ *rand.Rand, t Type, _ float64) float64 { return -t.huge() }},
	// Larger than every element that counts, but not by so much that all of them
	// vanish beside it.
	{"unread_winning", func(r *rand.Rand, _ Type, largest float64) float64 {
		return largest + 1 + float64(r.Float64())
	}},
	{"unread_losing", func(r *rand.Rand, _ Type, largest float64) float64 {
		return -largest - 1 - float64(r.Float64())
	}},
}

// special is x, or for an integer type, which has no such value, a word of ones.
func (t Type) special(x float64) float64 {
	if _, float := t.Format(); float {
		return x
	}
	lo, hi := t.limits()
	if lo < 0 {
		return -1
	}
	return hi
}

// huge is the largest number of the type.
func (t Type) huge() float64 {
	if format, float := t.Format(); float {
		return format.Max()
	}
	_, hi := t.limits()
	return hi
}

// unreadInputs are the families that fill what nothing may depend on, one for each
// value, with all else as in the family first.
func unreadInputs(first Input) []Input {
	var list []Input
	for _, f := range unreadFills {
		in := first
		in.Name, in.unread = f.name, f.value
		list = append(list, in)
	}
	return list
}

// unread are the elements that nothing may depend on at a shape.
func (a Arg) unread(s Shape) []Range {
	if a.Unread == nil {
		return nil
	}
	return ordered(a.Unread(s))
}

// hasUnread reports whether a buffer of the kernel has elements at this shape that
// nothing may depend on.
func (k *Kernel) hasUnread(s Shape) bool {
	return slices.ContainsFunc(k.Args, func(a Arg) bool { return len(a.unread(s)) > 0 })
}

// overwrite fills the elements that nothing may depend on.
func (in Input) overwrite(a Arg, s Shape, r *rand.Rand, values []float64) {
	if in.unread == nil {
		return
	}
	largest := largestOf(values)
	for _, rng := range a.unread(s) {
		for i := rng.First; i < rng.End; i++ {
			values[i] = a.Type.whole(in.unread(r, a.Type, largest))
		}
	}
}

// whole is x, or for an integer type the largest integer up to it that the type has.
func (t Type) whole(x float64) float64 {
	if _, float := t.Format(); float {
		return x
	}
	lo, hi := t.limits()
	return min(max(math.Floor(x), lo), hi)
}

// largestOf is the largest magnitude among finite values.
func largestOf(values []float64) float64 {
	largest := 0.0
	for _, x := range values {
		if x = math.Abs(x); isFinite(x) {
			largest = max(largest, x)
		}
	}
	return largest
}
