package sim_test

import (
	"math"
	"testing"

	"metalconform/metalrun/sim"
)

// sampledBodies are what a kernel makes of a, b and c, with the errors, as parts of u, that one
// element of a sample may have. Where every sample has to be unknown there are none.
var sampledBodies = []struct {
	body string
	size func(a, b, c float64) float64 // Σ|g·δ|/u
	one  bool                          // there is one error: of that size, up or down
}{
	{"out[i] = a * b;", func(a, b, _ float64) float64 { return a * b }, true},
	{"out[i] = a * b + c;", func(a, b, c float64) float64 { return a*b + math.Abs(a*b+c) }, false},
	{"const float y = a * b; out[i] = y - y;", func(_, _, _ float64) float64 { return 0 }, true},
	{"const float y = a * b; out[i] = select(y, 0.0f, y > 1e30f);", func(a, b, _ float64) float64 { return a * b },
		true},
	{"threadgroup float s[64]; s[i % 64] = a * b; threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = s[i % 64];",
		func(a, b, _ float64) float64 { return a * b }, true},
	{"out[i] = float(bfloat(a * b));", nil, false},
	{"out[i] = as_type<float>(as_type<int>(a * b) + 0) * c;", nil, false},
}

// TestSamples looks at what is drawn: errors of the right size and of both signs, that cancel where
// they are one.
func TestSamples(t *testing.T) {
	const n, u = climbers, 0x1p-24
	in := make([]float32, 4*n)
	for i := range n {
		copy(in[4*i:], []float32{1 + float32(i%61)/96, 3 - float32(i%53)/57, float32(i%7) - 3.3})
	}
	for _, test := range sampledBodies {
		source := "#include <metal_stdlib>\nusing namespace metal;\n" +
			"kernel void f(device const float4* in [[buffer(0)]], device float* out [[buffer(1)]], uint i " +
			"[[thread_position_in_grid]])\n" +
			"{\n\tconst float a = in[i].x, b = in[i].y, c = in[i].z;\n\t" + test.body + "\n}\n"
		exact := launchOn(t, compiled(t, sim.Semantics{Exact: true}, source, "f"), in, true)
		var up, down int
		for sample := range uint64(4) {
			drawn := launchOn(t, compiled(t, sim.Semantics{Exact: true, Sample: sample + 1}, source, "f"), in, true)
			for i := range n {
				x, bound, _ := exact.exact.Element(4 * i)
				y, e, _ := drawn.exact.Element(4 * i)
				if test.size == nil {
					if e == 0 && (math.IsInf(bound, 1) || bound == 0 && x != y) {
						t.Fatalf("%s: sample %d knows element %d", test.body, sample, i)
					}
					continue
				}
				off, most := y-x, u*test.size(float64(in[4*i]), float64(in[4*i+1]), float64(in[4*i+2]))
				if e != 0 || math.Abs(off) > most*(1+1e-6) || test.one && off != 0 && math.Abs(off) < most*(1-1e-6) {
					t.Fatalf("%s: sample %d, element %d: off by %g within %g, want %g", test.body, sample, i, off, e,
						most)
				}
				if off > 0 {
					up++
				} else if off < 0 {
					down++
				}
			}
		}
		if test.size != nil && test.size(1, 2, -3.3) > 0 && min(up, down) < n {
			t.Errorf("%s: %d errors up, %d down", test.body, up, down)
		}
	}
}
