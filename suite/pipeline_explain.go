package suite

import (
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/suite/metrics"
)

// Stage is a stage of a pipeline, or an invariant between its buffers.
type Stage struct {
	Name   string `json:"name"`             // as failures have it
	Kernel string `json:"kernel,omitempty"` // that it launches; none for an invariant
	Doc    string `json:"doc,omitempty"`    // what the kernel does
}

// explainPipeline runs a case of a pipeline and gives the account of an element of a
// stage or an invariant: of the one that at says, or of the worst of that stage, or of
// all. A stage is explained by its own kernel's oracle on what it was given, a
// invariant by the answer that it holds a buffer against.
func explainPipeline(runner metalrun.Runner, opts Options, c Case, at Selector) (Explanation, error) {
	w := &stageRecorder{at: at, e: Explanation{Case: c.Name, Kernel: c.Kernel.Name, Doc: c.Kernel.Doc, Backend: runner.Device().Backend, Seed: opts.Seed}}
	if at.Stage == "" && (at.Output != "" || at.Index != nil) {
		return w.e, fmt.Errorf("%s is a pipeline: an element of which stage or invariant? Say it as failures do, such as 'stage 1, %s: %s'",
			c.Kernel.Name, c.Pipeline.Kernels[0], strings.TrimSuffix(element(at.Output, at.Index), "[]"))
	}
	r := verdict(opts, c, func(r *Result) {
		run := newPipelineRun(runner, opts, c, r)
		run.recorder = w
		run.run()
	})
	opts.Declared.apply(c, &r)
	w.e.Status, w.e.Message, w.e.Notes, w.e.Replay = r.Status, r.Message, r.Notes, r.Replay
	switch {
	case w.err != nil:
		return w.e, w.err
	case at.Stage != "" && w.e.Element == nil && (r.Status != Skip && r.Status != Error || slices.Contains(w.passed, at.Stage)):
		return w.e, fmt.Errorf("no element of %q is judged in %s: there is %s", at.Stage, c.Name, strings.Join(w.passed, "; "))
	}
	return w.e, nil
}

// stageRecorder sees a pipeline pass and keeps the account of the element that it is
// after. A nil one sees nothing.
type stageRecorder struct {
	at     Selector
	passed []string // stages and invariants
	fails  bool     // the one that is kept
	over   float64
	e      Explanation
	err    error
}

// after reports whether a stage or an invariant is the one to keep: where none is named
// the first that fails, or else the one with the largest error as a fraction of
// its bound.
func (w *stageRecorder) after(name string, r Result) bool {
	w.passed = append(w.passed, name)
	if w.at.Stage != "" && w.at.Stage != name || w.err != nil || len(r.Outputs) == 0 {
		return false
	}
	fails := len(r.Failures) > 0
	if w.e.Element != nil && (w.fails || !fails && r.ErrorRatio <= w.over) {
		return false
	}
	w.fails, w.over = fails, r.ErrorRatio
	return true
}

// stage sees a stage that has run. before is what it was given.
func (w *stageRecorder) stage(c *PipelineRun, name string, s Step, before, t *caseRun, r Result) {
	if w == nil || !w.after(name, r) {
		return
	}
	e := &w.e
	e.Stage = &Stage{name, t.Kernel.Name, t.Kernel.Doc}
	e.Contract, e.Scalars, e.Inputs = t.contract.String(), t.scalars(), before.summaries()
	for i, in := range e.Inputs {
		e.Inputs[i].Fill = c.origin(in.Arg, s)
	}
	if w.keep(t, r) {
		e.Element.Reads = before.reads(e.Element.Output, e.Element.Index)
		e.Element.Sums = before.sums(e.Element.Output, e.Element.Number)
	}
}

// invariant sees an invariant that compares a buffer with an answer: with the values of the
// buffers called sides, or with what the host has computed.
func (w *stageRecorder) invariant(name string, p *pipelineBuffer, want oracles.Answer, r Result, sides ...*pipelineBuffer) {
	if w == nil || !w.after(name, r) {
		return
	}
	e := &w.e
	e.Stage, e.Contract, e.Scalars, e.Inputs = &Stage{Name: name}, "", nil, nil
	for _, side := range append(sides, p) {
		s := side.summary(side.shape, 0, side.count())
		s.Fill = side.from
		e.Inputs = append(e.Inputs, s)
	}
	t := p.judgedBy(name, want)
	w.keep(t, r)
	if len(sides) > 0 {
		e.Stage.Doc = "want is " + sides[0].arg.Name
	}
	if a := e.Element; a != nil && len(sides) > 0 && want.Exact {
		a.compareBits(sides[0], p)
	}
}

// equal sees an invariant that two buffers have the same bits, and the elements that
// have not.
func (w *stageRecorder) equal(name string, x, y *pipelineBuffer, differ tally) {
	if w == nil {
		return
	}
	at := y.arg.index(y.shape, differ.first)
	r := Result{Outputs: []metrics.Output{{Output: y.arg.Name, Metrics: metrics.Values{{Key: metrics.ErrorRatio, At: at}}}}}
	if differ.count > 0 {
		r.Failures = []Failure{{Check: CheckExact, Arg: y.arg.Name, Index: at}}
	}
	w.invariant(name, y, oracles.Answer{Want: x.values(), Exact: true}, r, x)
}

// judgedBy is a buffer with its answer as if a kernel of that one output had
// written it.
func (p *pipelineBuffer) judgedBy(name string, want oracles.Answer) *caseRun {
	b := *p.buffer
	if b.arg.Role == RoleIn {
		b.arg.Role = RoleInOut
	}
	return &caseRun{
		Case:    Case{Kernel: &Kernel{Name: name, Args: Args{b.arg}}, Shape: p.shape},
		buffers: []*buffer{&b}, answers: Answers{b.arg.Name: want},
	}
}

// compareBits turns the account of an element of q, which has to be exact, into
// that of one which has to have the bits of p's.
func (a *Account) compareBits(p, q *pipelineBuffer) {
	t := q.arg.Type
	u, v := t.word(p.payload(), a.Number), t.word(q.payload(), a.Number)
	a.Rounded.Bits, a.Rule = t.bits(u), "the bits of "+p.element(a.Number)
	if u != v {
		a.Conforms, a.Check = false, CheckEqual
	}
}

// keep takes the account of the element. It reports false where there is none.
func (w *stageRecorder) keep(t *caseRun, r Result) bool {
	at, err := w.at.of(t.Case)
	if err == nil {
		var a Account
		if a, err = t.account(at.in(t.Case, r)); err == nil {
			w.e.Element = &a
		}
	}
	w.err = err
	return err == nil
}

// given is a copy of what a stage is about to be launched on.
func (w *stageRecorder) snapshot(t *caseRun) *caseRun {
	if w == nil {
		return nil
	}
	before := *t
	before.buffers = slices.Clone(t.buffers)
	for i, b := range t.buffers {
		if b != nil {
			before.buffers[i] = &buffer{arg: b.arg, data: slices.Clone(b.data)}
		}
	}
	return &before
}

// origin tells which buffer of the pipeline, or which part of it, a stage has as an
// argument, and where that comes from.
func (c *PipelineRun) origin(arg string, s Step) string {
	p := c.buffers[s.buffer(arg)]
	name := p.arg.Name
	if w, ok := s.Windows[arg]; ok {
		name += fmt.Sprintf(" from element %d on", w.First)
	}
	if name == arg {
		return p.from
	}
	return fmt.Sprintf("%s, %s", name, p.from)
}
