package types

import "metalconform/metalrun/internal/syntax"

// Ranks of implicit conversions, better first. Overload resolution compares
// them argument by argument.
const (
	exactRank     = iota // the same type
	qualifierRank        // const or volatile added to what a pointer or reference refers to
	promotionRank        // integral promotion
	conversionRank
	splatRank       // a scalar to a vector of equal components: worse than any between scalars, so that exp of a bfloat is exp(float)
	pointerBoolRank // pointer to bool: worse than any other standard conversion
	userRank        // a constructor or a conversion function
)

// implicitScalar reports whether a from converts to a to by itself. Metal has
// no implicit conversion to bfloat from other floating types, nor from bfloat to half.
func implicitScalar(from, to Kind) bool {
	switch {
	case from == Void || to == Void:
		return false
	case to == BFloat:
		return from != Float && from != Half
	case to == Half:
		return from != BFloat
	}
	return true
}

// promoted is the type that integers narrower than int take part in arithmetic as.
func promoted(k Kind) Kind {
	if k <= UShort {
		return Int
	}
	return k
}

// kindRank ranks the conversion between scalar kinds.
func kindRank(from, to Kind) (int, bool) {
	switch {
	case from == to:
		return exactRank, from != Void
	case !implicitScalar(from, to):
		return 0, false
	case from <= UShort && to == Int:
		return promotionRank, true
	}
	return conversionRank, true
}

// standardRank ranks the standard conversion of a value, if there is one. null
// tells that the value is the literal 0 or nullptr.
func standardRank(from, to Type, null bool) (int, bool) {
	if Identical(from, to) {
		return exactRank, !isVoid(from)
	}
	switch to := to.(type) {
	case Kind:
		switch from := from.(type) {
		case Kind:
			return kindRank(from, to)
		case *Enum:
			if from.Scoped {
				return 0, false
			}
			if to == promoted(from.Underlying) {
				return promotionRank, true
			}
			return conversionRank, to != Void
		case *Pointer, *Signature, nullType:
			return pointerBoolRank, to == Bool
		}
	case Vector:
		switch from := from.(type) {
		case Kind:
			_, ok := kindRank(from, to.Elem)
			return splatRank, ok
		case *Enum:
			return splatRank, !from.Scoped
		case Vector: // packed to plain and back
			return conversionRank, from.Elem == to.Elem && from.N == to.N
		}
	case *Pointer:
		return pointerRank(from, to, null)
	case *Signature:
		_, isNull := from.(nullType)
		return conversionRank, isNull || null
	}
	return 0, false
}

func pointerRank(from Type, to *Pointer, null bool) (int, bool) {
	if _, ok := from.(nullType); ok || null {
		return conversionRank, true
	}
	p, ok := from.(*Pointer)
	if !ok || p.Space != to.Space || p.Const && !to.Const || p.Volatile && !to.Volatile {
		return 0, false
	}
	switch {
	case Identical(p.Elem, to.Elem):
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
		sig, ok := q.typ.(*Signature)
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
	if !bindsTemporary(q) || op.lvalue && q.rvalueRef && Identical(op.typ(), q.typ) {
		return 0, false
	}
	if r, ok := standardRank(decayed(op), q.typ, op.null); ok {
		if op.lvalue && Identical(op.typ(), q.typ) {
			return qualifierRank, true // a copy of an object that lies elsewhere
		}
		return r, true
	}
	return userRank, c.userConvertible(op, q.typ)
}

// bindsDirectly reports whether a reference of type q can denote the object op itself.
func (c *checker) bindsDirectly(op operand, q qual) bool {
	if !op.lvalue || op.noAddr != "" || q.rvalueRef && !op.expiring && !isTemporary(op.expr) || op.expiring && !q.rvalueRef && !q.isConst {
		return false
	}
	if op.space != q.space || op.const_ && !q.isConst && q.space != syntax.Constant || op.volatile && !q.volatile {
		return false
	}
	return Identical(op.typ(), q.typ) || c.basePath(op.typ(), q.typ) != nil
}

func isTemporary(e Expr) bool {
	_, ok := e.(*Temporary)
	return ok
}

// bindsTemporary reports whether a reference of type q can denote a new object.
func bindsTemporary(q qual) bool {
	return q.space == syntax.Thread && (q.isConst || q.rvalueRef) && !q.volatile
}

// bind gives the lvalue that a reference of type q denotes when it is
// initialised with op, or reports why there is none.
func (c *checker) bind(op operand, q qual, pos syntax.Pos) Expr {
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
		c.errorf(pos, codeReferenceBinding, "a reference of type %s cannot bind to a value of type %s", q, op.describe())
	case !Identical(op.typ(), q.typ):
		c.errorf(pos, codeReferenceBinding, "a reference of type %s cannot bind to an object of type %s", q, op.typ())
	case op.space != q.space:
		c.errorf(pos, codeAddressSpace, "a reference to %s memory cannot bind to an object in %s memory", q.space, op.space)
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
func (c *checker) convert(e Expr, to Type, pos syntax.Pos) Expr {
	if e == nil {
		return nil
	}
	return c.convertOperand(value(e), to, pos)
}

// convertOperand is the value of op, converted implicitly to type to.
func (c *checker) convertOperand(op operand, to Type, pos syntax.Pos) Expr {
	switch {
	case op.bad():
		return nil
	case op.list != nil:
		return c.initList(plain(to), op.list)
	case op.fns != nil:
		if sig, ok := to.(*Signature); ok {
			return c.functionAddress(op, sig, pos)
		}
		return c.rvalue(op) // reports
	}
	from := decayed(op)
	if _, isStruct := to.(*Struct); isStruct && Identical(from, to) {
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

func (c *checker) reportConversion(op operand, to Type, pos syntax.Pos) {
	from := decayed(op)
	fp, fromPtr := from.(*Pointer)
	tp, toPtr := to.(*Pointer)
	_, fromVec := from.(Vector)
	_, toVec := to.(Vector)
	code, why := codeConversion, ""
	switch {
	case isAtomic(from):
		c.errorf(pos, codeAtomicAccess, "%s can be read by atomic functions only", from)
		return
	case fromPtr && toPtr && fp.Space != tp.Space:
		code, why = codeAddressSpace, ": pointers do not convert between address spaces"
	case fromPtr && toPtr && Identical(fp.Elem, tp.Elem):
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

func isAtomic(t Type) bool {
	_, ok := t.(Atomic)
	return ok
}

// cast wraps the value e in the conversion to type to, which must exist.
// Scalars become vectors by way of the component type.
func (c *checker) cast(e Expr, to Type) Expr {
	if e == nil || Identical(e.Type(), to) {
		return e
	}
	if v, ok := to.(Vector); ok {
		if _, fromVec := e.Type().(Vector); !fromVec {
			e = c.cast(e, v.Elem)
		}
	}
	if m, ok := to.(Matrix); ok {
		if _, fromMatrix := e.Type().(Matrix); !fromMatrix {
			e = c.cast(e, m.Elem)
		}
	}
	if k, ok := e.(*Const); ok {
		if _, isNull := k.typ.(nullType); isNull {
			switch to.(type) {
			case *Pointer, *Signature:
				return &Const{expr{e.Pos(), to}, 0}
			}
			return &Const{expr{e.Pos(), Bool}, 0}
		}
		if p, ok := to.(*Pointer); ok && k.Bits == 0 && isIntegral(k.typ) {
			return &Const{expr{e.Pos(), p}, 0}
		}
		if scalarKind(to) != Void && scalarKind(k.typ) != Void {
			if folded, ok := c.constEval(&Convert{expr{e.Pos(), to}, e}); ok {
				return folded
			}
		}
	}
	return &Convert{expr{e.Pos(), to}, e}
}

// condition is op as a scalar bool: the condition of a statement or of ?:.
func (c *checker) condition(op operand, pos syntax.Pos) Expr {
	if op.bad() {
		return nil
	}
	if s, ok := op.typ().(*Struct); ok {
		if e, ok := c.userConvertAs(op, Bool, pos, true); ok {
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
	return c.cast(e, Bool)
}

// isBoolLike reports whether t converts to bool: arithmetic, pointer, unscoped enumeration.
func isBoolLike(t Type) bool {
	switch t := t.(type) {
	case Kind:
		return t != Void
	case *Pointer, *Signature, nullType:
		return true
	case *Enum:
		return !t.Scoped
	}
	return false
}

// common is the type in which two arithmetic kinds meet. ok is false for
// bfloat with half.
func common(a, b Kind) (Kind, bool) {
	if a.IsFloat() || b.IsFloat() {
		switch {
		case a == b:
			return a, true
		case a == Float || b == Float:
			return Float, true
		case !a.IsFloat():
			return b, true
		case !b.IsFloat():
			return a, true
		}
		return Void, false
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
func (c *checker) explicit(op operand, to Type, pos syntax.Pos) Expr {
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
		return &Convert{expr{pos, Void}, e}
	}
	if castable(from, to) {
		return c.cast(e, to)
	}
	if fp, ok := from.(*Pointer); ok {
		if tp, ok := to.(*Pointer); ok && fp.Space != tp.Space {
			c.errorf(pos, codeAddressSpace, "C-style cast from %s to %s converts between mismatching address spaces", spelled(from), spelled(to))
			return nil
		}
	}
	if m, ok := to.(Matrix); ok && isArithmetic(from) {
		return &Construct{expr{pos, to}, []Expr{c.cast(e, m.Elem)}, 0}
	}
	if m, ok := to.(SimdMatrix); ok && isArithmetic(from) {
		return &Construct{expr{pos, to}, []Expr{c.cast(e, m.Elem)}, 0}
	}
	c.errorf(pos, codeCast, "got %s, which cannot be cast to %s", from, to)
	return nil
}

// castable reports whether a C-style cast converts values of one type to the other.
func castable(from, to Type) bool {
	if Identical(from, to) {
		return true
	}
	switch to := to.(type) {
	case Kind:
		switch from := from.(type) {
		case Kind:
			return from != Void
		case *Enum:
			return true
		case *Pointer:
			return to == Bool || to == Long || to == ULong
		case *Signature:
			return to == Bool
		case nullType:
			return to == Bool || to == Long || to == ULong
		case SimdVote:
			return to == ULong
		}
	case *Enum:
		switch from := from.(type) {
		case Kind:
			return from != Void
		case *Enum:
			return true
		}
	case Vector:
		switch from := from.(type) {
		case Kind:
			return from != Void
		case *Enum:
			return !from.Scoped
		case Vector:
			return from.N == to.N
		}
	case Matrix:
		m, ok := from.(Matrix)
		return ok && m.Cols == to.Cols && m.Rows == to.Rows
	case *Pointer:
		switch from := from.(type) {
		case *Pointer:
			return from.Space == to.Space
		case nullType:
			return true
		case Kind:
			return from.IsInteger()
		}
	case SimdVote:
		k, ok := from.(Kind)
		return ok && k.IsInteger()
	}
	return false
}
