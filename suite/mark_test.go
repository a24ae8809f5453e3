package suite

import (
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/oracles"
)

// TestMark has kernels write elements back that must not change, with what they add: nothing is found only where they
// are not written, or written as they are.
func TestMark(t *testing.T) {
	k := Kernel{
		Name: "kept", Axes: []Axis{wide},
		Args: Args{In("x", F32, wide), {Name: "y", Role: RoleInOut, Type: F32, Extents: []Extent{wide},
			Untouched: func(s Shape) []Range { return []Range{{s[wide] / 2, s[wide]}} },
			Unread:    func(s Shape) []Range { return []Range{{0, s[wide]}} }}, Const("n", U32, wide)},
		Grid:  Flat(wide, 32),
		Sweep: Sweep{Probes: []Shape{{wide: 12}}, Inputs: Standard(nil, "x")[:1]},
		Oracle: func(p *Problem) Answers {
			return Answers{"y": oracles.Answer{Want: p.Values("x"), Exact: true}}
		},
	}
	for written, want := range map[string]string{
		"":                     "",
		"y[i] = y[i];":         "",
		"y[i] += 0.0f;":        "y[6] must stay unchanged, but changed from -0 (bits 0x80000000) to 0 (bits",
		"y[i] *= 1.0f;":        "y[8] must stay unchanged, but changed from NaN (bits 0x7f800009) to NaN",
		"y[i] = abs(y[i]);":    "y[6] must stay unchanged",
		"y[i] = bfloat(y[i]);": "y[7] must stay unchanged",
	} {
		shaders, err := NewShaders(map[string]string{"k.metal": `#include <metal_stdlib>
using namespace metal;
kernel void kept(device const float *x, device float *y, constant uint &n, uint i [[thread_position_in_grid]]) {
    if (i < n / 2) { y[i] = x[i]; } else if (i < n) { ` + written + ` }
}
`}, metalrun.Analyse)
		if err != nil {
			t.Fatal(err)
		}
		err = Run(t.Context(), sim.New(sim.Semantics{}), Options{Shaders: shaders},
			Cases([]Family{{Kernels: []Kernel{k}}}, Quick)[:1], func(r Result) {
				if want == "" && r.Status == Fail || want != "" && !strings.Contains(r.Text(), want) {
					t.Errorf("%q in %s: %s, want %q", written, r.Case, r.Text(), want)
				}
			})
		if err != nil {
			t.Fatal(err)
		}
	}
}
