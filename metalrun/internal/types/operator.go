package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

var binaryOps = map[string]hir.Op{
	"+": hir.Add, "-": hir.Sub, "*": hir.Mul, "/": hir.Div, "%": hir.Rem, "&": hir.And, "|": hir.Or, "^": hir.Xor,
	"<<": hir.Shl, ">>": hir.Shr,
	"==": hir.Eq, "!=": hir.Ne, "<": hir.Lt, "<=": hir.Le, ">": hir.Gt, ">=": hir.Ge, "&&": hir.LAnd, "||": hir.LOr,
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
		if _, ok := op.typ().(*hir.Signature); ok || op.fns != nil {
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
func (c *checker) unary(pos syntax.Pos, op string, e hir.Expr) hir.Expr {
	t := plainVector(e.Type())
	e = c.cast(e, t)
	k := hir.ElemOf(t)
	_, isMatrix := t.(hir.Matrix)
	_, isVector := t.(hir.Vector)
	scalar := arithmeticKind(t) != hir.Void
	switch {
	case op == "!":
		if isVector && k == hir.Bool {
			return &hir.Unary{Node: hir.At(pos, t), Op: hir.LNot, X: e, Math: c.math}
		}
		if !isVector && isBoolLike(t) {
			return &hir.Unary{Node: hir.At(pos, hir.Bool), Op: hir.LNot, X: c.cast(e, hir.Bool), Math: c.math}
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
		return c.fold(&hir.Unary{Node: hir.At(pos, p), Op: map[string]hir.Op{"-": hir.Neg, "~": hir.Not}[op], X: e,
			Math: c.math})
	case op == "+" && ((isVector && k != hir.Bool) || isMatrix):
		return e
	case op == "+":
		if _, ok := t.(*hir.Pointer); ok {
			return e
		}
	case op == "-" && ((isVector && k != hir.Bool) || isMatrix):
		return &hir.Unary{Node: hir.At(pos, t), Op: hir.Neg, X: e, Math: c.math}
	case op == "~" && isVector && k.IsInteger():
		return &hir.Unary{Node: hir.At(pos, t), Op: hir.Not, X: e, Math: c.math}
	}
	c.errorf(pos, codeOperands, "invalid argument type '%s' to unary expression", t)
	return nil
}

// fold makes a constant of an operation on constants, or marks it as no constant. Then the operations around it need
// not ask again.
func (c *checker) fold(e hir.Expr) hir.Expr {
	if k, ok := c.eval.Scalar(e); ok {
		k.Decimal = decimalOf(e, k.Bits)
		return k
	}
	if hir.ScalarKind(e.Type()) == hir.Void {
		return e
	}
	switch e := e.(type) {
	case *hir.Unary:
		e.NotConstant = true
	case *hir.Binary:
		e.NotConstant = true
	}
	return e
}

func (c *checker) binaryExpr(x *syntax.BinaryExpr) operand {
	if x.Op == "," {
		return c.comma(x)
	}
	if _, bad := x.Y.(*syntax.BadExpr); bad {
		if _, named := x.X.(*syntax.NameExpr); named {
			c.suppress()
			return operand{} // what the name is cannot be judged
		}
	}
	a := c.expr(x.X)
	var b operand
	c.ruledOut(c.shortCircuits(x.Op, a), func() { b = c.expr(x.Y) })
	if x.Op == "==" || x.Op == "!=" { // with the address of a function
		if _, ok := b.typ().(*hir.Signature); ok && a.fns != nil {
			a = c.functionOperand(a, a.pos)
		} else if _, ok := a.typ().(*hir.Signature); ok && b.fns != nil {
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
	var e hir.Expr
	switch {
	case op == hir.LAnd || op == hir.LOr:
		e = c.logical(x.Pos(), op, a, b)
		if l, ok := e.(*hir.Binary); ok {
			l.Mark = c.mark(x.Y)
		}
	case op >= hir.Eq && op <= hir.Ge:
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
	if a.typ() == hir.Type(hir.NullPointer{}) {
		return b
	}
	if c.overloadsComma(a, b) && c.attempt(func() { c.overloadedBinary(x.Pos(), x.Op, a, b, false) }) {
		r, _ := c.overloadedBinary(x.Pos(), x.Op, a, b, false)
		return r
	}
	if !b.lvalue {
		return value(&hir.Comma{Node: hir.At(x.Pos(), b.typ()), X: a.expr, Y: b.expr})
	}
	b.expr = &hir.Comma{Node: hir.At(x.Pos(), b.typ()), X: a.expr, Y: b.expr}
	return b
}

// overloadsComma reports whether there are functions for a comma between a and b. Where
// none fits, it means what it means between any operands.
func (c *checker) overloadsComma(a, b operand) bool {
	if s, ok := a.typ().(*hir.Struct); ok && c.methods(s, "operator,") != nil {
		return true
	}
	return (c.hasStruct(a) || c.hasStruct(b)) && c.freeOperators("operator,", []operand{a, b}) != nil
}

// logical is && or ||: on scalars with short circuit, on vectors of bool component by component.
func (c *checker) logical(pos syntax.Pos, op hir.Op, a, b operand) hir.Expr {
	va, avec := a.typ().(hir.Vector)
	vb, bvec := b.typ().(hir.Vector)
	if avec || bvec {
		ea, eb := c.rvalue(a), c.rvalue(b)
		if ea == nil || eb == nil {
			return nil
		}
		switch {
		case avec && bvec && va == vb && va.Elem == hir.Bool:
			return &hir.Binary{Node: hir.At(pos, va), Op: op, X: ea, Y: eb}
		case avec && va.Elem == hir.Bool && arithmeticKind(eb.Type()) != hir.Void:
			return &hir.Binary{Node: hir.At(pos, va), Op: op, X: ea, Y: c.cast(eb, va)}
		case bvec && vb.Elem == hir.Bool && arithmeticKind(ea.Type()) != hir.Void:
			return &hir.Binary{Node: hir.At(pos, vb), Op: op, X: c.cast(ea, vb), Y: eb}
		}
		c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", ea.Type(), eb.Type())
		return nil
	}
	ea, eb := c.condition(a, a.at()), c.condition(b, b.at())
	if ea == nil || eb == nil {
		return nil
	}
	if k := c.decided(ea); k.known && k.truth == (op == hir.LOr) && c.prune(k) {
		return constant(pos, hir.Bool, map[bool]uint64{true: 1}[k.truth]) // the right side is never evaluated
	}
	return c.fold(&hir.Binary{Node: hir.At(pos, hir.Bool), Op: op, X: ea, Y: eb})
}

// shortCircuits reports whether the value of a decides a && b or a || b.
func (c *checker) shortCircuits(op string, a operand) bool {
	if op != "&&" && op != "||" || a.expr == nil || !isBoolLike(a.typ()) {
		return false
	}
	var cond hir.Expr
	c.attempt(func() { cond = c.condition(a, a.at()) })
	k := c.decided(cond)
	return k.known && k.truth == (op == "||")
}

func (c *checker) comparison(pos syntax.Pos, op hir.Op, a, b operand) hir.Expr {
	ea, eb := c.rvalue(a), c.rvalue(b)
	if ea == nil || eb == nil {
		return nil
	}
	ta, tb := plainVector(ea.Type()), plainVector(eb.Type())
	if e, done := c.pointerComparison(pos, op, ea, eb, a.null, b.null); done {
		return e
	}
	if sa, ok := ta.(*hir.Enum); ok && sa.Scoped && hir.Identical(ta, tb) {
		return c.fold(&hir.Binary{Node: hir.At(pos, hir.Bool), Op: op, X: c.cast(ea, sa.Underlying),
			Y: c.cast(eb, sa.Underlying)})
	}
	x, y, ok := c.balance(pos, op, ea, eb)
	if !ok {
		return nil
	}
	switch t := x.Type().(type) {
	case hir.Kind:
		return c.fold(&hir.Binary{Node: hir.At(pos, hir.Bool), Op: op, X: x, Y: y, Math: c.math})
	case hir.Vector:
		if t.Elem != hir.Bool || op == hir.Eq || op == hir.Ne {
			return &hir.Binary{Node: hir.At(pos, hir.Vector{Elem: hir.Bool, N: t.N}), Op: op, X: x, Y: y, Math: c.math}
		}
	}
	c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", ta, tb)
	return nil
}

func (c *checker) pointerComparison(pos syntax.Pos, op hir.Op, a, b hir.Expr, anull, bnull bool) (hir.Expr, bool) {
	if e, done := c.functionComparison(pos, op, a, b, anull, bnull); done {
		return e, true
	}
	pa, aptr := a.Type().(*hir.Pointer)
	pb, bptr := b.Type().(*hir.Pointer)
	_, anil := a.Type().(hir.NullPointer)
	_, bnil := b.Type().(hir.NullPointer)
	switch {
	case aptr && bptr:
		if pa.Space != pb.Space {
			c.errorf(pos, codeAddressSpace, "pointers into %s and %s memory cannot be compared", pa.Space, pb.Space)
			return nil, true
		}
		if !hir.Identical(pa.Elem, pb.Elem) && !isVoid(pa.Elem) && !isVoid(pb.Elem) {
			c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", pa, pb)
			return nil, true
		}
		t := *pa
		t.Const, t.Volatile = pa.Const || pb.Const, pa.Volatile || pb.Volatile
		if isVoid(pb.Elem) {
			t.Elem = hir.Void
		}
		return &hir.Binary{Node: hir.At(pos, hir.Bool), Op: op, X: c.cast(a, &t), Y: c.cast(b, &t)}, true
	case aptr && bnull && (op == hir.Eq || op == hir.Ne):
		return &hir.Binary{Node: hir.At(pos, hir.Bool), Op: op, X: a, Y: c.cast(b, pa)}, true
	case bptr && anull && (op == hir.Eq || op == hir.Ne):
		return &hir.Binary{Node: hir.At(pos, hir.Bool), Op: op, X: c.cast(a, pb), Y: b}, true
	case anil && bnil && (op == hir.Eq || op == hir.Ne):
		return constant(pos, hir.Bool, map[hir.Op]uint64{hir.Eq: 1, hir.Ne: 0}[op]), true
	case aptr || bptr:
		c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", a.Type(), b.Type())
		return nil, true
	}
	return nil, false
}

// arith is an arithmetic or bitwise operation on types of the language.
func (c *checker) arith(pos syntax.Pos, op hir.Op, a, b operand) hir.Expr {
	ea, eb := c.rvalue(a), c.rvalue(b)
	if ea == nil || eb == nil {
		return nil
	}
	if e, done := c.pointerArith(pos, op, ea, eb); done {
		return e
	}
	if op == hir.Shl || op == hir.Shr {
		return c.shift(pos, op, ea, eb)
	}
	if e, done := c.matrixArith(pos, op, ea, eb); done {
		return e
	}
	if (op == hir.Or || op == hir.And) && ea.Type() == hir.Type(memFlags) && eb.Type() == hir.Type(memFlags) {
		k := memFlags.Underlying
		return c.cast(c.fold(&hir.Binary{Node: hir.At(pos, k), Op: op, X: c.cast(ea, k), Y: c.cast(eb, k)}), memFlags)
	}
	x, y, ok := c.balance(pos, op, ea, eb)
	if !ok {
		return nil
	}
	t := x.Type()
	k := hir.ElemOf(t)
	if _, isSimd := t.(hir.SimdMatrix); isSimd && op != hir.Mul || !isDefined(op, k) {
		c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", ea.Type(), eb.Type())
		return nil
	}
	e := &hir.Binary{Node: hir.At(pos, t), Op: op, X: x, Y: y, Math: c.math}
	if dk, ok := y.(*hir.Const); ok && dk.Bits == 0 && (op == hir.Div || op == hir.Rem) && k.IsInteger() {
		return e
	}
	return c.fold(e)
}

// isDefined reports whether components of kind k have the operation.
func isDefined(op hir.Op, k hir.Kind) bool {
	switch op {
	case hir.Add, hir.Sub, hir.Mul, hir.Div:
		return k >= hir.Char
	case hir.Rem:
		return k.IsInteger()
	case hir.And, hir.Or, hir.Xor:
		return k.IsInteger() || k == hir.Bool
	}
	return false
}

// balance brings operands of arithmetic to one type: scalars to their common
// type, a scalar next to a vector to the vector's type. Vectors are never
// converted, except from packed.
func (c *checker) balance(pos syntax.Pos, op hir.Op, a, b hir.Expr) (x, y hir.Expr, ok bool) {
	a, b = c.promotedBits(a), c.promotedBits(b)
	ta, tb := plainVector(a.Type()), plainVector(b.Type())
	a, b = c.cast(a, ta), c.cast(b, tb)
	ka, kb := arithmeticKind(ta), arithmeticKind(tb)
	va, avec := ta.(hir.Vector)
	vb, bvec := tb.(hir.Vector)
	switch {
	case ka != hir.Void && kb != hir.Void:
		if k, ok := common(ka, kb); ok {
			return c.cast(a, k), c.cast(b, k), true
		}
		c.errorf(pos, codeBfloatHalf,
			"invalid operands to binary expression ('%s' and '%s'): bfloat and half do not mix", ta, tb)
		return nil, nil, false
	case avec && bvec && va == vb:
		return a, b, true
	case avec && bvec:
		c.errorf(pos, codeVectorConversion,
			"invalid operands to binary expression ('%s' and '%s'): vectors do not convert implicitly", ta, tb)
		return nil, nil, false
	case avec && scalarInto(tb, va):
		return a, c.cast(b, va), true
	case bvec && scalarInto(ta, vb):
		return c.cast(a, vb), b, true
	}
	if sa, ok := ta.(hir.SimdMatrix); ok && hir.Identical(sa, tb) {
		return a, b, true
	}
	c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", ta, tb)
	return nil, nil, false
}

// scalarInto reports whether a scalar of type t may be combined with a vector v: a floating scalar does not become an
// integer.
func scalarInto(t hir.Type, v hir.Vector) bool {
	k := arithmeticKind(t)
	if k == hir.Void || !implicitScalar(k, v.Elem) {
		return false
	}
	return !k.IsFloat() || v.Elem.IsFloat()
}

func (c *checker) pointerArith(pos syntax.Pos, op hir.Op, a, b hir.Expr) (hir.Expr, bool) {
	pa, aptr := a.Type().(*hir.Pointer)
	pb, bptr := b.Type().(*hir.Pointer)
	switch {
	case !aptr && !bptr:
		return nil, false
	case aptr && bptr && op == hir.Sub && pa.Space == pb.Space && hir.Identical(pa.Elem, pb.Elem):
		if !c.sized(pa, pos) {
			return nil, true
		}
		return &hir.PtrDiff{Node: hir.At(pos, hir.Long), X: a, Y: b}, true
	case aptr && (op == hir.Add || op == hir.Sub) && isIntegral(b.Type()):
		if !c.sized(pa, pos) {
			return nil, true
		}
		return &hir.PtrAdd{Node: hir.At(pos, pa), P: a, I: c.integer(b), Neg: op == hir.Sub}, true
	case bptr && op == hir.Add && isIntegral(a.Type()):
		if !c.sized(pb, pos) {
			return nil, true
		}
		return &hir.PtrAdd{Node: hir.At(pos, pb), P: b, I: c.integer(a), Neg: false}, true
	case aptr && bptr && pa.Space != pb.Space:
		c.errorf(pos, codeAddressSpace,
			"invalid operands to binary expression ('%s' and '%s'), which are pointers to different address spaces",
			pa, pb)
		return nil, true
	}
	c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", a.Type(), b.Type())
	return nil, true
}

func (c *checker) shift(pos syntax.Pos, op hir.Op, a, b hir.Expr) hir.Expr {
	ta, tb := plainVector(a.Type()), plainVector(b.Type())
	a, b = c.cast(a, ta), c.cast(b, tb)
	ka, kb := arithmeticKind(ta), arithmeticKind(tb)
	va, avec := ta.(hir.Vector)
	vb, bvec := tb.(hir.Vector)
	integral := func(k hir.Kind) bool { return k.IsInteger() || k == hir.Bool }
	switch {
	case integral(ka) && integral(kb):
		ka, kb = promoted(ka), promoted(kb)
		return c.fold(&hir.Binary{Node: hir.At(pos, ka), Op: op, X: c.cast(a, ka), Y: c.cast(b, kb)})
	case avec && bvec && va.N == vb.N && va.Elem.IsInteger() && vb.Elem.IsInteger():
		return &hir.Binary{Node: hir.At(pos, va), Op: op, X: a, Y: c.cast(b, va)}
	case avec && va.Elem.IsInteger() && integral(kb):
		return &hir.Binary{Node: hir.At(pos, va), Op: op, X: a, Y: c.cast(b, va)}
	}
	c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", ta, tb)
	return nil
}

// matrixArith is an operation with a matrix on one side.
func (c *checker) matrixArith(pos syntax.Pos, op hir.Op, a, b hir.Expr) (hir.Expr, bool) {
	ma, amat := a.Type().(hir.Matrix)
	mb, bmat := b.Type().(hir.Matrix)
	if !amat && !bmat {
		return nil, false
	}
	matmul := func(t hir.Type) (hir.Expr, bool) {
		return &hir.Binary{Node: hir.At(pos, t), Op: hir.MatMul, X: c.cast(a, plainVector(a.Type())),
			Y: c.cast(b, plainVector(b.Type())), Math: c.math}, true
	}
	elementwise := func(t hir.Type, a, b hir.Expr) (hir.Expr, bool) {
		return &hir.Binary{Node: hir.At(pos, t), Op: op, X: a, Y: b, Math: c.math}, true
	}
	va, _ := plainVector(a.Type()).(hir.Vector)
	vb, _ := plainVector(b.Type()).(hir.Vector)
	switch {
	case (op == hir.Add || op == hir.Sub) && amat && bmat && ma == mb:
		return elementwise(ma, a, b)
	case op != hir.Mul:
	case amat && bmat && ma.Elem == mb.Elem && ma.Cols == mb.Rows:
		return matmul(matrixOf(ma.Elem, mb.Cols, ma.Rows))
	case amat && vb.Elem == ma.Elem && vb.N == ma.Cols:
		return matmul(hir.Vector{Elem: ma.Elem, N: ma.Rows})
	case bmat && va.Elem == mb.Elem && va.N == mb.Rows:
		return matmul(hir.Vector{Elem: mb.Elem, N: mb.Cols})
	case amat && implicitScalar(arithmeticKind(b.Type()), ma.Elem):
		return elementwise(ma, a, c.cast(b, ma))
	case bmat && implicitScalar(arithmeticKind(a.Type()), mb.Elem):
		return elementwise(mb, c.cast(a, mb), b)
	}
	c.errorf(pos, codeOperands, "invalid operands to binary expression ('%s' and '%s')", a.Type(), b.Type())
	return nil, true
}

func matrixOf(k hir.Kind, cols, rows int) hir.Matrix {
	return hir.Matrix{Elem: k, Cols: cols, Rows: rows}
}
