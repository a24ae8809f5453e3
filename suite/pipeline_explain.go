package suite

import (
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/suite/metrics"
)

// explainPipeline runs a case of a pipeline and gives the account of one element of a
// stage or an invariant: the one that at names, or the worst of that stage, or of all.
// A stage is explained by its own kernel's oracle on what it was given, an invariant by
// the answer that it compares a buffer with.
func explainPipeline(runner metalrun.Runner, opts Options, c Case, at Selector) (Explanation, error) {
	w := &stageRecorder{at: at, e: newExplanation(runner, opts, c)}
	if at.Stage == "" && (at.Output != "" || at.Index != nil) {
		return w.e, fmt.Errorf("%s is a pipeline: an element of which stage or invariant? Say it as failures do, such as '%s'",
			c.Kernel.Name, Element{StageName(1, c.Pipeline.Kernels[0]), at.Output, at.Index})
	}
	r := Verdict(opts, c, func(r *Result) {
		run := newPipelineRun(runner, opts, c, r)
		run.recorder = w
		run.run()
	})
	opts.Declared.Apply(c, &r)
	w.e.conclude(r)
	switch {
	case w.err != nil:
		return w.e, w.err
	case at.Stage != "" && w.e.Element == nil && (r.Status != Skip && r.Status != Error || slices.Contains(w.passed, at.Stage)):
		return w.e, fmt.Errorf("no element of %q is judged in %s: there is %s", at.Stage, c.Name, strings.Join(w.passed, "; "))
	}
	return w.e, nil
}

// stageRecorder watches a run of a pipeline and keeps the account of the element that
// was asked for. A nil one sees nothing.
type stageRecorder struct {
	at     Selector
	passed []string // stages and invariants
	fails  bool     // the one that is kept
	ratio  float64  // its error as a fraction of its bound
	e      Explanation
	err    error
}

// asked reports whether a stage or an invariant is the one to keep: the one that is
// named, or else the first that fails, or else the one with the largest error as a
// fraction of its bound.
func (w *stageRecorder) asked(name string, r Result) bool {
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

// stage sees a stage that has run. before is what it was given.
func (w *stageRecorder) stage(c *PipelineRun, name string, s Step, before, t *CaseRun, r Result) {
	if w == nil || !w.asked(name, r) {
		return
	}
	e := &w.e
	e.Stage = &Stage{Name: name, Named: s.Name != "", Kernel: t.Kernel.Name, Doc: t.Kernel.Doc}
	e.Contract, e.Scalars, e.Inputs = t.contract.String(), t.NamedScalars(), before.Summaries()
	for i, in := range e.Inputs {
		e.Inputs[i].Buffer, e.Inputs[i].From, e.Inputs[i].Origin = c.origin(in.Arg, s)
	}
	if w.keep(t, r) {
		e.Element.Reads = before.Reads(e.Element.Output, e.Element.Index)
		e.Element.Sums = before.Sums(e.Element.Output, e.Element.Number)
	}
}

// invariant sees an invariant that compares a buffer with an answer: with the values of the
// buffers called sides, or with what the host has computed.
func (w *stageRecorder) invariant(name string, p *pipelineBuffer, want oracles.Answer, r Result, sides ...*pipelineBuffer) {
	if w == nil || !w.asked(name, r) {
		return
	}
	e := &w.e
	e.Stage, e.Contract, e.Scalars, e.Inputs = &Stage{Name: name}, "", nil, nil
	for _, side := range append(sides, p) {
		s := side.summary(side.shape, 0, side.count())
		s.Origin = side.from
		e.Inputs = append(e.Inputs, s)
	}
	t := p.judgedBy(name, want)
	w.keep(t, r)
	if len(sides) > 0 {
		e.Stage.Want = sides[0].arg.Name
	}
	if a := e.Element; a != nil && len(sides) > 0 && want.Exact {
		a.compareBits(sides[0], p)
	}
}

// equal sees an invariant that two buffers have the same bits, and the elements that
// have not.
func (w *stageRecorder) equal(name string, x, y *pipelineBuffer, differ counter) {
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
func (p *pipelineBuffer) judgedBy(name string, want oracles.Answer) *CaseRun {
	b := *p.buffer
	if b.arg.Role == RoleIn {
		b.arg.Role = RoleInOut
	}
	t := newCaseRun(Case{Kernel: &Kernel{Name: name, Args: Args{b.arg}}, Shape: p.shape}, caseOptions{})
	t.buffers, t.answers = []*buffer{&b}, Answers{b.arg.Name: want}
	return t
}

// compareBits turns the account of an element of q, which has to be exact, into
// that of one which has to have the bits of p's.
func (a *Account) compareBits(p, q *pipelineBuffer) {
	t := q.arg.Type
	u, v := t.word(p.payload(), a.Number), t.word(q.payload(), a.Number)
	a.Rounded.Bits, a.Rule, a.Same = t.bits(u), RuleBits, new(p.element(a.Number))
	if u != v {
		a.Conforms, a.Check = false, CheckEqual
	}
}

// keep takes the account of the element. It reports false where there is none.
func (w *stageRecorder) keep(t *CaseRun, r Result) bool {
	at, err := w.at.Resolve(t.Case)
	if err == nil {
		var a Account
		if a, err = t.Account(at.Locate(t.Case, r)); err == nil {
			w.e.Element = &a
		}
	}
	w.err = err
	return err == nil
}

// Snapshot is a copy of what a stage is about to be launched on.
func (t *CaseRun) Snapshot() *CaseRun {
	before := *t
	before.buffers = slices.Clone(t.buffers)
	for i, b := range t.buffers {
		if b != nil {
			before.buffers[i] = &buffer{arg: b.arg, data: slices.Clone(b.data)}
		}
	}
	return &before
}

// origin tells which buffer of the pipeline, from which element on, a stage has as
// an argument, and where its contents come from. The buffer has no name where it is
// the argument's, and starts at its first element.
func (c *PipelineRun) origin(arg string, s Step) (buffer string, from int, origin Origin) {
	p := c.buffers[s.Buffer(arg)]
	w, narrowed := s.Windows[arg]
	if p.arg.Name != arg || narrowed {
		buffer = p.arg.Name
	}
	return buffer, w.First, p.from
}
