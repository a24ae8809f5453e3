package sim_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// TestCover launches a kernel with statements of all kinds, and lists by line those that are executed and those that
// are not.
func TestCover(t *testing.T) {
	const text = `#include <metal_stdlib>
using namespace metal;
constant bool fast [[function_constant(0)]];
constexpr int twice(int n) {
	if (n == 7) return 1;
	return 2 * n;
}
template <int N> float scaled(float x) {
	if constexpr (N == 4) return x * 4;
	return x;
}
float helper(float x) { return x + 1; }
float unused(float x) { return x + 1; }
#define STEP(c) if (c) { s += 1; } else { s += 2; }
kernel void k(device float *out [[buffer(0)]], constant uint &n [[buffer(1)]],
	uint gid [[thread_position_in_grid]]) {
	if (gid >= n) return;
	float s = scaled<3>(0);
	for (uint i = 0; i < n; i++) {
		if (i == 777) {
			s += 5;
			break;
		}
		s += helper(i);
	}
	STEP(gid < n)
	switch (n) {
	case 3:
		s += twice(5);
		break;
	case 4:
		s += 1;
		break;
	default:
		s += 2;
	}
	if (fast)
		s = 0;
	auto add = [&](float x) {
		s += x;
	};
	add(1);
	if (0) {
		s = 9;
	}
	out[gid] = s;
}
`
	p, err := metalrun.Analyse(metalrun.SourceText("k.metal", text), metalrun.CompileOptions{LanguageVersion: 400})
	if err != nil {
		t.Fatal(err)
	}
	lib, err := sim.New(sim.Semantics{Cover: true}).Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	k, err := lib.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	out, n := make([]byte, 16), binary.LittleEndian.AppendUint32(nil, 3)
	outcome, err := k.Run(metalrun.Dispatch{Threads: metalrun.Size{X: 4, Y: 1, Z: 1},
		ThreadsPerThreadgroup: metalrun.Size{X: 4, Y: 1, Z: 1}, Bindings: []metalrun.Binding{
			{Index: 0, Data: out, Length: 16}, {Index: 1, Data: n, Length: 4, Inline: true}}})
	if err != nil {
		t.Fatal(err)
	}
	var yes, no []string
	for _, c := range outcome.Covered {
		at := fmt.Sprint(c.Line)
		if c.Number > 0 {
			at += fmt.Sprintf(".%d", c.Number)
		}
		if c.Executed {
			yes = append(yes, at)
		} else {
			no = append(no, at)
		}
	}
	const want = "5 6 9 10 12 17 17 18 19 19 20 24 26 26.1 27 29 30 37 39 40 42 43 46"
	if got := strings.Join(yes, " "); got != want {
		t.Errorf("executed: %s\nwant:     %s", got, want)
	}
	if got, want := strings.Join(no, " "), "21 22 26.2 32 33 35"; got != want {
		t.Errorf("not: %s, want %s", got, want)
	}
}
