package spec_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/spec"
)

const codes = `def codes(x):
    m = max(abs(x.reshape(-1, 32)), axis = -1, keepdims = True)
    return rint(x.reshape(-1, 32) / where(m > 0, m / 127, 1)).reshape(-1)
kernel(name = "codes", args = [input("x", f32, "32 * n"), output("q", i8, "32 * n")], threads = "32 * n", threads_per_threadgroup = 32,
    base = {"n": 30}, inputs = [STANDARD], oracle = codes)`

const codesKernel = `#include <metal_stdlib>
using namespace metal;
kernel void codes(device const float *x [[buffer(0)]], device char *q [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    const float s = simd_max(fabs(x[i])) / 127;
    q[i] = QUOTIENT;
}`

// TestSubnormalCodes: the scale of subnormal numbers is zero on a device that flushes them, and codes are what they are
// there. What every device gets wrong, and what a conversion leaves undefined, is found all the same.
func TestSubnormalCodes(t *testing.T) {
	for _, test := range []struct{ name, standard, quotient, fails, hint string }{
		{"a quotient", "standard(finite = True)", "s > 0 ? char(rint(x[i] / s)) : 0", "", ""},
		{"a clamped product", "standard(finite = True)",
			"char(clamp(rint(x[i] * (s > 0 ? 1 / s : 0)), -127.0f, 127.0f))", "", ""},
		{"small scales are zero", "standard(finite = True)", "s > 1e-30f ? char(rint(x[i] / s)) : 0",
			"input=subnormal", ""},
		{"an infinite code", "standard(finite = True)", "char(rint(x[i] * (s > 0 ? 1 / s : 0)))", "input=subnormal",
			`without = ["subnormal"]`},
		{"an infinite code, not asked for", `standard(finite = True, without = ["subnormal"])`,
			"char(rint(x[i] * (s > 0 ? 1 / s : 0)))", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := fstest.MapFS{"codes.star": {Data: []byte(strings.Replace(codes, "STANDARD", test.standard, 1))}}
			family, err := new(spec.Limits).Read(files, "codes.star")
			if err != nil {
				t.Fatal(err)
			}
			source := strings.Replace(codesKernel, "QUOTIENT", test.quotient, 1)
			kept, flushed := sim.Semantics{Check: true}, sim.Semantics{Check: true, FlushSubnormals: true}
			for _, device := range []sim.Semantics{kept, flushed} {
				if device == flushed && test.hint != "" {
					continue // the scale is zero there, and no code infinite
				}
				failed := ""
				for _, r := range judgedOn(t, device, family, source, "") {
					if r.Status == suite.Pass {
						continue
					}
					failed += r.Case + " "
					if text := r.Text(); !strings.Contains(text, test.hint) {
						t.Errorf("%s: want %s", text, test.hint)
					}
				}
				if (failed != "") != (test.fails != "") || !strings.Contains(failed, test.fails) {
					t.Errorf("fails in %q, want %q", failed, test.fails)
				}
			}
		})
	}
}

// TestSubnormalNumbersAreNotToBlame: a kernel that is wrong whatever its inputs hold is not said to fail for its
// subnormal numbers.
func TestSubnormalNumbersAreNotToBlame(t *testing.T) {
	text := strings.Replace(codes, "STANDARD", "standard(finite = True)", 1)
	family, err := new(spec.Limits).Read(fstest.MapFS{"codes.star": {Data: []byte(text)}}, "codes.star")
	if err != nil {
		t.Fatal(err)
	}
	source := strings.Replace(codesKernel, "QUOTIENT", "char(s > 0 ? rint(x[i] / s) + 1 : 1)", 1)
	seen := false
	for _, r := range judgedOn(t, sim.Semantics{Check: true}, family, source, "") {
		seen = seen || strings.HasSuffix(r.Case, "input=subnormal")
		if text := r.Text(); r.Status != suite.Fail || strings.Contains(text, "subnormal numbers") {
			t.Errorf("%s: %s", r.Case, text)
		}
	}
	if !seen {
		t.Error("no case has subnormal numbers")
	}
}

// TestOverflowOnTheWay: a number that leaves the range of floats on the way is found, with the family to leave out.
// What an output holds in the end is none of the inputs.
func TestOverflowOnTheWay(t *testing.T) {
	const source = `#include <metal_stdlib>
kernel void k(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    y[i] = y[i] * metal::exp(x[i]) / metal::exp(x[i]);
}`
	for inputs, hint := range map[string]string{
		"standard()":                   `inputs = [standard(without = ["wide"])]`,
		`standard("y", finite = True)`: "",
	} {
		family, err :=
			new(spec.Limits).Read(fstest.MapFS{"k.star": {Data: []byte(`kernel(name = "k",
	args = [input("x", f32, "n", fill = uniform(0, 1)), inout("y", f32, "n")], threads = "n",
			threads_per_threadgroup = 32, base = {"n": 70}, inputs = [` + inputs +
				`], oracle = lambda x, y: y + 0 * x)`)}}, "k.star")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range judged(t, family, source, "") {
			if wide := strings.HasSuffix(r.Case, "input=wide"); wide && !strings.Contains(r.Text(), hint) ||
				hint == "" && r.Status != suite.Pass {
				t.Errorf("%s: %s", inputs, r.Text())
			}
		}
	}
}

const largest = `kernel(name = "largest", args = [input("x", f32, "rows", "n"), output("y", u32, "rows"), scalar("n", u32, "n")], threads = "rows",
    threads_per_threadgroup = 32, base = {"rows": 3, "n": 77}, inputs = [standard(finite = True)], oracle = lambda x: argmax(x, axis = -1))`

const largestKernel = `#include <metal_stdlib>
using namespace metal;
kernel void largest(device const float *x [[buffer(0)]], device uint *y [[buffer(1)]], constant uint &n [[buffer(2)]], uint row [[thread_position_in_grid]]) {
    uint at = 0;
    for (uint i = 1; i < END; i++) { if (x[row * n + i] > x[row * n + at]) { at = i; } }
    y[row] = at;
}`

// TestSubnormalPlaces: of subnormal numbers that count as zero the first is the largest, and what it is compared with
// next depends on that. A loop that leaves out the last is wrong all the same.
func TestSubnormalPlaces(t *testing.T) {
	family, err := new(spec.Limits).Read(fstest.MapFS{"k.star": {Data: []byte(largest)}}, "k.star")
	if err != nil {
		t.Fatal(err)
	}
	for end, fails := range map[string]bool{"n": false, "n - 1": true} {
		failed := false
		for _, r := range judgedOn(t, sim.Semantics{Check: true, FlushSubnormals: true}, family,
			strings.Replace(largestKernel, "END", end, 1), "") {
			if failed = failed || r.Status != suite.Pass; r.Status != suite.Pass && !fails {
				t.Errorf("up to %s: %s", end, r.Text())
			}
		}
		if failed != fails {
			t.Errorf("up to %s: fails is %t", end, failed)
		}
	}
}
