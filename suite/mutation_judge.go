package suite

import (
	"context"
	"maps"
	"slices"
	"strings"

	"metalconform/metalrun"
)

// judgeShard judges mutants of one set of entry points: by their cases, on one
// device after the other, then by chains on the first.
func (p *MutationPlan) judgeShard(ctx context.Context, shard []*candidate) {
	alive := slices.DeleteFunc(slices.Clone(shard), func(c *candidate) bool { return c.Fate != "" })
	for device := range p.Devices {
		for _, name := range shard[0].Kernels {
			alive = p.judgeKernel(ctx, p.kernels[name], device, alive)
		}
	}
	alive = p.judgeChains(ctx, alive)
	for _, c := range alive {
		c.Fate = Survived
	}
}

// judgeKernel judges mutants by the cases of one entry point on a device and
// returns those that are still alive.
func (p *MutationPlan) judgeKernel(ctx context.Context, k *mutatedKernel, device int, alive []*candidate) []*candidate {
	concerned := func(c *candidate) bool { return slices.Contains(c.affected, k.name) }
	if !slices.ContainsFunc(alive, concerned) {
		return alive
	}
	b := p.baseline(ctx, k, device)
	runner := p.runner(b.budget(), device)
	kernels := map[*candidate]*translated{}
	for _, test := range b.passed {
		if ctx.Err() != nil || !slices.ContainsFunc(alive, concerned) {
			break
		}
		prepared, _ := prepare(test, runner, p.Shaders, p.Seed)
		if prepared == nil {
			continue
		}
		alive = slices.DeleteFunc(alive, func(c *candidate) bool {
			if !concerned(c) {
				return false
			}
			if kernels[c] == nil {
				kernels[c] = p.translate(c, runner, test)
			}
			c.settle(test, p.Devices[device], prepared.judge(kernels[c], p.Rule))
			return c.Fate != ""
		})
	}
	return alive
}

// judgeChains judges mutants by the chains that launch one of their entry points.
func (p *MutationPlan) judgeChains(ctx context.Context, alive []*candidate) []*candidate {
	if p.Rule != ByVerdict {
		return alive
	}
	edited := map[*candidate]*Shaders{}
	for i := range p.chains {
		chain := &p.chains[i]
		concerned := func(c *candidate) bool {
			return slices.ContainsFunc(c.affected, func(k string) bool { return slices.Contains(chain.Chain.Kernels, k) })
		}
		if ctx.Err() != nil || !slices.ContainsFunc(alive, concerned) {
			continue
		}
		chain.once.Do(func() { chain.passes = p.runChain(chain.Case, p.Shaders).Status == Pass })
		if !chain.passes {
			continue
		}
		alive = slices.DeleteFunc(alive, func(c *candidate) bool {
			if !concerned(c) {
				return false
			}
			if edited[c] == nil {
				edited[c] = p.Shaders.edited(c.source.Source())
			}
			c.settle(chain.Case, p.Devices[0], judgement{Result: p.runChain(chain.Case, edited[c])})
			return c.Fate != ""
		})
	}
	return alive
}

// runChain judges one case of a chain with shaders.
func (p *MutationPlan) runChain(c Case, s *Shaders) Result {
	opts := Options{Shaders: s, Seed: p.Seed}
	return guarded(c, func(r *Result) { runChain(p.runner(mostSteps, 0), opts, c, r) })
}

// settle takes the judgement on one case.
func (c *candidate) settle(test Case, d Device, r judgement) {
	c.Cases++
	switch r.Status {
	case Pass:
		return
	case Fail:
		c.Fate, c.Check, c.Device, c.Case = Killed, r.Failures[0].Check, d.Name, test.Name
		if r.ranAway {
			c.Check = CheckRunaway
		}
		c.Message = r.Failures[0].Message
	default:
		c.Fate, c.Case, c.Message = Invalid, test.Name, strings.TrimPrefix(r.Message, test.Name+": ")
		if strings.HasPrefix(c.Message, panicked) {
			c.Fate = Broken
		}
	}
}

// panicked begins the message of a case that ended in a panic.
const panicked = "panic: "

// edited are the shaders with another text in place of one file. Other files are
// translated once for all.
func (s *Shaders) edited(src metalrun.Source) *Shaders {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &Shaders{files: maps.Clone(s.files), units: s.units, libraries: map[libraryKey]*library{}, data: map[string]*constants{}}
	maps.Copy(e.files, src.Files)
	for key, l := range s.libraries {
		if key.file != src.Name {
			e.libraries[key] = l
		}
	}
	return e
}
