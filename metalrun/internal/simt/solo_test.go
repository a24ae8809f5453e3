package simt

import (
	"slices"
	"testing"
)

// left is a kernel that leaves a loop to one thread: p holds how many elements there are, and the
// distance of rows.
func left(loop string) string {
	return `#include <metal_stdlib>
using namespace metal;
kernel void f(device float* out, device const float* a, device const float* b, constant uint* p,
              uint i [[thread_position_in_grid]], uint id [[thread_index_in_threadgroup]]) {
    threadgroup float shared[64];
    const uint n = p[0], stride = p[1];
    const int signedN = int(n);
    float x = a[i % 16];
    shared[id] = x;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (id != 0) return;
    device float* o = out + i;
    float best[5];
    int at[5];
    for (uint s = 0; s < 5; s++) { best[s] = -1e30f; at[s] = 0; }
    ` + loop + `
    o[0] = x;
}`
}

// soloForms are what one thread is left with, and whether there is a program for it.
var soloForms = []struct {
	name, loop string
	recognised bool
}{
	{"the best of all", "for (uint e = 0; e < n; e++) { uint s = 0; for (uint t = 1; t < 5; t++) if (best[t] < best[s]) s = t; if (a[e] > best[s]) { best[s] = a[e]; at[s] = int(e); } } for (uint t = 0; t < 5; t++) x += best[t] * float(at[t]);", true},
	{"arithmetic of floats", "for (uint e = 0; e < n; e++) { float y = a[e]; x = (x + y) * 0.5f - y / 3.0f; if (x == y || x != x || x >= y) x -= y; }", true},
	{"arithmetic of integers", "int k = 7; uint u = 9; for (int e = -3; e < signedN; e++) { k = (k * 5 - e) ^ (k >> 3); u = ((u << 3) + (u >> 2)) | uint(e); k &= 0xffff; if (k <= e || u <= 3u) k += 2; if (uint(k) == u) break; } x += float(k) + float(u & 255u);", true},
	{"wide integers", "ulong k = n; long z = -5; for (uint e = 0; e < n; e++) { k = (k << 7) - (k >> 3) + e; z = (z >> 1) * 3 - long(e); if (z < -100 || k >= 99999999999ul) z &= 63; if (z <= 0) z++; } x += float(uint(k & 1023)) + float(int(z));", true},
	{"elements of several types", "device const ushort* h = (device const ushort*)b; device const char* c = (device const char*)b; for (uint e = 0; e < n; e++) x += float(h[e]) - float(c[e + 1]);", true},
	{"bfloats and halves", "device const bfloat* h = (device const bfloat*)b; device const half* c = (device const half*)b; for (uint e = 0; e < n; e++) if (float(h[e]) < float(c[e])) x += 1;", true},
	{"vectors", "for (uint e = 0; e + 4 <= n; e += 4) { float4 v = ((device const packed_float4*)a)[e >> 2]; x += v.x * v.w - v.y; }", true},
	{"rows", "for (uint e = 0; e < n; e++) x += b[ulong(e) * stride + 1];", true},
	{"an array by a signed index", "for (int e = 0; e < signedN; e++) { at[e % 5] = e; x += best[(e + 1) % 5]; }", false},
	{"an array beyond its end", "for (uint e = 0; e < n; e++) best[e] = a[e]; x = best[4];", true},
	{"an array before its beginning", "for (int e = 4; e > 3 - signedN; e--) x += best[e];", true},
	{"exits", "for (uint e = 0; e < n; e++) { if (a[e] < 0) continue; x += a[e]; if (x > 20) { o[0] = x; return; } if (e == 60) break; }", true},
	{"do while", "uint e = 0; do { x += a[e]; e++; } while (e < n && x < 30);", true},
	{"a branch of two arms", "for (uint e = 0; e < n; e++) { if (a[e] < b[e]) { x += a[e]; } else { x -= b[e]; } o[e & 1u] = x; }", true},
	{"a function", "for (uint e = 0; e < n; e++) x += fabs(a[e]);", false},
	{"a quotient of integers", "for (uint e = 1; e < n; e++) x += float(n / e);", false},
}

var soloLaunches = []runLaunch{
	{name: "as it is meant", n: 60, stride: 9, threads: 128, group: 64, weightWords: 400, memoryWords: 800},
	{name: "one threadgroup", n: 3, stride: 2, threads: 33, group: 64, weightWords: 400, memoryWords: 800},
	{name: "none", n: 0, stride: 1, threads: 64, group: 64, weightWords: 400, memoryWords: 800},
	{name: "first array ends early", n: 60, stride: 9, threads: 64, group: 64, weightWords: 40, memoryWords: 800},
	{name: "second array ends early", n: 60, stride: 9, threads: 64, group: 64, weightWords: 400, memoryWords: 13},
	{name: "step budget", n: 60, stride: 9, threads: 64, group: 64, weightWords: 400, memoryWords: 800, steps: 400},
}

// TestSolo runs what is left to one thread by a program of its own, by rows of one lane, and by
// definition.
func TestSolo(t *testing.T) {
	for i, form := range soloForms {
		text := left(form.loop)
		if has := hasSolo(Compile(lower(t, text), Options{})); has != form.recognised {
			t.Errorf("%s: has a program of its own: %v", form.name, has)
		}
		for j, l := range soloLaunches {
			if testing.Short() && (i+j)%3 != 0 {
				continue
			}
			t.Run(form.name+"/"+l.name, func(t *testing.T) { l.agree(t, text) })
		}
	}
}

// TestSoloNaN stores a NaN that arithmetic makes: it has the same bits everywhere, of which the
// definition says nothing.
func TestSoloNaN(t *testing.T) {
	text := left("for (uint e = 0; e < n; e++) { shared[e & 63] = (a[e] - a[e]) / (a[e] - a[e]); x = shared[e & 63]; }")
	p := Compile(lower(t, text), Options{})
	if !hasSolo(p) {
		t.Error("has no program of its own")
	}
	out, err := soloLaunches[0].run(p)
	if err != nil || out[0] != 0x7fc00000 {
		t.Errorf("%#x is stored (%v), want %#x", out[0], err, 0x7fc00000)
	}
}

// hasSolo reports whether one thread has a program of its own.
func hasSolo(p *Program) bool {
	return slices.ContainsFunc(p.body, func(n node) bool {
		a, ok := n.(alone)
		return ok && a.rest != nil
	})
}
