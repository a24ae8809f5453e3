package types

import "metalconform/metalrun/internal/syntax"

// expr checks an expression. The operand is bad after an error, which has been
// reported.
func (c *checker) expr(x syntax.Expr) operand {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return c.expr(x.X)
	case *syntax.NameExpr:
		return c.nameExpr(x)
	case *syntax.IntLit:
		return c.intLit(x)
	case *syntax.FloatLit:
		return c.floatLit(x)
	case *syntax.BoolLit:
		bits := uint64(0)
		if x.Value {
			bits = 1
		}
		return value(constant(x.Pos(), Bool, bits))
	case *syntax.NullLit:
		return operand{expr: constant(x.Pos(), nullType{}, 0), null: true}
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
		return c.condExpr(x)
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
		c.errorf(x.Pos(), codeString, "strings are supported in attributes and static_assert only")
		return operand{}
	}
	c.errorf(x.Pos(), codeUnsupported, "this expression is not supported")
	return operand{}
}

// valueOf checks an expression and loads it; nil after an error.
func (c *checker) valueOf(x syntax.Expr) Expr { return c.rvalue(c.expr(x)) }

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
		return value(constant(x.Pos(), t, bits))
	}
	if op, ok := c.traitValue(n, q.std); ok {
		return op
	}
	if q.std && isBuiltin(last.Ident) {
		c.errorf(x.Pos(), codeFunctionValue, "the library function %s can only be called", last.Ident)
		return operand{}
	}
	c.undeclared(n)
	return operand{}
}

// resolve finds the entity of a name in the program. If there is none the
// entity is nil and q.std tells whether the standard library may have it. ok is
// false after an error.
func (c *checker) resolve(n *syntax.Name) (ent entity, q qualification, ok bool) {
	last := n.Last()
	if len(n.Parts) == 1 && !n.Global {
		f := c.lookup(last.Ident)
		return f.ent, qualification{std: f.std}, true
	}
	q, found := c.qualify(n)
	if !found {
		if _, _, ok := lookupStdConstant(stdName(n)); ok && c.stdQualified(n) {
			return nil, qualification{std: true}, true
		}
		switch parts := len(n.Parts); {
		case parts > 1 && stdEnum(n.Parts[parts-2].Ident) != nil:
			c.errorf(n.Pos(), codeUndeclared, "%s has no enumerator %s", qualifierText(n), last.Ident)
		case parts > 1:
			c.errorf(n.Pos(), codeUndeclared, "no namespace or type named %s", qualifierText(n))
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
		if ent == nil && !q.std {
			c.errorf(n.Pos(), codeUndeclared, "%s has no member %s", qualifierText(n), last.Ident)
			return nil, q, false
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
	return f.ent == nil && f.std
}

// stdConstant finds a constant of the library. Macros such as INFINITY need no
// namespace; enumerators do.
func (c *checker) stdConstant(n *syntax.Name, std bool) (Type, uint64, bool) {
	t, bits, ok := lookupStdConstant(stdName(n))
	if !ok {
		return nil, 0, false
	}
	if _, isEnum := t.(*Enum); isEnum && !std {
		return nil, 0, false
	}
	return t, bits, true
}

func (c *checker) undeclared(n *syntax.Name) {
	name := n.Last().Ident
	if isBuiltin(name) && len(n.Parts) == 1 {
		c.errorf(n.Pos(), codeUndeclared, "%s is not declared here: it is metal::%s, and no using directive opens metal", name, name)
		return
	}
	advice := absentFunction(name)
	if advice == "" {
		advice = c.hint(name)
	}
	c.errorf(n.Pos(), codeUndeclared, "%s is not declared%s", nameText(n), advice)
}

// denote is the operand that an entity stands for.
func (c *checker) denote(x *syntax.NameExpr, ent entity) operand {
	pos := x.Pos()
	last := x.Name.Last()
	if _, isSet := ent.(*funcSet); !isSet && last.HasArgs {
		if _, isRoutine := ent.(*routineEntity); !isRoutine {
			c.errorf(pos, codeNotTemplate, "%s is no template", last.Ident)
			return operand{}
		}
	}
	switch e := ent.(type) {
	case *poisonEntity:
		c.muffle()
		return operand{}
	case *ownEntity:
		c.errorf(pos, codeUndeclared, "%s is used in its own initialiser", e.name)
		return operand{}
	case *varEntity:
		if e.absent != "" && c.fn.dead > 0 {
			c.fn.absent = true
		} else if e.absent != "" {
			c.errorf(pos, codeAbsentArgument, "%s does not exist: function constant %s is false", e.v.Name, e.absent)
			return operand{}
		}
		if e.owner != nil && c.fn != nil && e.owner != c.fn.r && e.v.Data == nil {
			c.errorf(pos, codeOuterVariable, "%s belongs to the enclosing function", e.v.Name)
			return operand{}
		}
		return variable(pos, e.v, e.volatile)
	case *valueEntity:
		return value(constant(pos, e.typ, e.bits))
	case *fieldEntity:
		return c.implicitField(pos, e)
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
	case *typeEntity, *classTemplate:
		c.errorf(pos, codeNotValue, "%s is a type, not a value", nameText(x.Name))
	case *namespaceEntity:
		c.errorf(pos, codeNotValue, "%s is a namespace, not a value", nameText(x.Name))
	}
	return operand{}
}

// implicitField is a data member named without an object, in a member function.
func (c *checker) implicitField(pos syntax.Pos, f *fieldEntity) operand {
	if c.fn == nil || c.fn.this == nil {
		if c.fn != nil && c.fn.unevaluated {
			return operand{}
		}
		c.errorf(pos, codeNoObject, "a data member needs an object")
		return operand{}
	}
	return c.fieldPath(variable(pos, c.fn.this, false), f.path, pos)
}

func (c *checker) thisExpr(pos syntax.Pos) operand {
	if c.fn == nil || c.fn.this == nil {
		c.errorf(pos, codeNoObject, "this exists in member functions only")
		return operand{}
	}
	return c.addressOf(variable(pos, c.fn.this, false), pos)
}

// Members

// fieldPath goes from a struct operand through nested anonymous members to a field.
func (c *checker) fieldPath(op operand, path []int, pos syntax.Pos) operand {
	for _, i := range path {
		s := op.typ().(*Struct)
		f := s.Fields[i]
		op.expr = &FieldExpr{expr{pos, f.Type}, op.expr, i}
		op.const_ = op.const_ || f.Const
	}
	op.null = false
	return op
}

func (c *checker) memberExpr(x *syntax.MemberExpr) operand {
	op := c.object(x)
	if op.bad() {
		return op
	}
	name := x.Member.Last().Ident
	switch t := op.typ().(type) {
	case Vector:
		return c.swizzle(op, t, name, x.Pos())
	case *Struct:
		return c.structMember(op, t, x)
	}
	c.errorf(x.Pos(), codeNoMember, "%s has no member %s", op.describe(), name)
	return operand{}
}

// object is what stands before "." or, by way of a pointer, before "->".
func (c *checker) object(x *syntax.MemberExpr) operand {
	op := c.expr(x.X)
	if op.bad() {
		return op
	}
	if op.list != nil || op.fns != nil {
		c.errorf(x.Pos(), codeNoMember, "%s has no members", op.describe())
		return operand{}
	}
	if !x.Arrow {
		if p, ok := op.typ().(*Pointer); ok {
			c.errorf(x.Pos(), codeArrow, "got %s before the member %s, want -> instead of .", p, x.Member.Last().Ident)
			return operand{}
		}
		return op
	}
	if _, ok := op.typ().(*Struct); ok {
		c.errorf(x.Pos(), codeArrow, "got %s before ->, want a pointer", op.typ())
		return operand{}
	}
	return c.deref(op, x.Pos())
}

func (c *checker) structMember(op operand, s *Struct, x *syntax.MemberExpr) operand {
	last := x.Member.Last()
	switch e := c.memberEntity(s, x.Member).(type) {
	case *fieldEntity:
		return c.fieldPath(op, e.path, x.Pos())
	case *varEntity:
		return variable(x.Pos(), e.v, e.volatile)
	case *valueEntity:
		return value(constant(x.Pos(), e.typ, e.bits))
	case *funcSet:
		c.errorf(x.Pos(), codeMemberCall, "the member function %s can only be called", last.Ident)
	default:
		c.errorf(x.Pos(), codeNoMember, "%s has no member %s%s", s, last.Ident, c.memberHint(s, last.Ident))
	}
	return operand{}
}

// memberEntity finds a member of a struct by name.
func (c *checker) memberEntity(s *Struct, n *syntax.Name) entity {
	info := c.structs[s]
	if info == nil {
		return nil
	}
	saved := c.limit
	c.limit = unlimited
	defer func() { c.limit = saved }()
	return c.memberField(info, n.Last().Ident)
}

// memberField finds a member in a struct or its bases; a base's field has its path from the struct.
func (c *checker) memberField(info *structInfo, name string) entity {
	if e := info.scope.names[name]; e != nil {
		return e
	}
	for i, b := range info.bases {
		switch e := c.memberField(b, name).(type) {
		case nil:
		case *fieldEntity:
			return &fieldEntity{path: append([]int{i}, e.path...)}
		default:
			return e
		}
	}
	return nil
}

func (c *checker) memberHint(s *Struct, name string) string {
	best, bestName := 1+len(name)/4, ""
	for _, f := range s.Fields {
		if d := editDistance(name, f.Name); f.Name != "" && d <= best {
			best, bestName = d-1, f.Name
		}
	}
	if bestName == "" {
		return ""
	}
	return " (did you mean " + bestName + "?)"
}

// swizzle selects components of a vector.
func (c *checker) swizzle(op operand, t Vector, name string, pos syntax.Pos) operand {
	comps, why := swizzleComps(name, t.N)
	if why != "" {
		c.errorf(pos, codeSwizzle, "%s has no component %s: %s", t, name, why)
		return operand{}
	}
	op.null = false
	var typ Type = t.Elem
	op.noAddr = "a vector component"
	if len(comps) > 1 {
		typ = Vector{Elem: t.Elem, N: len(comps)}
		op.noAddr = "a swizzle"
		used := 0
		for _, k := range comps {
			if used&(1<<k) != 0 {
				op.const_ = true
				op.lvalue, op.expr = false, c.rvalue(op)
				break
			}
			used |= 1 << k
		}
	}
	op.expr = &Swizzle{expr{pos, typ}, op.expr, comps}
	return op
}

// swizzleComps reads the letters of a swizzle on n components; why says what is wrong.
func swizzleComps(name string, n int) (comps []int, why string) {
	if len(name) > 4 {
		return nil, "a swizzle has at most four letters"
	}
	set := ""
	for i := range len(name) {
		k, letters := -1, ""
		for _, s := range []string{"xyzw", "rgba"} {
			for j := range len(s) {
				if s[j] == name[i] {
					k, letters = j, s
				}
			}
		}
		switch {
		case k < 0:
			return nil, "components are x y z w or r g b a"
		case set != "" && set != letters:
			return nil, "xyzw and rgba cannot be mixed"
		case k >= n:
			return nil, "it lies beyond the last component"
		}
		set = letters
		comps = append(comps, k)
	}
	return comps, ""
}

// Indexing

func (c *checker) indexExpr(x *syntax.IndexExpr) operand {
	op, index := c.expr(x.X), c.expr(x.Index)
	if op.bad() || index.bad() {
		return operand{}
	}
	op = c.elements(op)
	if s, ok := op.typ().(*Struct); ok {
		if r, done := c.overloadedIndex(op, s, index, x.Pos()); done {
			return r
		}
	}
	i := c.rvalue(index)
	if i == nil {
		return operand{}
	}
	if _, ok := i.Type().(*Pointer); ok && op.expr != nil && isIntegral(op.typ()) {
		op, i = value(i), c.rvalue(op) // i[p] is p[i]
	}
	if !isIntegral(i.Type()) {
		c.errorf(x.Index.Pos(), codeIndex, "got index of type %s, want an integer", i.Type())
		return operand{}
	}
	i = c.integer(i)
	switch t := op.typ().(type) {
	case *Pointer:
		if !c.sized(t, x.Pos()) {
			return operand{}
		}
		return c.deref(value(&PtrAdd{expr{x.Pos(), t}, c.rvalue(op), i, false}), x.Pos())
	case *Array:
		return c.element(op, t.Elem, t.Len, i, x.Pos(), "")
	case Vector:
		return c.element(op, t.Elem, t.N, i, x.Pos(), "a vector component")
	case Matrix:
		return c.element(op, t.Column(), t.Cols, i, x.Pos(), "")
	}
	c.errorf(x.Pos(), codeIndex, "%s cannot be indexed", op.describe())
	return operand{}
}

// element is component i of an aggregate of n.
func (c *checker) element(op operand, elem Type, n int, i Expr, pos syntax.Pos, noAddr string) operand {
	if k, ok := c.constEval(i); ok && !isArray(op.typ()) && (int64(k.Bits) < 0 && scalarKind(k.typ).IsSigned() || k.Bits >= uint64(n)) {
		c.errorf(i.Pos(), codeIndexRange, "index %d is out of range: %s has %d elements", int64(k.Bits), op.typ(), n)
		return operand{}
	}
	op.expr = &Index{expr{pos, elem}, op.expr, i}
	op.null = false
	if noAddr != "" {
		op.noAddr = noAddr
	}
	return op
}

// integer gives an index or an enumeration its integer type.
func (c *checker) integer(e Expr) Expr {
	switch t := e.Type().(type) {
	case *Enum:
		return c.cast(e, promoted(t.Underlying))
	case Kind:
		if t == Bool {
			return c.cast(e, Int)
		}
	}
	return e
}

// sized reports whether arithmetic on pointers of type p makes sense.
func (c *checker) sized(p *Pointer, pos syntax.Pos) bool {
	if isVoid(p.Elem) {
		c.errorf(pos, codeVoidPointer, "a pointer to void has no elements")
		return false
	}
	return c.complete(plain(p.Elem), pos)
}

// deref is the object that a pointer points to.
func (c *checker) deref(op operand, pos syntax.Pos) operand {
	e := c.rvalue(op)
	if e == nil {
		return operand{}
	}
	p, ok := e.Type().(*Pointer)
	if !ok {
		c.errorf(pos, codeDereference, "got %s, want a pointer", e.Type())
		return operand{}
	}
	if isVoid(p.Elem) {
		c.errorf(pos, codeVoidPointer, "a pointer to void cannot be dereferenced")
		return operand{}
	}
	if !c.complete(plain(p.Elem), pos) {
		return operand{}
	}
	var object Expr = &Deref{expr{pos, p.Elem}, e}
	if a, ok := e.(*AddrOf); ok && Identical(a.X.Type(), p.Elem) {
		object = a.X // *&x is x
	}
	return operand{
		expr: object, lvalue: true,
		const_: p.Const || p.Space == syntax.Constant, space: p.Space, volatile: p.Volatile,
	}
}

func (c *checker) addressOf(op operand, pos syntax.Pos) operand {
	switch {
	case op.bad():
		return op
	case op.fns != nil:
		return op
	case !op.lvalue:
		c.errorf(pos, codeAddressOf, "the address of a value cannot be taken, only that of an object")
		return operand{}
	case op.noAddr != "":
		c.errorf(pos, codeAddressOf, "the address of %s cannot be taken", op.noAddr)
		return operand{}
	}
	if d, ok := op.expr.(*Deref); ok {
		return value(d.X) // &*p is p
	}
	t := pointerTo(qual{typ: op.typ(), space: op.space, isConst: op.const_, volatile: op.volatile})
	return value(&AddrOf{expr{pos, t}, op.expr})
}

// Assignment

func (c *checker) assignExpr(x *syntax.AssignExpr) operand {
	l := c.expr(x.X)
	r := c.expr(x.Y)
	if l.bad() || r.bad() {
		return operand{}
	}
	if res, done := c.overloadedBinary(x.Pos(), x.Op, l, r, true); done {
		return res
	}
	if !c.assignable(l, x.Pos()) {
		return operand{}
	}
	if x.Op == "=" {
		e := c.convertOperand(r, l.typ(), r.place())
		if e == nil {
			return operand{}
		}
		l.expr = &Assign{expr{x.Pos(), l.typ()}, l.expr, e}
		return l
	}
	return c.opAssign(x.Pos(), binaryOps[x.Op[:len(x.Op)-1]], l, r)
}

// opAssign is L op= R for types of the language.
func (c *checker) opAssign(pos syntax.Pos, op Op, l, r operand) operand {
	rv := c.rvalue(r)
	if rv == nil {
		return operand{}
	}
	done := func(op Op, comp Type, rv Expr) operand {
		if rv == nil {
			return operand{}
		}
		l.expr = &OpAssign{expr: expr{pos, l.typ()}, Op: op, L: l.expr, R: rv, Comp: comp, FPContract: c.contract}
		return l
	}
	if p, ok := l.typ().(*Pointer); ok && (op == Add || op == Sub) && isIntegral(rv.Type()) {
		if !c.sized(p, pos) {
			return operand{}
		}
		return done(op, p, c.integer(rv))
	}
	// The operation is judged as L op R would be, without L's value being read twice.
	probe := value(&Load{expr{l.place(), l.typ()}, l.expr})
	bin := c.arith(pos, op, probe, value(rv))
	if bin == nil {
		return operand{}
	}
	b, ok := bin.(*Binary)
	if !ok {
		c.errorf(pos, codeOperands, "%s= is not defined for %s and %s", op, l.describe(), rv.Type())
		return operand{}
	}
	if _, ok := standardRank(b.typ, l.typ(), false); !ok {
		c.reportConversion(b.typ, l.typ(), pos)
		return operand{}
	}
	if op == Shl || op == Shr {
		return done(op, b.X.Type(), b.Y)
	}
	if b.Op == MatMul {
		if !Identical(b.typ, l.typ()) {
			c.reportConversion(b.typ, l.typ(), pos)
			return operand{}
		}
		return done(MatMul, b.typ, b.Y)
	}
	return done(b.Op, b.X.Type(), b.Y)
}

func (c *checker) incDec(pos syntax.Pos, op string, x syntax.Expr, postfix bool) operand {
	l := c.expr(x)
	if l.bad() {
		return l
	}
	if r, done := c.overloadedUnary(pos, op, l, postfix); done {
		return r
	}
	if !c.assignable(l, pos) {
		return operand{}
	}
	switch t := l.typ().(type) {
	case *Pointer:
		if !c.sized(t, pos) {
			return operand{}
		}
	case Kind, Vector:
		if elementKind(t) == Bool {
			c.errorf(pos, codeOperands, "%s is not defined for %s", op, t)
			return operand{}
		}
	default:
		c.errorf(pos, codeOperands, "%s is not defined for %s", op, t)
		return operand{}
	}
	e := &IncDec{expr{pos, l.typ()}, l.expr, op == "--", postfix}
	if postfix {
		return value(e)
	}
	l.expr = e
	return l
}

// Choice and size

func (c *checker) condExpr(x *syntax.CondExpr) operand {
	cop := c.expr(x.Cond)
	if _, ok := cop.typ().(Vector); ok {
		c.errorf(x.Cond.Pos(), codeCondition, "got %s, want a scalar condition: select chooses component by component", cop.typ())
		return operand{}
	}
	cond := c.condition(cop, x.Cond.Pos())
	k := c.decided(cond)
	var a, b operand
	c.ruledOut(k.isFalse(), func() { a = c.expr(x.X) })
	c.ruledOut(k.isTrue(), func() { b = c.expr(x.Y) })
	prune := c.prune(k)
	if cond == nil || a.bad() || b.bad() {
		return operand{}
	}
	if a.lvalue && b.lvalue && Identical(a.typ(), b.typ()) && a.space == b.space && a.const_ == b.const_ &&
		a.volatile == b.volatile && c.folded(a.expr) == nil && c.folded(b.expr) == nil {
		if prune && k.truth {
			return a
		}
		if prune {
			return b
		}
		a.expr = &Cond{expr{x.Pos(), a.typ()}, cond, a.expr, b.expr, true}
		if a.noAddr == "" {
			a.noAddr = b.noAddr
		}
		return a
	}
	t := c.armType(a, b, x.Pos())
	if t == nil {
		return operand{}
	}
	var ea, eb Expr
	if isVoid(t) {
		ea, eb = c.rvalue(a), c.rvalue(b)
	} else {
		ea, eb = c.convertOperand(a, t, a.place()), c.convertOperand(b, t, b.place())
	}
	if ea == nil || eb == nil {
		return operand{}
	}
	if prune && k.truth {
		return value(ea)
	}
	if prune {
		return value(eb)
	}
	return value(&Cond{expr{x.Pos(), t}, cond, ea, eb, false})
}

// armType is the type of c ? a : b, nil after an error.
func (c *checker) armType(a, b operand, pos syntax.Pos) Type {
	if a.list != nil || b.list != nil || a.fns != nil || b.fns != nil {
		c.errorf(pos, codeOperands, "?: cannot choose between %s and %s", a.describe(), b.describe())
		return nil
	}
	ta, tb := plainVector(decayed(a)), plainVector(decayed(b))
	if Identical(ta, tb) && ta != Type(nullType{}) {
		return ta
	}
	if ka, kb := arithmeticKind(ta), arithmeticKind(tb); ka != Void && kb != Void {
		if k, ok := common(ka, kb); ok {
			return k
		}
	}
	pa, aptr := ta.(*Pointer)
	pb, bptr := tb.(*Pointer)
	switch {
	case aptr && bptr && pa.Space == pb.Space && (Identical(pa.Elem, pb.Elem) || isVoid(pa.Elem) || isVoid(pb.Elem)):
		p := *pa
		if isVoid(pb.Elem) {
			p.Elem = Void
		}
		p.Const, p.Volatile = pa.Const || pb.Const, pa.Volatile || pb.Volatile
		return &p
	case aptr && b.null:
		return pa
	case bptr && a.null:
		return pb
	}
	if v, ok := ta.(Vector); ok && scalarInto(tb, v) {
		return v
	}
	if v, ok := tb.(Vector); ok && scalarInto(ta, v) {
		return v
	}
	_, sa := ta.(*Struct)
	_, sb := tb.(*Struct)
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
func plainVector(t Type) Type {
	if v, ok := t.(Vector); ok {
		v.Packed = false
		return v
	}
	return t
}

// arithmeticKind is the kind a scalar computes as, Void for other types.
func arithmeticKind(t Type) Kind {
	switch t := t.(type) {
	case Kind:
		return t
	case *Enum:
		if !t.Scoped {
			return promoted(t.Underlying)
		}
	}
	return Void
}

func (c *checker) sizeofExpr(x *syntax.SizeofExpr) operand {
	var q qual
	var ok bool
	if x.Type != nil {
		q, ok = c.objectType(x.Type)
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
	return value(constant(x.Pos(), ULong, uint64(n)))
}

func isArray(t Type) bool { _, ok := t.(*Array); return ok }
