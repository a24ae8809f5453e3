package spec_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/suite"
	"metalconform/suite/spec"
)

// quantised is a definition that rounds to its outputs' formats itself, and quantisation a kernel that
// multiplies by a reciprocal where the definition divides. Inputs are just between two codes, of scales that
// have a reciprocal and of others, whose rounding decides.
const (
	quantised = `def q8(x):
    rows = reshape(x, [-1, 32])
    scale = f16(max(abs(rows), axis = -1, keepdims = True) / 127)
    codes = rint(rows / scale)
    return {"codes": reshape(codes, [-1]), "scales": reshape(scale, [-1]), "y": reshape(codes * scale, [-1])}

def near(scale):
    return choice(*[scale * c for c in [127, 127, -4.5, -3.5, 0.5, 2.5, 3.5, 13.5, 17.5, 27.5, 41.5, 100.5]])

kernel(
    name = "quantise",
    args = [input("x", f32, "32 * groups"), output("codes", i8, "32 * groups"), output("scales", f16, "groups"), output("y", f32, "32 * groups")],
    threadgroups = "groups", threads_per_threadgroup = 32,
    base = {"groups": 3},
    inputs = [family("any", {"x": normal}), family("ties", {"x": near(1)})] +
        [family("near_%d" % n, {"x": near((1024 + n) / 65536.0)}) for n in [37, 357, 481, 493, 561]],
    oracle = q8,
)
`
	quantisation = `#include <metal_stdlib>
using namespace metal;
kernel void quantise(device const float *x [[buffer(0)]], device char *codes [[buffer(1)]], device half *scales [[buffer(2)]],
    device float *y [[buffer(3)]], uint group [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    float v = x[group * 32 + lane];
    half scale = half(simd_max(fabs(v)) / 127.0f);
    float code = rint(v * (1.0f / float(scale)));
    codes[group * 32 + lane] = char(code);
    y[group * 32 + lane] = code * float(scale);
    if (lane == 0) scales[group] = scale;
}
`
)

// TestQuantised: a definition may round what it gives to the output's format or leave that to the type; a code just
// between two is either, and another rounding is another formula still.
func TestQuantised(t *testing.T) {
	family, err := new(spec.Limits).Read(fstest.MapFS{"q.star": {Data: []byte(quantised)}}, "q.star")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range judged(t, family, quantisation, "") {
		if r.Status != suite.Pass {
			t.Errorf("as it is: %s: %s", r.Case, r.Text())
		}
	}
	for _, fault := range []struct{ name, in, from, to string }{
		{"ties away from zero", "ties", "rint(v", "round(v"},
		{"towards zero", "any", "rint(v", "trunc(v"},
		{"codes of one more", "near_37", "char(code)", "char(code + 1)"},
		{"a scale that is not rounded", "any", "= code * float(scale)", "= code * (simd_max(fabs(v)) / 127.0f)"},
		{"127.5 codes", "any", "127.0f", "127.5f"},
		{"a scale rounded down", "any", "half(simd_max", "half(0.9996f * simd_max"},
	} {
		found := false
		for _, r := range judged(t, family, strings.Replace(quantisation, fault.from, fault.to, 1), "") {
			found = found || r.Status == suite.Fail && strings.HasSuffix(r.Case, "input="+fault.in)
		}
		if !found {
			t.Errorf("%s: not found", fault.name)
		}
	}
}

// TestFiniteFamilies: what was asked for finite numbers has no 2²⁰ in half.
func TestFiniteFamilies(t *testing.T) {
	for given, want := range map[string]bool{"standard(finite = True)": true, `family("wide", {"x": wide})`: false} {
		text := strings.ReplaceAll(`kernel(name = "copy", args = [input("x", f16, "n"), output("y", f16, "n")], threads = "n", threads_per_threadgroup = 32,
    base = {"n": 500}, inputs = [GIVEN], oracle = lambda x: where(isfinite(x), x, 7))`, "GIVEN", given)
		family, err := new(spec.Limits).Read(fstest.MapFS{"copy.star": {Data: []byte(text)}}, "copy.star")
		if err != nil {
			t.Fatal(err)
		}
		source := "kernel void copy(device const half *x [[buffer(0)]], device half *y [[buffer(1)]], uint i " +
			"[[thread_position_in_grid]]) { y[i] = x[i]; }"
		finite := true
		for _, r := range judged(t, family, source, "") {
			finite = finite && r.Status == suite.Pass
		}
		if finite != want {
			t.Errorf("%s: all numbers finite: %t", given, finite)
		}
	}
}
