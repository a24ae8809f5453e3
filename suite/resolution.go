package suite

import (
	"fmt"
	"math"

	"metalconform/oracles"
)

// allowance is the part of an element's bound that the uncertainty of the
// oracle's want may come to.
const allowance = 0.1

// step is half the distance of the numbers round want that an output narrower
// than the arithmetic can hold, and 0 for the others. The bound of such an output
// is that of its last rounding too, from a want that has not been rounded: the
// closer want is to a number, the smaller, and yet nothing but that number is
// right.
func (o *output) step(want float64) float64 {
	if f, ok := o.arg.Type.Format(); ok && f != oracles.F32 && isFinite(want) {
		return f.Ulp(want) / 2
	}
	return 0
}

// unresolved says that float64 is too coarse for the bound of element i, nil if
// it is not. It is a condition that every oracle must meet, and costs next to
// nothing: a want has been rounded to float64, so that it is uncertain by
// 2⁻⁵³|want| at least, unless it is a number of the output's type. With a bound
// of 0, which is the claim that there is no other right answer, it therefore has
// to be one.
//
// The bound of a plain answer is what the kernel's own arithmetic explains, which has no such claim.
//
// What an oracle loses on its way to want, the condition does not see: that is
// 2⁻²⁹·n of the bound at most where the budget charges each of n terms with a
// rounding of its own. Elsewhere package kerneltest finds it out.
func (o *output) unresolved(i int, want, bound float64) error {
	if o.answer.Exact || o.answer.Plain || !coarse(want, bound) || !isFinite(want) {
		return nil
	}
	if bound = max(bound, o.step(want)); !coarse(want, bound) || want == o.arg.Type.Round(want) {
		return nil
	}
	return fmt.Errorf("the oracle is not exact enough for %s: want = %.17g is not a number of %s, and its bound of %.3g is below what float64 resolves",
		Element{Arg: o.arg.Name, Index: o.arg.index(o.shape, i)}, want, o.arg.Type, bound)
}

// coarse reports whether a bound is less than what float64 resolves of want.
func coarse(want, bound float64) bool { return bound*allowance < 0x1p-53*math.Abs(want) }
