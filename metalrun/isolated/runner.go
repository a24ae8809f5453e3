package isolated

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"time"

	"metalconform/metalrun"
)

// Limits are how long a worker may take. They are for what will never end: whatever
// takes long on an old machine should be well within them.
type Limits struct {
	Open    time.Duration // to start, and to test itself
	Request time.Duration // to compile, or to launch

	after func(worker int, limit time.Duration) <-chan time.Time // in place of time.After, of a process
}

// DefaultLimits are a minute, and two.
var DefaultLimits = Limits{Open: time.Minute, Request: 2 * time.Minute}

// runner launches in one worker at a time, one launch after the other.
type runner struct {
	limits Limits

	mu      sync.Mutex
	worker  *worker // nil before the first request and after a bad end
	device  metalrun.Device
	next    int             // library or sequence
	longest time.Duration   // that a launch has taken which came to an end
	hangs   map[suspect]int // launches that did not, in two processes
	broken  error           // why the device is no longer asked
}

// suspect is a kernel of a program.
type suspect struct {
	program [sha256.Size]byte
	kernel  string
}

// A launch that hangs is to cost little more than one limit, and a kernel that hangs no
// more than a few: what has taken a limit in vain gets a part of it when it is repeated,
// but far more than any launch that has ended took.
const (
	partOfLimit = 8
	ofLongest   = 10
	mostHangs   = 3 // of a kernel, which then is not launched again
)

// again is the limit of a launch whose kernel has hung before.
func (r *runner) again() time.Duration {
	return min(max(r.limits.Request/partOfLimit, ofLongest*r.longest), r.limits.Request)
}

// New starts a worker, which opens the device as [Main] says.
func New(limits Limits) (metalrun.Runner, error) {
	r := &runner{limits: limits, hangs: map[suspect]int{}}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.open(); err != nil {
		return nil, err
	}
	return r, nil
}

// open makes sure of a worker whose device has passed its own test, which is what
// opening it takes.
func (r *runner) open() error {
	if r.broken != nil || r.worker != nil {
		return r.broken
	}
	w, err := start()
	if err != nil {
		return fmt.Errorf("%w: starting a process: %w", metalrun.ErrUnusable, err)
	}
	if r.limits.after != nil {
		w.after = r.limits.after
	}
	a, err := w.ask(request{}, r.limits.Open)
	if err != nil {
		return fmt.Errorf("%w: opening it: %w", metalrun.ErrUnusable, err)
	}
	if err := a.Failure.err(); err != nil {
		w.stop()
		return err
	}
	r.worker, r.device = w, a.Device
	return nil
}

// close ends the worker.
func (r *runner) close() {
	if r.worker != nil {
		r.worker.stop()
	}
	r.worker = nil
}

func (r *runner) Device() metalrun.Device { return r.device }

func (r *runner) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.close()
	return nil
}

// try asks once, for as long as the limit. bad says that the worker is not to be used
// again.
func (r *runner) try(l *library, q request, limit time.Duration) (a reply, bad bool, err error) {
	if err := r.open(); err != nil {
		return reply{}, false, err
	}
	q.Library = l.number
	if !r.worker.known[l.number] {
		q.Program = &l.program
	}
	if q.Bound != 0 && !r.worker.known[q.Bound] {
		if q.bind == nil {
			return reply{}, false,
				fmt.Errorf("%w: the buffers of %s were in a process that has ended", metalrun.ErrLost, q.what(l))
		}
		q.Sequence = q.bind
	}
	begin := time.Now()
	a, err = r.worker.ask(q, limit)
	if err != nil {
		r.worker = nil
		return reply{}, true, err
	}
	if !q.builds() {
		r.longest = max(r.longest, time.Since(begin))
	}
	err = r.validated(l, q, a.Failure.err())
	if a.Compiled {
		r.worker.known[l.number] = true
	}
	if a.Bound {
		r.worker.known[q.Bound] = true
	}
	var fault *metalrun.Fault
	return a, errors.As(err, &fault) || errors.Is(err, metalrun.ErrLost) || errors.Is(err, metalrun.ErrUnusable), err
}

// validated is the error of a request, and the fault of a launch that ended well and of which shader validation has
// something to say: the device leaves such an access out, and does not tell.
func (r *runner) validated(l *library, q request, err error) error {
	found := r.worker.said.take()
	if found == "" || q.Launches == 0 || err != nil {
		return err
	}
	f := &metalrun.Fault{Kernel: q.Kernel, Message: "shader validation: " + found}
	if info, err := l.source.Kernel(q.Kernel); err == nil {
		f.Position = info.Position
	}
	return f
}

// ask tries, and once more alone if that ends badly: in a new process, whose device has
// passed its test, which it has to do again afterwards.
func (r *runner) ask(l *library, q request) (reply, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	limit, of := r.limits.Request, suspect{l.digest, q.Kernel}
	switch hangs := r.hangs[of]; {
	case q.builds():
	case hangs >= mostHangs:
		return reply{}, fmt.Errorf("%s was not launched: %d launches of it have hung", q.what(l), hangs)
	case hangs > 0:
		limit = r.again()
	}
	first, bad, err := r.try(l, q, limit)
	if !bad {
		return first, err
	}
	if neverEnded(err) && !q.builds() {
		limit = r.again()
	}
	r.close()
	if broken := r.test("before " + q.what(l) + " is repeated, which failed: " + err.Error()); broken != nil {
		return reply{}, broken
	}
	second, bad, again := r.try(l, q, limit)
	if neverEnded(err) && neverEnded(again) {
		r.hangs[of]++
		again = err // which had the longer time
	}
	if compiler := l.hungCompiler(q, again); compiler != nil {
		r.broken = compiler
		return reply{}, compiler
	}
	if bad {
		r.close()
		r.test("after " + q.what(l) + ": " + again.Error()) // the next request hears of it
	}
	var fault *metalrun.Fault
	if !bad && errors.As(err, &fault) {
		once := *fault
		once.Message += " (in one of two launches)"
		return reply{}, &once
	}
	return second, l.blamed(q, again)
}

// test opens the device anew; one that fails is not asked again.
func (r *runner) test(when string) error {
	if err := r.open(); err != nil && r.broken == nil {
		r.broken = fmt.Errorf("%w: the device fails its test %s: %w", metalrun.ErrUnusable, when, err)
	}
	return r.broken
}

// newNumber is one that nothing else has.
func (r *runner) newNumber() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next++
	return r.next
}

// builds reports whether a request compiles a library or a kernel, and launches nothing.
func (q request) builds() bool { return q.Sequence == nil && q.Bound == 0 }

// what names a request.
func (q request) what(l *library) string {
	switch {
	case q.Kernel == "":
		return "the compilation of " + l.program.Source.Name
	case q.builds():
		return "the pipeline of kernel " + q.Kernel
	}
	return "kernel " + q.Kernel
}

// library is a program that any worker compiles.
type library struct {
	*runner
	number  int
	program program
	digest  [sha256.Size]byte // of the program
	source  *metalrun.Program

	warnings string
}

func (r *runner) Compile(p *metalrun.Program) (metalrun.Library, error) {
	if _, err := p.Names(); err != nil {
		return nil, err
	}
	opts := p.Options()
	opts.Trace = nil
	l := &library{runner: r, number: r.newNumber(), program: program{p.Source(), opts}, source: p,
		digest: sha256.Sum256(fmt.Appendf(nil, "%v", program{p.Source(), opts}))}
	a, err := r.ask(l, request{})
	if err != nil {
		return nil, err
	}
	l.warnings = a.Warnings
	return l, nil
}

// Warnings are those of the compiler.
func (l *library) Warnings() string { return l.warnings }

// hungCompiler is the error of a compilation, of a library or of a kernel, that twice did
// not end. What is wrong then is the system's compiler, which is one service for all
// processes, and not the source.
func (l *library) hungCompiler(q request, err error) error {
	if !q.builds() || !neverEnded(err) {
		return nil
	}
	return fmt.Errorf("%w: the compiler hangs: %s: %w, in two processes", metalrun.ErrUnusable, q.what(l), err)
}

// blamed is what a launch that did not survive twice says of its kernel.
func (l *library) blamed(q request, err error) error {
	var d *died
	if !errors.As(err, &d) {
		return err
	}
	if q.Launches == 0 {
		return fmt.Errorf("%s: %w", q.what(l), err)
	}
	f := &metalrun.Fault{Kernel: q.Kernel, Message: d.how}
	if d.hung {
		f.Kind = metalrun.OutOfTime
	}
	if info, err := l.source.Kernel(q.Kernel); err == nil {
		f.Position = info.Position
	}
	return f
}

func (l *library) Kernel(name string) (metalrun.Kernel, error) {
	a, err := l.ask(l, request{Kernel: name})
	if err != nil {
		return nil, err
	}
	k := &kernel{library: l, name: name, maxThreads: a.MaxThreads, pipeline: a.Pipeline}
	if a.Binder {
		return binder{k}, nil
	}
	return k, nil
}

// Release has the worker forget the library.
func (l *library) Release() { l.forget(l.number, request{Library: l.number, Forget: true}) }

// forget has the worker forget what has a number.
func (r *runner) forget(number int, q request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.worker == nil || !r.worker.known[number] {
		return
	}
	delete(r.worker.known, number)
	if _, err := r.worker.ask(q, r.limits.Request); err != nil {
		r.worker = nil
	}
}

// Condition asks the worker.
func (r *runner) Condition() (metalrun.Condition, error) {
	a, err := r.about(request{})
	return a.Condition, err
}

// Methods asks the worker.
func (r *runner) Methods() ([]metalrun.Method, error) {
	a, err := r.about(request{Methods: true})
	return a.Methods, err
}

// about asks the worker about the device.
func (r *runner) about(q request) (reply, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.open(); err != nil {
		return reply{}, err
	}
	a, err := r.worker.ask(q, r.limits.Request)
	if err != nil {
		r.worker = nil
		return reply{}, err
	}
	return a, a.Failure.err()
}

// kernel is an entry point by its name.
type kernel struct {
	*library
	name       string
	maxThreads int
	pipeline   metalrun.Pipeline
}

func (k *kernel) MaxThreads() int { return k.maxThreads }

// Pipeline is what the worker's device says of the kernel.
func (k *kernel) Pipeline() metalrun.Pipeline { return k.pipeline }

func (k *kernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	s := newSequence([]metalrun.Dispatch{d})
	a, err := k.ask(k.library, request{Kernel: k.name, Sequence: s, Launches: 1, Read: true})
	if err != nil {
		return metalrun.Outcome{}, err
	}
	s.take(a.Memory)
	return a.Outcome, nil
}
