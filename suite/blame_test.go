package suite

import (
	"maps"
	"math"
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
func decayKernel(launches int) Kernel {
	const n = Axis("n")
	return Kernel{
		Name: "decay", Axes: []Axis{n},
		Args:     Args{InOut("state", F32, n), In("x", F32, n)},
		Grid:     Grid{Threadgroups: []Extent{n}, Of: []Extent{Fixed(1)}},
		Launches: func(Shape) []Launch { return make([]Launch, launches) },
		Sweep:    Sweep{Probes: []Shape{{n: 5}}, Inputs: Standard(nil, "x")[:1]},
		Oracle: func(p *Problem) Answers {
			y := p.Values("state")
			for range launches {
				for i, x := range p.Values("x") {
					y[i] = float64(float64(float32(1.1))*y[i]) + x/3
				}
			}
			return Answers{"state": {Want: y, Plain: true}}
		},
	}
}

// TestBlameGoesBackOverLaunches: with a state that several launches, or several stages of a
// pipeline, carry on, the lines of all of them make up the whole error, and the inputs are those in
// front of the first.
func TestBlameGoesBackOverLaunches(t *testing.T) {
	const steps, element = 3, 2
	inLaunches := Cases([]Family{{Kernels: []Kernel{decayKernel(steps)}}}, Quick)[0]
	one := decayKernel(1)
	inStages := Cases([]Family{{Kernels: []Kernel{one}, Pipelines: []Pipeline{{
		Name: "decays", Axes: one.Axes, Kernels: []string{"decay"}, Buffers: one.Args, Sweep: one.Sweep,
		Run: func(c *PipelineRun) {
			for range steps {
				c.Launch(Step{Kernel: "decay"})
			}
		},
	}}}}, Quick)[1]
	for _, test := range []struct {
		name string
		c    Case
		at   Selector
	}{
		{"launches", inLaunches, Selector{Output: "state", Index: []int{element}}},
		{"stages", inStages, Selector{Stage: "stage 3, decay", Output: "state", Index: []int{element}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := Options{Shaders: foreignShaders(t, decaySource), Exact: exactDevices(), Seed: 1}
			b, err := FindBlame(opts, test.c, test.at, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			run := newCaseRun(test.c, caseOptions{seed: 1})
			if test.c.Pipeline != nil {
				run.Kernel = test.c.Pipeline.asKernel()
			}
			if err := run.FillBuffers(); err != nil {
				t.Fatal(err)
			}
			y, x := run.buffers[0].value(element), run.buffers[1].value(element)
			first, third := y, x/3
			for range steps {
				y = float64(float64(float32(1.1))*y) + third
			}
			error := float64(b.Got) - y
			if !(error != 0 && math.Abs(float64(b.First)-error) <= 1e-4*float64(b.Bound)) {
				t.Errorf("the lines make %.6g of %.6g; bound %.6g", float64(b.First), error, float64(b.Bound))
			}
			grown := math.Pow(float64(float32(1.1)), steps)
			want := map[string]float64{"state": math.Abs(grown * first / y), "x": math.Abs((1 + float64(float32(1.1)) + math.Pow(float64(float32(1.1)), 2)) * third / y)}
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
	cases := Cases([]Family{{Kernels: []Kernel{one}, Pipelines: []Pipeline{{
		Name: "decays", Axes: one.Axes, Kernels: []string{"decay"}, Buffers: one.Args, Sweep: one.Sweep,
		Run: func(c *PipelineRun) { c.Launch(Step{Kernel: "decay"}) },
	}}}}, Quick)
	opts := Options{Shaders: foreignShaders(t, decaySource), Exact: exactDevices(), Seed: 1, Blame: true}
	blamed, seen := map[string]string{}, map[string]bool{}
	err := Run(t.Context(), opts.Exact.Anchored, opts, append(cases, cases...), func(r Result) {
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
