package explain

import (
	"fmt"
	"metalconform/suite"
	"slices"

	"metalconform/metalrun"
)

// Explanation is the verdict on one case, without the figures of its outputs, and
// the account of one of their elements. Infinite figures are written as the largest
// float64.
type Explanation struct {
	suite.Result
	Adversary int `json:"adversary,omitempty"` // that it is explained on; 0: the device of the run

	Doc string `json:"doc"`

	suite.Background
}

// Explain runs a case once and gives the account of one element: the one that at
// names, or the worst of the output that it names, or of all. The worst is
// the one with the largest error as a fraction of its bound; of a case that fails, the
// worst of the check that failed first. What conforms on the device of the run is
// explained on the first adversary on which it does not.
func Explain(runner metalrun.Runner, opts suite.Options, c suite.Case, at suite.Selector) (Explanation, error) {
	e, err := explain(runner, opts, c, at)
	for i := range opts.Adversaries {
		if err != nil || !e.Conforms(at) {
			break
		}
		a, alone := &opts.Adversaries[i], opts.Alone()
		alone.ReplayFlags, alone.Exact = a.ReplayFlags, opts.Exact
		other, failed := explain(a.Runner, alone, c, at)
		if failed != nil || other.Conforms(at) {
			continue
		}
		for i := range other.Failures {
			other.Failures[i].Adversary = a.Number
		}
		other.Adversary, other.Relies = a.Number, opts.FindReliance(a, c)
		return other, nil
	}
	return e, err
}

// BackgroundOf is the background of the element that the first failure of a case about one names. It
// comes from a run of its own; nil where there is none.
func BackgroundOf(runner metalrun.Runner, o suite.Options, c suite.Case, failures []suite.Failure) *suite.Background {
	i := slices.IndexFunc(failures, func(f suite.Failure) bool { return f.Index != nil && f.Adversary == 0 })
	if i < 0 {
		i = slices.IndexFunc(failures, func(f suite.Failure) bool { return f.Index != nil })
	}
	if i < 0 {
		return nil
	}
	f := failures[i]
	e, err := Explain(runner, o, c, suite.Selector{Stage: f.Stage, Output: f.Arg, Index: f.Index})
	if err != nil || e.Element == nil {
		return nil
	}
	return &e.Background
}

// Conforms reports whether what was asked about does: the element that is named, or else
// the case.
func (e Explanation) Conforms(at suite.Selector) bool {
	return e.Element != nil && e.Element.Conforms && (at.Index != nil || e.Status == suite.Pass)
}

// explain is Explain on one device.
func explain(runner metalrun.Runner, opts suite.Options, c suite.Case, at suite.Selector) (Explanation, error) {
	e := newExplanation(runner, opts, c)
	e.Contract = c.Kernel.Promise()
	switch {
	case c.Refused():
		return e, fmt.Errorf("%s is a shape that a host has to refuse: nothing is launched", c.Name)
	case c.Pipeline != nil:
		return explainPipeline(runner, opts, c, at)
	case at.Stage != "":
		return e, fmt.Errorf("%s is a kernel, and no pipeline that has a stage %q", c.Kernel.Name, at.Stage)
	}
	at, err := at.Resolve(c)
	if err != nil {
		return e, err
	}
	once := opts
	once.Repeat = 0
	t := suite.NewCaseRun(runner, once, c)
	r := suite.Verdict(opts, c, func(r *suite.Result) {
		if !t.BindKernel(opts.Shaders, r) {
			return
		}
		if err := t.FillBuffers(); err != nil {
			r.Because(suite.Error, "%v", err)
			return
		}
		e.Scalars, e.Inputs = t.NamedScalars(), t.Summaries()
		t.Conduct(r)
	})
	opts.Declared.Apply(c, &r)
	e.conclude(r)
	if t.Answers() != nil && e.Contract != "" {
		e.Contract = t.Contract().String()
	}
	if len(r.Outputs) == 0 {
		return e, nil
	}
	account, err := t.Account(at.Locate(c, r))
	if err != nil {
		return e, err
	}
	// An argument that the kernel writes no longer holds what the element was made
	// from: draw the inputs again.
	before, err := t.AtStart(c)
	if err != nil {
		return e, err
	}
	account.Reads = before.Reads(account.Output, account.Index)
	account.Sums = before.Sums(account.Output, account.Number)
	e.Element = &account
	return e, nil
}

// newExplanation is the explanation of a case that has not been run.
func newExplanation(runner metalrun.Runner, opts suite.Options, c suite.Case) Explanation {
	return Explanation{Result: suite.Result{Case: c.Name, Kernel: c.Kernel.Name, Backend: runner.Device().Backend,
		Seed: opts.Seed}, Doc: c.Kernel.Doc}
}

// conclude takes over the verdict.
func (e *Explanation) conclude(r suite.Result) {
	r.Backend, r.Outputs = e.Backend, nil
	e.Result = r
}
