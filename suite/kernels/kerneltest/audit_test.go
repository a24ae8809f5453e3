package kerneltest

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/oracles"
	"metalconform/suite"
)

const (
	rows suite.Axis = "rows"
	wide suite.Axis = "wide"
)

// source has a kernel for each test here.
const source = `#include <metal_stdlib>
using namespace metal;
kernel void total(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    y[i] = x[i];
}
kernel void doubled(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], uint i [[thread_position_in_grid]])
{
    y[i] = 2.0f * x[i];
}
`

func opened(t *testing.T) *suite.Shaders {
	t.Helper()
	s, err := suite.OpenShaders(fstest.MapFS{"k.metal": &fstest.MapFile{Data: []byte(source)}}, metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// total is a kernel whose oracle is the sum of each row in the given arithmetic,
// with the running error bound of an f32 sum.
func total(add func(s, x float64) float64) suite.Kernel {
	return suite.Kernel{
		Name: "total", Axes: []suite.Axis{rows, wide},
		Args:  suite.Args{suite.In("x", suite.F32, rows, wide), suite.Out("y", suite.F32, rows)},
		Grid:  suite.Grid{Threads: []suite.Extent{rows}, Of: []suite.Extent{suite.Fixed(32)}},
		Check: func(suite.Shape) error { return nil },
		Oracle: func(p *suite.Problem) suite.Answers {
			n := p.Shape[wide]
			y := oracles.Answer{Want: make([]float64, p.Shape[rows]),
				Budget: []oracles.Term{{Label: "uΣ|s|", Error: make([]float64, p.Shape[rows])}}}
			for i, x := range p.Values("x") {
				y.Want[i/n] = add(y.Want[i/n], x)
				y.Budget[0].Error[i/n] += 0x1p-24 * math.Abs(y.Want[i/n])
			}
			return suite.Answers{"y": y}
		},
	}
}

func exactTotal(p *suite.Problem) map[string]oracles.Reference {
	x, n := p.Values("x"), p.Shape[wide]
	return map[string]oracles.Reference{"y": func(i int) *big.Float {
		s := new(big.Float).SetPrec(256)
		for _, v := range x[i*n : (i+1)*n] {
			s.Add(s, new(big.Float).SetFloat64(v))
		}
		return s
	}}
}

// TestAudit checks that an oracle that adds in float64 is accepted, that one
// that adds in f32, as its kernel does, is refused, and so are two that are
// wrong in being finite.
func TestAudit(t *testing.T) {
	shaders := opened(t)
	plain := func(s, x float64) float64 { return s + x }
	single := func(s, x float64) float64 { return float64(float32(s + x)) }
	for _, test := range []struct {
		name string
		add  func(s, x float64) float64
		fill suite.Fill
		want string // of the error; "" for none
	}{
		{"in float64", plain, suite.Normal, ""},
		{"in float64, cancelling", plain, suite.Cancelling, ""},
		{"in f32", single, suite.Normal, "the oracle is not exact enough for y, element "},
		{"NaN", plain, suite.OneOf(suite.Normal, math.NaN()), ""},
		{"infinite", plain, suite.OneOf(suite.Normal, math.Inf(-1)), ""},
		{"loses a NaN", func(s, x float64) float64 { return s }, suite.Every(math.NaN()),
			"exactly NaN: +Inf of its bound"},
		{"makes a NaN", func(s, x float64) float64 { return math.NaN() }, suite.Normal, "want = NaN, exactly"},
	} {
		t.Run(test.name, func(t *testing.T) {
			k := total(test.add)
			c := suite.Case{Name: "total", Kernel: &k, Shape: suite.Shape{rows: 40, wide: 5},
				Input: suite.Input{Name: "x", Fills: suite.Fills{"x": test.fill}}}
			asked, err := Ask(shaders, c, 1)
			if err != nil {
				t.Fatal(err)
			}
			audited, err := asked.Audit(exactTotal, 20)
			if err != nil || len(audited) != 1 {
				t.Fatalf("%d outputs were audited, error %v", len(audited), err)
			}
			switch err := audited[0].Err(); {
			case test.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

// An audit says which output it has no exact values of. Copies need none, and
// elements that no launch may change are not looked at.
func TestAuditWants(t *testing.T) {
	k := total(func(s, x float64) float64 { return float64(float32(s + x)) })
	c := suite.Case{Name: "total", Kernel: &k, Shape: suite.Shape{rows: 3, wide: 5}, Input: suite.Input{Name: "normal"}}
	asked, err := Ask(opened(t), c, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := asked.Audit(nil, 1); err == nil || err.Error() != "no exact values are known of y" {
		t.Errorf("error %v, want one about y", err)
	}
	k.Args[1].Untouched = func(s suite.Shape) []suite.Range { return []suite.Range{{First: 0, End: s[rows]}} }
	if audited, err := asked.Audit(exactTotal, 4); err != nil || audited[0].Sampled != 0 {
		t.Errorf("of elements that must not change: %+v, error %v", audited, err)
	}
	asked.Answers["y"] = oracles.Answer{Exact: true}
	if audited, err := asked.Audit(nil, 1); err != nil || len(audited) > 0 {
		t.Errorf("%v was audited, error %v", audited, err)
	}
}

// A shape that the host refuses has nothing to ask.
func TestAskRefused(t *testing.T) {
	k := total(func(s, x float64) float64 { return s + x })
	c := suite.Case{Name: "total", Kernel: &k, Shape: suite.Shape{rows: 3, wide: 5},
		Input: suite.Input{Name: "refused"}}
	if _, err := Ask(opened(t), c, 1); err == nil || !strings.Contains(err.Error(), "the oracle was not asked") {
		t.Errorf("error %v, want one that says that nobody was asked", err)
	}
}

// doubling is a pipeline of one stage, whose definition is as far from its exact
// values as a part of its bound, and as far from the result as wrong says.
func doubling(t *testing.T, off, wrong float64) suite.Case {
	t.Helper()
	args := suite.Args{suite.In("x", suite.F32, rows), suite.Out("y", suite.F32, rows)}
	twice := func(x []float64) oracles.Answer {
		a := oracles.Answer{Want: make([]float64, len(x)),
			Budget: []oracles.Term{{Label: "all", Error: make([]float64, len(x))}}}
		for i := range x {
			a.Want[i], a.Budget[0].Error[i] = 2*x[i], 0x1p-24*math.Abs(x[i])
		}
		return a
	}
	check := func(suite.Shape) error { return nil }
	k := suite.Kernel{
		Name: "doubled", Axes: []suite.Axis{rows}, Args: args, Check: check,
		Grid:   suite.Grid{Threads: []suite.Extent{rows}, Of: []suite.Extent{suite.Fixed(32)}},
		Oracle: func(p *suite.Problem) suite.Answers { return suite.Answers{"y": twice(p.Values("x"))} },
	}
	p := suite.Pipeline{
		Name: "doubling", Axes: []suite.Axis{rows}, Kernels: []string{"doubled"}, Buffers: args[:1], Check: check,
		Sweep: suite.Sweep{Shapes: []suite.Shape{{rows: 64}}},
		Run: func(c *suite.PipelineRun) {
			c.Launch(suite.Step{Kernel: "doubled"})
			want := twice(c.Values("x"))
			want.Want[0] += wrong
			c.Definition("end to end", "y", want, func(i int) *big.Float {
				value := new(big.Float).SetPrec(256).SetFloat64(want.Want[i])
				return value.Add(value, new(big.Float).SetFloat64(off*want.Bound(i)))
			})
		},
	}
	return suite.Cases([]suite.Family{{Name: "k", Kernels: []suite.Kernel{k}, Pipelines: []suite.Pipeline{p}}},
		suite.Quick)[0]
}

// TestAuditPipeline has definitions that are as far from what they should be as a
// part of their bound, and one that its pipeline does not keep.
func TestAuditPipeline(t *testing.T) {
	runner := sim.New(sim.Semantics{})
	t.Cleanup(func() { runner.Close() })
	opts := suite.Options{Shaders: opened(t), Seed: 1}
	for _, test := range []struct {
		name    string
		off     float64 // of the exact values, as a fraction of the bound
		refused bool
	}{
		{"exact", 0, false}, {"sharp enough", 0.09, false}, {"too coarse", 0.11, true},
	} {
		got, err := AuditPipeline(runner, opts, doubling(t, test.off, 0), 2)
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: %v, %v", test.name, got, err)
		}
		if err := got[0].Err(); (err != nil) != test.refused {
			t.Errorf("%s: %v", test.name, err)
		} else if err != nil && !strings.Contains(err.Error(), "end to end: y, element ") {
			t.Errorf("%s: %v does not name the invariant", test.name, err)
		}
	}
	if _, err := AuditPipeline(runner, opts, doubling(t, 0, 1), 2); err == nil ||
		!strings.Contains(err.Error(), "end to end: y[0] = ") {
		t.Errorf("error %v of a pipeline that fails, want one that names the invariant", err)
	}
}
