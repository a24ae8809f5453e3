package types

import "metalconform/metalrun/internal/syntax"

// value is the value of e.
func (v *evaluator) value(e Expr) []byte {
	v.step(e.Pos(), e.Type().Size())
	if l := &v.c.cfg.Budget.Limits; v.nested >= l.Of(syntax.Depth) {
		v.fail(e.Pos(), l.Exceeded(syntax.Depth, "its expressions nest deeper than %d, with those of calls"))
	}
	v.nested++
	data := v.valueOf(e)
	v.nested--
	return data
}

// valueOf evaluates an expression that has been counted.
func (v *evaluator) valueOf(e Expr) []byte {
	switch e := e.(type) {
	case *Const:
		return bytesOf(e.Bits, e.Type())
	case *Load:
		return v.loadLvalue(e.X)
	case *Unary:
		return v.unary(e)
	case *Binary:
		return v.binary(e)
	case *Convert:
		return v.convert(e.Pos(), v.value(e.X), e.X.Type(), e.Type())
	case *Construct:
		return v.construct(e)
	case *AsType:
		return v.value(e.X)
	case *Cond:
		return v.value(v.choose(e))
	case *Comma:
		v.effect(e.X)
		return v.value(e.Y)
	case *Call:
		return v.call(e)
	case *BuiltinCall:
		return v.builtin(e)
	case *AddrOf:
		return bytesOf(v.lvalue(e.X).pointer(), e.Type())
	case *Decay:
		return bytesOf(v.lvalue(e.X).pointer(), e.Type())
	case *PtrAdd:
		return v.ptrAdd(e)
	case *PtrDiff:
		return v.ptrDiff(e)
	case *IncDec:
		if e.Postfix {
			old := v.load(e.Pos(), v.lvalue(e.L), e.L.Type().Size())
			v.incDec(e)
			return old
		}
	case *Index:
		return v.part(e.X, e.Type(), v.componentOffset(e))
	case *FieldExpr:
		v.wholeBytes(e)
		return v.part(e.X, e.Type(), e.X.Type().(*Struct).Fields[e.Field].Offset)
	case *Swizzle:
		return pick(v.value(e.X), e)
	}
	if isLvalue(e) {
		return v.loadLvalue(e)
	}
	v.fail(e.Pos(), "it is not a constant expression")
	return nil
}

// part is the part of X's value at an offset. Arrays and structs that are
// constants are read where they lie instead of being copied whole.
func (v *evaluator) part(x Expr, t Type, off int) []byte {
	if isLvalue(x) {
		p := v.lvalue(x)
		return v.load(x.Pos(), location{p.obj, p.off + off}, t.Size())
	}
	return v.value(x)[off : off+t.Size()]
}

// isLvalue reports whether e denotes an object.
func isLvalue(e Expr) bool {
	switch e := e.(type) {
	case *VarExpr, *Deref, *Assign, *OpAssign, *Temporary:
		return true
	case *Index:
		return isLvalue(e.X)
	case *FieldExpr:
		return isLvalue(e.X)
	case *Swizzle:
		return isLvalue(e.X)
	case *IncDec:
		return !e.Postfix
	case *Cond:
		return e.LValue
	case *Comma:
		return isLvalue(e.Y)
	}
	return false
}

// lvalue is where e lies.
func (v *evaluator) lvalue(e Expr) location {
	v.step(e.Pos(), 0)
	switch e := e.(type) {
	case *VarExpr:
		return v.variable(e.Pos(), e.Var)
	case *Deref:
		if t, ok := e.Type().(*Struct); ok && isEmpty(t) && !hasSideEffects(e.X) {
			return v.newObject(t.Size(), make([]byte, t.Size())) // wherever it lies, nothing of it can be read
		}
		return locationOf(bitsOf(v.value(e.X), e.X.Type()))
	case *Index:
		p := v.lvalue(e.X)
		return location{p.obj, p.off + v.componentOffset(e)}
	case *FieldExpr:
		v.wholeBytes(e)
		p := v.lvalue(e.X)
		return location{p.obj, p.off + e.X.Type().(*Struct).Fields[e.Field].Offset}
	case *Swizzle:
		if len(e.Comps) == 1 {
			p := v.lvalue(e.X)
			return location{p.obj, p.off + e.Comps[0]*e.Type().Size()}
		}
	case *Assign:
		return v.assign(e)
	case *OpAssign:
		return v.opAssign(e)
	case *IncDec:
		return v.incDec(e)
	case *Temporary:
		data := v.value(e.X)
		return v.newObject(len(data), data)
	case *Cond:
		return v.lvalue(v.choose(e))
	case *Comma:
		v.effect(e.X)
		return v.lvalue(e.Y)
	}
	v.fail(e.Pos(), "it is not a constant expression")
	return location{}
}

// loadLvalue is the value of an lvalue, which may be a swizzle of several components.
func (v *evaluator) loadLvalue(e Expr) []byte {
	if s, ok := e.(*Swizzle); ok && len(s.Comps) > 1 {
		return pick(v.loadLvalue(s.X), s)
	}
	return v.load(e.Pos(), v.lvalue(e), e.Type().Size())
}

// effect evaluates e and drops its value.
func (v *evaluator) effect(e Expr) {
	switch x := e.(type) {
	case *Assign:
		v.assign(x)
		return
	case *OpAssign:
		v.opAssign(x)
		return
	}
	if isLvalue(e) {
		v.lvalue(e)
		return
	}
	v.value(e)
}

// componentOffset is where the element of an index expression lies in X.
func (v *evaluator) componentOffset(e *Index) int {
	i := int64(bitsOf(v.value(e.I), e.I.Type()))
	n, size := int64(1), int64(e.Type().Size())
	switch t := e.X.Type().(type) {
	case *Array:
		n = int64(t.Len)
	case Vector:
		n = int64(t.N)
	case Matrix:
		n = int64(t.Cols)
	default:
		v.fail(e.Pos(), "it is not a constant expression")
	}
	if i < 0 || i >= n {
		v.undefined(e.Pos(), "an index lies outside of the array")
	}
	return int(i * size)
}

// pick selects the components of a swizzle.
func pick(data []byte, e *Swizzle) []byte {
	size := elemOf(e.Type()).Size()
	out := make([]byte, e.Type().Size())
	for i, comp := range e.Comps {
		copy(out[i*size:(i+1)*size], data[comp*size:])
	}
	return out
}

func (v *evaluator) choose(e *Cond) Expr {
	if bitsOf(v.value(e.C), Bool) != 0 {
		return e.X
	}
	return e.Y
}

func (v *evaluator) unary(e *Unary) []byte {
	x := v.value(e.X)
	k, offs := components(e.X.Type())
	to, outs := components(e.Type())
	out := make([]byte, e.Type().Size())
	for i, off := range offs {
		putBits(out[outs[i]:], to, v.unaryBits(e, k, getBits(x[off:], k)))
	}
	return out
}

func (v *evaluator) binary(e *Binary) []byte {
	if e.Op == MatMul {
		return v.matMul(e)
	}
	if _, vector := e.X.Type().(Vector); !vector && (e.Op == LAnd || e.Op == LOr) {
		if x := v.value(e.X); bitsOf(x, Bool) != 0 == (e.Op == LOr) {
			return x
		}
		return v.value(e.Y)
	}
	return v.elementwise(e, e.Op, v.value(e.X), v.value(e.Y), e.X.Type(), e.Y.Type(), e.Type())
}

// elementwise applies an operator component by component. A shift's count has a type of its own.
func (v *evaluator) elementwise(at Expr, op Op, x, y []byte, tx, ty, result Type) []byte {
	kx, xs := components(tx)
	ky, ys := components(ty)
	kr, rs := components(result)
	if kr == Void || len(rs) != len(xs) {
		v.fail(at.Pos(), "it is not a constant expression")
	}
	out := make([]byte, result.Size())
	for i := range rs {
		a, b := getBits(x[xs[i]:], kx), getBits(y[ys[min(i, len(ys)-1)]:], ky)
		putBits(out[rs[i]:], kr, v.binaryBits(at.Pos(), op, kx, a, b))
	}
	return out
}

// matMul is a product with a matrix, summed in ascending order.
func (v *evaluator) matMul(e *Binary) []byte {
	a, rows, inner := grid(v.value(e.X), e.X.Type(), false)
	b, inner2, cols := grid(v.value(e.Y), e.Y.Type(), true)
	k := elemOf(e.Type())
	_, outs := components(e.Type())
	if inner != inner2 || len(outs) != rows*cols || !k.IsFloat() {
		v.fail(e.Pos(), "it is not a constant expression")
	}
	out := make([]byte, e.Type().Size())
	for j := range cols {
		for i := range rows {
			sum := roundBits(k, 0)
			for n := range inner {
				p := v.binaryBits(e.Pos(), Mul, k, a(i, n), b(n, j))
				if n == 0 {
					sum = p
				} else {
					sum = v.binaryBits(e.Pos(), Add, k, sum, p)
				}
			}
			putBits(out[outs[j*rows+i]:], k, sum)
		}
	}
	return out
}

// grid reads a matrix, or a vector as a column (or as a row on the left of a product).
func grid(data []byte, t Type, right bool) (at func(row, col int) uint64, rows, cols int) {
	k, offs := components(t)
	rows, cols = len(offs), 1
	if m, ok := t.(Matrix); ok {
		rows, cols = m.Rows, m.Cols
	} else if !right {
		rows, cols = 1, len(offs)
		return func(_, col int) uint64 { return getBits(data[offs[col]:], k) }, rows, cols
	}
	return func(row, col int) uint64 { return getBits(data[offs[col*rows+row]:], k) }, rows, cols
}

// wholeBytes refuses bit-fields: they have no location.
func (v *evaluator) wholeBytes(e *FieldExpr) {
	if e.X.Type().(*Struct).Fields[e.Field].Bits > 0 {
		v.fail(e.Pos(), "the value of a bit-field is no constant here")
	}
}

// putBits stores the value of a bit-field in the struct that data is.
func (f Field) putBits(data []byte, value uint64) {
	for i := range f.Bits {
		at := 8*f.Offset + f.Shift + i
		data[at/8] |= byte(value>>i&1) << (at % 8)
	}
}

func (v *evaluator) construct(e *Construct) []byte {
	out := make([]byte, e.Type().Size())
	switch t := e.Type().(type) {
	case *Struct:
		for i, a := range e.Args {
			if f := t.Fields[i+e.Field]; f.Bits > 0 {
				f.putBits(out, bitsOf(v.value(a), f.Type))
			} else {
				copy(out[f.Offset:], v.value(a))
			}
		}
		return out
	case *Array:
		for i, a := range e.Args {
			copy(out[i*t.Elem.Size():], v.value(a))
		}
		return out
	}
	k, offs := components(e.Type())
	if k == Void {
		v.fail(e.Pos(), "it is not a constant expression")
	}
	if m, ok := e.Type().(Matrix); ok && len(e.Args) == 1 && scalarKind(e.Args[0].Type()) != Void {
		x := bitsOf(v.value(e.Args[0]), e.Args[0].Type())
		for i := range min(m.Cols, m.Rows) {
			putBits(out[offs[i*m.Rows+i]:], k, x)
		}
		return out
	}
	n := 0
	for _, a := range e.Args {
		data := v.value(a)
		from, parts := components(a.Type())
		for _, off := range parts {
			putBits(out[offs[n]:], k, getBits(data[off:], from))
			n++
		}
	}
	return out
}

func (v *evaluator) assign(e *Assign) location {
	if s, ok := e.L.(*Swizzle); ok && len(s.Comps) > 1 {
		v.storeSwizzle(s, v.value(e.R))
		return v.lvalue(s.X)
	}
	data := v.value(e.R)
	p := v.lvalue(e.L)
	v.store(e.Pos(), p, data)
	return p
}

func (v *evaluator) storeSwizzle(s *Swizzle, data []byte) {
	whole := v.lvalue(s.X)
	size := elemOf(s.Type()).Size()
	for i, comp := range s.Comps {
		v.store(s.Pos(), location{whole.obj, whole.off + comp*size}, data[i*size:(i+1)*size])
	}
}

func (v *evaluator) opAssign(e *OpAssign) location {
	r := v.value(e.R)
	if s, ok := e.L.(*Swizzle); ok && len(s.Comps) > 1 {
		v.storeSwizzle(s, v.combine(e, v.loadLvalue(s), r))
		return v.lvalue(s.X)
	}
	p := v.lvalue(e.L)
	v.store(e.Pos(), p, v.combine(e, v.load(e.Pos(), p, e.L.Type().Size()), r))
	return p
}

// combine is (type of L)((Comp)old Op r).
func (v *evaluator) combine(e *OpAssign, old, r []byte) []byte {
	if t, ok := e.Comp.(*Pointer); ok {
		i := int64(bitsOf(r, e.R.Type()))
		if e.Op == Sub {
			i = -i
		}
		return bytesOf(v.advance(bitsOf(old, t), i*int64(t.Elem.Size())), t)
	}
	x := v.convert(e.Pos(), old, e.L.Type(), e.Comp)
	y := v.elementwise(e, e.Op, x, r, e.Comp, e.R.Type(), e.Comp)
	return v.convert(e.Pos(), y, e.Comp, e.L.Type())
}

func (v *evaluator) incDec(e *IncDec) location {
	p := v.lvalue(e.L)
	old := v.load(e.Pos(), p, e.L.Type().Size())
	op, by := Add, int64(1)
	if e.Dec {
		op, by = Sub, -1
	}
	if t, ok := e.L.Type().(*Pointer); ok {
		v.store(e.Pos(), p, bytesOf(v.advance(bitsOf(old, t), by*int64(t.Elem.Size())), t))
		return p
	}
	k, offs := components(e.L.Type())
	one := uint64(1)
	if k.IsFloat() {
		one = roundBits(k, 1)
	}
	out := make([]byte, len(old))
	for _, off := range offs {
		putBits(out[off:], k, v.binaryBits(e.Pos(), op, k, getBits(old[off:], k), one))
	}
	v.store(e.Pos(), p, out)
	return p
}

func (v *evaluator) ptrAdd(e *PtrAdd) []byte {
	t := e.Type().(*Pointer)
	p := bitsOf(v.value(e.P), t)
	i := int64(bitsOf(v.value(e.I), e.I.Type()))
	if e.Neg {
		i = -i
	}
	return bytesOf(v.advance(p, i*int64(t.Elem.Size())), t)
}

func (v *evaluator) advance(p uint64, by int64) uint64 {
	at := locationOf(p)
	return location{at.obj, at.off + int(by)}.pointer()
}

func (v *evaluator) ptrDiff(e *PtrDiff) []byte {
	t := e.X.Type().(*Pointer)
	x, y := locationOf(bitsOf(v.value(e.X), t)), locationOf(bitsOf(v.value(e.Y), t))
	if x.obj != y.obj {
		v.fail(e.Pos(), "it subtracts pointers into different objects")
	}
	return bytesOf(uint64((x.off-y.off)/t.Elem.Size()), Long)
}
