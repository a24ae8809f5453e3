package types

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// expr checks an expression. The operand is bad after an error, which has been
// reported.
func (c *checker) expr(x syntax.Expr) operand {
	c.spend(x.Pos(), expressionWork)
	c.descend(x.Pos())
	op := c.exprOf(x)
	c.nested--
	return op
}

// descend notes that one more expression is inside of others: in its function, and in all that instances of
// templates lead to from there, whose stack is one.
func (c *checker) descend(pos syntax.Pos) {
	c.nested++
	if f := c.fn; f != nil && f.r.fn != nil {
		f.r.fn.Depth = max(f.r.fn.Depth, c.nested-f.above)
	}
	if l := &c.cfg.Budget.Limits; c.nested > l.Of(syntax.Depth) {
		c.stop(pos, codeTooLarge, "%s",
			l.Exceeded(syntax.Depth, "expressions nest deeper than %d, with those of instances"))
	}
}

// exprOf checks an expression that has been counted.
func (c *checker) exprOf(x syntax.Expr) operand {
	switch x := x.(type) {
	case *scopedExpr:
		var op operand
		c.within(x.scope, func() { op = c.expr(x.Expr) })
		return op
	case *syntax.BadExpr:
		c.suppress()
		return operand{}
	case *syntax.LambdaExpr:
		return c.lambda(x)
	case *syntax.FoldExpr:
		return c.foldExpr(x)
	case *syntax.ParenExpr:
		return c.expr(x.X)
	case *syntax.NameExpr:
		return c.nameExpr(x)
	case *syntax.IntLit:
		return c.intLit(x)
	case *syntax.FloatLit:
		return c.floatLit(x)
	case *syntax.UserLit:
		return c.userLit(x)
	case *syntax.BoolLit:
		bits := uint64(0)
		if x.Value {
			bits = 1
		}
		return value(constant(x.Pos(), hir.Bool, bits))
	case *syntax.NullLit:
		return operand{expr: constant(x.Pos(), hir.NullPointer{}, 0), null: true}
	case *syntax.ThisExpr:
		return c.thisExpr(x.Pos())
	case *syntax.UnaryExpr:
		return c.unaryExpr(x)
	case *syntax.PostfixExpr:
		return c.incDec(x.Pos(), x.Op, x.X, true)
	case *syntax.BinaryExpr:
		return c.binaryExpr(x)
	case *syntax.AssignExpr:
		return c.assignExpr(x)
	case *syntax.CondExpr:
		if x.X == nil {
			return c.elvis(x)
		}
		return c.condExpr(x)
	case *syntax.StmtExpr:
		return c.stmtExpr(x)
	case *syntax.CallExpr:
		return c.callExpr(x)
	case *syntax.IndexExpr:
		return c.indexExpr(x)
	case *syntax.MemberExpr:
		return c.memberExpr(x)
	case *syntax.CastExpr:
		return c.castExpr(x)
	case *syntax.ConstructExpr:
		return c.constructExpr(x)
	case *syntax.SizeofExpr:
		return c.sizeofExpr(x)
	case *syntax.InitList:
		return operand{list: x, pos: x.Pos()}
	case *syntax.StringLit:
		return c.stringLit(x)
	}
	c.errorf(x.Pos(), codeUnsupported, "this expression is not supported")
	return operand{}
}

// valueOf checks an expression and loads it; nil after an error.
func (c *checker) valueOf(x syntax.Expr) hir.Expr { return c.rvalue(c.expr(x)) }

// Names

func (c *checker) nameExpr(x *syntax.NameExpr) operand {
	n := x.Name
	last := n.Last()
	if last.Conversion != nil {
		c.errorf(x.Pos(), codeUnsupported, "naming a conversion function is not supported")
		return operand{}
	}
	ent, q, ok := c.resolve(n)
	if !ok {
		return operand{}
	}
	if ent != nil {
		return c.denote(x, ent)
	}
	if t, bits, ok := c.stdConstant(n, q.std); ok {
		k := constant(x.Pos(), t, bits)
		k.Decimal = mathDecimal(stdName(n))
		return value(k)
	}
	if c.fn != nil && (last.Ident == "__func__" || last.Ident == "__FUNCTION__") && len(n.Parts) == 1 {
		text := &syntax.StringLit{Value: c.fn.r.decl.Name.Last().Ident}
		text.SetPos(x.Pos())
		return c.stringLit(text)
	}
	if op, ok := c.traitValue(n, q.std); ok {
		return op
	}
	if q.variants(last.Ident) != nil {
		if c.indexing == x {
			c.errorf(x.Pos(), codeFunctionValue, "subscript of pointer to function type '%s'", firstForm(last.Ident))
			return operand{}
		}
		c.errorf(x.Pos(), codeFunctionValue, "the library function %s can only be called", last.Ident)
		return operand{}
	}
	if meant := c.undeclared(n); meant != nil {
		y := *x
		y.Name = meant
		if c.indexing == x {
			c.indexing = &y
		}
		return c.nameExpr(&y)
	}
	return operand{}
}

// resolve finds the entity of a name in the program. If there is none the
// entity is nil and q.std tells whether the standard library may have it. ok is
// false after an error.
func (c *checker) resolve(n *syntax.Name) (ent entity, q qualification, ok bool) {
	last := n.Last()
	if len(n.Parts) == 1 && !n.Global {
		f := c.lookup(last.Ident)
		ent, ok := c.permitEntity(last.Pos, f.in, last.Ident, f.ent)
		return ent, qualification{std: f.library.metal(), library: f.library}, ok
	}
	q, found := c.qualify(n)
	if !found {
		if q.reported {
			return nil, q, false
		}
		if _, _, ok := lookupStdConstant(stdName(n)); ok && c.stdQualified(n) {
			return nil, qualification{std: true}, true
		}
		switch parts := len(n.Parts); {
		case parts > 1 && stdEnum(n.Parts[parts-2].Ident) != nil:
			c.missing(last.Pos, codeUndeclared, last.Ident, "no member named '%s' in 'metal::%s'", last.Ident,
				n.Parts[len(n.Parts)-2].Ident)
		case parts > 1:
			c.missing(n.Pos(), codeUndeclared, n.Parts[0].Ident,
				"use of undeclared identifier '%s': no namespace or type has this name", qualifierText(n))
		}
		return nil, q, false
	}
	if q.scope != nil {
		ent = c.member(q.scope, last.Ident)
	}
	if ent == nil && q.std && q.precision == "" {
		ent = c.stdMember(last.Ident)
	}
	if q.scope != nil {
		if ent == nil && !q.std && q.variants(last.Ident) == nil {
			c.missing(last.Pos, codeUndeclared, last.Ident, "no member named '%s' in '%s'", last.Ident,
				qualifierText(n))
			return nil, q, false
		}
	}
	if ent, ok = c.permitEntity(last.Pos, q.scope, last.Ident, ent); !ok {
		return nil, q, false
	}
	if this, inMember := c.thisObject(last.Pos); inMember && q.scope != nil && q.scope.kind == structScope {
		if own := c.objectClass(this); own != nil && c.isA(own, q.scope.str) {
			ent = c.inDerived(ent, q.scope.str, own)
		}
	}
	return ent, q, true
}

// stdName is a name without a leading "metal".
func stdName(n *syntax.Name) string {
	m := *n
	m.Global = false
	if len(m.Parts) > 1 && m.Parts[0].Ident == "metal" {
		m.Parts = m.Parts[1:]
	}
	return nameText(&m)
}

// stdQualified reports whether a qualified name such as mem_flags::mem_none may be the library's.
func (c *checker) stdQualified(n *syntax.Name) bool {
	if n.Parts[0].Ident == "metal" {
		return true
	}
	f := c.lookup(n.Parts[0].Ident)
	return f.ent == nil && f.library.metal()
}

// stdConstant finds a constant of the library. Macros such as INFINITY need no
// namespace; enumerators do.
func (c *checker) stdConstant(n *syntax.Name, std bool) (hir.Type, uint64, bool) {
	t, bits, ok := lookupStdConstant(stdName(n))
	if !ok {
		return nil, 0, false
	}
	if _, isEnum := t.(*hir.Enum); isEnum && !std {
		return nil, 0, false
	}
	return t, bits, true
}

// undeclared reports a name that nothing declares. What is probably meant is nil if
// nothing is near.
func (c *checker) undeclared(n *syntax.Name) (meant *syntax.Name) {
	name := n.Last().Ident
	if isBuiltin(name) && len(n.Parts) == 1 {
		c.errorf(n.Pos(), codeUndeclared,
			"%s is not declared here: it is metal::%s, and no using directive opens metal", name, name)
		return nil
	}
	near, advice := "", absentFunction(name)
	if advice == "" {
		near = c.hint(name)
		advice = syntax.Advice(near)
	}
	e := c.missing(n.Pos(), codeUndeclared, name, "use of undeclared identifier '%s'%s", nameText(n), advice)
	if near == "" || len(n.Parts) > 1 || n.Global {
		return nil
	}
	if pos := declaredAt(c.lookup(near).ent); pos.IsValid() {
		e.Note(pos, "'%s' declared here", near)
	}
	m := *n
	m.Parts = slices.Clone(n.Parts)
	m.Parts[0].Ident = near
	return &m
}

// declaredAt is where an entity of the program is declared.
func declaredAt(e entity) (pos syntax.Pos) {
	switch e := e.(type) {
	case *varEntity:
		pos = e.v.Pos
	case *ownEntity:
		if e.typ != nil {
			pos = e.pos
		}
	case *funcSet:
		pos = namePos(e.list[0].decl)
	}
	if pos.File == preludeName {
		return syntax.Pos{}
	}
	return pos
}

// denote is the operand that an entity stands for.
func (c *checker) denote(x *syntax.NameExpr, ent entity) operand {
	pos := x.Pos()
	last := x.Name.Last()
	if _, isSet := ent.(*funcSet); !isSet && last.HasArgs {
		if t, isTemplate := ent.(*varTemplate); isTemplate {
			return c.variableInstance(t, last)
		}
		if _, isRoutine := ent.(*routineEntity); !isRoutine {
			c.errorf(pos, codeNotTemplate, "%s is no template", last.Ident)
			return operand{}
		}
	}
	switch e := ent.(type) {
	case *poisonEntity:
		c.suppress()
		return operand{}
	case *ownEntity:
		if e.typ == nil {
			c.errorf(pos, codeUndeclared, "%s is used in its own initialiser", e.name)
			return operand{}
		}
		if e.v == nil {
			e.v = &hir.Var{Name: e.name, Pos: e.pos, Type: e.typ.typ, Space: syntax.Thread, Const: e.typ.isConst}
		}
		return variable(pos, e.v, false)
	case *varEntity:
		if e.owner != nil && c.fn != nil && e.owner != c.fn.r && e.v.Data == nil && !c.fn.unevaluated &&
			!isShared(e.v) {
			c.errorf(pos, codeOuterVariable, "%s belongs to the enclosing function", e.v.Name)
			return operand{}
		}
		if e.declared && c.fn != nil && !c.fn.unevaluated {
			c.externs = append(c.externs, externUse{e, pos})
		}
		c.recordUse(e.v)
		return variable(pos, e.v, e.volatile)
	case *valueEntity:
		return value(constant(pos, e.typ, e.bits))
	case *aliasEntity:
		return c.alias(pos, last.Ident, e)
	case *inputEntity:
		return value(&hir.BuiltinCall{Node: hir.At(pos, e.typ), Name: e.name})
	case *fieldEntity:
		return c.implicitField(pos, e)
	case *captureEntity:
		return c.captured(pos, e)
	case *routineEntity:
		return operand{fns: e.set, targs: e.targs, hasTargs: e.hasTargs, pos: pos}
	case *funcSet:
		op := operand{fns: e, pos: pos}
		if last.HasArgs {
			targs, ok := c.templateArgs(last)
			if !ok {
				return operand{}
			}
			op.targs, op.hasTargs = targs, true
		}
		return op
	case *packEntity:
		c.errorf(pos, codeTemplateArguments, `%s is a parameter pack: "..." has to expand it`, nameText(x.Name))
	case *varTemplate:
		c.errorf(pos, codeTemplateArguments, "the template %s needs arguments", nameText(x.Name))
	case *typeEntity, *classTemplate:
		c.errorf(pos, codeNotValue, "%s is a type, not a value", nameText(x.Name))
	case *namespaceEntity:
		c.errorf(pos, codeNotValue, "%s is a namespace, not a value", nameText(x.Name))
	}
	return operand{}
}

// implicitField is a data member named without an object, in a member function.
func (c *checker) implicitField(pos syntax.Pos, f *fieldEntity) operand {
	if i := f.path[0]; i < len(c.made) {
		if hir.HasSideEffects(c.made[i]) {
			c.errorf(pos, codeUnsupported,
				"a default value that uses a member whose initialiser has effects is not supported")
			return operand{}
		}
		return c.fieldPath(value(c.made[i]), f.path[1:], pos)
	}
	this, ok := c.thisObject(pos)
	if !ok {
		if c.fn != nil && c.fn.unevaluated {
			return operand{}
		}
		c.errorf(pos, codeNoObject, "a data member needs an object")
		return operand{}
	}
	return c.fieldPath(this, f.path, pos)
}

func (c *checker) thisExpr(pos syntax.Pos) operand {
	this, ok := c.thisObject(pos)
	if !ok {
		c.errorf(pos, codeNoObject, "this exists in member functions only")
		return operand{}
	}
	return c.addressOf(this, pos)
}

// Choice and size

func (c *checker) condExpr(x *syntax.CondExpr) operand {
	cop := c.expr(x.Cond)
	if _, ok := cop.typ().(hir.Vector); ok {
		c.errorf(x.Cond.Pos(), codeCondition, "got %s, want a scalar condition: select chooses component by component",
			cop.typ())
		return operand{}
	}
	cond := c.condition(cop, x.Cond.Pos())
	k := c.decided(cond)
	var a, b operand
	c.ruledOut(k.isFalse(), func() { a = c.expr(x.X) })
	c.ruledOut(k.isTrue(), func() { b = c.expr(x.Y) })
	prune := c.prune(k)
	if a.fns != nil {
		a = c.functionOperand(a, a.pos)
	}
	if b.fns != nil {
		b = c.functionOperand(b, b.pos)
	}
	if cond == nil || a.bad() || b.bad() {
		return operand{}
	}
	if a.lvalue && b.lvalue && hir.Identical(a.typ(), b.typ()) && a.space == b.space && a.const_ == b.const_ &&
		a.volatile == b.volatile && c.folded(a.expr) == nil && c.folded(b.expr) == nil {
		if prune && k.truth {
			c.decidedFor(x.X)
			return a
		}
		if prune {
			c.decidedFor(x.Y)
			return b
		}
		a.expr = &hir.Cond{Node: hir.At(x.Pos(), a.typ()), C: cond, X: a.expr, Y: b.expr, LValue: true, Math: c.math,
			MarkX: c.mark(x.X), MarkY: c.mark(x.Y)}
		if a.noAddr == "" {
			a.noAddr = b.noAddr
		}
		return a
	}
	t := c.armType(a, b, x.Pos())
	if t == nil {
		return operand{}
	}
	var ea, eb hir.Expr
	if isVoid(t) {
		ea, eb = c.rvalue(a), c.rvalue(b)
	} else {
		ea, eb = c.convertOperand(a, t, a.at()), c.convertOperand(b, t, b.at())
	}
	if ea == nil || eb == nil {
		return operand{}
	}
	if prune && k.truth {
		c.decidedFor(x.X)
		return value(ea)
	}
	if prune {
		c.decidedFor(x.Y)
		return value(eb)
	}
	return value(&hir.Cond{Node: hir.At(x.Pos(), t), C: cond, X: ea, Y: eb, LValue: false, Math: c.math,
		MarkX: c.mark(x.X), MarkY: c.mark(x.Y)})
}

// armType is the type of c ? a : b, nil after an error.
func (c *checker) armType(a, b operand, pos syntax.Pos) hir.Type {
	if a.list != nil || b.list != nil || a.fns != nil || b.fns != nil {
		c.errorf(pos, codeOperands, "?: cannot choose between %s and %s", a.describe(), b.describe())
		return nil
	}
	ta, tb := plainVector(decayed(a)), plainVector(decayed(b))
	if hir.Identical(ta, tb) && ta != hir.Type(hir.NullPointer{}) {
		return ta
	}
	if ka, kb := promotedKind(a, ta), promotedKind(b, tb); ka != hir.Void && kb != hir.Void {
		if k, ok := common(ka, kb); ok {
			return k
		}
	}
	pa, aptr := ta.(*hir.Pointer)
	pb, bptr := tb.(*hir.Pointer)
	switch {
	case aptr && bptr && pa.Space == pb.Space &&
		(hir.Identical(pa.Elem, pb.Elem) || isVoid(pa.Elem) || isVoid(pb.Elem)):
		p := *pa
		if isVoid(pb.Elem) {
			p.Elem = hir.Void
		}
		p.Const, p.Volatile = pa.Const || pb.Const, pa.Volatile || pb.Volatile
		return &p
	case aptr && b.null:
		return pa
	case bptr && a.null:
		return pb
	}
	if _, function := ta.(*hir.Signature); function && b.null {
		return ta
	}
	if _, function := tb.(*hir.Signature); function && a.null {
		return tb
	}
	if v, ok := ta.(hir.Vector); ok && scalarInto(tb, v) {
		return v
	}
	if v, ok := tb.(hir.Vector); ok && scalarInto(ta, v) {
		return v
	}
	_, sa := ta.(*hir.Struct)
	_, sb := tb.(*hir.Struct)
	if sa || sb {
		if sb && c.userConvertible(a, tb) {
			return tb
		}
		if sa && c.userConvertible(b, ta) {
			return ta
		}
		if sa != sb { // a struct with a conversion function to the other arm's type
			if sa && c.userConvertible(a, tb) {
				return tb
			}
			if sb && c.userConvertible(b, ta) {
				return ta
			}
		}
	}
	c.errorf(pos, codeOperands, "?: cannot choose between %s and %s", ta, tb)
	return nil
}

// plainVector is the type that a packed vector computes as.
func plainVector(t hir.Type) hir.Type {
	if v, ok := t.(hir.Vector); ok {
		v.Packed = false
		return v
	}
	return t
}

// arithmeticKind is the kind a scalar computes as, Void for other types.
func arithmeticKind(t hir.Type) hir.Kind {
	switch t := t.(type) {
	case hir.Kind:
		return t
	case *hir.Enum:
		if !t.Scoped {
			return promoted(t.Underlying)
		}
	}
	return hir.Void
}

func (c *checker) sizeofExpr(x *syntax.SizeofExpr) operand {
	if x.Pack {
		return c.packSize(x)
	}
	if x.Offset {
		return c.offsetof(x)
	}
	var q qual
	var ok bool
	if x.Type != nil {
		q, ok = c.objectType(x.Type)
	} else if q, ok = c.typeInParens(x.X); ok {
		ok = c.complete(q, x.Pos())
	} else {
		op := c.unevaluated(x.X)
		ok = op.expr != nil
		if !ok && !op.bad() {
			c.errorf(x.Pos(), codeSizeof, "%s has no size", op.describe())
		}
		if ok {
			q = plain(op.typ())
			ok = c.complete(q, x.Pos())
		}
	}
	if !ok {
		return operand{}
	}
	n := q.typ.Size()
	if x.Align {
		n = q.typ.Align()
	}
	return value(constant(x.Pos(), hir.ULong, uint64(n)))
}

// typeInParens is the type that stands where the parser expects an expression in parentheses,
// since it could not know what the name means.
func (c *checker) typeInParens(x syntax.Expr) (q qual, ok bool) {
	if p, isParen := x.(*syntax.ParenExpr); isParen {
		if n, isName := p.X.(*syntax.NameExpr); isName && len(n.Name.Parts) > 1 {
			return c.namesType(n.Name)
		}
	}
	return qual{}, false
}

// offsetof is where a member lies in a type.
func (c *checker) offsetof(x *syntax.SizeofExpr) operand {
	q, ok := c.objectType(x.Type)
	if !ok {
		return operand{}
	}
	if _, ok := q.typ.(*hir.Struct); !ok {
		c.errorf(x.Type.Pos(), codeSizeof, "offsetof requires struct, union, or class type, '%s' invalid", q.typ)
		return operand{}
	}
	_, offset, ok := c.offsetIn(q.typ, x.X)
	if !ok {
		return operand{}
	}
	return value(constant(x.Pos(), hir.ULong, uint64(offset)))
}

// offsetIn is the type of member x of an object of type t, and where it begins.
func (c *checker) offsetIn(t hir.Type, x syntax.Expr) (member hir.Type, offset int, ok bool) {
	switch x := x.(type) {
	case *syntax.NameExpr:
		return c.memberOffset(t, x.Name)
	case *syntax.MemberExpr:
		of, offset, ok := c.offsetIn(t, x.X)
		if !ok {
			return nil, 0, false
		}
		t, more, ok := c.memberOffset(of, x.Member)
		return t, offset + more, ok
	case *syntax.IndexExpr:
		of, offset, ok := c.offsetIn(t, x.X)
		i := c.rvalue(c.expr(x.Index))
		if !ok || i == nil {
			return nil, 0, false
		}
		a, isArray := of.(*hir.Array)
		if k, ok := c.eval.Scalar(i); ok && isArray {
			return a.Elem, offset + int(k.Bits)*a.Elem.Size(), true
		}
	}
	c.errorf(x.Pos(), codeSizeof, "want a member in offsetof, with constant indices")
	return nil, 0, false
}

// memberOffset is the type of a member of t by its name, and where it begins.
func (c *checker) memberOffset(t hir.Type, n *syntax.Name) (hir.Type, int, bool) {
	s, ok := t.(*hir.Struct)
	if !ok {
		c.errorf(n.Pos(), codeNoMember, "member reference base type '%s' is not a structure or union", t)
		return nil, 0, false
	}
	e, ok := c.memberEntity(s, n).(*fieldEntity)
	if !ok {
		c.errorf(n.Pos(), codeNoMember, "no member named '%s' in '%s'", n.Last().Ident, s)
		return nil, 0, false
	}
	offset := 0
	for _, i := range e.path {
		f := t.(*hir.Struct).Fields[i]
		if f.Bits > 0 {
			c.errorf(n.Pos(), codeSizeof, "cannot compute offset of bit-field '%s'", f.Name)
			return nil, 0, false
		}
		t, offset = f.Type, offset+f.Offset
	}
	return t, offset, true
}

// firstForm is the type of a function of the library in the form that its headers have
// first, that of halves.
func firstForm(name string) string {
	n := len(library()[name][0].params)
	return "half (half" + strings.Repeat(", half", max(n-1, 0)) + ")"
}
