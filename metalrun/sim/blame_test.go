package sim_test

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"

	"github.com/google/go-cmp/cmp"
)

// blamed are bodies whose result the parts of its operations have to add up to.
var blamed = []string{
	"out[i] = a * b + c;",
	"out[i] = (a - b) / (c + 3.0f) * sqrt(a);",
	"float s = 0.0f; for (uint k = 0; k < 40; k++) { s += a * float(k) - b; } out[i] = s * s;",
	"threadgroup float t[64]; t[i] = a * b; threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = t[63 - i] - c;",
	"out[i] = simd_sum(a * b) - simd_max(c) + simd_prefix_inclusive_sum(b);",
	"out[i] = simd_shuffle_xor(exp(a) * b, ushort(1)) + simd_shuffle_and_fill_up(a / b, c * c, ushort(2));",
	"float v[3] = {a * b, b * c, c}; v[i % 3] *= 1.1f; out[i] = v[0] + v[1] * v[2];",
	"out[i] = a * b > c ? a / 3.0f : b / 7.0f;",
	"float y = a; if (a * b > c) { y = a / 3.0f; } else { y = b / 7.0f; } out[i] = y;",
	"out[i] = float(half(a)) * b;",
	"out[i] = fma(a, b, tanh(c)) - log(a + 1.0f);",
	"atomic_fetch_add_explicit((device atomic_float *)out + (i & 31), a * b, memory_order_relaxed);",
	"simdgroup_float8x8 m = make_filled_simdgroup_matrix<float, 8, 8>(0.3f), n = make_filled_simdgroup_matrix<float, " +
		"8, 8>(0.7f), p; threadgroup float t[128]; t[i] = a; t[i + 64] = b; " +
		"threadgroup_barrier(mem_flags::mem_threadgroup); simdgroup_load(m, t); simdgroup_load(n, t + 64); " +
		"simdgroup_multiply(p, m, n); threadgroup_barrier(mem_flags::mem_threadgroup); " +
		"simdgroup_store(p, t); threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = t[i] * c;",
}

// TestBlame: what the operations have lost, weighted by how sensitive an element is to each, is its
// error, to first order; no more than what they may lose; and that is no more than any device
// may be off by. Recorded in small parts it is the same.
func TestBlame(t *testing.T) {
	for _, body := range blamed {
		t.Run(body[:min(40, len(body))], func(t *testing.T) {
			whole, parts := blame(t, body, 21, 1<<20), blame(t, body, 21, 2000)
			if diff := cmp.Diff(whole.Lines, parts.Lines, cmp.Comparer(near)); diff != "" || parts.Runs < 2 {
				t.Errorf("in %d parts (-whole +parts):\n%s", parts.Runs, diff)
			}
			actual, bound := 0.0, 0.0
			for _, l := range whole.Lines {
				actual, bound = actual+l.Actual, bound+l.Bound
				if math.Abs(l.Actual) > l.Bound*1.0001+1e-18 && body[:len("atomic")] != "atomic" {
					t.Errorf("%s: %.4g and a bound of %.4g", l.Position, l.Actual, l.Bound)
				}
			}
			got := whole.Got - whole.Exact
			if body[:len("atomic")] != "atomic" && math.Abs(actual-got) > 1e-4*bound {
				t.Errorf("the parts make %.6g of %.6g; bound %.6g", actual, got, bound)
			}
			if !(bound > 0) || bound > whole.Error*1.001 {
				t.Errorf("bound %.6g, any device %.6g", bound, whole.Error)
			}
		})
	}
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9*math.Abs(a) }

// TestBlameByHand has figures found by hand: of x·y − z with x·y near z.
func TestBlameByHand(t *testing.T) {
	b := blame(t, "const float p = a * b;\n\tout[i] = p - a * 2.99f;", 5, 1<<20)
	a, by := float64(float32(1)+float32(5*37%64)/96), float64(float32(3)-float32(5*11%64)/57)
	y := a * (by - float64(float32(2.99)))
	if !near(b.Exact, y) {
		t.Fatalf("%v, want %v", b.Exact, y)
	}
	condition := (a*by + math.Abs(a*(by-float64(float32(2.99))))) / math.Abs(y) // of a and b, which are one buffer
	in, sum := blamedDispatch().Bindings[0].Data, 0.0
	for _, s := range b.Before {
		sum += math.Abs(s.By * float64(math.Float32frombits(binary.LittleEndian.Uint32(in[s.Offset:]))))
	}
	if sum /= math.Abs(y); math.Abs(sum-condition) > 1e-6*condition {
		t.Errorf("condition %v, want %v", sum, condition)
	}
	lost := math.Log2(math.Max(a*by, a*float64(float32(2.99))) / math.Abs(y))
	worst := 0.0
	for _, l := range b.Lines {
		worst = max(worst, l.Lost)
	}
	if math.Abs(worst-lost) > 0.01 {
		t.Errorf("%v bits lost, want %v", worst, lost)
	}
}

// TestBlameOneLane: lanes that an element does not depend on take no memory, though all take part in
// what one reads.
func TestBlameOneLane(t *testing.T) {
	const body = "threadgroup float t[64]; float s = 0.0f; for (uint k = 0; k < 200; k++) { t[i] = in[k & 63].y; " +
		"threadgroup_barrier(mem_flags::mem_threadgroup); " +
		"s = s * 0.9f + a * t[63 - i] - c; s *= b; s = s / 3.0f + c; " +
		"threadgroup_barrier(mem_flags::mem_threadgroup); } out[i] = s;"
	if b := blame(t, body, 21, 1<<20); b.Runs > 5 || len(b.Lines) == 0 {
		t.Errorf("%d parts", b.Runs)
	}
}

// TestBlameNothing: an element that nothing stores.
func TestBlameNothing(t *testing.T) {
	k := blamedKernel(t, "if (i == 3) { out[i] = a; }")
	if _, err := k.Blame(blamedDispatch(), []metalrun.Sensitivity{{Index: 1, Offset: 4 * 2, By: 1}},
		1<<20); !errors.Is(err, metalrun.ErrNotStored) {
		t.Errorf("got %v", err)
	}
}

// blame is about one element of a kernel of 64 threads.
func blame(t *testing.T, body string, element, memory int) metalrun.Blame {
	t.Helper()
	b, err := blamedKernel(t, body).Blame(blamedDispatch(),
		[]metalrun.Sensitivity{{Index: 1, Offset: 4 * element, By: 1}}, memory)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func blamedKernel(t *testing.T, body string) metalrun.Blamer {
	t.Helper()
	return compiled(t, sim.Semantics{Exact: true, Unanchored: true},
		"#include <metal_stdlib>\nusing namespace metal;\n"+
			"kernel void f(device const float4* in [[buffer(0)]], device float* out [[buffer(1)]], uint i "+
			"[[thread_position_in_grid]])\n"+
			"{\n\tconst float a = in[i].x, b = in[i].y, c = in[i].z;\n\t"+body+"\n}\n", "f").(metalrun.Blamer)
}

func blamedDispatch() metalrun.Dispatch {
	in := make([]byte, 16*climbers)
	for i := range climbers {
		a, b := float32(1)+float32(i*37%64)/96, float32(3)-float32(i*11%64)/57
		for j, x := range []float32{a, b, a * b * 0.99} {
			binary.LittleEndian.PutUint32(in[16*i+4*j:], math.Float32bits(x))
		}
	}
	out := make([]byte, 4*climbers)
	return metalrun.Dispatch{
		Bindings: []metalrun.Binding{{Index: 0, Data: in, Length: len(in)},
			{Index: 1, Data: out, Length: len(out), Exact: &metalrun.Exact{}}},
		Threads: metalrun.Size{X: climbers, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: climbers, Y: 1, Z: 1},
	}
}
