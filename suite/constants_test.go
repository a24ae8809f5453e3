package suite

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// extremum is a kernel that finds the largest element of each row.
func extremum(inputs ...Input) Kernel {
	const rows = Axis("rows")
	return Kernel{
		Name: "extremum", Axes: []Axis{rows, wide},
		Args:  Args{In("x", F32, rows, wide), Out("y", F32, rows), Const("n", U32, wide)},
		Grid:  Grid{Threads: []Extent{rows}, Of: []Extent{Fixed(32)}},
		Sweep: Sweep{Probes: []Shape{{rows: 2, wide: 7}}, Inputs: inputs},
		Oracle: func(p *Problem) Answers {
			x, n := p.Values("x"), p.Shape[wide]
			y := make([]float64, 0, len(x)/n)
			for row := range slices.Chunk(x, n) {
				y = append(y, slices.Max(row))
			}
			return Answers{"y": {Want: y, Exact: true}}
		},
	}
}

// extremumFrom is its source, which begins at a constant.
func extremumFrom(t *testing.T, start string) *Shaders {
	t.Helper()
	shaders, err := NewShaders(map[string]string{"k.metal": strings.ReplaceAll(`#include <metal_stdlib>
using namespace metal;
kernel void extremum(device const float *x, device float *y, constant uint &n, uint row [[thread_position_in_grid]]) {
    float largest = START;
    for (uint i = 0; i < n; i++) { largest = max(largest, x[row * n + i]); }
    y[row] = largest;
}
`, "START", start)}, metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	return shaders
}

// TestWithConstants has a running maximum begin at numbers that no family lies below. Only a family of them tells.
func TestWithConstants(t *testing.T) {
	finite := slices.DeleteFunc(Finite(Standard(nil, "x")),
		func(in Input) bool { return in.Name == "wide" || in.Name == "zeros" })
	for start, fails := range map[string]bool{"-INFINITY": false, "-FLT_MAX": false, "x[row * n]": false, "-1e4f": true,
		"-65504.0f / 2": true, "0.0f": true} {
		shaders := extremumFrom(t, start)
		own := Cases([]Family{{Kernels: []Kernel{extremum(finite...)}}}, Quick)
		cases := WithConstants(own, shaders, nil)
		if (len(cases) > len(own)) != fails {
			t.Errorf("from %s: %d cases of constants", start, len(cases)-len(own))
		}
		for _, c := range cases[len(own):] {
			if !slices.Contains(own[0].WithConstantsOf(), c.Name) || !NamesConstants(c.Name) {
				t.Errorf("%s is none of %q", c.Name, own[0].WithConstantsOf())
			}
		}
		failed := false
		err := Run(t.Context(), sim.New(sim.Semantics{}), Options{Shaders: shaders}, cases, func(r Result) {
			byConstants := strings.Contains(r.Case, "/input=constants")
			failed = failed || byConstants && r.Status == Fail
			if r.Status == Error || r.Status == Fail && !(byConstants && fails) {
				t.Errorf("from %s: %s: %s", start, r.Case, r.Text())
			}
		})
		if failed != fails || err != nil {
			t.Errorf("from %s: failed is %t (%v)", start, failed, err)
		}
	}
}

// TestSidesOfConstants keeps constants within what an argument may hold.
func TestSidesOfConstants(t *testing.T) {
	drawn := func(fill Fill, more ...Input) []Input {
		return append([]Input{{Name: "own", Fills: Fills{"x": fill}}}, more...)
	}
	scaled := Input{Name: "scaled", Fills: Fills{"x": Scaled(Normal, 0.01)}}
	even := func(low, step float64) Fill {
		return func(_ *rand.Rand, _ Shape, x []float64) {
			for i := range x {
				x[i] = low + float64(step*float64(i))
			}
		}
	}
	for _, test := range []struct {
		name   string
		inputs []Input
		want   []float64
	}{
		{"any", []Input{{Name: "normal"}}, []float64{-20000, -5000, -10000, -1, 1}},
		{"a narrow range", drawn(even(-0.5, 0.25), scaled), []float64{1}},
		{"a range that holds one", drawn(even(-12000, 900.5), scaled), []float64{-11000, -5000, -10000, -1}},
		{"one family with a structure", drawn(Scaled(Normal, 1e5)), nil},
		{"integers", drawn(Integers, Input{Name: "wide", Fills: Fills{"x": Wide}}), nil},
		{"a mask", drawn(Choice(0, -1e4), Input{Name: "wide", Fills: Fills{"x": Wide}}), nil},
	} {
		k := extremum(test.inputs...)
		var centers []float64
		for _, s := range k.sidesOf(k.Args[0], k.Sweep.Probes[0], test.inputs, []float64{-1e4, 0}) {
			centers = append(centers, float64(int(s.center/100))*100)
			if s.constant == 0 {
				centers[len(centers)-1] = s.center
			}
			row := make([]float64, 7)
			s.fill(Generator("row", "x", 1), row)
			for _, x := range row {
				if x < s.center-s.width || x > s.center+s.width {
					t.Errorf("%s: %v is not next to %v", test.name, x, s.center)
				}
			}
			if distinct := len(slices.Compact(slices.Sorted(slices.Values(row)))); distinct < len(row) {
				t.Errorf("%s: %d of %d elements differ", test.name, distinct, len(row))
			}
		}
		if diff := cmp.Diff(fmt.Sprint(test.want), fmt.Sprint(centers)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.name, diff)
		}
	}
}
