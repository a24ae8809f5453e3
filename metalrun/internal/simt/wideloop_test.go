package simt

import (
	"sync/atomic"
	"testing"

	"metalconform/metalrun/internal/simt/machine"
)

// striding is a kernel around a loop whose threads stride together. p holds how many elements there are, the distance
// of the rows that each threadgroup changes, and how many threads take part.
func striding(loop string) string {
	return `#include <metal_stdlib>
using namespace metal;
kernel void f(device float* out, device const float* a, device float* b, constant uint* p,
              uint i [[thread_position_in_grid]], uint id [[thread_index_in_threadgroup]],
              uint group [[threadgroup_position_in_grid]], uint threads [[threads_per_threadgroup]]) {
    const uint n = p[0], stride = p[1];
    if (i >= p[2]) return;
    device float* row = b + group * stride;
    float s = 1.5f, t = float(id), u = 0;
    uint c = 0;
    ` + loop + `
    threadgroup_barrier(mem_flags::mem_device);
    for (uint k = id; k < stride; k += threads) u = u * 0.75f + row[k];
    out[i] = s + t * u + c;
}`
}

// racing is a form whose threads read what others write: the definition takes one after the other.
const racing = "first element"

// wideForms are loops that stride, and whether several of their turns may be done at once. Some of these find out that
// they may not where they come to it.
var wideForms = []struct {
	name, loop string
	recognised bool
}{
	{"to another array", "for (uint c = id; c < n; c += threads) row[c] = 2 * a[c];", true},
	{"in place", "for (uint c = id; c < n; c += threads) row[c] = row[c] * t + a[c];", true},
	{"product of many", "for (uint c = id; c < n; c += threads) row[c] = row[c] * s * a[c];", true},
	{"sum", "for (uint c = id; c < n; c += threads) s += a[c] * a[c] + 1;", true},
	{"difference", "for (uint c = id; c < n; c += threads) s -= a[c];", true},
	{"product", "for (uint c = id; c < n; c += threads) s *= a[c];", true},
	{"fused sum", "for (uint c = id; c < n; c += threads) s = fma(a[c], row[c], s);", true},
	{"scaled sum", "for (uint c = id; c < n; c += threads) s += a[c] * a[1];", true},
	{"largest", "for (uint c = id; c < n; c += threads) s = max(s, a[c]);", true},
	{"functions", "for (uint c = id; c < n; c += threads) { float w = exp(a[c] - t); row[c] = w; s += w; }", true},
	{"counter", "for (uint c = id; c < n; c += threads) row[c] = a[c] + float(c * 3);", true},
	{"read behind", "uint k = id; for (; k < n; k += threads) row[k] = a[k]; c = k;", false},
	{"limit that each turn reads", "for (uint c = id; c < p[0]; c += threads) row[c] = 2 * a[c];", true},
	{"limit that a turn may change", "for (uint c = id; c < uint(b[0]); c += threads) row[c] = 2 * a[c];", false},
	{"numbers with a sign", "for (int c = id; c < int(n); c += int(threads)) row[c] = 2 * a[c];", true},
	{"numbers below zero", "for (int c = int(id) - 3; c < int(p[0]); c += int(threads)) s += a[c + 3];", true},
	{"later elements", "for (uint c = id; c + 1 < n; c += threads) row[c] = a[c + 1];", false},
	{"elements behind", "for (uint c = id; c < n; c += threads) row[c] = a[c + n] - a[c];", true},
	{"of the turn before", "for (uint c = id; c < n; c += threads) row[c + threads] = row[c] + a[c];", true},
	{"of the turn to come", "for (uint c = id; c < n; c += threads) row[c] = row[c + threads] + a[c];", true},
	{racing, "for (uint c = id; c < n; c += threads) row[c] = row[0] + a[c];", true},
	{"halves", "for (uint c = id; c < n; c += threads) ((device half*)row)[c] = half(a[c]) + ((device half*)row)[c];",
		true},
	{"bytes", "for (uint c = id; c < n; c += threads) row[c] = ((device const char*)a)[c] + ((device const " +
		"uchar*)a)[c];", true},
	{"narrower elements", "for (uint c = id; c < n; c += threads) ((device uchar*)row)[c] = uchar(row[c]);", true},
	{"select", "for (uint c = id; c < n; c += threads) row[c] = select(t, a[c], a[c] < s);", true},
	{"condition", "for (uint c = id; c < n; c += threads) if (a[c] < 3) row[c] = a[c];", false},
	{"running sum", "for (uint c = id; c < n; c += threads) { s += a[c]; row[c] = s; }", false},
	{"two recurrences", "for (uint c = id; c < n; c += threads) { s += t; t += a[c]; }", false},
	{"own step", "for (uint c = id; c < n; c += 8) row[c] = a[c];", true},
	{"last value", "for (uint c = id; c < n; c += threads) t = a[c];", false},
	{"number of turns", "for (uint k = id; k < n; k += threads) { row[k] = a[k] * float(c); c++; }", false},
}

// wideLaunches have outcomes without a fault and with one.
var wideLaunches = []runLaunch{
	{name: "many turns", n: 640, stride: 640, active: 999, threads: 64, group: 32, weightWords: 1400,
		memoryWords: 1400},
	{name: "more than fit", n: 2500, stride: 2500, active: 999, threads: 128, group: 64, weightWords: 5100,
		memoryWords: 5200},
	{name: "turns for some", n: 331, stride: 340, active: 999, threads: 72, group: 24, weightWords: 700,
		memoryWords: 1100},
	{name: "two turns", n: 64, stride: 64, active: 999, threads: 32, group: 32, weightWords: 128, memoryWords: 128},
	{name: "no turn", n: 0, stride: 64, active: 999, threads: 64, group: 32, weightWords: 128, memoryWords: 200},
	{name: "rows that overlap", n: 320, stride: 0, active: 999, threads: 32, group: 32, weightWords: 700,
		memoryWords: 700},
	{name: "step of all", n: 100, stride: 100, active: 999, threads: 8, group: 8, weightWords: 300, memoryWords: 300},
	{name: "one thread", n: 100, stride: 100, active: 999, threads: 1, group: 1, weightWords: 300, memoryWords: 300},
	{name: "some threads", n: 320, stride: 320, active: 40, threads: 64, group: 32, weightWords: 700, memoryWords: 700},
	{name: "last element out of range", n: 320, stride: 319, active: 999, threads: 32, group: 32, weightWords: 319,
		memoryWords: 319},
	{name: "limit beyond numbers with a sign", n: 1<<31 + 5, stride: 64, active: 999, threads: 64, group: 32,
		weightWords: 700, memoryWords: 700},
	{name: "step budget", n: 320, stride: 320, active: 999, threads: 32, group: 32, weightWords: 700, memoryWords: 700,
		steps: 40},
}

// TestWideLoop runs the loops as they are compiled, turn by turn, and by definition.
func TestWideLoop(t *testing.T) {
	for i, form := range wideForms {
		text := striding(form.loop)
		recognised(t, form.name, text, form.recognised)
		for j, l := range wideLaunches {
			if testing.Short() && (i+j)%4 != 0 {
				continue
			}
			t.Run(form.name+"/"+l.name, func(t *testing.T) {
				if form.name == racing {
					l.alike(t, text)
				} else {
					l.agree(t, text)
				}
			})
		}
	}
}

// TestWideLoopFits checks which launches of a loop are done many turns at once.
func TestWideLoopFits(t *testing.T) {
	text := striding("for (uint c = id; c < n; c += threads) row[c] = 2 * a[c];")
	for name, wide := range map[string]bool{"many turns": true, "turns for some": true, "no turn": false,
		"some threads": true, "last element out of range": false} {
		for _, l := range wideLaunches {
			if l.name != name {
				continue
			}
			var executed [2]int64
			for i := range executed {
				p := Compile(lower(t, text), machine.Options{})
				if i == 1 {
					p.Body, _ = plain(p.Body)
				}
				var count atomic.Int64
				launch := l.launch()
				launch.Executed = &count
				_ = p.Run(launch) // one of them fails
				executed[i] = count.Load()
			}
			if got := executed[0] < executed[1]; got != wide {
				t.Errorf("%s: %d instructions of %d, fewer: %v, want %v", name, executed[0], executed[1], got, wide)
			}
		}
	}
}
