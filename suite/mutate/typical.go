package mutate

import (
	"cmp"
	"math/bits"
	"metalconform/suite"
	"slices"
)

// typical is the one case that a project would choose as its test: of those with
// the first inputs of the sweep the one with the most even sizes, among these the
// one whose sizes have the most factors of two, and among these the largest.
func typical(cases []suite.Case) suite.Case {
	return slices.MaxFunc(cases, func(a, b suite.Case) int {
		evenA, twosA := evenness(a)
		evenB, twosB := evenness(b)
		return cmp.Or(-cmp.Compare(inputFamily(a), inputFamily(b)),
			cmp.Compare(evenA, evenB), cmp.Compare(twosA, twosB), cmp.Compare(a.Bytes(), b.Bytes()))
	})
}

// inputFamily is the number of the case's inputs in its sweep, above all of them for
// inputs that are no family.
func inputFamily(c suite.Case) int {
	i := slices.IndexFunc(c.Kernel.Sweep.Inputs, func(in suite.Input) bool { return in.Name == c.Input.Name })
	if i < 0 {
		return len(c.Kernel.Sweep.Inputs)
	}
	return i
}

// evenness is how many sizes of the shape are even, and how many factors of two
// they have together.
func evenness(c suite.Case) (even, twos int) {
	for _, a := range c.Kernel.Axes {
		if size := a.Size(c.Shape); size > 0 && size%2 == 0 {
			even++
			twos += bits.TrailingZeros(uint(size))
		}
	}
	return even, twos
}
