package sim_test

import (
	"fmt"
	"runtime"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"

	"github.com/google/go-cmp/cmp"
)

// counted are kernels with what 40 threads of each do, in two simdgroups, counted by hand.
var counted = []struct {
	name, body string
	want       metalrun.Work
}{
	{"straight", "out[i] = in[i] + 1.0f;", metalrun.Work{
		Instructions: 2 * 3, Floating: 40, Device: 40 * 8,
	}},
	// A comparison by all, and a sum by those of the first simdgroup alone.
	{"branch", "if (i < 10) { out[i] = in[i] + 1.0f; }", metalrun.Work{
		Instructions: 2*1 + 1*3, Integer: 40, Floating: 10, Device: 10 * 8,
	}},
	// Thread i goes round i times: a test each time and once more, a product, a step.
	{"loop", "float x = in[i]; for (uint k = 0; k < i; k++) { x *= 3.0f; } out[i] = x;", metalrun.Work{
		Instructions: 2*2 + (32 + 40) + 2*(31+39), Integer: (780 + 40) + 780, Floating: 780, Device: 40 * 8,
	}},
	{"shared", "threadgroup float s[40]; s[i] = in[i]; threadgroup_barrier(mem_flags::mem_threadgroup); out[i] = " +
		"s[39 - i];", metalrun.Work{
		Instructions: 2 * 6, Integer: 40, Device: 40 * 8, Shared: 40 * 8, Barriers: 2,
	}},
	{"functions", "out[i] = simd_sum(exp(in[i]) / 3.0f);", metalrun.Work{
		Instructions: 2 * 5, Functions: 80, Simdgroup: 40, Device: 40 * 8,
	}},
}

func TestWork(t *testing.T) {
	for _, test := range counted {
		t.Run(test.name, func(t *testing.T) {
			source := metalrun.SourceText("work.metal", "#include <metal_stdlib>\nusing namespace metal;\n"+
				"kernel void work(device const float *in [[buffer(0)]], device float *out [[buffer(1)]], uint i "+
				"[[thread_position_in_threadgroup]])\n{ "+test.body+" }\n")
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
			for _, s := range []sim.Semantics{{}, {Check: true}, {Schedule: 3}, {Portable: true}, sim.Apple(),
				{Adversary: &sim.Adversary{Seed: 1, Number: 1, Choices: -1}}} {
				runtime.GOMAXPROCS(1 + runtime.GOMAXPROCS(0)%2)
				d := metalrun.Dispatch{
					Threadgroups:          metalrun.Size{X: 3, Y: 1, Z: 1},
					ThreadsPerThreadgroup: metalrun.Size{X: 40, Y: 1, Z: 1},
					Bindings: []metalrun.Binding{{Index: 0, Data: make([]byte, 160), Length: 160},
						{Index: 1, Data: make([]byte, 160), Length: 160}},
				}
				if s.Check {
					s.SameValue = true // all threadgroups write the same
				}
				if o, err := kernel(t, sim.New(s), source, "work").Run(d); err != nil || o.Work != nil {
					t.Errorf("%s: not asked for: %v, %v", s, o.Work, err)
				}
				s.Count = true
				o, err := kernel(t, sim.New(s), source, "work").Run(d)
				if err != nil {
					t.Fatal(err)
				}
				var want metalrun.Work
				for range 3 {
					want.Add(test.want)
				}
				want.Launches = 1
				if diff := cmp.Diff(&want, o.Work); diff != "" {
					t.Errorf("%+v (-want +got):\n%s", s, diff)
				}
			}
		})
	}
}

// TestCountingChangesNothing checks every program with its work counted and without: they
// write and find the same.
func TestCountingChangesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("TestWork counts a few kernels")
	}
	forPrograms(t, func(t *testing.T, path string) {
		var found [2][]metalrun.Finding
		var fault [2]error
		for i := range found {
			p, err := parseProgram(path)
			if err != nil {
				t.Fatal(err)
			}
			p.semantics.Check, p.semantics.Count = !p.semantics.Exact, i == 1
			outcomes, err := p.run()
			if fault[i] = err; err == nil {
				p.checkWants(t)
			}
			for _, o := range outcomes {
				found[i] = append(found[i], o.Findings...)
				if counted := o.Work != nil && o.Work.Launches > 0; counted != p.semantics.Count {
					t.Errorf("counted: %+v", o.Work)
				}
			}
		}
		if diff := cmp.Diff(found[0], found[1]); diff != "" {
			t.Errorf("findings (-uncounted +counted):\n%s", diff)
		}
		if fmt.Sprint(fault[0]) != fmt.Sprint(fault[1]) {
			t.Errorf("fault %v, and counted %v", fault[0], fault[1])
		}
	})
}
