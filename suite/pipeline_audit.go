package suite

import (
	"fmt"

	"metalconform/metalrun"
	"metalconform/oracles"
)

// Definition checks a buffer against a float64 pass over the pipeline, as
// [PipelineRun.Bounded] does. exact has the values of that pass in 256 bits: [AuditPipeline]
// compares the two, a run does not ask for them.
func (c *PipelineRun) Definition(invariant, name string, want oracles.Answer, exact oracles.Reference) {
	p := c.whole(name)
	c.bounded(invariant, p, want)
	if c.audit != nil {
		c.audit.invariant(c, invariant, p, want, exact)
	}
}

// pipelineAudit collects how the definitions of a pipeline fared.
type pipelineAudit struct {
	samples int
	list    []Audited
}

func (a *pipelineAudit) invariant(c *PipelineRun, invariant string, p *pipelineBuffer, want oracles.Answer, exact oracles.Reference) {
	o := output{buffer: p.buffer, shape: p.shape, answer: want}
	worst := o.audit(exact, o.picks(Generator(c.test.Name, invariant+":audit", c.opts.Seed), a.samples))
	worst.Stage = invariant
	a.list = append(a.list, worst)
}

// AuditPipeline runs a case of a pipeline and compares its definitions, the float64
// passes from end to end, with exact values, at the elements of each that [Audit]
// takes of an output. The oracles of the stages are those of their kernels,
// which have high-precision references of their own. A case that does not pass is an error.
func AuditPipeline(runner metalrun.Runner, opts Options, c Case, samples int) ([]Audited, error) {
	a := &pipelineAudit{samples: samples}
	r := verdict(opts, c, func(r *Result) {
		run := newPipelineRun(runner, opts, c, r)
		run.audit = a
		run.run()
	})
	if r.Status != Pass {
		return nil, fmt.Errorf("%s: %s", r.Status, r.Text())
	}
	return a.list, nil
}
