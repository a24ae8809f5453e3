package conform

import (
	"context"
	"fmt"
	"io/fs"

	"metalconform/metalrun"
	"metalconform/metalrun/metal"
	"metalconform/metalrun/sim"
	"metalconform/suite"
)

// Options are the choices of a run. The zero value is the quick sweep on the simulator.
type Options struct {
	Seed  uint64 // of all inputs; 0 means 1
	Full  bool   // the full sweep
	Metal bool   // on the GPU, and not on the simulator
}

// adversaries are the devices that judge what passes on the simulator: a pair of opposites.
const adversaries = 2

// Judge judges the kernels of a directory.
type Judge struct {
	cases  []suite.Case
	runner metalrun.Runner
	opts   suite.Options
}

// NewJudge opens the .metal files of a directory for kernels. Files that do not compile are errors of
// the kernels in them. It is to be closed.
func NewJudge(shaders fs.FS, kernels []Kernel, o Options) (*Judge, error) {
	j := &Judge{opts: suite.Options{Seed: max(o.Seed, 1)}}
	family := suite.Family{Name: "kernels"}
	for _, k := range kernels {
		made, err := k.kernel()
		if err != nil {
			return nil, err
		}
		family.Kernels = append(family.Kernels, made)
	}
	set := suite.Quick
	if o.Full {
		set = suite.Full
	}
	var err error
	if j.opts.Shaders, err = suite.OpenShaders(shaders, metalrun.Analyse); err != nil {
		return nil, err
	}
	cases := j.opts.Shaders.InModes(suite.Cases([]suite.Family{family}, set), nil, nil, suite.UnsaidMaths()...)
	j.cases = suite.WithConstants(cases, j.opts.Shaders, nil)
	j.opts = j.opts.Within(j.cases)
	j.opts.Losses = true
	j.opts.Exact = suite.NewExact(sim.LiteralPatterns, func(a metalrun.Arithmetic) metalrun.Runner {
		return sim.New(sim.Exactly(a))
	})
	if o.Metal {
		if j.runner, err = metal.New(); err != nil {
			return nil, err
		}
		return j, nil
	}
	j.runner = sim.New(sim.Semantics{Check: true})
	for n := range adversaries {
		taking := func(choices int) metalrun.Runner {
			return sim.New(sim.Semantics{Adversary: &sim.Adversary{Seed: j.opts.Seed, Number: n + 1, Choices: choices}})
		}
		j.opts.Adversaries = append(j.opts.Adversaries,
			suite.Adversary{Number: n + 1, Runner: taking(-1), Taking: taking})
	}
	return j, nil
}

// Cases are the names of what there is to judge: a kernel, a value for each axis, and a family of
// inputs.
func (j *Judge) Cases() []string {
	names := make([]string, len(j.cases))
	for i, c := range j.cases {
		names[i] = c.Name
	}
	return names
}

// Case judges the case called name. Cases may be judged at once. The error is that of a device that can
// judge nothing, or of a name that there is not.
func (j *Judge) Case(ctx context.Context, name string) (Result, error) {
	for _, c := range j.cases {
		if c.Name != name {
			continue
		}
		var result Result
		err := suite.Run(ctx, j.runner, j.opts, []suite.Case{c}, func(r suite.Result) { result = r })
		result.Replay = "" // it is that of the conform command
		return result, err
	}
	return Result{}, fmt.Errorf("no case is called %q", name)
}

// Close frees what has been compiled.
func (j *Judge) Close() error {
	j.opts.Shaders.Release()
	return j.runner.Close()
}
