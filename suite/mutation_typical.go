package suite

import (
	"cmp"
	"math/bits"
	"slices"
)

// typical is the one case that a project would choose as its test: of those with
// the first inputs of the sweep the one whose sizes have the most factors of two,
// and among these the largest.
func typical(cases []Case) Case {
	return slices.MaxFunc(cases, func(a, b Case) int {
		return cmp.Or(-cmp.Compare(a.inputFamily(), b.inputFamily()), cmp.Compare(a.evenness(), b.evenness()), cmp.Compare(a.bytes(), b.bytes()))
	})
}

// inputFamily is the number of the case's inputs in its sweep.
func (c Case) inputFamily() int {
	return slices.IndexFunc(c.Kernel.Sweep.Inputs, func(in Input) bool { return in.Name == c.Input.Name })
}

// evenness is how many factors of two the sizes of the shape have together.
func (c Case) evenness() int {
	n := 0
	for _, a := range c.Kernel.Axes {
		if size := a.Size(c.Shape); size > 0 {
			n += bits.TrailingZeros(uint(size))
		}
	}
	return n
}
