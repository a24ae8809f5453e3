package suite

import (
	"math"
	"math/rand/v2"
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
	{"unread_winning", func(r *rand.Rand, _ Type, largest float64) float64 { return largest + 1 + float64(r.Float64()) }},
	{"unread_losing", func(r *rand.Rand, _ Type, largest float64) float64 { return -largest - 1 - float64(r.Float64()) }},
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

// hasUnread reports whether a buffer of the kernel has elements at this shape that
// nothing may depend on.
func (k *Kernel) hasUnread(s Shape) bool {
	for _, a := range k.Args {
		if a.Unread != nil && len(ordered(a.Unread(s))) > 0 {
			return true
		}
	}
	return false
}

// overwrite fills the elements that nothing may depend on.
func (in Input) overwrite(a Arg, s Shape, r *rand.Rand, values []float64) {
	if in.unread == nil || a.Unread == nil {
		return
	}
	largest := 0.0
	for _, x := range values {
		if x = math.Abs(x); isFinite(x) {
			largest = max(largest, x)
		}
	}
	_, float := a.Type.Format()
	for _, rng := range a.Unread(s) {
		for i := rng.First; i < rng.End; i++ {
			if values[i] = in.unread(r, a.Type, largest); !float {
				values[i] = math.Floor(values[i])
			}
		}
	}
}
