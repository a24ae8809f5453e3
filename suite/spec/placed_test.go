package spec_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/suite"
	"metalconform/suite/spec"
)

// placed are kernels whose result hangs on where an extreme lies or which way a tie goes, and edits of each. A
// kernel without inputs of its own has to show them, whatever the seed.
var placed = []struct {
	name, specification, source string
	faults                      map[string][2]string
}{
	{"a maximum of rows",
		`kernel(name = "top", args = [input("x", f32, "rows", "n"), output("y", f32, "rows"), scalar("n", u32, "n")],
    threadgroups = "rows", threads_per_threadgroup = 32, base = {"rows": 2, "n": 77}, oracle = lambda x: max(x, axis = -1))`,
		`kernel void top(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant uint &n [[buffer(2)]], uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    float best = -INFINITY;
    for (uint i = lane; i < n; i += 32) { const float v = x[row * n + i]; best = v != v || best != best ? NAN : max(best, v); }
    best = simd_or(uint(best != best)) ? NAN : simd_max(best);
    if (lane == 0) y[row] = best;
}`, map[string][2]string{
			"leaves out the last lane":     {"simd_max(best)", "simd_max(lane < 31 ? best : -INFINITY)"},
			"leaves out the first lane":    {"simd_max(best)", "simd_max(lane > 0 ? best : -INFINITY)"},
			"leaves out the last element":  {"i < n;", "i < n - 1;"},
			"leaves out the first element": {"uint i = lane;", "uint i = lane == 0 ? 32 : lane;"},
			"begins at zero":               {"best = -INFINITY;", "best = 0;"},
		}},
	{"rounding to integers",
		`kernel(name = "whole", args = [input("x", f32, "n"), output("y", f32, "n")], threads = "n", threads_per_threadgroup = 32,
    base = {"n": 100}, inputs = [standard(finite = True)], oracle = lambda x: rint(x))`,
		"kernel void whole(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], uint i " +
			"[[thread_position_in_grid]]) { y[i] = rint(x[i]); }",
		map[string][2]string{
			"ties away from zero": {"rint(x[i])", "round(x[i])"},
			"ties up":             {"rint(x[i])", "floor(x[i] + 0.5f)"},
		}},
	{"codes of eight bits of a row", `def q8(x):
    d = max(abs(x), axis = -1, keepdims = True) / 127
    return rint(x / where(d > 0, d, 1))
kernel(name = "q8", args = [input("x", f16, "rows", "n"), output("codes", i8, "rows", "n"), scalar("n", u32, "n")], threadgroups = "rows", threads_per_threadgroup = 32,
    base = {"rows": 3, "n": 136}, inputs = [standard(finite = True)], oracle = q8)`,
		`kernel void q8(device const half *x [[buffer(0)]], device char *codes [[buffer(1)]], constant uint &n [[buffer(2)]], uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    float most = 0;
    for (uint i = lane; i < n; i += 32) { most = max(most, fabs(float(x[row * n + i]))); }
    const float d = simd_max(most) / 127, r = d > 0 ? 1 / d : 0;
    for (uint i = lane; i < n; i += 32) { codes[row * n + i] = char(rint(x[row * n + i] * r)); }
}`, map[string][2]string{"ties away from zero": {"rint(x", "round(x"},
			"ties up": {"char(rint(x[row * n + i] * r))", "char(floor(x[row * n + i] * r + 0.5f))"}}},
	{"codes of four bits", `def q4(x):
    d = max(abs(x.reshape(-1, 16)), axis = -1, keepdims = True) / 7
    return rint(x.reshape(-1, 16) / where(d > 0, d, 1)).reshape(-1)
kernel(name = "q4", args = [input("x", f32, "16 * n"), output("codes", i8, "16 * n")], threads = "16 * n", threads_per_threadgroup = 16,
    base = {"n": 30}, inputs = [standard(finite = True)], oracle = q4)`,
		`kernel void q4(device const float *x [[buffer(0)]], device char *codes [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    const float d = simd_max(fabs(x[i])) / 7;
    codes[i] = char(rint(x[i] / (d > 0 ? d : 1)));
}`, map[string][2]string{"ties away from zero": {"rint(x[i]", "round(x[i]"}}},
	{"the place of a maximum of halves",
		`kernel(name = "place", args = [input("x", f16, "n", 6), output("at", u32, "n")], threads = "n", threads_per_threadgroup = 32,
    base = {"n": 50}, inputs = [standard(finite = True)], oracle = lambda x: argmax(x, axis = -1))`,
		`kernel void place(device const half *x [[buffer(0)]], device uint *at [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    half best = x[6 * i];
    uint place = 0;
    for (uint j = 1; j < 6; j++) { if (x[6 * i + j] > best) { best = x[6 * i + j]; place = j; } }
    at[i] = place;
}`, map[string][2]string{
			"the last of several":   {"] > best", "] >= best"},
			"the largest size":      {"x[6 * i + j] > best", "fabs(x[6 * i + j]) > fabs(best)"},
			"one element too short": {"j < 6", "j < 5"},
		}},
}

func TestPlaced(t *testing.T) {
	for _, test := range placed {
		family, err := new(spec.Limits).Read(fstest.MapFS{"k.star": {Data: []byte(test.specification)}}, "k.star")
		if err != nil {
			t.Fatal(err)
		}
		source := "#include <metal_stdlib>\nusing namespace metal;\n" + test.source
		for _, r := range judged(t, family, source, "") {
			if r.Status != suite.Pass && r.Status != suite.Skip {
				t.Errorf("%s: as it is: %s: %s", test.name, r.Case, r.Text())
			}
		}
		for name, edit := range test.faults {
			found := false
			for _, r := range judged(t, family, strings.Replace(source, edit[0], edit[1], 1), "") {
				found = found || r.Status == suite.Fail
			}
			if !found {
				t.Errorf("%s: %s: not found", test.name, name)
			}
		}
	}
}
