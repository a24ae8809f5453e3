package simt

import (
	"math"
	"testing"
)

// ownRows is a kernel around one loop over a row that all threads share and rows
// of their own: p holds how many elements there are, the distance of rows, and how
// many threads take part.
func ownRows(loop string) string {
	return `#include <metal_stdlib>
using namespace metal;
kernel void f(device float* out, device const float* q, device const float* rows, constant uint* p,
              uint i [[thread_position_in_grid]], uint id [[thread_index_in_threadgroup]]) {
    const uint n = p[0], stride = p[1];
    if (i >= p[2]) return;
    float s = 0, z = 0;
    uint c = 0;
    device const float* row = rows + ulong(i) * stride;
    ` + loop + `
    out[i] = s + z + c;
}`
}

// gatheredForms are loops over such rows, and whether one call can do all turns.
var gatheredForms = []struct {
	name, loop string
	recognised bool
}{
	{"product", "for (; c < n; c++) s += q[c] * row[c];", true},
	{"factors swapped", "for (; c < n; c++) s += row[c] * q[c];", true},
	{"first turn later", "for (c = 2; c < n; c++) s += q[c] * row[c];", true},
	{"signed", "for (int k = 0; k < int(n); k++) s += q[k] * row[k];", true},
	{"signed from below",
		"device const float* next = row + stride; for (int k = -2; k < int(n); k++) s += (q + 2)[k] * next[k];", true},
	{"signed from below, both further on", "for (int k = -2; k < int(n); k++) s += (q + 2)[k] * (row + 2)[k];", true},
	{"limit that may wrap", "for (; c < n + 4294967294u; c++) s += q[c] * row[c];", true},
	{"in a branch", "if (id & 2) for (uint k = 0; k < n; k++) s += q[k] * row[k];", true},
	{"rows descend", "device const float* down = rows + (7 - id % 8) * stride; for (; c < n; c++) s += q[c] * down[c];",
		true},
	{"row further on", "for (; c < n; c++) s += q[c] * (row + 3)[c];", true},
	{"row further back", "for (c = 2; c < n; c++) s += q[c] * (row - 2)[c];", true},
	{"part of an element", "device const float* odd = (device const float*)((device const uchar*)rows + i * 2); for " +
		"(; c < n; c++) s += q[c] * odd[c];", true},
	{"later elements", "for (; c < n; c++) s += q[c] * row[c + 3];", false},
	{"element read behind the loop", "float x = 0; for (; c < n; c++) { x = row[c]; s += q[c] * x; } z = x;", false},
	{"rows of pairs",
		"device const float* pair = rows + ulong(i / 2) * stride; for (; c < n; c++) s += q[c] * pair[c];", true},
	{"twice", "for (uint k = 0; k < n; k++) z += q[k] * row[k]; for (; c < n; c++) s += q[c] * row[c];", true},
	{"two steps", "for (; c < n; c += 2) s += q[c] * row[c];", true},
	{"square", "for (; c < n; c++) s += row[c] * row[c];", false},
	{"difference", "for (; c < n; c++) s -= q[c] * row[c];", false},
	{"three factors", "for (; c < n; c++) s += q[c] * row[c] * 3.0f;", false},
	{"other index", "for (; c < n; c++) s += q[c] * row[n - c];", false},
	{"two sums", "for (; c < n; c++) { s += q[c] * row[c]; z += row[c]; }", false},
	{"element of another type", "for (; c < n; c++) s += q[c] * float(((device const uint*)row)[c]);", false},
	{"row that moves", "for (; c < n; c++) { s += q[c] * row[c]; row++; }", false},
}

// gatheredLaunches have outcomes without a fault and with one.
var gatheredLaunches = []runLaunch{
	{name: "whole", n: 19, stride: 20, active: 99, threads: 8, group: 8, weightWords: 32, memoryWords: 200},
	{name: "no turn", n: 0, stride: 20, active: 99, threads: 8, group: 8, weightWords: 32, memoryWords: 200},
	{name: "one turn", n: 1, stride: 20, active: 99, threads: 8, group: 8, weightWords: 32, memoryWords: 200},
	{name: "one row", n: 19, stride: 0, active: 99, threads: 8, group: 8, weightWords: 32, memoryWords: 200},
	{name: "overlapping rows", n: 19, stride: 3, active: 99, threads: 8, group: 8, weightWords: 32, memoryWords: 200},
	{name: "smaller threadgroup at the edge", n: 9, stride: 9, active: 99, threads: 44, group: 33, weightWords: 16,
		memoryWords: 500},
	{name: "some threads", n: 19, stride: 20, active: 5, threads: 8, group: 8, weightWords: 32, memoryWords: 200},
	{name: "rows end with the memory", n: 19, stride: 19, active: 99, threads: 8, group: 8, weightWords: 19,
		memoryWords: 152},
	{name: "last element out of range", n: 19, stride: 19, active: 99, threads: 8, group: 8, weightWords: 19,
		memoryWords: 151},
	{name: "last row out of range", n: 19, stride: 19, active: 99, threads: 8, group: 8, weightWords: 19,
		memoryWords: 130},
	{name: "fewer words than turns", n: 19, stride: 19, active: 99, threads: 8, group: 8, weightWords: 19,
		memoryWords: 10},
	{name: "rows far out of range", n: 19, stride: math.MaxUint32, active: 99, threads: 8, group: 8, weightWords: 19,
		memoryWords: 200},
	{name: "shared row out of range", n: 19, stride: 19, active: 99, threads: 8, group: 8, weightWords: 18,
		memoryWords: 200},
	{name: "step budget", n: 19, stride: 20, active: 99, threads: 8, group: 8, weightWords: 32, memoryWords: 200,
		steps: 30},
	{name: "step budget for more", n: 19, stride: 20, active: 99, threads: 8, group: 8, weightWords: 32,
		memoryWords: 200, steps: 400},
}

// TestGatheredLoop runs the loops as they are compiled, turn by turn, and by
// definition.
func TestGatheredLoop(t *testing.T) {
	for i, form := range gatheredForms {
		text := ownRows(form.loop)
		recognised(t, form.name, text, form.recognised)
		for j, l := range gatheredLaunches {
			if testing.Short() && (i+j)%4 != 0 {
				continue
			}
			t.Run(form.name+"/"+l.name, func(t *testing.T) { l.agree(t, text) })
		}
	}
}
