package metalrun

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"weak"

	"metalconform/internal/crash"
	"metalconform/internal/printable"
	"metalconform/metalrun/internal/air"
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/lower"
	"metalconform/metalrun/internal/syntax"
	"metalconform/metalrun/internal/types"
)

// Program is a translation unit that the front end has accepted under a host's
// options. It is parsed and checked once, by [Analyse]; each entry point is lowered
// when it is needed, once unless there are very many. Several goroutines may use it at once.
type Program struct {
	source  Source
	options CompileOptions
	tree    *tree
	typed   *hir.Program
	entries []*entry
	named   map[string]*entry
	infos   func() ([]KernelInfo, error)
	names   func() ([]string, error)
	library *library                       // nil for source
	usable  func() ([]*entry, Diagnostics) // of a library: the entry points that can be lowered, and why others cannot
	bodies  *bodies                        // of a source with very many entry points
}

// tree is a syntax tree that the specialisations of a program share.
type tree struct {
	mu     sync.Mutex // held by who reads or edits it
	file   *syntax.File
	budget syntax.Budget // what parsing has left

	listing *Listing // nil until somebody asks
}

// entry is an entry point with its intermediate representation. That of a file with many is kept as long as somebody
// has it.
type entry struct {
	*hir.Func
	make   func() (*ir.Kernel, error)
	few    bool       // there are no more than mostKept
	mu     sync.Mutex // held by who reads or sets the following
	made   weak.Pointer[ir.Kernel]
	kept   *ir.Kernel
	info   *KernelInfo // nil until somebody asks
	uses   Uses        // with info
	stores []Store
}

// mostKept are the entry points of a file that are lowered once: about 50 MB.
const mostKept = 128

func (e *entry) lower() (*ir.Kernel, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.lowered()
}

// lowered is the entry point, which is held, as an executor has it.
func (e *entry) lowered() (*ir.Kernel, error) {
	if k := e.made.Value(); k != nil {
		return k, nil
	}
	k, err := e.make()
	e.made = weak.Make(k)
	if e.few {
		e.kept = k
	}
	return k, err
}

// catch makes an error of a panic, and has it name the entry point. It is to be deferred.
func (e *entry) catch(err *error) {
	if p := recover(); p != nil {
		*err = crash.New(p)
	}
	var internal *crash.Crash
	if errors.As(*err, &internal) {
		*err = fmt.Errorf("%s: %w", e.Name, *err)
	}
}

// describe is what is known of the entry point and its lowered body.
func (e *entry) describe(known layouts) (KernelInfo, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.info == nil {
		k, err := e.lowered()
		if err != nil {
			return KernelInfo{}, err
		}
		info := describe(e.Func, k, known)
		e.info, e.uses, e.stores = &info, usesOf(k), storesOf(k)
	}
	return *e.info, nil
}

// Analyse parses and checks a translation unit. The error is a [Diagnostics] if
// the source is ill-formed.
func Analyse(src Source, opts CompileOptions) (p *Program, err error) {
	defer crash.Catch(&err)
	if _, ok := src.Files[src.Name]; !ok {
		return nil, fmt.Errorf("source %q is not among its files", src.Name)
	}
	if opts.LanguageVersion == 0 {
		opts.LanguageVersion = DefaultVersion
	}
	if air.Is(src.Files[src.Name]) {
		return analyseLibrary(src, opts)
	}
	opts.trace("tree", src.Name)
	t := &tree{budget: syntax.Budget{All: opts.Budget, Limits: opts.Limits, Include: opts.Include}}
	file, errs := syntax.Parse(src.Name, src.Files, opts.syntax(src, &t.budget))
	if len(errs) > 0 {
		if !t.budget.Exhausted() {
			errs = types.Recovered(file, errs, opts.types(t.budget))
		}
		return nil, diagnostics(src, file, errs)
	}
	t.file = file
	return newProgram(src, opts, t)
}

// asksForMode reports whether a macro that tells of the mode may be in the source.
func (p *Program) asksForMode() bool {
	for _, text := range p.source.Files {
		if strings.Contains(text, "_MATH") {
			return true
		}
	}
	return false
}

// Specialise returns the program with other arithmetic, other values of its function constants, and only the entry
// points that are named, as far as the program has them. The same tree is checked again, unless macros depend on the
// mode.
func (p *Program) Specialise(math Math, constants map[int]any, entries ...string) (made *Program, err error) {
	defer crash.Catch(&err)
	opts := p.options.With(math)
	opts.FunctionConstants = constants
	if entries != nil {
		opts.entries = entries
	}
	if p.library != nil { // its arithmetic has been decided
		return newLibraryProgram(p.source, opts.With(p.options.Math()), p.library)
	}
	if (math.Mode == MathFast) != (p.options.MathMode == MathFast) && p.asksForMode() {
		return Analyse(p.source, opts)
	}
	return newProgram(p.source, opts, p.tree)
}

func newProgram(src Source, opts CompileOptions, t *tree) (*Program, error) {
	opts.trace("types", src.Name)
	c := &consumer{}
	typed, refused := t.check(src, opts, c.consume)
	if refused != nil {
		return nil, refused
	}
	p := &Program{source: src, options: opts, tree: t, typed: typed}
	if typed.Consumed {
		p.bodies = &bodies{program: p, fault: c.fault, asked: map[int]bool{}}
	}
	p.enter(func(f *hir.Func) (*ir.Kernel, error) {
		whole, err := p.bodies.of(f)
		if err != nil {
			return nil, err
		}
		return lowerKernel(whole, src, t, opts)
	})
	return p, nil
}

// enter makes the entry points of the kernels, each to be lowered by a function.
func (p *Program) enter(lower func(*hir.Func) (*ir.Kernel, error)) {
	p.named = map[string]*entry{}
	for _, f := range p.typed.Kernels {
		e := &entry{Func: f, few: len(p.typed.Kernels) <= mostKept}
		e.make = func() (*ir.Kernel, error) { return lower(f) }
		p.entries = append(p.entries, e)
		if p.named[e.Name] == nil {
			p.named[e.Name] = e
		}
	}
	p.infos, p.names = sync.OnceValues(p.describe), sync.OnceValues(p.check)
}

// check checks the tree under the options. Of a file with very many entry points it lets consume, if that is not nil,
// have the bodies, and drops them.
func (t *tree) check(src Source, opts CompileOptions, consume func([]*hir.Func)) (*hir.Program, Diagnostics) {
	t.mu.Lock()
	defer t.mu.Unlock()
	cfg := opts.types(t.budget)
	if opts.Trace == nil && opts.coverage == nil {
		cfg.Consume = consume
	}
	typed, errs := types.Check(t.file, cfg)
	if len(errs) == 0 {
		return typed, nil
	}
	t.file.Explain(errs)
	t.file.Explain(typed.Warnings)
	all := slices.Concat(errs, typed.Warnings)
	slices.SortStableFunc(all, func(a, b *syntax.Error) int {
		p, q := a.Place(), b.Place()
		return cmp.Or(strings.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
	})
	warning := map[*syntax.Error]bool{}
	for _, w := range typed.Warnings {
		warning[w] = true
	}
	list := diagnostics(src, t.file, all)
	for i, e := range all {
		list[i].Warning = warning[e]
	}
	return nil, list
}

// warnings are those of a translation unit, whose tree is held.
func warnings(src Source, file *syntax.File, typed *hir.Program) Diagnostics {
	file.Explain(typed.Warnings)
	list := diagnostics(src, file, typed.Warnings)
	for i := range list {
		list[i].Warning = true
	}
	return list
}

// lowerKernel translates an entry point for an executor.
func lowerKernel(f *hir.Func, src Source, t *tree, opts CompileOptions) (k *ir.Kernel, err error) {
	defer crash.Catch(&err)
	opts.trace("ir", f.Name)
	if k, err = lower.Lower(f); err != nil {
		return nil, refused(err, src, t)
	}
	if err := ir.Verify(k); err != nil {
		panic(err) // the lowering is at fault
	}
	return k, nil
}

// refused is an error of lowering, if there is one, as diagnostics if it is about the source.
func refused(err error, src Source, t *tree) error {
	e, ok := err.(*syntax.Error)
	if !ok {
		return err
	}
	list := syntax.ErrorList{e}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.file.Explain(list)
	return diagnostics(src, t.file, list)
}

// Source is what was analysed.
func (p *Program) Source() Source { return p.source }

// Warnings are the warnings of a source that is accepted.
func (p *Program) Warnings() Diagnostics {
	if p.library != nil {
		_, unsupported := p.usable()
		return unsupported
	}
	never := p.neverRun()
	p.tree.mu.Lock()
	defer p.tree.mu.Unlock()
	return append(warnings(p.source, p.tree.file, p.typed), never...)
}

// maxThreadgroupMemory is the threadgroup memory that a kernel may declare, in bytes: Metal makes no pipeline of one
// that declares more.
const maxThreadgroupMemory = 32 << 10

// neverRun warns of the entry points that declare more threadgroup memory than there is.
func (p *Program) neverRun() (list Diagnostics) {
	for _, e := range p.entries {
		if e.Func.Kernel.Threadgroup <= maxThreadgroupMemory {
			continue
		}
		info, err := p.Kernel(e.Name)
		if err != nil || info.StaticThreadgroupMemory <= maxThreadgroupMemory {
			continue // variables that nothing reads do not count
		}
		list = append(list, Diagnostic{Position: info.Position, Code: "never-runs", Warning: true,
			Message: fmt.Sprintf("no GPU runs %s: it declares %d bytes of threadgroup memory, and a threadgroup has %d",
				printable.Line(e.Name), info.StaticThreadgroupMemory, maxThreadgroupMemory)})
	}
	return list
}

// Options returns the options of the analysis. The language version is set.
func (p *Program) Options() CompileOptions { return p.options }

// Kernels describes the entry points in order of declaration. The error is a
// [Diagnostics] if one of them cannot be lowered. All are: who wants to know of a few asks
// [Program.Kernel].
func (p *Program) Kernels() ([]KernelInfo, error) { return p.infos() }

// Kernel describes the entry point called name, and lowers no other. The error is a [Diagnostics] if it cannot be
// lowered.
func (p *Program) Kernel(name string) (info KernelInfo, err error) {
	e, err := p.entry(name)
	if err != nil {
		return info, err
	}
	defer e.catch(&err)
	if err := p.lowering().Spend(e.Pos, e.Func.Kernel.Work); err != nil {
		return info, refused(err, p.source, p.tree)
	}
	return e.describe(layouts{})
}

// Signatures lists the names and argument tables of the entry points in order of declaration, without lowering them.
func (p *Program) Signatures() []Signature {
	list, known := make([]Signature, len(p.entries)), layouts{}
	for i, e := range p.entries {
		list[i] = Signature{e.Name, position(e.Pos), position(e.Func.Kernel.Declared), describeArgs(e.Func, known)}
	}
	return list
}

// lowering is what lowering may take.
func (p *Program) lowering() *syntax.Budget {
	return &syntax.Budget{All: cmp.Or(p.options.Lowering, p.options.Budget)}
}

// Exports reports whether there is an entry point called name.
func (p *Program) Exports(name string) bool {
	_, err := p.entry(name)
	return err == nil
}

// entry is the entry point called name.
func (p *Program) entry(name string) (*entry, error) {
	e := p.named[name]
	if e == nil {
		return nil, fmt.Errorf("no kernel is named %q", name)
	}
	return e, nil
}

// Names lists the entry points in order of declaration. The error is a [Diagnostics] if one of them cannot be lowered.
// It is cheaper than [Program.Kernels].
func (p *Program) Names() ([]string, error) { return p.names() }

// check looks at each function of the entry points once.
func (p *Program) check() ([]string, error) {
	entries := p.supported()
	names := make([]string, len(entries))
	if p.bodies != nil {
		for i, e := range entries {
			names[i] = e.Name
		}
		return names, refused(p.bodies.fault, p.source, p.tree)
	}
	err := p.each(entries, func() func(*entry, int) error {
		checker := lower.NewChecker()
		return func(e *entry, i int) error {
			names[i] = e.Name
			p.options.trace("functions", e.Name)
			if p.library != nil { // it has been lowered
				return nil
			}
			return refused(checker.Check(e.Func), p.source, p.tree)
		}
	})
	return names, err
}

// describe lowers the entry points and says what is known of them.
func (p *Program) describe() ([]KernelInfo, error) {
	lowering := p.lowering()
	entries := p.supported()
	for _, e := range entries {
		if err := lowering.Spend(e.Pos, e.Func.Kernel.Work); err != nil {
			return nil, refused(err, p.source, p.tree)
		}
	}
	infos := make([]KernelInfo, len(entries))
	err := p.each(entries, func() func(*entry, int) error {
		known := layouts{}
		return func(e *entry, i int) error {
			var err error
			infos[i], err = e.describe(known)
			return err
		}
	})
	return infos, err
}

// supported are the entry points, in order. Of a compiled library they are those that can be executed: a kernel that
// is not supported says nothing against the others.
func (p *Program) supported() []*entry {
	if p.library == nil {
		return p.entries
	}
	list, _ := p.usable()
	return list
}

// each calls a function for each entry point, made for each of the cores: one after the other for
// a trace, whose order is that of the file. The error is that of the first entry point.
func (p *Program) each(entries []*entry, worker func() func(*entry, int) error) error {
	errs := make([]error, len(entries))
	work := make(chan int)
	var running sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	if p.options.Trace != nil {
		workers = 1
	}
	for range workers {
		running.Go(func() {
			do := worker()
			one := func(i int) (err error) {
				defer entries[i].catch(&err)
				return do(entries[i], i)
			}
			for i := range work {
				errs[i] = one(i)
			}
		})
	}
	for i := range entries {
		work <- i
	}
	close(work)
	running.Wait()
	return cmp.Or(errs...)
}

// Lowered is the intermediate representation of the entry point called name, for packages that execute or compare it.
// It is shared and must not be changed.
func (p *Program) Lowered(name string) (k *ir.Kernel, err error) {
	e, err := p.entry(name)
	if err != nil {
		return nil, err
	}
	defer e.catch(&err)
	return e.lower()
}

// Tree calls f with the syntax tree while nobody else uses it. f has to undo its edits.
func (p *Program) Tree(f func(*syntax.File)) {
	p.tree.mu.Lock()
	defer p.tree.mu.Unlock()
	f(p.tree.file)
}

// syntax is what the options and the source say to the scanner and the parser.
func (o CompileOptions) syntax(src Source, budget *syntax.Budget) syntax.Config {
	return syntax.Config{Version: int(o.LanguageVersion), Fast: o.MathMode == MathFast, Macros: o.Macros,
		Dirs: src.Dirs, Before: src.Before, After: src.After, Budget: budget}
}

// types is what the options say to the checker.
func (o CompileOptions) types(budget syntax.Budget) types.Config {
	return types.Config{Version: int(o.LanguageVersion), Mode: o.MathMode, FastFunctions: o.FastFunctions,
		FunctionConstants: o.FunctionConstants, Entries: o.entries, Budget: budget, Coverage: o.coverage,
		Checkers: runtime.GOMAXPROCS(0)}
}

// trace reports a pass that begins.
func (o CompileOptions) trace(pass, of string) {
	if o.Trace != nil {
		o.Trace(pass, of)
	}
}

func position(p syntax.Pos) Position {
	return Position{File: printable.Line(p.File), Line: int(p.Line), Col: int(p.Col)}
}
