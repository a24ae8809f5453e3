package explain

import (
	"cmp"
	"errors"
	"fmt"
	"metalconform/suite"
	"slices"
	"strings"
)

// blamePipeline blames an element of a stage, the one that fails or has the worst error if none is named, and goes on
// over the stages before it: what one of them has stored in a buffer, a later one has read there. What the host has
// computed between stages counts as an input.
func blamePipeline(opts suite.Options, c suite.Case, at suite.Selector, memory int) (suite.Blame, error) {
	if at.Stage == "" && (at.Output != "" || at.Index != nil) {
		return suite.Blame{},
			fmt.Errorf("%s is a pipeline: an element of which stage? Say it as failures do, such as '%s'",
				c.Kernel.Name, suite.Element{Stage: suite.StageName(1, c.Pipeline.Kernels[0]), Arg: at.Output,
					Index: at.Index})
	}
	var stages []suite.StageView
	r := suite.Verdict(opts, c, func(r *suite.Result) {
		suite.ObservePipeline(opts.Exact.Anchored, opts, c, func(v suite.StageView) {
			if v.Before != nil { // and no invariant
				stages = append(stages, v)
			}
		}, r)
	})
	if at.Stage == "" && len(stages) > 0 {
		at.Stage = slices.MaxFunc(stages, func(x, y suite.StageView) int {
			return cmp.Or(cmp.Compare(len(x.Result.Failures), len(y.Result.Failures)),
				cmp.Compare(x.Result.ErrorRatio, y.Result.ErrorRatio))
		}).Name
	}
	last := slices.IndexFunc(stages, func(s suite.StageView) bool { return s.Name == at.Stage })
	if last < 0 {
		var names []string
		for _, s := range stages {
			names = append(names, s.Name)
		}
		return suite.Blame{}, fmt.Errorf("%s has no stage %q: there is %s", c.Name, at.Stage,
			cmp.Or(strings.Join(names, "; "), r.Text()))
	}
	return blameStages(opts, c, stages[:last+1], at, memory)
}

// blameStages goes back over stages from an element of the last.
func blameStages(opts suite.Options, c suite.Case, stages []suite.StageView, at suite.Selector,
	memory int) (suite.Blame, error) {
	last := stages[len(stages)-1]
	at, err := at.Resolve(last.Run.Case)
	if err != nil {
		return suite.Blame{}, err
	}
	account, err := last.Run.Account(at.Locate(last.Run.Case, last.Result))
	if err != nil {
		return suite.Blame{}, err
	}
	if err := rounds(last.Run.Kernel, account.Output); err != nil {
		return suite.Blame{}, err
	}
	// Between stages, elements are those of the pipeline's buffers.
	trail := &trail{memory: memory, sensitive: map[string]map[int]float64{
		last.Step.Buffer(account.Output): {last.Step.Windows[account.Output].First + account.Number: 1},
	}}
	for _, s := range slices.Backward(stages) {
		if !s.Run.KnownExactly() {
			return suite.Blame{}, fmt.Errorf("exact execution knows nothing of %s", s.Name)
		}
		if err := trail.stage(s); err != nil {
			return suite.Blame{}, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	if !trail.begun {
		return suite.Blame{}, errors.New("the stage does not store it as a float")
	}
	b := trail.blame(last.Run, account, trail.conditions(pipelineInputs(opts, c)))
	b.Stage, b.Formula = last.Name, otherFormula(last.Run, account)
	return b, nil
}

// pipelineInputs are the buffers that the pipeline starts from, as its inputs fill them.
func pipelineInputs(opts suite.Options, c suite.Case) (list []input) {
	for _, a := range c.Pipeline.Buffers {
		if x, err := c.InputValues(a, opts.Seed); err == nil && a.Role != suite.RoleOut {
			list = append(list, input{a.Name, x})
		}
	}
	return list
}

// stage goes back over a stage: what is known of the pipeline's buffers is of its arguments, and
// what is found of those the other way.
func (r *trail) stage(s suite.StageView) error {
	outer := r.sensitive
	r.sensitive = map[string]map[int]float64{}
	for _, a := range s.Before.Kernel.Args {
		if !a.Buffer() || !a.Writable() {
			continue
		}
		first, numbers := s.Step.Windows[a.Name].First, outer[s.Step.Buffer(a.Name)]
		for n, by := range numbers {
			if n >= first && n < first+a.Count(s.Before.Shape) {
				r.add(a.Name, n-first, by)
				delete(numbers, n)
			}
		}
	}
	if len(r.sensitive) > 0 {
		if err := r.through(func() (*suite.CaseRun, error) { return beforeStage(s) }); err != nil {
			return err
		}
	}
	found := r.sensitive
	r.sensitive = outer
	for arg, numbers := range found {
		for n, by := range numbers {
			r.add(s.Step.Buffer(arg), s.Step.Windows[arg].First+n, by)
		}
	}
	return nil
}

// beforeStage is the stage before its launches.
func beforeStage(s suite.StageView) (*suite.CaseRun, error) {
	u := s.Before.Snapshot()
	return u, u.ReadyExactly(s.Run)
}
