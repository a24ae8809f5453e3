package metalrun_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
)

const constantTables = `#include <metal_stdlib>
using namespace metal;

constant float LEVELS[3] = {-1.5f, 0.25f, 2};
namespace inner {
constant constexpr ushort GRID[2][2] = {{1, 2}, {3, 0x1234}};
}
constant uint WIDTH [[function_constant(0)]];
constant uint TWICE = 2 * WIDTH;
struct Pair { uchar a; float b; };
constant Pair PAIR = {7, 1.0f};
constant half2 HALVES = half2(1, -2);
constant bool NARROW = numeric_limits<half>::max() < 70000;

kernel void k(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
	static constant float LOCAL[1] = {3};
	out[i] = LEVELS[i % 3] + LOCAL[0] + TWICE;
}
`

func TestConstants(t *testing.T) {
	var opts metalrun.CompileOptions
	p := analysed(t, metalrun.SourceText("tables.metal", constantTables), opts)
	got := p.Constants()
	at := func(line int) metalrun.Position {
		return metalrun.Position{File: "tables.metal", Line: line, Col: 1}
	}
	want := []metalrun.Constant{
		{"LEVELS", at(4), "float[3]", "float", 3, []byte{0, 0, 0xc0, 0xbf, 0, 0, 0x80, 0x3e, 0, 0, 0, 0x40}},
		{"inner::GRID", at(6), "ushort[2][2]", "ushort", 4, []byte{1, 0, 2, 0, 3, 0, 0x34, 0x12}},
		{"PAIR", at(11), "Pair", "Pair", 1, []byte{7, 0, 0, 0, 0, 0, 0x80, 0x3f}},
		{"HALVES", at(12), "half2", "half2", 1, []byte{0, 0x3c, 0, 0xc0}},
		{"NARROW", at(13), "bool", "bool", 1, []byte{1}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	p, err := p.Specialise(metalrun.Math{}, map[int]any{0: uint32(8)})
	if err != nil {
		t.Fatal(err)
	}
	got = p.Constants()
	if len(got) != 6 || got[2].Name != "TWICE" || got[2].Data[0] != 16 {
		t.Errorf("with a value for WIDTH: got %+v, want TWICE = 16 as the third of six", got)
	}
}

func TestFunctionConstants(t *testing.T) {
	const text = stdlib + `constant float2 b [[function_constant(7)]];
namespace n { constant uint a [[function_constant(2)]]; }
kernel void k(device float* x) { x[n::a] = b.x; }
`
	opts := metalrun.CompileOptions{FunctionConstants: map[int]any{2: 4}}
	got := analysed(t, metalrun.SourceText("a.metal", text), opts).FunctionConstants()
	want := []metalrun.FunctionConstant{
		{"n::a", metalrun.Position{File: "a.metal", Line: 4, Col: 15}, "uint", 2, true},
		{"b", metalrun.Position{File: "a.metal", Line: 3, Col: 1}, "float2", 7, false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
