package spec_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/spec"
)

// A kernel without a contract that fails on an adversary alone is traced to the choice that it relies on: here that a
// product is not fused with a sum, which depends on an axis by a constant of the build.
func TestReliance(t *testing.T) {
	family, err := new(spec.Limits).Read(fstest.MapFS{"sum.star": {Data: []byte(`kernel(
    name = "sum",
    args = [input("x", f32, "n"), output("y", f32, "n"), output("fused", u32, "n")],
    constants = {0: "n"},
    threads = "n", threads_per_threadgroup = 32, base = {"n": 64}, inputs = [family("normal", random = True)],
    oracle = lambda x: {"y": x * x, "fused": 0},
)`)}}, "sum.star")
	if err != nil {
		t.Fatal(err)
	}
	shaders, err := suite.OpenShaders(fstest.MapFS{"sum.metal": {Data: []byte(`#include <metal_stdlib>
using namespace metal;
constant uint n [[function_constant(0)]];
kernel void sum(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], device uint* fused [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    if (i < n) {
        float square = x[i] * x[i];
        y[i] = square;
        fused[i] = x[i] * x[i] - square != 0;
    }
}
`)}}, metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	taking := func(choices int) metalrun.Runner {
		return sim.New(sim.Semantics{Adversary: &sim.Adversary{Seed: 1, Number: 1, Choices: choices}})
	}
	opts := suite.Options{
		Shaders: shaders, Seed: 1, Adversaries: []suite.Adversary{{Number: 1, Runner: taking(-1), Taking: taking}},
		Exact: suite.NewExact(0, func(a metalrun.Arithmetic) metalrun.Runner {
			return sim.New(sim.Exactly(a))
		}),
	}
	err = suite.Run(t.Context(), sim.New(sim.Semantics{}), opts, suite.Cases([]suite.Family{family}, suite.Quick),
		func(r suite.Result) {
			if r.Status != suite.Fail || r.Relies == nil || r.Relies.Line != 8 ||
				!strings.Contains(r.Relies.Kind, "fusing") {
				t.Errorf("%s: %s relies on %v", r.Status, r.Text(), r.Relies)
			}
		})
	if err != nil {
		t.Fatal(err)
	}
}
