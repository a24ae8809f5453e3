package metrics

import "math"

// Keys of the metrics that plots and messages use.
const (
	ErrorRatio = "error_ratio"
	Ulp        = "ulp"
	Scaled     = "scaled"
	ScaledUnit = "u·Σ|terms|" // of Scaled, and of what is derived from it
	Cosine     = "cosine"
	relRMSE    = "rel_rmse"
)

// All are the metrics of a run, in the order in which they are shown.
func All() Table {
	return Table{
		{
			Key: ErrorRatio, Name: "error/bound", Line: "bound", Limit: 1,
			Means: "largest error of an element as a fraction of its rigorous bound; above 1 the kernel has broken " +
				"its promise",
			Extreme: func(m *Meter) Extreme { return m.ErrorRatio },
		},
		{
			Key: "statistical", Name: "statistical", Line: "bound", Limit: 1, Shown: InMatrix, Rare: true,
			Means:   "largest error of an element as a fraction of its statistical bound, where inputs are random",
			Extreme: func(m *Meter) Extreme { return m.Statistical },
		},
		{
			Key: "sigma", Name: "rms/σ", Line: "bound", Shown: InMatrix, Rare: true,
			Means: "error in root mean square as a multiple of the standard deviation in the statistical bound, " +
				"over the elements in whose bound roundings weigh most, where inputs are random: 1 if that is what " +
				"independent roundings add up to",
			Whole: func(m *Meter) float64 { return m.Scatter.Ratio() },
		},
		{
			Key: "formula", Name: "formula", Line: "exact", Limit: 1, Shown: InMatrix, Rare: true, Floats: true,
			Exact: true,
			Means: "largest distance of what the kernel computes in exact arithmetic from the exact value, as a " +
				"fraction of 2⁻²⁰ of the bound; above 1 it computes something else",
			Extreme: func(m *Meter) Extreme { return m.Formula },
		},
		{
			Key: "rounding", Name: "rounding", Line: "exact", Limit: 1, Shown: InMatrix, Rare: true, Floats: true,
			Exact: true,
			Means: "largest error of an element against what the kernel computes in exact arithmetic, as a " +
				"fraction of what any device may be off by",
			Extreme: func(m *Meter) Extreme { return m.Rounding },
		},
		{
			Key: "any_device", Name: "any device", Unit: "bounds", Line: "exact", Shown: InDetails, Rare: true,
			Floats: true, Exact: true,
			Means: "largest error that any device may make of an element, as a multiple of its rigorous bound, " +
				"by exact execution",
			Extreme: func(m *Meter) Extreme { return m.AnyDevice },
		},
		count("unknown", "unknown", "elements that exact execution knows nothing of",
			func(m *Meter) int { return m.Unknown }),
		{
			Key: "vs_plain", Name: "vs plain", Unit: "×", Line: "bound", Shown: InDetails,
			Means: "error in root mean square as a multiple of that of our own kernel on the simulator, with " +
				"-vs-plain",
			Against: func(own, plain Output) float64 { return ratio(own.number(relRMSE), plain.number(relRMSE)) },
		},
		{
			Key: Scaled, Name: "u·Σ|terms|", Unit: ScaledUnit, Line: "u·Σ|terms|", Floats: true,
			Means: "largest error of an element in units of u·Σ|terms|: the unit roundoff of the output's format, " +
				"times the sum of the magnitudes that the element adds up, or the largest exact value where it " +
				"is no sum",
			Extreme: func(m *Meter) Extreme { return m.Scaled.Max },
		},
		{
			Key: "scaled_p999", Name: "p99.9", Unit: ScaledUnit, Line: "u·Σ|terms|", Floats: true,
			Means: "error in units of u·Σ|terms| that 99.9 % of the elements do not exceed",
			Whole: func(m *Meter) float64 { return m.Scaled.Quantile(0.999) },
		},
		{
			Key: Ulp, Name: "ulp", Unit: "ulp", Line: "ulp", Shown: InDetails, Floats: true,
			Means: "largest error of an element in units in the last place of the output's format; any number " +
				"where terms cancel",
			Extreme: func(m *Meter) Extreme { return m.Ulps.Max },
		},
		{
			Key: "ulp_p999", Name: "p99.9", Unit: "ulp", Line: "ulp", Shown: InDetails, Floats: true,
			Means: "error in ulp that 99.9 % of the elements do not exceed",
			Whole: func(m *Meter) float64 { return m.Ulps.Quantile(0.999) },
		},
		{
			Key: "ulp_p99", Name: "p99", Unit: "ulp", Line: "ulp", Shown: InDetails, Floats: true,
			Means: "error in ulp that 99 % of the elements do not exceed",
			Whole: func(m *Meter) float64 { return m.Ulps.Quantile(0.99) },
		},
		{
			Key: "ulp_mean", Name: "mean", Unit: "ulp", Line: "ulp", Shown: InDetails, Floats: true,
			Means: "mean error in ulp, without its sign",
			Whole: func(m *Meter) float64 { return m.Ulps.Mean() },
		},
		{
			Key: "ulp_bias", Name: "bias", Unit: "ulp", Line: "ulp", Worst: Farthest, Shown: InDetails, Floats: true,
			Means: "mean error in ulp with its sign: below 0 where results are too small",
			Whole: func(m *Meter) float64 { return m.Ulps.Bias() },
		},
		{
			Key: "ulp_outward", Name: "outward", Unit: "ulp", Line: "ulp", Worst: Farthest, Shown: InDetails,
			Floats: true,
			Means:  "mean error in ulp away from zero: below 0 where results are truncated",
			Whole:  func(m *Meter) float64 { return m.Ulps.Outward() },
		},
		{
			Key: "abs", Name: "absolute", Line: "error", Shown: InDetails,
			Means:   "largest error of an element",
			Extreme: func(m *Meter) Extreme { return m.Abs },
		},
		{
			Key: "rel", Name: "relative", Line: "error", Shown: InDetails,
			Means:   "largest error of an element as a fraction of its exact value, where that is a normal number",
			Extreme: func(m *Meter) Extreme { return m.Rel },
		},
		{
			Key: Cosine, Name: "cosine", Line: "tensor", Worst: Smallest, Ideal: 1, Format: NearOne, Sliced: true,
			Means: "cosine between the output and its exact value: 1 if both are zero, 0 if one is",
			Sums:  Sums.Cosine,
		},
		{
			Key: "nmse", Name: "nmse", Line: "tensor", Shown: InMatrix, Sliced: true,
			Means: "mean of squared errors over the mean of squared exact values",
			Sums:  Sums.NMSE,
		},
		{
			Key: relRMSE, Name: "rel. rmse", Line: "tensor", Shown: InDetails,
			Means: "root of the nmse",
			Sums:  Sums.RelRMSE,
		},
		{
			Key: "snr", Name: "snr", Unit: "dB", Line: "tensor", Worst: Smallest, Ideal: math.Inf(1), Shown: InDetails,
			Means: "signal-to-noise ratio: the nmse in decibels",
			Sums:  Sums.SNR,
		},
		count("mismatched", "mismatched", "elements that fail a check", func(m *Meter) int { return m.Mismatched }),
		count("misrounded", "misrounded", "elements other than the exact value rounded to nearest",
			func(m *Meter) int { return m.Misrounded }),
		count("flushed", "flushed", "elements that are zero where the exact value is below the normal range",
			func(m *Meter) int { return m.Flushed }),
		count("nan", "NaN", "elements that are NaN, as they have to be", func(m *Meter) int { return m.Classes.NaN }),
		count("inf", "Inf", "elements that are infinite, as they have to be",
			func(m *Meter) int { return m.Classes.Inf }),
		count("nan_made", "NaN made", "elements that are NaN where a number or an infinity is due",
			func(m *Meter) int { return m.Classes.NaNMade }),
		count("nan_lost", "NaN lost", "elements that are not NaN where NaN is due",
			func(m *Meter) int { return m.Classes.NaNLost }),
		count("overflow", "overflowed", "elements that are infinite where a number is due",
			func(m *Meter) int { return m.Classes.Overflow }),
		count("inf_lost", "Inf lost", "elements that are numbers where an infinity is due",
			func(m *Meter) int { return m.Classes.InfLost }),
		count("inf_sign", "Inf of the other sign", "elements that are the other infinity",
			func(m *Meter) int { return m.Classes.InfSign }),
	}
}

// count is a metric that counts elements.
func count(key, name, means string, of func(*Meter) int) Metric {
	return Metric{
		Key: key, Name: name, Means: means, Worst: Total, Format: Count, Shown: InDetails, Rare: true,
		Whole: func(m *Meter) float64 { return float64(of(m)) },
	}
}

// ratio is a/b, 1 where both are the same and infinite where b alone is zero.
func ratio(a, b float64) float64 {
	switch {
	case a == b:
		return 1
	case b == 0:
		return math.Inf(1)
	}
	return a / b
}
