package simt

import (
	"fmt"
	"testing"
)

// weighted is a loop that adds runs with the weights of the lanes, where a turn begins so and adds so.
func weighted(head, turn string) string {
	return "for (" + head + ") { const float v = simd_broadcast(w, ushort(j)); device const float* run = row + " +
		"ulong(j) * stride; " + turn + " }"
}

// weightForms are such loops, and whether one call can do many of their turns. Where weights are those of lanes that
// take no part, or do not exist, there is no definition.
var weightForms = []struct {
	name       string
	loop       string
	recognised bool
	undefined  bool
}{
	{"as many turns for all", weighted("uint j = 0; j < n; j++",
		"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane];"), true, false},
	{"turns of each simdgroup", "const uint m = min(n, 12 - 4 * simdgroup); " +
		weighted("uint j = 0; j < m; j++",
			"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane];"), true, false},
	{"turns of each thread",
		"const uint m = n + lane % 2; " + weighted("uint j = 0; j < m; j++",
			"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane];"), false, true},
	{"no turn for some",
		"const uint m = simdgroup * 5; " + weighted("uint j = 0; j < m; j++",
			"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane];"), true, false},
	{"signed", weighted("int j = 0; j < int(n); j++",
		"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += run[c * 32 + lane] * v;"), true, false},
	{"signed limit below zero", weighted("int j = 0; j < int(n) - 14; j++",
		"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += run[c * 32 + lane] * v;"), true, false},
	{"later lanes", weighted("uint j = 5; j < n; j++",
		"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane];"), true, false},
	{"more turns than lanes", "for (uint j = 0; j < n * 4; j++) { const float v = simd_broadcast(w, ushort(j)); " +
		"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * (row + ulong(j))[c * 32 + lane]; }", true, true},
	{"shuffled",
		"for (uint j = 0; j < n; j++) { const float v = simd_shuffle(w, ushort(j)); device const float* run = row + " +
			"ulong(j) * 3; " +
			"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane]; }", true, false},
	{"one place for all",
		"for (uint j = 0; j < n; j++) { const float v = simd_broadcast(w, ushort(j)); device const float* run = b + " +
			"ulong(j) * stride; " +
			"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane]; }", true, false},
	{"always the same run", "for (uint j = 0; j < n; j++) { const float v = simd_broadcast(w, ushort(j)); for (uint " +
		"c = 0; c * 32 + lane < 96; c++) acc[c] += v * row[c * 32 + lane]; }", true, false},
	{"runs descend",
		"for (uint j = 0; j < n; j++) { const float v = simd_broadcast(w, ushort(j)); device const float* run = row " +
			"+ (8ul * stride - ulong(j) * stride); " +
			"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane]; }", true, false},
	{"other steps in each simdgroup",
		"for (uint j = 0; j < n; j++) { const float v = simd_broadcast(w, ushort(j)); device const float* run = b + " +
			"ulong(j) * (simdgroup + 2); " +
			"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane]; }", true, false},
	{"from a later row on", weighted("uint j = 0; j < n; j++",
		"for (uint c = 1; c * 32 + lane < 128; c++) acc[c] += v * run[c * 32 + lane];"), true, false},
	{"runs that overlap", weighted("uint j = 0; j < n; j++",
		"for (uint c = 0; c * 11 + lane < 42; c++) acc[c] += v * run[c * 11 + lane];"), true, false},
	{"lanes that leave early", weighted("uint j = 0; j < n; j++",
		"for (uint c = 0; c * 32 + lane < n * 10; c++) acc[c] += v * run[c * 32 + lane];"), true, false},
	{"past the array", weighted("uint j = 0; j < n; j++",
		"for (uint c = 0; c * 32 + lane < 192; c++) acc[c] += v * run[c * 32 + lane];"), true, false},
	{"in a branch",
		"if (id & 32) " + weighted("uint j = 0; j < n; j++",
			"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane];"), true, false},
	{"twice",
		weighted("uint j = 0; j < n; j++",
			"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane];") +
			weighted("uint j = 0; j < 4; j++",
				"for (uint c = 0; c * 32 + lane < 64; c++) acc[c] += v * run[c * 32 + lane];"), true, false},
	{"two loops",
		weighted("uint j = 0; j < n; j++",
			"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane]; for (uint c = 0; c * 32 + "+
				"lane < 64; c++) acc[c] += v * row[c * 32 + lane];"), false, false},
	{"rows that go on",
		"uint c = 0; " + weighted("uint j = 0; j < n; j++",
			"for (; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane];"), false, false},
	{"rows from the turn on", weighted("uint j = 0; j < 3; j++",
		"for (uint c = j; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane];"), false, false},
	{"rows of the turn",
		weighted("uint j = 0; j < 3; j++",
			"const uint e = 32 * j + 32; for (uint c = 0; c * 32 + lane < e; c++) acc[c] += v * run[c * 32 + lane];"),
		false, false},
	{"weights that change", weighted("uint j = 0; j < n; j++",
		"w += 1; for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane];"), false, false},
	{"another lane",
		"for (uint j = 0; j < n; j++) { const float v = simd_broadcast(w, ushort(j + 1)); device const float* run = " +
			"row + ulong(j) * stride; " +
			"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane]; }", false, true},
	{"weight read behind the loop",
		"float z = 0; for (uint j = 0; j < n; j++) { z = simd_broadcast(w, ushort(j)); device const float* run = row " +
			"+ ulong(j) * stride; " +
			"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += z * run[c * 32 + lane]; } acc[4] += z;", false, false},
	{"product of weights",
		"for (uint j = 0; j < n; j++) { const float v = simd_broadcast(w, ushort(j)) * a[3]; device const float* run " +
			"= row + ulong(j) * stride; " +
			"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane]; }", false, false},
	{"squares",
		"for (uint j = 0; j < n; j++) { const float v = simd_broadcast(w, ushort(j)); device const float* run = row " +
			"+ ulong(j) * j; " +
			"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane]; }", false, false},
	{"place that may wrap",
		"for (uint j = 0; j < n; j++) { const float v = simd_broadcast(w, ushort(j)); device const float* run = row " +
			"+ ulong(j - 3 + stride); " +
			"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane]; }", false, false},
	{"every other turn", weighted("uint j = 0; j < n; j += 2",
		"for (uint c = 0; c * 32 + lane < 96; c++) acc[c] += v * run[c * 32 + lane];"), false, false},
}

// weightLaunches have outcomes without a fault and with one.
var weightLaunches = []runLaunch{
	{name: "whole", n: 9, stride: 40, active: 999, threads: 96, group: 96, weightWords: 100, memoryWords: 800},
	{name: "no turn", n: 0, stride: 40, active: 999, threads: 96, group: 96, weightWords: 100, memoryWords: 800},
	{name: "one turn", n: 1, stride: 40, active: 999, threads: 96, group: 96, weightWords: 100, memoryWords: 800},
	{name: "partial simdgroup", n: 9, stride: 40, active: 999, threads: 150, group: 75, weightWords: 100,
		memoryWords: 800},
	{name: "some threads", n: 9, stride: 40, active: 41, threads: 96, group: 96, weightWords: 100, memoryWords: 800},
	{name: "runs end with the memory", n: 9, stride: 40, active: 999, threads: 96, group: 96, weightWords: 100,
		memoryWords: 496},
	{name: "last run too long", n: 9, stride: 40, active: 999, threads: 96, group: 96, weightWords: 100,
		memoryWords: 495},
	{name: "last run out of range", n: 9, stride: 1 << 29, active: 999, threads: 96, group: 96, weightWords: 100,
		memoryWords: 800},
}

// TestWeightLoop runs them as they are compiled, turn by turn, and by definition.
func TestWeightLoop(t *testing.T) {
	for i, form := range weightForms {
		text := sumsOfRuns(form.loop)
		recognised(t, form.name, text, form.recognised)
		for j, l := range weightLaunches {
			if testing.Short() && (i+j)%4 != 0 {
				continue
			}
			for _, l.steps = range []int64{0, 150, 300, 450, 600} {
				t.Run(fmt.Sprintf("%s/%s, %d steps", form.name, l.name, l.steps), func(t *testing.T) {
					if got, err := l.alike(t, text); !form.undefined {
						l.defined(t, text, got, err)
					}
				})
			}
		}
	}
}
