package types

import "metalconform/metalrun/internal/syntax"

var binaryOps = map[string]Op{
	"+": Add, "-": Sub, "*": Mul, "/": Div, "%": Rem, "&": And, "|": Or, "^": Xor, "<<": Shl, ">>": Shr,
	"==": Eq, "!=": Ne, "<": Lt, "<=": Le, ">": Gt, ">=": Ge, "&&": LAnd, "||": LOr,
}

func (c *checker) unaryExpr(x *syntax.UnaryExpr) operand {
	if x.Op == "++" || x.Op == "--" {
		return c.incDec(x.Pos(), x.Op, x.X, false)
	}
	op := c.expr(x.X)
	if op.bad() {
		return op
	}
	if r, done := c.overloadedUnary(x.Pos(), x.Op, op, false); done {
		return r
	}
	switch x.Op {
	case "&":
		return c.addressOf(op, x.Pos())
	case "*":
		if _, ok := op.typ().(*Signature); ok || op.fns != nil {
			return op
		}
		return c.deref(op, x.Pos())
	}
	e := c.rvalue(op)
	if e == nil {
		return operand{}
	}
	return value(c.unary(x.Pos(), x.Op, e))
}

// unary is + - ~ or ! of a value of a type of the language.
func (c *checker) unary(pos syntax.Pos, op string, e Expr) Expr {
	t := plainVector(e.Type())
	e = c.cast(e, t)
	k := elemOf(t)
	_, isMatrix := t.(Matrix)
	_, isVector := t.(Vector)
	scalar := arithmeticKind(t) != Void
	switch {
	case op == "!":
		if isVector && k == Bool {
			return &Unary{expr: expr{pos, t}, Op: LNot, X: e, Math: c.math}
		}
		if !isVector && isBoolLike(t) {
			return &Unary{expr: expr{pos, Bool}, Op: LNot, X: c.cast(e, Bool), Math: c.math}
		}
	case scalar:
		e = c.promotedBits(e)
		p := promoted(arithmeticKind(e.Type()))
		if op == "~" && !p.IsInteger() {
			break
		}
		e = c.cast(e, p)
		if op == "+" {
			return e
		}
		return c.fold(&Unary{expr: expr{pos, p}, Op: map[string]Op{"-": Neg, "~": Not}[op], X: e, Math: c.math})
	case op == "+" && ((isVector && k != Bool) || isMatrix):
		return e
	case op == "+":
		if _, ok := t.(*Pointer); ok {
			return e
		}
	case op == "-" && ((isVector && k != Bool) || isMatrix):
		return &Unary{expr: expr{pos, t}, Op: Neg, X: e, Math: c.math}
	case op == "~" && isVector && k.IsInteger():
		return &Unary{expr: expr{pos, t}, Op: Not, X: e, Math: c.math}
	}
	c.errorf(pos, codeOperands, "invalid argument type '%s' to unary expression", t)
	return nil
}

// fold makes a constant of an operation on constants, or notes that it is none: so that the operations
// around it need not ask again.
func (c *checker) fold(e Expr) Expr {
	if k, ok := c.constEval(e); ok {
		return k
	}
	if scalarKind(e.Type()) == Void {
		return e
	}
	switch e := e.(type) {
	case *Unary:
		e.open = true
	case *Binary:
		e.open = true
	}
	return e
}

func (c *checker) binaryExpr(x *syntax.BinaryExpr) operand {
	if x.Op == "," {
		return c.comma(x)
	}
	if _, bad := x.Y.(*syntax.BadExpr); bad {
		if _, named := x.X.(*syntax.NameExpr); named {
			c.muffle()
			return operand{} // what the name is cannot be judged
		}
	}
	a := c.expr(x.X)
	var b operand
	c.ruledOut(c.shortCircuits(x.Op, a), func() { b = c.expr(x.Y) })
	if x.Op == "==" || x.Op == "!=" { // with the address of a function
		if _, ok := b.typ().(*Signature); ok && a.fns != nil {
			a = c.functionOperand(a, a.pos)
		} else if _, ok := a.typ().(*Signature); ok && b.fns != nil {
			b = c.functionOperand(b, b.pos)
		}
	}
	if a.bad() || b.bad() {
		return operand{}
	}
	if r, done := c.overloadedBinary(x.Pos(), x.Op, a, b, false); done {
		return r
	}
	op := binaryOps[x.Op]
	var e Expr
	switch {
	case op == LAnd || op == LOr:
		e = c.logical(x.Pos(), op, a, b)
	case op >= Eq && op <= Ge:
		e = c.comparison(x.Pos(), op, a, b)
	default:
		e = c.arith(x.Pos(), op, a, b)
	}
	if e == nil {
		return operand{}
	}
	return value(e)
}

func (c *checker) comma(x *syntax.BinaryExpr) operand {
	a, b := c.expr(x.X), c.expr(x.Y)
	if a.bad() || b.bad() {
		return operand{}
	}
	if a.list != nil || a.fns != nil || b.expr == nil {
		c.errorf(x.Pos(), codeOperands, "the comma wants expressions")
		return operand{}
	}
	if a.typ() == Type(nullType{}) {
		return b
	}
	if c.overloadsComma(a, b) && c.attempt(func() { c.overloadedBinary(x.Pos(), x.Op, a, b, false) }) {
		r, _ := c.overloadedBinary(x.Pos(), x.Op, a, b, false)
		return r
	}
	if !b.lvalue {
		return value(&Comma{expr{x.Pos(), b.typ()}, a.expr, b.expr})
	}
	b.expr = &Comma{expr{x.Pos(), b.typ()}, a.expr, b.expr}
	return b
}

// overloadsComma reports whether there are functions for a comma between a and b. Where
// none fits, it means what it means between any operands.
func (c *checker) overloadsComma(a, b operand) bool {
	if s, ok := a.typ().(*Struct); ok && c.methods(s, "operator,") != nil {
		return true
	}
	return (c.hasStruct(a) || c.hasStruct(b)) && c.freeOperators("operator,", []operand{a, b}) != nil
}

// logical is && or ||: on scalars with short circuit, on vectors of bool component by component.
func (c *checker) logical(pos syntax.Pos, op Op, a, b operand) Expr {
	va, avec := a.typ().(Vector)
	vb, bvec := b.typ().(Vector)
	if avec || bvec {
		ea, eb := c.rvalue(a), c.rvalue(b)
		if ea == nil || eb == nil {
			return nil
		}
		switch {
		case avec && bvec && va == vb && va.Elem == Bool:
			return &Binary{expr: expr{pos, va}, Op: op, X: ea, Y: eb}
		case avec && va.Elem == Bool && arithmeticKind(eb.Type()) != Void:
			return &Binary{expr: expr{pos, va}, Op: op, X: ea, Y: c.cast(eb, va)}
		case bvec && vb.Elem == Bool && arithmeticKind(ea.Type()) != Void:
			return &Binary{expr: expr{pos, vb}, Op: op, X: c.cast(ea, vb), Y: eb}
		}
		c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", ea.Type(), eb.Type())
		return nil
	}
	ea, eb := c.condition(a, a.at()), c.condition(b, b.at())
	if ea == nil || eb == nil {
		return nil
	}
	if k := c.decided(ea); k.known && k.truth == (op == LOr) && c.prune(k) {
		return constant(pos, Bool, map[bool]uint64{true: 1}[k.truth]) // the right side is never evaluated
	}
	return c.fold(&Binary{expr: expr{pos, Bool}, Op: op, X: ea, Y: eb})
}

// shortCircuits reports whether a decides a && b or a || b alone.
func (c *checker) shortCircuits(op string, a operand) bool {
	if op != "&&" && op != "||" || a.expr == nil || !isBoolLike(a.typ()) {
		return false
	}
	var cond Expr
	c.attempt(func() { cond = c.condition(a, a.at()) })
	k := c.decided(cond)
	return k.known && k.truth == (op == "||")
}

func (c *checker) comparison(pos syntax.Pos, op Op, a, b operand) Expr {
	ea, eb := c.rvalue(a), c.rvalue(b)
	if ea == nil || eb == nil {
		return nil
	}
	ta, tb := plainVector(ea.Type()), plainVector(eb.Type())
	if e, done := c.pointerComparison(pos, op, ea, eb, a.null, b.null); done {
		return e
	}
	if sa, ok := ta.(*Enum); ok && sa.Scoped && Identical(ta, tb) {
		return c.fold(&Binary{expr: expr{pos, Bool}, Op: op, X: c.cast(ea, sa.Underlying), Y: c.cast(eb, sa.Underlying)})
	}
	x, y, ok := c.balance(pos, op, ea, eb)
	if !ok {
		return nil
	}
	switch t := x.Type().(type) {
	case Kind:
		return c.fold(&Binary{expr: expr{pos, Bool}, Op: op, X: x, Y: y, Math: c.math})
	case Vector:
		if t.Elem != Bool || op == Eq || op == Ne {
			return &Binary{expr: expr{pos, Vector{Elem: Bool, N: t.N}}, Op: op, X: x, Y: y, Math: c.math}
		}
	}
	c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", ta, tb)
	return nil
}

func (c *checker) pointerComparison(pos syntax.Pos, op Op, a, b Expr, anull, bnull bool) (Expr, bool) {
	if e, done := c.functionComparison(pos, op, a, b, anull, bnull); done {
		return e, true
	}
	pa, aptr := a.Type().(*Pointer)
	pb, bptr := b.Type().(*Pointer)
	_, anil := a.Type().(nullType)
	_, bnil := b.Type().(nullType)
	switch {
	case aptr && bptr:
		if pa.Space != pb.Space {
			c.errorf(pos, codeAddressSpace, "pointers into %s and %s memory cannot be compared", pa.Space, pb.Space)
			return nil, true
		}
		if !Identical(pa.Elem, pb.Elem) && !isVoid(pa.Elem) && !isVoid(pb.Elem) {
			c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", pa, pb)
			return nil, true
		}
		t := *pa
		t.Const, t.Volatile = pa.Const || pb.Const, pa.Volatile || pb.Volatile
		if isVoid(pb.Elem) {
			t.Elem = Void
		}
		return &Binary{expr: expr{pos, Bool}, Op: op, X: c.cast(a, &t), Y: c.cast(b, &t)}, true
	case aptr && bnull && (op == Eq || op == Ne):
		return &Binary{expr: expr{pos, Bool}, Op: op, X: a, Y: c.cast(b, pa)}, true
	case bptr && anull && (op == Eq || op == Ne):
		return &Binary{expr: expr{pos, Bool}, Op: op, X: c.cast(a, pb), Y: b}, true
	case anil && bnil && (op == Eq || op == Ne):
		return constant(pos, Bool, map[Op]uint64{Eq: 1, Ne: 0}[op]), true
	case aptr || bptr:
		c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", a.Type(), b.Type())
		return nil, true
	}
	return nil, false
}

// arith is an arithmetic or bitwise operation on types of the language.
func (c *checker) arith(pos syntax.Pos, op Op, a, b operand) Expr {
	ea, eb := c.rvalue(a), c.rvalue(b)
	if ea == nil || eb == nil {
		return nil
	}
	if e, done := c.pointerArith(pos, op, ea, eb); done {
		return e
	}
	if op == Shl || op == Shr {
		return c.shift(pos, op, ea, eb)
	}
	if e, done := c.matrixArith(pos, op, ea, eb); done {
		return e
	}
	if (op == Or || op == And) && ea.Type() == Type(memFlags) && eb.Type() == Type(memFlags) {
		k := memFlags.Underlying
		return c.cast(c.fold(&Binary{expr: expr{pos, k}, Op: op, X: c.cast(ea, k), Y: c.cast(eb, k)}), memFlags)
	}
	x, y, ok := c.balance(pos, op, ea, eb)
	if !ok {
		return nil
	}
	t := x.Type()
	k := elemOf(t)
	if _, isSimd := t.(SimdMatrix); isSimd && op != Mul || !isDefined(op, k) {
		c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", ea.Type(), eb.Type())
		return nil
	}
	e := &Binary{expr: expr{pos, t}, Op: op, X: x, Y: y, Math: c.math}
	if dk, ok := y.(*Const); ok && dk.Bits == 0 && (op == Div || op == Rem) && k.IsInteger() {
		return e
	}
	return c.fold(e)
}

// isDefined reports whether components of kind k have the operation.
func isDefined(op Op, k Kind) bool {
	switch op {
	case Add, Sub, Mul, Div:
		return k >= Char
	case Rem:
		return k.IsInteger()
	case And, Or, Xor:
		return k.IsInteger() || k == Bool
	}
	return false
}

// balance brings operands of arithmetic to one type: scalars to their common
// type, a scalar beside a vector to the vector's type. Vectors are never
// converted, except from packed.
func (c *checker) balance(pos syntax.Pos, op Op, a, b Expr) (x, y Expr, ok bool) {
	a, b = c.promotedBits(a), c.promotedBits(b)
	ta, tb := plainVector(a.Type()), plainVector(b.Type())
	a, b = c.cast(a, ta), c.cast(b, tb)
	ka, kb := arithmeticKind(ta), arithmeticKind(tb)
	va, avec := ta.(Vector)
	vb, bvec := tb.(Vector)
	switch {
	case ka != Void && kb != Void:
		if k, ok := common(ka, kb); ok {
			return c.cast(a, k), c.cast(b, k), true
		}
		c.errorf(pos, codeBfloatHalf, "invalid operands to binary expression ('%s' and '%s'): bfloat and half do not mix", ta, tb)
		return nil, nil, false
	case avec && bvec && va == vb:
		return a, b, true
	case avec && bvec:
		c.errorf(pos, codeVectorConversion, "invalid operands to binary expression ('%s' and '%s'): vectors do not convert implicitly", ta, tb)
		return nil, nil, false
	case avec && scalarInto(tb, va):
		return a, c.cast(b, va), true
	case bvec && scalarInto(ta, vb):
		return c.cast(a, vb), b, true
	}
	if sa, ok := ta.(SimdMatrix); ok && Identical(sa, tb) {
		return a, b, true
	}
	c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", ta, tb)
	return nil, nil, false
}

// scalarInto reports whether a scalar of type t may stand beside a vector v: a
// floating scalar does not become an integer.
func scalarInto(t Type, v Vector) bool {
	k := arithmeticKind(t)
	if k == Void || !implicitScalar(k, v.Elem) {
		return false
	}
	return !k.IsFloat() || v.Elem.IsFloat()
}

func (c *checker) pointerArith(pos syntax.Pos, op Op, a, b Expr) (Expr, bool) {
	pa, aptr := a.Type().(*Pointer)
	pb, bptr := b.Type().(*Pointer)
	switch {
	case !aptr && !bptr:
		return nil, false
	case aptr && bptr && op == Sub && pa.Space == pb.Space && Identical(pa.Elem, pb.Elem):
		if !c.sized(pa, pos) {
			return nil, true
		}
		return &PtrDiff{expr{pos, Long}, a, b}, true
	case aptr && (op == Add || op == Sub) && isIntegral(b.Type()):
		if !c.sized(pa, pos) {
			return nil, true
		}
		return &PtrAdd{expr{pos, pa}, a, c.integer(b), op == Sub}, true
	case bptr && op == Add && isIntegral(a.Type()):
		if !c.sized(pb, pos) {
			return nil, true
		}
		return &PtrAdd{expr{pos, pb}, b, c.integer(a), false}, true
	case aptr && bptr && pa.Space != pb.Space:
		c.errorf(pos, codeAddressSpace, "invalid operands to binary expression ('%s' and '%s'), which are pointers to different address spaces", pa, pb)
		return nil, true
	}
	c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", a.Type(), b.Type())
	return nil, true
}

func (c *checker) shift(pos syntax.Pos, op Op, a, b Expr) Expr {
	ta, tb := plainVector(a.Type()), plainVector(b.Type())
	a, b = c.cast(a, ta), c.cast(b, tb)
	ka, kb := arithmeticKind(ta), arithmeticKind(tb)
	va, avec := ta.(Vector)
	vb, bvec := tb.(Vector)
	integral := func(k Kind) bool { return k.IsInteger() || k == Bool }
	switch {
	case integral(ka) && integral(kb):
		ka, kb = promoted(ka), promoted(kb)
		return c.fold(&Binary{expr: expr{pos, ka}, Op: op, X: c.cast(a, ka), Y: c.cast(b, kb)})
	case avec && bvec && va.N == vb.N && va.Elem.IsInteger() && vb.Elem.IsInteger():
		return &Binary{expr: expr{pos, va}, Op: op, X: a, Y: c.cast(b, va)}
	case avec && va.Elem.IsInteger() && integral(kb):
		return &Binary{expr: expr{pos, va}, Op: op, X: a, Y: c.cast(b, va)}
	}
	c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", ta, tb)
	return nil
}

// matrixArith is an operation with a matrix on one side.
func (c *checker) matrixArith(pos syntax.Pos, op Op, a, b Expr) (Expr, bool) {
	ma, amat := a.Type().(Matrix)
	mb, bmat := b.Type().(Matrix)
	if !amat && !bmat {
		return nil, false
	}
	matmul := func(t Type) (Expr, bool) {
		return &Binary{expr: expr{pos, t}, Op: MatMul, X: c.cast(a, plainVector(a.Type())), Y: c.cast(b, plainVector(b.Type())), Math: c.math}, true
	}
	elementwise := func(t Type, a, b Expr) (Expr, bool) {
		return &Binary{expr: expr{pos, t}, Op: op, X: a, Y: b, Math: c.math}, true
	}
	va, _ := plainVector(a.Type()).(Vector)
	vb, _ := plainVector(b.Type()).(Vector)
	switch {
	case (op == Add || op == Sub) && amat && bmat && ma == mb:
		return elementwise(ma, a, b)
	case op != Mul:
	case amat && bmat && ma.Elem == mb.Elem && ma.Cols == mb.Rows:
		return matmul(matrixOf(ma.Elem, mb.Cols, ma.Rows))
	case amat && vb.Elem == ma.Elem && vb.N == ma.Cols:
		return matmul(Vector{Elem: ma.Elem, N: ma.Rows})
	case bmat && va.Elem == mb.Elem && va.N == mb.Rows:
		return matmul(Vector{Elem: mb.Elem, N: mb.Cols})
	case amat && implicitScalar(arithmeticKind(b.Type()), ma.Elem):
		return elementwise(ma, a, c.cast(b, ma))
	case bmat && implicitScalar(arithmeticKind(a.Type()), mb.Elem):
		return elementwise(mb, c.cast(a, mb), b)
	}
	c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", a.Type(), b.Type())
	return nil, true
}

func matrixOf(k Kind, cols, rows int) Matrix { return Matrix{Elem: k, Cols: cols, Rows: rows} }
