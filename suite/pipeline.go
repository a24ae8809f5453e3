package suite

import (
	"fmt"
	"slices"

	"metalconform/metalrun"
)

// Pipeline is a run of several kernels over shared buffers, with what has to hold
// between their results: two that must give the same bits, or a sequence
// that must agree with one float64 pass from end to end.
//
// A pipeline has cases like a kernel. Its name stands where a kernel's does, its
// inputs come from the case's name and the run's seed, and its verdict is one
// [Result], whose failures name the first stage that went wrong.
//
// A stage is judged by the rigorous bound of its kernel's oracle on what it got,
// and in cases of a random family by the statistical one too if all that it got
// are buffers as that family filled them. What a stage or the host has written is
// not random in that sense, though it was made from what is: elements depend on
// each other (weights of a softmax add up to one, normalised rows have one
// length, a state holds every token before), and nothing is known of how
// the roundings of a sum of them go together. As many standard deviations of
// independent ones would be no promise there. Nor would they be in an invariant, whose
// bound adds up what stages with common inputs may have lost.
type Pipeline struct {
	Name    string
	Doc     string   // one sentence
	Axes    []Axis   // in the order in which case names spell them
	Kernels []string // that it launches

	// Buffers are what the pipeline starts from: In and InOut are filled by the
	// case's input family, where InOut says that a stage may change it. Out is
	// a buffer that stages write, in parts; one that a single stage writes
	// whole need not be declared.
	Buffers Args

	// Check is as that of a kernel. What a stage's own kernel refuses needs no
	// rule here.
	Check func(Shape) error
	// Math is the loosest mode in which the pipeline holds; nil for any in which its
	// kernels do.
	Math  *MathLimit
	Sweep Sweep

	// Run launches the stages and checks what has to hold. It ends early at the
	// first failure that is not waived.
	Run func(*PipelineRun)

	// Alter, if not nil, changes each step before it is launched: what seeds a
	// fault in a pipeline, such as a stage that is bound to the wrong buffer, to
	// see that an invariant finds it.
	Alter func(*PipelineRun, *Step)

	// Audit, if not nil, is given each definition that a run checks: what holds the
	// definition itself to exact values.
	Audit func(Definition)
}

// Step is one stage of a pipeline: a kernel with its arguments bound to the
// pipeline's buffers.
type Step struct {
	Name   string // in failures; the kernel's if empty
	Kernel string
	// Shape gives axes of the kernel. Those that it lacks are the pipeline's.
	Shape Shape
	// Set gives scalars, by argument or field name, in place of their Value.
	Set map[string]float64
	// Buffers are the pipeline's buffers by argument. An argument without one is
	// bound to the buffer of its own name.
	Buffers map[string]string
	// Windows narrows arguments to a part of their buffers, in elements: the
	// stage sees no more than that.
	Windows map[string]Range
}

// StageName names a stage in failures and on the command line.
func StageName(number int, name string) string { return fmt.Sprintf("stage %d, %s", number, name) }

// name is the step's part of that.
func (s Step) name() string {
	if s.Name != "" {
		return s.Name
	}
	return s.Kernel
}

// asKernel is what a pipeline has in common with a kernel: what its cases are made
// from.
func (c *Pipeline) asKernel() *Kernel {
	return &Kernel{Name: c.Name, Doc: c.Doc, Axes: c.Axes, Args: c.Buffers, Check: c.Check, Sweep: c.Sweep}
}

// PipelineRun is a pipeline on its way through a runner: its buffers, and the means to
// launch stages and to check invariants.
type PipelineRun struct {
	Shape Shape

	test    Case
	runner  metalrun.Runner
	opts    Options
	result  *Result
	observe func(StageView) // is shown stages and invariants; nil for nobody
	buffers map[string]*pipelineBuffer
	stages  int
	total   figures
	known   *StageAnswers // of the same pipeline on other devices; nil for none
	brief   bool          // stages are not measured
	made    int64         // bytes of the buffers
	most    int64         // bytes of a stage
}

// pipelineBuffer is a buffer of a pipeline with what is known of its elements.
type pipelineBuffer struct {
	*buffer
	shape  Shape     // of the extents
	from   Origin    // what filled or wrote it last
	random bool      // drawn at random, and not written since
	known  []bool    // filled or written
	bound  []float64 // of the error that the stage which wrote the element may have made
}

// ended is what a run panics with to leave the pipeline's Run: the result says
// why.
type ended struct{}

// runPipeline takes a pipeline from its inputs to its verdict, on adversaries too.
func runPipeline(runner metalrun.Runner, opts Options, test Case, r *Result) {
	c := newPipelineRun(runner, opts, test, r)
	if len(opts.Adversaries) > 0 {
		c.known = NewStageAnswers()
	}
	c.run()
	opts.rooms.note(test, c.held())
	c.buffers = nil // adversaries have their own
	c.onAdversaries()
}

// held is about how many bytes the run has held at a time.
func (c *PipelineRun) held() int64 {
	n := c.made + c.most
	if c.known != nil {
		n += c.known.bytes
	}
	return n
}

// newPipelineRun is a pipeline at its start.
func newPipelineRun(runner metalrun.Runner, opts Options, test Case, r *Result) *PipelineRun {
	return &PipelineRun{Shape: test.Shape, test: test, runner: runner, opts: opts, result: r, buffers: map[string]*pipelineBuffer{}}
}

// run fills the pipeline's buffers and takes it through its stages and invariants.
func (c *PipelineRun) run() {
	test, opts, r := c.test, c.opts, c.result
	if why := test.Pipeline.Math.unsupported(test.Math.Mode, test.Shape); why != "" {
		r.Because(Skip, "%s", why)
		return
	}
	defer func() {
		c.total.report(r)
		p := recover()
		if _, early := p.(ended); p != nil && !early {
			panic(p)
		}
	}()
	for _, name := range test.Pipeline.Kernels {
		t := c.stageRun(name)
		if !t.BindKernel(opts.Shaders, r) {
			if r.Status == Skip {
				r.Reason = test.of(name, r.Reason)
			}
			return
		}
	}
	for _, a := range test.Pipeline.Buffers {
		b, err := newBuffer(test, a, opts.Seed)
		if err != nil {
			c.stop("%v", err)
		}
		p := c.enter(b, test.Shape, a.Role != RoleOut)
		p.from, p.random = Origin{Inputs: test.filledBy(a)}, test.Input.Random
	}
	test.Pipeline.Run(c)
}

// stop ends the case: it could not be judged.
func (c *PipelineRun) stop(format string, args ...any) { c.stopAt("", format, args...) }

// stopAt ends the case at a stage or an invariant that could not be judged.
func (c *PipelineRun) stopAt(stage, format string, args ...any) {
	c.result.Because(Error, format, args...)
	c.result.StoppedAt = stage
	panic(ended{})
}

// fail ends the case with what a stage or an invariant found, unless all of that is
// waived.
func (c *PipelineRun) fail(stage string, failures []Failure) {
	if len(failures) == 0 {
		return
	}
	for i := range failures {
		failures[i].Stage = stage
	}
	c.result.FailBy(append(c.result.Failures, failures...))
	for _, f := range failures {
		if _, ok := c.opts.Declared.waives(c.test, f); !ok {
			panic(ended{})
		}
	}
}

// enter enters a buffer under its argument's name.
func (c *PipelineRun) enter(b *buffer, s Shape, known bool) *pipelineBuffer {
	p := &pipelineBuffer{buffer: b, shape: s, known: slices.Repeat([]bool{known}, b.count()), bound: make([]float64, b.count())}
	c.buffers[b.arg.Name] = p
	c.made += int64(len(b.data) + len(b.before) + 9*b.count())
	return p
}

// at is the buffer called name.
func (c *PipelineRun) at(name string) *pipelineBuffer {
	p, ok := c.buffers[name]
	if !ok {
		c.stop("no stage has written a buffer %q", name)
	}
	return p
}

// whole is the buffer called name, every element of it known.
func (c *PipelineRun) whole(name string) *pipelineBuffer {
	p := c.at(name)
	if i := slices.Index(p.known, false); i >= 0 {
		c.stop("no stage has written %s", p.element(i))
	}
	return p
}

// element is element i of the buffer.
func (p *pipelineBuffer) element(i int) Element {
	return Element{Arg: p.arg.Name, Index: p.arg.index(p.shape, i)}
}

// stageRun is a stage that has not been bound yet.
func (c *PipelineRun) stageRun(kernel string) *CaseRun {
	k, ok := c.test.kernels[kernel]
	if !ok || !slices.Contains(c.test.Pipeline.Kernels, kernel) {
		c.stop("the pipeline launches %s, which is no kernel of its list or of the catalogue", kernel)
	}
	test := Case{Name: c.test.Name, Variant: c.test.Variant, Math: c.test.maths[kernel], Family: c.test.Family, Kernel: k}
	o := c.opts.judging(c.runner)
	o.repeat, o.plain, o.simulator, o.metrics, o.today = c.opts.Repeat, c.opts.Plain, c.opts.Simulator, c.opts.Metrics, c.opts.Today
	o.brief, o.known = c.brief, c.known
	return newCaseRun(test, o)
}

// Launch runs one stage and judges it by its kernel's own oracle on the inputs
// that it got: every output, the guards, what must not change.
func (c *PipelineRun) Launch(s Step) {
	c.stages++
	if c.test.Pipeline.Alter != nil {
		c.test.Pipeline.Alter(c, &s)
	}
	t := c.stageRun(s.Kernel)
	t.Kernel = s.with(t.Kernel)
	t.Shape = Shape{}
	for _, a := range t.Kernel.Axes {
		if n, ok := s.Shape[a]; ok {
			t.Shape[a] = n
		} else {
			t.Shape[a] = a.Size(c.Shape)
		}
	}
	stage := StageName(c.stages, s.name())
	if err := t.Kernel.check(t.Shape); err != nil {
		c.stopAt(stage, "the host refuses its shape: %v", err)
	}
	r := Result{Case: c.test.Name, Status: Pass}
	if t.BindKernel(c.opts.Shaders, &r) {
		c.load(t, s, stage)
		if t.fastMathForbids() {
			c.result.Because(Skip, "not judged in %s math: inputs of %s hold NaN or infinities, which the compiler may take for impossible", t.Math, stage)
			panic(ended{})
		}
		var before *CaseRun
		if c.observe != nil {
			before = t.Snapshot()
		}
		t.Conduct(&r)
		c.most = max(c.most, t.Size())
		c.observeStage(stage, s, before, t, r)
	}
	c.merge(stage, r)
	c.keep(t, s, stage)
}

// with is the kernel with the scalars that the step sets.
func (s Step) with(k *Kernel) *Kernel {
	changed := *k
	changed.Launches = func(shape Shape) []Launch {
		launches := Case{Kernel: k, Shape: shape}.LaunchSequence()
		for i, l := range launches {
			set := map[string]float64{}
			for _, from := range []map[string]float64{l.Set, s.Set} {
				for name, x := range from {
					set[name] = x
				}
			}
			launches[i].Set = set
		}
		return launches
	}
	return &changed
}

// Buffer is the name of the pipeline's buffer that is bound to an argument.
func (s Step) Buffer(arg string) string {
	if name, ok := s.Buffers[arg]; ok {
		return name
	}
	return arg
}

// load gives the stage buffers of its own with the contents of the pipeline's, but for
// what none of its results may depend on. An output that no buffer stands for yet is
// made.
func (c *PipelineRun) load(t *CaseRun, s Step, stage string) {
	t.buffers, t.Input.Random = make([]*buffer, len(t.Kernel.Args)), true
	for i, a := range t.Kernel.Args {
		if !a.Buffer() {
			continue
		}
		b, err := poisoned(a, t.Shape)
		if err != nil {
			c.stopAt(stage, "%v", err)
		}
		name := s.Buffer(a.Name)
		if _, ok := c.buffers[name]; !ok && a.Role == RoleOut {
			c.make(name, a, t.Shape)
		}
		p := c.at(name)
		window, err := p.window(b, s)
		if err != nil {
			c.stopAt(stage, "%s: %v", a.Name, err)
		}
		if a.Role != RoleOut {
			unread := a.unread(t.Shape)
			if slices.Contains(p.known[window.First:window.End], false) {
				for j := range b.count() {
					if !p.known[window.First+j] && !b.leaves(j) && !within(unread, j) {
						c.stopAt(stage, "it reads %s as %s, which no stage has written", p.element(window.First+j), Element{Arg: a.Name, Index: a.index(t.Shape, j)})
					}
				}
			}
			copy(b.payload(), p.part(window))
			b.spoil(unread, Generator(c.test.Name, stage+":"+a.Name, c.opts.Seed))
			t.Input.Random = t.Input.Random && p.random
		}
		b.remember()
		t.buffers[i] = b
	}
}

// make enters a buffer for an output that the pipeline does not declare.
func (c *PipelineRun) make(name string, a Arg, s Shape) {
	a.Name, a.Untouched = name, nil
	b, err := poisoned(a, s)
	if err != nil {
		c.stop("%v", err)
	}
	c.enter(b, s, false)
}

// leaves reports whether element i is one that a run must not touch.
func (b *buffer) leaves(i int) bool { return within(b.ranges, i) }

// within reports whether element i is in one of the ranges.
func within(ranges []Range, i int) bool {
	return slices.ContainsFunc(ranges, func(r Range) bool { return r.First <= i && i < r.End })
}

// window is the range of elements that stands for b in a step.
func (p *pipelineBuffer) window(b *buffer, s Step) (Range, error) {
	w, ok := s.Windows[b.arg.Name]
	if !ok {
		w = Range{0, p.count()}
	}
	switch {
	case !sameBits(p.arg.Type, b.arg.Type):
		return w, fmt.Errorf("is %s, and the buffer %s is %s", b.arg.Type, p.arg.Name, p.arg.Type)
	case w.First < 0 || w.End > p.count():
		return w, fmt.Errorf("window %d:%d of %s, which has %d elements", w.First, w.End, p.arg.Name, p.count())
	case w.End-w.First != b.count():
		return w, fmt.Errorf("has %d elements, and %d:%d of %s has %d", b.count(), w.First, w.End, p.arg.Name, w.End-w.First)
	case b.arg.Writable() && p.arg.Role == RoleIn:
		return w, fmt.Errorf("is written, and the pipeline only reads %s", p.arg.Name)
	}
	return w, nil
}

// sameBits reports whether elements of one type may be taken as those of
// another: the same type, or words of the same size.
func sameBits(a, b Type) bool {
	_, af := a.Format()
	_, bf := b.Format()
	return a == b || a.Bytes() == b.Bytes() && !(af && bf)
}

// part are the bytes of a range of elements.
func (p *pipelineBuffer) part(w Range) []byte {
	size := p.arg.Type.Bytes()
	return p.payload()[w.First*size : w.End*size]
}

// keep copies what the stage wrote back to the pipeline's buffers.
func (c *PipelineRun) keep(t *CaseRun, s Step, stage string) {
	for _, b := range t.buffers {
		if b == nil || !b.arg.Writable() {
			continue
		}
		p := c.at(s.Buffer(b.arg.Name))
		p.from, p.random = Origin{Stage: stage}, false
		w, _ := p.window(b, s)
		answer, size := t.answers[b.arg.Name], b.arg.Type.Bytes()
		for _, part := range b.written() {
			to := Range{w.First + part.First, w.First + part.End}
			copy(p.part(to), b.payload()[part.First*size:part.End*size])
			for i := part.First; i < part.End; i++ {
				p.known[w.First+i], p.bound[w.First+i] = true, answer.Bound(i)
			}
		}
	}
}

// written are the ranges of elements that a run may touch.
func (b *buffer) written() []Range {
	var list []Range
	first, count := 0, b.count()
	for _, r := range b.ranges {
		if r.First > first {
			list = append(list, Range{first, min(r.First, count)})
		}
		first = max(first, min(r.End, count))
	}
	if first < count {
		list = append(list, Range{first, count})
	}
	return list
}

// merge adds what a stage was found to be, and ends the case unless it passed
// or what it failed is waived.
func (c *PipelineRun) merge(stage string, r Result) {
	c.total.add(figures{
		elements: r.Elements, open: r.Open, ratio: r.ErrorRatio, worst: r.Worst, outputs: r.Outputs,
	}, stage)
	c.result.NS += r.NS
	c.result.Work = together(c.result.Work, r.Work)
	c.result.Digest = joined(c.result.Digest, r.Digest)
	c.result.Distinct = max(c.result.Distinct, r.Distinct)
	for _, position := range r.Declared {
		c.result.Declared = with(c.result.Declared, position)
	}
	for _, text := range r.Warnings {
		c.result.warn(text)
	}
	for _, text := range r.Notes {
		c.result.note(text)
	}
	for _, e := range r.ThreeWays {
		e.Stage = stage
		c.result.ThreeWays = append(c.result.ThreeWays, e)
	}
	for _, f := range r.Findings {
		f.Stage = stage
		c.result.Findings = append(c.result.Findings, f)
	}
	switch r.Status {
	case Pass:
	case Fail:
		c.fail(stage, r.Failures)
	default:
		c.result.Status, c.result.Reason, c.result.StoppedAt = r.Status, r.Reason, stage
		c.result.Panicked, c.result.Crash = r.Panicked, r.Crash
		panic(ended{})
	}
}

// add takes in the figures of a stage or an invariant.
func (f *figures) add(g figures, stage string) {
	f.elements += g.elements
	f.open += g.open
	if g.ratio > f.ratio {
		f.ratio, f.worst = g.ratio, &Element{stage, g.worst.Arg, g.worst.Index}
	}
	for _, m := range g.outputs {
		m.Stage = stage
		f.outputs = append(f.outputs, m)
	}
}

// Values are the elements of a floating-point buffer.
func (c *PipelineRun) Values(name string) []float64 { return c.whole(name).values() }

// Words are the elements of an integer buffer, i32 in two's complement.
func (c *PipelineRun) Words(name string) []uint32 { return c.whole(name).words() }

// Bounds are the rigorous bounds of a buffer's elements: of the error that the
// stage which wrote the element may have made, given the inputs that it got. 0
// for what no stage has written.
func (c *PipelineRun) Bounds(name string) []float64 { return slices.Clone(c.whole(name).bound) }

// BoundsIn are those of a range of elements, the others of which need not be
// written yet.
func (c *PipelineRun) BoundsIn(name string, r Range) []float64 {
	p := c.at(name)
	if i := slices.Index(p.known[r.First:r.End], false); i >= 0 {
		c.stop("no stage has written %s", p.element(r.First+i))
	}
	return slices.Clone(p.bound[r.First:r.End])
}

// Store makes a buffer on the host, such as rows gathered for a launch, or
// replaces one. The values are rounded to the type.
func (c *PipelineRun) Store(name string, t Type, values []float64) {
	b, err := poisoned(Arg{Name: name, Role: RoleInOut, Type: t, Extents: []Extent{Fixed(len(values))}}, nil)
	if err != nil {
		c.stop("%v", err)
	}
	p := b.payload()[:0]
	for _, x := range values {
		p = t.append(p, x)
	}
	c.enter(b, nil, true).from = Origin{Host: true}
}

// Copy makes a buffer with the contents of another, such as a state that two
// stages start from.
func (c *PipelineRun) Copy(from, to string) {
	p := c.whole(from)
	arg := p.arg
	arg.Name, arg.Role = to, RoleInOut
	q := c.enter(&buffer{arg: arg, data: slices.Clone(p.data)}, p.shape, true)
	q.from, q.random = p.from, p.random
	copy(q.bound, p.bound)
}
