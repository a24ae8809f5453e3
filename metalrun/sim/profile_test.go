package sim_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"

	"github.com/google/go-cmp/cmp"
)

// demands are kernels with what one of 64 threads each, in two simdgroups, asks of a device,
// counted by hand.
var demands = []struct {
	name, body string
	want       map[string]float64
}{
	// The product goes into the sum; 2·a is computed before the threads begin.
	{"fused", "out[i] = in[i] * (2.0f * a) + 1.0f;", map[string]float64{"f32 fma": 2, "f32 mul": 0, "f32 add": 0,
		"requests": 4, "lines": 4, "missed": 4, "device link": 2}},
	{"unfused", "float x = in[i] * a; out[i] = x + 1.0f; out[i + 64] = x;",
		map[string]float64{"f32 fma": 0, "f32 mul": 2, "f32 add": 2}},
	// What is loaded twice, or computed, with nothing written between is loaded once.
	{"common", "out[i] = sqrt(in[i] * in[i]) / sqrt(in[i] * in[i]);",
		map[string]float64{"requests": 4, "device link": 2, "f32 mul": 2, "root": 2 * 2}},
	{"common in turns", "float x = 0; for (uint k = 0; k < uint(a); k++) { x += in[k * 64 + i] * in[k * 64 + i]; } " +
		"out[i] = x;", map[string]float64{"requests": 2*8 + 2, "device link": 16, "f32 fma": 16}},
	{"written between", "float x = out[i]; out[i + 64] = x; out[i + 128] = out[i] * x;",
		map[string]float64{"requests": 8, "stored": 4}},
	{"written elsewhere", "float x = in[i]; out[i] = x; s[i] = x; out[i + 64] = in[i] * x;",
		map[string]float64{"requests": 6, "stored": 4}},
	// Neighbours 128 bytes apart are in lines of their own; the second time they are there.
	{"strided", "out[i] = in[i * 32] + in[i * 32 + 1];", map[string]float64{"requests": 6, "lines": 130, "missed": 66}},
	// More lines than the cache has room for, asked for again by whoever has not waited for them yet.
	{"on its way", "out[i] = in[i * 32] + in[i * 32 + 4096] + in[i * 32 + 1];",
		map[string]float64{"requests": 8, "lines": 64*3 + 2, "missed": 64*2 + 2}},
	{"components", "device const float4 *v = (device const float4 *)in; out[i] = v[i].x * v[i].z + v[i + 64].w;",
		map[string]float64{"requests": 2 * 3}},
	{"same", "out[i] = in[a > 0.0f ? 3 : 5];", map[string]float64{"requests": 4, "lines": 4, "missed": 3}},
	{"vector", "((device float4 *)out)[i] = ((device const float4 *)in)[i];",
		map[string]float64{"requests": 4, "lines": 16, "missed": 16}},
	// Halves of two simdgroups are in one line, as many as there are banks in two turns.
	{"narrow", "out[i] = ((device const half *)in)[i];", map[string]float64{"requests": 4, "lines": 4, "missed": 3}},
	{"narrow banks",
		"threadgroup half *h = (threadgroup half *)s; h[i] = half(a); " +
			"threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = h[i];",
		map[string]float64{"shared": 4, "turns": 4}},
	// Words 32 apart are in one bank; 33 apart in different ones, of which two threads share each.
	{"banks", "s[i] = a; threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = s[i * 32];",
		map[string]float64{"shared": 4, "turns": 4 + 2*32, "barriers": 2, "shared link": 2}},
	{"spread", "s[i] = a; threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = s[i % 32 * 33];",
		map[string]float64{"shared": 4, "turns": 4 + 4}},
	{"broadcast", "s[i] = a; threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = s[7];",
		map[string]float64{"shared": 4, "turns": 4 + 2}},
	{"spread, then banks",
		"s[i] = a; threadgroup_barrier(mem_flags::mem_threadgroup); float x = 0; for (uint k = 0; k < uint(a) / 4; " +
			"k++) { x += s[i * (k == 0 ? 1 : 32)]; } out[i] = x;", map[string]float64{"turns": 4 + 2*2 + 2*32}},
	{"waiting for one",
		"if (i != 0) { return; } for (uint k = 0; k < uint(a); k++) { out[k] = in[k * 32] + in[k * 32 + 1]; }",
		map[string]float64{"requests": 3 * 8, "lines": 3 * 8, "missed": 8 + 1, "f32 add": 8, "jumps": 8 + 3}},
	{"contended", "atomic_fetch_add_explicit((device atomic_uint *)out + i / 8, 1u, memory_order_relaxed);",
		map[string]float64{"atomics": 2, "atomic turns": 2 * 8, "hottest": 2 * 8, "raced": 0, "device link": 0}},
	// Threads in four lines take a turn in each.
	{"atomics apart", "atomic_fetch_add_explicit((device atomic_uint *)out + i % 4 * 32, 1u, memory_order_relaxed);",
		map[string]float64{"atomic turns": 2 * 4 * 8, "hottest": 2 * 8}},
	// Sums of floats succeed one in a round, and load first. Nobody waits for another atomic that is not read.
	{"floats", "atomic_fetch_add_explicit((device atomic_float *)out + i / 8, 1.0f, memory_order_relaxed);",
		map[string]float64{"atomic turns": 2 * 8 * 9 / 2, "raced": 8, "requests": 2, "atomic link": 2 * 2}},
	{"read", "s[i] = float(atomic_fetch_add_explicit((device atomic_uint *)out + i, 1u, memory_order_relaxed));",
		map[string]float64{"atomic link": 2}},
	{"not read", "atomic_fetch_max_explicit((device atomic_uint *)out + i, 1u, memory_order_relaxed);",
		map[string]float64{"atomic link": 0, "local": 0}},
	// Words 16 apart are in one bank.
	{"local atomics",
		"threadgroup atomic_uint *t = (threadgroup atomic_uint *)s; atomic_fetch_add_explicit(t + i % 32 * 16, 1u, " +
			"memory_order_relaxed); atomic_fetch_add_explicit(t + i, 1u, memory_order_relaxed);",
		map[string]float64{"local": 2 * (32 + 2), "atomic turns": 2 * (32 + 2), "hottest": 0}},
	// Precise forms, which count as often as they take longer than the fast ones.
	{"functions", "out[i] = sqrt(in[i]) + sin(in[i]) / exp(in[i]);",
		map[string]float64{"root": 2 * 2, "sin/cos": 2 * 1.7, "exp/log": 2, "division": 2 * 5}},
	{"fast functions", "out[i] = fast::pow(in[i], a) + fast::tanh(in[i]);",
		map[string]float64{"exp/log": 2 * (3 + 3), "function": 0}},
	{"powers", "out[i] = fast::pow(in[i], 6.0f) + fast::powr(in[i + 64], 3.0f) + fast::pow(in[i + 128], 0.5f) + " +
		"fast::pow(in[i], 0.3f);", map[string]float64{"f32 mul": 2 * (3 + 2), "root": 2, "exp/log": 2 * 3}},
	// By a literal a quotient is a shift, a mask, or the upper half of a product and a shift; what is left takes a
	// product more.
	{"quotients", "uint j = as_type<uint>(in[i]); int k = int(j); out[i] = float(j / 8 + j % 16 + j / 7 + j % 9 + " +
		"uint(k / 4));", map[string]float64{"int div": 0, "int32 mul": 2 * (1 + 2 + 3 + 2), "int32": 2 * (1 + 4)}},
	{"quotients by what differs", "uint j = as_type<uint>(in[i]); out[i] = float(j / (i + 1) % (i + 2));",
		map[string]float64{"int div": 2 * 2, "arithmetic link": 2 * (15 + 15 + 1 + 1)}},
	// A comparison is part of the selection, and a conversion from half of what reads it.
	{"selections", "out[i] = in[i] > a ? in[i + 64] : a;", map[string]float64{"f32 other": 2, "int32": 0}},
	{"halves", "out[i] = float(((device const half *)in)[i]) * a;",
		map[string]float64{"f32 mul": 2, "f32 other": 0, "convert": 0}},
	{"fields", "uint j = as_type<uint>(in[i]); out[i] = as_type<float>((j >> 3 & 7) ^ (j >> 5 & 10));",
		map[string]float64{"int32 mul": 2 * 2, "int32": 2 * 2}},
	// An upper half takes as long as two lower ones, and so do bits that move by what nobody knows; a product of 64
	// bits takes as long as two of 32, if its factors have no more.
	{"long instructions", "uint j = as_type<uint>(in[i]); out[i] = as_type<float>(mulhi(j, j + 1) ^ rotate(j, 7u) ^ " +
		"(j >> (j & 3)));", map[string]float64{"int32 mul": 2 * (2 + 2 + 2)}},
	{"64 bits",
		"ulong j = ulong(as_type<uint>(in[i])), k = j * j; k = k + (k >> 40); out[i] = as_type<float>(uint(k * k));",
		map[string]float64{"int32 mul": 2 * (2 + 1 + 4), "int64": 2}},
	{"votes and fours", "out[i] = simd_any(in[i] > a) ? 1.0f : quad_sum(in[i]);",
		map[string]float64{"shuffle": 2, "reduction": 2 * .4}},
	// Sums are five shuffles, and a sine is a sequence.
	{"waits", "out[i] = simd_shuffle_xor(simd_sum(in[i]), 1) + quad_sum(in[i + 64]);",
		map[string]float64{"simdgroup link": 2 * (5 + 1)}},
	{"waits for functions", "out[i] = fast::sin(fast::exp(in[i])) + sqrt(in[i]);",
		map[string]float64{"function link": 2 * (3 + 1)}},
	{"same angle", "out[i] = fast::sin(in[i]) + fast::cos(in[i]) + fast::cos(in[i + 64]);",
		map[string]float64{"sin/cos": 2 * (1 + .65 + 1)}},
	// Turns that are taken apart read tables when they are compiled, and compute what is the same in several of them
	// once.
	{"tables",
		"uint j = as_type<uint>(in[i]), n = as_type<uint>(in[i + 64]); float x = 0; for (uint k = 0; k < 4; k++) { x " +
			"+= float((j + uint(steps[k])) % n); } out[i] = x;",
		map[string]float64{"int div": 2 * 2, "convert": 2 * 2, "f32 add": 2 * 4, "requests": 2 * 3}},
	{"tables and arms",
		"uint j = as_type<uint>(in[i]), n = as_type<uint>(in[i + 64]); float x = 0; for (uint k = 0; k < 4; k++) { " +
			"if (j + k < 66) { n++; } x += float((j + uint(steps[k])) % n); } out[i] = x;",
		map[string]float64{"int div": 2 * 4}},
	// What the turns of loops around it make of an index, an address takes in.
	{"rows", "float x = 0; for (uint k = 0; k < 400; k++) { for (uint j = 0; j < 4; j++) { x += in[k * 4 + j]; } } " +
		"out[i] = x;", map[string]float64{"int32": 2 * (400*3 + 1)}},
	// Loads and stores of atomics are like others: nobody waits for a turn.
	{"plain atomics",
		"threadgroup atomic_uint *t = (threadgroup atomic_uint *)s; atomic_store_explicit(t + i, 1u, " +
			"memory_order_relaxed); threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = " +
			"float(atomic_load_explicit(t + i / 8, memory_order_relaxed));",
		map[string]float64{"atomics": 0, "shared": 4, "turns": 2*2 + 2, "shared link": 2}},
	// Lanes that threads choose by themselves cost more than those that are the same way off, or within four.
	{"shuffles",
		"float x = in[i]; x += simd_shuffle(x, ushort(i * 7 % 32)); x += simd_shuffle(x, ushort(a)); x += " +
			"simd_shuffle_xor(x, 3); out[i] = x + quad_shuffle(x, ushort(i * 3 % 4));",
		map[string]float64{"permutation": 2, "shuffle": 6}},
	{"half", "half x = half(in[i]); out[i] = float(x * x + x);", map[string]float64{"f16": 2}},
	// One simdgroup goes round 64 times, or loads 16 times, while the other waits for it.
	{"waiting",
		"float x = in[i]; if (i < 32) { for (uint k = 0; k < 64; k++) { x = x * x; } } " +
			"threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = x;", map[string]float64{"f32 mul": 64}},
	{"waiting for loads", "uint x = i; if (i < 32) { for (uint k = 0; k < uint(a); k++) { x += as_type<uint>(in[x]); " +
		"} } threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = x;", map[string]float64{"device link": 8}},
	// The turns of a loop wait for each other by the sum alone where bodies stand in a row.
	{"rolled", "float x = 0; for (uint k = 0; k < uint(a); k++) { x += in[k * 64 + i]; } out[i] = x;",
		map[string]float64{"f32 add": 16, "device link": 16}},
	{"unrolled", "float x = 0;\n#pragma unroll(4)\nfor (uint k = 0; k < uint(a); k++) { x += in[k * 64 + i]; } " +
		"out[i] = x;", map[string]float64{"f32 add": 16, "device link": 4}},
	// They do so if they write what they read, but no buffer is another, nor threadgroup memory.
	{"unrolled copies", "#pragma unroll(4)\nfor (uint k = 0; k < uint(a); k++) { float x = in[k * 64 + i]; s[k * 64 " +
		"+ i] = x; out[k * 64 + i] = x; }", map[string]float64{"device link": 4}},
	{"unrolled in place", "#pragma unroll(4)\nfor (uint k = 0; k < uint(a); k++) { out[k * 64 + i] = out[k * 64 + " +
		"i] * a; }", map[string]float64{"device link": 16}},
	// Of 128 turns the first are looked at, of elements side by side or of rows of four lines, in loops within loops,
	// and where one thread is left; what comes behind finds the cache as all turns leave it.
	{"long", "float x = 0; for (uint k = 0; k < 16 * uint(a); k++) { x += in[k * 64 + i]; } out[i] = x;",
		map[string]float64{"requests": 2*128 + 2, "lines": 2*128 + 2, "missed": 2*128 + 2, "f32 add": 256}},
	{"long rows", "float x = 0; for (uint k = 0; k < 16 * uint(a); k++) { x += in[i * 128 + k]; } out[i] = x;",
		map[string]float64{"lines": 32*256 + 2, "missed": 4*64 + 2}},
	{"long within long",
		"float x = 0; for (uint j = 0; j < 16 * uint(a); j++) { for (uint k = 0; k < 16 * uint(a); k++) { x += in[k " +
			"* 64 + i]; } } out[i] = x;", map[string]float64{"requests": 2*128*128 + 2, "missed": 2*128*128 + 2}},
	{"long at different turns",
		"float x = 0; for (uint k = i; k < 1024 * uint(a); k += 64) { if (k == 4095) { break; } x += in[k]; } " +
			"out[i] = x;", map[string]float64{"missed": 2*128 + 2}},
	{"waiting for one, long",
		"float x = 0; if (i != 0) { return; } for (uint k = 0; k < 16 * uint(a); k++) { x += in[k * 32]; } out[0] = " +
			"x + in[0];", map[string]float64{"requests": 128 + 2, "missed": 128 + 2}},
	// A loop jumps once a turn, or once in four: 2 times for each of 2 simdgroups, beside the
	// run before the loop and the one behind it. The condition and the step are shared, too, which
	// a loop of known turns does without. It is one more condition to leave. A turn waits for what
	// it computes; the conversion and the store behind it are the other links.
	{"turns", "uint x = i; for (uint k = 0; k < uint(a); k++) { x ^= x << 1; } out[i] = x;",
		map[string]float64{"jumps": 16 + 4, "int32": 18 + 16 + 16, "arithmetic link": 16*2 + 4}},
	{"turns shared", "uint x = i;\n#pragma unroll(4)\nfor (uint k = 0; k < uint(a); k++) { x ^= x << 1; } out[i] = x;",
		map[string]float64{"jumps": 4 + 4, "int32": 18./4 + 4 + 16}},
	{"turns known", "uint x = i; for (uint k = 0; k < 8; k++) { x ^= x << k; } out[i] = x;",
		map[string]float64{"jumps": 2 + 4, "int32": 16}},
	// What follows from the counter by a constant is found once for bodies in a row.
	{"counted", "uint x = i; for (uint k = 0; k < uint(a); k++) { x ^= 3 * k; } out[i] = x;",
		map[string]float64{"int32 mul": 16}},
	{"counted shared", "uint x = i;\n#pragma unroll(4)\nfor (uint k = 0; k < uint(a); k++) { x ^= 3 * k; } out[i] = x;",
		map[string]float64{"int32 mul": 4}},
	{"squared", "uint x = i;\n#pragma unroll(4)\nfor (uint k = 0; k < uint(a); k++) { x ^= k * k; } out[i] = x;",
		map[string]float64{"int32 mul": 16}},
	// Threads go through short arms, masked, and what follows does not wait for their end; they jump
	// over those that none of them takes, and into long ones.
	{"masked", "uint x = i;\n#pragma unroll(4)\nfor (uint k = 0; k < uint(a); k++) { if (in[k] <= 0.0f) { x ^= 1; } " +
		"x ^= x << 1; } out[i] = x;", map[string]float64{"jumps": 4 + 4, "device link": 4}},
	{"side by side", "float x = 0; if (a > 1.0f) { x = in[i]; } if (i < 32) { x += in[i + 64]; } out[i] = x;",
		map[string]float64{"jumps": 2, "device link": 2}},
	{"jumped over", "uint x = i; if (a < 1.0f) { x ^= 1; } out[i] = x;", map[string]float64{"jumps": 2}},
	// What is loaded and used behind a condition is waited for there; what is used behind it is not.
	{"used in arms", "float x = a; if (i < 60) { x = max(x, in[i]); } if (i < 61) { x = max(x, in[i + 64]); } " +
		"out[i] = x;", map[string]float64{"jumps": 2, "device link": 4}},
	{"loaded in arms", "float x = a, y = a; if (i < 60) { x = in[i]; } if (i < 61) { y = in[i + 64]; } out[i] = " +
		"max(x, y);", map[string]float64{"jumps": 2, "device link": 2}},
	{"unrolled arms", "float x = 0;\n#pragma unroll(4)\nfor (uint k = 0; k < uint(a); k++) { if (k + i < 60) { x += " +
		"in[k * 64 + i]; } } out[i] = x;", map[string]float64{"device link": 16}},
	{"returned", "float x = clamped(in[i]) + clamped(in[i + 64]); out[i] = x;",
		map[string]float64{"jumps": 2, "device link": 2}},
	// A loop of one turn is no loop.
	{"macros", "float x = in[i]; do { x = x * a; } while (false); do { if (x > 4.0f) continue; x = x + 1.0f; } while " +
		"(0); out[i] = x;", map[string]float64{"f32 add": 2}},
	{"macro", "float x = in[i]; do { x = x * a; } while (false); do { x = x + in[i + 64]; } while (0); out[i] = x;",
		map[string]float64{"jumps": 2, "device link": 2}},
	{"long arm", "uint x = i; if (a > 1.0f) {" + strings.Repeat(" x ^= x << 1;", 9) + " } out[i] = x;",
		map[string]float64{"jumps": 6}},
	{"array", "float t[128]; for (uint k = 0; k < uint(a); k++) { t[k] = in[k]; } out[i] = t[i & 7];",
		map[string]float64{"private": 18}},
	// An element that nobody knows is selected from a vector, and is no register of a longer array.
	{"registers", "float t[8]; for (uint k = 0; k < 8; k++) { t[k] = in[k]; } out[i] = t[3] + t[5];",
		map[string]float64{"private": 0}},
	{"component", "float4 t = ((device const float4 *)in)[i]; out[i] = t[i & 3];", map[string]float64{"private": 0}},
	{"indexed", "float t[8]; for (uint k = 0; k < 8; k++) { t[k] = in[k]; } out[i] = t[i & 7];",
		map[string]float64{"private": 0, "requests": 2 * (8 + 9 + 1), "missed": 1 + 2}},
}

const profiled = "#include <metal_stdlib>\nusing namespace metal;\nconstant int steps[4] = {0, 1, 0, 1};\n" +
	"float clamped(float v) { float w = v * 2.0f; return w > 1.0f ? 1.0f : w; }\n" +
	"kernel void work(device const float *in [[buffer(0)]], device float *out [[buffer(1)]],\n" +
	"constant float &a [[buffer(2)]], uint i [[thread_position_in_threadgroup]])\n" +
	"{ threadgroup float s[2048]; (void)s;\n"

var classes = [metalrun.Classes]string{"f32 add", "f32 mul", "f32 fma", "f32 other", "f16", "convert", "int32",
	"int32 mul", "int64", "int div",
	"division", "root", "exp/log", "sin/cos", "function", "matrix", "shuffle", "permutation", "reduction"}

func TestProfile(t *testing.T) {
	for _, test := range demands {
		t.Run(test.name, func(t *testing.T) {
			p := profile(t, profiled+test.body+"\n}\n", 1, sim.Semantics{})
			c := p.Total()
			got := map[string]float64{
				"requests": c.Device.Requests, "lines": c.Device.Lines, "missed": c.Device.Missed[0],
				"shared": c.Shared.Requests, "turns": c.Shared.Transactions,
				"stored": c.Stored.Lines, "barriers": c.Barrier, "atomics": c.Atomics.Requests,
				"atomic turns": c.Atomics.Transactions, "private": c.Private.Requests,
				"local": c.Local.Transactions, "hottest": c.Hottest, "raced": c.Raced,
				"atomic link":    c.Chain[metalrun.AtomicLink],
				"simdgroup link": c.Chain[metalrun.SimdgroupLink], "function link": c.Chain[metalrun.FunctionLink],
				"jumps": c.Jumps, "arithmetic link": c.Chain[metalrun.ArithmeticLink],
				"device link": c.Chain[metalrun.DeviceLink], "shared link": c.Chain[metalrun.SharedLink],
			}
			for class, name := range classes {
				got[name] = c.Issued[class]
			}
			for what, want := range test.want {
				if math.Abs(got[what]-want) > 1e-9 {
					t.Errorf("%s: %v, want %v", what, got[what], want)
				}
			}
			if waits := p.Waiting > 1.5; waits != strings.HasPrefix(test.name, "waiting") {
				t.Errorf("waiting %v", p.Waiting)
			}
		})
	}
}

func profile(t *testing.T, source string, groups int, s sim.Semantics) *metalrun.Profile {
	t.Helper()
	return profileOf(t, source, groups, s, metalrun.CompileOptions{})
}

func profileOf(t *testing.T, source string, groups int, s sim.Semantics, o metalrun.CompileOptions) *metalrun.Profile {
	t.Helper()
	s.Profile = true
	in, out := make([]byte, 1<<16), make([]byte, 1<<16)
	d := metalrun.Dispatch{
		Threadgroups: metalrun.Size{X: groups, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: 64, Y: 1, Z: 1},
		Bindings: []metalrun.Binding{{Index: 0, Data: in, Length: len(in)}, {Index: 1, Data: out, Length: len(out)},
			{Index: 2, Data: []byte{0, 0, 0, 0x41}, Length: 4, Inline: true}}, // 8
	}
	ran, err := kernelOf(t, sim.New(s), metalrun.SourceText("profile.metal", source), "work", o).Run(d)
	if err != nil {
		t.Fatal(err)
	}
	return ran.Profile
}

// TestBuild has a product that a statement adds to a sum after it is assigned, and others read: the math of
// the source says whether they are one instruction, and whether a quotient is a product with a reciprocal.
func TestBuild(t *testing.T) {
	const body = "float x = in[i] * a; float y = x + 1.0f; out[i] = y / a; out[i + 64] = x - in[i + 64];\n}\n"
	for mode, want := range map[metalrun.MathMode][4]float64{metalrun.MathSafe: {2, 4, 0, 10},
		metalrun.MathFast: {2, 0, 4, 0}} {
		c := profileOf(t, profiled+body, 1, sim.Semantics{},
			metalrun.CompileOptions{MathMode: mode, FastFunctions: mode == metalrun.MathFast}).Total()
		got := [4]float64{c.Issued[metalrun.FloatMultiply], c.Issued[metalrun.FloatAdd], c.Issued[metalrun.FloatFused],
			c.Issued[metalrun.Division]}
		if got != want {
			t.Errorf("mode %d: %v products, sums, both and quotients, want %v", mode, got, want)
		}
	}
}

// TestProfileOfLoops has threads in grids of all sizes go through loops within loops, of which no more than the first
// turns are looked at: the profile is the same on any number of cores, and all bytes of the buffer are read, once. Of a
// large grid, nothing is new that all threadgroups share.
func TestProfileOfLoops(t *testing.T) {
	const source = "kernel void work(device const float *in [[buffer(0)]], device float *out [[buffer(1)]], constant " +
		"float &a [[buffer(2)]], uint i [[thread_position_in_grid]], uint l [[thread_position_in_threadgroup]])\n" +
		"{ float x = 0; for (uint j = 0; j < 4 * uint(a); j++) { for (uint k = l; k < 512 + 1; k += 2) { if (k == " +
		"512) { break; } x += in[j * 512 + k]; } } out[i] = x; }\n"
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for groups, read := range map[int]float64{1: 1 << 16, 3: 1 << 16, 5: 1 << 16, 40: 0} {
		var first *metalrun.Profile
		for _, cores := range []int{1, 4} {
			runtime.GOMAXPROCS(cores)
			p := profile(t, source, groups, sim.Semantics{})
			if p.Read != read || p.Written != float64(groups*256) {
				t.Errorf("%d threadgroups: %v bytes read and %v written", groups, p.Read, p.Written)
			}
			if first == nil {
				first = p
			} else if diff := cmp.Diff(first, p); diff != "" {
				t.Errorf("%d threadgroups on %d cores (-one +these):\n%s", groups, cores, diff)
			}
		}
	}
}

// TestProfileOfAGrid profiles a large grid, of which a few threadgroups are looked at: every
// one of them reads 256 bytes of its own and a line that all share.
func TestProfileOfAGrid(t *testing.T) {
	const source = "kernel void work(device const float *in [[buffer(0)]], device float *out [[buffer(1)]], constant " +
		"float &a [[buffer(2)]], uint i [[thread_position_in_grid]])\n{ out[i] = in[i] + in[16000]; }\n"
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first *metalrun.Profile
	for _, cores := range []int{1, 4} {
		runtime.GOMAXPROCS(cores)
		p := profile(t, source, 160, sim.Semantics{})
		if p.Sampled != 20 || p.Threadgroups != 160 {
			t.Errorf("%d of %d threadgroups sampled", p.Sampled, p.Threadgroups)
		}
		if want := 160 * 256.0; p.Read != want || p.Written != want {
			t.Errorf("%v bytes read and %v written, want %v of each: what all share is not new", p.Read, p.Written,
				want)
		}
		if c := p.Total(); c.Device.Requests != 160*2*3 || c.Device.Lines != 160*2*3 || c.Device.Missed[0] != 160*5 {
			t.Errorf("%+v", c.Device)
		}
		if first == nil {
			first = p
		} else if diff := cmp.Diff(first, p); diff != "" {
			t.Errorf("on %d cores (-one +these):\n%s", cores, diff)
		}
	}
	if p := profile(t, source, 1, sim.Semantics{Check: true}); p != nil {
		t.Errorf("a launch that is checked is profiled: %+v", p)
	}
}

// TestHottest has 160 threadgroups, of which 20 are looked at, count at one place, at one of 32 each, or at a place of
// their own: the line that most of them go to is found, and how many turns it takes in the whole launch.
func TestHottest(t *testing.T) {
	const source = "#include <metal_stdlib>\nusing namespace metal;\n" +
		"kernel void work(device atomic_uint *in [[buffer(0)]], constant float &a [[buffer(2)]], uint i " +
		"[[thread_position_in_grid]], uint g [[threadgroup_position_in_grid]])\n" +
		"{ atomic_fetch_add_explicit(in + %s, 1u, memory_order_relaxed); }\n"
	for at, want := range map[string][2]float64{"5": {160 * 64, 160 * 64}, "(i & 31) * 32": {160 * 64, 160 * 2},
		"g * 32": {160 * 64, 64}, "i": {160 * 2, 1}} {
		c := profile(t, fmt.Sprintf(source, at), 160, sim.Semantics{}).Total()
		if got := [2]float64{c.Atomics.Transactions, c.Hottest}; got != want {
			t.Errorf("in[%s]: %v turns, and at the hottest line; want %v", at, got, want)
		}
	}
}

// TestUneven has threadgroups that take as many turns as they have threadgroups before them, or none but one in two:
// the longest takes twice the mean, and the mean instruction is in one of 4/3 of the mean, or of twice.
func TestUneven(t *testing.T) {
	const source = "kernel void work(device float *in [[buffer(0)]], constant float &a [[buffer(2)]], uint i " +
		"[[thread_position_in_grid]], uint g [[threadgroup_position_in_grid]])\n" +
		"{ float x = a; for (uint k = 0; k < %s; k++) { x = x * a + 1.0f; } in[i] = x; }\n"
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for iterations, want := range map[string][2]float64{"100": {1, 1}, "g * 100": {2, 4. / 3},
		"(g & 1) * 5000": {2, 2}} {
		for _, cores := range []int{1, 4} {
			runtime.GOMAXPROCS(cores)
			p := profile(t, fmt.Sprintf(source, iterations), 160, sim.Semantics{})
			if math.Abs(p.Uneven-want[0]) > .02 || math.Abs(p.Typical-want[1]) > .02 {
				t.Errorf("%s turns on %d cores: the longest %v, the typical %v, want %v", iterations, cores, p.Uneven,
					p.Typical, want)
			}
		}
	}
}

// TestIdleThreadgroups has work for the first part of a grid alone, and none in the middle, where addresses are looked
// at, or none in the second half of the middle: it reads and writes as much as if every thread had a part of it.
func TestIdleThreadgroups(t *testing.T) {
	for _, test := range []struct{ groups, part int }{{160, 4}, {120, 2}, {112, 2}} {
		p := profile(t, fmt.Sprintf(idle, test.part), test.groups, sim.Semantics{})
		if want := 1024 * float64(test.groups) / float64(test.part); p.Read != want || p.Written != want {
			t.Errorf("one in %d of %d threadgroups: %v bytes read and %v written, want %v of each", test.part,
				test.groups, p.Read, p.Written, want)
		}
	}
}

const idle = "kernel void work(device const float4 *in [[buffer(0)]], device float4 *out [[buffer(1)]], constant " +
	"float &a [[buffer(2)]], uint i [[thread_position_in_grid]], uint n [[threads_per_grid]])\n" +
	"{ if (i < n / %d) { out[i] = a * in[i]; } }\n"

// TestShares has 16 lines that 16 threads go along: in a cache of 64 lines there is room for
// them, unless seven others work beside the threadgroup. What is loaded in a row is on its way.
func TestShares(t *testing.T) {
	const source = "#include <metal_stdlib>\nusing namespace metal;\n" +
		"kernel void work(device const float *in [[buffer(0)]], device float *out [[buffer(1)]], constant float &a " +
		"[[buffer(2)]], uint i [[thread_position_in_threadgroup]])\n" +
		"{ if (i >= 16) return; float x = 0; %s out[i] = x; }\n"
	for _, test := range []struct {
		body string
		want metalrun.Misses
	}{
		{"for (uint k = 0; k < uint(a); k++) { x += in[i * 32 + k]; }",
			metalrun.Misses{17, 17, 17, 8*16 + 1, 8*16 + 1}},
		{"for (uint k = 0; k < 8; k++) { x += in[i * 32 + k]; }", metalrun.Misses{17, 17, 17, 17, 17}},
		{"x = in[i * 32] + in[i * 32 + 1] + in[i * 32 + 2];", metalrun.Misses{17, 17, 17, 17, 17}},
	} {
		c := profile(t, fmt.Sprintf(source, test.body), 1, sim.Semantics{}).Total()
		if c.Device.Missed != test.want {
			t.Errorf("%s: %v missed, want %v", test.body, c.Device.Missed, test.want)
		}
	}
}

// TestRegisters counts what threads hold at once: 16 sums, or one; and what bodies in a row
// load ahead.
func TestRegisters(t *testing.T) {
	registers := func(body string) int { return profile(t, profiled+body+"\n}\n", 1, sim.Semantics{}).Registers }
	one := registers("float x = 0; for (uint k = 0; k < uint(a); k++) { x += in[k * 64 + i]; } out[i] = x;")
	many := registers("float x[16]; for (uint j = 0; j < 16; j++) { x[j] = 0; } for (uint k = 0; k < uint(a); k++) { " +
		"for (uint j = 0; j < 16; j++) { x[j] += in[k * 64 + i + j]; } } for (uint j = 0; j < 16; j++) { out[i + j] " +
		"= x[j]; }")
	ahead := registers("float x = 0;\n#pragma unroll(8)\n" +
		"for (uint k = 0; k < uint(a); k++) { x += in[k * 64 + i]; } out[i] = x;")
	if one < 2 || one > 8 || many < one+16 || ahead != one+7 {
		t.Errorf("one sum %d, sixteen %d, eight loads ahead %d", one, many, ahead)
	}
}

// TestProfiledResults has variables go in and out of loops of which only the first iterations are sampled: what
// threads compute is what they compute without.
func TestProfiledResults(t *testing.T) {
	for name, body := range map[string]string{
		"index set in front": "float x = 0; for (uint k = i; k < 4000; k += 64) { x += in[k]; } out[i] = x;",
		"index left over": "float x = 0; uint k = i; for (; k < 4000; k += 64) { x += in[k]; } out[i] = x + " +
			"float(k);",
		"index goes on": "float x = 0; uint k = i; for (uint j = 0; j < 40; j++) { for (; k < 100 * j; k " +
			"+= 64) { x += in[k]; } } out[i] = x;",
		"set in one turn": "float x = 0; uint first; for (uint j = 0; j < 3; j++) { for (uint k = 0; k < " +
			"80; k++) { if (j == 0 && k == 0) { first = uint(in[i] * 9.0f) + i; } x += in[first + k]; } } out[i] = x;",
		"set in the middle": "float x = 0; uint latest = 0; for (uint k = 0; k < 90; k++) { if (k % 40 == 39) " +
			"{ latest = k; } x += in[i + latest]; } out[i] = x;",
		"apart": "float x = 0; for (uint k = 0; k < 40 + i; k++) { if (in[k] > 0.9f) { continue; " +
			"} if (k > 90) { break; } x += in[i * 3 + k]; } out[i] = x;",
		"within a loop of its own": "float x = 0; for (uint j = 0; j < 70; j++) { uint k = j; float y = 0; for (; k " +
			"< 70 + (i & 3); k++) { y += in[k * 2]; } x = x * 0.5f + y; } out[i] = x;",
	} {
		t.Run(name, func(t *testing.T) {
			in := make([]byte, 1<<16)
			for i := range len(in) / 4 {
				binary.LittleEndian.PutUint32(in[4*i:], math.Float32bits(float32(i*i%61)/61))
			}
			results := func(s sim.Semantics) string {
				out := make([]byte, 1<<12)
				d := metalrun.Dispatch{
					Threadgroups:          metalrun.Size{X: 9, Y: 1, Z: 1},
					ThreadsPerThreadgroup: metalrun.Size{X: 64, Y: 1, Z: 1},
					Bindings: []metalrun.Binding{{Index: 0, Data: in, Length: len(in)}, {Index: 1, Data: out,
						Length: len(out)}, {Index: 2, Data: make([]byte, 4), Length: 4, Inline: true}},
				}
				if _, err := kernelOf(t, sim.New(s), metalrun.SourceText("profile.metal", profiled+body+"\n}\n"),
					"work", metalrun.CompileOptions{}).Run(d); err != nil {
					t.Fatal(err)
				}
				return string(out)
			}
			if results(sim.Semantics{}) != results(sim.Semantics{Profile: true}) {
				t.Error("the threads compute something else where they are counted")
			}
		})
	}
}

// TestProfileOfArms launches a kernel whose threads go through one arm or the other: its profile is that of the
// launch alone.
func TestProfileOfArms(t *testing.T) {
	k := kernelOf(t, sim.New(sim.Semantics{Profile: true}),
		metalrun.SourceText("profile.metal",
			profiled+"float x = in[i]; if (i < uint(a)) { x = x * x + 1.0f; } else { x = sqrt(x); } out[i] = x;\n}\n"),
		"work", metalrun.CompileOptions{})
	run := func(k metalrun.Kernel, a float32) *metalrun.Profile {
		in, out := make([]byte, 1<<12), make([]byte, 1<<12)
		ran, err := k.Run(metalrun.Dispatch{
			Threadgroups: metalrun.Size{X: 8, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: 64, Y: 1, Z: 1},
			Bindings: []metalrun.Binding{{Index: 0, Data: in, Length: len(in)}, {Index: 1, Data: out, Length: len(out)},
				{Index: 2, Data: binary.LittleEndian.AppendUint32(nil, math.Float32bits(a)), Length: 4, Inline: true}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return ran.Profile
	}
	for _, a := range []float32{0, 512, 30, 256, 0} {
		alone := kernelOf(t, sim.New(sim.Semantics{Profile: true}),
			metalrun.SourceText("profile.metal",
				profiled+"float x = in[i]; if (i < uint(a)) { x = x * x + 1.0f; } else { x = sqrt(x); } out[i] "+
					"= x;\n}\n"), "work", metalrun.CompileOptions{})
		if diff := cmp.Diff(run(alone, a), run(k, a)); diff != "" {
			t.Errorf("%v threads in the first arm (-alone +after others):\n%s", a, diff)
		}
	}
}
