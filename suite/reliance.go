package suite

import (
	"time"

	"metalconform/metalrun"
)

// traceFailure finds out why a case fails on an adversary, and names the command that
// repeats it there.
func (o Options) traceFailure(c Case, r *Result) {
	a := o.Adversary
	for i := range o.Adversaries {
		if o.Adversaries[i].Number == r.adversary() {
			a = &o.Adversaries[i]
			o.ReplayFlags = a.ReplayFlags
			r.Replay = replay(o, c)
		}
	}
	if a != nil && r.Status == Fail && c.Input.Name != refused {
		r.Relies = o.FindReliance(a, c)
	}
}

// FindReliance runs a case again on devices that take fewer of the choices of its
// kernels against them. A case that passes when none is taken relies on unspecified
// behaviour: on the first choice that makes it fail.
func (o Options) FindReliance(a *Adversary, c Case) *Reliance {
	var kernels []string // of each choice
	var choices []metalrun.Choice
	for _, name := range c.Kernels() {
		for _, choice := range o.choices(a, c, name) {
			kernels, choices = append(kernels, name), append(choices, choice)
		}
	}
	exact := o.Exact // that bounds the errors of a definition without a budget
	o = o.Alone()
	o.Exact = exact
	o.Today = time.Time{}
	fails := func(taken int) bool {
		limits := map[string]int{}
		for _, name := range c.Kernels() {
			limits[name] = 0
		}
		for _, name := range kernels[:taken] {
			limits[name]++
		}
		return Guarded(c, func(r *Result) { Judge(&partial{a, limits}, o, c, r) }).Status == Fail
	}
	first, ok := firstFailing(len(choices), fails)
	if !ok {
		return nil
	}
	return &Reliance{choices[first].Position, choices[first].Subject}
}

// choices are those of a kernel of the case.
func (o Options) choices(a *Adversary, c Case, name string) []metalrun.Choice {
	kernel, math := c.Kernel, c.Math
	if c.Pipeline != nil {
		kernel, math = c.kernels[name], c.maths[name]
	}
	t := newCaseRun(Case{Kernel: kernel, Variant: c.Variant, Math: math}, caseOptions{runner: a.Runner})
	t.Shape = c.Shape // that the build may depend on
	if !t.BindKernel(o.Shaders, &Result{}) {
		return nil
	}
	if chooser, ok := t.kernel.(metalrun.Chooser); ok {
		return chooser.Choices()
	}
	return nil
}

// partial is an adversary that takes only the first so many choices of each kernel.
type partial struct {
	*Adversary
	limits map[string]int // by kernel
}

// Device is that of the adversary.
func (p *partial) Device() metalrun.Device { return p.Runner.Device() }

// Close has nothing to release.
func (p *partial) Close() error { return nil }

// Compile translates a program when one of its kernels is wanted.
func (p *partial) Compile(program *metalrun.Program) (metalrun.Library, error) {
	return partialLibrary{p, program}, nil
}

type partialLibrary struct {
	*partial
	program *metalrun.Program
}

// Kernel is the entry point on the device that takes as many of its choices as it may.
func (l partialLibrary) Kernel(name string) (metalrun.Kernel, error) {
	library, err := l.Taking(l.limits[name]).Compile(l.program)
	if err != nil {
		return nil, err
	}
	return library.Kernel(name)
}

// Release has nothing to free.
func (l partialLibrary) Release() {}

// firstFailing is the smallest i such that fails(i+1) although not fails(i), for
// fails that is false of 0 and true of n. ok is false if it is not so.
func firstFailing(n int, fails func(int) bool) (i int, ok bool) {
	if n == 0 || fails(0) || !fails(n) {
		return 0, false
	}
	low, high := 0, n
	for high-low > 1 {
		if mid := (low + high) / 2; fails(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return low, true
}
