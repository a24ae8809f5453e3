package suite

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"slices"

	"metalconform/metalrun"
	"metalconform/oracles"
)

// mutationCase is a case with its inputs and exact results, ready to judge any number
// of mutants of its kernel on a device.
type mutationCase struct {
	CaseRun
	kept   *preparedCase
	device int
}

// declared are the declarations that count.
func (p *MutationPlan) declared() *Declarations {
	if p.Declared == nil {
		return nil
	}
	return &Declarations{Tables: p.Declared.Tables}
}

// Guarded is a result of a case that a panic makes an error.
func Guarded(c Case, f func(*Result)) (r Result) {
	r = Result{Case: c.Name, Status: Pass}
	defer func() {
		if p := recover(); p != nil {
			r.panicked(p)
			r.Panicked = true // of a mutant, whatever it was
		}
	}()
	f(&r)
	return r
}

// compiled is a mutant's entry point.
type compiled struct {
	kernel  metalrun.Kernel
	refused *Result  // why there is none, nil otherwise
	shaders *Shaders // for the tables that the program holds
	file    string
	info    metalrun.KernelInfo
}

// compile makes a kernel of a mutant's entry point.
func (p *MutationPlan) compile(c *plannedMutant, runner metalrun.Runner, test Case) *compiled {
	edited := p.edited(c)
	t := newCaseRun(test, caseOptions{runner: runner, seed: p.Seed, declared: p.declared()})
	r := Guarded(test, func(r *Result) { t.BindKernel(edited, r) })
	if r.Status != Pass {
		return &compiled{refused: &r}
	}
	clear(edited.unit(c.File).libraries) // nobody asks this device for another kernel
	_, info, _ := edited.Find(test.Kernel.Name)
	return &compiled{kernel: t.kernel, shaders: edited, file: c.File, info: info}
}

// judgement is a result of a mutant.
type judgement struct {
	Result
	ranAway bool // the step budget ended a launch
	plain   bool // answers have no budget: exact execution has judged already
}

// run launches a mutant, or with nil the original, from the case's inputs and
// compares.
func (p *mutationCase) run(k *compiled, rule Rule) judgement {
	if k != nil && k.refused != nil {
		return judgement{Result: *k.refused}
	}
	launched := &monitoredKernel{roomy: rule == ByCosineOnGPU}
	plain := p.answers.Plain()
	r := Guarded(p.Case, func(r *Result) {
		t := p.CaseRun
		t.buffers = make([]*buffer, len(p.buffers))
		for i, b := range p.buffers {
			if b != nil {
				copied := *b
				copied.data = bytes.Clone(b.data)
				t.buffers[i] = &copied
			}
		}
		if k != nil && !t.adopt(k, r) {
			return
		}
		if rule == ByCosineOnGPU {
			t.blank()
		}
		var before Contents
		if plain && rule == ByVerdict {
			before = t.Contents()
		}
		launched.Kernel, t.kernel = t.kernel, launched
		_, ok := t.Run(r)
		switch {
		case ok && rule == ByVerdict:
			t.boundExactly(before)
			if plain || !p.passes(&t, r) {
				t.Compare(r)
			}
			r.Settle(true, nil)
		case ok:
			t.compareCosines(r)
		case r.Status == Fail && rule == ByCosineOnGPU && !launched.exhausted:
			*r = Result{Case: r.Case, Status: Pass}
		}
	})
	return judgement{Result: r, ranAway: launched.exhausted, plain: plain}
}

// passes judges a run as one that adversaries are held against, which measures nothing, and
// reports whether it passes.
func (p *mutationCase) passes(t *CaseRun, r *Result) bool {
	brief, own := t.under(func(o *caseOptions) { o.brief = true }), *r
	brief.against = p.passed()
	if !brief.Compare(&own) || own.Status != Pass {
		return false
	}
	*r = own
	if brief.against == nil {
		p.keep(t)
	}
	return true
}

// boundExactly has exact execution bound answers that have no budget, from what the buffers
// held before the launch. That has ended by itself, and so will this.
func (t *CaseRun) boundExactly(before Contents) {
	if before == nil {
		return
	}
	after := t.Contents()
	t.Restore(before)
	t.exacts = t.exactly(nil)
	t.Restore(after)
}

// blank puts zeros around buffers and into outputs.
func (t *CaseRun) blank() {
	for _, b := range t.buffers {
		switch {
		case b == nil:
		case b.arg.Role == RoleOut:
			clear(b.data)
		default:
			clear(b.data[:Guard])
			clear(b.data[len(b.data)-Guard:])
		}
	}
}

// monitoredKernel remembers how its last launch ended.
type monitoredKernel struct {
	metalrun.Kernel
	roomy     bool // what lies behind a buffer, or a window of it, may be accessed
	exhausted bool // by a step budget
}

// Run launches the kernel.
func (k *monitoredKernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	if k.roomy {
		for i := range d.Bindings {
			if b := &d.Bindings[i]; !b.Inline {
				b.Length = len(b.Data) - b.Offset
			}
		}
	}
	outcome, err := k.Kernel.Run(d)
	var fault *metalrun.Fault
	k.exhausted = errors.As(err, &fault) && fault.Hangs()
	return outcome, err
}

// adopt has the case run a mutant. If it has other declared tables than the original,
// the oracle is asked anew. It reports false where the case ends here.
func (t *CaseRun) adopt(k *compiled, r *Result) bool {
	before := t.tables
	t.kernel, t.shaders, t.file = k.kernel, k.shaders, k.file
	if !t.readTables(k.shaders, k.file, k.info, r) {
		return false
	}
	if !maps.EqualFunc(before, t.tables, slices.Equal) {
		t.answers = t.Kernel.Oracle(t.problem())
	}
	return true
}

// compareCosines judges outputs by their cosines alone.
func (t *CaseRun) compareCosines(r *Result) {
	t.arrange()
	for _, b := range t.buffers {
		if b == nil || !b.arg.Writable() {
			continue
		}
		if c := b.cosine(t.answers[b.arg.Name]); !(c >= cosineLimit) {
			r.FailBy([]Failure{{Check: CheckCosine, Arg: b.arg.Name, Cosine: new(Value(c))}})
			return
		}
	}
}

// cosine is that of the elements that the kernel may write with their exact
// values: 1 if all are zero, 0 if those of one side are. Elements whose value is
// the same in not being finite are left out.
func (b *buffer) cosine(want oracles.Answer) float64 {
	var gg, gw, ww float64
	skip := b.ranges
	format, float := b.arg.Type.Format()
	for i, w := range want.Want {
		for len(skip) > 0 && i >= skip[0].End {
			skip = skip[1:]
		}
		if len(skip) > 0 && i >= skip[0].First || want.Free(i) {
			continue
		}
		g := b.value(i)
		if float {
			w = format.Round(w)
		}
		if !isFinite(w) && (g == w || math.IsNaN(g) && math.IsNaN(w)) {
			continue
		}
		gg, gw, ww = gg+float64(g*g), gw+float64(g*w), ww+float64(w*w)
	}
	switch {
	case gg == 0 && ww == 0:
		return 1
	case gg == 0 || ww == 0:
		return 0
	}
	return gw / math.Sqrt(gg) / math.Sqrt(ww)
}
