package sim_test

import (
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"

	"github.com/google/go-cmp/cmp"
)

// rewrites are pairs of bodies. A compiler makes the same code of both, except that of indices where the name says so.
var rewrites = []struct{ name, a, b string }{
	{"product or sum", "out[i] = 2 * a[i];", "out[i] = a[i] + a[i];"},
	{"product or sum, and a sum", "out[i] = 2 * a[i] + b[i];", "out[i] = a[i] + a[i] + b[i];"},
	{"temporary", "out[i] = a[i] * b[i] + 1;", "float x = a[i]; float y = b[i]; float z = x * y; out[i] = z + 1;"},
	{"common expression", "out[i] = (a[i] + b[i]) * (a[i] + b[i]);", "float x = a[i] + b[i]; out[i] = x * x;"},
	{"commuted", "out[i] = (a[i] + b[i]) * (b[i] + a[i]);", "float x = a[i] + b[i]; out[i] = x * x;"},
	{"index repeated", "out[i] = a[i * n + 3] * b[i * n + 3];", "uint j = i * n + 3; out[i] = a[j] * b[j];"},
	{"index hoisted", "float s = 0; for (uint k = 0; k < n; k++) { s += a[i * n + k]; } out[i] = s;",
		"float s = 0; uint row = i * n; for (uint k = 0; k < n; k++) { s += a[row + k]; } out[i] = s;"},
	{"pointer", "out[i] = a[i + 40] * a[i + 40];",
		"device const float *p = a + i; out[i] = p[40] * p[40];"},
	{"pointer to a row: indices", "float s = 0; for (uint k = 0; k < n; k++) { s += a[i * 4 + k]; } out[i] = s;",
		"device const float *p = a + i * 4; float s = 0; for (uint k = 0; k < n; k++) { s += p[k]; } out[i] = s;"},
	{"load in a loop", "float s = 0; for (uint k = 0; k < n; k++) { s += a[i + k] * b[i]; } out[i] = s;",
		"float s = 0; float y = b[i]; for (uint k = 0; k < n; k++) { s += a[i + k] * y; } out[i] = s;"},
	{"load in two loops",
		"float s = 0; for (uint j = 0; j < n; j++) { for (uint k = 0; k < 3; " +
			"k++) { s += a[i + k] * b[j]; } } out[i] = s;",
		"float s = 0; for (uint j = 0; j < n; j++) { float y = b[j]; for (uint k = 0; k < 3; k++) " +
			"{ s += a[i + k] * y; } } out[i] = s;"},
	{"arithmetic in a loop", "float s = 0; for (uint k = 0; k < n; k++) { s += a[i + k] * exp(b[i]); } out[i] = s;",
		"float s = 0; float y = exp(b[i]); for (uint k = 0; k < n; k++) { s += a[i + k] * y; } out[i] = s;"},
	{"uniform argument in a loop", "float s = 0; for (uint k = 0; k < n; k++) { s += a[i + k] * scale; } out[i] = s;",
		"float s = 0; float f = scale; uint m = n; for (uint k = 0; k < m; k++) { s += a[i + k] * f; } out[i] = s;"},
	{"dead store", "out[i] = a[i];", "float x = a[i]; out[i] = 0; out[i] = x;"},
	{"store of a constant first", "out[i] = 3;", "out[i] = 0; out[i] = 3;"},
	{"store of what was loaded", "out[i] = a[i];", "float old = out[i]; out[i] = old; out[i] = a[i];"},
	{"load of what was stored", "float x = a[i] * 2; out[i] = x; c[i] = uint(x);",
		"out[i] = a[i] * 2; c[i] = uint(out[i]);"},
	{"field read twice", "P p = points[i]; out[i] = p.x * p.x + p.y;",
		"out[i] = points[i].x * points[i].x + points[i].y;"},
	{"field not read", "out[i] = points[i].x;", "P p = points[i]; out[i] = p.x;"},
	{"vector", "float4 v = w[i]; out[i] = v.x + v.y + v.z + v.w;",
		"out[i] = w[i].x + w[i].y + w[i].z + w[i].w;"},
	{"component", "out[i] = w[i].y;", "float4 v = w[i]; out[i] = v.y;"},
	{"reordered", "float x = a[i] * 2; float y = b[i] * 3; out[i] = x + y;",
		"float y = b[i] * 3; float x = a[i] * 2; out[i] = x + y;"},
	{"selection", "float x = a[i]; out[i] = x < 0 ? x * 2 : x * 3;",
		"float x = a[i]; float y; if (x < 0) { y = x * 2; } else { y = x * 3; } out[i] = y;"},
	{"selection by one arm", "float x = a[i]; x = x < 0 ? 0 : x; out[i] = x;",
		"float x = a[i]; if (x < 0) { x = 0; } out[i] = x;"},
	{"selection in a loop",
		"float s = 0; for (uint k = 0; k < n; k++) { float x = a[i + k]; s += x < 0 ? 0 : x; } out[i] = s;",
		"float s = 0; for (uint k = 0; k < n; k++) { float x = a[i + k]; if (x < 0) { x = 0; } s += x; } out[i] = s;"},
	{"guard", "if (i < n) { out[i] = a[i]; }", "if (i >= n) { return; } out[i] = a[i];"},
	{"rotated", "float s = 0; for (uint k = 0; k < n; k++) { s += a[i + k]; } out[i] = s;",
		"float s = 0; uint k = 0; if (k < n) { do { s += a[i + k]; k++; } while (k < n); } out[i] = s;"},
	{"while", "float s = 0; for (uint k = 0; k < n; k++) { s += a[i + k]; } out[i] = s;",
		"float s = 0; uint k = 0; while (k < n) { s += a[i + k]; k++; } out[i] = s;"},
	{"unrolled: indices", "float s = 0; for (uint k = 0; k < 4; k++) { s += a[i + k]; } out[i] = s;",
		"float s = 0; s += a[i]; s += a[i + 1]; s += a[i + 2]; s += a[i + 3]; out[i] = s;"},
	{"array of a thread", "float x = a[i]; float y = b[i]; out[i] = x * y;",
		"float t[2]; t[0] = a[i]; t[1] = b[i]; out[i] = t[0] * t[1];"},
	{"array filled by a loop", "float s = 0; for (uint k = 0; k < 4; k++) { s += a[i + k]; } out[i] = s;",
		"float t[4]; for (uint k = 0; k < 4; k++) { t[k] = a[i + k]; } float s = 0; for (uint k = 0; k < 4; k++) " +
			"{ s += t[k]; } out[i] = s;"},
	{"unused", "out[i] = a[i];", "float x = b[i] * 3; float t[2]; t[0] = x; t[1] = exp(x); out[i] = a[i];"},
	{"unused sum", "out[i] = a[i];", "float x = 0; for (uint k = 0; k < n; k++) { x += b[k]; } out[i] = a[i];"},
	{"function", "out[i] = a[i] * a[i] + b[i] * b[i];", "out[i] = square(a[i]) + square(b[i]);"},
	{"fused", "out[i] = a[i] * b[i] + 1;", "out[i] = fma(a[i], b[i], 1.0f);"},
	{"negated", "out[i] = a[i] - b[i];", "out[i] = a[i] + -b[i];"},
	{"both arms load", "float x = a[i]; if (i < 32) { out[i] = x; } else { out[i] = x * 2; }",
		"if (i < 32) { out[i] = a[i]; } else { out[i] = a[i] * 2; }"},
	{"store of another type between", "float x = a[i]; c[i] = 1; out[i] = x * x;",
		"float x = a[i]; c[i] = 1; out[i] = x * a[i];"},
	{"threadgroup memory", "threadgroup float t[40]; t[i] = a[i]; threadgroup_barrier(mem_flags::mem_threadgroup); " +
		"float x = t[39 - i]; out[i] = x * x;",
		"threadgroup float t[40]; t[i] = a[i]; threadgroup_barrier(mem_flags::mem_threadgroup); " +
			"out[i] = t[39 - i] * t[39 - i];"},
	{"invariant arithmetic after a branch in a loop",
		"float y = exp(float(i)); float s = 0; for (uint k = 0; k < n; k++) { if (k > n) { c[i] = k; s += y; } } " +
			"out[i] = s + y;",
		"float s = 0; for (uint k = 0; k < n; k++) { if (k > n) { c[i] = k; s += exp(float(i)); } } " +
			"out[i] = s + exp(float(i));"},
	{"invariant load after a loop", "float y = b[0]; float s = 0; for (uint k = 0; k < n; " +
		"k++) { s += a[i + k] * y; } " +
		"out[i] = s * y;",
		"float s = 0; for (uint k = 0; k < n; k++) { s += a[i + k] * b[0]; } out[i] = s * b[0];"},
}

// extras are pairs of bodies, of which the second does more, whichever compiler makes the code.
var extras = []struct{ name, less, more string }{
	{"another address", "out[i] = a[i] + a[i];", "out[i] = a[i] + a[i + 1];"},
	{"another buffer", "out[i] = a[i] + a[i];", "out[i] = a[i] + b[i];"},
	{"a store between", "float x = out[i + 1]; out[i] = a[i]; c[i] = uint(x + x);",
		"float x = out[i + 1]; out[i + n] = a[i]; c[i] = uint(x + out[i + 1]);"},
	{"a store that may alias", "float x = a[i]; out[i] = x; c[i] = uint(x);", "out[i] = a[i]; c[i] = uint(a[i]);"},
	{"a store in a loop", "float y = a[0]; for (uint k = 0; k < n; k++) { out[i * n + k] = y; }",
		"for (uint k = 0; k < n; k++) { out[i * n + k] = a[0]; }"},
	{"a barrier", "float x = a[i]; threadgroup_barrier(mem_flags::mem_device); out[i] = x + x;",
		"float x = a[i]; threadgroup_barrier(mem_flags::mem_device); out[i] = x + a[i];"},
	{"an atomic", "float x = a[i]; atomic_fetch_add_explicit(hits, 1u, memory_order_relaxed); out[i] = x + x;",
		"float x = a[i]; atomic_fetch_add_explicit(hits, 1u, memory_order_relaxed); out[i] = x + a[i];"},
	{"volatile", "out[i] = a[i] + a[i];",
		"device const volatile float *p = a; out[i] = p[i] + p[i];"},
	{"a store that is read", "float x = a[i]; out[i] = x; c[i] = 1;",
		"float x = a[i]; out[i] = 0; uint y = uint(out[i ^ 1]); out[i] = x; c[i] = y;"},
	{"another pass", "float s = 0; for (uint k = 0; k < n; k++) { s += a[i + k]; } out[i] = s;",
		"float s = 0; for (uint k = 0; k < n; k++) { s += a[i + k]; } for (uint k = 0; k < n; " +
			"k++) { s += a[i + k]; } " +
			"out[i] = s;"},
	{"a load that varies", "float s = 0; for (uint k = 0; k < n; k++) { s += b[i]; } out[i] = s;",
		"float s = 0; for (uint k = 0; k < n; k++) { s += b[i + k]; } out[i] = s;"},
	{"another function", "out[i] = exp(a[i]) * exp(a[i]);", "out[i] = exp(a[i]) * exp(a[i] + 1);"},
	{"an array that is indexed", "float t[8]; for (uint k = 0; k < 8; k++) { t[k] = a[k]; } out[i] = t[3];",
		"float t[8]; for (uint k = 0; k < 8; k++) { t[k] = a[k]; } out[i] = t[i & 7];"},
}

// pairWork is what a launch of 3 threadgroups of 40 threads does.
func pairWork(t *testing.T, body string, s sim.Semantics) metalrun.Work {
	t.Helper()
	source := metalrun.SourceText("pair.metal", `#include <metal_stdlib>
using namespace metal;
struct P { float x; float y; };
static float square(float x) { return x * x; }
kernel void pair(device float *out [[buffer(0)]], device const float *a [[buffer(1)]],
    device const float *b [[buffer(2)]], device uint *c [[buffer(3)]], device const P *points [[buffer(4)]],
    device const float4 *w [[buffer(5)]], device atomic_uint *hits [[buffer(6)]], constant uint &n [[buffer(7)]],
    constant float &scale [[buffer(8)]], uint i [[thread_position_in_threadgroup]])
{ `+body+` }
`)
	s.Count = true
	d := metalrun.Dispatch{Threadgroups: metalrun.Size{X: 3, Y: 1, Z: 1},
		ThreadsPerThreadgroup: metalrun.Size{X: 40, Y: 1, Z: 1}}
	for i := range 9 {
		data := make([]byte, 4096)
		if i == 7 {
			data = []byte{7, 0, 0, 0}
		}
		d.Bindings = append(d.Bindings, metalrun.Binding{Index: i, Data: data, Length: len(data)})
	}
	o, err := kernel(t, sim.New(s), source, "pair").Run(d)
	if err != nil {
		t.Fatal(err)
	}
	return *o.Work
}

// TestRewritesCountTheSame compares the counted work of kernels that a compiler makes the same code of.
func TestRewritesCountTheSame(t *testing.T) {
	for _, test := range rewrites {
		t.Run(test.name, func(t *testing.T) {
			for _, s := range []sim.Semantics{{}, sim.Apple()} {
				a, b := pairWork(t, test.a, s), pairWork(t, test.b, s)
				if strings.HasSuffix(test.name, ": indices") {
					a.Integer, b.Integer, a.Instructions, b.Instructions = 0, 0, 0, 0
				}
				if diff := cmp.Diff(a, b); diff != "" {
					t.Errorf("%s (-%s +%s):\n%s", s, test.a, test.b, diff)
				}
			}
		})
	}
}

// TestExtraWorkCounts compares the counted work of kernels of which one does more.
func TestExtraWorkCounts(t *testing.T) {
	for _, test := range extras {
		t.Run(test.name, func(t *testing.T) {
			less, more := pairWork(t, test.less, sim.Semantics{}), pairWork(t, test.more, sim.Semantics{})
			bytes := func(w metalrun.Work) int64 { return w.Device + w.Shared + w.Privates }
			flops := func(w metalrun.Work) int64 { return w.Floating + w.Functions }
			if bytes(more) <= bytes(less) && flops(more) <= flops(less) {
				t.Errorf("%s: %+v\n%s: %+v", test.less, less, test.more, more)
			}
		})
	}
}
