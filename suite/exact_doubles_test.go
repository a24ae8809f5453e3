package suite

import (
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/oracles"
)

// tieSource rounds a sum to bf16 on the way.
const tieSource = `#include <metal_stdlib>
using namespace metal;

kernel void rounded_sum(
    device const float* a [[buffer(0)]],
    device const float* b [[buffer(1)]],
    device float*       y [[buffer(2)]],
    uint i [[thread_position_in_grid]])
{
    y[i] = float(bfloat(a[i] + b[i])) * 3.0f;
}
`

// TestDoublesDecide has a sum that is just above the middle of two numbers of bf16, by less than
// float64 can hold beside it: shadows in float64 find another formula than the definition, which
// knows the sum exactly, and shadows in double-double find none. With another factor they do.
func TestDoublesDecide(t *testing.T) {
	const n = Axis("n")
	devices := func(doubles bool) *Exact {
		return NewExact(sim.LiteralPatterns, func(a metalrun.Arithmetic) metalrun.Runner {
			m := sim.Exactly(a)
			m.Doubles = doubles
			return sim.New(m)
		})
	}
	for _, test := range []struct {
		name    string
		low     float64 // b: what the sum has beside the middle
		factor  float64 // of the definition
		doubles bool
		want    Check
	}{
		{"just above, in float64", 0x1p-60, 3, false, CheckFormula},
		{"just above, in double-double", 0x1p-60, 3, true, ""},
		{"well above, in float64", 0x1p-20, 3, false, ""},
		{"another formula, in double-double", 0x1p-60, 3 + 0x1p-20, true, CheckFormula},
	} {
		t.Run(test.name, func(t *testing.T) {
			k := Kernel{
				Name: "rounded_sum", Axes: []Axis{n},
				Args:      Args{In("a", F32, n), In("b", F32, n), Out("y", F32, n)},
				Grid:      Grid{Threadgroups: []Extent{n}, Of: []Extent{Fixed(1)}},
				Roundings: RoundingsDefined,
				Sweep: Sweep{Probes: []Shape{{n: 3}},
					Inputs: []Input{{Name: "tie", Fills: Fills{"a": Every(1 + 0x1p-8), "b": Every(test.low)}}}},
				Oracle: func(p *Problem) Answers {
					above := test.factor * (1 + 0x1p-7)
					return Answers{"y": {Want: []float64{above, above, above},
						Budget: []oracles.Term{{Label: "any", Error: []float64{1, 1, 1}}}}}
				},
			}
			opts := Options{Shaders: foreignShaders(t, tieSource), Exact: devices(false)}
			if test.doubles {
				opts.Exact.Doubled = devices(true)
			}
			found := Check("")
			err := Run(t.Context(), sim.New(sim.Semantics{}), opts,
				Cases([]Family{{Name: "foreign", Kernels: []Kernel{k}}}, Quick), func(r Result) {
					for _, f := range r.Failures {
						found = f.Check
					}
				})
			if err != nil || found != test.want {
				t.Errorf("found %q, %v, want %q", found, err, test.want)
			}
		})
	}
}
