package suite

import (
	"bytes"
	"fmt"

	"metalconform/oracles"
)

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
