package suite

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// stageTrace is a stage that has run: its step, what it was given, and its run.
type stageTrace struct {
	name   string
	step   Step
	before *CaseRun
	run    *CaseRun
	result Result
}

// blamePipeline blames an element of a stage, the one that fails or has the worst error if none is named, and goes on over the stages before it: what one of them has
// stored in a buffer, a later one has read there. What the host has computed between stages
// counts as an input.
func blamePipeline(opts Options, c Case, at Selector, memory int) (Blame, error) {
	if at.Stage == "" && (at.Output != "" || at.Index != nil) {
		return Blame{}, fmt.Errorf("%s is a pipeline: an element of which stage? Say it as failures do, such as '%s'",
			c.Kernel.Name, Element{StageName(1, c.Pipeline.Kernels[0]), at.Output, at.Index})
	}
	var run *PipelineRun
	r := Verdict(opts, c, func(r *Result) {
		run = newPipelineRun(opts.Exact.Anchored, opts, c, r)
		run.traced = true
		run.run()
	})
	if at.Stage == "" && len(run.traces) > 0 {
		at.Stage = slices.MaxFunc(run.traces, func(x, y stageTrace) int {
			return cmp.Or(cmp.Compare(len(x.result.Failures), len(y.result.Failures)), cmp.Compare(x.result.ErrorRatio, y.result.ErrorRatio))
		}).name
	}
	last := slices.IndexFunc(run.traces, func(s stageTrace) bool { return s.name == at.Stage })
	if last < 0 {
		var names []string
		for _, s := range run.traces {
			names = append(names, s.name)
		}
		return Blame{}, fmt.Errorf("%s has no stage %q: there is %s", c.Name, at.Stage, cmp.Or(strings.Join(names, "; "), r.Text()))
	}
	return run.blame(run.traces[:last+1], at, memory)
}

// blame goes back over stages from an element of the last.
func (c *PipelineRun) blame(stages []stageTrace, at Selector, memory int) (Blame, error) {
	last := stages[len(stages)-1]
	at, err := at.Resolve(last.run.Case)
	if err != nil {
		return Blame{}, err
	}
	account, err := last.run.Account(at.Locate(last.run.Case, last.result))
	if err != nil {
		return Blame{}, err
	}
	// Between stages, elements are those of the pipeline's buffers.
	trail := &trail{memory: memory, sensitive: map[string]map[int]float64{
		last.step.Buffer(account.Output): {last.step.Windows[account.Output].First + account.Number: 1},
	}}
	for _, s := range slices.Backward(stages) {
		if s.run.exacts == nil || s.run.exacts.device == nil {
			return Blame{}, fmt.Errorf("exact execution knows nothing of %s", s.name)
		}
		if err := trail.stage(s); err != nil {
			return Blame{}, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if !trail.begun {
		return Blame{}, errors.New("the stage does not store it as a float")
	}
	b := trail.blame(last.run, account, trail.conditions(c.inputs()))
	b.Stage = last.name
	return b, nil
}

// inputs are the buffers that the pipeline starts from, as its inputs fill them.
func (c *PipelineRun) inputs() (list []*buffer) {
	for _, a := range c.test.Pipeline.Buffers {
		if b, err := newBuffer(c.test, a, c.opts.Seed); err == nil && a.Role != RoleOut {
			list = append(list, b)
		}
	}
	return list
}

// stage goes back over a stage: what is known of the pipeline's buffers is of its arguments, and
// what is found of those the other way.
func (r *trail) stage(s stageTrace) error {
	outer := r.sensitive
	r.sensitive = map[string]map[int]float64{}
	for _, b := range s.before.buffers {
		if b == nil || !b.arg.Writable() {
			continue
		}
		first, numbers := s.step.Windows[b.arg.Name].First, outer[s.step.Buffer(b.arg.Name)]
		for n, by := range numbers {
			if n >= first && n < first+b.count() {
				r.add(b.arg.Name, n-first, by)
				delete(numbers, n)
			}
		}
	}
	if len(r.sensitive) > 0 {
		if err := r.through(s.open); err != nil {
			return err
		}
	}
	found := r.sensitive
	r.sensitive = outer
	for arg, numbers := range found {
		for n, by := range numbers {
			r.add(s.step.Buffer(arg), s.step.Windows[arg].First+n, by)
		}
	}
	return nil
}

// open is the stage before its launches.
func (s stageTrace) open() (*CaseRun, error) {
	u := s.before.Snapshot()
	return u, u.exactlyOn(s.run)
}
