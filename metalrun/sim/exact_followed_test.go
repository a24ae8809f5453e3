package sim_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// followed are bodies whose results are known although rounding decides in them: a * b - c is 0 on
// some devices and ±2⁻²⁵ or so on others. Each thread has its own a, b and c.
var followed = []struct {
	name, before, body string
	unstable           bool // some decision may come out otherwise
}{
	{"both arms of a branch", "", "float y = 1.0f; if (x > 0.0f) { y = a * 3.0f; } else { y = b + 0.5f; } out[i] = y;",
		true},
	{"stores in both arms", "", "if (x > 0.0f) { out[i] = a * b; } else { out[i] = a - c; }", true},
	{"a store in one arm", "", "out[i] = c; if (x > 0.0f) { out[i] = a; }", true},
	{"an array of the thread", "",
		"float v[4] = {a, b, c, 0.0f}; if (x > 0.0f) { v[i & 3] = a * b; v[1] = 2.0f; } out[i] = v[i & 3] + v[1];",
		true},
	{"nested branches", "", "float y = 0.0f; if (x > 0.0f) { y = a; if (a * b > c) { y *= 2.0f; } } else if (b * a < " +
		"c) { y = b; } out[i] = y;", true},
	{"a function left early", "static float g(float x, float a) { if (x > 0.0f) { return a; } return a * x + 1.0f; }\n",
		"out[i] = g(x, a) * b;", true},
	{"a function left early from a nested branch",
		"static float g(float x, float a, float b) { float s = a; if (a > -100.0f) { s += 1.0f; if (x > 0.0f) { " +
			"return s; } s *= b; } return s; }\n", "out[i] = g(x, a, b) + g(a, x, b);", true},
	{"a function that calls itself",
		"static float g(float a, float b, int n) { if (n == 0) { return a * b; } const float y = a * 0.5f; return " +
			"g(y, b, n - 1) + g(b, y, n / 2) * y; }\n", "out[i] = g(a, b, 3 + int(i & 1)) * c;", false},
	{"what both arms have alike", "", "float y = 0.0f; if (x > 0.0f) { y = a; } else { y = a; } out[i] = y;", false},
	{"a loop that rounding ends, and what it does not touch", "",
		"float s = 0.0f; int n = 0; float y = a * b; for (; n < 8 && s <= x; n++) { s += 1.0f; } out[i] = y + 1.0f;",
		true},
	{"turns of a loop", "", "float y = 0.0f; for (int k = 0; k < 4; k++) { if (x > 0.0f) { y += a; } else { y -= b; " +
		"} } out[i] = y;", true},
	{"sums by atomic additions", "",
		"atomic_fetch_add_explicit((device atomic_float *)out + (i & 3), a * b, memory_order_relaxed);", false},
	{"an atomic sum of one constant", "",
		"atomic_fetch_add_explicit((device atomic_float *)out + (i & 1), 0.1f, memory_order_relaxed);", false},
	{"atomic sums that are 0 on the way", "",
		"out[i] = 5.0f; threadgroup_barrier(mem_flags::mem_device); " +
			"device atomic_float *s = (device atomic_float *)out; atomic_fetch_add_explicit(s, " +
			"i == 3 ? -5.0f : i == 4 ? 1.0f : 0.0f, memory_order_relaxed);", false},
	{"an atomic difference, read back", "",
		"device atomic_float *s = (device atomic_float *)out + (i & 3); atomic_fetch_sub_explicit(s, a * b, " +
			"memory_order_relaxed); threadgroup_barrier(mem_flags::mem_device); " +
			"const float d = atomic_load_explicit(s, memory_order_relaxed); " +
			"threadgroup_barrier(mem_flags::mem_device); " +
			"out[i] = d + 1.0f;", false},
	{"counts that rounding decides", "",
		"threadgroup atomic_uint s; if (i == 0) { atomic_store_explicit(&s, 0u, memory_order_relaxed); } " +
			"threadgroup_barrier(mem_flags::mem_threadgroup); " +
			"atomic_fetch_add_explicit(&s, x > 0.0f ? 3u : 1u, memory_order_relaxed); " +
			"threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = float(atomic_load_explicit(&s, " +
			"memory_order_relaxed));", true},
	{"a second count beside one that rounding decides", "",
		"threadgroup atomic_uint s[2]; if (i < 2) { atomic_store_explicit(&s[i], 0u, memory_order_relaxed); } " +
			"threadgroup_barrier(mem_flags::mem_threadgroup); " +
			"atomic_fetch_add_explicit(&s[i & 1], i & 1 ? 2u : x > 0.0f ? 3u : 1u, memory_order_relaxed); " +
			"threadgroup_barrier(mem_flags::mem_threadgroup); " +
			"if (i & 1) { atomic_fetch_add_explicit(&s[i & 1], 1u, memory_order_relaxed); } " +
			"threadgroup_barrier(mem_flags::mem_threadgroup); " +
			"out[i] = float(atomic_load_explicit(&s[i & 1], memory_order_relaxed));", true},
	{"counts of places that rounding decides", "",
		"threadgroup atomic_uint s[5]; if (i < 5) { atomic_store_explicit(&s[i], 0u, memory_order_relaxed); } " +
			"threadgroup_barrier(mem_flags::mem_threadgroup); " +
			"atomic_fetch_add_explicit(&s[x > 0.0f ? 2u : 1u], 1u + (i & 1), memory_order_relaxed); " +
			"threadgroup_barrier(mem_flags::mem_threadgroup); " +
			"out[i] = float(int(atomic_load_explicit(&s[i % 5], memory_order_relaxed)));", true},
	{"the least of places without a sign", "",
		"threadgroup atomic_uint s[4]; if (i < 4) { atomic_store_explicit(&s[i], 0u, memory_order_relaxed); } " +
			"threadgroup_barrier(mem_flags::mem_threadgroup); " +
			"atomic_fetch_add_explicit(&s[min(x > 0.0f ? 2u : 1u, 3u)], 1u, memory_order_relaxed); " +
			"threadgroup_barrier(mem_flags::mem_threadgroup); " +
			"out[i] = float(int(atomic_load_explicit(&s[i & 3], memory_order_relaxed)));", true},
	{"the largest key of floats", "",
		"threadgroup atomic_uint s; if (i == 0) { atomic_store_explicit(&s, 0u, memory_order_relaxed); } " +
			"threadgroup_barrier(mem_flags::mem_threadgroup); " +
			"atomic_fetch_max_explicit(&s, as_type<uint>(exp(a) * b), memory_order_relaxed); " +
			"threadgroup_barrier(mem_flags::mem_threadgroup); " +
			"out[i] = as_type<float>(atomic_load_explicit(&s, memory_order_relaxed)) * c;", false},
	{"a shuffle that is filled", "", "out[i] = simd_shuffle_and_fill_up(a * b, c * b, ushort(3));", false},
	{"threadgroup memory as floats and halves", "",
		"threadgroup half s[192]; threadgroup float* f = (threadgroup float*)s; f[i] = a * b; s[128 + i] = half(c * " +
			"b); threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = f[i ^ 1] + float(s[128 + (i ^ 1)]);", false},
	{"threadgroup memory as halves, then floats", "",
		"threadgroup half s[128]; threadgroup float* f = (threadgroup float*)s; s[2 * i + 1] = half(c * b); " +
			"threadgroup_barrier(mem_flags::mem_threadgroup); const float d = s[2 * i + 1]; " +
			"threadgroup_barrier(mem_flags::mem_threadgroup); f[i] = a * d; " +
			"threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = f[i ^ 1];", false},
	{"subnormals of half that count as zero", "",
		"const half p = as_type<half>(ushort(i * 7)), q = as_type<half>(ushort(i * 5 + 1)); out[i] = p > q ? " +
			"1.0f : 2.0f;", true},
	{"one of them, for all threads", "",
		"const half p = as_type<half>(ushort(in[0].x)); out[i] = p > half(0) ? 1.0f : 2.0f;", true},
	{"computed ones", "", "const half p = half(a) * 0x1p-17h, q = half(b) * 0x1p-18h; out[i] = p > q ? 1.0f : 2.0f;",
		true},
	{"rounded to bfloat by its bits", "",
		"uint u = as_type<uint>(a * b + x); u += 0x7fff + ((u >> 16) & 1); out[i] = as_type<float>(u & " +
			"0xffff0000) * c;", false},
	{"rounded in a word", "",
		"const uint u = as_type<uint>(exp(a) * b); const ushort w = (u & 0x7fffffff) > 0x7f800000 ? 64 : (u + " +
			"0x8000) >> 16; out[i] = float(as_type<bfloat>(w)) + c;", false},
	{"truncated by its bits", "", "out[i] = as_type<float>(as_type<uint>(exp(a) * b) & 0xfffff000u) - c;", false},
	{"exponent and sign", "",
		"const uint u = as_type<uint>(exp(a) * -b); out[i] = float((u >> 23 & 0xff) | (u & 0x80000000) >> 20);", false},
	{"its sign put back", "",
		"const uint u = as_type<uint>(-exp(a)); out[i] = as_type<float>(as_type<uint>(exp(c)) | (u & 0x80000000));",
		false},
	{"a half by its bits", "",
		"const ushort u = as_type<ushort>(half(exp(a))); out[i] = float(as_type<half>(ushort((u + 1) & 0xfffe)));",
		false},
	{"bits as a number", "", "out[i] = float(int(as_type<uint>(exp(a) * b))) * 0x1p-23f;", false},
	{"one by parts", "", "out[i] = simd_shuffle_and_fill_down(a * b, c * b, ushort(5), ushort(16));", false},
}

// TestExactForgets: nothing is known of what takes bits of a float apart, be it of itself.
func TestExactForgets(t *testing.T) {
	for _, body := range []string{
		"float y = exp(a) * b; y = as_type<float>(as_type<uint>(y) ^ 1u); out[i] = y;",
		"float y = a * b; for (uint k = 0; k < i % 3 + 1; k++) { y = fract(y) + 1.0f; } out[i] = y;",
		"threadgroup half s[128]; ((threadgroup float*)s)[i] = a * b; out[i] = s[2 * i + 1];",
		"threadgroup half s[128]; threadgroup float* f = (threadgroup float*)s; f[i] = a * b; s[2 * i] = 0; " +
			"out[i] = f[i];",
		"threadgroup half s[128]; threadgroup float* f = (threadgroup float*)s; s[2 * i + 1] = half(a * b); s[2 * i] " +
			"= 0; out[i] = f[i];",
		"half s[4]; thread float* f = (thread float*)s; f[i & 1] = a * b; out[i] = s[2 * (i & 1) + 1];",
		"float y = a * b; if (i > 7) { y = nextafter(y, 9.0f); } else { y = fract(y); } out[i] = y;",
	} {
		k := compiled(t, sim.Semantics{Exact: true}, "#include <metal_stdlib>\nusing namespace metal;\n"+
			"kernel void f(device const float4* in [[buffer(0)]], device float* out [[buffer(1)]], uint i "+
			"[[thread_position_in_grid]])\n"+
			"{\n\tconst float a = in[i].x, b = in[i].y;\n\t"+body+"\n}\n", "f")
		in := make([]float32, 4*climbers)
		for i := range in {
			in[i] = 1 + float32(i*37%64)/96
		}
		o, notes := launchFollowed(t, k, in, true)
		if _, e, _ := o.exact.Element(4 * 9); !math.IsInf(e, 1) ||
			!slices.ContainsFunc(notes, func(n metalrun.Note) bool { return n.Kind == metalrun.TakenApart }) {
			t.Errorf("%s: within %v, %v", body, e, notes)
		}
	}
}

// TestExactFollows holds adversarial devices to what is known of bodies in which rounding decides, and
// that has to be something for every element.
func TestExactFollows(t *testing.T) {
	for _, test := range followed {
		t.Run(test.name, func(t *testing.T) {
			source := "#include <metal_stdlib>\nusing namespace metal;\n" + test.before +
				"kernel void f(device const float4* in [[buffer(0)]], device float* out [[buffer(1)]], uint i " +
				"[[thread_position_in_grid]])\n" +
				"{\n\tconst float a = in[i].x, b = in[i].y, c = in[i].z, x = a * b - c;\n\t" + test.body + "\n}\n"
			in := make([]float32, 4*climbers)
			for i := range climbers {
				a, b := float32(1)+float32(i*37%64)/96, float32(3)-float32(i*11%64)/57
				copy(in[4*i:], []float32{a, b, float32(a * b)})
			}
			exact := compiled(t, sim.Semantics{Exact: true}, source, "f")
			o, notes := launchFollowed(t, exact, in, true)
			unstable := slices.ContainsFunc(notes,
				func(n metalrun.Note) bool { return n.Kind == metalrun.UnstableDecision })
			if unstable != test.unstable {
				t.Errorf("unstable: %v, want %v", unstable, test.unstable)
			}
			for i := range climbers {
				if _, e, written := o.exact.Element(4 * i); written && math.IsInf(e, 0) {
					t.Fatalf("nothing is known of element %d", i)
				}
			}
			for n := range 8 {
				device := compiled(t, sim.Semantics{Contract: n == 0,
					Adversary: &sim.Adversary{Seed: uint64(n), Number: n%2 + 1, Choices: -1}}, source, "f")
				other, _ := launchFollowed(t, device, in, false)
				for i, got := range other.values {
					if ratio, known := o.excess(i, got); ratio > 1 || !known {
						x, e, _ := o.exact.Element(4 * i)
						t.Fatalf("device %d: out[%d] = %v, want %v within %v", n, i, got, x, e)
					}
				}
			}
		})
	}
}

// launchFollowed launches a kernel of climbers threads, and gives what it meets too.
func launchFollowed(t testing.TB, k metalrun.Kernel, inputs []float32, exact bool) (o outcome, notes []metalrun.Note) {
	t.Helper()
	in, out := make([]byte, 4*len(inputs)), make([]byte, len(inputs))
	for i, x := range inputs {
		binary.LittleEndian.PutUint32(in[4*i:], math.Float32bits(x))
	}
	b := metalrun.Binding{Index: 1, Data: out, Length: len(out)}
	if exact {
		b.Exact = &o.exact
	}
	result, err := k.Run(metalrun.Dispatch{
		Bindings: []metalrun.Binding{{Index: 0, Data: in, Length: len(in)}, b},
		Threads:  metalrun.Size{X: climbers, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: climbers, Y: 1, Z: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range climbers {
		o.values = append(o.values, math.Float32frombits(binary.LittleEndian.Uint32(out[4*i:])))
	}
	return o, result.Notes
}
