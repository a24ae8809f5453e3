package types

import (
	"fmt"
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
	Checkers          int // that may check a file at once; their number changes nothing but the time
}

// Check gives every entry point of f a typed tree. If there are errors the program holds the parts that could be
// checked and must not be executed.
func Check(f *syntax.File, cfg Config) (*hir.Program, syntax.ErrorList) {
	if cfg.Version == 0 {
		cfg.Version = 310
	}
	w := newWorkQueue(f, cfg)
	c := w.check(f, cfg, min(cfg.Checkers, w.entries/entriesPerChecker))
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
	cfg  Config
	prog *hir.Program

	errs        syntax.ErrorList
	seen        map[fault]bool // instances of one template report a fault once
	speculating int            // depth of speculation: errors are suppressed
	suppressed  int            // errors that speculation suppressed

	global      *scope
	seq         int // declarations so far
	structs     map[*hir.Struct]*structInfo
	enums       map[*hir.Enum]*scope
	routines    map[*hir.Func]*routine
	calls       map[*hir.Func][]callSite
	classes     []*structInfo // whose members are being read
	undefaulted []*routine    // member functions whose default arguments are to be checked then
	// member functions to check when the outermost of them is complete
	pending   []*routine
	templates []*function          // and those of their templates whose names to look up then
	joined    joinedType           // the last type defined inside a declaration
	eval      *consteval.Evaluator // of constant expressions
	prelude   *scope               // the templates of the standard library, nil until named
	loaded    int                  // modules of it that have been checked
	// a call by a name of the library's headers, which want no constants
	internal    bool
	converting  int                                   // depth of user-defined conversions
	outside     map[*syntax.FuncDecl]*syntax.FuncDecl // definitions of members outside of their class templates
	hosts       map[string]syntax.Pos                 // names of entry points that host_name gave
	numbered    map[int]string                        // function constants, by index
	lambdas     map[lambdaKey]hir.Expr                // closures made
	stages      map[string]bool                       // names of functions of other stages
	targets     []targetType                          // functions whose address is taken, by type
	unoptimised bool                                  // after a pragma clang optimize off
	destructors bool                                  // some class declares one
	why         *string                               // what the first error that is not reported says, if anybody asks
	hinted      int                                   // names looked through for hints
	nested      int                                   // expressions that the checker is inside of
	signing     int                                   // signatures of instances that the checker is inside of
	warnings    []warning
	worker      worker           // of a work queue
	indexing    *syntax.NameExpr // the name before an index that is being looked up
	bindings    []globalBinding  // of program scope
	externs     []externUse
	bound       map[*hir.Func][]*hir.Var // those that functions use
	deferral    deferral                 // of faults of instances that nothing needs yet
	purpose     purpose                  // what a value is being converted for
	searches    int                      // so far
	unpaid      int                      // what searches have looked at and is not charged yet
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
	c := &checker{
		cfg:      cfg,
		prog:     &hir.Program{},
		seen:     map[fault]bool{},
		structs:  map[*hir.Struct]*structInfo{},
		enums:    map[*hir.Enum]*scope{},
		routines: map[*hir.Func]*routine{},
		calls:    map[*hir.Func][]callSite{},
		bound:    map[*hir.Func][]*hir.Var{},
		outside:  map[*syntax.FuncDecl]*syntax.FuncDecl{},
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

// A fault is what makes two errors the same.
type fault struct {
	pos       syntax.Pos
	code, msg string
}

// An instantiation is a template instance that is being checked, and what asked for it.
type instantiation struct {
	what  string
	pos   syntax.Pos
	outer *instantiation
}

// errorf reports a fault. Code is the stable name of the rule (codes.go). The error is
// for notes; it is nil if it is not to be reported.
func (c *checker) errorf(pos syntax.Pos, code, format string, args ...any) *syntax.Error {
	if c.speculating > 0 {
		if c.why != nil && *c.why == "" {
			*c.why = fmt.Sprintf(format, args...)
		}
		c.suppressed++
		return nil
	}
	c.worker.giveUp()
	if pos.File == preludeName {
		pos = c.user
	}
	e := &syntax.Error{Pos: pos, Code: code, Msg: fmt.Sprintf(format, args...)}
	key := fault{pos, code, e.Msg}
	if c.seen[key] {
		return nil
	}
	c.seen[key] = true
	if c.errs = append(c.errs, e); len(c.errs) == maxErrors {
		e.Note(pos, "that makes %d errors: nothing else is checked", maxErrors)
		panic(exhausted{})
	}
	n := 0
	for i := c.from; i != nil && i.pos.File != preludeName; i = i.outer {
		if n++; n > maxChainNotes && i.outer != nil {
			continue // the innermost and the outermost tell the story
		}
		e.Note(i.pos, "in instantiation of %s requested here", i.what)
	}
	return e
}

// maxErrors bounds what a reader is told of one file.
const maxErrors = 1000

// A warning has the cause that it is given for once, nil if there is none, and the number of the declaration that led
// to it.
type warning struct {
	*syntax.Error
	cause any
	at    int
}

// warnf reports what a compiler ignores in a declaration.
func (c *checker) warnf(pos syntax.Pos, code, format string, args ...any) *syntax.Error {
	return c.warnOnce(nil, pos, code, format, args...)
}

// warnOnce reports what a compiler ignores in a body, of which there may be many instances.
func (c *checker) warnOnce(cause any, pos syntax.Pos, code, format string, args ...any) *syntax.Error {
	if len(c.warnings) == maxErrors {
		return nil
	}
	e := &syntax.Error{Pos: pos, Code: code, Msg: fmt.Sprintf(format, args...)}
	c.warnings = append(c.warnings, warning{e, cause, c.worker.at})
	return e
}

// maxChainNotes bounds the notes about the instances that an error stands in.
const maxChainNotes = 8

// missing reports a name that nothing declares.
func (c *checker) missing(pos syntax.Pos, code, name, format string, args ...any) *syntax.Error {
	e := c.errorf(pos, code, format, args...)
	if e != nil {
		e.Name = name
	}
	return e
}

// suppress makes a speculation fail because of an error that has been reported elsewhere.
func (c *checker) suppress() {
	if c.speculating > 0 {
		c.suppressed++
	}
}

// attempt runs f without reporting errors and tells whether there were none.
func (c *checker) attempt(f func()) bool {
	saved, suppressed := c.context, c.suppressed
	c.speculating++
	c.suppressed = 0
	f()
	ok := c.suppressed == 0
	c.speculating--
	c.context, c.suppressed = saved, suppressed
	return ok
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

// since reports whether the language version is at least v; otherwise it says
// that what needs a later one.
func (c *checker) since(v int, pos syntax.Pos, what string) bool {
	if c.cfg.Version >= v {
		return true
	}
	c.errorf(pos, codeLanguageVersion, "%s", c.tooEarly(v, what))
	return false
}

// tooEarly says that what needs version v.
func (c *checker) tooEarly(v int, what string) string {
	return fmt.Sprintf("%s needs Metal %d.%d, the program is compiled as Metal %d.%d", what, v/100, v/10%10,
		c.cfg.Version/100, c.cfg.Version/10%10)
}

// undefined reports a call of a function without a body.
func (c *checker) undefined(callee *hir.Func, pos syntax.Pos) {
	if r := c.routines[callee]; r != nil {
		if a := asmLabel(r.decl); a != nil {
			c.errorf(pos, codeUnsupported,
				"%s is the function %q of Apple's compiler, which no specification describes and which is not "+
					"supported", callee.Name, labelText(a))
			return
		}
	}
	c.errorf(pos, codeUndefinedFunction, "function %s is declared but never defined", callee.Name)
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
