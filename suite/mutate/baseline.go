package mutate

import (
	"context"
	"metalconform/suite"
	"slices"
	"sync"

	"metalconform/metalrun"
)

// baseline is how the original does on a device: what a mutant is held against.
type baseline struct {
	once   sync.Once
	passed []passedCase // in order
	plain  bool         // exact execution judges in any case
}

// passedCase is a case that the original passes.
type passedCase struct {
	suite.Case
	steps int64 // a power of four that the original needs no more than, here and in the cases before
}

// Budgets of steps of one threadgroup.
const (
	leastSteps = 1 << 12
	mostSteps  = 1 << 29 // that of a run
)

// budget is the steps that a mutant may take.
func (c passedCase) budget() int64 { return min(c.steps*StepFactor, mostSteps) }

// baseline judges the original in all its cases on a device, once. The steps are
// those that it needs on the first device.
func (p *Plan) baseline(ctx context.Context, k *mutatedKernel, device int) *baseline {
	b := &k.baselines[device]
	b.once.Do(func() {
		if device > 0 {
			for _, c := range p.Devices[device].cases(p.baseline(ctx, k, 0).passed) {
				if ctx.Err() == nil && p.original(c.Case, c.budget(), device).Status == suite.Pass {
					b.passed = append(b.passed, c)
				}
			}
			return
		}
		steps := int64(leastSteps)
		for _, c := range k.cases {
			if ctx.Err() != nil {
				return
			}
			r := p.original(c, steps, device)
			for r.ranAway && steps < mostSteps {
				steps = min(4*steps, mostSteps)
				r = p.original(c, steps, device)
			}
			if r.Status == suite.Pass {
				b.passed, b.plain = append(b.passed, passedCase{c, steps}), b.plain || r.plain
			}
		}
	})
	return b
}

// original judges the original in one case, which it passes on the first device if another makes no
// other choices.
func (p *Plan) original(c suite.Case, steps int64, device int) judgement {
	prepared, r := p.prepare(c, p.runner(steps, device), device)
	if prepared == nil || p.Devices[device].Adverse && !suite.Deviates(prepared.Entry()) {
		return judgement{Result: r}
	}
	return prepared.run(nil, p.Rule)
}

// cases are those that judge on the device.
func (d Device) cases(list []passedCase) []passedCase {
	if !d.Shapes {
		return list
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(list), func(c passedCase) bool {
		shape := c.Kernel.Point(c.Shape)
		again := seen[shape]
		seen[shape] = true
		return again
	})
}

// runner is a device with a step budget, one for all who ask: what it has
// translated it keeps.
func (p *Plan) runner(steps int64, device int) metalrun.Runner {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := runnerKey{steps, device}
	if p.runners[key] == nil {
		p.runners[key] = p.Devices[device].Open(steps)
	}
	return p.runners[key]
}

type runnerKey struct {
	steps  int64
	device int
}

// Close closes the plan's simulators.
func (p *Plan) Close() {
	for _, r := range p.runners {
		r.Close()
	}
}
