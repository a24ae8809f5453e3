package sim_test

import (
	"math"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// reused are kernels that take memory for another type than it was stored as: out[i] is a function of
// in[4i] … in[4i + 3]. All of them begin with x and y, which devices have otherwise.
var reused = []struct {
	name, body string
	known      bool // something is known of out, since what is read is what was stored
}{
	{"words of a float", "threadgroup float t[64]; t[i] = x; out[i] = float(((threadgroup uint*)t)[i] & 0xffff);",
		false},
	{"a float of words", "threadgroup uint t[64]; t[i] = as_type<uint>(x); out[i] = ((threadgroup float*)t)[i] * y;",
		true},
	{"half of a float", "threadgroup float t[64]; t[i] = x; out[i] = float(((threadgroup half*)t)[2 * i + 1]);", false},
	{"a float over halves", "threadgroup half t[128]; t[2 * i] = half(x); t[2 * i + 1] = half(y);" +
		" ((threadgroup float*)t)[i] = 1.0f; out[i] = float(t[2 * i + 1]);", true},
	{"a float of halves",
		"threadgroup half t[128]; t[2 * i] = half(x); t[2 * i + 1] = half(y); out[i] = ((threadgroup float*)t)[i];",
		false},
	{"a float over halves of a thread",
		"half t[2]; t[0] = half(x); t[1] = half(y); *(thread float*)t = 1.0f; out[i] = float(t[1]);", true},
	{"halves over a float of a thread",
		"float t[2]; t[0] = x; t[1] = y; ((thread half*)t)[1] = half(y); out[i] = t[0];", false},
	{"an index that varies",
		"half t[4]; t[i & 3] = half(x); t[(i + 1) & 3] = half(y); ((thread float*)t)[i >> 1 & 1] = 1.0f; out[i] = " +
			"float(t[(i & 2) | 1]);", true},
	{"a vector over scalars",
		"threadgroup float t[256]; *(threadgroup float4*)(t + 4 * i) = float4(x, y, x * y, 1.0f); out[i] = t[4 " +
			"* i + 2];", true},
	{"half2 over halves",
		"threadgroup half t[128]; *(threadgroup half2*)(t + 2 * i) = half2(half(x), half(y)); out[i] = float(t[2 * " +
			"i + 1]);", true},
	{"a union by as_type", "const half2 h = as_type<half2>(x); out[i] = float(h.y) * y;", true},
	{"the greatest of bits",
		"threadgroup atomic_uint t; if (i == 0) atomic_store_explicit(&t, 0u, memory_order_relaxed);" +
			" threadgroup_barrier(mem_flags::mem_threadgroup); atomic_fetch_max_explicit(&t, as_type<uint>(abs(x)), " +
			"memory_order_relaxed);" +
			" threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = as_type<float>(atomic_load_explicit(&t, " +
			"memory_order_relaxed));", true},
	{"a float over an int, and back",
		"threadgroup int t[64]; t[i] = int(i); ((threadgroup float*)t)[i] = x; t[i] = 3; out[i] = float(t[i]);", true},
}

// TestExactMemoryReused compares with other devices: what is taken for another type is unknown, and
// never wrong.
func TestExactMemoryReused(t *testing.T) {
	for _, test := range reused {
		t.Run(test.name, func(t *testing.T) {
			source := "#include <metal_stdlib>\nusing namespace metal;\n" +
				"kernel void f(device const float4* in [[buffer(0)]], device float* out [[buffer(1)]], uint i " +
				"[[thread_index_in_threadgroup]])\n" +
				"{\n\tconst float x = in[i].x * in[i].y + in[i].z, y = exp(in[i].w) / 3.0f;\n\t" + test.body + "\n}\n"
			inputs := make([]float32, 4*climbers)
			for i := range inputs {
				inputs[i] = float32(math.Sin(float64(i))) + 1.5
			}
			o, notes := launchFollowed(t, compiled(t, sim.Semantics{Exact: true}, source, "f"), inputs, true)
			var known int
			for n := range 6 {
				device := compiled(t,
					sim.Semantics{Adversary: &sim.Adversary{Seed: uint64(n), Number: n%2 + 1, Choices: -1}},
					source, "f")
				for i, got := range launchOn(t, device, inputs, false).values {
					ratio, ok := o.excess(i, got)
					if ok {
						known++
					}
					if ratio > 1 {
						x, e, _ := o.exact.Element(4 * i)
						t.Fatalf("out[%d] = %v, want %v within %v", i, got, x, e)
					}
				}
			}
			if said := apart(notes); test.known != (known > 0) || !test.known && !said {
				t.Errorf("%d values are known, want some: %v; notes say that bits are taken apart: %v", known,
					test.known, said)
			}
		})
	}
}

// apart reports whether notes say that bits of floats are taken apart.
func apart(notes []metalrun.Note) bool {
	for _, n := range notes {
		if n.Kind == metalrun.TakenApart {
			return true
		}
	}
	return false
}
