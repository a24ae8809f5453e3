package forecast_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"

	"metalconform/fixtures/metalsci"
	"metalconform/metalrun"
	"metalconform/metalrun/forecast"
	"metalconform/metalrun/sim"
)

var update = flag.Bool("update", false, "write m1pro.json: the fit to all times")

// BenchmarkMeasured forecasts the kernels of vicgalle/metal-sci-kernels whose times on an
// M1 Pro were recorded, each task by a fit to the others, and prints how good that was, and how
// good it could be: times of one kernel differ by up to 2.3 times from one search to the next,
// because a GPU that was idle takes its time to raise its clock. It needs these sources:
// CONFORM_METALSCI names a checkout.
func BenchmarkMeasured(b *testing.B) {
	dir, err := metalsci.Checkout()
	if err != nil {
		b.Skip(err)
	}
	list, err := observe(dir)
	if err != nil {
		b.Fatal(err)
	}
	m1pro, err := forecast.Row("m1pro")
	if err != nil {
		b.Fatal(err)
	}
	for range b.N {
		left, err := forecast.LeaveOut(m1pro, list)
		if err != nil {
			b.Fatal(err)
		}
		scores := forecast.Scores(left)
		if err := errors.Join(forecast.WriteScores(os.Stdout, [3]string{"task", "size", "kernels"}, scores),
			writeCeilings(os.Stdout, dir, left, scores)); err != nil {
			b.Fatal(err)
		}
	}
	if *update {
		m, err := forecast.Fit(m1pro, list)
		if err != nil {
			b.Fatal(err)
		}
		data, err := m.Encode("times of kernels of vicgalle/metal-sci-kernels (saxpy, heat2d, nbody, fft3d, "+
			"gradshaf, adi3d) on an M1 Pro: "+
			"go test ./metalrun/forecast -run '^$' -bench Measured -benchtime 1x -update", len(list))
		if err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile("m1pro.json", data, 0o644); err != nil {
			b.Fatal(err)
		}
	}
}

// errEnough ends a sequence whose entry points have all been launched once.
var errEnough = errors.New("enough")

// observe profiles every kernel that was right on the GPU.
func observe(dir string) ([]forecast.Observation, error) {
	kernels, err := metalsci.Kernels(dir)
	if err != nil {
		return nil, err
	}
	runner := sim.New(sim.Semantics{Profile: true})
	defer runner.Close()
	results := make([][]forecast.Observation, len(kernels))
	errs := make([]error, len(kernels))
	var group sync.WaitGroup
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, k := range kernels {
		group.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			results[i], errs[i] = profiles(runner, k)
		})
	}
	group.Wait()
	return slices.Concat(results...), errors.Join(errs...)
}

func profiles(runner metalrun.Runner, k metalsci.Kernel) (list []forecast.Observation, err error) {
	if !k.Correct() {
		return nil, nil
	}
	p, err := k.Prepare(runner, metalrun.CompileOptions{MathMode: metalrun.MathFast, FastFunctions: true})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.Name, err)
	}
	defer p.Release()
	for _, ran := range k.Ran {
		entries := 0
		problem := k.Task.Problem(ran.Size)
		seen := map[string]bool{}
		for _, l := range problem.Launches {
			seen[l.Entry] = true
		}
		o := forecast.Observation{Task: k.Task.Name, Size: ran.Size.Label, Kernel: k.Name, Seconds: ran.Seconds}
		_, err := p.Run(ran.Size,
			func(i int, l metalsci.Launch, _ metalrun.Kernel, _ metalrun.Dispatch, out metalrun.Outcome) error {
				o.Launches = append(o.Launches, forecast.NewLaunch(out.Profile, len(problem.Launches)/len(seen)))
				o.Simulated += out.Duration.Seconds() * float64(len(problem.Launches)/len(seen))
				if entries++; entries == len(seen) {
					return errEnough
				}
				return nil
			})
		if err != nil && !errors.Is(err, errEnough) {
			return nil, fmt.Errorf("%s at %s: %w", k.Name, ran.Size.Label, err)
		}
		list = append(list, o)
	}
	return list, nil
}
