package kernels

import (
	"maps"
	"math"
	"math/rand/v2"

	"metalconform/oracles"
	"metalconform/suite"
)

// Families of inputs that kernels of several files share.

// withExtremes are inputs with other fills in the family extremes: those of a
// kernel whose intermediates would overflow nearly everywhere.
func withExtremes(inputs []suite.Input, fills suite.Fills) []suite.Input {
	for i := range inputs {
		if inputs[i].Name == "extremes" {
			inputs[i].Fills = fills
		}
	}
	return inputs
}

// squareExtremes has squares that do not overflow.
func squareExtremes(r *rand.Rand, s suite.Shape, x []float64) { suite.ExtremesUpTo(0x1p62)(r, s, x) }

// nonFinite are the families nan_ARG and inf_ARG of a buffer.
func nonFinite(arg string, fill suite.Fill) []suite.Input {
	return []suite.Input{
		{Name: "nan_" + arg, Fills: suite.Fills{arg: suite.OneOf(fill, math.NaN())}},
		{Name: "inf_" + arg, Fills: suite.Fills{arg: suite.OneOf(fill, math.Inf(1))}},
	}
}

// Sums that cancel to a prescribed degree: the terms of such a sum are elements
// of one buffer, and all else that the kernel multiplies them with has to be
// known. The other buffers therefore hold constants or ramps.

// conditioned are the families cancelling_1e3 and cancelling_1e6 of the sums in
// the buffer called arg, with the fills of the other buffers.
func conditioned(arg string, c suite.Condition, others suite.Fills) []suite.Input {
	mild, severe := c, c
	mild.Kappa, severe.Kappa = 1e3, 1e6
	return []suite.Input{
		{Name: "cancelling_1e3", Fills: with(others, arg, mild.Fill)},
		{Name: "cancelling_1e6", Fills: with(others, arg, severe.Fill)},
	}
}

// conditionedBF16 is the family cancelling_1e3 of a bf16 buffer. The rounding of its
// last term leaves room for no more.
func conditionedBF16(arg string, c suite.Condition, others suite.Fills) []suite.Input {
	c.Format = oracles.BF16
	return conditioned(arg, c, others)[:1]
}

// with is fills with another fill for arg.
func with(fills suite.Fills, arg string, fill suite.Fill) suite.Fills {
	all := suite.Fills{}
	maps.Copy(all, fills)
	all[arg] = fill
	return all
}

// ramp is 1, 1⅛, … 1⅞ and again: weights that differ, exact in bf16.
func ramp(i int) float64 { return 1 + float64(float64(i%8)/8) }

// ramps gives every row of n elements the same ramp.
func ramps(n suite.Extent) suite.Fill {
	return func(_ *rand.Rand, s suite.Shape, x []float64) {
		for i := range x {
			x[i] = ramp(i % n.Size(s))
		}
	}
}

// affineRamp are quantised weights that all rows share: b-bit integers that
// count up in every word, with the scale and the bias that spread them evenly
// round 0. The names of words, scales and biases are those of a matrix.
func affineRamp(bits int, packed, scales, biases string) suite.Fills {
	var word uint32
	for j := range 32 / bits {
		word |= rampLevel(bits, j) << (j * bits)
	}
	return suite.Fills{packed: suite.Every(float64(word)), scales: suite.Every(rampScale),
		biases: suite.Every(rampBias(bits))}
}

// rampLevel is the j-th value of a word of affineRamp.
func rampLevel(bits, j int) uint32 {
	step := max((1<<bits-1)/(32/bits-1), 1)
	return uint32(j * step & (1<<bits - 1))
}

const rampScale = 1.0 / 8

// rampBias is not at the middle of the levels, so that no weight is 0.
func rampBias(bits int) float64 { return -float64((float64(int(1)<<(bits-1)) - 0.5) * rampScale) }

// affineRampWeight is weight i of a row of affineRamp.
func affineRampWeight(bits int) func(i int) float64 {
	return func(i int) float64 { return float64(float64(rampLevel(bits, i%(32/bits)))*rampScale) + rampBias(bits) }
}
