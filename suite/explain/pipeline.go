package explain

import (
	"fmt"
	"metalconform/suite"
	"slices"
	"strings"

	"metalconform/metalrun"
)

// explainPipeline runs a case of a pipeline and gives the account of one element of a
// stage or an invariant: the one that at names, or the worst of that stage, or of all.
// A stage is explained by its own kernel's oracle on what it was given, an invariant by
// the answer that it compares a buffer with.
func explainPipeline(runner metalrun.Runner, opts suite.Options, c suite.Case, at suite.Selector) (Explanation, error) {
	w := &stageRecorder{at: at, e: newExplanation(runner, opts, c)}
	if at.Stage == "" && (at.Output != "" || at.Index != nil) {
		return w.e,
			fmt.Errorf("%s is a pipeline: an element of which stage or invariant? Say it as failures do, such as '%s'",
				c.Kernel.Name, suite.Element{Stage: suite.StageName(1, c.Pipeline.Kernels[0]), Arg: at.Output,
					Index: at.Index})
	}
	r := suite.Verdict(opts, c, func(r *suite.Result) {
		suite.ObservePipeline(runner, opts, c, w.see, r)
	})
	opts.Declared.Apply(c, &r)
	w.e.conclude(r)
	switch {
	case w.err != nil:
		return w.e, w.err
	case at.Stage != "" && w.e.Element == nil &&
		(r.Status != suite.Skip && r.Status != suite.Error || slices.Contains(w.passed, at.Stage)):
		return w.e, fmt.Errorf("no element of %q is judged in %s: there is %s", at.Stage, c.Name,
			strings.Join(w.passed, "; "))
	}
	return w.e, nil
}

// stageRecorder observes a run of a pipeline and keeps the account of the element that
// was asked for.
type stageRecorder struct {
	at     suite.Selector
	passed []string // stages and invariants
	fails  bool     // the one that is kept
	ratio  float64  // its error as a fraction of its bound
	e      Explanation
	err    error
}

// asked reports whether a stage or an invariant is the one to keep: the one that is
// named, or else the first that fails, or else the one with the largest error as a
// fraction of its bound.
func (w *stageRecorder) asked(name string, r suite.Result) bool {
	w.passed = append(w.passed, name)
	if w.at.Stage != "" && w.at.Stage != name || w.err != nil || len(r.Outputs) == 0 {
		return false
	}
	fails := len(r.Failures) > 0
	if w.e.Element != nil && (w.fails || !fails && r.ErrorRatio <= w.ratio) {
		return false
	}
	w.fails, w.ratio = fails, r.ErrorRatio
	return true
}

// see keeps a stage or an invariant, if it is the one that is asked for.
func (w *stageRecorder) see(v suite.StageView) {
	if !w.asked(v.Name, v.Result) {
		return
	}
	e := &w.e
	if v.Before == nil {
		e.Stage, e.Contract, e.Scalars, e.Inputs = &suite.Stage{Name: v.Name, Want: v.Want}, "", nil, v.Inputs()
		w.keep(v.Run, v.Result)
		if a := e.Element; a != nil && v.Same != nil {
			v.Same(a)
		}
		return
	}
	e.Stage = &suite.Stage{Name: v.Name, Named: v.Step.Name != "", Kernel: v.Run.Kernel.Name, Doc: v.Run.Kernel.Doc}
	e.Contract, e.Scalars, e.Inputs = v.Run.Contract().String(), v.Run.NamedScalars(), v.Inputs()
	if w.keep(v.Run, v.Result) {
		e.Element.Reads = v.Before.Reads(e.Element.Output, e.Element.Index)
		e.Element.Sums = v.Before.Sums(e.Element.Output, e.Element.Number)
	}
}

// keep takes the account of the element. It reports false where there is none.
func (w *stageRecorder) keep(t *suite.CaseRun, r suite.Result) bool {
	at, err := w.at.Resolve(t.Case)
	if err == nil {
		var a suite.Account
		if a, err = t.Account(at.Locate(t.Case, r)); err == nil {
			w.e.Element = &a
		}
	}
	w.err = err
	return err == nil
}
