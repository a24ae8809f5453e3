package suite

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/suite/metrics"
)

// Options are the choices of a run.
type Options struct {
	Shaders  *Shaders // the kernels under test
	Seed     uint64   // of all inputs, together with the case's name
	Parallel int      // cases judged at once; 0: one for each processor
	Memory   int64    // bytes that the cases judged at once may take; 0: 3 GiB
	// Repeat is how often each case, and each stage of a pipeline, is launched
	// from the same inputs: every time it has to give the same bits. 0 and 1
	// mean once.
	Repeat  int
	Metrics metrics.Table // that outputs are measured by; nil: metrics.All
	// Plain, if not nil, is what the errors of outputs are compared with.
	Plain *Plain
	// Adversary makes the device that takes the first so many of a kernel's
	// choices against it, for a run on the one that takes all: what fails there is
	// traced to the first choice that it relies on. nil for other runs.
	Adversary func(choices int) metalrun.Runner
	// Declared is what the authors of the kernels declare; nil for nothing. The
	// cases are to be those of its [Declarations.Families].
	Declared *Declarations
	// ReplayFlags are the flags beside -run, -seed and -sweep that repeat a
	// case, such as "-shaders DIR".
	ReplayFlags string
}

const defaultMemory = 3 << 30

// Run judges cases on a runner and reports each result, in the order of the
// cases whatever the order of their ends. It returns ctx's error if it was
// cancelled: then the results of a first part of the cases have been reported.
func Run(ctx context.Context, runner metalrun.Runner, opts Options, cases []Case, report func(Result)) error {
	parallel := opts.Parallel
	if parallel <= 0 {
		parallel = runtime.GOMAXPROCS(0)
	}
	memory := newBudget(opts.Memory)
	backend := runner.Device().Backend
	results := make([]chan Result, len(cases))
	for i := range results {
		results[i] = make(chan Result, 1)
	}
	go func() {
		slots := make(chan struct{}, parallel)
		for i, c := range cases {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
			}
			if ctx.Err() != nil {
				for _, r := range results[i:] {
					close(r)
				}
				return
			}
			size := memory.acquire(c.bytes())
			go func() {
				r := runCase(runner, opts, c)
				r.Backend = backend
				results[i] <- r
				memory.release(size)
				<-slots
			}()
		}
	}()
	for _, r := range results {
		result, ok := <-r
		if !ok {
			return ctx.Err()
		}
		report(result)
	}
	return nil
}

// budget limits the memory of the cases judged at once.
type budget struct {
	mu   sync.Mutex
	cond *sync.Cond
	free int64
	size int64
}

func newBudget(size int64) *budget {
	if size <= 0 {
		size = defaultMemory
	}
	b := &budget{free: size, size: size}
	b.cond = sync.NewCond(&b.mu)
	return b
}

// acquire waits until n bytes are free, or all of them for a case that takes
// more, and returns what it took.
func (b *budget) acquire(n int64) int64 {
	n = min(n, b.size)
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.free < n {
		b.cond.Wait()
	}
	b.free -= n
	return n
}

func (b *budget) release(n int64) {
	b.mu.Lock()
	b.free += n
	b.mu.Unlock()
	b.cond.Broadcast()
}

// runCase takes one case from its name to its verdict.
func runCase(runner metalrun.Runner, opts Options, c Case) Result {
	result := verdict(opts, c, func(r *Result) {
		if opts.Declared.skip(c, r) {
			return
		}
		if c.Pipeline != nil {
			runPipeline(runner, opts, c, r)
			return
		}
		t := &caseRun{Case: c, runner: runner, seed: opts.Seed, repeat: opts.Repeat, plain: opts.Plain, metrics: opts.Metrics}
		if t.find(opts.Shaders, r) {
			t.judge(r)
		}
		if opts.Adversary != nil && r.Status == Fail && t.kernel != nil {
			t.findReliance(opts, r)
		}
	})
	opts.Declared.apply(c, &result)
	return result
}

// verdict is what a case comes to. A shape that the host refuses is
// not launched. A panic, in an oracle or in a specification, is an error of the
// case and not of the run.
func verdict(opts Options, c Case, launch func(*Result)) (r Result) {
	r = Result{Case: c.Name, Kernel: c.Kernel.Name, Family: c.Family, Seed: opts.Seed, Status: Pass}
	r.Replay = replay(opts, c)
	defer func() {
		if p := recover(); p != nil {
			r.because(Error, "%v", p)
			r.Panicked = true
		}
	}()
	err := c.Kernel.check(c.Shape)
	switch {
	case c.Input.Name != refused && err != nil:
		r.because(Error, "the host refuses a shape of the sweep: %v", err)
	case c.Input.Name != refused:
		launch(&r)
	case err == nil:
		r.fail([]Failure{{Check: CheckRefusal}})
	}
	return r
}

// check is the host's validation.
func (k *Kernel) check(s Shape) error {
	if k.Check == nil {
		return nil
	}
	return k.Check(s)
}

// replay is the command that repeats a case.
func replay(opts Options, c Case) string {
	s := fmt.Sprintf("conform run -run '^%s$' -seed %d", regexp.QuoteMeta(c.Name), opts.Seed)
	if c.Set != Quick {
		s += " -sweep " + c.Set.String()
	}
	if opts.ReplayFlags != "" {
		s += " " + opts.ReplayFlags
	}
	return s
}

// caseRun is one case on its way through a runner.
type caseRun struct {
	Case
	runner   metalrun.Runner
	seed     uint64
	repeat   int
	plain    *Plain
	metrics  metrics.Table
	kernel   metalrun.Kernel
	buffers  []*buffer // by argument index; nil for what setBytes passes
	tables   map[string][]float64
	answers  Answers
	contract oracles.Contract   // that the oracle went by, where it depends on the shape
	findings []metalrun.Finding // of the launches
	launched map[*buffer]bool   // that a launch had already
}

// find takes the case's kernel from the shaders. It reports false where the
// case ends here.
func (t *caseRun) find(s *Shaders, r *Result) bool {
	name := t.Kernel.Name
	file, info, err := s.Find(name)
	switch {
	case errors.Is(err, ErrAbsent):
		r.because(Skip, "%v", err)
		return false
	case err != nil:
		r.because(Error, "%v", err)
		return false
	}
	if wrong := t.Kernel.conformsTo(info); wrong != nil {
		r.fail([]Failure{declarationFailure(CheckArguments, info, strings.Join(wrong, "; "))})
		return false
	}
	tables, wrong, err := s.tables(file, t.Case.tables())
	switch {
	case err != nil:
		r.because(Error, "%v", err)
		return false
	case wrong != nil:
		r.fail([]Failure{declarationFailure(CheckTables, info, strings.Join(wrong, "; "))})
		return false
	}
	t.tables = tables
	r.Notes = notes(t.Case.tables(), tables)
	library, err := s.unit(file).library(t.runner, t.Kernel.Contract.Functions == oracles.Fast)
	if err == nil {
		t.kernel, err = library.Kernel(name)
	}
	if err != nil {
		r.because(Error, "%v", err)
		return false
	}
	return true
}

// judge fills the buffers and takes them through the launches.
func (t *caseRun) judge(r *Result) {
	if err := t.allocate(); err != nil {
		r.because(Error, "%v", err)
		return
	}
	t.conduct(r)
}

// conduct asks the oracle, launches, and compares; then it launches again as
// often as was asked.
func (t *caseRun) conduct(r *Result) {
	p := t.problem()
	t.answers = t.Kernel.Oracle(p)
	t.contract = p.Contract
	var secondary Answers // asked now: the launch changes what it starts from
	if t.Kernel.Secondary != nil {
		secondary = t.Kernel.Secondary(t.problem())
	}
	var before contents
	if t.repeat > 1 || t.plain != nil {
		before = t.contents()
	}
	var ok bool
	if r.NS, ok = t.run(r); !ok || !t.compare(r) {
		return
	}
	r.Digest = t.digest()
	if secondary != nil {
		r.UlpSecondary = figure(largestUlp(t.buffers, secondary))
	}
	if t.plain != nil {
		t.comparePlain(before, r)
	}
	if t.repeat > 1 {
		t.again(before, r)
	}
}

// run launches the case and returns its time in nanoseconds. It reports false
// where the case ends here.
func (t *caseRun) run(r *Result) (ns int64, ok bool) {
	ns, err := t.launch()
	var fault *metalrun.Fault
	switch {
	case errors.As(err, &fault):
		r.fail(append([]Failure{faultFailure(fault)}, t.checkFailures(r)...))
	case err != nil:
		r.because(Error, "%v", err)
	}
	return ns, err == nil
}

// compare judges what the buffers hold after a run. It reports false where they
// could not be judged.
func (t *caseRun) compare(r *Result) bool {
	f, failures, err := judge(t.Case, t.buffers, t.answers, t.metrics)
	if err != nil {
		r.because(Error, "%v", err)
		return false
	}
	f.report(r)
	if failures = append(t.checkFailures(r), failures...); len(failures) > 0 {
		r.fail(failures)
	}
	return true
}

func (t *caseRun) allocate() error {
	t.buffers = make([]*buffer, len(t.Kernel.Args))
	for i, a := range t.Kernel.Args {
		if !a.Buffer() {
			continue
		}
		b, err := newBuffer(t.Case, a, t.seed)
		if err != nil {
			return err
		}
		t.buffers[i] = b
	}
	return nil
}

// problem is what the oracle is asked.
func (t *caseRun) problem() *Problem {
	p := &Problem{
		Shape: t.Shape, Contract: t.Kernel.Contract, Launches: t.launches(),
		kernel: t.Kernel, values: map[string][]float64{}, words: map[string][]uint32{}, tables: t.tables,
	}
	for _, b := range t.buffers {
		if b == nil || b.arg.Role == RoleOut {
			continue
		}
		if _, float := b.arg.Type.Format(); float {
			p.values[b.arg.Name] = b.values()
		} else {
			p.words[b.arg.Name] = b.words()
		}
	}
	return p
}

// launch runs the case's launches in sequence and adds up their times, in
// nanoseconds.
func (t *caseRun) launch() (ns int64, err error) {
	t.reset()
	for i, l := range t.launches() {
		d, err := t.dispatch(l)
		if err != nil {
			return ns, fmt.Errorf("launch %d: %w", i, err)
		}
		outcome, err := t.kernel.Run(d)
		t.findings = append(t.findings, outcome.Findings...)
		if err != nil {
			return ns, err
		}
		t.markLaunched(l)
		ns += outcome.Duration.Nanoseconds()
	}
	return ns, nil
}

// dispatch is one launch as the runner takes it.
func (t *caseRun) dispatch(l Launch) (metalrun.Dispatch, error) {
	var d metalrun.Dispatch
	for i, a := range t.Kernel.Args {
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
		binding.Undefined = t.unspecified(b)
		d.Bindings = append(d.Bindings, binding)
	}
	shape := t.Shape.With(l.Shape)
	for _, e := range t.Kernel.ThreadgroupMemory {
		d.ThreadgroupMemory = append(d.ThreadgroupMemory, e.Size(shape))
	}
	g := t.Kernel.Grid
	d.Threadgroups, d.Threads, d.ThreadsPerThreadgroup = size(g.Threadgroups, shape), size(g.Threads, shape), size(g.Of, shape)
	return d, nil
}

// bound is the buffer that launch l binds under the name of an argument.
func (t *caseRun) bound(name string, l Launch) (*buffer, error) {
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

// size is an extent in x, y and z; none is the zero Size.
func size(es []Extent, s Shape) metalrun.Size {
	if len(es) == 0 {
		return metalrun.Size{}
	}
	n := [3]int{1, 1, 1}
	for i, e := range es {
		n[i] = e.Size(s)
	}
	return metalrun.Size{X: n[0], Y: n[1], Z: n[2]}
}
