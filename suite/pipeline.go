package suite

import (
	"fmt"
	"slices"

	"metalconform/metalrun"
)

// pipelineRun is a pipeline on its way through a runner: its buffers, and the means to
// launch stages and to check invariants.
type pipelineRun struct {
	Shape Shape

	handle  *PipelineRun // that the pipeline has
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
func (c *pipelineRun) held() int64 {
	n := c.made + c.most
	if c.known != nil {
		n += c.known.bytes
	}
	return n
}

// newPipelineRun is a pipeline at its start.
func newPipelineRun(runner metalrun.Runner, opts Options, test Case, r *Result) *pipelineRun {
	c := &pipelineRun{Shape: test.Shape, test: test, runner: runner, opts: opts, result: r,
		buffers: map[string]*pipelineBuffer{}}
	c.handle = &PipelineRun{test.Shape, c}
	return c
}

// run fills the pipeline's buffers and takes it through its stages and invariants.
func (c *pipelineRun) run() {
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
	test.Pipeline.Run(c.handle)
}

// stop ends the case: it could not be judged.
func (c *pipelineRun) stop(format string, args ...any) { c.stopAt("", format, args...) }

// stopAt ends the case at a stage or an invariant that could not be judged.
func (c *pipelineRun) stopAt(stage, format string, args ...any) {
	c.result.Because(Error, format, args...)
	c.result.StoppedAt = stage
	panic(ended{})
}

// fail ends the case with what a stage or an invariant found, unless all of that is
// waived.
func (c *pipelineRun) fail(stage string, failures []Failure) {
	if len(failures) == 0 {
		return
	}
	for i := range failures {
		failures[i].Stage = stage
	}
	c.result.FailBy(append(c.result.Failures, failures...))
	for _, f := range failures {
		if _, ok := c.opts.Declared.waives(c.test, f, failures); !ok {
			panic(ended{})
		}
	}
}

// enter enters a buffer under its argument's name.
func (c *pipelineRun) enter(b *buffer, s Shape, known bool) *pipelineBuffer {
	p := &pipelineBuffer{buffer: b, shape: s, known: slices.Repeat([]bool{known}, b.count()),
		bound: make([]float64, b.count())}
	c.buffers[b.arg.Name] = p
	c.made += int64(len(b.data) + len(b.before) + 9*b.count())
	return p
}

// at is the buffer called name.
func (c *pipelineRun) at(name string) *pipelineBuffer {
	p, ok := c.buffers[name]
	if !ok {
		c.stop("no stage has written a buffer %q", name)
	}
	return p
}

// whole is the buffer called name, every element of it known.
func (c *pipelineRun) whole(name string) *pipelineBuffer {
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
func (c *pipelineRun) stageRun(kernel string) *CaseRun {
	k, ok := c.test.kernels[kernel]
	if !ok || !slices.Contains(c.test.Pipeline.Kernels, kernel) {
		c.stop("the pipeline launches %s, which is no kernel of its list or of the catalogue", kernel)
	}
	test := Case{Name: c.test.Name, Variant: c.test.Variant, Math: c.test.maths[kernel], Family: c.test.Family,
		Kernel: k}
	o := c.opts.judging(c.runner)
	o.repeat, o.plain, o.simulator, o.metrics, o.today = c.opts.Repeat, c.opts.Plain, c.opts.Simulator, c.opts.Metrics,
		c.opts.Today
	o.brief, o.known = c.brief, c.known
	return newCaseRun(test, o)
}

// Launch runs one stage and judges it by its kernel's own oracle on the inputs
// that it got: every output, the guards, what must not change.
func (c *pipelineRun) Launch(s Step) {
	c.stages++
	if c.test.Pipeline.Alter != nil {
		c.test.Pipeline.Alter(c.handle, &s)
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
			c.result.Because(Skip,
				"not judged in %s math: inputs of %s hold NaN or infinities, which the compiler may take for "+
					"impossible", t.Math, stage)
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

// load gives the stage buffers of its own with the contents of the pipeline's, but for
// what none of its results may depend on. An output that no buffer stands for yet is
// made.
func (c *pipelineRun) load(t *CaseRun, s Step, stage string) {
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
						c.stopAt(stage, "it reads %s as %s, which no stage has written", p.element(window.First+j),
							Element{Arg: a.Name, Index: a.index(t.Shape, j)})
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
func (c *pipelineRun) make(name string, a Arg, s Shape) {
	a.Name, a.Untouched = name, nil
	b, err := poisoned(a, s)
	if err != nil {
		c.stop("%v", err)
	}
	c.enter(b, s, false)
}

// leaves reports whether element i is one that a run must not touch.
func (b *buffer) leaves(i int) bool { return within(b.ranges, i) }

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
		return w, fmt.Errorf("has %d elements, and %d:%d of %s has %d", b.count(), w.First, w.End, p.arg.Name,
			w.End-w.First)
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
func (c *pipelineRun) keep(t *CaseRun, s Step, stage string) {
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
func (c *pipelineRun) merge(stage string, r Result) {
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
func (c *pipelineRun) Values(name string) []float64 { return c.whole(name).values() }

// Words are the elements of an integer buffer, i32 in two's complement.
func (c *pipelineRun) Words(name string) []uint32 { return c.whole(name).words() }

// Bounds are the rigorous bounds of a buffer's elements: of the error that the
// stage which wrote the element may have made, given the inputs that it got. 0
// for what no stage has written.
func (c *pipelineRun) Bounds(name string) []float64 { return slices.Clone(c.whole(name).bound) }

// BoundsIn are those of a range of elements, the others of which need not be
// written yet.
func (c *pipelineRun) BoundsIn(name string, r Range) []float64 {
	p := c.at(name)
	if i := slices.Index(p.known[r.First:r.End], false); i >= 0 {
		c.stop("no stage has written %s", p.element(r.First+i))
	}
	return slices.Clone(p.bound[r.First:r.End])
}

// Store makes a buffer on the host, such as rows gathered for a launch, or
// replaces one. The values are rounded to the type.
func (c *pipelineRun) Store(name string, t Type, values []float64) {
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
func (c *pipelineRun) Copy(from, to string) {
	p := c.whole(from)
	arg := p.arg
	arg.Name, arg.Role = to, RoleInOut
	q := c.enter(&buffer{arg: arg, data: slices.Clone(p.data)}, p.shape, true)
	q.from, q.random = p.from, p.random
	copy(q.bound, p.bound)
}
