package types

import (
	"math"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// globalVar checks a variable of program scope: constant data or a function constant.
func (c *checker) globalVar(d *syntax.VarDecl) {
	if !c.noBindings(d) {
		return
	}
	q, ok := c.typeOrAuto(d.Type)
	if !ok {
		c.poison(d)
		return
	}
	if attr := attribute(d.Attrs, "function_constant"); attr != nil {
		c.functionConstant(d, q, attr)
		return
	}
	for _, a := range d.Attrs {
		if rule := inputs[a.Name]; rule != nil && a.Scope == "" {
			c.globalInput(d, a, rule, q)
			return
		}
	}
	if a := bindingAttribute(d); a != nil {
		c.globalBinding(d, a, q)
		return
	}
	c.constantVar(d, q, c.scope.path)
	if e, ok := c.scope.names[d.Name].(*varEntity); ok && e.v.Pos == d.Pos() && !c.eval.Unset[e.v] &&
		d.Pos().File != preludeName {
		c.prog.Constants = append(c.prog.Constants, e.v)
	}
}

// poison declares a name whose declaration was faulty, so that its uses are
// not reported too.
func (c *checker) poison(d *syntax.VarDecl) {
	if d.Name != "" {
		c.scope.names[d.Name] = &poisonEntity{}
	}
}

// globalInput declares an input of kernels that every function can read.
func (c *checker) globalInput(d *syntax.VarDecl, a *syntax.Attr, rule *inputRule, q qual) {
	if !c.since(310, a.Pos(), "[["+a.Name+"]] on a variable of program scope") || !c.inputType(a, rule, q) {
		c.poison(d)
		return
	}
	if d.Init != nil || q.ref || q.space != syntax.NoSpace {
		c.errorf(nameOf(d), codeInputType,
			"an input of program scope is a variable without address space and without a value")
		c.poison(d)
		return
	}
	c.declare(nameOf(d), d.Name, &inputEntity{a.Name, q.typ, c.nextSeq()})
}

// maxConstant bounds the constant data of one variable, in bytes.
const maxConstant = 1 << 24

// constantVar declares a variable in the constant address space whose
// contents are known: of program scope, static in a function, or a static member.
func (c *checker) constantVar(d *syntax.VarDecl, q qual, path string) {
	pos := d.Pos()
	space := q.space
	if c.resource(q.typ).kind == hir.SamplerArg && (d.Specs.Constexpr || q.isConst) && space == syntax.NoSpace {
		space = syntax.Constant
	}
	switch {
	case q.ref && d.Init != nil:
		c.constantReference(d, q)
		return
	case space != syntax.Constant:
		c.errorf(d.NamePos, codeProgramScope,
			"program scope variable must reside in constant address space: got a variable %s, want address space "+
				"constant: variables outside of functions, and static ones, are constant data", spaceText(space))
		c.poison(d)
		return
	case d.Specs.Extern && d.Init == nil:
		c.externVar(d, q, path)
		return
	case d.Init == nil:
		c.errorf(pos, codeUninitialised, "the constant %s has no initialiser", d.Name)
		c.poison(d)
		return
	}
	q, e := c.initialiseDeclared(q, d)
	if e == nil || !c.complete(q, pos) {
		c.poison(d)
		return
	}
	if n := q.typ.Size(); n > maxConstant {
		c.errorf(pos, codeArrayLength,
			"got %d bytes of constant data, want at most %d, whatever the flags: pass more in a buffer", n, maxConstant)
		c.poison(d)
		return
	}
	var data []byte
	ok := false
	unset := c.eval.Assuming(func() { data, ok = c.eval.Bytes(e, q.typ) })
	if !ok && c.eval.IsAddress(e) {
		op := value(e)
		if _, isPointer := e.Type().(*hir.Pointer); !isPointer {
			op = operand{expr: e, lvalue: true, space: syntax.Thread, const_: true, volatile: q.volatile}
		}
		c.declare(d.NamePos, d.Name, &aliasEntity{op: op, seq: c.nextSeq()})
		return
	}
	if !ok {
		c.notConstant(e, "the initialiser of "+d.Name)
		c.poison(d)
		return
	}
	v := &hir.Var{Name: path + d.Name, Pos: pos, Type: q.typ, Space: syntax.Constant, Const: true, Global: true,
		Data: data, Decimal: decimalIn(e, data)}
	if old, ok := c.scope.names[d.Name].(*varEntity); ok && old.declared {
		if !c.sameDeclared(old, q, d) {
			return
		}
		old.declared = false
		define(old.v, v)
		v = old.v
	}
	if unset {
		c.eval.Unset[v] = true
	}
	if e, ok := c.scope.names[d.Name].(*varEntity); ok && e.v == v {
		return
	}
	c.declare(d.NamePos, d.Name, &varEntity{v: v, seq: c.nextSeq(), volatile: q.volatile})
}

// externVar declares constant data that the program defines elsewhere.
func (c *checker) externVar(d *syntax.VarDecl, q qual, path string) {
	if old, ok := c.scope.names[d.Name].(*varEntity); ok && old.v.Global {
		c.sameDeclared(old, q, d)
		return
	}
	if hasAuto(q.typ) {
		c.errorf(d.Pos(), codeAuto, "declaration of variable '%s' with deduced type 'auto' requires an initializer",
			d.Name)
		c.poison(d)
		return
	}
	if a, ok := q.typ.(*hir.Array); ok {
		open := *a // its definition says how long it is
		q.typ = &open
	}
	v := &hir.Var{Name: path + d.Name, Pos: d.Pos(), Type: q.typ, Space: syntax.Constant, Const: true, Global: true}
	c.declare(d.NamePos, d.Name, &varEntity{v: v, seq: c.nextSeq(), volatile: q.volatile, declared: true})
}

// An externUse is where a function names a variable that is only declared so far.
type externUse struct {
	e   *varEntity
	pos syntax.Pos
}

// define makes v, which may be in use already, what a definition says.
func define(v, definition *hir.Var) {
	if a, ok := v.Type.(*hir.Array); ok {
		*a = *definition.Type.(*hir.Array)
		definition.Type = a
	}
	*v = *definition
}

// undefinedVariables reports uses of variables that are only declared extern.
func (c *checker) undefinedVariables() {
	for _, u := range c.externs {
		if u.e.declared {
			c.errorf(u.pos, codeUndefinedFunction,
				"the variable %s is declared extern and defined nowhere in the program", u.e.v.Name)
			u.e.declared = false
		}
	}
}

// sameDeclared reports whether d has the type that old was declared with. Only one of them
// has to say how long an array is.
func (c *checker) sameDeclared(old *varEntity, q qual, d *syntax.VarDecl) bool {
	if hir.Identical(old.v.Type, q.typ) {
		return true
	}
	a, isArray := old.v.Type.(*hir.Array)
	b, both := q.typ.(*hir.Array)
	if isArray && both && hir.Identical(a.Elem, b.Elem) && (a.Len < 0 || b.Len < 0) {
		return true
	}
	c.errorf(d.NamePos, codeRedeclared, "redefinition of '%s' with a different type: '%s' vs '%s'", d.Name, q.typ,
		old.v.Type).
		Note(old.v.Pos, "previous declaration is here")
	return false
}

// constantReference declares another name of constant data.
func (c *checker) constantReference(d *syntax.VarDecl, q qual) {
	q, e := c.initialiseDeclared(q, d)
	if e == nil {
		c.poison(d)
		return
	}
	if root := rootOf(e); root == nil || root.Data == nil {
		c.errorf(d.NamePos, codeUnsupported,
			"a reference of program scope to what is no constant data is not supported")
		c.poison(d)
		return
	}
	op := operand{expr: e, lvalue: true, space: q.space, const_: true, volatile: q.volatile}
	c.declare(d.NamePos, d.Name, &aliasEntity{op: op, seq: c.nextSeq()})
}

// rootOf is the variable that an object, or a part of one at a fixed place, belongs to.
func rootOf(e hir.Expr) *hir.Var {
	for {
		switch x := e.(type) {
		case *hir.VarExpr:
			return x.Var
		case *hir.FieldExpr:
			e = x.X
		case *hir.Index:
			if _, fixed := x.I.(*hir.Const); !fixed {
				return nil
			}
			e = x.X
		default:
			return nil
		}
	}
}

func spaceText(s hir.Space) string {
	if s == syntax.NoSpace {
		return "without address space"
	}
	return "in address space " + s.String()
}

// initialiseDeclared completes the declared type from the initialiser and
// gives the initial value; nil after an error.
func (c *checker) initialiseDeclared(q qual, d *syntax.VarDecl) (qual, hir.Expr) {
	if t, ok := q.typ.(deducedType); ok && !q.ref {
		args := []syntax.Expr{d.Init}
		switch list, isList := d.Init.(*syntax.InitList); {
		case d.Init == nil:
			args = nil
		case isList:
			args = list.Elems
		}
		if q.typ, ok = c.deduceClass(t, args, d.Pos()); !ok {
			return q, nil
		}
	}
	if hasAuto(q.typ) {
		return c.deduceAuto(q, d)
	}
	q, ok := c.arrayLength(q, d.Init)
	if !ok || !c.complete(q, d.Pos()) {
		return q, nil
	}
	if _, isStruct := q.typ.(*hir.Struct); isStruct && !q.ref {
		return q, c.initialiseObject(q, d)
	}
	return q, c.forPurpose(purpose{"a variable", nameOf(d)},
		func() hir.Expr { return c.initialise(q, d.Init, d.Direct) })
}

// initialiseObject makes an object of a class; what is wrong with that stands at its name.
func (c *checker) initialiseObject(q qual, d *syntax.VarDecl) hir.Expr {
	switch x := d.Init.(type) {
	case *syntax.InitList:
		list := *x
		list.SetPos(nameOf(d))
		return c.initialise(q, &list, d.Direct)
	default:
		if !d.Direct {
			break
		}
		if ops, ok := c.arguments([]syntax.Expr{d.Init}); ok {
			return c.constructFrom(nameOf(d), q.typ, ops)
		}
		return nil
	}
	return c.forPurpose(purpose{"a variable", nameOf(d)}, func() hir.Expr { return c.initialise(q, d.Init, d.Direct) })
}

// deduceAuto finds what auto stands for.
func (c *checker) deduceAuto(q qual, d *syntax.VarDecl) (qual, hir.Expr) {
	x := d.Init
	if q.typ == hir.Type(autoType{declared: true}) {
		t, ok := c.declaredAs(x)
		if !ok {
			return q, nil
		}
		return t, c.initialise(t, x, d.Direct)
	}
	if list, ok := x.(*syntax.InitList); ok {
		if len(list.Elems) != 1 {
			c.errorf(x.Pos(), codeAuto, "auto needs a single initialiser")
			return q, nil
		}
		x = list.Elems[0]
	}
	op := c.expr(x)
	return c.deduceAutoFrom(q, op, x.Pos())
}

// declaredAs is what decltype(auto) stands for.
func (c *checker) declaredAs(x syntax.Expr) (qual, bool) {
	t := &syntax.DecltypeType{X: x}
	t.SetPos(x.Pos())
	q, ok := c.decltype(t)
	if !q.ref {
		q.space = syntax.NoSpace
	}
	return q, ok
}

func (c *checker) deduceAutoFrom(q qual, op operand, pos syntax.Pos) (qual, hir.Expr) {
	if op.bad() {
		return q, nil
	}
	if op.fns != nil && !q.ref {
		if op = c.functionOperand(op, pos); op.bad() {
			return q, nil
		}
	}
	if op.expr == nil {
		c.errorf(pos, codeAuto, "auto cannot be deduced from %s", op.describe())
		return q, nil
	}
	t := op.typ()
	if q.ref {
		if _, direct := q.typ.(autoType); direct {
			q.typ = t
			if q.space == syntax.NoSpace {
				q.space = syntax.Thread
				if op.lvalue {
					q.space = op.space
				}
			}
			if q.rvalueRef && op.lvalue {
				q.rvalueRef = false // auto&& takes what it gets
			}
			q.isConst = q.isConst || op.lvalue && op.const_
			q.volatile = q.volatile || op.volatile
			return q, c.bind(op, q, pos)
		}
	} else {
		t = decayed(op)
	}
	switch p := q.typ.(type) {
	case autoType:
		if _, isNull := t.(hir.NullPointer); isNull || isVoid(t) {
			c.errorf(pos, codeAuto, "auto cannot be deduced from %s", t)
			return q, nil
		}
		q.typ = t
	case *hir.Pointer:
		from, ok := t.(*hir.Pointer)
		if !ok {
			c.errorf(pos, codeAuto, "got %s, want a pointer", t)
			return q, nil
		}
		if _, direct := p.Elem.(autoType); !direct {
			c.errorf(pos, codeUnsupported, "this use of auto is not supported")
			return q, nil
		}
		to := *from
		to.Const, to.Volatile = from.Const || p.Const, from.Volatile || p.Volatile
		if p.Space != syntax.NoSpace && p.Space != from.Space {
			c.errorf(pos, codeAddressSpace, "got %s, want a pointer to %s memory", from, p.Space)
			return q, nil
		}
		q.typ = &to
	default:
		c.errorf(pos, codeUnsupported, "this use of auto is not supported")
		return q, nil
	}
	return q, c.initialiseWith(q, op, pos, false)
}

// functionConstant declares "constant T name [[function_constant(i)]];".
func (c *checker) functionConstant(d *syntax.VarDecl, q qual, attr *syntax.Attr) {
	defer func() {
		if c.scope.names[d.Name] == nil {
			c.poison(d)
		}
	}()
	if q.space != syntax.Constant || q.ref {
		c.errorf(d.Pos(), codeFunctionConstant, "a function constant is declared in address space constant")
		return
	}
	if d.Init != nil {
		c.errorf(d.Init.Pos(), codeFunctionConstant, "a function constant has no initialiser: the host gives its value")
		return
	}
	var elem hir.Kind
	switch t := q.typ.(type) {
	case hir.Kind:
		elem = t
	case hir.Vector:
		elem = t.Elem
	}
	if elem == hir.Void {
		c.errorf(d.Type.Pos(), codeFunctionConstant, "got a function constant of type %s, want a scalar or a vector",
			q.typ)
		return
	}
	index, ok := c.attrIndex(attr, 65535)
	if !ok {
		return
	}
	if name, ok := c.numbered[index]; ok {
		c.errorf(attr.Pos(), codeFunctionConstant, "function constant %d is declared already, as %s", index, name)
		return
	}
	v := &hir.Var{Name: c.scope.path + d.Name, Pos: d.Pos(), Type: q.typ, Space: syntax.Constant, Const: true,
		Global: true, Data: make([]byte, q.typ.Size())}
	fc := &hir.FunctionConstant{Name: v.Name, Index: index, Type: q.typ, Pos: d.Pos(), Var: v}
	if given, ok := c.cfg.FunctionConstants[index]; ok {
		bits, ok := HostBits(given, q.typ)
		if !ok {
			c.errorf(d.Pos(), codeFunctionConstantValue, "function constant %s of type %s cannot take the value %v",
				d.Name, q.typ, given)
			return
		}
		copy(v.Data, hir.BytesOf(bits, q.typ))
		fc.Defined = true
	} else {
		c.eval.Unset[v] = true
	}
	c.numbered[index] = v.Name
	c.prog.FunctionConstants = append(c.prog.FunctionConstants, fc)
	c.declare(d.NamePos, d.Name, &varEntity{v: v, seq: c.nextSeq(), fc: fc})
}

// HostBits is a host value as type t, if t can hold it.
func HostBits(v any, t hir.Type) (uint64, bool) {
	k, ok := t.(hir.Kind)
	if !ok {
		return 0, false
	}
	if b, ok := v.(bool); ok {
		if b {
			return 1, k == hir.Bool
		}
		return 0, k == hir.Bool
	}
	if f, ok := hostFloat(v); ok {
		if !k.IsFloat() {
			return 0, false
		}
		return hir.RoundBits(k, f), true
	}
	n, big, ok := hostInt(v)
	switch {
	case !ok:
		return 0, false
	case k.IsFloat():
		return hir.RoundBits(k, float64(n)), !big
	case big:
		return uint64(n), k == hir.ULong
	}
	return uint64(n), k != hir.Bool && fits(n, k) && (n >= 0 || k.IsSigned())
}

func hostFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case float32:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// hostInt is an integer of any Go type; big tells that it is beyond int64.
func hostInt(v any) (n int64, big, ok bool) {
	switch v := v.(type) {
	case int:
		return int64(v), false, true
	case int8:
		return int64(v), false, true
	case int16:
		return int64(v), false, true
	case int32:
		return int64(v), false, true
	case int64:
		return v, false, true
	case uint:
		return int64(v), uint64(v) > math.MaxInt64, true
	case uint8:
		return int64(v), false, true
	case uint16:
		return int64(v), false, true
	case uint32:
		return int64(v), false, true
	case uint64:
		return int64(v), v > math.MaxInt64, true
	}
	return 0, false, false
}

// Variables of functions

// localVar declares a variable in a block and gives the statements that make it.
func (c *checker) localVar(d *syntax.VarDecl) []hir.Stmt {
	q, ok := c.typeOrAuto(d.Type)
	if !ok {
		c.poison(d)
		return nil
	}
	if len(d.Attrs) > 0 && inputs[d.Attrs[0].Name] != nil {
		c.errorf(d.Attrs[0].Pos(), codeAttribute, "[[%s]] belongs to a parameter of a kernel", d.Attrs[0].Name)
	}
	switch {
	case d.Specs.Static || q.space == syntax.Constant && !q.ref:
		if !d.Specs.Static {
			c.errorf(d.Pos(), codeLocalConstant,
				"a variable in address space constant is declared outside of functions, or static")
			c.poison(d)
			return nil
		}
		c.constantVar(d, q, "")
		return nil
	case d.Specs.Extern:
		c.errorf(d.Pos(), codeUnsupported, "extern variables are not supported")
		c.poison(d)
		return nil
	case q.space == syntax.Threadgroup && !q.ref:
		if s, ok := c.threadgroupVar(d, q).(*hir.VarStmt); ok {
			c.recordLocal(d, s.Var)
			return []hir.Stmt{s}
		}
		return nil
	case q.space == syntax.Device && !q.ref:
		c.errorf(d.Pos(), codeLocalDevice, "a local variable cannot lie in device memory")
		c.poison(d)
		return nil
	}
	s := c.threadVar(d, q)
	if s == nil {
		return nil
	}
	c.recordLocal(d, s.Var)
	ahead := c.owns(s)
	if s.Init != nil && c.fn.ownName == s.Var && mentions(s.Init, s.Var) { // it reads its own value before it has one
		init := s.Init
		s.Init = nil
		return []hir.Stmt{s,
			&hir.ExprStmt{X: &hir.Assign{Node: hir.At(d.Pos(), s.Var.Type),
				L: &hir.VarExpr{Node: hir.At(d.Pos(), s.Var.Type), Var: s.Var}, R: init}}}
	}
	if t, ok := s.Var.Type.(*hir.Struct); ok && d.Init == nil && !s.Var.Ref && !c.structs[t].constructed() {
		s.Init = nil // what has no initialiser of its own stays indeterminate
		return append([]hir.Stmt{s}, c.defaultFields(s.Var)...)
	}
	return append(ahead, s)
}

// mentions reports whether e names v.
func mentions(e hir.Expr, v *hir.Var) bool {
	found := false
	hir.WalkExpr(e, func(e hir.Expr) {
		if x, ok := e.(*hir.VarExpr); ok && x.Var == v {
			found = true
		}
	})
	return found
}

// threadgroupVar declares memory that the threads of a threadgroup share.
func (c *checker) threadgroupVar(d *syntax.VarDecl, q qual) hir.Stmt {
	defer func() {
		if c.scope.names[d.Name] == nil {
			c.poison(d)
		}
	}()
	if !c.fn.kernel {
		c.errorf(d.Pos(), codeThreadgroupVariable,
			"threadgroup variables are declared in the body of a kernel; pass them to other functions as pointers")
		return nil
	}
	if d.Init != nil && !hasAuto(q.typ) { // checked and dropped: nothing stores it
		var ok bool
		if q, ok = c.arrayLength(q, d.Init); !ok || c.initialise(q, d.Init, d.Direct) == nil {
			return nil
		}
	}
	if hasAuto(q.typ) {
		c.errorf(d.Pos(), codeAuto, "declaration of variable '%s' with deduced type 'auto' requires an initializer",
			d.Name)
		return nil
	}
	if !c.complete(q, d.Pos()) {
		return nil
	}
	if q.isConst {
		c.errorf(d.Pos(), codeUninitialised, "the constant %s has no initialiser", d.Name)
		return nil
	}
	if t := hir.Find(q.typ, func(t hir.Type) bool { _, ok := t.(hir.SimdMatrix); return ok }); t != nil {
		c.errorf(d.Pos(), codeSimdgroupMatrix,
			"%s is spread over the threads of a simdgroup and cannot lie in threadgroup memory", t)
		return nil
	}
	v := &hir.Var{Name: d.Name, Pos: d.Pos(), Type: q.typ, Space: syntax.Threadgroup}
	c.fn.r.threadgroup += q.typ.Size()
	c.declare(d.NamePos, d.Name, &varEntity{v: v, owner: c.fn.r, volatile: q.volatile})
	s := &hir.VarStmt{Var: v}
	c.owns(s)
	return s
}

// withoutValue declares a variable whose initialiser is in error, so that its uses are
// checked if its type is known.
func (c *checker) withoutValue(d *syntax.VarDecl, q qual) {
	if a, open := q.typ.(*hir.Array); q.typ == nil || q.ref || q.isConst || hasAuto(q.typ) || open && a.Len < 0 ||
		!c.attempt(func() { c.complete(q, d.Pos()) }) {
		c.poison(d)
		return
	}
	v := &hir.Var{Name: d.Name, Pos: d.Pos(), Type: q.typ, Space: syntax.Thread}
	c.declare(d.NamePos, d.Name, &varEntity{v: v, owner: c.fn.r, volatile: q.volatile})
}

// threadVar declares a variable of one thread, or a reference.
func (c *checker) threadVar(d *syntax.VarDecl, q qual) *hir.VarStmt {
	pos := d.Pos()
	if d.Specs.Constexpr {
		q.isConst = q.isConst || !q.ref
	}
	if t := hir.Find(q.typ, func(t hir.Type) bool { _, ok := t.(hir.Atomic); return ok }); t != nil && !q.ref &&
		(d.Init == nil || isAggregateType(q.typ)) {
		c.errorf(pos, codeAtomicType, "%s lies in device or threadgroup memory, not in a local variable", t)
		c.poison(d)
		return nil
	}
	var init hir.Expr
	own := &ownEntity{name: d.Name, pos: pos}
	if d.Init != nil {
		old, exists := c.scope.names[d.Name]
		if a, isArray := q.typ.(*hir.Array); !hasAuto(q.typ) && !q.ref && !(isArray && a.Len < 0) {
			declared := q
			own.typ = &declared
		}
		c.scope.names[d.Name] = own
		q, init = c.initialiseDeclared(q, d)
		if delete(c.scope.names, d.Name); exists {
			c.scope.names[d.Name] = old
		}
		if init == nil {
			c.withoutValue(d, q)
			return nil
		}
	} else if q, init, _ = c.defaultInit(q, d); q.typ == nil {
		c.poison(d)
		return nil
	}
	if !c.complete(q, pos) {
		c.poison(d)
		return nil
	}
	v := &hir.Var{Name: d.Name, Pos: pos, Type: q.typ, Space: syntax.Thread, Const: q.isConst, Ref: q.ref}
	if own.v != nil {
		v, c.fn.ownName = own.v, own.v
	}
	if q.ref {
		v.Space = q.space
		v.Const = q.isConst || q.space == syntax.Constant
	} else if !c.knownValue(d, q, v, init) {
		c.poison(d)
		return nil
	}
	c.declare(d.NamePos, d.Name, &varEntity{v: v, owner: c.fn.r, volatile: q.volatile})
	return &hir.VarStmt{Var: v, Init: init}
}

// knownValue keeps the value of a local that is a constant for the compiler.
// It reports false if a constexpr variable has none.
func (c *checker) knownValue(d *syntax.VarDecl, q qual, v *hir.Var, init hir.Expr) bool {
	if init == nil || q.volatile {
		return true
	}
	if !d.Specs.Constexpr && !(q.isConst && isIntegralOrEnum(q.typ)) {
		return true
	}
	if q.typ.Size() > maxConstant {
		c.errorf(d.Pos(), codeArrayLength,
			"got %d bytes of constant data, want at most %d, whatever the flags: pass more in a buffer", q.typ.Size(),
			maxConstant)
		return false
	}
	if !d.Specs.Constexpr && c.eval.Varies(init) {
		return true
	}
	if data, ok := c.eval.Bytes(init, q.typ); ok {
		v.Data, v.Decimal = data, decimalIn(init, data)
		return true
	}
	if d.Specs.Constexpr && c.eval.IsAddress(init) {
		c.eval.Addresses[v] = init
		return true
	}
	if d.Specs.Constexpr {
		c.notConstant(init, "the initialiser of "+d.Name)
		return false
	}
	return true
}

func isIntegralOrEnum(t hir.Type) bool {
	_, isEnum := t.(*hir.Enum)
	return isEnum || isIntegral(t)
}

// defaultInit is the initial value of a variable without initialiser: nil if
// its contents are indeterminate. The type is nil after an error.
func (c *checker) defaultInit(q qual, d *syntax.VarDecl) (qual, hir.Expr, bool) {
	pos := nameOf(d)
	if _, absent := q.typ.(absentType); absent {
		pos = d.Pos() // the type is at fault
	}
	switch {
	case hasAuto(q.typ):
		c.errorf(pos, codeAuto, "declaration of variable '%s' with deduced type 'auto' requires an initializer", d.Name)
	case q.ref:
		c.errorf(pos, codeUninitialised, "the reference %s has no initialiser", d.Name)
	case !c.complete(q, pos):
	case c.hasDefault(q.typ):
		if e := c.zero(pos, q.typ); e != nil {
			return q, e, true
		}
	case q.isConst || d.Specs.Constexpr:
		c.errorf(pos, codeUninitialised, "the constant %s has no initialiser", d.Name)
	case c.needsArguments(q.typ):
		c.errorf(pos, codeNoDefault, "%s has no default constructor", q.typ)
	default:
		return q, nil, true
	}
	return qual{}, nil, false
}
