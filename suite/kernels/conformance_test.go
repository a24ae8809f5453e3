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
	"metalconform/metalrun/isolated"
	"metalconform/metalrun/metal"
	"metalconform/metalrun/sim"
	"metalconform/suite"
)

func TestMain(m *testing.M) {
	isolated.Main(metal.New)
	os.Exit(m.Run())
}

// TestSimulator judges our kernels on the simulator, case by case under the
// case's own name.
func TestSimulator(t *testing.T) {
	runner := sim.New(sim.Semantics{Check: true})
	t.Cleanup(func() { runner.Close() })
	cases := quickCases()
	if testing.Short() {
		cases = casesWhere(shortened)
	}
	conform(t, runner, cases)
}

// TestSemantics judges the probes of their sweeps under other choices that a
// device may make: the bounds allow each, so no verdict may depend on them. Light
// cases are judged on every device that is known and on an adversary, the others on
// one of all, in turns. What an adversary makes of a whole sweep, conform run
// -semantics adversarial says.
func TestSemantics(t *testing.T) {
	if testing.Short() {
		t.Skip("the reference semantics are enough for a short run")
	}
	type device struct {
		name      string
		semantics sim.Semantics
	}
	known := []device{
		{"apple", sim.Apple()},
		{"fused_butterfly", sim.Semantics{Contract: true, SumOrder: sim.SumButterfly}},
		{"flushed_tree", sim.Semantics{FlushSubnormals: true, SumOrder: sim.SumTree}},
	}
	var adversaries []device
	for seed := range uint64(4) {
		s := sim.Semantics{Adversary: &sim.Adversary{Seed: seed, Choices: -1}}
		adversaries = append(adversaries, device{fmt.Sprintf("adversary_%d", seed), s})
	}
	all := slices.Concat(known, adversaries)
	cases := map[string][]suite.Case{} // by device
	light, heavy := 0, 0
	for _, c := range casesWhere(func(c suite.Case) bool { return isProbe(c) && launched(c) }) {
		var on []device
		if isLight(c) {
			on = append(slices.Clone(known), adversaries[light%len(adversaries)])
			light++
		} else {
			on = []device{all[heavy%len(all)]}
			heavy++
		}
		for _, d := range on {
			cases[d.name] = append(cases[d.name], c)
		}
	}
	for _, d := range all {
		t.Run(d.name, func(t *testing.T) {
			runner := sim.New(d.semantics)
			t.Cleanup(func() { runner.Close() })
			conform(t, runner, cases[d.name])
		})
	}
}

// TestGPU judges them on the machine's GPU. A machine without one skips, unless
// CONFORM_REQUIRE_GPU=1 says that it has to have one.
func TestGPU(t *testing.T) {
	open := metal.New
	if metal.Supported { // a kernel that hangs costs its case
		open = func() (metalrun.Runner, error) { return isolated.New(isolated.DefaultLimits) }
	}
	runner, err := open()
	switch {
	case errors.Is(err, metalrun.ErrNoDevice) && os.Getenv("CONFORM_REQUIRE_GPU") != "1":
		t.Skipf("%v: nothing to run on", err)
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(func() { runner.Close() })
	conform(t, runner, quickCases())
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
