package explain

import (
	"math"
	"strings"
	"testing"

	"metalconform/suite"
	"metalconform/suite/suitetest"
)

// scaledSource gives each row a scale, and its elements by that scale.
const scaledSource = `#include <metal_stdlib>
using namespace metal;

kernel void scaled(
    device const float* x [[buffer(0)]],
    device float*       scale [[buffer(1)]],
    device float*       y [[buffer(2)]],
    device int*         q [[buffer(3)]],
    constant uint&      n [[buffer(4)]],
    uint row [[thread_position_in_grid]])
{
    float sum = 0.0f;
    for (uint i = 0; i < n; i++) {
        sum += x[row * n + i] * x[row * n + i];
    }
    scale[row] = sum / n;
    for (uint i = 0; i < n; i++) {
        float wide = x[row * n + i] * scale[row];
        y[row * n + i] = wide * 3.0f;
        q[row * n + i] = int(i);
    }
}
`

func scaledKernel() suite.Kernel {
	const rows, n = suite.Axis("rows"), suite.Axis("n")
	return suite.Kernel{
		Name: "scaled", Axes: []suite.Axis{rows, n},
		Args: suite.Args{suite.In("x", suite.F32, rows, n), suite.Out("scale", suite.F32, rows),
			suite.Out("y", suite.F32, rows, n), suite.Out("q", suite.I32, rows, n), suite.Const("n", suite.U32, n)},
		Grid:  suite.Grid{Threads: []suite.Extent{rows}, Of: []suite.Extent{suite.Fixed(32)}},
		Sweep: suite.Sweep{Probes: []suite.Shape{{rows: 2, n: 5}}, Inputs: suite.Standard(nil, "x")[:1]},
		Oracle: func(p *suite.Problem) suite.Answers {
			x, n := p.Values("x"), p.Shape[n]
			scale, y, q := make([]float64, len(x)/n), make([]float64, len(x)), make([]float64, len(x))
			for i, v := range x {
				scale[i/n] += v * v / float64(n)
			}
			for i, v := range x {
				y[i], q[i] = float64(v*scale[i/n])*3, float64(i%n)
			}
			return suite.Answers{"scale": {Want: scale, Plain: true}, "y": {Want: y, Plain: true},
				"q": {Want: q, Exact: true}}
		},
	}
}

// TestOtherFormula tells formulas that differ from roundings. The lines where values part are named if an output that
// the definition has, too, still agrees.
func TestOtherFormula(t *testing.T) {
	for _, test := range []struct {
		name, was, is string
		other         bool
		agrees        int // outputs
		line          int // that is named among others; 0: none is
	}{
		{"the definition's", "", "", false, 0, 0},
		{"less accurate", "wide * 3.0f", "(wide * 3.0f + 4096.0f) - 4096.0f", false, 0, 0},
		{"after an intermediate value", "wide * 3.0f", "wide * 2.5f", true, 1, 19},
		{"of the intermediate value", "sum / n", "sum / (n + 1)", true, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := strings.Replace(scaledSource, test.was, test.is, 1)
			opts := suite.Options{Shaders: suitetest.ForeignShaders(t, source), Exact: suitetest.ExactDevices(),
				Seed: 1}
			c := suite.Cases([]suite.Family{{Kernels: []suite.Kernel{scaledKernel()}}}, suite.Quick)[0]
			b, err := FindBlame(opts, c, suite.Selector{Output: "y", Index: []int{1, 2}}, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			if f := b.Formula; (f != nil) != test.other {
				t.Fatalf("%+v: want another formula %v", f, test.other)
			} else if f == nil {
				return
			} else if len(f.Agrees) != test.agrees {
				t.Errorf("%v agree, want %d", f.Agrees, test.agrees)
			}
			named := b.Formula.Lines
			if test.line == 0 && len(named) > 0 {
				t.Errorf("lines %v are named", named)
			}
			lineOf := map[int]bool{}
			for _, l := range named {
				lineOf[l.Line] = true
			}
			if test.line > 0 && (!lineOf[test.line] || lineOf[14] || lineOf[16]) {
				t.Errorf("lines %v, want %d among them and none of the scale", named, test.line)
			}
			if ratio := b.Formula.Ratio; !(ratio > 1) || math.IsInf(ratio, 0) {
				t.Errorf("ratio %v", ratio)
			}
		})
	}
}

// TestIntegersAreNotBlamed: an integer has no rounding, and is refused in one sentence.
func TestIntegersAreNotBlamed(t *testing.T) {
	opts := suite.Options{Shaders: suitetest.ForeignShaders(t, scaledSource), Exact: suitetest.ExactDevices(), Seed: 1}
	c := suite.Cases([]suite.Family{{Kernels: []suite.Kernel{scaledKernel()}}}, suite.Quick)[0]
	_, err := FindBlame(opts, c, suite.Selector{Output: "q", Index: []int{1, 2}}, 1<<20)
	if err == nil || !strings.Contains(err.Error(), "q is i32, and integers have no rounding") {
		t.Errorf("%v", err)
	}
}
