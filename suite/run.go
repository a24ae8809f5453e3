package suite

import (
	"context"
	"fmt"
	"regexp"
	"runtime"

	"metalconform/metalrun"
)

// Run judges cases on a runner and reports each result, in the order of the
// cases whatever the order of their ends. It returns ctx's error if it was
// cancelled, and one that wraps ErrUnusable if the device has become so: then the
// results of a first part of the cases have been reported.
func Run(ctx context.Context, runner metalrun.Runner, opts Options, cases []Case, report func(Result)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	parallel := opts.Parallel
	if parallel <= 0 {
		parallel = runtime.GOMAXPROCS(0)
	}
	memory := newBudget(opts.Memory)
	backend := runner.Device().Backend
	results := make([]chan Result, len(cases))
	for i := range results {
		results[i] = make(chan Result, 1)
	}
	go func() {
		slots := make(chan struct{}, parallel)
		for i, c := range cases {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
			}
			if ctx.Err() != nil {
				for _, r := range results[i:] {
					close(r)
				}
				return
			}
			size := memory.acquire(c.bytes())
			go func() {
				r := runCase(runner, opts, c)
				r.Backend = backend
				results[i] <- r
				memory.release(size)
				<-slots
			}()
		}
	}()
	var unusable error
	for _, r := range results {
		result, ok := <-r
		switch {
		case !ok && unusable == nil:
			return ctx.Err()
		case unusable != nil: // what is under way has to end, but says nothing
		case result.Unusable != nil:
			unusable = result.Unusable
			stop()
		default:
			report(result)
		}
	}
	return unusable
}

// runCase takes one case from its name to its verdict.
func runCase(runner metalrun.Runner, opts Options, c Case) Result {
	result := verdict(opts, c, func(r *Result) {
		if opts.Declared.skip(c, r) {
			return
		}
		if c.Pipeline != nil {
			runPipeline(runner, opts, c, r)
			return
		}
		t := &caseRun{Case: c, runner: runner, seed: opts.Seed, repeat: opts.Repeat, plain: opts.Plain, metrics: opts.Metrics, declared: opts.Declared, today: opts.Today}
		if t.find(opts.Shaders, r) {
			t.judge(r)
		}
		if opts.Adversary != nil && r.Status == Fail && t.kernel != nil {
			t.findReliance(opts, r)
		}
	})
	opts.Declared.apply(c, &result)
	return result
}

// verdict is what a case comes to. A shape that the host refuses is
// not launched. A panic, in an oracle or in a specification, is an error of the
// case and not of the run.
func verdict(opts Options, c Case, launch func(*Result)) (r Result) {
	r = Result{Case: c.Name, Kernel: c.Kernel.Name, Pipeline: c.Pipeline != nil, Family: c.Family, Seed: opts.Seed, Status: Pass}
	r.Replay = replay(opts, c)
	defer func() {
		if p := recover(); p != nil {
			r.because(Error, "%v", p)
			r.Panicked = true
		}
	}()
	err := c.Kernel.check(c.Shape)
	switch {
	case c.Input.Name != refused && err != nil:
		r.because(Error, "the host refuses a shape of the sweep: %v", err)
	case c.Input.Name != refused:
		launch(&r)
	case err == nil:
		r.fail([]Failure{{Check: CheckRefusal}})
	}
	return r
}

// check is the host's validation.
func (k *Kernel) check(s Shape) error {
	if k.Check == nil {
		return nil
	}
	return k.Check(s)
}

// replay is the command that repeats a case.
func replay(opts Options, c Case) string {
	s := fmt.Sprintf("conform run -run '^%s$' -seed %d", regexp.QuoteMeta(c.Name), opts.Seed)
	if c.Set != Quick {
		s += " -sweep " + c.Set.String()
	}
	if opts.ReplayFlags != "" {
		s += " " + opts.ReplayFlags
	}
	return s
}
