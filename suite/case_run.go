package suite

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"metalconform/internal/printable"
	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/suite/coverage"
	"metalconform/suite/metrics"
)

// CaseRun takes one case through four steps, after its kernel and its buffers are bound:
//
//   - prepare asks the oracle, and exact execution, from the inputs;
//   - launch runs the kernel;
//   - compare holds what the buffers then hold against the answers;
//   - conclude adds what else was asked about the case: other launches, other devices, where errors
//     come from.
//
// A copy of a caseRun is the same case on another device or under other options: it shares the buffers.
type CaseRun struct {
	Case
	*caseOptions
	binding
	outcome
}

// caseOptions are the choices of a case. They never change: what runs the case under others has its own.
type caseOptions struct {
	runner      metalrun.Runner
	seed        uint64
	repeat      int
	plain       *Plain
	simulator   metalrun.Runner // that the device is compared with; nil for none
	forecasting *Forecasting    // nil: no times are forecast
	metrics     metrics.Table
	declared    *Declarations
	today       time.Time          // nothing is judged again if zero
	exact       *Exact             // nil: no such device
	reach       *Reach             // that launches are added to; nil: not wanted
	coverage    *coverage.Coverage // likewise
	adversaries []Adversary
	blamer      Blamer        // nil: nobody asks where errors come from
	lossy       bool          // losses of accuracy are looked for
	steps       *int64        // gets the steps of all threads in launches; nil: not wanted
	defined     *int64        // gets the operations of the definition; nil: not wanted
	brief       bool          // nothing is measured
	untried     bool          // launches are checked as they are, and not in other ways that Metal allows
	known       *StageAnswers // exact results, kept and looked up; nil for none
}

// newCaseRun is a case at its start. It knows nothing yet.
func newCaseRun(c Case, o caseOptions) *CaseRun { return &CaseRun{Case: c, caseOptions: &o} }

// judging are the options of a run as far as they say how one case is judged on one device, once.
func (o Options) judging(runner metalrun.Runner) caseOptions {
	return caseOptions{runner: runner, seed: o.Seed, declared: o.Declared, exact: o.Exact,
		coverage: o.Coverage}
}

// under is the case with its binding under other options.
func (t *CaseRun) under(change func(*caseOptions)) *CaseRun {
	u, o := *t, *t.caseOptions
	o.coverage = nil // one device tells what is executed
	u.covered = instrumented{}
	change(&o)
	u.caseOptions = &o
	return &u
}

// binding is the kernel of a case and its buffers.
type binding struct {
	shaders    *Shaders
	file       string                 // of the shaders, that has the kernel
	fastMath   metalrun.FastMathFlags // what the compiler may do with some of its operations
	asksFinite bool                   // it asks whether numbers are finite where fastMath takes them for that
	kernel     metalrun.Kernel
	covered    instrumented
	buffers    []*buffer // by argument index; nil for what setBytes passes
	tables     map[string][]float64
	constants  []metalrun.Constant // of the program, if there are tables
}

// outcome is what is known of a case: what the oracle says, and what launches have shown.
type outcome struct {
	answers  Answers
	took     int64            // what the definition took for all that it was asked, where it counts
	contract oracles.Contract // that the oracle went by, where it depends on the shape
	asked    question         // that exact results are kept under
	against  Contents         // of the run that passed: what has its bits passes too; nil for none
	near     []Answers        // of the definition beside inputs that were led to decisions

	findings   []metalrun.Finding  // of the launches
	launched   map[*buffer]bool    // that a launch had already
	started    Contents            // before the first launch, where that may be needed
	clock      metalrun.Clock      // of some launch, where it was not the device's
	work       *metalrun.Work      // of the launches; nil where it is not counted
	profiles   []*metalrun.Profile // of launches on a device that profiles
	exacts     *exactRun           // what exact execution knows of the outputs
	exactNotes []metalrun.Note     // of launches on such a device
}

// BindKernel takes the case's kernel from the shaders. It reports false where the
// case ends here.
func (t *CaseRun) BindKernel(s *Shaders, r *Result) bool {
	name := t.Kernel.Name
	if why := t.Kernel.Math.unsupported(t.Math.Mode, t.Shape); why != "" {
		r.Because(Skip, "%s", why)
		return false
	}
	s = s.Variant(t.Variant)
	file, info, err := s.Find(name)
	switch {
	case errors.Is(err, ErrAbsent):
		r.Because(Skip, "%v", err)
		return false
	case err != nil:
		r.cannot(err)
		return false
	}
	if info, err = s.built(t.Case, file, info); err != nil {
		r.cannot(err)
		return false
	}
	t.underFastMath(info.FastMathFlags)
	t.asksFinite = info.AsksFinite
	if wrong := t.Kernel.conformsTo(info); wrong != nil {
		r.FailBy([]Failure{declarationFailure(CheckArguments, info, strings.Join(wrong, "; ")+t.Kernel.takes())})
		return false
	}
	if !t.readTables(s, file, info, r) {
		return false
	}
	if t.kernel, err = t.compiled(s, file, t.runner); err != nil {
		r.cannot(err)
		return false
	}
	t.shaders, t.file = s, file
	if err = t.bindCovering(); err != nil {
		r.cannot(err)
		return false
	}
	return true
}

// cannot ends a case whose kernel the shaders do not have in working order.
func (r *Result) cannot(err error) {
	r.Because(Error, "%v", err)
	var b *BrokenFile
	if errors.As(err, &b) && b.Crash == nil {
		r.Uncompiled = b.File
	}
}

// compiled is the case's kernel, from a file of the shaders, on a device.
func (t *CaseRun) compiled(s *Shaders, file string, runner metalrun.Runner) (metalrun.Kernel, error) {
	library, err := s.unit(file).library(runner, t.Build(), t.Arithmetic(), t.Kernel.Name)
	if err != nil {
		return nil, uncompiled(file, err)
	}
	return library.Kernel(t.Kernel.Name)
}

// BindBuffers makes and fills the buffers. It reports false where the case ends here.
func (t *CaseRun) BindBuffers(r *Result) bool {
	if err := t.FillBuffers(); err != nil {
		r.Because(Error, "%v", err)
		return false
	}
	if t.fastMathForbids() {
		r.Because(Skip,
			"not judged in %s math: inputs hold NaN or infinities, which the compiler may take for impossible", t.Math)
		return false
	}
	return true
}

// Conduct takes a bound case through its four steps.
func (t *CaseRun) Conduct(r *Result) {
	p := t.Prepare()
	if t.Launch(r) && t.Compare(r) {
		t.Conclude(p, r)
	}
}

// Preparation is what a case has to know before its launch changes what it starts from.
type Preparation struct {
	problem   *Problem
	secondary Answers              // of the second definition
	before    Contents             // of the buffers, if they are launched on again
	others    []onDevice           // adversaries that may have other results
	naive     map[string][]float64 // what a straightforward evaluation loses
}

// Prepare asks the oracle and exact execution.
func (t *CaseRun) Prepare() Preparation {
	p := Preparation{problem: t.ask()}
	if t.Kernel.Secondary != nil {
		p.secondary = t.Kernel.Secondary(t.problem())
	}
	p.others, p.naive = t.deviating(), t.naively(p.problem)
	if t.repeat > 1 || t.plain != nil || t.forecasts() || t.simulator != nil || len(p.others) > 0 {
		p.before = t.Contents()
	}
	t.exacts = t.exactly(p.secondary)
	if t.known == nil {
		p.problem.forget(t.buffers)
	}
	return p
}

// Launch runs the kernel. It reports false where the case ends here.
func (t *CaseRun) Launch(r *Result) (ok bool) {
	r.NS, ok = t.Run(r)
	return ok
}

// Conclude adds to a compared case what else was asked about it.
func (t *CaseRun) Conclude(p Preparation, r *Result) {
	if r.Status == Pass {
		t.known.pass(t)
	}
	if r.Work = t.work; r.Status != Fail {
		r.Losses = t.losses(p.naive)
	}
	for _, l := range r.Losses {
		r.warn(l.String())
	}
	if t.blamed && t.blamer != nil && len(r.Outputs) > 0 {
		r.Blame = t.blamer.BlameCase(t, *r)
	}
	t.seekRemedy(p.problem, r.Failures)
	r.Digest = t.digest()
	if p.secondary != nil {
		r.UlpSecondary = Figure(largestUlp(t.buffers, p.secondary))
	}
	if t.plain != nil {
		t.comparePlain(p.before, r)
	}
	if t.forecasts() {
		t.forecastTime(p.before, r)
	}
	if t.simulator != nil {
		t.compareSimulator(p.before, r)
	}
	if t.repeat > 1 {
		t.again(p.before, r)
	}
	if len(p.others) > 0 && t.declared.holds(t.Case, r) {
		t.onAdversaries(p.others, p.problem, p.before, r)
	}
	t.withoutPass(r)
}

// ask has the oracle's answers, from before if it has been asked the same.
func (t *CaseRun) ask() *Problem {
	if t.known != nil {
		t.asked = t.question()
	}
	k, ok := t.known.find(t.asked)
	if !ok {
		k.problem = t.problem()
		k.answers = t.Kernel.Oracle(k.problem)
		t.known.keep(t.asked, k)
	} else if t.brief {
		t.against = k.passed
	}
	t.answers, t.contract = t.promised(k.answers), k.problem.Contract
	return k.problem
}

// Run runs all launches of the case and returns their time in nanoseconds. It reports false
// where the case ends here.
func (t *CaseRun) Run(r *Result) (ns int64, ok bool) {
	ns, err := t.runLaunches()
	return ns, t.Survives(r, err)
}

// Survives reports whether launches ended well; if not, the case ends here.
func (t *CaseRun) Survives(r *Result, err error) bool {
	var fault *metalrun.Fault
	switch {
	case errors.As(err, &fault) && fault.Kind == metalrun.Unfinished: // the kernel is not at fault
		r.OutOfSteps = true
		r.Because(Error, "not judged: %v", err)
	case errors.As(err, &fault):
		r.Hung = fault.Hangs()
		r.FailBy(append([]Failure{faultFailure(fault)}, t.checkFailures(r)...))
	case errors.Is(err, metalrun.ErrWhole), errors.Is(err, metalrun.ErrUnsupported):
		r.Because(Skip, "%v", err)
	case err != nil:
		r.Because(Error, "%v", err)
	}
	if r.Clock = t.clock; t.clock != "" {
		r.note(fmt.Sprintf("timed by the %s's clock: the device did not say how long it took", t.clock))
	}
	return err == nil
}

// Compare judges what the buffers hold after a run. It reports false where they
// could not be judged.
func (t *CaseRun) Compare(r *Result) bool {
	var f figures
	var failures []Failure
	var err error
	t.arrange()
	if t.brief {
		failures, err = t.differences()
	} else {
		f, failures, err = compareOutputs(t.Case, t.ranged(), t.buffers, t.answers, t.exacts, t.metrics,
			t.unwritten())
	}
	if f.unjudged > 0 {
		r.Unjudged = &Unjudged{Elements: f.unjudged, Held: f.held, Reason: t.exacts.unknown(),
			TakenApart: t.exacts.takesApart(), Edge: t.exacts.edge}
	}
	if err != nil {
		r.Because(Error, "%v", err)
		return false
	}
	f.report(r)
	if u := r.Unjudged; u != nil && u.TakenApart {
		r.Warnings = with(r.Warnings, fmt.Sprintf("%d of %s not judged: %s", u.Elements,
			printable.Count(f.elements, "element"), u.Reason))
	}
	if t.exacts != nil && f.unknown > 0 {
		r.note("exact execution knows nothing of some elements: " + t.exacts.unknown())
	}
	if t.exacts != nil && t.exacts.narrow && len(failures) > 0 && t.narrows() {
		r.note("the formula is the definition's but for values that are rounded to half or bfloat on the way: if " +
			"that is meant, say intermediates = f16 or bf16 in the specification")
	}
	if failures = append(t.checkFailures(r), failures...); len(failures) > 0 {
		r.FailBy(failures)
	}
	return true
}

// withoutPass ends a case that passes although no element was compared with anything: a pass would say that the kernel
// is right. At the edge of what numbers a format has any result may be right, and a specification cannot leave out what
// the suite itself leads to decisions: both make no case then.
func (t *CaseRun) withoutPass(r *Result) {
	switch {
	case r.Status != Pass || t.brief:
	case r.Elements == 0 && t.leavesAll():
		r.Unjudged = &Unjudged{Reason: "the definition says nothing of what the kernel writes"}
		r.Because(Error, "no element is judged: %s", r.Unjudged.Reason)
	case r.Elements == 0 || r.Unjudged == nil || r.Unjudged.Elements-r.Unjudged.Held < r.Elements:
	case !t.Input.Own && t.Input.Name != t.Kernel.Sweep.first() || t.NearDecisions():
		r.Because(Skip, "nothing is known of any element: %s", r.Unjudged.Reason)
	default:
		r.Because(Error, "nothing is known of any element: %s\n\tif no host passes such inputs, inputs = "+
			"[standard(without = [%q])] leaves them out; else have the oracle return bounded(values, error)",
			r.Unjudged.Reason, t.Input.Name)
	}
}

// leavesAll reports whether there are elements of outputs that the definition says nothing of, and none that it wants
// to be kept.
func (t *CaseRun) leavesAll() bool {
	elements, kept := 0, 0
	for _, b := range t.buffers {
		if b != nil && b.arg.Role != RoleIn {
			elements, kept = elements+b.count(), kept+len(b.ranges)
		}
	}
	return elements > 0 && kept == 0 && t.answers.Plain()
}

// FillBuffers makes the buffers of the case and fills them from its seed.
func (t *CaseRun) FillBuffers() error {
	t.buffers = make([]*buffer, len(t.Kernel.Args))
	left := t.Kernel.MostElements
	for i, a := range t.Kernel.Args {
		if !a.Buffer() {
			continue
		}
		if left -= a.Count(t.Shape); left < 0 && t.Kernel.MostElements > 0 {
			return fmt.Errorf("the buffers up to %s have more than %d elements: take a smaller point", a.Name,
				t.Kernel.MostElements)
		}
		b, err := newBuffer(t.Case, a, t.seed)
		if err != nil {
			return err
		}
		t.buffers[i] = b
	}
	t.toDecisions()
	return nil
}

// problem is what the oracle is asked.
func (t *CaseRun) problem() *Problem {
	p := &Problem{
		Shape: t.Shape, Input: t.Input.Name, Contract: t.Kernel.Contract, Launches: t.LaunchSequence(),
		kernel: t.Kernel, took: &t.took, defined: t.defined, end: t.end,
		values: map[string][]float64{}, words: map[string][]uint32{}, tables: t.tables,
		wide: map[string][]uint64{},
	}
	for _, b := range t.buffers {
		if b == nil || b.arg.Role == RoleOut {
			continue
		}
		if _, float := b.arg.Type.Format(); float || b.arg.Type.Bytes() > 4 {
			p.values[b.arg.Name] = b.values()
			if t.Kernel.Wide && !float {
				p.wide[b.arg.Name] = b.wideWords()
			}
		} else {
			p.words[b.arg.Name] = b.words()
		}
	}
	return p
}

// runLaunches runs the case's launches in sequence and adds up their times, in
// nanoseconds.
func (t *CaseRun) runLaunches() (ns int64, err error) {
	t.reset()
	t.started = t.contentsAtStart()
	for i, l := range t.LaunchSequence() {
		d, err := t.Dispatch(l)
		if err != nil {
			return ns, fmt.Errorf("launch %d: %w", i, err)
		}
		start, again := t.startOf(d)
		outcome, err := t.kernel.Run(d)
		if t.steps != nil {
			*t.steps += (outcome.Executed + outcome.Costly) * int64(d.ThreadsPerThreadgroup.Count())
		}
		t.findings = append(t.findings, outcome.Findings...)
		t.exactNotes = append(t.exactNotes, outcome.Notes...)
		t.reach.note(t.Kernel.Name, outcome.Arms)
		t.clock = cmp.Or(t.clock, outcome.Clock)
		t.work = together(t.work, outcome.Work)
		if outcome.Profile != nil {
			t.profiles = append(t.profiles, outcome.Profile)
		}
		if err != nil {
			return ns, err
		}
		if again {
			t.cover(start)
		}
		t.markLaunched(l)
		ns += outcome.Duration.Nanoseconds()
	}
	return ns, nil
}

// together is the work of several launches, nil where none is counted.
func together(list ...*metalrun.Work) *metalrun.Work {
	var all *metalrun.Work
	for _, w := range list {
		if w == nil {
			continue
		}
		if all == nil {
			all = &metalrun.Work{}
		}
		all.Add(*w)
	}
	return all
}

// Dispatch is one launch as the runner takes it.
func (t *CaseRun) Dispatch(l Launch) (metalrun.Dispatch, error) {
	d := metalrun.Dispatch{Skip: l.skip, For: t.Name, Ungraded: t.untried, Unprobed: t.untried}
	for n, a := range t.Kernel.Args {
		i := t.Kernel.Args.Binding(n)
		if !a.Buffer() {
			data := a.inline(t.Shape, l)
			d.Bindings = append(d.Bindings, metalrun.Binding{Index: i, Data: data, Length: len(data), Inline: true})
			continue
		}
		b, err := t.bound(a.Name, l)
		if err != nil {
			return d, err
		}
		window, narrowed := l.Windows[a.Name]
		binding, err := b.binding(i, window, narrowed)
		if err != nil {
			return d, err
		}
		binding.Undefined, binding.Before = t.unspecified(b), l.before[a.Name]*a.Type.Bytes()
		binding.Free = t.free(b)
		d.Bindings = append(d.Bindings, binding)
	}
	shape := t.Shape.With(l.Shape)
	for _, e := range t.Kernel.ThreadgroupMemory {
		d.ThreadgroupMemory = append(d.ThreadgroupMemory, e.Size(shape))
	}
	g := t.Kernel.Grid
	d.Threadgroups, d.Threads, d.ThreadsPerThreadgroup = size(g.Threadgroups, shape), size(g.Threads, shape),
		size(g.Of, shape)
	return d, nil
}

// bound is the buffer that launch l binds under the name of an argument.
func (t *CaseRun) bound(name string, l Launch) (*buffer, error) {
	if other, ok := l.Buffers[name]; ok {
		name = other
	}
	for _, b := range t.buffers {
		if b != nil && b.arg.Name == name {
			return b, nil
		}
	}
	return nil, fmt.Errorf("no buffer is called %q", strings.TrimSpace(name))
}
