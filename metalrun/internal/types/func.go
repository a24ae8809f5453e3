package types

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// A function is what one declaration declares: a plain function or a template
// of functions.
type function struct {
	name      string
	decl      *syntax.FuncDecl // the first declaration
	def       *syntax.FuncDecl // with the body; nil until seen
	scope     *scope           // where it was declared
	owner     *structInfo      // of a member function
	seq       int
	limit     int  // what a template's body can see of program scope
	contract  bool // at the definition
	plain     *routine
	instances map[string]*routine
	special   []*explicitSpecialisation // of a function template
}

func (f *function) isTemplate() bool { return f.decl.Template != nil }

// isStatic reports whether calls of a member function need no object.
func (f *function) isStatic() bool {
	return f.owner == nil || f.decl.Specs.Static || f.decl.Specs.Friend || f.isConstructor()
}

func (f *function) isConstructor() bool {
	return f.owner != nil && f.decl.Result == nil && f.decl.Name.Last().Conversion == nil
}

// A routine is one function: a plain one, or an instance of a template.
type routine struct {
	of     *function
	fn     *Func
	decl   *syntax.FuncDecl // declaration with default arguments
	def    *syntax.FuncDecl // with the body; nil until seen
	scope  *scope           // encloses the parameters; binds template parameters
	targs  []templateArg
	params []qual
	result qual // of the declaration; auto until deduced
	state  bodyState

	special bool // of a class template, with a body of its own
}

type bodyState uint8

const (
	bodyUnchecked bodyState = iota
	bodyActive
	bodyChecked
)

// signature is the function's type.
func (r *routine) signature() *Signature {
	s := &Signature{Result: r.result.asType()}
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
	return qual{typ: r.of.owner.typ, space: space, isConst: q.Const || space == syntax.Constant, volatile: q.Volatile, ref: true}
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
			c.errorf(a.Pos(), codeAttribute, "'%s' attribute cannot be applied to types: write it ahead of the declaration", a.Name)
		}
	}
	if len(d.Name.Parts) > 1 {
		c.outsideDefinition(d)
		return
	}
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
	c.addFunction(set, &function{name: name.Ident, decl: d, scope: c.scope})
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
	f.limit = f.seq
	if f.owner != nil && f.owner.lazy {
		f.limit = f.owner.limit
	}
	f.contract = c.contract
	f.instances = map[string]*routine{}
	if d.Body != nil {
		f.def = d
	}
	if f.isTemplate() {
		set.list = append(set.list, f)
		return
	}
	r := c.plainRoutine(f)
	if r == nil {
		set.list = append(set.list, f) // its uses are silent
		return
	}
	if isOperator(f.name) && f.owner == nil && !slices.ContainsFunc(r.params, ownType) {
		c.errorf(d.Pos(), codeOperatorParameter, "%s needs a parameter of struct or enumeration type", f.name)
		return
	}
	if old := c.sameFunction(set, r); old != nil {
		c.redeclare(old, r)
		return
	}
	if isKernel(d) {
		for _, o := range set.list {
			c.errorf(namePos(d), codeKernelOverload, "kernel '%s' cannot be overloaded", set.name).Note(namePos(o.decl), "previous declaration is here")
			return
		}
	}
	set.list = append(set.list, f)
	c.defineBody(r)
}

// isOperator reports whether a function's name is "operator" with a sign.
func isOperator(name string) bool {
	sign, ok := strings.CutPrefix(name, "operator")
	return ok && sign != "" && !strings.ContainsAny(sign[:1], "_0123456789") && strings.ToLower(sign[:1]) == strings.ToUpper(sign[:1])
}

// ownType reports whether the program defines the type of a parameter.
func ownType(q qual) bool {
	switch q.typ.(type) {
	case *Struct, *Enum:
		return true
	}
	return false
}

func isKernel(d *syntax.FuncDecl) bool {
	return d.Specs.Kernel || attribute(d.Attrs, "kernel") != nil
}

// plainRoutine reads the signature of a function that is no template.
func (c *checker) plainRoutine(f *function) *routine {
	r := &routine{of: f, decl: f.decl, def: f.def, scope: f.scope}
	if f.owner != nil && f.decl.Specs.Friend {
		r.scope = f.owner.scope
	}
	if !c.readSignature(r) {
		c.salvage(r)
		return nil
	}
	f.plain = r
	return r
}

// salvage looks for more faults in the body of a function whose signature has some. Its
// faulty parameters have no type.
func (c *checker) salvage(r *routine) {
	if r.def == nil || r.of.owner != nil || r.result.typ == nil || len(r.params) != len(r.decl.Params) {
		return
	}
	r.fn = &Func{Name: r.of.name, Pos: r.decl.Pos(), Result: r.resultType()}
	c.ensureBody(r, r.decl.Pos())
}

// readSignature resolves parameter and result types and makes the Func.
func (c *checker) readSignature(r *routine) bool {
	ctx := c.context
	ctx.scope = r.scope
	ok := true
	c.in(ctx, func() {
		for i, p := range r.decl.Params {
			if p.Variadic {
				ok = c.packParams(r, p, i == len(r.decl.Params)-1) && ok
				continue
			}
			good := c.readParam(r, p)
			if good && i > 0 && p.Default == nil && r.decl.Params[i-1].Default != nil {
				c.errorf(p.Pos(), codeDefaultArgument, "the parameter needs a default argument, since the one before has one")
				good = false
			}
			ok = ok && good
		}
		ok = c.readResult(r) && ok
	})
	if !ok {
		return false
	}
	r.fn = &Func{Name: c.routineName(r), Pos: r.decl.Pos(), Result: r.resultType()}
	c.routines[r.fn] = r
	return true
}

// readParam reads the type of one parameter.
func (c *checker) readParam(r *routine, p *syntax.Param) bool {
	q, good := c.paramType(p)
	if good && !q.ref {
		if s, isSig := q.typ.(*Signature); isSig {
			c.errorf(p.Pos(), codeFunctionValue, "got a parameter of type %s: function pointers are supported as template parameters only", s)
			good = false
		} else if _, isStruct := q.typ.(*Struct); !isStruct {
			good = c.complete(q, p.Pos())
		}
	}
	if good && q.space != syntax.NoSpace && !q.ref && q.space != syntax.Thread && !isKernel(r.decl) {
		c.errorf(p.Pos(), codeParameterSpace, "a parameter that is a value cannot lie in %s memory: want a pointer or a reference", q.space)
		good = false
	}
	if !good {
		q = qual{}
	}
	r.params = append(r.params, q)
	return good
}

// packParams reads the parameters that a pack stands for.
func (c *checker) packParams(r *routine, p *syntax.Param, last bool) bool {
	if !last {
		c.errorf(p.Pos(), codeUnsupported, "a parameter pack is supported as the last parameter only")
		return false
	}
	scopes, ok := c.expansion(p.Type)
	for _, s := range scopes {
		c.within(s, func() { ok = c.readParam(r, p) && ok })
	}
	return ok
}

func (c *checker) readResult(r *routine) bool {
	d := r.decl
	switch {
	case r.of.isConstructor():
		r.result = plain(r.of.owner.typ)
		return true
	case d.Name.Last().Conversion != nil:
		q, ok := c.typeOf(d.Name.Last().Conversion)
		r.result = q
		return ok
	}
	x := d.Result
	if x == nil {
		c.errorf(d.Pos(), codeUnknownType, "%s has no result type", r.of.name)
		return false
	}
	if d.Trailing { // the result type may name parameters
		saved := c.scope
		c.scope = newScope(c.scope, blockScope)
		c.declareParams(r, d, func(v *Var) {})
		defer func() { c.scope = saved }()
	}
	q, ok := c.typeOrAuto(x)
	if !ok {
		return false
	}
	switch t := q.typ.(type) {
	case *Array:
		c.errorf(x.Pos(), codeArrayResult, "a function cannot return an array")
		return false
	case *Signature:
		c.errorf(x.Pos(), codeFunctionValue, "a function cannot return a function")
		return false
	case Atomic:
		c.errorf(x.Pos(), codeAtomicType, "a function cannot return %s", t)
		return false
	}
	if !q.ref && q.space != syntax.NoSpace && q.space != syntax.Thread {
		c.errorf(x.Pos(), codeResultSpace, "a result is a value and cannot lie in %s memory", q.space)
		return false
	}
	r.result = q
	return true
}

// resultType is the result in the tree: a reference is returned as a pointer.
func (r *routine) resultType() Type {
	if r.result.ref {
		return pointerTo(r.result)
	}
	return r.result.typ
}

// routineName is the name for messages and printing: qualified, with template arguments.
func (c *checker) routineName(r *routine) string {
	name := r.of.scope.path + r.of.name
	if r.of.owner != nil {
		name = r.of.owner.typ.Name + "::" + r.of.name
	}
	if conv := r.decl.Name.Last().Conversion; conv != nil {
		name += " " + r.result.String()
	}
	if len(r.targs) > 0 {
		name += argsText(r.targs)
	}
	return name
}

// sameFunction finds a plain function with the same parameters.
func (c *checker) sameFunction(set *funcSet, r *routine) *routine {
	for _, f := range set.list {
		o := f.plain
		if o == nil || len(o.params) != len(r.params) || f.isTemplate() || f.owner != nil && o.decl.Quals.Space != r.decl.Quals.Space || o.decl.Quals.Const != r.decl.Quals.Const {
			continue
		}
		if slices.EqualFunc(o.params, r.params, func(a, b qual) bool { return Identical(a.asType(), b.asType()) }) {
			return o
		}
	}
	return nil
}

// redeclare joins a second declaration with the first.
func (c *checker) redeclare(old, r *routine) {
	pos := namePos(r.decl)
	if !Identical(old.result.asType(), r.result.asType()) {
		c.errorf(pos, codeOverloadResult, "functions that differ only in their return type cannot be overloaded: '%s' returns '%s' here", old.fn.Name, r.result).
			Note(namePos(old.decl), "previous declaration is here, which returns '%s'", old.result)
		return
	}
	for i, p := range r.decl.Params {
		if p.Default != nil && i < len(old.decl.Params) && old.decl.Params[i].Default != nil {
			c.errorf(p.Default.Pos(), codeRedeclared, "the default argument of %s is given already", p.Name)
		}
	}
	if isKernel(old.decl) != isKernel(r.decl) {
		c.errorf(pos, codeKernelOverload, "kernel '%s' cannot be overloaded", old.of.name).Note(namePos(old.decl), "previous declaration is here")
		return
	}
	if r.def == nil {
		if r.of.owner != nil {
			c.errorf(pos, codeRedeclared, "class member cannot be redeclared: '%s'", old.fn.Name).Note(namePos(old.decl), "previous declaration is here")
		}
		return
	}
	if old.def != nil {
		c.errorf(pos, codeRedefined, "redefinition of '%s'", old.fn.Name).Note(namePos(old.def), "previous definition is here")
		return
	}
	old.def, old.of.def = r.def, r.def
	old.fn.Pos = pos
	old.of.contract = c.contract
	old.of.limit = c.seq
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
	c.ensureBody(r, r.def.Pos())
	if isKernel(r.decl) {
		c.entryPoint(r, r.def.Attrs, r.def.Pos(), nil)
	}
}

func (c *checker) checkPending() {
	for len(c.pending) > 0 {
		r := c.pending[0]
		c.pending = c.pending[1:]
		c.ensureBody(r, r.decl.Pos())
	}
}

// methodDecl declares a member function, constructor or operator of a struct.
func (c *checker) methodDecl(info *structInfo, d *syntax.FuncDecl) {
	name := d.Name.Last()
	if d.Template != nil && len(d.Template.Params) == 0 {
		c.specialiseMember(info, d)
		return
	}
	if strings.HasPrefix(name.Ident, "~") {
		if !d.Default {
			c.errorf(d.Pos(), codeUnsupported, "destructors are not supported")
		}
		return
	}
	if isKernel(d) {
		c.errorf(d.Pos(), codeKernelMember, "a kernel cannot be a member of a struct")
		return
	}
	f := &function{name: name.Ident, decl: d, scope: c.scope, owner: info}
	switch {
	case d.Specs.Friend:
		outer := info.scope
		for outer.kind != namespaceScope {
			outer = outer.parent
		}
		if set := c.funcSetOf(d.Pos(), outer, name.Ident); set != nil {
			f.owner, f.scope = nil, c.scope
			c.addFunction(set, f)
		}
	case f.isConstructor():
		if name.Ident != lastPart(bare(info.typ.Name)) {
			c.errorf(d.Pos(), codeUnknownType, "%s has no result type", name.Ident)
			return
		}
		set := &funcSet{name: name.Ident, list: info.ctors}
		c.addFunction(set, f)
		info.ctors = set.list
	case name.Conversion != nil:
		f.name = "operator"
		set := &funcSet{name: f.name}
		c.addFunction(set, f)
		info.convs = append(info.convs, set.list...)
	default:
		if name.Ident == "operator=" {
			if d.Default {
				return
			}
			info.assigned = true
		}
		if set := c.funcSetOf(d.Pos(), info.scope, name.Ident); set != nil {
			c.addFunction(set, f)
		}
	}
}

// bare is a struct's name without template arguments.
func bare(name string) string {
	if i := strings.IndexByte(name, '<'); i >= 0 && strings.HasSuffix(name, ">") {
		return name[:i]
	}
	return name
}

// Bodies

// A funcState is the function whose body is being checked.
type funcState struct {
	r           *routine
	this        *Var // the object of a member function, or under construction
	kernel      bool
	loops       int  // enclosing loops
	breaks      int  // enclosing loops and switches
	unevaluated bool // in sizeof or decltype
	dead        int  // enclosing branches that a constant condition rules out
}

const maxDepth = 256

// ensureBody checks the body of a routine, which pos needs, if that has not been done.
func (c *checker) ensureBody(r *routine, pos syntax.Pos) {
	if r.state != bodyUnchecked || c.definition(r) == nil || r.fn == nil {
		return
	}
	if c.depth >= maxDepth {
		c.errorf(r.def.Pos(), codeTemplateDepth, "%d template instances are nested here: the recursion does not end", c.depth)
		r.state = bodyChecked
		return
	}
	r.state = bodyActive
	ctx := context{scope: newScope(c.outsideScope(r), blockScope), limit: unlimited, contract: r.of.contract, depth: c.depth + 1, user: c.user}
	if lazy := r.of.owner != nil && r.of.owner.lazy; len(r.targs) > 0 || lazy {
		ctx.limit = r.of.limit
		what := "function template specialization"
		if lazy && len(r.targs) == 0 {
			what = "member function"
		}
		ctx.from = &instantiation{what + " '" + r.fn.Name + "'", pos, c.from}
	}
	if r.special || c.outside[r.decl] == r.def {
		ctx.limit = unlimited
	}
	quiet, muffled := c.quiet, c.muffled
	c.quiet = 0 // a fault in a body is a fault whoever asks
	classes := c.classes
	c.classes = nil
	c.in(ctx, func() { c.body(r) })
	c.classes = classes
	c.quiet, c.muffled = quiet, muffled
	r.state = bodyChecked
}

func (c *checker) body(r *routine) {
	c.fn = &funcState{r: r, kernel: isKernel(r.decl)}
	fn := r.fn
	var head []Stmt
	switch {
	case r.of.isConstructor():
		c.fn.this = &Var{Name: "this", Pos: fn.Pos, Type: r.of.owner.typ, Space: syntax.Thread}
	case !r.of.isStatic():
		q := r.thisQual()
		c.fn.this = &Var{Name: "this", Pos: fn.Pos, Type: q.typ, Space: q.space, Ref: true, Const: q.isConst}
		fn.Params = append(fn.Params, c.fn.this)
	}
	c.declareParams(r, r.def, func(v *Var) { fn.Params = append(fn.Params, v) })
	if r.of.isConstructor() {
		head = c.constructorHead(r)
	}
	b := c.bodyBlock(r.def.Body)
	if head != nil {
		b = &Block{List: append(head, b)}
		b.List = append(b.List, &Return{r.def.Body.End, c.thisValue(r.def.Body.End)})
	}
	fn.Body = b
	if hasAuto(r.result.typ) {
		r.result = plain(Void)
		fn.Result = Void
	}
}

// declareParams declares the parameters of a function by the names of d, and calls add
// for each.
func (c *checker) declareParams(r *routine, d *syntax.FuncDecl, add func(*Var)) {
	pack := &packEntity{}
	for i, q := range r.params {
		p := paramOf(d, i)
		if q.typ == nil {
			if p.Name != "" {
				c.scope.names[p.Name] = &poisonEntity{}
			}
			continue
		}
		if !q.ref {
			c.complete(q, p.Pos())
		}
		v := paramVar(p, q)
		add(v)
		e := &varEntity{v: v, volatile: q.volatile}
		if c.fn != nil {
			e.owner = c.fn.r
		}
		switch {
		case p.Variadic:
			pack.elems = append(pack.elems, e)
		case p.Name != "":
			c.declare(p.NamePos, p.Name, e)
		}
	}
	if isVariadic(d) && d.Params[len(d.Params)-1].Name != "" {
		c.declare(d.Params[len(d.Params)-1].Pos(), d.Params[len(d.Params)-1].Name, pack)
	}
}

// thisValue is a copy of the object that a constructor makes.
func (c *checker) thisValue(pos syntax.Pos) Expr {
	return c.rvalue(variable(pos, c.fn.this, false))
}

func paramVar(p *syntax.Param, q qual) *Var {
	v := &Var{Name: p.Name, Pos: p.Pos(), Type: q.typ, Space: syntax.Thread, Const: q.isConst, Ref: q.ref}
	if q.ref {
		v.Space = q.space
		v.Const = q.isConst || q.space == syntax.Constant
	}
	return v
}

// constructorHead declares the object and initialises its fields in order.
func (c *checker) constructorHead(r *routine) []Stmt {
	info := r.of.owner
	pos := r.def.Pos()
	list := []Stmt{&VarStmt{Var: c.fn.this}}
	given := map[string]*syntax.FieldInit{}
	for i := range r.def.Inits {
		in := &r.def.Inits[i]
		name := in.Name
		if name == lastPart(bare(info.typ.Name)) && len(r.def.Inits) == 1 {
			ops, ok := c.arguments(in.Args)
			if !ok {
				return list
			}
			if e := c.construction(in.Pos, info, ops); e != nil {
				list[0].(*VarStmt).Init = e
			}
			return list
		}
		if given[name] != nil {
			c.errorf(in.Pos, codeRedeclared, "the member %s is initialised already", name)
		}
		given[name] = in
	}
	for i, f := range info.typ.Fields {
		in := given[f.Name]
		if i < len(info.bases) {
			in = given[lastPart(bare(info.bases[i].typ.Name))]
			delete(given, lastPart(bare(info.bases[i].typ.Name)))
		}
		delete(given, f.Name)
		if e := c.fieldInit(pos, info, i, in); e != nil {
			target := &FieldExpr{expr{pos, f.Type}, &VarExpr{expr{pos, info.typ}, c.fn.this}, i}
			list = append(list, &ExprStmt{&Assign{expr{e.Pos(), f.Type}, target, e}})
		}
	}
	for _, name := range sortedKeys(given) {
		path, ok := info.scope.names[name].(*fieldEntity)
		if !ok || len(path.path) == 1 {
			c.errorf(given[name].Pos, codeNoMember, "%s has no member %s", info.typ, name)
			continue
		}
		target := c.fieldPath(variable(given[name].Pos, c.fn.this, false), path.path, given[name].Pos)
		if e := c.fieldValue(given[name], Field{Type: target.typ()}); e != nil {
			list = append(list, &ExprStmt{&Assign{expr{e.Pos(), target.typ()}, target.expr, e}})
		}
	}
	return list
}

// fieldInit is the value that a constructor gives field i, nil if it stays indeterminate.
func (c *checker) fieldInit(pos syntax.Pos, info *structInfo, i int, in *syntax.FieldInit) Expr {
	f := info.typ.Fields[i]
	switch {
	case in != nil:
		return c.fieldValue(in, f)
	case info.inits[i] != nil:
		return c.memberInit(info, i, nil)
	case c.hasDefault(f.Type):
		return c.zero(pos, f.Type)
	case f.Ref:
		c.errorf(pos, codeUninitialised, "the reference %s has no initialiser", f.Name)
	case c.needsArguments(f.Type):
		c.errorf(pos, codeNoDefault, "%s has no default constructor", f.Type)
	}
	return nil
}

// fieldValue is the value that "name(args)" gives a field.
func (c *checker) fieldValue(in *syntax.FieldInit, f Field) Expr {
	ops, ok := c.arguments(in.Args)
	if !ok {
		return nil
	}
	t := f.Type
	if f.Ref && len(ops) == 1 {
		return c.kept(f, c.initialiseWith(f.qual(), ops[0], in.Pos, true))
	}
	if len(ops) == 1 && ops[0].list != nil {
		return c.initList(plain(t), ops[0].list)
	}
	if len(ops) == 1 {
		return c.initialiseWith(plain(t), ops[0], in.Pos, true)
	}
	return c.constructFrom(in.Pos, t, ops)
}
