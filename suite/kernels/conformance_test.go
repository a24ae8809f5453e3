package kernels

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/isolated"
	"metalconform/metalrun/metal"
	"metalconform/metalrun/sim"
	"metalconform/suite"
)

// TestSimulator judges our kernels on the simulator, case by case under the
// case's own name: one of each kernel and pipeline, light first probes with all inputs,
// and, but for a short run, the smallest shapes with the first inputs. Under the race
// detector it is one of everything. Whole sweeps are conform run's business.
func TestSimulator(t *testing.T) {
	runner := sim.New(sim.Semantics{Check: true})
	t.Cleanup(func() { runner.Close() })
	conform(t, runner, casesWhere(func(c suite.Case) bool {
		if testing.Short() {
			return isFirst(c) && operations(c) <= few
		}
		return isFirst(c) || !raceDetector && isLight(c) && inTime(c) &&
			(isFirstProbe(c) || hasFirstInput(c) && (!launched(c) || operations(c) <= few/64))
	}))
}

// TestSemantics judges probes of their sweeps under other choices that a device may
// make: the bounds allow each, so no verdict may depend on them. Light first cases
// are judged on every device, a third of the others on one of all, in turns. What an
// adversary makes of a whole sweep, conform run says.
func TestSemantics(t *testing.T) {
	if testing.Short() {
		t.Skip("the reference semantics are enough for a short run")
	}
	devices := []struct {
		name      string
		semantics sim.Semantics
	}{
		{"apple", sim.Apple()},
		{"fused_butterfly", sim.Semantics{Contract: true, SumOrder: sim.SumButterfly}},
		{"flushed_tree", sim.Semantics{FlushSubnormals: true, SumOrder: sim.SumTree}},
		{"adversary", sim.Semantics{Adversary: &sim.Adversary{Choices: -1}}},
	}
	cases := make([][]suite.Case, len(devices))
	turns := 0
	for _, c := range casesWhere(func(c suite.Case) bool {
		return isProbe(c) && launched(c) && (isLight(c) || isFirst(c))
	}) {
		if isFirst(c) && isLight(c) {
			for d := range devices {
				cases[d] = append(cases[d], c)
			}
			continue
		}
		if turns++; turns%3 == 0 {
			cases[turns/3%len(devices)] = append(cases[turns/3%len(devices)], c)
		}
	}
	for i, d := range devices {
		t.Run(d.name, func(t *testing.T) {
			runner := sim.New(d.semantics)
			t.Cleanup(func() { runner.Close() })
			conform(t, runner, cases[i])
		})
	}
}

// TestGPU judges them on the machine's GPU, in a short run one case of each. A machine
// without a GPU skips, unless CONFORM_REQUIRE_GPU=1 says that it has to have one.
func TestGPU(t *testing.T) {
	runner, err := openGPU()
	switch {
	case errors.Is(err, metalrun.ErrNoDevice) && os.Getenv("CONFORM_REQUIRE_GPU") != "1":
		t.Skipf("%v: nothing to run on", err)
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(func() { runner.Close() })
	conform(t, runner, casesWhere(func(c suite.Case) bool { return isFirst(c) || !testing.Short() }))
}

// openGPU opens the GPU in a process of its own, where a kernel that hangs costs its
// case.
func openGPU() (metalrun.Runner, error) {
	if !metal.Supported {
		return metal.New()
	}
	return isolated.New(isolated.DefaultLimits)
}

// conform makes a sub-test of every case. What fails is told once for each kind of failure of
// a kernel, and other cases name the first.
func conform(t *testing.T, runner metalrun.Runner, cases []suite.Case) {
	opts := suite.Options{Shaders: ours(t), Parallel: 1}.Within(cases)
	keeper := &keeper{Runner: runner}
	var told sync.Map // cases by kernel and kind
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			for _, r := range verdicts(t, keeper, opts, c) {
				if r.Status == suite.Skip && r.Backend == "metal" { // a GPU may lack what a case needs
					t.Skip(r.Text())
				}
				if r.Status == suite.Pass {
					continue
				}
				if first, likewise := told.LoadOrStore(r.Kernel+"\n"+r.Kind(), r.Case); likewise {
					t.Errorf("%s as %s: %s", r.Status, first, r.Headline())
				} else {
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
	math       metalrun.Math
}

// Compile compiles a program whose text it has not seen with its arithmetic.
func (k *keeper) Compile(p *metalrun.Program) (metalrun.Library, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	src := p.Source()
	key := kept{src.Name, src.Files[src.Name], p.Options().Math()}
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
