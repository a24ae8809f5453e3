package simt

import (
	"fmt"
	"testing"
)

// sumsOfRuns is a kernel that adds to the elements of an array of each thread.
func sumsOfRuns(loop string) string {
	return `#include <metal_stdlib>
using namespace metal;
kernel void f(device float* out, device const float* a, device const float* b, constant uint* p,
              uint i [[thread_position_in_grid]], uint id [[thread_index_in_threadgroup]],
              uint lane [[thread_index_in_simdgroup]], uint simdgroup [[simdgroup_index_in_threadgroup]]) {
    const uint n = p[0], stride = p[1];
    if (i >= p[2]) return;
    device const float* row = b + ulong(simdgroup) * stride;
    float acc[5];
    for (uint k = 0; k < 5; k++) acc[k] = a[k + 1];
    float w = a[lane % 7];
    ` + loop + `
    float s = 0;
    for (uint k = 0; k < 5; k++) s = s * 3 + acc[k];
    out[i] = s;
}`
}

// addForms are such loops, and whether one call can do many of their turns.
var addForms = []struct {
	name, loop string
	recognised bool
}{
	{"row of each simdgroup", "for (uint c = 0; c * 32 + lane < n * 12; c++) acc[c] += w * row[c * 32 + lane];", true},
	{"whole rows", "for (uint c = 0; lane + 32 * c < 128; c++) acc[c] += row[lane + 32 * c] * w;", true},
	{"one row", "for (uint c = 0; c * 32 + lane < n * 12; c++) acc[c] += w * b[c * 32 + lane];", true},
	{"runs that overlap", "for (uint c = 0; c * 11 + lane < n * 6; c++) acc[c] += w * row[c * 11 + lane];", true},
	{"from a later row on", "for (uint c = 2; c * 32 + lane < n * 17; c++) acc[c] += w * row[c * 32 + lane];", true},
	{"elements further on", "for (uint c = 0; c * 32 + lane < n * 12; c++) acc[c] += w * (row + 3)[c * 32 + lane];",
		true},
	{"past the array", "for (uint c = 0; c * 32 + lane < n * 24; c++) acc[c] += w * row[c * 32 + lane];", true},
	{"a later row of the array", "for (uint c = 0; c * 32 + lane < n * 12; c++) acc[c + 1] += w * row[c * 32 + lane];",
		false},
	{"twice", "for (uint c = 0; c * 32 + lane < 70; c++) acc[c] += w * row[c * 32 + lane]; for (uint c = 0; c * 32 + " +
		"lane < 70; c++) acc[c] += w * b[c * 32 + lane];", true},
	{"in a branch", "if (id & 2) for (uint c = 0; c * 32 + lane < n * 12; c++) acc[c] += w * row[c * 32 + lane];",
		true},
	{"products that wrap",
		"for (uint c = 1; c * 0x20000010u + lane < 0x50000000u; c++) acc[c] += w * a[c * 0x20000010u + lane];", true},
	{"steps that wrap",
		"for (uint c = 0; c * 0xfffffff0u + lane < n + 25; c++) acc[c] += w * row[c * 0xfffffff0u + lane];", true},
	{"lanes in between", "for (uint c = 0; c * 32 + lane / 2 < n * 12; c++) acc[c] += w * row[c * 32 + lane / 2];",
		false},
	{"a limit that all numbers are below",
		"for (uint c = 0; c * 0x40000000u + lane < 0xfffffff0u && c < 3; c++) acc[c] += w * row[lane];", false},
	{"all threads", "for (uint c = 0; c * 32 + id < n * 12; c++) acc[c] += w * b[c * 32 + id];", false},
	{"all threads from a row of each simdgroup",
		"for (uint c = 0; c * 32 + id < n * 12; c++) acc[c] += w * row[c * 32 + id];", false},
	{"another element", "for (uint c = 0; c * 32 + lane < n * 12; c++) acc[c] = acc[1] + w * row[c * 32 + lane];",
		false},
	{"a weight that changes",
		"for (uint c = 0; c * 32 + lane < n * 12; c++) { acc[c] += w * row[c * 32 + lane]; w += 1; }", false},
	{"the same element", "for (uint c = 0; c * 32 + lane < n * 12; c++) acc[2] += w * row[c * 32 + lane];", false},
	{"difference", "for (uint c = 0; c * 32 + lane < n * 12; c++) acc[c] -= w * row[c * 32 + lane];", false},
	{"other elements", "for (uint c = 0; c * 32 + lane < n * 12; c++) acc[c] += w * row[c + lane];", false},
	{"steps of two", "for (uint c = 0; c * 32 + lane < n * 12; c += 2) acc[c] += w * row[c * 32 + lane];", false},
}

// TestAddLoop runs them as they are compiled, turn by turn, and by definition.
func TestAddLoop(t *testing.T) {
	for i, form := range addForms {
		text := sumsOfRuns(form.loop)
		recognised(t, form.name, text, form.recognised)
		for j, l := range headLaunches {
			if testing.Short() && (i+j)%4 != 0 {
				continue
			}
			t.Run(form.name+"/"+l.name, func(t *testing.T) { l.agree(t, text) })
			for l.steps = 60; l.steps < 180; l.steps += 20 {
				t.Run(fmt.Sprintf("%s/%s, %d steps", form.name, l.name, l.steps),
					func(t *testing.T) { l.agree(t, text) })
			}
		}
	}
}
