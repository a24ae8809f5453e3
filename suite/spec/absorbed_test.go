package spec_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/suite"
	"metalconform/suite/spec"
)

// TestAbsorbed: far below 0 float64 itself makes nothing of log(1 + exp(x)), so that errors that are drawn move
// nothing. That is no other formula; another threshold is.
func TestAbsorbed(t *testing.T) {
	family, err :=
		new(spec.Limits).Read(fstest.MapFS{"k.star": {Data: []byte(`kernel(name = "k",
	args = [input("x", f32, "n"), output("y", f32, "n")], threads = "n",
		threads_per_threadgroup = 32, base = {"n": 70}, oracle = lambda x: softplus(x))`)}}, "k.star")
	if err != nil {
		t.Fatal(err)
	}
	const source = `#include <metal_stdlib>
kernel void k(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    y[i] = x[i] > LIMIT ? x[i] : metal::precise::log(1 + metal::precise::exp(x[i]));
}`
	for limit, fails := range map[string]bool{"40": false, "15": true, "10": true, "2": true} {
		failed := false
		for _, r := range judged(t, family, strings.Replace(source, "LIMIT", limit, 1), "") {
			if failed = failed || r.Status != suite.Pass; r.Status != suite.Pass && !fails {
				t.Errorf("identity above %s: %s: %s", limit, r.Case, r.Text())
			}
		}
		if failed != fails {
			t.Errorf("identity above %s: fails is %t", limit, failed)
		}
	}
}
