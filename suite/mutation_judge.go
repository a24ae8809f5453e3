package suite

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"metalconform/metalrun"
)

// baseline is how the original does on a device: what a mutant is held against.
type baseline struct {
	once   sync.Once
	passed []Case // that the original passes, in order
	steps  int64  // a power of two that it needs no more than in any of them
}

// Budgets of steps of one threadgroup.
const (
	leastSteps = 1 << 12
	mostSteps  = 1 << 29 // that of a run
)

// budget is the steps that a mutant may take.
func (b *baseline) budget() int64 { return min(b.steps*StepFactor, mostSteps) }

// baseline judges the original in all its cases on a device, once. The steps are
// those that it needs on the first device.
func (p *MutationPlan) baseline(ctx context.Context, k *mutatedKernel, device int) *baseline {
	b := &k.baselines[device]
	b.once.Do(func() {
		if device > 0 {
			first := p.baseline(ctx, k, 0)
			b.steps = first.steps
			for _, c := range p.Devices[device].cases(first.passed) {
				if ctx.Err() == nil && p.original(c, b.budget(), device).Status == Pass {
					b.passed = append(b.passed, c)
				}
			}
			return
		}
		b.steps = leastSteps
		for _, c := range k.cases {
			if ctx.Err() != nil {
				return
			}
			r := p.original(c, b.steps, device)
			for ranAway(r) && b.steps < mostSteps {
				b.steps *= 2
				r = p.original(c, b.steps, device)
			}
			if r.Status == Pass {
				b.passed = append(b.passed, c)
			}
		}
	})
	return b
}

// original judges the original in one case.
func (p *MutationPlan) original(c Case, steps int64, device int) Result {
	prepared, r := prepare(c, p.runner(steps, device), p.Shaders, p.Seed)
	if prepared == nil {
		return r
	}
	return prepared.judge(nil, p.Rule)
}

// cases are those that judge on the device.
func (d Device) cases(list []Case) []Case {
	if !d.Shapes {
		return list
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(list), func(c Case) bool {
		shape := caseName(c.Kernel, c.Shape, "")
		again := seen[shape]
		seen[shape] = true
		return again
	})
}

// runner is a device with a step budget, one for all who ask: what it has
// translated it keeps.
func (p *MutationPlan) runner(steps int64, device int) metalrun.Runner {
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
func (p *MutationPlan) Close() {
	for _, r := range p.runners {
		r.Close()
	}
}

// ranAway reports whether the step budget ended a launch.
func ranAway(r Result) bool {
	return r.Status == Fail && r.Failures[0].Check == CheckFault && strings.Contains(r.Failures[0].Message, "step budget of")
}

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
			c.settle(test, prepared.judge(kernels[c], p.Rule))
			if c.Fate == Killed {
				c.Device = p.Devices[device].Name
			}
			return c.Fate != ""
		})
	}
	return alive
}

// judgeChains judges mutants by the chains that launch one of their entry points.
func (p *MutationPlan) judgeChains(ctx context.Context, alive []*candidate) []*candidate {
	if p.Rule != ByVerdict || len(alive) == 0 {
		return alive
	}
	runner := p.runner(mostSteps, 0)
	edited := map[*candidate]*Shaders{}
	for _, test := range p.chains {
		concerned := func(c *candidate) bool {
			return slices.ContainsFunc(c.affected, func(k string) bool { return slices.Contains(test.Chain.Kernels, k) })
		}
		if ctx.Err() != nil || !slices.ContainsFunc(alive, concerned) {
			continue
		}
		run := func(s *Shaders) Result {
			return verdict(Options{Shaders: s, Seed: p.Seed}, test, func(r *Result) {
				runChain(runner, Options{Shaders: s, Seed: p.Seed}, test, r)
			})
		}
		if run(p.Shaders).Status != Pass {
			continue
		}
		alive = slices.DeleteFunc(alive, func(c *candidate) bool {
			if !concerned(c) {
				return false
			}
			if edited[c] == nil {
				edited[c] = p.Shaders.edited(c.source.Source())
			}
			c.settle(test, run(edited[c]))
			if c.Fate == Killed {
				c.Device = p.Devices[0].Name
			}
			return c.Fate != ""
		})
	}
	return alive
}

// settle takes the verdict on one case.
func (c *candidate) settle(test Case, r Result) {
	c.Cases++
	switch r.Status {
	case Pass:
		return
	case Fail:
		c.Fate, c.Check, c.Case = Killed, r.Failures[0].Check, test.Name
		if ranAway(r) {
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

// prepared is a case with its inputs and exact results, ready to judge any number
// of mutants of its kernel.
type prepared struct{ trial }

// prepare computes inputs and exact results. Where there is nothing to judge, it
// returns nil and says why.
func prepare(c Case, runner metalrun.Runner, s *Shaders, seed uint64) (*prepared, Result) {
	p := &prepared{trial{Case: c, runner: runner, seed: seed}}
	r := guarded(c, func(r *Result) {
		if !p.find(s, r) {
			return
		}
		if err := p.allocate(); err != nil {
			r.because(Error, "%v", err)
			return
		}
		problem := p.problem()
		p.answers, p.contract = p.Kernel.Oracle(problem), problem.Contract
	})
	if r.Status != Pass {
		return nil, r
	}
	return p, r
}

// guarded is a result of a case that a panic makes an error.
func guarded(c Case, f func(*Result)) (r Result) {
	r = Result{Case: c.Name, Status: Pass}
	defer func() {
		if p := recover(); p != nil {
			r.because(Error, panicked+"%v", p)
		}
	}()
	f(&r)
	return r
}

// translated is a mutant's entry point.
type translated struct {
	kernel  metalrun.Kernel
	refused *Result  // why there is none, nil otherwise
	shaders *Shaders // for the tables that oracles read from the program
	file    string
}

// translate compiles a mutant's entry point.
func (p *MutationPlan) translate(c *candidate, runner metalrun.Runner, test Case) *translated {
	edited := p.Shaders.edited(c.source.Source())
	t := trial{Case: test, runner: runner, seed: p.Seed}
	r := guarded(test, func(r *Result) { t.find(edited, r) })
	if r.Status != Pass {
		return &translated{refused: &r}
	}
	clear(edited.libraries) // what else the file holds need not be kept
	return &translated{kernel: t.kernel, shaders: edited, file: c.File}
}

// judge launches a mutant, or with nil the original, from the case's inputs and
// compares.
func (p *prepared) judge(k *translated, rule Rule) Result {
	if k != nil && k.refused != nil {
		return *k.refused
	}
	return guarded(p.Case, func(r *Result) {
		t := p.trial
		t.buffers = make([]*buffer, len(p.buffers))
		for i, b := range p.buffers {
			if b != nil {
				copied := *b
				copied.data = bytes.Clone(b.data)
				t.buffers[i] = &copied
			}
		}
		if k != nil && !t.become(k, r) {
			return
		}
		if _, ok := t.run(r); !ok {
			return
		}
		if rule == ByCosine {
			t.alike(r)
			return
		}
		t.compare(r)
	})
}

// become has the trial run a mutant. If it has other tables than the original, the
// oracle is asked anew. It reports false where the case ends here.
func (t *trial) become(k *translated, r *Result) bool {
	t.kernel = k.kernel
	tables, wrong, err := k.shaders.tables(k.file, t.Case.tables())
	switch {
	case err != nil:
		r.because(Error, "%v", err)
	case wrong != nil:
		r.fail([]Failure{{Check: CheckTables, Message: strings.Join(wrong, "; ")}})
	case !maps.EqualFunc(tables, t.tables, slices.Equal):
		t.tables = tables
		t.answers = t.Kernel.Oracle(t.problem())
	}
	return r.Status == Pass
}

// alike judges outputs by their cosines alone.
func (t *trial) alike(r *Result) {
	for _, b := range t.buffers {
		if b == nil || !b.arg.Writable() {
			continue
		}
		want := t.answers[b.arg.Name].Want
		if c := b.cosine(want); !(c >= cosineLimit) {
			r.fail([]Failure{{Check: CheckCosine, Arg: b.arg.Name, Message: fmt.Sprintf("cosine of %s is %.9g", b.arg.Name, c)}})
			return
		}
	}
}

// cosine is that of the elements that the kernel may write with their exact
// values: 1 if all are zero, 0 if those of one side are. Elements whose value is
// the same in not being finite are left out.
func (b *buffer) cosine(want []float64) float64 {
	var gg, gw, ww float64
	skip := b.ranges
	format, float := b.arg.Type.Format()
	for i, w := range want {
		for len(skip) > 0 && i >= skip[0].End {
			skip = skip[1:]
		}
		if len(skip) > 0 && i >= skip[0].First {
			continue
		}
		g := b.value(i)
		if float {
			w = format.Round(w)
		}
		if !isFinite(w) && (g == w || math.IsNaN(g) && math.IsNaN(w)) {
			continue
		}
		gg, gw, ww = gg+float64(g*g), gw+float64(g*w), ww+float64(w*w)
	}
	switch {
	case gg == 0 && ww == 0:
		return 1
	case gg == 0 || ww == 0:
		return 0
	}
	return gw / math.Sqrt(gg) / math.Sqrt(ww)
}
