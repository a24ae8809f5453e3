package kernels

import (
	"math"
	"math/rand/v2"

	"metalconform/suite"
)

// mlaInputs are the families of a tiled attention with the given softmax
// scale. Scores are kept to a size at which their own rounding, which the
// exponential turns from absolute into relative, leaves something to judge.
func mlaInputs(scale float64) []suite.Input {
	small := func(f suite.Fill, factor float64) suite.Fill { return suite.Scaled(f, factor) }
	zero := suite.Every(0)
	// With q_prime small and q_pe all 1, rope_k_cache alone makes the scores.
	scores := func(f func(r *rand.Rand, scores []float64)) suite.Fills {
		return suite.Fills{
			"q_prime": small(suite.Normal, 0.1), "q_pe": suite.Every(1),
			"rope_k_cache": func(r *rand.Rand, s suite.Shape, x []float64) {
				rows := make([]float64, s[cacheLen])
				f(r, rows)
				clear(x)
				for t, y := range rows {
					x[t*s[qkRope]] = y / scale
				}
			},
		}
	}
	// The latent products of a lane come to several units in the last place of
	// the RoPE product, which has to be added after them: each alone is less
	// than half of one.
	absorbed := scores(func(_ *rand.Rand, y []float64) {
		for t := range y {
			y[t] = scale
		}
	})
	absorbed["latent_cache"] = suite.Every(0x0.fp-24)
	absorbed["q_prime"] = func(_ *rand.Rand, s suite.Shape, x []float64) {
		for i := range x {
			x[i] = 0
			if i%s[kvLoraRank]%32 == 0 {
				x[i] = 1
			}
		}
	}
	nan, inf := math.NaN(), math.Inf(1)
	// The values of positions with equal weights, where no prior is added.
	cancelling := conditioned("latent_cache", suite.Condition{Terms: cacheLen, Apart: kvLoraRank},
		suite.Fills{"q_prime": zero, "q_pe": zero, "v_combine_partial": priorOr(zero)})
	return append([]suite.Input{
		{Name: "normal", Random: true, Fills: suite.Fills{
			"q_prime": small(suite.Normal, 0.5), "q_pe": small(suite.Normal, 0.5),
			"running_max": priorOr(suite.Normal), "running_denom": priorOr(suite.Uniform(1, 50)),
			"v_combine_partial": priorOr(small(suite.Normal, 10))}},
		{Name: "wide", Random: true, Fills: suite.Fills{
			"latent_cache": suite.Wide, "q_prime": small(suite.Normal, 1e-7),
			"v_combine_partial": priorOr(suite.Wide)}},
		{Name: "wide_q_pe", Fills: suite.Fills{"q_pe": suite.Wide, "rope_k_cache": small(suite.Normal, 1e-6)}},
		{Name: "cancelling",
			Fills: suite.Fills{"latent_cache": suite.Cancelling, "q_prime": small(suite.Normal, 1e-3)}},
		{Name: "cancelling_scores", Fills: suite.Fills{
			"q_prime": small(suite.Cancelling, 1e-3), "latent_cache": suite.Positive}},
		{Name: "positive", Random: true, Fills: suite.Fills{
			"q_prime": small(suite.Positive, 0.1), "q_pe": small(suite.Positive, 0.1),
			"latent_cache": suite.Positive, "rope_k_cache": suite.Positive}},
		{Name: "integers", Fills: suite.Fills{
			"q_prime": zero, "q_pe": zero, "latent_cache": suite.Integers, "rope_k_cache": suite.Integers,
			"running_max": priorOr(zero), "running_denom": priorOr(suite.Every(3)),
			"v_combine_partial": priorOr(suite.Integers)}},
		{Name: "subnormal",
			Fills: suite.Fills{"latent_cache": suite.Subnormal, "v_combine_partial": priorOr(suite.Subnormal)}},
		{Name: "zeros", Fills: suite.Fills{
			"q_prime": suite.Zeros, "q_pe": suite.Zeros, "latent_cache": suite.Zeros, "rope_k_cache": suite.Zeros}},
		{Name: "scores_rising", Fills: scores(func(_ *rand.Rand, y []float64) {
			for t := range y {
				y[t] = float64(t) / 4
			}
		})},
		{Name: "prior_also_far_below", Only: isCarried, Fills: with(scores(func(r *rand.Rand, y []float64) {
			for t := range y {
				y[t] = -1e5 + float64(r.IntN(5))
			}
		}), "running_max", suite.Every(-1e5))},
		{Name: "prior_without_denominator", Only: isCarried, Fills: suite.Fills{"running_denom": zero}},
		{Name: "scores_dominated", Fills: scores(func(r *rand.Rand, y []float64) { y[r.IntN(len(y))] = 80 })},
		{Name: "scores_last_dominates", Fills: scores(func(_ *rand.Rand, y []float64) { y[len(y)-1] = 100 })},
		// A small weight counts as much as a large one.
		{Name: "scores_light", Fills: with(with(scores(func(_ *rand.Rand, y []float64) {
			for t := range y {
				y[t] = lightScore(t)
			}
		}), "q_prime", zero), "latent_cache", heavyRows(kvLoraRank))},
		{Name: "scores_far_below_zero", Fills: scores(func(r *rand.Rand, y []float64) {
			for t := range y {
				y[t] = -1e5 + r.NormFloat64() // below what half has
			}
		})},
		{Name: "scores_single_finite", Fills: scores(func(_ *rand.Rand, y []float64) {
			for t := range y[:len(y)-1] {
				y[t] = -inf
			}
		})},
		{Name: "scores_first_finite", Fills: scores(func(_ *rand.Rand, y []float64) {
			for t := range y[1:] {
				y[t+1] = -inf
			}
		})},
		{Name: "scores_none_finite", Fills: scores(func(_ *rand.Rand, y []float64) {
			for t := range y {
				y[t] = -inf
			}
		})},
		{Name: "latent_absorbed", Fills: absorbed},
		{Name: "rows_equal",
			Fills: suite.Fills{"latent_cache": equalRows(kvLoraRank), "rope_k_cache": equalRows(qkRope)}},
		{Name: "nan_q_prime", Fills: suite.Fills{"q_prime": suite.OneOf(small(suite.Normal, 0.5), nan)}},
		{Name: "inf_q_prime", Fills: suite.Fills{"q_prime": suite.OneOf(small(suite.Normal, 0.5), inf)}},
		{Name: "nan_q_pe", Fills: suite.Fills{"q_pe": suite.OneOf(small(suite.Normal, 0.5), nan)}},
		{Name: "inf_q_pe", Fills: suite.Fills{"q_pe": suite.OneOf(small(suite.Normal, 0.5), inf)}},
		{Name: "inf_latent_cache", Fills: suite.Fills{"latent_cache": suite.OneOf(suite.Normal, inf)}},
		{Name: "inf_rope_k_cache", Fills: suite.Fills{"rope_k_cache": suite.OneOf(suite.Normal, inf)}},
		{Name: "nan_latent_cache", Fills: suite.Fills{"latent_cache": suite.OneOf(suite.Normal, nan)}},
		{Name: "nan_rope_k_cache", Fills: suite.Fills{"rope_k_cache": suite.OneOf(suite.Normal, nan)}},
		{Name: "prior_nothing", Only: isCarried, Fills: suite.Fills{
			"running_max": suite.Every(-inf), "running_denom": zero, "v_combine_partial": zero}},
		// What is carried, or what is added, alone, times an exponential of exactly
		// -24: its error may not grow with the argument.
		{Name: "prior_behind", Only: isCarried, Fills: suite.Fills{
			"running_max": suite.Every(-24), "q_prime": zero, "q_pe": zero, "latent_cache": zero}},
		{Name: "prior_ahead", Only: isCarried, Fills: suite.Fills{
			"running_max": suite.Every(24), "running_denom": zero, "v_combine_partial": zero,
			"q_prime": zero, "q_pe": zero, "latent_cache": suite.Positive}},
		// What nothing has weighed does not count, whatever its sums are.
		{Name: "prior_weightless", Only: isCarried, Fills: suite.Fills{"running_max": suite.Every(-inf)}},
		{Name: "prior_far_below", Only: isCarried, Fills: suite.Fills{"running_max": suite.Every(-1e4)}},
		{Name: "nan_running_max", Only: isCarried, Fills: suite.Fills{"running_max": suite.OneOf(suite.Normal, nan)}},
		{Name: "inf_running_max", Only: isCarried, Fills: suite.Fills{"running_max": suite.OneOf(suite.Normal, inf)}},
		{Name: "nan_running_denom", Only: isCarried,
			Fills: suite.Fills{"running_denom": suite.OneOf(suite.Uniform(1, 50), nan)}},
		{Name: "inf_running_denom", Only: isCarried,
			Fills: suite.Fills{"running_denom": suite.OneOf(suite.Uniform(1, 50), inf)}},
		{Name: "nan_v_combine_partial", Only: isCarried,
			Fills: suite.Fills{"v_combine_partial": suite.OneOf(suite.Normal, nan)}},
		{Name: "inf_v_combine_partial", Only: isCarried,
			Fills: suite.Fills{"v_combine_partial": suite.OneOf(suite.Normal, inf)}},
		// The maximum grows or lags by too little to look like anything but noise.
		{Name: "prior_near", Only: isCarried, Fills: suite.Fills{
			"running_max": suite.Choice(-1e-3, -1e-4, 1e-5, 1e-4), "q_prime": zero, "q_pe": zero}},
		{Name: "prior_dominating", Only: isCarried, Fills: suite.Fills{"running_max": suite.Every(80)}},
	}, cancelling...)
}

// lightQueries has queries whose channels fall, and caches whose channels grow.
func lightQueries(s suite.Shape) suite.Setting {
	return decisive("light_queries", s, suite.Fills{
		"q_prime":      steps(along(kvLoraRank, single, -farApart)),
		"latent_cache": steps(along(kvLoraRank, single, farApart)),
		"q_pe":         steps(along(qkRope, single, -farApart)),
		"rope_k_cache": steps(along(qkRope, single, farApart))})
}

func isCarried(s suite.Shape) bool { return s[carried] == 1 }

// priorOr is fill where the first launch goes on from a state, and otherwise
// NaN, which it has to ignore.
func priorOr(fill suite.Fill) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		if isCarried(s) {
			fill(r, s, x)
		} else {
			suite.Every(math.NaN())(r, s, x)
		}
	}
}

// equalRows repeats one row of as many elements as the axis says.
func equalRows(a suite.Axis) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		suite.Normal(r, s, x[:s[a]])
		for i := s[a]; i < len(x); i++ {
			x[i] = x[i-s[a]]
		}
	}
}

// unlessCarried is a state that the first launch does not go on from.
func unlessCarried(extents ...suite.Extent) func(suite.Shape) []suite.Range {
	return func(s suite.Shape) []suite.Range {
		if isCarried(s) {
			return nil
		}
		return everything(extents...)(s)
	}
}
