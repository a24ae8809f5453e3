package spec_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/suite"
	"metalconform/suite/spec"
)

// cancelling is a definition that loses all its digits far below 0, and a kernel that does not.
const (
	cancelling = `kernel(
    name = "gate",
    args = [input("x", f32, "n"), output("y", f32, "n"), scalar("n", u32, "n")],
    threads = "n", threads_per_threadgroup = 32,
    base = {"n": 500}, vary = {"n": [1]},
    inputs = [family("wide", {"x": scaled(normal, 8)}, random = True)],
    oracle = lambda x: 0.5 * x * (1 + tanh(x)),
)
`
	gate = `#include <metal_stdlib>
using namespace metal;
kernel void gate(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant uint &n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    if (i < n) y[i] = x[i] / (1.0f + exp(-2.0f * x[i]));
}
`
)

// TestDefinitionThatCancels: what float64 leaves of a definition is no other formula, and another
// formula is one still.
func TestDefinitionThatCancels(t *testing.T) {
	family, err := new(spec.Limits).Read(fstest.MapFS{"gate.star": {Data: []byte(cancelling)}}, "gate.star")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range judged(t, family, gate, "") {
		if r.Status != suite.Pass {
			t.Errorf("as it is: %s: %s", r.Case, r.Text())
		}
	}
	found := false
	for _, r := range judged(t, family, strings.Replace(gate, "x[i] / (", "1.000001f * x[i] / (", 1), "") {
		for _, f := range r.Failures {
			found = found || f.Check == suite.CheckFormula
		}
	}
	if !found {
		t.Error("a factor of 1.000001 is not found")
	}
}

// byHand is a definition in bfloat, and a kernel that makes its bits itself.
const (
	byHand = `kernel(
    name = "scale",
    args = [input("x", f32, "n"), output("y", bf16, "n"), output("z", f32, "n"), scalar("n", u32, "n")],
    threads = "n", threads_per_threadgroup = 32,
    base = {"n": 100},
    inputs = [family("any", {"x": scaled(integers, 1.0 / 256)}), family("nothing", {"x": values(0.0, -0.0)}), standard("x", finite = True)],
    oracle = lambda x: {"y": 2 * x, "z": -x},
)
`
	roundsByHand = `#include <metal_stdlib>
using namespace metal;
kernel void scale(device const float *x [[buffer(0)]], device ushort *y [[buffer(1)]], device uint *z [[buffer(2)]], constant uint &n [[buffer(3)]], uint i [[thread_position_in_grid]]) {
    if (i < n) {
        uint bits = as_type<uint>(2 * x[i]);
        y[i] = ushort((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
        z[i] = as_type<uint>(-x[i]);
    }
}
`
)

// TestFloatsMadeOfBits: a rounding to bfloat by hand is one, and bits that are cut off are none. Where nothing is
// known of bits, that is said.
func TestFloatsMadeOfBits(t *testing.T) {
	family, err := new(spec.Limits).Read(fstest.MapFS{"scale.star": {Data: []byte(byHand)}}, "scale.star")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range judged(t, family, roundsByHand, "") {
		if r.Status != suite.Pass {
			t.Errorf("as it is: %s: %s", r.Case, r.Text())
		}
	}
	found, silent := false, 0
	for _, r := range judged(t, family, strings.Replace(roundsByHand, "0x7fff + (bits >> 16 & 1)", "0", 1), "") {
		for _, f := range r.Failures {
			found = found || f.Arg == "y" && f.Check == suite.CheckFormula
		}
		if r.Unjudged != nil && len(r.Warnings) == 0 {
			silent++
		}
	}
	if !found || silent > 0 {
		t.Errorf("bits cut off: found %v, %d cases whose elements are not judged say nothing of it", found, silent)
	}
}

// moved is the definition of a kernel that moves floats as integers.
const (
	moved = `kernel(
    name = "rotate",
    args = [input("x", bf16, 32), output("y", bf16, 32), output("z", f32, 32)],
    threadgroups = 1, threads_per_threadgroup = 32, base = {},
    inputs = [family("normal", {"x": normal}, random = True)], intermediates = bf16,
    oracle = lambda x: {"y": roll(x / 3, -1), "z": x / 3},
)
`
	moves = `#include <metal_stdlib>
using namespace metal;
kernel void rotate(device const bfloat *x [[buffer(0)]], device ushort *y [[buffer(1)]], device uint *z [[buffer(2)]], ushort i [[thread_index_in_simdgroup]]) {
    float third = float(x[i]) / 3.0f;
    bfloat narrow = bfloat(third);
    bfloat next = as_type<bfloat>(simd_shuffle(as_type<ushort>(narrow), ushort((i + 1) % 32)));
    y[i] = as_type<ushort>(next);
    z[i] = as_type<uint>(third);
}
`
)

// TestFloatsMoved: what is known of a float goes with it where it is moved as an integer.
func TestFloatsMoved(t *testing.T) {
	family, err := new(spec.Limits).Read(fstest.MapFS{"moved.star": {Data: []byte(moved)}}, "moved.star")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range judged(t, family, moves, "") {
		if r.Status != suite.Pass || r.Unjudged != nil || r.Open > 0 {
			t.Errorf("as it is: %s: %s %+v", r.Case, r.Text(), r.Unjudged)
		}
	}
	for _, r := range judged(t, family, strings.Replace(moves, "(i + 1) % 32", "(i + 2) % 32", 1), "") {
		if r.Status != suite.Fail {
			t.Errorf("a lane too far: %s: %s", r.Case, r.Text())
		}
	}
}

// far is a definition that picks by what float64 has 0 for, and a kernel that picks by what that is of.
const (
	far = `kernel(
    name = "pick",
    args = [input("x", f32, "rows", 40), output("best", u32, "rows", 3)],
    threads = "rows", threads_per_threadgroup = 32, base = {"rows": 20},
    inputs = [family("far", {"x": scaled(normal, 3000)}, random = True), family("ties", {"x": scaled(integers, 500)})],
    oracle = lambda x: top_k(softmax(x), 3)[1],
)
`
	picks = `#include <metal_stdlib>
using namespace metal;
kernel void pick(device const float *x [[buffer(0)]], device uint *best [[buffer(1)]], uint row [[thread_position_in_grid]]) {
    bool taken[40] = {};
    for (uint k = 0; k < 3; k++) {
        uint at = 40;
        for (uint i = 0; i < 40; i++) {
            if (!taken[i] && (at == 40 || x[row * 40 + i] > x[row * 40 + at])) {
                at = i;
            }
        }
        taken[at] = true;
        best[row * 3 + k] = at;
    }
}
`
)

// TestOrderOfWhatVanishes: the largest of numbers that float64 has 0 for is the largest or the first, and nothing else.
func TestOrderOfWhatVanishes(t *testing.T) {
	family, err := new(spec.Limits).Read(fstest.MapFS{"far.star": {Data: []byte(far)}}, "far.star")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range judged(t, family, picks, "") {
		if r.Status != suite.Pass {
			t.Errorf("as it is: %s: %s", r.Case, r.Text())
		}
	}
	for what, with := range map[string]string{"the least after the first": "at == 40 || (x[row * 40 + i] > x[row * " +
		"40 + at]) == (k == 0)", "the last of equal ones": "at == 40 || x[row * 40 + i] >= x[row * 40 + at]"} {
		failed := false
		for _, r := range judged(t, family,
			strings.Replace(picks, "at == 40 || x[row * 40 + i] > x[row * 40 + at]", with, 1), "") {
			failed = failed || r.Status == suite.Fail
		}
		if !failed {
			t.Errorf("%s: not found", what)
		}
	}
}
