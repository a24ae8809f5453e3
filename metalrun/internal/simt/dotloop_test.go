package simt

import (
	"math"
	"testing"
)

// products is a kernel around one loop over two arrays: p holds how many elements
// there are, the distance of rows, and how many threads take part.
func products(loop string) string {
	return `#include <metal_stdlib>
using namespace metal;
static float chosen(device const float* x, uint k) { if (k & 1) return x[k]; return 2 * x[k + 1]; }
kernel void f(device float* out, device const float* a, device const float* b, constant uint* p,
              uint i [[thread_position_in_grid]], uint id [[thread_index_in_threadgroup]],
              uint lane [[thread_index_in_simdgroup]], uint simdgroup [[simdgroup_index_in_threadgroup]]) {
    const uint n = p[0], stride = p[1];
    if (i >= p[2]) return;
    device const float* row = b + ulong(simdgroup) * stride;
    float s = 0;
    uint c = lane;
    ` + loop + `
    out[i] = s + c;
}`
}

// dotForms are loops that add up products, and whether one call can do many of
// their turns.
var dotForms = []struct {
	name, loop string
	recognised bool
}{
	{"row of each simdgroup", "for (; c < n; c += 32) s += a[c] * row[c];", true},
	{"one row", "for (; c < n; c += 32) s += b[c] * a[c];", true},
	{"steps that overlap", "for (; c < n; c += 20) s += a[c] * row[c];", true},
	{"all threads", "for (c = id; c < n; c += 32) s += a[c] * row[c];", true},
	{"row of each thread", "for (; c < n; c += 32) s += a[c] * (b + ulong(i) * stride)[c];", true},
	{"every other element", "for (c = 2 * lane; c < n; c += 64) s += a[c] * row[c];", true},
	{"descending lanes", "for (c = 31 - lane; c < n; c += 32) s += a[c] * row[c];", true},
	{"later elements", "for (; c < n; c += 32) s += a[c] * (b + 3)[c];", true},
	{"earlier elements", "for (c = lane + 2; c < n; c += 32) s += a[c] * (b - 2)[c];", true},
	{"twice", "for (; c < n; c += 32) s += a[c] * row[c]; for (c = lane; c < n; c += 32) s += a[c] * b[c];", true},
	{"in a branch", "if (id & 2) for (; c < n; c += 32) s += a[c] * row[c];", true},
	{"square", "for (; c < n; c += 32) s += row[c] * row[c];", true},
	{"difference", "for (; c < n; c += 32) s -= a[c] * row[c];", false},
	{"sum", "for (; c < n; c += 32) s += a[c] + row[c];", false},
	{"three factors", "for (; c < n; c += 32) s += a[c] * row[c] * 3.0f;", false},
	{"other index", "for (; c < n; c += 32) s += a[c] * row[lane];", false},
}

// dotLaunches have outcomes without a fault and with one.
var dotLaunches = []runLaunch{
	{name: "many turns", n: 320, stride: 320, active: 999, threads: 64, group: 64, weightWords: 400, memoryWords: 800},
	{name: "few turns", n: 64, stride: 64, active: 999, threads: 64, group: 64, weightWords: 100, memoryWords: 400},
	{name: "no turn", n: 0, stride: 64, active: 999, threads: 64, group: 64, weightWords: 100, memoryWords: 400},
	{name: "lanes that leave early", n: 331, stride: 5, active: 999, threads: 64, group: 64, weightWords: 400,
		memoryWords: 800},
	{name: "partial simdgroup", n: 320, stride: 320, active: 999, threads: 100, group: 44, weightWords: 400,
		memoryWords: 800},
	{name: "some threads", n: 320, stride: 320, active: 40, threads: 64, group: 64, weightWords: 400, memoryWords: 800},
	{name: "rows end with the memory", n: 320, stride: 320, active: 999, threads: 64, group: 64, weightWords: 320,
		memoryWords: 640},
	{name: "last element out of range", n: 320, stride: 320, active: 999, threads: 64, group: 64, weightWords: 320,
		memoryWords: 639},
	{name: "first array ends early", n: 320, stride: 320, active: 999, threads: 64, group: 64, weightWords: 250,
		memoryWords: 640},
	{name: "row out of range", n: 320, stride: math.MaxInt32, active: 999, threads: 64, group: 64, weightWords: 320,
		memoryWords: 640},
	{name: "step budget", n: 320, stride: 320, active: 999, threads: 64, group: 64, weightWords: 400, memoryWords: 800,
		steps: 40},
	{name: "step budget for more", n: 320, stride: 320, active: 999, threads: 64, group: 64, weightWords: 400,
		memoryWords: 800, steps: 220},
}

// TestDotLoop runs the loops as they are compiled, turn by turn, and by
// definition.
func TestDotLoop(t *testing.T) {
	for i, form := range dotForms {
		text := products(form.loop)
		recognised(t, form.name, text, form.recognised)
		for j, l := range dotLaunches {
			if testing.Short() && (i+j)%4 != 0 {
				continue
			}
			t.Run(form.name+"/"+l.name, func(t *testing.T) { l.agree(t, text) })
		}
	}
}
