package suite

import (
	"bytes"
	"fmt"
	"slices"

	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/suite/metrics"
)

// StageView is a stage of a pipeline, or an invariant between its buffers, that has been judged.
type StageView struct {
	Name   string // as failures have it
	Result Result

	// Run has what was judged, with its answers. Of an invariant it is the buffer as if a kernel of that
	// one output had written it.
	Run *CaseRun

	Step   Step     // of a stage
	Before *CaseRun // of a stage: the same as it was given its buffers; nil of an invariant

	Inputs func() []Summary // what the stage was given, or the buffers that the invariant is about
	Want   string           // of an invariant between two buffers: the one that the wanted values are from
	Same   func(*Account)   // of one that asks for the same bits: has an account say so; nil of others
}

// ObservePipeline runs a case of a pipeline, and has its stages and invariants observed as they are
// judged.
func ObservePipeline(runner metalrun.Runner, opts Options, c Case, observe func(StageView), r *Result) {
	run := newPipelineRun(runner, opts, c, r)
	run.observe = observe
	run.run()
}

// observeStage shows a stage that has run. before is what it was given; nil if nobody observes.
func (c *pipelineRun) observeStage(name string, s Step, before, t *CaseRun, r Result) {
	if c.observe == nil {
		return
	}
	c.observe(StageView{Name: name, Result: r, Run: t, Step: s, Before: before, Inputs: func() []Summary {
		list := before.Summaries()
		for i, in := range list {
			list[i].Buffer, list[i].From, list[i].Origin = c.origin(in.Arg, s)
		}
		return list
	}})
}

// observeInvariant shows an invariant that compares a buffer with an answer: with the values of the
// buffers called sides, or with what the host has computed.
func (c *pipelineRun) observeInvariant(name string, p *pipelineBuffer, want oracles.Answer, r Result,
	sides ...*pipelineBuffer) {
	if c.observe == nil {
		return
	}
	v := StageView{Name: name, Result: r, Run: p.judgedBy(name, want)}
	v.Inputs = func() (list []Summary) {
		for _, side := range append(slices.Clone(sides), p) {
			s := side.summary(side.shape, 0, side.count())
			s.Origin = side.from
			list = append(list, s)
		}
		return list
	}
	if len(sides) > 0 {
		v.Want = sides[0].arg.Name
		if want.Exact {
			v.Same = func(a *Account) { a.compareBits(sides[0], p) }
		}
	}
	c.observe(v)
}

// observeEqual shows an invariant that two buffers have the same bits, and the elements that have not.
func (c *pipelineRun) observeEqual(name string, x, y *pipelineBuffer, differ counter) {
	if c.observe == nil {
		return
	}
	at := y.arg.index(y.shape, differ.first)
	r := Result{
		Outputs: []metrics.Output{{Output: y.arg.Name, Metrics: metrics.Values{{Key: metrics.ErrorRatio, At: at}}}},
	}
	if differ.count > 0 {
		r.Failures = []Failure{{Check: CheckExact, Arg: y.arg.Name, Index: at}}
	}
	c.observeInvariant(name, y, oracles.Answer{Want: x.values(), Exact: true}, r, x)
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

// origin tells which buffer of the pipeline, from which element on, a stage has as
// an argument, and where its contents come from. The buffer has no name where it is
// the argument's, and starts at its first element.
func (c *pipelineRun) origin(arg string, s Step) (buffer string, from int, origin Origin) {
	p := c.buffers[s.Buffer(arg)]
	w, narrowed := s.Windows[arg]
	if p.arg.Name != arg || narrowed {
		buffer = p.arg.Name
	}
	return buffer, w.First, p.from
}

// Equal checks that two buffers have the same bits.
func (c *pipelineRun) Equal(a, b string) {
	x, y := c.whole(a), c.whole(b)
	invariant := fmt.Sprintf("%s = %s", a, b)
	if x.arg.Type != y.arg.Type || x.count() != y.count() {
		c.stopAt(invariant, "%d %s and %d %s", x.count(), x.arg.Type, y.count(), y.arg.Type)
	}
	var found counter
	t := x.arg.Type
	if !bytes.Equal(x.payload(), y.payload()) {
		for i := range x.count() {
			if t.word(x.payload(), i) != t.word(y.payload(), i) {
				found.note(i, 0)
			}
		}
	}
	c.total.add(figures{elements: x.count()}, invariant)
	c.observeEqual(invariant, x, y, found)
	if found.count == 0 {
		return
	}
	i := found.first
	u, v := t.word(x.payload(), i), t.word(y.payload(), i)
	f := y.differing(CheckEqual, y.shape, i, t.value(v), t.value(u))
	f.GotBits, f.WantBits, f.Same = t.bits(v), t.bits(u), new(x.element(i))
	f.First, f.Count, f.Of = f.Index, found.count, x.count()
	c.fail(invariant, []Failure{f})
}

// Close checks two buffers that stages computed by the same mathematics from
// the same bits: no two elements may differ by more than both stages' own
// bounds together.
func (c *pipelineRun) Close(a, b string) {
	x, y := c.whole(a), c.whole(b)
	c.bounded(fmt.Sprintf("%s ~ %s", a, b), y, oracles.Answer{Want: x.values(), Budget: []oracles.Term{
		{Label: "bound of " + a, Error: x.bound}, {Label: "bound of " + b, Error: y.bound},
	}}, x)
}

// Bounded checks a buffer against an answer that says how far each element may
// be from what it has to be. The invariant's name stands in failures.
func (c *pipelineRun) Bounded(invariant, name string, want oracles.Answer) {
	c.bounded(invariant, c.whole(name), want)
}

// Definition checks a buffer against a float64 pass over the pipeline, as
// [PipelineStages.Bounded] does. exact has the values of that pass in 256 bits, which
// a run does not ask for.
func (c *pipelineRun) Definition(invariant, name string, want oracles.Answer, exact oracles.Reference) {
	p := c.whole(name)
	c.bounded(invariant, p, want)
	if audit := c.test.Pipeline.Audit; audit != nil {
		audit(Definition{invariant, name, p.arg.Type, want, exact})
	}
}

// bounded is Bounded, where want comes from the buffers called sides.
func (c *pipelineRun) bounded(invariant string, p *pipelineBuffer, want oracles.Answer, sides ...*pipelineBuffer) {
	if len(want.Want) != p.count() {
		c.stopAt(invariant, "%d elements are wanted of %s, which has %d", len(want.Want), p.arg.Name, p.count())
	}
	var f figures
	var failures []Failure
	var err error
	o := output{buffer: p.buffer, shape: p.shape, answer: want}
	if c.brief {
		failures, err = o.compareBeside(nil)
	} else {
		failures, err = o.compare(&f, c.opts.Metrics)
	}
	if err != nil {
		c.stopAt(invariant, "%v", err)
	}
	c.total.add(f, invariant)
	c.observeInvariant(invariant, p, want, Result{ErrorRatio: f.ratio, Outputs: f.outputs, Failures: failures},
		sides...)
	c.fail(invariant, failures)
}

// Notef adds a clause for the reader of the result: a figure that is measured
// and gates nothing.
func (c *pipelineRun) Notef(format string, args ...any) {
	c.result.Notes = append(c.result.Notes, fmt.Sprintf(format, args...))
}
