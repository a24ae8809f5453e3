package spec_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/spec"
	"metalconform/tensorfile"
)

// TestStoredResults has results that another program computed in f32, in its own order and with its own roundings: a
// kernel is judged by what either may be off by, and one that is further off fails.
func TestStoredResults(t *testing.T) {
	const n = 77
	var x, y []byte
	sum := float32(0)
	for i := range n {
		v := float32(1 / float64(9+i))
		x, sum = binary.LittleEndian.AppendUint32(x, math.Float32bits(v)), sum+v
	}
	y = binary.LittleEndian.AppendUint32(y, math.Float32bits(sum))
	files := fstest.MapFS{
		"k.star": {Data: []byte(`kernel(name = "total", args = [input("x", f32, "n"), output("y", f32, 1), scalar("n", u32, "n")], threads = 32,
    threads_per_threadgroup = 32, base = {"n": 1}, recordings = ["other.safetensors"])`)},
		"other.safetensors": {Data: tensorfile.Safetensors(nil, []tensorfile.Named{
			{Name: "x", Array: tensorfile.Array{Type: tensorfile.F32, Shape: []int{n}, Data: x}},
			{Name: "y", Array: tensorfile.Array{Type: tensorfile.F32, Shape: []int{1}, Data: y}},
		})},
	}
	family, err := new(spec.Limits).Read(files, "k.star")
	if err != nil {
		t.Fatal(err)
	}
	const source = `#include <metal_stdlib>
using namespace metal;
kernel void total(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], constant uint &n [[buffer(2)]], uint i [[thread_position_in_grid]]) {
    float sum = 0;
    for (uint k = i; k < n; k += 32) { sum += x[k]; }
    sum = simd_sum(sum);
    if (i == 0) { y[0] = sum; }
}`
	for change, want := range map[string]suite.Status{"simd_sum(sum)": suite.Pass,
		"simd_sum(sum) * 1.00001f": suite.Fail} {
		results := judgedOn(t, sim.Semantics{Check: true}, family, strings.Replace(source, "simd_sum(sum)", change, 1),
			"")
		if len(results) != 1 || results[0].Status != want {
			t.Errorf("%s: %v, want %s", change, results, want)
		}
	}
}
