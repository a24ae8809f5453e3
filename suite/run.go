package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"metalconform/internal/budget"
	"metalconform/internal/crash"
	"metalconform/metalrun"
)

// Run judges cases on a runner and reports each result, in the order of the
// cases whatever the order of their ends. It returns ctx's error if it was
// cancelled, and one that wraps ErrUnusable if the device has become so: then the
// results of a first part of the cases have been reported. After a case in which a kernel does not
// end, its other cases fail without a launch.
//
// The first of them, which another run has judged, it leaves out if the options say so.
//
// Cases of a kernel in a file that does not compile are skipped: that is one failure of
// the file, and [Shaders.Compile] says which there are.
func Run(ctx context.Context, runner metalrun.Runner, opts Options, cases []Case, report func(Result)) error {
	usable, stop := context.WithCancel(ctx)
	defer stop()
	parallel := opts.Parallel
	if parallel <= 0 {
		parallel = runtime.GOMAXPROCS(0)
	}
	opts.runState = opts.begin(cases)
	backend := runner.Device().Backend
	if opts.Exact != nil && opts.Blame != nil {
		cases = firstBlamed(cases)
	}
	hung, all := newHangs(), cases
	over := &overrun{}
	for _, at := range opts.Hung {
		hung.note(at, all[at])
	}
	cases = cases[opts.Judged:]
	results := make([]chan Result, len(cases))
	for i := range results {
		results[i] = make(chan Result, 1)
	}
	run := func(i int) {
		c, begin := cases[i], time.Now()
		r := Result{}
		if why := over.reason(); why != nil {
			r = unafforded(opts, c, why)
		} else if other, ok := hung.before(opts.Judged+i, c); ok {
			r = unlaunched(opts, c, all[other])
		} else if other, ok := hung.exceeds(opts.Judged+i, c); ok {
			r = undefined(opts, c, all[other])
		} else {
			r = survive(opts, c, func() Result { return runCase(runner, opts, c) })
			hung.take(opts.Judged+i, c, r)
		}
		r.Backend, r.CostNS = backend, time.Since(begin).Nanoseconds()
		results[i] <- r
	}
	d := &dispatcher{slots: make(chan struct{}, parallel), memory: newRation(opts.Memory, parallel), rooms: opts.rooms,
		run: run,
		// ctx may be done a moment before what is derived from it
		ended: func() bool { return ctx.Err() != nil || usable.Err() != nil }}
	d.begin(usable, cases, func(i int) { close(results[i]) })
	var unusable error
	firstOf := map[*Kernel]int{}
	for i := len(all) - 1; i >= 0; i-- {
		firstOf[all[i].Kernel] = i
	}
	for i, r := range results {
		result, ok := <-r
		if other, hangs := hung.before(opts.Judged+i, cases[i]); hangs && ok && result.Unusable == nil {
			result = unlaunched(opts, cases[i], all[other])
			result.Backend = backend
		} else if other, exceeds := hung.exceeds(opts.Judged+i, cases[i]); exceeds && ok && result.Unusable == nil {
			result = undefined(opts, cases[i], all[other])
			result.Backend = backend
		}
		if why := over.reason(); why != nil && ok && result.Unusable == nil {
			result = unafforded(opts, cases[i], why)
			result.Backend = backend
		}
		switch {
		case !ok && unusable == nil:
			return ctx.Err()
		case unusable != nil: // what is under way has to end, but says nothing
		case result.Unusable != nil:
			unusable = result.Unusable
			stop()
		default:
			if opts.Shaders != nil && all[firstOf[cases[i].Kernel]].Name == cases[i].Name {
				for _, u := range opts.Shaders.Variant(cases[i].Variant).Untried(cases[i].Kernel) {
					result.note(u.What)
				}
			}
			over.take(opts.Budget, result)
			report(result)
		}
	}
	return unusable
}

// Guarded is a result of a case that a panic makes an error.
func Guarded(c Case, f func(*Result)) (r Result) {
	r = Result{Case: c.Name, Status: Pass}
	defer func() {
		if p := recover(); p != nil {
			r.panicked(p)
			r.Panicked = true // of a mutant, whatever it was
		}
	}()
	f(&r)
	return r
}

// survive is the result of a case, an error if judging it panics.
func survive(opts Options, c Case, run func() Result) (r Result) {
	defer func() {
		if p := recover(); p != nil {
			r = Verdict(opts, c, func(*Result) { panic(p) })
		}
	}()
	return run()
}

// runCase takes one case from its name to its verdict.
func runCase(runner metalrun.Runner, opts Options, c Case) Result {
	result := concluded(opts, c, func(r *Result) {
		before := *r
		Judge(runner, opts, c, r)
		opts.walksOtherwise(runner, c, r)
		opts.honoursInfinities(runner, c, before, r)
	})
	if c.blamed && c.Pipeline != nil && !result.Hung {
		result.Blame = opts.Blame.BlamePipeline(opts, c)
	}
	if opts.Explain != nil && result.Status == Fail {
		result.Explained = opts.Explain(runner, opts, c, result.Failures)
	}
	return result
}

// concluded is the result of a case that is judged, with what is declared of it.
func concluded(opts Options, c Case, run func(*Result)) Result {
	result := Verdict(opts, c, func(r *Result) {
		if opts.Declared.skip(c, r) {
			return
		}
		run(r)
	})
	if result.Uncompiled != "" {
		result.Status = Skip
	}
	result.mayNotCombine(c)
	opts.traceFailure(c, &result)
	switch {
	case result.Status != Pass && result.Status != Fail:
		result.Findings = nil
	case c.Input.Name != refused:
		found := append(opts.forbidden(c), opts.narrowIndex(c)...)
		result.Settle(opts.Strict, append(found, opts.undecided(c, &result)...))
	}
	opts.Declared.Apply(c, &result)
	return result
}

// mayNotCombine leaves a combination of sizes out that the definition cannot take, if nothing says which sizes go
// together: its author has asked for neither.
func (r *Result) mayNotCombine(c Case) {
	foreign := c.Kernel.MostElements > 0 && c.Kernel.Check == nil
	if c.Combined && foreign && r.Status == Error && r.Crash == nil && r.Unusable == nil && !r.Exceeds {
		r.Because(Skip, "these sizes may not go together, which check in a specification would say: %s", r.Reason)
	}
}

// Judge takes a case that is to be launched from its inputs to its verdict on one device. What is
// declared of the case does not count.
func Judge(runner metalrun.Runner, o Options, c Case, r *Result) {
	if c.Pipeline != nil {
		runPipeline(runner, o, c, r)
		return
	}
	choices := o.judging(runner)
	choices.steps, choices.defined = &r.Steps, &r.Defined
	choices.repeat, choices.plain, choices.simulator, choices.forecasting = o.Repeat, o.Plain, o.Simulator, o.Forecast
	choices.metrics, choices.today, choices.reach = o.Metrics, o.Today, o.Reach
	choices.adversaries, choices.lossy, choices.blamer = o.Adversaries, o.Losses, o.Blame
	t := newCaseRun(c, choices)
	switch {
	case !t.BindKernel(o.Shaders, r) || !t.BindBuffers(r):
	case t.forecasts() && t.forecasting.Unjudged:
		t.forecast(r)
	default:
		t.Conduct(r)
	}
}

// Verdict is what a case comes to. A shape that the host refuses is
// not launched. A panic, in an oracle or in a specification, is an error of the
// case and not of the run.
func Verdict(opts Options, c Case, launch func(*Result)) (r Result) {
	r = Result{Case: c.Name, Kernel: c.Kernel.Name, Pipeline: c.Pipeline != nil, Family: c.Family, Seed: opts.Seed,
		Status: Pass}
	if c.Math != (metalrun.Math{}) {
		r.Math = c.Math.String()
	}
	r.Replay = replay(opts, c)
	defer func() {
		if p := recover(); p != nil {
			r.panicked(p)
		}
	}()
	err := c.Kernel.check(c.Whole())
	switch {
	case c.Input.Name != refused && err != nil:
		r.Because(Error, "the host refuses a shape of the sweep: %v", err)
	case c.Input.Name != refused:
		launch(&r)
	case err == nil:
		r.FailBy([]Failure{{Check: CheckRefusal}})
	default:
		opts.Shaders.Variant(c.Variant).present(c, &r)
	}
	return r
}

// panicked ends the case with what a panic says. A mistake in a specification is none of this
// program's.
func (r *Result) panicked(p any) {
	if mistake, known := mistaken(p); known {
		_, r.Exceeds = p.(Excess)
		r.Because(Error, "%s", mistake)
		return
	}
	r.Crash = crash.New(p)
	r.Because(Error, "%v", r.Crash.Value)
	r.Panicked = true
}

// present ends a case that launches nothing, because the host has to refuse its shape, if
// there is no kernel that it could be about.
func (s *Shaders) present(c Case, r *Result) {
	for _, name := range c.Kernels() {
		switch _, _, err := s.Find(name); {
		case errors.Is(err, ErrAbsent):
			r.Because(Skip, "%s", c.of(name, err.Error()))
			return
		case err != nil:
			r.cannot(err)
			return
		}
	}
}

// replay is the command that repeats a case.
func replay(opts Options, c Case) string {
	s := fmt.Sprintf("%s -run '^%s$'", cmp.Or(opts.ReplayCommand, "conform run"), regexp.QuoteMeta(c.Name))
	if opts.Seed != DefaultSeed {
		s += fmt.Sprintf(" -seed %d", opts.Seed)
	}
	if c.Set != Quick {
		s += " -sweep " + c.Set.String()
	}
	if opts.ReplayFlags != "" {
		s += " " + opts.ReplayFlags
	}
	return s
}

// firstBlamed are the cases, with the first of each kernel and pipeline to be blamed.
func firstBlamed(cases []Case) []Case {
	cases, seen := slices.Clone(cases), map[string]bool{}
	for i := range cases {
		if c := &cases[i]; c.Input.Name != refused && !seen[c.Kernel.Name] {
			c.blamed, seen[c.Kernel.Name] = true, true
		}
	}
	return cases
}

// overrun is whether the cases so far took what the budget of a run has. Results are taken in the order of the cases:
// which cases are left out does not depend on how many are judged at once.
type overrun struct {
	why atomic.Pointer[budget.Exceeded]
}

// reason is nil while there is something left.
func (o *overrun) reason() *budget.Exceeded { return o.why.Load() }

// take takes what the case of a result took. That case is judged.
func (o *overrun) take(b *budget.Budget, r Result) {
	err := cmp.Or(b.Take(budget.Definitions, r.Defined), b.Take(budget.Steps, r.Steps))
	if why, over := err.(*budget.Exceeded); over && o.why.Load() == nil {
		o.why.Store(why)
	}
}

// unafforded is the result of a case that the budget leaves nothing for.
func unafforded(opts Options, c Case, why *budget.Exceeded) Result {
	return concluded(opts, c, func(r *Result) { r.Because(Error, "not judged: the cases before it took %v", why) })
}

// walksOtherwise makes a case that fails at the end of a launch none if the kernel writes other elements there than the
// case looks at, or reads others: threads may divide the elements of a launch as they like. Then the same happens at
// the end of a small launch, where no count can be too narrow.
func (o Options) walksOtherwise(runner metalrun.Runner, c Case, r *Result) {
	fails := func(r *Result) bool {
		return r.Status == Fail && slices.ContainsFunc(r.Failures, func(f Failure) bool {
			return f.Check == CheckUnwritten || f.Check == CheckFault || f.Check == CheckUntouched
		})
	}
	if c.end == nil || !fails(r) {
		return
	}
	near, ok := c.nearEnd()
	if !ok {
		return
	}
	again := Guarded(near, func(r *Result) { Judge(runner, o.Alone(), near, r) })
	if !fails(&again) {
		return
	}
	r.Failures, r.Findings, r.Outputs, r.Blame = nil, nil, nil, nil
	r.Because(Skip, "the last threadgroups do not write the last elements alone, of %v too: other cases judge such a "+
		"kernel, and the widths check its indices", near.Whole())
}

// honoursInfinities judges a case again that fails or cannot be judged in fast math, with infinities and NaN honoured,
// if nothing says how the host compiles its kernels. One that then passes has nothing against it but that fast math has
// no infinities. GPUs have them in any build, and many careful kernels begin a maximum with one: it is a note.
func (o Options) honoursInfinities(runner metalrun.Runner, c Case, before Result, r *Result) {
	if !c.unsaid || c.Math.Mode != metalrun.MathFast || r.Status == Pass {
		return
	}
	honoured := before
	Judge(runner, o, c.inMode(metalrun.MathRelaxed), &honoured)
	if r.Status == Skip && r.Unjudged == nil && honoured.Status != Pass {
		return
	}
	i := slices.IndexFunc(r.Notes, func(n string) bool { return strings.HasSuffix(n, sayMath) })
	switch {
	case i >= 0:
		honoured.note(r.Notes[i])
	case r.Status != Skip && honoured.Status == Pass:
		honoured.note(sayMath)
	}
	*r = honoured
}

// inMode is the case in another mode of mathematics, with the same functions.
func (c Case) inMode(mode metalrun.MathMode) Case {
	c.Math.Mode, c.maths = mode, maps.Clone(c.maths)
	for name, m := range c.maths {
		m.Mode = mode
		c.maths[name] = m
	}
	return c
}

// sayMath is what is said of fast math in a kernel of which nothing says that it is compiled so.
const sayMath = "fast math has no infinities and no NaN, and results depend on one; keep it finite, as by a mask of " +
	`-1e30f, or say that the host compiles for safe or relaxed math: math = ["safe"] in conform.toml`
