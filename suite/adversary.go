package suite

import (
	"crypto/sha256"
	"fmt"

	"metalconform/metalrun"
)

// Adversary is a device that resolves every unspecified behaviour against the kernels. A run
// judges what passes on its own device on adversaries too: a kernel that is right on
// one device alone fails. They share inputs and exact results, and are
// not launched where they would do what the device of the run does.
type Adversary struct {
	Number int             // in failures, from 1 on
	Runner metalrun.Runner // takes all choices
	// Taking makes the device that takes the first so many of a kernel's choices, as
	// [metalrun.Chooser] lists them.
	Taking func(choices int) metalrun.Runner
	// ReplayFlags are those of [Options], for a run on this device alone.
	ReplayFlags string
}

// Deviates reports whether a kernel may have other results than on the device of the
// run.
func Deviates(k metalrun.Kernel) bool {
	chooser, ok := k.(metalrun.Chooser)
	return !ok || chooser.Deviates()
}

// onDevice is the case's kernel on an adversary.
type onDevice struct {
	*Adversary
	metalrun.Kernel
}

// deviating are the adversaries on which the case's kernel may have other results.
func (t *CaseRun) deviating() []onDevice {
	var list []onDevice
	for i := range t.adversaries {
		a := &t.adversaries[i]
		if k, err := t.compiled(t.shaders, t.file, a.Runner); err == nil && Deviates(k) {
			list = append(list, onDevice{a, k})
		}
	}
	return list
}

// onAdversaries judges a case that has run, from its inputs, up to the first adversary
// that it fails on. The buffers then hold what they held before.
func (t *CaseRun) onAdversaries(others []onDevice, p *Problem, before Contents, r *Result) {
	passed := t.Contents()
	defer t.Restore(passed)
	for _, a := range others {
		u, own := t.under(func(o *caseOptions) { o.brief, o.exact = true, nil }), Result{Case: r.Case, Status: Pass}
		u.kernel, u.against = a.Kernel, passed
		u.Restore(before)
		if _, ok := u.Run(&own); ok && u.Compare(&own) && t.fastMath == 0 { // a contract undoes no transformation
			u.seekRemedy(p, own.Failures)
		}
		if a.enter(own, r) {
			return
		}
	}
}

// enter adds what a case came to on the adversary to its result, and reports whether
// that ends it.
func (a *Adversary) enter(own Result, r *Result) bool {
	switch own.Status {
	case Fail:
		for i := range own.Failures {
			own.Failures[i].Adversary = a.Number
		}
		r.FailBy(append(r.Failures, own.Failures...))
	case Error:
		r.Status, r.Reason, r.StoppedAt = Error, fmt.Sprintf("on adversary %d: %s", a.Number, own.Reason), own.StoppedAt
	default:
		return false
	}
	return true
}

// holds reports whether a result is one that adversaries can still change: it passed,
// or all that failed is put up with.
func (d *Declarations) holds(c Case, r *Result) bool {
	if r.Status != Pass && r.Status != Fail {
		return false
	}
	for _, f := range r.Failures {
		if _, ok := d.waives(c, f, r.Failures); !ok {
			return false
		}
	}
	return true
}

// onAdversaries judges a pipeline that has run, up to the first adversary that it fails
// on. Stages whose inputs have the bits that they had before are judged by the exact
// results from then.
func (c *pipelineRun) onAdversaries() {
	for i := range c.opts.Adversaries {
		a, own := &c.opts.Adversaries[i], Result{Case: c.result.Case, Status: Pass}
		d := newPipelineRun(a.Runner, c.opts.Alone(), c.test, &own)
		d.known, d.brief = c.known, true
		if !c.opts.Declared.holds(c.test, c.result) {
			return
		}
		if !d.deviates() {
			continue
		}
		d.run()
		c.opts.rooms.note(c.test, d.held())
		if a.enter(own, c.result) {
			return
		}
	}
}

// deviates reports whether any kernel of the pipeline may have other results on its
// runner than on the device of the run.
func (c *pipelineRun) deviates() bool {
	for _, name := range c.test.Pipeline.Kernels {
		t := c.stageRun(name)
		if !t.BindKernel(c.opts.Shaders, &Result{}) || Deviates(t.kernel) {
			return true
		}
	}
	return false
}

// Alone are the options of a run on another device that only finds out whether a case
// passes there.
func (o Options) Alone() Options {
	o.Repeat, o.Plain, o.Adversary, o.Adversaries, o.Exact = 0, nil, nil, nil, nil
	return o
}

// StageAnswers are exact results of the stages of a pipeline, by what was asked. A nil
// one keeps nothing.
type StageAnswers struct {
	of    map[question]stageAnswer
	whole bool  // nothing is kept from now on
	bytes int64 // that are kept
}

// mostAnswers is how many bytes of them are kept, and a little more. Where stages are many, the later ones seldom
// get the same bits on another device, and would hold most of what a case takes.
const mostAnswers = 64 << 20

// NewStageAnswers holds no answers yet.
func NewStageAnswers() *StageAnswers { return &StageAnswers{of: map[question]stageAnswer{}} }

type stageAnswer struct {
	answers Answers
	problem *Problem
	passed  Contents // of a run that conformed; nil: none has
}

func (s *StageAnswers) find(q question) (stageAnswer, bool) {
	if s == nil {
		return stageAnswer{}, false
	}
	a, ok := s.of[q]
	return a, ok
}

func (s *StageAnswers) keep(q question, a stageAnswer) {
	if s == nil || s.whole {
		return
	}
	if size := a.answers.size() + a.problem.size(); s.bytes+size > mostAnswers {
		s.whole = true
	} else {
		s.of[q] = a
		s.bytes += size
	}
}

// pass keeps what the stage that was asked about holds, which conforms.
func (s *StageAnswers) pass(t *CaseRun) {
	if s == nil || s.whole {
		return
	}
	if a, ok := s.of[t.asked]; ok && a.passed == nil {
		a.passed = t.Contents()
		for _, data := range a.passed {
			s.bytes += int64(len(data))
		}
		s.of[t.asked] = a
	}
}

// question identifies what the oracle of a stage is asked: the kernel, its shape and
// scalars, what its source declares, and the bits of its inputs.
type question [sha256.Size]byte

func (t *CaseRun) question() question {
	h := sha256.New()
	fmt.Fprintln(h, t.Kernel.Name, t.Shape, t.Input.Random, t.fastMath, t.tables)
	for _, l := range t.LaunchSequence() {
		fmt.Fprintln(h, l.Set, l.Windows, l.Buffers, l.Shape)
	}
	for _, b := range t.buffers {
		if b != nil && b.arg.Role != RoleOut {
			h.Write(b.payload())
		}
	}
	return question(h.Sum(nil))
}
