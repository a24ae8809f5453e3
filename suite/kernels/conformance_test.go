package kernels

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/metal"
	"metalconform/metalrun/sim"
	"metalconform/shaders"
	"metalconform/suite"
)

// TestSimulator judges our kernels on the simulator, case by case under the
// case's own name. A short run has every shape, but tries the families of
// inputs on the first probe only; a short run under the race detector has only
// the first probe with its first inputs.
func TestSimulator(t *testing.T) {
	runner := sim.New(sim.Semantics{Check: true})
	t.Cleanup(func() { runner.Close() })
	families := All()
	if testing.Short() {
		for _, f := range families {
			for i := range f.Kernels {
				shorten(&f.Kernels[i].Sweep)
			}
			for i := range f.Pipelines {
				shorten(&f.Pipelines[i].Sweep)
			}
		}
	}
	conform(t, runner, suite.Cases(families, suite.Quick))
}

func shorten(s *suite.Sweep) {
	if len(s.Probes) == 0 {
		return
	}
	first, others := s.Probes[:1], s.Probes[1:]
	if raceDetector {
		s.Shapes, s.Probes, s.Refused = first, nil, nil
		return
	}
	s.Shapes, s.Probes = append(slices.Clone(s.Shapes), others...), first
}

// TestSemantics judges the probes of their sweeps under other choices that a
// device may make: the bounds allow each, so no verdict may depend on them.
func TestSemantics(t *testing.T) {
	if testing.Short() {
		t.Skip("the reference semantics are enough for a short run")
	}
	families := All()
	for _, f := range families {
		for i := range f.Kernels {
			f.Kernels[i].Sweep.Shapes = nil
		}
		for i := range f.Pipelines {
			f.Pipelines[i].Sweep.Shapes = nil
		}
	}
	cases := suite.Cases(families, suite.Quick)
	devices := map[string]sim.Semantics{
		"apple":           sim.Apple(),
		"fused_butterfly": {Contract: true, SumOrder: sim.SumButterfly},
		"flushed_tree":    {FlushSubnormals: true, SumOrder: sim.SumTree},
	}
	for seed := range uint64(4) {
		devices[fmt.Sprintf("adversary_%d", seed)] = sim.Semantics{Adversary: &sim.Adversary{Seed: seed, Choices: -1}}
	}
	for name, s := range devices {
		t.Run(name, func(t *testing.T) {
			runner := sim.New(s)
			t.Cleanup(func() { runner.Close() })
			conform(t, runner, cases)
		})
	}
}

// TestGPU judges them on the machine's GPU. A machine without one skips, unless
// CONFORM_REQUIRE_GPU=1 says that it has to have one.
func TestGPU(t *testing.T) {
	runner, err := metal.New()
	switch {
	case errors.Is(err, metalrun.ErrNoDevice) && os.Getenv("CONFORM_REQUIRE_GPU") != "1":
		t.Skipf("%v: nothing to run on", err)
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(func() { runner.Close() })
	conform(t, runner, suite.Cases(All(), suite.Quick))
}

// conform makes a sub-test of every case.
func conform(t *testing.T, runner metalrun.Runner, cases []suite.Case) {
	opts := suite.Options{Shaders: ours(t), Parallel: 1}
	keeper := &keeper{Runner: runner}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			for _, r := range verdicts(t, keeper, opts, c) {
				if r.Status != suite.Pass {
					t.Errorf("%s: %s\n%s", r.Status, r.Text(), r.Replay)
				}
			}
		})
	}
}

// ours are the shaders of this repository.
func ours(t testing.TB) *suite.Shaders {
	t.Helper()
	s, err := suite.OpenShaders(shaders.FS, metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// verdicts are the results of cases.
func verdicts(t testing.TB, runner metalrun.Runner, opts suite.Options, cases ...suite.Case) []suite.Result {
	t.Helper()
	var results []suite.Result
	err := suite.Run(context.Background(), runner, opts, cases, func(r suite.Result) { results = append(results, r) })
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// keeper is a runner that translates each source once and keeps it, so that
// every case can be a run of its own.
type keeper struct {
	metalrun.Runner
	mu        sync.Mutex
	libraries map[kept]metalrun.Library
}

type kept struct {
	name, text string
	fast       bool
}

// Compile compiles a program whose text it has not seen.
func (k *keeper) Compile(p *metalrun.Program) (metalrun.Library, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	src := p.Source()
	key := kept{src.Name, src.Files[src.Name], p.Options().FastFunctions}
	if l, ok := k.libraries[key]; ok {
		return l, nil
	}
	l, err := k.Runner.Compile(p)
	if err != nil {
		return nil, err
	}
	if k.libraries == nil {
		k.libraries = map[kept]metalrun.Library{}
	}
	k.libraries[key] = unreleased{l}
	return k.libraries[key], nil
}

// unreleased is a library that lives as long as its runner.
type unreleased struct{ metalrun.Library }

func (unreleased) Release() {}
