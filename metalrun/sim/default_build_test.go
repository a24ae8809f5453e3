package sim_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// TestDefaultBuild runs what Apple's default build and GPU make otherwise than the reference semantics do.
func TestDefaultBuild(t *testing.T) {
	const source = `#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *p [[buffer(0)]], device float *q [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    float c = p[i];
    float left = c;
    if (i > 0) left = simd_shuffle_up(c, 1);
    float square = c * c;
    q[i] = left;
    q[4 + i] = c + 16777216.0f - 16777216.0f;
    q[8 + i] = square - 0.01f;
    q[12 + i] = c / 0.3f;
}`
	third := float32(1) / float32(0.3)
	x := []float32{0.1, 0.7, 0.3, 0.9}
	reference, apple := make([]float32, 16), make([]float32, 16)
	for i, c := range x {
		reference[i], apple[i] = x[max(i-1, 0)], x[max(i-1, 0)]
		reference[4+i], apple[4+i] = float32(c+16777216)-16777216, c
		reference[8+i] = float32(c*c) - 0.01
		apple[8+i] = float32(math.FMA(float64(c), float64(c), -float64(float32(0.01))))
		reference[12+i], apple[12+i] = c/0.3, c*third
	}
	reference[1] = x[1] // lane 0 is inactive, which leaves lane 1 its own value
	if got := runFast(t, source, sim.Semantics{}, x); cmp.Diff(reference, got) != "" {
		t.Errorf("reference semantics: %v, want %v", got, reference)
	}
	if got := runFast(t, source, sim.Apple(), x); cmp.Diff(apple, got) != "" {
		t.Errorf("Apple's: %v, want %v", got, apple)
	}
}

// runFast builds a kernel in fast math and gives the 16 floats that four threads make of x.
func runFast(t *testing.T, source string, s sim.Semantics, x []float32) []float32 {
	t.Helper()
	program, err := metalrun.Analyse(metalrun.SourceText("k.metal", source),
		metalrun.CompileOptions{MathMode: metalrun.MathFast, FastFunctions: true})
	if err != nil {
		t.Fatal(err)
	}
	library, err := sim.New(s).Compile(program)
	if err != nil {
		t.Fatal(err)
	}
	defer library.Release()
	k, err := library.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	in, out := make([]byte, 0, 16), make([]byte, 64)
	for _, v := range x {
		in = binary.LittleEndian.AppendUint32(in, math.Float32bits(v))
	}
	_, err = k.Run(metalrun.Dispatch{
		Bindings: []metalrun.Binding{{Index: 0, Data: in, Length: len(in)}, {Index: 1, Data: out, Length: len(out)}},
		Threads:  metalrun.Size{X: 4, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: 4, Y: 1, Z: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float32, 16)
	for i := range got {
		got[i] = math.Float32frombits(binary.LittleEndian.Uint32(out[4*i:]))
	}
	return got
}
