package kernels

import (
	"math"
	"math/rand/v2"

	"metalconform/fixtures"
	"metalconform/suite"
)

// affineInputs are the families of a b-bit product of the input called x.
func affineInputs(bits int, x string) []suite.Input {
	return affineInputsOver(bits, x, suite.Condition{Terms: inDim, Weight: affineRampWeight(bits)},
		lightGroups(x, inDim))
}

// lightGroups are weights that fall from group to group, and inputs of a width that
// grow by as much.
func lightGroups(x string, width suite.Axis) suite.Fills {
	groups := ratio(width, groupSize)
	weights := suite.Scaled(steps(along(groups, single, -farApart)), 1.0/64)
	return suite.Fills{"scales": weights, "biases": weights, x: steps(along(groups, groupSize, farApart))}
}

// affineInputsOver are the same, given the sums that x takes part in where the
// weights are an affineRamp, and weights that fall as much as x grows.
func affineInputsOver(bits int, x string, sums suite.Condition, light suite.Fills) []suite.Input {
	// Scales that keep a weight of the largest integer at about 1.
	defaults := suite.Fills{
		"scales": suite.Scaled(suite.Normal, math.Ldexp(1, -bits)),
		"biases": suite.Scaled(suite.Normal, 0.5),
	}
	return append(append(withExtremes(suite.Standard(defaults, x, "scales", "biases"),
		suite.Fills{x: suite.ExtremesUpTo(0x1p112), "scales": extremeWeights, "biases": extremeWeights}),
		conditioned(x, sums, affineRamp(bits, "W_packed", "scales", "biases"))...),
		suite.Input{Name: "words_zero", Fills: suite.Fills{"W_packed": suite.Every(0)}},
		suite.Input{Name: "words_ones", Fills: suite.Fills{"W_packed": suite.Every(math.MaxUint32)}},
		// A single value that is not 0 shows a wrong order in a word.
		suite.Input{Name: "words_single", Fills: suite.Fills{
			"W_packed": singleValue(bits), x: suite.Integers, "scales": suite.Every(1), "biases": suite.Every(0)}},
		// Each group's own scale, exact, shows a wrong group index.
		suite.Input{Name: "scales_distinct", Fills: suite.Fills{
			x: suite.Every(1), "scales": counting, "biases": suite.Scaled(counting, -8)}},
		suite.Input{Name: "light_weights", Fills: light},
		// Sums of levels and of x may overflow before the scale brings them back.
		suite.Input{Name: "overflowing",
			Fills: suite.Fills{x: suite.Extremes, "scales": suite.Extremes, "biases": suite.Extremes}},
		// What a model holds: normal weights, quantised group by group.
		suite.Input{Name: "quantised", Fills: suite.Fills{
			"W_packed": quantised(bits,
				func(g fixtures.AffineGroup) []float64 { return widened(fixtures.PackValues(g.Values, bits)) }),
			"scales": quantised(bits, func(g fixtures.AffineGroup) []float64 { return []float64{g.Scale} }),
			"biases": quantised(bits, func(g fixtures.AffineGroup) []float64 { return []float64{g.Bias} })}},
	)
}

// extremeWeights draws scales and biases down to the smallest normal numbers.
// With inputs of at most 2¹¹² no association overflows, as s·Σqx would where it
// adds up the largest numbers first.
func extremeWeights(r *rand.Rand, s suite.Shape, x []float64) {
	suite.Choice(-1.0/16, 1.0/16, -0x1p-126, 0x1p-126)(r, s, x)
}

// quantised fills a buffer with one part of quantised groups of normal weights,
// the same weights for every part.
func quantised(bits int, part func(fixtures.AffineGroup) []float64) suite.Fill {
	return func(_ *rand.Rand, s suite.Shape, x []float64) {
		r := rand.New(rand.NewPCG(uint64(bits), uint64(s[groupSize])))
		weights := make([]float64, s[groupSize])
		for len(x) > 0 {
			suite.Normal(r, s, weights)
			x = x[copy(x, part(fixtures.QuantiseAffine(weights, bits))):]
		}
	}
}

func widened(words []uint32) []float64 {
	x := make([]float64, len(words))
	for i, w := range words {
		x[i] = float64(w)
	}
	return x
}

// singleValue has one value of 1 in every word of b-bit values.
func singleValue(bits int) suite.Fill {
	return func(r *rand.Rand, _ suite.Shape, x []float64) {
		for i := range x {
			x[i] = float64(uint32(1) << (bits * r.IntN(32/bits)))
		}
	}
}

// counting is 1, 2, …, 127, 1, …: all exact in bf16.
func counting(_ *rand.Rand, _ suite.Shape, x []float64) {
	for i := range x {
		x[i] = float64(i%127 + 1)
	}
}

// anyToken draws rows of the table.
func anyToken(r *rand.Rand, s suite.Shape, x []float64) {
	for i := range x {
		x[i] = float64(r.IntN(s[vocab]))
	}
}

// edgeTokens draws the first and the last row of the table.
func edgeTokens(r *rand.Rand, s suite.Shape, x []float64) {
	for i := range x {
		x[i] = float64(r.IntN(2) * (s[vocab] - 1))
	}
}
