package suite

import (
	"fmt"

	"metalconform/metalrun"
	"metalconform/oracles"
)

// Definition checks a buffer against a float64 pass over the chain, as
// [Course.Within] does. exact has the values of that pass in 256 bits: [AuditChain]
// compares the two, a run does not ask for them.
func (c *Course) Definition(law, name string, want oracles.Answer, exact oracles.Reference) {
	p := c.whole(name)
	c.within(law, p, want)
	if c.audit != nil {
		c.audit.law(c, law, p, want, exact)
	}
}

// chainAudit collects how the definitions of a chain fared.
type chainAudit struct {
	samples int
	list    []Audited
}

func (a *chainAudit) law(c *Course, law string, p *place, want oracles.Answer, exact oracles.Reference) {
	o := output{buffer: p.buffer, shape: p.shape, answer: want}
	worst := o.audit(exact, o.picks(generator(c.test.Name, law+":audit", c.opts.Seed), a.samples))
	worst.Output = law + ": " + worst.Output
	a.list = append(a.list, worst)
}

// AuditChain runs a case of a chain and compares its definitions, the float64
// passes from end to end, with exact values, at the elements of each that [Audit]
// takes of an output. The oracles of the stages are those of their kernels,
// which have twins of their own. A case that does not pass is an error.
func AuditChain(runner metalrun.Runner, opts Options, c Case, samples int) ([]Audited, error) {
	a := &chainAudit{samples: samples}
	r := verdict(opts, c, func(r *Result) {
		course := newCourse(runner, opts, c, r)
		course.audit = a
		course.run()
	})
	if r.Status != Pass {
		return nil, fmt.Errorf("%s: %s", r.Status, r.Message)
	}
	return a.list, nil
}
