package mutate

import (
	"errors"
	"metalconform/suite"

	"metalconform/metalrun"
)

// mutationCase is a case with its inputs and exact results, ready to judge any number
// of mutants of its kernel on a device.
type mutationCase struct {
	*suite.CaseRun
	kept   *preparedCase
	device int
}

// declared are the declarations that count.
func (p *Plan) declared() *suite.Declarations {
	if p.Declared == nil {
		return nil
	}
	return &suite.Declarations{Tables: p.Declared.Tables}
}

// compiled is a mutant's entry point.
type compiled struct {
	suite.EntryPoint
	refused *suite.Result // why there is none, nil otherwise
}

// compile makes a kernel of a mutant's entry point.
func (p *Plan) compile(c *plannedMutant, runner metalrun.Runner, test suite.Case) *compiled {
	edited := p.edited(c)
	t := suite.NewCaseRun(runner, suite.Options{Seed: p.Seed, Declared: p.declared()}, test)
	r := suite.Guarded(test, func(r *suite.Result) { t.BindKernel(edited, r) })
	if r.Status != suite.Pass {
		return &compiled{refused: &r}
	}
	edited.ForgetLibraries(c.File) // nobody asks this device for another kernel
	_, info, _ := edited.Find(test.Kernel.Name)
	return &compiled{EntryPoint: suite.EntryPoint{Kernel: t.Entry(), Shaders: edited, File: c.File, Info: info}}
}

// judgement is a result of a mutant.
type judgement struct {
	suite.Result
	ranAway bool // the step budget ended a launch
	plain   bool // answers have no budget: exact execution has judged already
}

// run launches a mutant, or with nil the original, from the case's inputs and
// compares.
func (p *mutationCase) run(k *compiled, rule Rule) judgement {
	if k != nil && k.refused != nil {
		return judgement{Result: *k.refused}
	}
	launched := &monitoredKernel{roomy: rule == ByCosineOnGPU}
	plain := p.Answers().Plain()
	r := suite.Guarded(p.Case, func(r *suite.Result) {
		t := p.Fork()
		if k != nil && !t.Rebind(k.EntryPoint, r) {
			return
		}
		if rule == ByCosineOnGPU {
			t.Blank()
		}
		var before suite.Contents
		if plain && rule == ByVerdict {
			before = t.Contents()
		}
		launched.Kernel = t.Entry()
		t.Substitute(launched)
		_, ok := t.Run(r)
		switch {
		case ok && rule == ByVerdict:
			if before != nil {
				t.AskExactly(before)
			}
			if plain || !p.passes(t, r) {
				t.Compare(r)
			}
			r.Settle(true, nil)
		case ok:
			compareCosines(t, r)
		case r.Status == suite.Fail && rule == ByCosineOnGPU && !launched.exhausted:
			*r = suite.Result{Case: r.Case, Status: suite.Pass}
		}
	})
	return judgement{Result: r, ranAway: launched.exhausted, plain: plain}
}

// passes judges a run as one that adversaries are held against, which measures nothing, and
// reports whether it passes.
func (p *mutationCase) passes(t *suite.CaseRun, r *suite.Result) bool {
	own, passed := *r, p.passed()
	if !t.CompareBeside(passed, &own) || own.Status != suite.Pass {
		return false
	}
	*r = own
	if passed == nil {
		p.keep(t)
	}
	return true
}

// monitoredKernel remembers how its last launch ended.
type monitoredKernel struct {
	metalrun.Kernel
	roomy     bool // what lies after a buffer, or a window of it, may be accessed
	exhausted bool // by a step budget
}

// Run launches the kernel.
func (k *monitoredKernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	if k.roomy {
		for i := range d.Bindings {
			if b := &d.Bindings[i]; !b.Inline {
				b.Length = len(b.Data) - b.Offset
			}
		}
	}
	outcome, err := k.Kernel.Run(d)
	var fault *metalrun.Fault
	k.exhausted = errors.As(err, &fault) && fault.Hangs()
	return outcome, err
}

// compareCosines judges outputs by their cosines alone.
func compareCosines(t *suite.CaseRun, r *suite.Result) {
	if arg, c, ok := t.BelowCosine(cosineLimit); ok {
		r.FailBy([]suite.Failure{{Check: suite.CheckCosine, Arg: arg, Cosine: new(suite.Value(c))}})
	}
}
