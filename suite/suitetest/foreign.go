package suitetest

import (
	"math"
	"slices"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
)

// ForeignSource is a kernel of nobody's catalogue: the softmax of rows, each by one simdgroup.
const ForeignSource = `#include <metal_stdlib>
using namespace metal;

kernel void row_softmax(
    device const float* x [[buffer(0)]],
    device bfloat*      narrow [[buffer(1)]],
    device float*       y [[buffer(2)]],
    constant uint&      n [[buffer(3)]],
    uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]])
{
    device const float* own = x + row * n;
    float largest = -INFINITY;
    for (uint i = lane; i < n; i += 32) {
        largest = max(largest, own[i]);
    }
    largest = simd_max(largest);
    float sum = 0.0f;
    for (uint i = lane; i < n; i += 32) {
        sum += exp(own[i] - largest);
    }
    sum = simd_sum(sum);
    for (uint i = lane; i < n; i += 32) {
        y[row * n + i] = exp(own[i] - largest) / sum;
        narrow[row * n + i] = bfloat(exp(own[i] - largest) / sum);
    }
}
`

// Foreign is its specification: no contract, and a definition of five lines.
func Foreign() suite.Kernel {
	const rows, n = suite.Axis("rows"), suite.Axis("n")
	return suite.Kernel{
		Name: "row_softmax", Axes: []suite.Axis{rows, n},
		Args: suite.Args{suite.In("x", suite.F32, rows, n), suite.Out("narrow", suite.BF16, rows, n),
			suite.Out("y", suite.F32, rows, n), suite.Const("n", suite.U32, n)},
		Grid: suite.Grid{Threadgroups: []suite.Extent{rows}, Of: []suite.Extent{suite.Fixed(32)}},
		Sweep: suite.Sweep{Probes: []suite.Shape{{rows: 3, n: 77}, {rows: 1, n: 5}, {rows: 2, n: 300}},
			Inputs: append(suite.Standard(nil, "x"),
				suite.Input{Name: "spread", Fills: suite.Fills{"x": suite.Scaled(suite.Normal, 8)}})},
		Oracle: func(p *suite.Problem) suite.Answers {
			x, n := p.Values("x"), p.Shape[n]
			y := make([]float64, len(x))
			for first := 0; first < len(x); first += n {
				sum, largest := 0.0, slices.Max(x[first:first+n])
				for i := range n {
					y[first+i] = math.Exp(x[first+i] - largest)
					sum += y[first+i]
				}
				for i := range n {
					y[first+i] /= sum
				}
			}
			return suite.Answers{"y": {Want: y, Plain: true}, "narrow": {Want: y, Plain: true}}
		},
	}
}

// ExactDevices execute kernels in exact arithmetic.
func ExactDevices() *suite.Exact {
	return suite.NewExact(sim.LiteralPatterns, func(a metalrun.Arithmetic) metalrun.Runner {
		return sim.New(sim.Exactly(a))
	})
}

// ForeignShaders are a file with a source.
func ForeignShaders(t *testing.T, source string) *suite.Shaders {
	t.Helper()
	s, err := suite.OpenShaders(Files(map[string]string{"foreign.metal": source}), metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
