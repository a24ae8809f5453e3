package suite

import (
	"bytes"
	"maps"
	"math"
	"slices"

	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/suite/coverage"
)

// NewCaseRun is a case at its start, on one device. Of the options those count that say how a case is
// judged there: the seed, what is declared, exact execution, the date and the repetitions.
func NewCaseRun(runner metalrun.Runner, opts Options, c Case) *CaseRun {
	o := opts.judging(runner)
	o.today, o.repeat = opts.Today, opts.Repeat
	return newCaseRun(c, o)
}

// Entry is the kernel as the device has compiled it.
func (t *CaseRun) Entry() metalrun.Kernel { return t.kernel }

// Clock is that of some launch, if it was not the device's.
func (t *CaseRun) Clock() metalrun.Clock { return t.clock }

// SetClock sets the clock of launches that were made outside the case.
func (t *CaseRun) SetClock(c metalrun.Clock) { t.clock = c }

// Dispatches are the launches of the case as the device takes them, on its buffers.
func (t *CaseRun) Dispatches() (list []metalrun.Dispatch, err error) {
	t.reset()
	for _, l := range t.LaunchSequence() {
		d, err := t.Dispatch(l)
		if err != nil {
			return nil, err
		}
		t.markLaunched(l)
		list = append(list, d)
	}
	return list, nil
}

// BufferBytes is what the buffers take, guards included.
func (t *CaseRun) BufferBytes() (n int) {
	for _, b := range t.buffers {
		if b != nil {
			n += len(b.data)
		}
	}
	return n
}

// Size is about how many bytes inputs and exact results take, and what runs that passed leave.
func (t *CaseRun) Size() int64 {
	n := 0
	for _, b := range t.buffers {
		if b != nil {
			n += 4 * len(b.data)
		}
	}
	for _, a := range t.answers {
		n += 8*(len(a.Want)*(1+len(a.Budget))+len(a.Scale)+len(a.Sigma)+len(a.Systematic)) + len(a.Any)
	}
	return int64(n)
}

// Values are the elements of a buffer as they are now; nil if there is none of that name.
func (t *CaseRun) Values(arg string) []float64 {
	for _, b := range t.buffers {
		if b != nil && b.arg.Name == arg {
			return b.values()
		}
	}
	return nil
}

// Answer is what the oracle says of a buffer, once it has been asked.
func (t *CaseRun) Answer(arg string) oracles.Answer { return t.answers[arg] }

// Refused reports whether the host has to refuse the case's shape: then nothing is launched.
func (c Case) Refused() bool { return c.Input.Name == refused }

// Recorded reports whether the oracle's answers are recorded, and hold for the case's inputs alone.
func (c Case) Recorded() bool { return c.Input.recorded }

// AtEnd reports whether the case is the end of a larger launch.
func (c Case) AtEnd() bool { return c.end != nil }

// Admit is the host's validation of the case's shape.
func (c Case) Admit() error { return c.Kernel.check(c.Whole()) }

// InputValues are the elements that a buffer has before the first launch.
func (c Case) InputValues(a Arg, seed uint64) ([]float64, error) {
	b, err := newBuffer(c, a, seed)
	if err != nil {
		return nil, err
	}
	return b.values(), nil
}

// Filled is the family with other fills, and nothing else that overwrites elements.
func (in Input) Filled(fills Fills) Input {
	in.Fills, in.unread = fills, nil
	return in
}

// Sizes are the extents of a buffer at shape s.
func (a Arg) Sizes(s Shape) []int { return sizes(a, s) }

// On is the case on another device.
func (t *CaseRun) On(runner metalrun.Runner) *CaseRun {
	return t.under(func(o *caseOptions) { o.runner = runner })
}

// Fork is the case on copies of its buffers.
func (t *CaseRun) Fork() *CaseRun {
	u := *t
	u.buffers = make([]*buffer, len(t.buffers))
	for i, b := range t.buffers {
		if b != nil {
			copied := *b
			copied.data = bytes.Clone(b.data)
			u.buffers[i] = &copied
		}
	}
	return &u
}

// unwritten is what tells the case's unwritten elements.
func (t *CaseRun) unwritten() *unwritten { return &unwritten{launch: t.launchOnOtherBits} }

// launchOnOtherBits launches the case from its beginning on copies of its buffers. It returns nil if the launch
// fails, or if nobody has kept what the buffers held at the beginning.
func (t *CaseRun) launchOnOtherBits() []*buffer {
	u := t.fromStart(otherPattern)
	if u == nil {
		return nil
	}
	for _, b := range u.buffers {
		if b != nil {
			b.stores = &metalrun.Written{}
		}
	}
	if _, err := u.runLaunches(); err != nil {
		return nil
	}
	return u.buffers
}

// fromStart is the case before its first launch, on copies of its buffers whose outputs hold a pattern. It is nil if
// nobody has kept what the buffers held. What its launches find does not count.
func (t *CaseRun) fromStart(pattern uint32) *CaseRun {
	u := t.under(func(o *caseOptions) { o.reach, o.untried = nil, true })
	u.exactNotes, u.profiles = nil, nil
	u.buffers = make([]*buffer, len(t.buffers))
	for i, b := range t.buffers {
		if b == nil {
			continue
		}
		c := *b
		c.data, c.exact = bytes.Clone(b.data), nil
		switch {
		case b.arg.Role == RoleOut:
			poison(c.payload(), pattern)
		case b.arg.Role == RoleIn:
			copy(c.payload(), b.before)
		case i < len(t.started) && t.started[i] != nil:
			copy(c.data, t.started[i])
		default:
			return nil
		}
		u.buffers[i] = &c
	}
	return u
}

// contentsAtStart are the contents of buffers that the kernel reads and writes, before the first launch, if the case
// has outputs that may turn out to be unwritten.
func (t *CaseRun) contentsAtStart() Contents {
	outputs, updated := false, false
	for _, b := range t.buffers {
		outputs = outputs || b != nil && b.arg.Role == RoleOut
		updated = updated || b != nil && b.arg.Role == RoleInOut
	}
	if !outputs || !updated {
		return nil
	}
	c := make(Contents, len(t.buffers))
	for i, b := range t.buffers {
		if b != nil && b.arg.Role == RoleInOut {
			c[i] = bytes.Clone(b.data)
		}
	}
	return c
}

// AskOracle asks for the answers alone, from the buffers as they are.
func (t *CaseRun) AskOracle() {
	problem := t.problem()
	t.answers, t.contract = t.Kernel.Oracle(problem), problem.Contract
}

// Answers are what the oracle says, once it has been asked.
func (t *CaseRun) Answers() Answers { return t.answers }

// EntryPoint is a compiled kernel, and the file of the shaders that has it.
type EntryPoint struct {
	Kernel  metalrun.Kernel
	Shaders *Shaders
	File    string
	Info    metalrun.KernelInfo
}

// Rebind has the case run another entry point with the arguments of its own. If that has other declared tables than
// the original, the oracle is asked anew. It reports false where the case ends here.
func (t *CaseRun) Rebind(e EntryPoint, r *Result) bool {
	before := t.tables
	t.kernel, t.shaders, t.file = e.Kernel, e.Shaders, e.File
	if !t.readTables(e.Shaders, e.File, e.Info, r) {
		return false
	}
	if !maps.EqualFunc(before, t.tables, slices.Equal) {
		t.answers = t.Kernel.Oracle(t.problem())
	}
	return true
}

// Substitute has launches run another kernel.
func (t *CaseRun) Substitute(k metalrun.Kernel) { t.kernel = k }

// AskExactly has exact execution bound answers that have no budget, from what the buffers
// held before the launch. That has ended by itself, and so will this.
func (t *CaseRun) AskExactly(before Contents) {
	after := t.Contents()
	t.Restore(before)
	t.exacts = t.exactly(nil)
	t.Restore(after)
}

// Blank puts zeros around buffers and into outputs.
func (t *CaseRun) Blank() {
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

// CompareBeside judges elements that have other bits than in a run that passed, and measures nothing. It
// reports false where they could not be judged.
func (t *CaseRun) CompareBeside(passed Contents, r *Result) bool {
	brief := t.under(func(o *caseOptions) { o.brief = true })
	brief.against = passed
	return brief.Compare(r)
}

// BelowCosine is the first output whose cosine with its exact values is below a limit; ok is false if
// there is none.
func (t *CaseRun) BelowCosine(limit float64) (arg string, cosine float64, ok bool) {
	t.arrange()
	for _, b := range t.buffers {
		if b == nil || !b.arg.Writable() {
			continue
		}
		if c := b.cosine(t.answers[b.arg.Name]); !(c >= limit) {
			return b.arg.Name, c, true
		}
	}
	return "", 0, false
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

// Program is a build of the .metal file called file.
func (s *Shaders) Program(file string, b Build, m metalrun.Math) (*metalrun.Program, error) {
	return s.unit(file).program(b, m, "")
}

// ForgetLibraries lets go of what was compiled of a file.
func (s *Shaders) ForgetLibraries(file string) { clear(s.unit(file).libraries) }

// RunPipeline judges one case of a pipeline, by exact results that are known.
func RunPipeline(runner metalrun.Runner, opts Options, c Case, known *StageAnswers, r *Result) {
	run := newPipelineRun(runner, opts, c, r)
	run.known = known
	run.run()
}

// Close has no more kept.
func (s *StageAnswers) Close() { s.whole = true }

// NamedScalars are what the first launch passes by setBytes.
func (t *CaseRun) NamedScalars() []NamedScalar {
	var list []NamedScalar
	for _, a := range t.Kernel.Args {
		for _, f := range a.Scalars() {
			x := f.Type.Round(f.ValueIn(t.Shape, t.LaunchSequence()[0]))
			list = append(list, NamedScalar{f.Name, f.Type.String(), Value(x)})
		}
	}
	return list
}

// Contract is the one that the oracle went by.
func (t *CaseRun) Contract() oracles.Contract { return t.contract }

// Shaders are those that have the kernel.
func (t *CaseRun) Shaders() *Shaders { return t.shaders }

// KnownExactly reports whether exact execution knows anything of the case.
func (t *CaseRun) KnownExactly() bool { return t.exacts != nil && t.exacts.device != nil }

// AtStart is a case with its buffers as they are before the first launch, and with the tables of t.
func (t *CaseRun) AtStart(c Case) (*CaseRun, error) {
	u := newCaseRun(c, caseOptions{seed: t.seed, declared: t.declared})
	u.tables, u.constants = t.tables, t.constants
	return u, u.FillBuffers()
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

// ReadyExactly readies a case for launches on the device that knows most of another.
func (t *CaseRun) ReadyExactly(known *CaseRun) (err error) {
	if t.kernel, err = t.compiled(known.shaders, known.file, known.exacts.device); err != nil {
		return err
	}
	t.reset()
	for _, b := range t.buffers {
		if b != nil && b.arg.Writable() {
			b.exact = &metalrun.Exact{}
		}
	}
	return nil
}

// BoundArg is the argument whose buffer launch l binds under the name of an argument.
func (t *CaseRun) BoundArg(name string, l Launch) (Arg, error) {
	b, err := t.bound(name, l)
	if err != nil {
		return Arg{}, err
	}
	return b.arg, nil
}

// Contents are what the writable buffers of a case hold, guards included, by
// argument index; nil for the other arguments.
type Contents [][]byte

// Contents are a copy of what the writable buffers hold.
func (t *CaseRun) Contents() Contents {
	c := make(Contents, len(t.buffers))
	for i, b := range t.buffers {
		if b != nil && b.arg.Writable() {
			c[i] = bytes.Clone(b.data)
		}
	}
	return c
}

// Restore puts contents back.
func (t *CaseRun) Restore(c Contents) {
	for i, data := range c {
		if data != nil {
			copy(t.buffers[i].data, data)
		}
	}
}

// instrumented is a kernel that tells which of its statements are executed.
type instrumented struct {
	of     coverage.Kernel
	kernel metalrun.Kernel
}

// bindCovering has the case's kernel with marks, if coverage is asked for.
func (t *CaseRun) bindCovering() error {
	t.covered = instrumented{}
	if t.coverage == nil {
		return nil
	}
	program, err := t.shaders.unit(t.file).program(t.Build(), t.Arithmetic(), t.Kernel.Name)
	if err != nil {
		return err
	}
	if err := t.coverage.Enter(program); err != nil {
		return err
	}
	k := coverage.Kernel{Of: t.shaders, Name: t.Kernel.Name, Build: t.Build().Key(), Math: t.Arithmetic()}
	if !t.coverage.Pending(k) {
		return nil
	}
	t.covered.of = k
	t.covered.kernel, err = t.compiled(t.shaders, t.file, t.coverage.Runner())
	return err
}

// startOf is a launch as it is about to begin, for another one after it, with copies of the buffers that are written;
// ok is false if no other launch is wanted.
func (t *CaseRun) startOf(d metalrun.Dispatch) (start metalrun.Dispatch, ok bool) {
	if t.covered.kernel == nil || !t.coverage.Pending(t.covered.of) {
		return d, false
	}
	written, copies := map[*byte]bool{}, map[*byte][]byte{}
	for n, b := range d.Bindings {
		if t.Kernel.Args[n].Writable() && len(b.Data) > 0 {
			written[&b.Data[0]] = true
		}
	}
	start = d
	start.Bindings = slices.Clone(d.Bindings)
	for n := range start.Bindings {
		b := &start.Bindings[n]
		b.Exact, b.Written = nil, nil
		if len(b.Data) == 0 || !written[&b.Data[0]] {
			continue
		}
		if copies[&b.Data[0]] == nil {
			copies[&b.Data[0]] = slices.Clone(b.Data)
		}
		b.Data = copies[&b.Data[0]]
	}
	return start, true
}

// cover makes a launch that has ended well once more, to see what it executes.
func (t *CaseRun) cover(start metalrun.Dispatch) {
	// what a launch executes that does not end well is executed, too
	outcome, _ := t.covered.kernel.Run(start)
	t.coverage.Note(t.covered.of, outcome.Covered)
}
