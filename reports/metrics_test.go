package reports

import (
	"math"
	"strings"
	"testing"

	"metalconform/suite"
	"metalconform/suite/metrics"

	"github.com/google/go-cmp/cmp"
)

// value is that of a metric, at an element if there is one.
func value(key string, x float64, at ...int) metrics.Value {
	return metrics.Value{Key: key, Value: x, At: at}
}

func TestMetrics(t *testing.T) {
	infinite := math.Inf(1)
	r := suite.Result{
		Digest: "0123456789abcdef",
		Outputs: []metrics.Output{
			{Output: "copy", Type: "u8", Extents: []int{3}, Elements: 3,
				Metrics: metrics.Values{{Key: "cosine", Value: 1}, {Key: "snr", Value: infinite}}},
			{
				Stage: "stage 2, scale", Output: "out", Type: "bf16", Extents: []int{2, 64}, Elements: 120,
				Metrics: metrics.Values{
					value("error_ratio", 0.25, 1, 3), value("statistical", 0.5, 1, 3), value("vs_plain", 1.75),
					value("ulp", 1.5, 0, 63), value("ulp_p999", 1.5), value("ulp_p99", 1.25), value("ulp_mean", 0.125),
					value("ulp_bias", -0.0625), value("ulp_outward", 0.03125),
					value("abs", 0.001, 1, 2), value("rel", 1e-6, 0, 0),
					value("cosine", 0.99999), value("nmse", 1e-4), value("rel_rmse", 0.01), value("snr", 40),
					value("mismatched", 2), value("misrounded", 40), value("flushed", 1), value("nan", 5),
					value("inf", 1), value("nan_made", 1), value("overflow", 1),
				},
				Slices: []metrics.Slices{{By: "n_tokens", Of: 2,
					Metrics: metrics.Values{value("cosine", 0.75, 1, 0), value("nmse", infinite, 0, 0)}}},
			},
			{
				Output: "sum", Type: "i32", Extents: []int{1}, Elements: 1,
				Metrics: metrics.Values{
					value("error_ratio", infinite, 0), value("abs", 2, 0), value("rel", 0), value("cosine", 0),
					value("nmse", infinite), value("rel_rmse", infinite), value("snr", -infinite),
					value("mismatched", 1), value("misrounded", 1),
				},
			},
		},
	}
	want := `	digest 0123456789abcdef
	copy u8 [3]: 3 elements
	stage 2, scale: out bf16 [2, 64]: 120 elements, 2 mismatched, 40 misrounded, 1 flushed, 5 NaN, 1 Inf, 1 NaN made, 1 overflowed
		error/bound 0.250 at [1, 3], statistical 0.500 at [1, 3], vs plain 1.75 ×
		ulp 1.50 at [0, 63], p99.9 1.50, p99 1.25, mean 0.125, bias -0.0625, outward 0.0312
		absolute 0.00100 at [1, 2], relative 1.00e-06 at [0, 0]
		cosine 0.999990000, nmse 1.00e-04, rel. rmse 0.0100, snr 40.0 dB
		worst n_tokens of 2: cosine 0.750000000 at [1, 0]
	sum i32 [1]: 1 element, 1 mismatched, 1 misrounded
		absolute 2.00 at [0], relative 0
`
	var b strings.Builder
	if err := DefaultStyle.Metrics(&b, r, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}
