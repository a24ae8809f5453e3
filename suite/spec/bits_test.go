package spec_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/suite"
	"metalconform/suite/spec"
)

// ofBits are definitions of kernels that work on the bits of floats, with wrong formulas that look alike.
const ofBits = `
n = scalar("n", u32, "n")
def k(name, oracle, args, more = []):
    kernel(name = name, oracle = oracle, args = args, threads = "n", threads_per_threadgroup = 32, base = {"n": 77}, vary = {"n": [1]}, inputs = [family("normal", {"x": normal}, random = True)] + more)
def added(x, y, n):
    for i in range(n):
        y[i % 4] += x[i]
    return y
k("add", added, [input("x", f32, "n"), inout("y", f32, 4), n])
k("add_until", added, [input("x", f32, "n"), inout("y", f32, 4), n])
k("pack", lambda x: x * f32(0.3), [input("x", f32, "2 * n"), output("y", f16, "2 * n"), n])
k("take_apart", lambda x: x * f32(0.3), [input("x", f32, "n"), output("y", f32, "n"), n])
k("round", lambda x: x * f32(0.3), [input("x", f32, "n"), output("y", bf16, "n"), n], [family("subnormal", {"x": subnormal})])
k("narrow", lambda x: f8e4m3(clip(x / 3, -448, 448)), [input("x", f32, "n"), output("y", f8e4m3, "n"), n])
k("fraction", lambda x: 1.5 * x / f32(0.3), [input("x", f32, "n"), output("y", f32, "n"), n])
`

const bitKernels = `#include <metal_stdlib>
using namespace metal;
kernel void add(device const float* x [[buffer(0)]], device atomic_uint* y [[buffer(1)]], constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    if (i >= n) { return; }
    device atomic_uint* sum = y + i % 4;
    uint was = atomic_load_explicit(sum, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(sum, &was, as_type<uint>(as_type<float>(was) + x[i]), memory_order_relaxed, memory_order_relaxed)) {
    }
}
kernel void add_until(device const float* x [[buffer(0)]], device atomic_uint* y [[buffer(1)]], constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    if (i >= n) { return; }
    while (true) {
        uint was = atomic_load_explicit(&y[i % 4], memory_order_relaxed);
        float next = x[i] + as_type<float>(was);
        if (atomic_compare_exchange_weak_explicit(&y[i % 4], &was, as_type<uint>(next), memory_order_relaxed, memory_order_relaxed)) {
            break;
        }
    }
}
kernel void pack(device const float* x [[buffer(0)]], device uint* y [[buffer(1)]], constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    if (i >= n) { return; }
    y[i] = as_type<ushort>(half(x[2 * i] * 0.3f)) | uint(as_type<ushort>(half(x[2 * i + 1] * 0.3f))) << 16;
}
kernel void take_apart(device const float* x [[buffer(0)]], device uchar4* y [[buffer(1)]], constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    if (i >= n) { return; }
    y[i] = as_type<uchar4>(x[i] * 0.3f);
}
kernel void round(device const float* x [[buffer(0)]], device ushort* y [[buffer(1)]], constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    if (i >= n) { return; }
    uint u = as_type<uint>(x[i] / (1 / 0.3f));
    y[i] = (u & 0x7fffffff) > 0x7f800000 ? u >> 16 | 64 : (u + 0x7fff + (u >> 16 & 1)) >> 16;
}
kernel void narrow(device const float* x [[buffer(0)]], device uchar* y [[buffer(1)]], constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    if (i >= n) { return; }
    const float v = x[i] / 3, a = min(fabs(v), 448.0f);
    uint u = as_type<uint>(a);
    u = a < 0x1p-6f ? uint(rint(a * 512)) : ((u + 0x7ffff + (u >> 20 & 1)) >> 20) - 960;
    y[i] = uchar(as_type<uint>(v) >> 31 << 7 | u);
}
kernel void fraction(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    if (i >= n) { return; }
    int e;
    float part = frexp(x[i] / 0.3f, e);
    y[i] = ldexp(part * 1.5f, e);
}
`

// TestFloatsAsBits: what is known of a float goes with it where it is added to by exchanges of its bits, packed into
// words, taken apart into bytes, rounded by its bits, or into fraction and exponent.
func TestFloatsAsBits(t *testing.T) {
	family, err := new(spec.Limits).Read(fstest.MapFS{"bits.star": {Data: []byte(ofBits)}}, "bits.star")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range judged(t, family, bitKernels, "") {
		if small := strings.HasSuffix(r.Case, "subnormal"); r.Status != suite.Pass ||
			(r.Unjudged != nil || r.Open > 0) != small {
			t.Errorf("as it is: %s: %s %+v", r.Case, r.Text(), r.Unjudged)
		}
	}
	for _, fault := range []struct {
		kernel, old, new string
		check            suite.Check
	}{
		{"add", "(was) + x[i]", "(was) + x[i] * 1.00001f", suite.CheckFormula},
		{"add_until", "x[i] + as", "half(x[i]) + as", suite.CheckFormula},
		{"pack", "x[2 * i] * 0.3f", "x[2 * i] * 0.30001f", suite.CheckFormula},
		{"pack", "<< 16", "<< 15", ""},
		{"take_apart", "(x[i] * 0.3f)", "(x[i] * 0.30001f)", suite.CheckFormula},
		{"take_apart", "(x[i] * 0.3f)", "(x[i] * 0.3f).yxzw", ""},
		{"round", "0x7fff + (u >> 16 & 1)", "0", suite.CheckFormula},
		{"round", "0x7fff + (u >> 16 & 1)", "0xffff", suite.CheckFormula},
		{"round", "(1 / 0.3f)", "(1 / 0.300001f)", suite.CheckFormula},
		{"narrow", "0x7ffff + (u >> 20 & 1)", "0", suite.CheckExact},
		{"narrow", "- 960", "- 961", suite.CheckExact},
		{"fraction", "1.5f", "1.5001f", suite.CheckFormula},
		{"fraction", "1.5f, e", "1.5f, e + 1", suite.CheckFormula},
	} {
		edited := strings.Replace(bitKernels, fault.old, fault.new, 1)
		found := map[suite.Check]bool{}
		passes := true
		for _, r := range judged(t, family, edited, fault.kernel) {
			passes = passes && r.Status == suite.Pass
			for _, f := range r.Failures {
				found[f.Check] = true
			}
		}
		if passes || fault.check != "" && !found[fault.check] {
			t.Errorf("%s with %s: found by %v, want %s", fault.kernel, fault.new, found, fault.check)
		}
	}
}
