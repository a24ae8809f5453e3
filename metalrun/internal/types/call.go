package types

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// arguments checks the arguments of a call; ok is false after an error.
func (c *checker) arguments(xs []syntax.Expr) (ops []operand, ok bool) {
	if xs, ok = c.expandExprs(xs); !ok {
		return nil, false
	}
	ops = make([]operand, 0, len(xs))
	for _, x := range xs {
		op := c.expr(x)
		if op.bad() {
			ok = false
		} else if isVoid(op.typ()) {
			c.errorf(x.Pos(), codeVoidValue, "an expression of type void has no value")
			ok = false
		}
		ops = append(ops, op)
	}
	return ops, ok
}

func describeArgs(args []operand) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.describe()
		if a.lvalue && a.space != syntax.Thread && a.space != syntax.NoSpace {
			texts[i] = a.space.String() + " " + texts[i]
		}
	}
	return strings.Join(texts, ", ")
}

// quotedArgs is what describes two operands.
func quotedArgs(ops []operand) string {
	texts := make([]string, len(ops))
	for i, op := range ops {
		texts[i] = "'" + op.describe() + "'"
	}
	return strings.Join(texts, " and ")
}

func (c *checker) callExpr(x *syntax.CallExpr) operand {
	fun := x.Fun
	for {
		p, ok := fun.(*syntax.ParenExpr)
		if !ok {
			break
		}
		fun = p.X
	}
	switch f := fun.(type) {
	case *syntax.NameExpr:
		return c.namedCall(x, f)
	case *syntax.MemberExpr:
		return c.memberCall(x, f)
	}
	op := c.expr(fun)
	args, ok := c.arguments(x.Args)
	if op.bad() || !ok {
		return operand{}
	}
	if op.fns != nil {
		return c.call(x.Pos(), op.fns, nil, op.targs, op.hasTargs, args)
	}
	return c.callObject(x.Pos(), op, args)
}

// callObject calls the operator() of an object.
func (c *checker) callObject(pos syntax.Pos, op operand, args []operand) operand {
	if sig, ok := op.typ().(*hir.Signature); ok {
		return c.pointerCall(pos, op, sig, args)
	}
	if s, ok := op.typ().(*hir.Struct); ok {
		if set := c.methods(s, "operator()"); set != nil {
			return c.call(pos, set, &op, nil, false, args)
		}
	}
	if s, ok := op.typ().(*hir.Struct); ok {
		c.errorf(pos, codeNotFunction, "type '%s' does not provide a call operator", s)
		return operand{}
	}
	c.errorf(pos, codeNotFunction, "called object type '%s' is not a function or function pointer", op.describe())
	return operand{}
}

// methods finds the member functions of a name, nil if there are none.
func (c *checker) methods(s *hir.Struct, name string) *funcSet {
	info := c.structs[s]
	if info == nil {
		return nil
	}
	set, _ := c.memberField(info, name).(*funcSet)
	return set
}

// namedCall is name(args).
func (c *checker) namedCall(x *syntax.CallExpr, f *syntax.NameExpr) operand {
	n := f.Name
	last := n.Last()
	pos := f.Pos()
	if len(n.Parts) == 1 && last.Ident == "is_function_constant_defined" {
		return c.constantDefined(x)
	}
	ent, q, ok := c.resolve(n)
	if !ok {
		c.arguments(x.Args)
		return operand{}
	}
	switch e := ent.(type) {
	case *typeEntity, *classTemplate:
		nt := &syntax.NamedType{Name: n}
		nt.SetPos(pos)
		t, ok := c.namedType(nt)
		if d, deduced := t.typ.(deducedType); ok && deduced {
			t.typ, ok = c.deduceClass(d, x.Args, pos)
		}
		if !ok {
			return operand{}
		}
		return c.construct(pos, t.typ, x.Args, false)
	case nil:
		if t, ok, known := c.builtinType(last, q.std, pos); known && !isBuiltin(last.Ident) {
			if !ok {
				return operand{}
			}
			return c.construct(pos, t.typ, x.Args, false)
		}
	case *funcSet, *routineEntity:
	default:
		op := c.denote(f, e)
		args, ok := c.arguments(x.Args)
		if op.bad() || !ok {
			return operand{}
		}
		return c.callObject(x.Pos(), op, args)
	}
	args, ok := c.arguments(x.Args)
	if !ok {
		return operand{}
	}
	var targs []templateArg
	if last.HasArgs {
		if targs, ok = c.templateArgs(last); !ok {
			return operand{}
		}
	}
	set, _ := ent.(*funcSet)
	if r, ok := ent.(*routineEntity); ok {
		set = r.set
		targs, last = r.targs, &syntax.NamePart{Ident: last.Ident, HasArgs: r.hasTargs}
	}
	variants := q.variants(last.Ident)
	if len(n.Parts) == 1 && !n.Global && !set.members() {
		found := c.namespacesOf(args)
		set = found.functions(c, last.Ident, set)
		if found.metal() && isBuiltin(last.Ident) && !slices.Contains(variants, "") {
			variants = append(slices.Clip(variants), "")
		}
	}
	if set == nil && variants == nil {
		if op, done := c.internalCall(pos, last.Ident, args); done {
			return op
		}
		if meant := c.undeclared(n); meant != nil {
			y := *f
			y.Name = meant
			return c.namedCall(x, &y)
		}
		return operand{}
	}
	if set == nil {
		return c.libraryCall(pos, last.Ident, variants, targs, args)
	}
	if variants != nil {
		if op, done := c.againstLibrary(pos, set, last.Ident, variants, targs, last.HasArgs, args); done {
			return op
		}
	}
	var this *operand
	if obj, ok := c.thisObject(pos); ok {
		this = &obj
	}
	return c.call(pos, set, this, targs, last.HasArgs, args)
}

// libraryCall calls a function of the standard library, one of the variants.
func (c *checker) libraryCall(pos syntax.Pos, name string, variants []string, targs []templateArg,
	args []operand) operand {
	e, _ := c.builtinCall(pos, name, variants, targs, c.libraryArguments(args))
	if e == nil {
		return operand{}
	}
	return value(e)
}

// libraryArguments are the arguments as a function of the library takes them.
func (c *checker) libraryArguments(args []operand) []operand {
	args = slices.Clone(args)
	for i, a := range args {
		args[i] = c.libraryArgument(a)
	}
	return args
}

// libraryArgument converts a struct that stands for an arithmetic type by its conversion function.
func (c *checker) libraryArgument(a operand) operand {
	s, ok := a.typ().(*hir.Struct)
	if !ok {
		return a
	}
	for _, k := range []hir.Kind{hir.Float, hir.Half, hir.Int, hir.UInt, hir.Bool} {
		if convs := c.structs[s]; convs != nil && len(c.conversions(convs)) > 0 {
			if e, ok := c.userConvert(a, k, a.at()); ok && e != nil {
				return value(e)
			}
		}
	}
	return a
}

// constantDefined is is_function_constant_defined(name).
func (c *checker) constantDefined(x *syntax.CallExpr) operand {
	if len(x.Args) == 1 {
		if n, ok := x.Args[0].(*syntax.NameExpr); ok {
			if ent, _, ok := c.resolve(n.Name); ok {
				if v, ok := ent.(*varEntity); ok && v.fc != nil {
					bits := uint64(0)
					if v.fc.Defined {
						bits = 1
					}
					return value(constant(x.Pos(), hir.Bool, bits))
				}
			}
		}
	}
	c.errorf(x.Pos(), codeFunctionConstant, "is_function_constant_defined takes the name of a function constant")
	return operand{}
}

// memberCall is object.name(args).
func (c *checker) memberCall(x *syntax.CallExpr, f *syntax.MemberExpr) operand {
	obj := c.object(f)
	args, ok := c.arguments(x.Args)
	if obj.bad() || !ok {
		return operand{}
	}
	last := f.Member.Last()
	if last.Conversion != nil {
		return c.conversionCall(obj, last.Conversion, f.Pos())
	}
	switch t := obj.typ().(type) {
	case *hir.Struct:
		if last.Ident == "data" && len(args) == 0 && c.stdArray(t) {
			return asValue(c.rvalue(c.elements(obj)))
		}
		if c.resource(t).entries > 0 && obj.lvalue && obj.space != syntax.Thread {
			obj = value(c.rvalue(obj)) // a texture is what it leads to, wherever it lies
		}
		return c.methodCall(x, f, obj, t, args)
	case hir.SimdMatrix:
		if last.Ident == "thread_elements" && len(args) == 0 {
			return c.threadElements(obj, t, f.Pos())
		}
	case hir.SimdVote:
		if len(args) == 0 && (last.Ident == "all" || last.Ident == "any") {
			return c.libraryCall(f.Pos(), "simd_vote."+last.Ident, plainly, nil, []operand{obj})
		}
	}
	c.missing(last.Pos, codeNoMember, last.Ident, "no member named '%s' in '%s'", last.Ident, obj.typ())
	return operand{}
}

// conversionCall is object.operator T().
func (c *checker) conversionCall(obj operand, to syntax.TypeExpr, pos syntax.Pos) operand {
	q, ok := c.typeOf(to)
	if !ok {
		return operand{}
	}
	if s, isStruct := obj.typ().(*hir.Struct); isStruct && c.structs[s] != nil {
		if e, ok := c.callConversion(obj, c.structs[s], q.typ, pos, true); ok {
			return asValue(e)
		}
	}
	c.errorf(pos, codeNoMember, "%s has no conversion to %s", obj.describe(), q)
	return operand{}
}

func (c *checker) methodCall(x *syntax.CallExpr, f *syntax.MemberExpr, obj operand, s *hir.Struct,
	args []operand) operand {
	last := f.Member.Last()
	switch e := c.memberEntity(s, f.Member).(type) {
	case *funcSet:
		var targs []templateArg
		if last.HasArgs {
			var ok bool
			if targs, ok = c.templateArgs(last); !ok {
				return operand{}
			}
		}
		return c.call(last.Pos, e, &obj, targs, last.HasArgs, args)
	case *fieldEntity:
		if !c.permit(last.Pos, c.structs[s], last.Ident, c.structs[s]) {
			return operand{}
		}
		return c.callObject(x.Pos(), c.fieldPath(obj, e.path, f.Pos()), args)
	}
	c.missing(last.Pos, codeNoMember, last.Ident, "no member named '%s' in '%s'", last.Ident, s)
	return operand{}
}

// threadElements is the pair of a matrix's elements that this lane holds.
func (c *checker) threadElements(op operand, m hir.SimdMatrix, pos syntax.Pos) operand {
	if !op.lvalue {
		op = materialise(op.expr)
	}
	op.expr = &hir.ThreadElements{Node: hir.At(pos, hir.Vector{Elem: m.Elem, N: 2}), X: op.expr}
	return op
}

// Calls

// call resolves the overload and calls it.
func (c *checker) call(pos syntax.Pos, set *funcSet, obj *operand, targs []templateArg, hasTargs bool,
	args []operand) operand {
	r := c.overload(pos, set, obj, targs, hasTargs, args)
	if r == nil || !c.permitFunction(pos, set.named, obj, r) {
		return operand{}
	}
	return c.invoke(pos, r, obj, args)
}

// memberWord is "member " of a member function.
func memberWord(r *routine) string {
	if r.of.owner != nil {
		return "member "
	}
	return ""
}

// invoke calls r, which overload resolution has chosen.
func (c *checker) invoke(pos syntax.Pos, r *routine, obj *operand, args []operand) operand {
	switch {
	case r.decl.Delete:
		c.errorf(pos, codeDeleted, "call to deleted %sfunction '%s'", memberWord(r), r.of.name).
			Note(namePos(r.decl), "candidate function has been explicitly deleted")
		return operand{}
	case isKernel(r.decl):
		c.errorf(pos, codeKernelCall, "a kernel cannot be called: %s is an entry point", r.fn.Name)
		return operand{}
	}
	c.ensureBody(r, pos)
	call := &hir.Call{Func: r.fn}
	if !r.of.isStatic() {
		this := c.thisOperand(*obj)
		e := c.bind(c.toBase(this, r.of.owner.typ), r.thisQual(), pos)
		if e == nil {
			return operand{}
		}
		call.Args = append(call.Args, e)
	}
	for i, q := range r.params {
		var e hir.Expr
		if i < len(args) {
			e = c.argument(args[i], q)
		} else {
			e = c.defaultArgument(r, i, pos)
		}
		if e == nil {
			return operand{}
		}
		call.Args = append(call.Args, e)
	}
	if hasAuto(r.result.typ) {
		c.errorf(pos, codeAuto, "the result type of %s is not known yet: it is defined in terms of itself", r.fn.Name)
		return operand{}
	}
	call.Node = hir.At(pos, r.fn.Result)
	if r.decl.Specs.Constexpr {
		if k, ok := c.foldCall(call); ok {
			return value(k)
		}
	}
	c.recordCall(callSite{callee: r.fn, pos: pos})
	if r.result.ref {
		op := c.deref(value(call), pos)
		op.expiring = r.result.rvalueRef
		return op
	}
	return value(call)
}

// foldCall evaluates a call of a constexpr function with constant arguments
// whose result is an integer: so that recursion that ends at compile time is no
// recursion.
func (c *checker) foldCall(call *hir.Call) (*hir.Const, bool) {
	if k := hir.ScalarKind(call.Type()); k != hir.Bool && !k.IsInteger() {
		return nil, false
	}
	for _, a := range call.Args {
		if _, ok := a.(*hir.Const); !ok && !constantAddress(a) {
			return nil, false
		}
	}
	k, ok := c.eval.Scalar(call)
	if ok {
		k.Decimal = decimalOf(call, k.Bits)
	}
	return k, ok
}

// constantAddress reports whether e points into data that is known, such as a string.
func constantAddress(e hir.Expr) bool {
	switch e := e.(type) {
	case *hir.Decay:
		x, ok := e.X.(*hir.VarExpr)
		return ok && x.Var.Data != nil && x.Var.Const
	case *hir.PtrAdd:
		_, ok := e.I.(*hir.Const)
		return ok && constantAddress(e.P)
	}
	return false
}

func (c *checker) recordCall(call callSite) {
	if c.fn != nil && !c.fn.unevaluated && c.fn.dead == 0 && c.speculating == 0 {
		caller := c.fn.r.fn
		c.calls[caller] = append(c.calls[caller], call)
	}
}

// argument converts an argument to a parameter.
func (c *checker) argument(op operand, q qual) hir.Expr {
	if q.ref {
		if op.list != nil {
			return c.initList(q, op.list)
		}
		return c.bind(op, q, op.at())
	}
	return c.convertOperand(op, q.typ, op.at())
}

// thisOperand is the object of a member call: a value becomes a temporary object.
func (c *checker) thisOperand(op operand) operand {
	if op.lvalue || op.expr == nil {
		return op
	}
	return materialise(op.expr)
}

// thisRank ranks the binding of a member function's object, which is never a copy.
func (c *checker) thisRank(r *routine, op operand) (int, bool) {
	this, q := c.thisOperand(op), r.thisQual()
	if !c.bindsDirectly(this, q) {
		return 0, false
	}
	n, ok := c.referenceRank(this, q)
	temporary := !op.lvalue || isTemporary(op.expr)
	switch {
	case r.decl.Ref == "&&" && !temporary, r.decl.Ref == "&" && temporary && !q.isConst:
		return 0, false
	case r.decl.Ref == "&" && temporary:
		n++ // && fits better
	}
	return n, ok
}

// accepts reports whether a member function can be called on op.
func (c *checker) accepts(r *routine, op operand) bool {
	_, ok := c.thisRank(r, op)
	return ok
}
