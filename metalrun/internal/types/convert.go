package types

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Ranks of implicit conversions, better first. Overload resolution compares
// them argument by argument.
const (
	exactRank     = iota // the same type
	qualifierRank        // const or volatile added to what a pointer or reference refers to
	promotionRank        // integral promotion
	conversionRank
	// a scalar to a vector of equal components: worse than any between scalars, so that exp of a bfloat is exp(float)
	splatRank
	pointerBoolRank // pointer to bool: worse than any other standard conversion
	userRank        // a constructor or a conversion function
)

// implicitScalar reports whether a from converts to a to by itself. Metal has
// no implicit conversion to bfloat from other floating types, nor from bfloat to half.
func implicitScalar(from, to hir.Kind) bool {
	switch {
	case from == hir.Void || to == hir.Void:
		return false
	case to == hir.BFloat:
		return from != hir.Float && from != hir.Half
	case to == hir.Half:
		return from != hir.BFloat
	}
	return true
}

// promoted is the type that integers narrower than int take part in arithmetic as.
func promoted(k hir.Kind) hir.Kind {
	if k <= hir.UShort {
		return hir.Int
	}
	return k
}

// kindRank ranks the conversion between scalar kinds.
func kindRank(from, to hir.Kind) (int, bool) {
	switch {
	case from == to:
		return exactRank, from != hir.Void
	case !implicitScalar(from, to):
		return 0, false
	case from <= hir.UShort && to == hir.Int:
		return promotionRank, true
	}
	return conversionRank, true
}

// standardRank ranks the standard conversion of a value, if there is one. null
// tells that the value is the literal 0 or nullptr.
func standardRank(from, to hir.Type, null bool) (int, bool) {
	if hir.Identical(from, to) {
		return exactRank, !isVoid(from)
	}
	switch to := to.(type) {
	case hir.Kind:
		switch from := from.(type) {
		case hir.Kind:
			return kindRank(from, to)
		case *hir.Enum:
			if from.Scoped {
				return 0, false
			}
			if to == promoted(from.Underlying) {
				return promotionRank, true
			}
			return conversionRank, to != hir.Void
		case *hir.Pointer, *hir.Signature, hir.NullPointer:
			return pointerBoolRank, to == hir.Bool
		}
	case hir.Vector:
		switch from := from.(type) {
		case hir.Kind:
			_, ok := kindRank(from, to.Elem)
			return splatRank, ok
		case *hir.Enum:
			return splatRank, !from.Scoped
		case hir.Vector: // packed to plain and back
			return conversionRank, from.Elem == to.Elem && from.N == to.N
		}
	case *hir.Pointer:
		return pointerRank(from, to, null)
	case *hir.Signature:
		_, isNull := from.(hir.NullPointer)
		return conversionRank, isNull || null
	}
	return 0, false
}

func pointerRank(from hir.Type, to *hir.Pointer, null bool) (int, bool) {
	if _, ok := from.(hir.NullPointer); ok || null {
		return conversionRank, true
	}
	p, ok := from.(*hir.Pointer)
	if !ok || p.Space != to.Space || p.Const && !to.Const || p.Volatile && !to.Volatile {
		return 0, false
	}
	switch {
	case hir.Identical(p.Elem, to.Elem):
		return qualifierRank, true
	case isVoid(to.Elem):
		return conversionRank, true
	}
	return 0, false
}

// rank ranks the conversion of an argument to a parameter of type q.
func (c *checker) rank(op operand, q qual) (int, bool) {
	switch {
	case op.list != nil:
		ok := c.attempt(func() { c.initList(q, op.list) })
		return conversionRank, ok
	case op.fns != nil:
		sig, ok := q.typ.(*hir.Signature)
		return exactRank, ok && c.matching(op, sig) != nil
	case q.ref:
		return c.referenceRank(op, q)
	}
	if r, ok := standardRank(decayed(op), q.typ, op.null); ok {
		return r, true
	}
	if c.pointsToBase(decayed(op), q.typ) {
		return conversionRank, true
	}
	return userRank, c.userConvertible(op, q.typ)
}

// referenceRank ranks the binding of a reference.
func (c *checker) referenceRank(op operand, q qual) (int, bool) {
	if c.bindsDirectly(op, q) {
		if q.isConst != op.const_ && q.space != syntax.Constant || q.volatile != op.volatile {
			return qualifierRank, true
		}
		return exactRank, true
	}
	if !bindsTemporary(q) || op.lvalue && q.rvalueRef && hir.Identical(op.typ(), q.typ) {
		return 0, false
	}
	if r, ok := standardRank(decayed(op), q.typ, op.null); ok {
		if op.lvalue && hir.Identical(op.typ(), q.typ) {
			return qualifierRank, true // a copy of an object that lies elsewhere
		}
		return r, true
	}
	return userRank, c.userConvertible(op, q.typ)
}

// bindsDirectly reports whether a reference of type q can denote the object op itself.
func (c *checker) bindsDirectly(op operand, q qual) bool {
	if !op.lvalue || op.noAddr != "" || q.rvalueRef && !op.expiring && !isTemporary(op.expr) ||
		op.expiring && !q.rvalueRef && !q.isConst {
		return false
	}
	if op.space != q.space || op.const_ && !q.isConst && q.space != syntax.Constant || op.volatile && !q.volatile {
		return false
	}
	return hir.Identical(op.typ(), q.typ) || c.basePath(op.typ(), q.typ) != nil
}

func isTemporary(e hir.Expr) bool {
	_, ok := e.(*hir.Temporary)
	return ok
}

// bindsTemporary reports whether a reference of type q can denote a new object.
func bindsTemporary(q qual) bool {
	return q.space == syntax.Thread && (q.isConst || q.rvalueRef) && !q.volatile
}

// bind gives the lvalue that a reference of type q denotes when it is
// initialised with op, or reports why there is none.
func (c *checker) bind(op operand, q qual, pos syntax.Pos) hir.Expr {
	if op.bad() {
		return nil
	}
	if c.bindsDirectly(op, q) {
		c.permitBase(pos, op.typ(), q.typ)
		return c.toBase(op, q.typ).expr
	}
	if bindsTemporary(q) {
		if op.expr != nil && !op.lvalue && c.basePath(op.typ(), q.typ) != nil { // to that part of the whole object
			c.permitBase(pos, op.typ(), q.typ)
			return c.toBase(materialise(op.expr), q.typ).expr
		}
		if e := c.convertOperand(op, q.typ, pos); e != nil {
			return materialise(e).expr
		}
		return nil
	}
	switch {
	case !op.lvalue:
		c.errorf(pos, codeReferenceBinding, "a reference of type %s cannot bind to a value of type %s", q,
			op.describe())
	case !hir.Identical(op.typ(), q.typ):
		c.errorf(pos, codeReferenceBinding, "a reference of type %s cannot bind to an object of type %s", q, op.typ())
	case op.space != q.space:
		c.errorf(pos, codeAddressSpace, "a reference to %s memory cannot bind to an object in %s memory", q.space,
			op.space)
	case op.noAddr != "":
		c.errorf(pos, codeReferenceBinding, "a reference cannot bind to %s", op.noAddr)
	case op.expiring:
		c.errorf(pos, codeReferenceBinding, "a reference of type %s cannot bind to an object that a T&& denotes", q)
	default:
		c.errorf(pos, codeDropsConst, "a reference of type %s would drop the qualifiers of the object", q)
	}
	return nil
}

// convert changes a value implicitly to type to, or reports that it cannot be done.
func (c *checker) convert(e hir.Expr, to hir.Type, pos syntax.Pos) hir.Expr {
	if e == nil {
		return nil
	}
	return c.convertOperand(value(e), to, pos)
}

// convertOperand is the value of op, converted implicitly to type to.
func (c *checker) convertOperand(op operand, to hir.Type, pos syntax.Pos) hir.Expr {
	switch {
	case op.bad():
		return nil
	case op.list != nil:
		return c.initList(plain(to), op.list)
	case op.fns != nil:
		if sig, ok := to.(*hir.Signature); ok {
			return c.functionAddress(op, sig, pos)
		}
		return c.rvalue(op) // reports
	}
	from := decayed(op)
	if _, isStruct := to.(*hir.Struct); isStruct && hir.Identical(from, to) {
		return c.copyOf(op, to, pos)
	}
	if _, ok := standardRank(from, to, op.null); ok {
		return c.cast(c.rvalue(op), to)
	}
	if e, ok := c.toBasePointer(op, to, pos); ok {
		return e
	}
	if e, ok := c.userConvert(op, to, pos); ok {
		return e
	}
	if c.basePath(from, to) != nil && op.lvalue {
		c.permitBase(pos, from, to)
		return c.rvalue(c.toBase(op, to))
	}
	c.reportConversion(op, to, pos)
	return nil
}

func (c *checker) reportConversion(op operand, to hir.Type, pos syntax.Pos) {
	from := decayed(op)
	fp, fromPtr := from.(*hir.Pointer)
	tp, toPtr := to.(*hir.Pointer)
	_, fromVec := from.(hir.Vector)
	_, toVec := to.(hir.Vector)
	code, why := codeConversion, ""
	switch {
	case isAtomic(from):
		c.errorf(pos, codeAtomicAccess, "%s can be read by atomic functions only", from)
		return
	case fromPtr && toPtr && fp.Space != tp.Space:
		code, why = codeAddressSpace, ": pointers do not convert between address spaces"
	case fromPtr && toPtr && hir.Identical(fp.Elem, tp.Elem):
		code, why = codeDropsConst, ": that would drop a qualifier"
	case fromVec && toVec:
		code, why = codeVectorConversion, ": vectors do not convert implicitly"
	case fromVec || toVec && !isArithmetic(from):
		code = codeVectorConversion
	case isArithmetic(from) && isArithmetic(to):
		code, why = codeBfloatConversion, ": write the conversion explicitly"
	}
	at, text := c.conversionText(op, to, pos)
	c.errorf(at, code, "%s%s", text, why)
}

func isAtomic(t hir.Type) bool {
	_, ok := t.(hir.Atomic)
	return ok
}

// cast wraps the value e in the conversion to type to, which must exist.
// A scalar is converted to the component type first, and then becomes a vector.
func (c *checker) cast(e hir.Expr, to hir.Type) hir.Expr {
	if e == nil || hir.Identical(e.Type(), to) {
		return e
	}
	if v, ok := to.(hir.Vector); ok {
		if _, fromVec := e.Type().(hir.Vector); !fromVec {
			e = c.cast(e, v.Elem)
		}
	}
	if m, ok := to.(hir.Matrix); ok {
		if _, fromMatrix := e.Type().(hir.Matrix); !fromMatrix {
			e = c.cast(e, m.Elem)
		}
	}
	if k, ok := e.(*hir.Const); ok {
		if _, isNull := k.Type().(hir.NullPointer); isNull {
			switch to.(type) {
			case *hir.Pointer, *hir.Signature:
				return &hir.Const{Node: hir.At(e.Pos(), to), Bits: 0}
			}
			return &hir.Const{Node: hir.At(e.Pos(), hir.Bool), Bits: 0}
		}
		if p, ok := to.(*hir.Pointer); ok && k.Bits == 0 && isIntegral(k.Type()) {
			return &hir.Const{Node: hir.At(e.Pos(), p), Bits: 0}
		}
		if hir.ScalarKind(to) != hir.Void && hir.ScalarKind(k.Type()) != hir.Void {
			conversion := &hir.Convert{Node: hir.At(e.Pos(), to), X: e}
			if folded, ok := c.eval.Scalar(conversion); ok {
				folded.Decimal = decimalOf(conversion, folded.Bits)
				return folded
			}
		}
	}
	return &hir.Convert{Node: hir.At(e.Pos(), to), X: e}
}

// condition is op as a scalar bool: the condition of a statement or of ?:.
func (c *checker) condition(op operand, pos syntax.Pos) hir.Expr {
	if op.bad() {
		return nil
	}
	if s, ok := op.typ().(*hir.Struct); ok {
		if e, ok := c.userConvertAs(op, hir.Bool, pos, true); ok {
			return e
		}
		c.errorf(pos, codeCondition, "value of type %s is not contextually convertible to 'bool'", spelled(s))
		return nil
	}
	e := c.rvalue(op)
	if e == nil {
		return nil
	}
	if t := e.Type(); !isBoolLike(t) {
		c.errorf(pos, codeCondition, "value of type %s is not contextually convertible to 'bool'", spelled(t))
		return nil
	}
	return c.cast(e, hir.Bool)
}

// isBoolLike reports whether t converts to bool: arithmetic, pointer, unscoped enumeration.
func isBoolLike(t hir.Type) bool {
	switch t := t.(type) {
	case hir.Kind:
		return t != hir.Void
	case *hir.Pointer, *hir.Signature, hir.NullPointer:
		return true
	case *hir.Enum:
		return !t.Scoped
	}
	return false
}

// common is the type in which two arithmetic kinds meet. ok is false for
// bfloat with half.
func common(a, b hir.Kind) (hir.Kind, bool) {
	if a.IsFloat() || b.IsFloat() {
		switch {
		case a == b:
			return a, true
		case a == hir.Float || b == hir.Float:
			return hir.Float, true
		case !a.IsFloat():
			return b, true
		case !b.IsFloat():
			return a, true
		}
		return hir.Void, false
	}
	a, b = promoted(a), promoted(b)
	if a.Size() < b.Size() {
		a, b = b, a
	}
	if a.Size() == b.Size() && !b.IsSigned() {
		return b, true
	}
	return a, true
}

// explicit converts op to type to as a cast in C or function style does.
func (c *checker) explicit(op operand, to hir.Type, pos syntax.Pos) hir.Expr {
	if op.list != nil {
		return c.initList(plain(to), op.list)
	}
	if e, done := c.explicitStruct(op, to, pos); done {
		return e
	}
	e := c.rvalue(op)
	if e == nil {
		return nil
	}
	from := e.Type()
	if isVoid(to) {
		return &hir.Convert{Node: hir.At(pos, hir.Void), X: e}
	}
	if castable(from, to) {
		return c.cast(e, to)
	}
	if fp, ok := from.(*hir.Pointer); ok {
		if tp, ok := to.(*hir.Pointer); ok && fp.Space != tp.Space {
			c.errorf(pos, codeAddressSpace, "C-style cast from %s to %s converts between mismatching address spaces",
				spelled(from), spelled(to))
			return nil
		}
	}
	if m, ok := to.(hir.Matrix); ok && isArithmetic(from) {
		return &hir.Construct{Node: hir.At(pos, to), Args: []hir.Expr{c.cast(e, m.Elem)}, Field: 0}
	}
	if m, ok := to.(hir.SimdMatrix); ok && isArithmetic(from) {
		return &hir.Construct{Node: hir.At(pos, to), Args: []hir.Expr{c.cast(e, m.Elem)}, Field: 0}
	}
	c.errorf(pos, codeCast, "got %s, which cannot be cast to %s", from, to)
	return nil
}

// castable reports whether a C-style cast converts values of one type to the other.
func castable(from, to hir.Type) bool {
	if hir.Identical(from, to) {
		return true
	}
	switch to := to.(type) {
	case hir.Kind:
		switch from := from.(type) {
		case hir.Kind:
			return from != hir.Void
		case *hir.Enum:
			return true
		case *hir.Pointer:
			return to == hir.Bool || to == hir.Long || to == hir.ULong
		case *hir.Signature:
			return to == hir.Bool
		case hir.NullPointer:
			return to == hir.Bool || to == hir.Long || to == hir.ULong
		case hir.SimdVote:
			return to == hir.ULong
		}
	case *hir.Enum:
		switch from := from.(type) {
		case hir.Kind:
			return from != hir.Void
		case *hir.Enum:
			return true
		}
	case hir.Vector:
		switch from := from.(type) {
		case hir.Kind:
			return from != hir.Void
		case *hir.Enum:
			return !from.Scoped
		case hir.Vector:
			return from.N == to.N
		}
	case hir.Matrix:
		m, ok := from.(hir.Matrix)
		return ok && m.Cols == to.Cols && m.Rows == to.Rows
	case *hir.Pointer:
		switch from := from.(type) {
		case *hir.Pointer:
			return from.Space == to.Space
		case hir.NullPointer:
			return true
		case hir.Kind:
			return from.IsInteger()
		}
	case hir.SimdVote:
		k, ok := from.(hir.Kind)
		return ok && k.IsInteger()
	}
	return false
}
