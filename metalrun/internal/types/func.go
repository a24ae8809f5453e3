package types

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// A function is what one declaration declares: a plain function or a template
// of functions.
type function struct {
	name  string
	decl  *syntax.FuncDecl // the first declaration
	def   *syntax.FuncDecl // with the body; nil until seen
	scope *scope           // where it was declared
	owner *structInfo      // of a member function
	seq   int
	definitionPoint
	implicit  bool // a deduction guide that follows from a constructor
	inherited bool // a constructor of a base
	hidden    bool // declared only as a friend: found by arguments
	plain     *routine
	instances map[string]*routine
	special   []*explicitSpecialisation // of a function template
	form      string                    // what tells a template from its overloads, once it is asked

	protection protection // of a member function
}

// A definitionPoint is the place of a definition: what its body sees there, and how it computes.
type definitionPoint struct {
	limit       int               // names of program scope that are declared after this many others are invisible
	math        hir.FastMathFlags // of floating operations
	unoptimised bool              // a pragma forbids to optimise
}

// here is the point that the checker has come to.
func (c *checker) here() definitionPoint { return definitionPoint{c.seq, c.math, c.unoptimised} }

func (f *function) isTemplate() bool { return f.decl.Template != nil }

// isStatic reports whether calls of a member function need no object.
func (f *function) isStatic() bool {
	return f.owner == nil || f.decl.Specs.Static || f.isConstructor()
}

func (f *function) isConstructor() bool {
	return f.owner != nil && f.decl.Result == nil && f.decl.Name.Last().Conversion == nil
}

// A routine is one function: a plain one, or an instance of a template.
type routine struct {
	of     *function
	fn     *hir.Func
	decl   *syntax.FuncDecl // declaration with default arguments
	def    *syntax.FuncDecl // with the body; nil until seen
	scope  *scope           // encloses the parameters; binds template parameters
	targs  []templateArg
	params []qual
	result qual // of the declaration; auto until deduced
	state  bodyState
	used   bool // something calls it

	threadgroup int   // bytes of threadgroup variables in the body
	placeholder *qual // the declared result, if the first return statement has told what auto is

	special bool             // an explicit specialisation, whose body is its own
	point   *definitionPoint // of def, nil if it is that of the function
}

type bodyState uint8

const (
	bodyUnchecked bodyState = iota
	bodyActive
	bodyChecked
)

// signature is the function's type.
func (r *routine) signature() *hir.Signature {
	s := &hir.Signature{Result: r.result.asType()}
	for _, p := range r.params {
		s.Params = append(s.Params, p.asType())
	}
	return s
}

// thisQual is the reference that a member function's object binds to.
func (r *routine) thisQual() qual {
	q := r.decl.Quals
	space := q.Space
	if space == syntax.NoSpace {
		space = syntax.Thread
	}
	return qual{typ: r.of.owner.typ, space: space, isConst: q.Const || space == syntax.Constant, volatile: q.Volatile,
		ref: true}
}

func minArgs(d *syntax.FuncDecl) int {
	n := 0
	for _, p := range d.Params {
		if p.Default != nil || p.Variadic {
			break
		}
		n++
	}
	return n
}

// Declaration

// funcDecl declares a function of the program or of a namespace.
func (c *checker) funcDecl(d *syntax.FuncDecl) {
	name := d.Name.Last()
	for _, a := range d.After {
		if slices.Contains(functionAttributes, a.Name) {
			c.errorf(a.Pos(), codeAttribute,
				"'%s' attribute cannot be applied to types: write it ahead of the declaration", a.Name)
		}
	}
	if d.Guide {
		c.guide(d)
		return
	}
	if stage := stageOf(d); stage != "" {
		c.warnf(d.Name.Pos(), codeStage, "the %s function '%s' is not checked: only kernels are", stage, name.Ident)
		c.stages[name.Ident] = true
		return
	}
	if len(d.Name.Parts) > 1 {
		if isDestructor(d) {
			d = returningNothing(d)
		}
		c.outsideDefinition(d)
		return
	}
	c.checkLabel(d)
	if d.Template != nil && len(d.Template.Params) == 0 {
		c.specialiseFunction(d)
		return
	}
	if name.Ident == "main" {
		c.errorf(d.Pos(), codeMain, "a function cannot be called main")
		return
	}
	set := c.funcSetOf(d.Pos(), c.scope, name.Ident)
	if set == nil {
		return
	}
	f := &function{name: name.Ident, decl: d, scope: c.scope}
	c.addFunction(set, f)
	if f.plain != nil && d.Body != nil && attribute(d.Attrs, "visible") != nil {
		c.addressOfRoutine(f.plain, d.Pos()) // a table of functions may hold it
	}
}

// funcSetOf finds or makes the overload set of a name in a scope; nil after an error.
func (c *checker) funcSetOf(pos syntax.Pos, s *scope, name string) *funcSet {
	switch e := s.names[name].(type) {
	case nil:
	case *funcSet:
		return e
	case *typeEntity:
		if !e.tag {
			c.redefinition(pos, name, e)
			return nil
		}
		s.names["struct "+name] = e
	default:
		c.redefinition(pos, name, e)
		return nil
	}
	set := &funcSet{name: name}
	s.names[name] = set
	return set
}

// addFunction adds f to its overload set, or joins it with an earlier
// declaration of the same function.
func (c *checker) addFunction(set *funcSet, f *function) {
	d := f.decl
	f.seq = c.nextSeq()
	f.definitionPoint = c.here()
	if f.owner != nil && f.owner.lazy {
		f.limit = f.owner.limit
	}
	f.instances = map[string]*routine{}
	if d.Body != nil {
		f.def = d
	}
	c.refuseParameters(d)
	if f.isTemplate() {
		defer c.templateDefined(f)
		if c.redeclaresTemplate(set, f) {
			return
		}
		if !isLiteralOperator(f.name) || c.literalOperator(f) {
			set.list = append(set.list, f)
		}
		return
	}
	r, ok := c.plainRoutine(f)
	if !ok {
		set.list = append(set.list, f) // its uses are silent
		c.salvage(r)
		return
	}
	c.checkDefaults(r)
	if f.plain = r; isLiteralOperator(f.name) && !c.literalOperator(f) {
		return
	}
	f.plain = nil
	if isOperator(f.name) && f.owner == nil && !slices.ContainsFunc(r.params, ownType) {
		c.errorf(d.Pos(), codeOperatorParameter, "%s needs a parameter of struct or enumeration type", f.name)
		set.list = append(set.list, f)
		return
	}
	f.plain = r
	if old := c.sameFunction(set, r); old != nil {
		c.redeclare(old, r)
		return
	}
	if isKernel(d) {
		for _, o := range set.list {
			c.errorf(namePos(d), codeKernelOverload, "kernel '%s' cannot be overloaded", set.name).Note(namePos(o.decl),
				"previous declaration is here")
			return
		}
	}
	set.list = append(set.list, f)
	c.defineBody(r)
}

// isOperator reports whether a function's name is "operator" with a sign.
func isOperator(name string) bool {
	sign, ok := strings.CutPrefix(name, "operator")
	return ok && sign != "" && !isLiteralOperator(name) && !strings.ContainsAny(sign[:1], "_0123456789") &&
		strings.ToLower(sign[:1]) == strings.ToUpper(sign[:1])
}

// ownType reports whether the program defines the type of a parameter.
func ownType(q qual) bool {
	switch q.typ.(type) {
	case *hir.Struct, *hir.Enum:
		return true
	}
	return false
}

func isKernel(d *syntax.FuncDecl) bool {
	return d.Specs.Kernel || attribute(d.Attrs, "kernel") != nil
}

// plainRoutine reads the signature of a function that is no template.
func (c *checker) plainRoutine(f *function) (r *routine, ok bool) {
	r = &routine{of: f, decl: f.decl, def: f.def, scope: f.scope}
	return r, c.readSignature(r)
}

// sameFunction finds a plain function with the same parameters.
func (c *checker) sameFunction(set *funcSet, r *routine) *routine {
	c.spend(r.decl.Pos(), len(set.list)/rivalsPerStep)
	for _, f := range set.list {
		o := f.plain
		if o == nil || len(o.params) != len(r.params) || f.isTemplate() ||
			f.owner != nil && o.decl.Quals.Space != r.decl.Quals.Space || o.decl.Quals.Const != r.decl.Quals.Const ||
			o.decl.Ref != r.decl.Ref {
			continue
		}
		if slices.EqualFunc(o.params, r.params,
			func(a, b qual) bool { return hir.Identical(a.asType(), b.asType()) && a.rvalueRef == b.rvalueRef }) {
			return o
		}
	}
	return nil
}

// redeclare joins a second declaration with the first.
func (c *checker) redeclare(old, r *routine) {
	pos := namePos(r.decl)
	if !hir.Identical(old.result.asType(), r.result.asType()) {
		c.errorf(pos, codeOverloadResult,
			"functions that differ only in their return type cannot be overloaded: '%s' returns '%s' here", old.fn.Name,
			r.result).
			Note(namePos(old.decl), "previous declaration is here, which returns '%s'", old.result)
		return
	}
	for i, p := range r.decl.Params {
		if p.Default != nil && i < len(old.decl.Params) && old.decl.Params[i].Default != nil {
			c.errorf(p.Default.Pos(), codeRedeclared, "the default argument of %s is given already", p.Name)
		}
	}
	if isKernel(old.decl) != isKernel(r.decl) {
		c.errorf(pos, codeKernelOverload, "kernel '%s' cannot be overloaded", old.of.name).Note(namePos(old.decl),
			"previous declaration is here")
		return
	}
	old.of.hidden = old.of.hidden && r.of.hidden
	old.joinDefaults(r.decl)
	if r.def == nil {
		if r.of.owner != nil {
			c.errorf(pos, codeRedeclared, "class member cannot be redeclared: '%s'",
				old.fn.Name).Note(namePos(old.decl), "previous declaration is here")
		}
		return
	}
	if old.def != nil {
		c.errorf(pos, codeRedefined, "redefinition of '%s'", old.fn.Name).Note(namePos(old.def),
			"previous definition is here")
		return
	}
	old.def, old.of.def = r.def, r.def
	old.fn.Pos = pos
	old.of.definitionPoint = c.here()
	c.defineBody(old)
}

// defineBody checks the body of a plain function where it stands, or at the
// end of the outermost struct around it.
func (c *checker) defineBody(r *routine) {
	if r.def == nil || r.of.owner != nil && r.of.owner.lazy {
		return
	}
	if len(c.classes) > 0 {
		c.pending = append(c.pending, r)
		return
	}
	if isKernel(r.decl) && !c.wanted(r.def.Attrs, r.of.scope.path+r.of.name) {
		return
	}
	c.ensureBody(r, r.def.Pos())
	if isKernel(r.decl) && !r.def.Broken {
		c.entryPoint(r, r.def.Attrs, r.def.Pos(), nil)
	}
}

func (c *checker) checkPending() {
	list := c.undefaulted
	c.undefaulted = nil
	for _, r := range list {
		c.checkDefaults(r)
	}
	templates := c.templates
	c.templates = nil
	for _, f := range templates {
		c.unboundNames(f)
	}
	for len(c.pending) > 0 {
		r := c.pending[0]
		c.pending = c.pending[1:]
		c.ensureBody(r, r.decl.Pos())
	}
}
