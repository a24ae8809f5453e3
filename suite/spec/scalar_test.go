package spec_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/spec"
)

// TestRoundedScalar: a definition that computes what the kernel gets rounded is another formula, and the failure says
// so; one that takes the scalar is not, and what is wrong otherwise has nothing to do with it.
func TestRoundedScalar(t *testing.T) {
	const source = `#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant float &scale [[buffer(2)]], constant float &half_of [[buffer(3)]], uint i [[thread_position_in_grid]]) { y[i] = x[i] * scale * half_of; }`
	const hint = "gets scale rounded to its type"
	for _, test := range []struct {
		oracle, want string
		status       suite.Status
	}{
		{"lambda x, d: x / sqrt(d) / 2", hint, suite.Fail},
		{"lambda x, scale: x * scale / 2", "", suite.Pass},
		{"lambda x, scale: x * scale / 2.000001", "another formula", suite.Fail},
	} {
		family, err :=
			new(spec.Limits).Read(fstest.MapFS{"k.star": {Data: []byte(`kernel(name = "k",
	args = [input("x", f32, "d"), output("y", f32, "d"),
	scalar("scale", f32, lambda d: 1 / power(d, 0.5)), scalar("half_of", f32, 0.5)],
    threads = "d", threads_per_threadgroup = 32, base = {"d": 32}, inputs = [family("some", random = True)], oracle = ` + test.oracle + ")")}}, "k.star")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range judgedOn(t, sim.Semantics{}, family, source, "") {
			if text := r.Text(); r.Status != test.status || !strings.Contains(text, test.want) ||
				(test.want == hint) != strings.Contains(text, hint) {
				t.Errorf("%s: %s %s, want %s", test.oracle, r.Status, text, test.want)
			}
		}
	}
}
