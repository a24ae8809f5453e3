package mutate

import (
	"context"
	"metalconform/suite"
	"slices"

	"metalconform/metalrun"
)

// decideGroup judges mutants of one set of entry points: by their cases, on one
// device after the other, then by pipelines on the first.
func (p *Plan) decideGroup(ctx context.Context, group []*plannedMutant) {
	alive := slices.DeleteFunc(slices.Clone(group), func(c *plannedMutant) bool { return c.Fate != "" })
	for device := range p.Devices {
		for _, name := range group[0].Kernels {
			alive = p.decideByKernel(ctx, p.kernels[name], device, alive)
		}
	}
	alive = p.decideByPipelines(ctx, alive)
	for _, name := range group[0].Kernels {
		alive = p.decideExactly(ctx, p.kernels[name], alive)
	}
	for _, c := range alive {
		c.Fate = Survived
	}
	for _, c := range group {
		c.shaders = nil
	}
}

// decideByKernel judges mutants by the cases of one entry point on a device and
// returns those that are still alive.
func (p *Plan) decideByKernel(ctx context.Context, k *mutatedKernel, device int,
	alive []*plannedMutant) []*plannedMutant {
	concerned := func(c *plannedMutant) bool { return slices.Contains(c.affected, k.name) }
	if !slices.ContainsFunc(alive, concerned) {
		return alive
	}
	b := p.baseline(ctx, k, device)
	kernels := map[mutantBuild]*compiled{}
	for _, test := range b.passed {
		if ctx.Err() != nil || !slices.ContainsFunc(alive, concerned) {
			break
		}
		runner := p.runner(test.budget(), device)
		prepared, _ := p.prepare(test.Case, runner, device)
		if prepared == nil {
			continue
		}
		alive = slices.DeleteFunc(alive, func(c *plannedMutant) bool {
			if !concerned(c) {
				return false
			}
			key := mutantBuild{c, test.Build().Key(), runner}
			if kernels[key] == nil {
				kernels[key] = p.compile(c, runner, test.Case)
			}
			if p.Devices[device].Adverse && kernels[key].Kernel != nil && !suite.Deviates(kernels[key].Kernel) {
				return false
			}
			c.record(test.Case, p.Devices[device], prepared.run(kernels[key], p.Rule))
			return c.Fate != ""
		})
	}
	return alive
}

// mutantBuild is a mutant as a host compiles it for a device.
type mutantBuild struct {
	*plannedMutant
	build  string
	runner metalrun.Runner
}

// decideExactly judges mutants by the cases of one entry point with exact execution. What the original
// does not pass so judges nothing.
func (p *Plan) decideExactly(ctx context.Context, k *mutatedKernel, alive []*plannedMutant) []*plannedMutant {
	if p.Exact == nil || p.Rule != ByVerdict {
		return alive
	}
	run := func(test suite.Case, s *suite.Shaders) suite.Result {
		opts := suite.Options{Shaders: s, Seed: p.Seed, Declared: p.declared(), Exact: p.Exact}
		return suite.Guarded(test, func(r *suite.Result) { suite.Judge(p.runner(mostSteps, 0), opts, test, r) })
	}
	return slices.DeleteFunc(alive, func(c *plannedMutant) bool {
		if !slices.Contains(c.affected, k.name) {
			return false
		}
		b := p.baseline(ctx, k, 0)
		for _, test := range b.passed {
			if ctx.Err() != nil || b.plain {
				return false
			}
			if r := run(test.Case, p.edited(c)); r.Status == suite.Fail &&
				run(test.Case, p.Shaders).Status == suite.Pass {
				c.record(test.Case, Device{Name: "exact"}, judgement{Result: r})
				return true
			}
			c.Cases++
		}
		return false
	})
}

// decideByPipelines judges mutants by the pipelines that launch one of their entry points. The first
// of them has the oracles asked, and stages of the others that start from the same bits are judged
// by those answers.
func (p *Plan) decideByPipelines(ctx context.Context, alive []*plannedMutant) []*plannedMutant {
	if p.Rule != ByVerdict {
		return alive
	}
	for i := range p.pipelines {
		pipeline := &p.pipelines[i]
		concerned := func(c *plannedMutant) bool {
			return slices.ContainsFunc(c.affected,
				func(k string) bool { return slices.Contains(pipeline.Pipeline.Kernels, k) })
		}
		if ctx.Err() != nil || !slices.ContainsFunc(alive, concerned) {
			continue
		}
		pipeline.once.Do(func() { pipeline.passes = p.runPipeline(pipeline.Case, p.Shaders, nil).Status == suite.Pass })
		if !pipeline.passes {
			continue
		}
		known := suite.NewStageAnswers()
		alive = slices.DeleteFunc(alive, func(c *plannedMutant) bool {
			if !concerned(c) {
				return false
			}
			c.record(pipeline.Case, p.Devices[0], judgement{Result: p.runPipeline(pipeline.Case, p.edited(c), known)})
			known.Close()
			return c.Fate != ""
		})
	}
	return alive
}

// runPipeline judges one case of a pipeline with shaders, by exact results that are known.
func (p *Plan) runPipeline(c suite.Case, s *suite.Shaders, known *suite.StageAnswers) suite.Result {
	opts := suite.Options{Shaders: s, Seed: p.Seed, Declared: p.declared()}
	return suite.Guarded(c, func(r *suite.Result) {
		suite.RunPipeline(p.runner(mostSteps, 0), opts, c, known, r)
	})
}

// record enters the judgement on one case.
func (c *plannedMutant) record(test suite.Case, d Device, r judgement) {
	c.Cases++
	switch r.Status {
	case suite.Pass:
		return
	case suite.Fail:
		c.Fate, c.Check, c.Device, c.Case = Killed, r.Failures[0].Check, d.Name, test.Name
		if r.ranAway {
			c.Check = suite.CheckRunaway
		}
		c.Failure = &r.Failures[0]
	default:
		c.Fate, c.Case, c.Reason = Invalid, test.Name, r.Text()
		if r.Panicked {
			c.Fate, c.Crash = Broken, r.Crash
		}
	}
}

// edited are the shaders with a mutant's text in its file, analysed once for all
// cases and devices that judge the mutant.
func (p *Plan) edited(c *plannedMutant) *suite.Shaders {
	if c.shaders == nil {
		c.shaders = p.Shaders.With(c.source.Source())
	}
	return c.shaders
}
