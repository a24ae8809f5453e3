package reports

import (
	"math"
	"strings"
	"testing"

	"metalconform/suite"

	"github.com/google/go-cmp/cmp"
)

func TestMetrics(t *testing.T) {
	infinite := math.MaxFloat64
	r := suite.Result{
		Digest: "0123456789abcdef",
		Outputs: []suite.Metrics{
			{Output: "copy", Type: "u8", Extents: []int{3}, Elements: 3, Cosine: 1, SNR: infinite},
			{
				Stage: "stage 2, scale", Output: "out", Type: "bf16", Extents: []int{2, 64}, Elements: 120,
				ErrorRatio: suite.Peak{Value: 0.25, At: []int{1, 3}}, Statistical: &suite.Peak{Value: 0.5, At: []int{1, 3}},
				Ulp: &suite.Ulps{Max: suite.Peak{Value: 1.5, At: []int{0, 63}}, P999: 1.5, P99: 1.25, Mean: 0.125, Bias: -0.0625, Outward: 0.03125},
				Abs: suite.Peak{Value: 0.001, At: []int{1, 2}}, Rel: suite.Peak{Value: 1e-6, At: []int{0, 0}},
				Cosine: 0.99999, NMSE: 1e-4, RelRMSE: 0.01, SNR: 40, VsPlain: 1.75, Mismatched: 2, Misrounded: 40, Flushed: 1,
				NonFinite: &suite.Classes{NaN: 5, Inf: 1, NaNMade: 1, Overflow: 1},
				Slices:    []suite.Slices{{By: "n_tokens", Of: 2, Cosine: suite.Peak{Value: 0.75, At: []int{1, 0}}, NMSE: suite.Peak{Value: infinite, At: []int{0, 0}}}},
			},
			{
				Output: "sum", Type: "i32", Extents: []int{1}, Elements: 1, Mismatched: 1, Misrounded: 1,
				ErrorRatio: suite.Peak{Value: infinite, At: []int{0}}, Abs: suite.Peak{Value: 2, At: []int{0}}, NMSE: infinite, RelRMSE: infinite, SNR: -infinite,
			},
		},
	}
	want := `	digest 0123456789abcdef
	copy u8 [3]: 3 elements
	stage 2, scale: out bf16 [2, 64]: 120 elements, 2 mismatched, 40 misrounded, 1 flushed, 5 NaN, 1 Inf, 1 NaN made, 1 overflowed
		error/bound 0.250 at [1, 3], statistical 0.500 at [1, 3], 1.75 of a plain evaluation's error
		ulp 1.50 at [0, 63], p99.9 1.50, p99 1.25, mean 0.125, bias -0.0625, outward 0.0312
		absolute 0.00100 at [1, 2], relative 1.00e-06 at [0, 0]
		cosine 0.999990000, nmse 1.00e-04, rel. rmse 0.0100, 40.0 dB
		worst n_tokens of 2: cosine 0.750000000 at [1, 0], nmse ∞ at [0, 0]
	sum i32 [1]: 1 element, 1 mismatched, 1 misrounded
		error/bound ∞ at [0]
		absolute 2.00 at [0], relative 0
		cosine 0.000000000, nmse ∞, rel. rmse ∞, -∞ dB
`
	var b strings.Builder
	if err := DefaultStyle.Metrics(&b, r); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}
