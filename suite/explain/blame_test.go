package explain

import (
	"maps"
	"math"
	"metalconform/suite"
	"metalconform/suite/suitetest"
	"testing"
)

// decaySource takes a state on by one step.
const decaySource = `#include <metal_stdlib>
using namespace metal;

kernel void decay(
    device float*       state [[buffer(0)]],
    device const float* x     [[buffer(1)]],
    uint i [[thread_position_in_grid]])
{
    state[i] = state[i] * 1.1f + x[i] / 3.0f;
}
`

// decayKernel takes the state on in so many launches.
func decayKernel(launches int) suite.Kernel {
	const n = suite.Axis("n")
	return suite.Kernel{
		Name: "decay", Axes: []suite.Axis{n},
		Args:     suite.Args{suite.InOut("state", suite.F32, n), suite.In("x", suite.F32, n)},
		Grid:     suite.Grid{Threadgroups: []suite.Extent{n}, Of: []suite.Extent{suite.Fixed(1)}},
		Launches: func(suite.Shape) []suite.Launch { return make([]suite.Launch, launches) },
		Sweep:    suite.Sweep{Probes: []suite.Shape{{n: 5}}, Inputs: suite.Standard(nil, "x")[:1]},
		Oracle: func(p *suite.Problem) suite.Answers {
			y := p.Values("state")
			for range launches {
				for i, x := range p.Values("x") {
					y[i] = float64(float64(float32(1.1))*y[i]) + x/3
				}
			}
			return suite.Answers{"state": {Want: y, Plain: true}}
		},
	}
}

// TestBlameGoesBackOverLaunches: with a state that several launches, or several stages of a
// pipeline, carry on, the lines of all of them make up the whole error, and the inputs are those in
// front of the first.
func TestBlameGoesBackOverLaunches(t *testing.T) {
	const steps, element = 3, 2
	inLaunches := suite.Cases([]suite.Family{{Kernels: []suite.Kernel{decayKernel(steps)}}}, suite.Quick)[0]
	one := decayKernel(1)
	inStages := suite.Cases([]suite.Family{{Kernels: []suite.Kernel{one}, Pipelines: []suite.Pipeline{{
		Name: "decays", Axes: one.Axes, Kernels: []string{"decay"}, Buffers: one.Args, Sweep: one.Sweep,
		Run: func(c *suite.PipelineRun) {
			for range steps {
				c.Launch(suite.Step{Kernel: "decay"})
			}
		},
	}}}}, suite.Quick)[1]
	for _, test := range []struct {
		name string
		c    suite.Case
		at   suite.Selector
	}{
		{"launches", inLaunches, suite.Selector{Output: "state", Index: []int{element}}},
		{"stages", inStages, suite.Selector{Stage: "stage 3, decay", Output: "state", Index: []int{element}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := suite.Options{Shaders: suitetest.ForeignShaders(t, decaySource), Exact: suitetest.ExactDevices(),
				Seed: 1}
			b, err := FindBlame(opts, test.c, test.at, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			value := func(buffer int) float64 {
				all, err := test.c.InputValues(test.c.Kernel.Args[buffer], 1)
				if err != nil {
					t.Fatal(err)
				}
				return all[element]
			}
			y, x := value(0), value(1)
			first, third := y, x/3
			for range steps {
				y = float64(float64(float32(1.1))*y) + third
			}
			error := float64(b.Got) - y
			if !(error != 0 && math.Abs(float64(b.First)-error) <= 1e-4*float64(b.Bound)) {
				t.Errorf("the lines make %.6g of %.6g; bound %.6g", float64(b.First), error, float64(b.Bound))
			}
			grown := math.Pow(float64(float32(1.1)), steps)
			want := map[string]float64{"state": math.Abs(grown * first / y),
				"x": math.Abs((1 + float64(float32(1.1)) + math.Pow(float64(float32(1.1)), 2)) * third / y)}
			for _, in := range b.Inputs {
				if math.Abs(in.Condition-want[in.Arg]) > 1e-6*want[in.Arg] {
					t.Errorf("condition of %s %.6g, want %.6g", in.Arg, in.Condition, want[in.Arg])
				}
			}
			if len(b.Inputs) != len(want) || len(b.Lines) != 1 || b.Lines[0].Times < 2*steps {
				t.Errorf("inputs %v, lines %v", b.Inputs, b.Lines)
			}
		})
	}
}

// TestRunsBlame: a run blames the first case of each kernel and of each pipeline, and no other.
func TestRunsBlame(t *testing.T) {
	one := decayKernel(1)
	cases := suite.Cases([]suite.Family{{Kernels: []suite.Kernel{one}, Pipelines: []suite.Pipeline{{
		Name: "decays", Axes: one.Axes, Kernels: []string{"decay"}, Buffers: one.Args, Sweep: one.Sweep,
		Run: func(c *suite.PipelineRun) { c.Launch(suite.Step{Kernel: "decay"}) },
	}}}}, suite.Quick)
	opts := suite.Options{Shaders: suitetest.ForeignShaders(t, decaySource), Exact: suitetest.ExactDevices(), Seed: 1,
		Blame: Errors{}}
	blamed, seen := map[string]string{}, map[string]bool{}
	err := suite.Run(t.Context(), opts.Exact.Anchored, opts, append(cases, cases...), func(r suite.Result) {
		if r.Blame != nil && seen[r.Kernel] {
			t.Errorf("%s is blamed again", r.Case)
		}
		seen[r.Kernel] = true
		if r.Blame != nil {
			blamed[r.Kernel] = r.Blame.Stage
		}
	})
	if want := map[string]string{"decay": "", "decays": "stage 1, decay"}; err != nil || !maps.Equal(blamed, want) {
		t.Errorf("got %v, %v; want %v", blamed, err, want)
	}
}
