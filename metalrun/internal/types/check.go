package types

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/consteval"
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Config is what the host chooses when it compiles a translation unit.
type Config struct {
	Version           int         // __METAL_VERSION__: 310 is Metal 3.1; 0 means 310
	Mode              hir.Mode    // of floating-point mathematics where no pragma says otherwise
	FastFunctions     bool        // unqualified f32 functions mean fast:: and not precise::
	FunctionConstants map[int]any // values by index: bool, any integer type, float32 or float64
	Entries           []string    // the entry points that are wanted, by name; nil means all. Others are not looked at
	Budget            syntax.Budget
	Coverage          *consteval.Coverage // nil: not asked for
	Checkers          int                 // that may check a file at once; their number changes nothing but the time
	// Consume, if not nil, is given the entry points of a file with very many, some at a time. Their bodies are dropped
	// after it ([hir.Program.Consumed]). Calls may overlap.
	Consume func([]*hir.Func)
}

// Check gives every entry point of f a typed tree. If there are errors the program holds the parts that could be
// checked and must not be executed.
func Check(f *syntax.File, cfg Config) (*hir.Program, syntax.ErrorList) {
	if cfg.Version == 0 {
		cfg.Version = 310
	}
	w := newWorkQueue(f, cfg)
	var c *checker
	if cfg.Consume != nil && cfg.Entries == nil && len(w.entries) > fewBatches*batchSize {
		if c = w.inBatches(f, cfg); c == nil {
			w = newWorkQueue(f, cfg)
		}
	}
	if c == nil {
		c = w.check(f, cfg, min(cfg.Checkers, len(w.entries)/entriesPerChecker))
	}
	if c == nil {
		c = newChecker(cfg)
		c.untilExhausted(func() {
			c.decls(f.Decls)
			c.finish()
			c.unknownAttributes(f)
		})
	}
	return c.checked(f)
}

// checked is the program with what there is to say of it.
func (c *checker) checked(f *syntax.File) (*hir.Program, syntax.ErrorList) {
	c.errs.Sort()
	for _, w := range c.warnings {
		c.prog.Warnings = append(c.prog.Warnings, w.Error)
	}
	c.prog.Warnings.Sort()
	c.prog.Warnings = slices.DeleteFunc(c.prog.Warnings, func(e *syntax.Error) bool { return muted(f, e) })
	return c.prog, c.errs
}

// muted reports whether the program wants no warning such as e.
func muted(f *syntax.File, e *syntax.Error) bool {
	i := strings.LastIndex(e.Msg, "[-W")
	return i >= 0 && f.Muted(strings.TrimSuffix(e.Msg[i+1:], "]"), e.Pos)
}

// Recovered are the errors errs of a file that could not be parsed whole, with those of
// what could. Names that stand in text that was skipped are not missed: their declarations
// may be. The file may be nil.
func Recovered(file *syntax.File, errs syntax.ErrorList, cfg Config) syntax.ErrorList {
	if file == nil {
		return errs
	}
	_, more := Check(file, cfg)
	file.Explain(more)
	known := map[syntax.Pos]bool{}
	for _, e := range errs {
		known[e.Pos] = true
	}
	for _, e := range more {
		if !known[e.Pos] && !file.Lost[e.Name] {
			errs = append(errs, e)
		}
	}
	errs.Sort()
	return errs
}

// exhausted ends a check that has met a limit. The error has been reported.
type exhausted struct{}

// untilExhausted runs f as far as the budget goes.
func (c *checker) untilExhausted(f func()) {
	defer func() {
		switch r := recover().(type) {
		case nil, exhausted:
		default:
			panic(r)
		}
	}()
	f()
}

// spend charges n steps of work to pos.
func (c *checker) spend(pos syntax.Pos, n int) {
	n += c.unpaid / searchesPerStep
	c.unpaid %= searchesPerStep
	c.worker.charge(n)
	if err := c.cfg.Budget.Spend(pos, n); err != nil {
		c.stop(pos, err.Code, "%s", err.Msg)
	}
}

// stop reports an error, even during speculation, and ends the check. It reports nothing if there are errors already,
// which may be the cause.
func (c *checker) stop(pos syntax.Pos, code, format string, args ...any) {
	c.worker.giveUp()
	if c.speculating = 0; len(c.errs) == 0 {
		c.errorf(pos, code, format, args...)
	}
	panic(exhausted{})
}

// A checker holds the state of one Check. The part that changes with the place
// in the source is the context.
type checker struct {
	context
	diagnostics
	declarations
	unfinished
	effort

	cfg    Config
	prog   *hir.Program
	eval   *consteval.Evaluator // of constant expressions
	worker worker               // of a work queue

	purpose     purpose          // what a value is being converted for
	converting  int              // depth of user-defined conversions
	internal    bool             // in a call by a name of the library's headers, which want no constants
	indexing    *syntax.NameExpr // the name before an index that is being looked up
	joined      joinedType       // the last type defined inside a declaration
	unoptimised bool             // after a pragma clang optimize off
}

// declarations are the entities that the declarations read so far have made.
type declarations struct {
	global *scope
	seq    int // declarations so far

	structs  map[*hir.Struct]*structInfo
	enums    map[*hir.Enum]*scope
	routines map[*hir.Func]*routine
	calls    map[*hir.Func][]callSite
	lambdas  map[lambdaKey]hir.Expr // closures made
	targets  []targetType           // functions whose address is taken, by type

	hosts    map[string]syntax.Pos              // names of entry points that host_name gave
	numbered map[int]string                     // function constants, by index
	stages   map[string]bool                    // names of functions of other stages
	outside  map[*syntax.FuncDecl]outsideMember // by the declaration in the class

	bindings []globalBinding          // of program scope
	bound    map[*hir.Func][]*hir.Var // the bindings that functions use
	externs  []externUse

	prelude     *scope // the templates of the standard library, nil until named
	loaded      int    // modules of the prelude that have been checked
	destructors bool   // some class declares a destructor
}

// unfinished is what has to be checked when the outermost class that is being read is complete.
type unfinished struct {
	classes     []*structInfo // the classes whose members are being read
	undefaulted []*routine    // member functions whose default arguments have to be checked
	pending     []*routine    // member functions whose bodies have to be checked
	templates   []*function   // member templates whose names have to be looked up
}

// effort is what the checker has spent and how deep it is, for limits and the budget.
type effort struct {
	nested   int // expressions that the checker is inside of
	signing  int // signatures of instances that the checker is inside of
	hinted   int // names looked through for hints
	searches int // so far
	unpaid   int // what searches have looked at and is not charged yet
}

// A context is where the checker is.
type context struct {
	scope *scope
	fn    *funcState        // nil outside of functions
	limit int               // program-scope names declared after this many others are invisible
	math  hir.FastMathFlags // of floating operations here
	depth int               // of nested template instances
	made  []hir.Expr        // in a default member initialiser of an aggregate: the fields before it
	user  syntax.Pos        // inside the prelude: the position in the program that led there
	from  *instantiation
	at    syntax.Pos  // of the last call that was resolved
	part  *structInfo // the base that a constructor is about to make
}

// joinedType is a type that several declarators share: "struct { … } a, b;".
type joinedType struct {
	node  *syntax.DefinedType
	scope *scope
	typ   hir.Type
}

// A callSite is an edge of the call graph: a call, or where the address of a function is taken. Of a
// call by a pointer there are targets instead of a callee.
type callSite struct {
	callee  *hir.Func
	targets *hir.Targets
	pos     syntax.Pos
}

// callees are the functions that it may lead to.
func (s callSite) callees() []*hir.Func {
	if s.targets != nil {
		return s.targets.List
	}
	return []*hir.Func{s.callee}
}

const unlimited = int(^uint(0) >> 1)

func newChecker(cfg Config) *checker {
	c := &checker{cfg: cfg, prog: &hir.Program{}}
	c.seen = map[fault]bool{}
	c.declarations = declarations{
		structs:  map[*hir.Struct]*structInfo{},
		enums:    map[*hir.Enum]*scope{},
		routines: map[*hir.Func]*routine{},
		calls:    map[*hir.Func][]callSite{},
		bound:    map[*hir.Func][]*hir.Var{},
		outside:  map[*syntax.FuncDecl]outsideMember{},
		hosts:    map[string]syntax.Pos{},
		numbered: map[int]string{},
		lambdas:  map[lambdaKey]hir.Expr{},
		stages:   map[string]bool{},
	}
	c.eval = c.constants()
	c.global = newScope(nil, namespaceScope)
	c.context = context{scope: c.global, limit: unlimited, math: hir.Modes[cfg.Mode].Flags}
	return c
}

// in runs f in another context and comes back.
func (c *checker) in(ctx context, f func()) {
	saved := c.context
	c.context = ctx
	f()
	c.context = saved
}

// inScope runs f in a new scope inside the current one.
func (c *checker) inScope(kind scopeKind, f func()) {
	saved := c.context
	c.scope = newScope(c.scope, kind)
	f()
	c.context = saved
}

// finish checks what can be judged only when the whole file has been read.
func (c *checker) finish() {
	for fn := range c.calls {
		c.loopTailCalls(fn)
	}
	graph := newCallGraph(c)
	for _, k := range c.prog.Kernels {
		if graph.order[k] == 0 {
			graph.visit(k)
		}
	}
	c.undefinedVariables()
	for _, k := range c.prog.Kernels {
		if len(c.bindings) > 0 {
			c.bindGlobals(k)
		}
	}
	c.chargeKernels()
	slices.SortStableFunc(c.prog.FunctionConstants, func(a, b *hir.FunctionConstant) int { return a.Index - b.Index })
}
