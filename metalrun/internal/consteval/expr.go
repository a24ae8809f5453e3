package consteval

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// value is the value of e. It counts the step and the depth.
func (v *evaluation) value(e hir.Expr) []byte {
	v.step(e.Pos(), e.Type().Size())
	if l := v.in.Limits; v.nested >= l.Of(syntax.Depth) {
		v.fail(e.Pos(), l.Exceeded(syntax.Depth, "its expressions nest deeper than %d, with those of calls"))
	}
	v.nested++
	data := v.valueOf(e)
	v.nested--
	return data
}

// valueOf is the value of an expression that has been counted.
func (v *evaluation) valueOf(e hir.Expr) []byte {
	switch e := e.(type) {
	case *hir.Const:
		return hir.BytesOf(e.Bits, e.Type())
	case *hir.Load:
		return v.loadLvalue(e.X)
	case *hir.Unary:
		return v.unary(e)
	case *hir.Binary:
		return v.binary(e)
	case *hir.Convert:
		return v.convert(e.Pos(), v.value(e.X), e.X.Type(), e.Type())
	case *hir.Construct:
		return v.construct(e)
	case *hir.AsType:
		return v.value(e.X)
	case *hir.Cond:
		return v.value(v.choose(e))
	case *hir.Comma:
		v.effect(e.X)
		return v.value(e.Y)
	case *hir.Call:
		return v.call(e)
	case *hir.BuiltinCall:
		return v.builtin(e)
	case *hir.AddrOf:
		return hir.BytesOf(v.lvalue(e.X).pointer(), e.Type())
	case *hir.Decay:
		return hir.BytesOf(v.lvalue(e.X).pointer(), e.Type())
	case *hir.PtrAdd:
		return v.ptrAdd(e)
	case *hir.PtrDiff:
		return v.ptrDiff(e)
	case *hir.IncDec:
		if e.Postfix {
			old := v.load(e.Pos(), v.lvalue(e.L), e.L.Type().Size())
			v.incDec(e)
			return old
		}
	case *hir.Index:
		return v.part(e.X, e.Type(), v.componentOffset(e))
	case *hir.FieldExpr:
		v.wholeBytes(e)
		return v.part(e.X, e.Type(), e.X.Type().(*hir.Struct).Fields[e.Field].Offset)
	case *hir.Swizzle:
		return pick(v.value(e.X), e)
	}
	if hir.IsLvalue(e) {
		return v.loadLvalue(e)
	}
	v.fail(e.Pos(), "it is not a constant expression")
	return nil
}

// part is the part of the value of x at an offset. An lvalue is read in place instead of
// being copied whole.
func (v *evaluation) part(x hir.Expr, t hir.Type, off int) []byte {
	if hir.IsLvalue(x) {
		p := v.lvalue(x)
		return v.load(x.Pos(), location{p.obj, p.off + off}, t.Size())
	}
	return v.value(x)[off : off+t.Size()]
}

// lvalue is where e lies.
func (v *evaluation) lvalue(e hir.Expr) location {
	v.step(e.Pos(), 0)
	switch e := e.(type) {
	case *hir.VarExpr:
		return v.variable(e.Pos(), e.Var)
	case *hir.Deref:
		if t, ok := e.Type().(*hir.Struct); ok && hir.IsEmpty(t) && !hir.HasSideEffects(e.X) {
			return v.newObject(t.Size(), make([]byte, t.Size())) // wherever it lies, nothing of it can be read
		}
		return locationOf(hir.BitsOf(v.value(e.X), e.X.Type()))
	case *hir.Index:
		p := v.lvalue(e.X)
		return location{p.obj, p.off + v.componentOffset(e)}
	case *hir.FieldExpr:
		v.wholeBytes(e)
		p := v.lvalue(e.X)
		return location{p.obj, p.off + e.X.Type().(*hir.Struct).Fields[e.Field].Offset}
	case *hir.Swizzle:
		if len(e.Comps) == 1 {
			p := v.lvalue(e.X)
			return location{p.obj, p.off + e.Comps[0]*e.Type().Size()}
		}
	case *hir.Assign:
		return v.assign(e)
	case *hir.OpAssign:
		return v.opAssign(e)
	case *hir.IncDec:
		return v.incDec(e)
	case *hir.Temporary:
		data := v.value(e.X)
		return v.newObject(len(data), data)
	case *hir.Cond:
		return v.lvalue(v.choose(e))
	case *hir.Comma:
		v.effect(e.X)
		return v.lvalue(e.Y)
	}
	v.fail(e.Pos(), "it is not a constant expression")
	return location{}
}

// loadLvalue is the value of an lvalue, which may be a swizzle of several components.
func (v *evaluation) loadLvalue(e hir.Expr) []byte {
	if s, ok := e.(*hir.Swizzle); ok && len(s.Comps) > 1 {
		return pick(v.loadLvalue(s.X), s)
	}
	return v.load(e.Pos(), v.lvalue(e), e.Type().Size())
}

// effect evaluates e for its side effects.
func (v *evaluation) effect(e hir.Expr) {
	switch x := e.(type) {
	case *hir.Assign:
		v.assign(x)
		return
	case *hir.OpAssign:
		v.opAssign(x)
		return
	}
	if hir.IsLvalue(e) {
		v.lvalue(e)
		return
	}
	v.value(e)
}

// componentOffset is where the element of an index expression lies in X.
func (v *evaluation) componentOffset(e *hir.Index) int {
	i := int64(hir.BitsOf(v.value(e.I), e.I.Type()))
	n, size := int64(1), int64(e.Type().Size())
	switch t := e.X.Type().(type) {
	case *hir.Array:
		n = int64(t.Len)
	case hir.Vector:
		n = int64(t.N)
	case hir.Matrix:
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
func pick(data []byte, e *hir.Swizzle) []byte {
	size := hir.ElemOf(e.Type()).Size()
	out := make([]byte, e.Type().Size())
	for i, comp := range e.Comps {
		copy(out[i*size:(i+1)*size], data[comp*size:])
	}
	return out
}

// choose is the operand that the condition of e selects.
func (v *evaluation) choose(e *hir.Cond) hir.Expr {
	if hir.BitsOf(v.value(e.C), hir.Bool) != 0 {
		v.mark(e.MarkX)
		return e.X
	}
	v.mark(e.MarkY)
	return e.Y
}

// mark notes that a part of the source is executed, unless it is nil.
func (v *evaluation) mark(of *syntax.StmtID) {
	if of != nil {
		v.in.Cover(*of)
	}
}

func (v *evaluation) unary(e *hir.Unary) []byte {
	x := v.value(e.X)
	k, offs := components(e.X.Type())
	to, outs := components(e.Type())
	out := make([]byte, e.Type().Size())
	for i, off := range offs {
		putBits(out[outs[i]:], to, v.unaryBits(e, k, getBits(x[off:], k)))
	}
	return out
}

func (v *evaluation) binary(e *hir.Binary) []byte {
	if e.Op == hir.MatMul {
		return v.matMul(e)
	}
	if _, vector := e.X.Type().(hir.Vector); !vector && (e.Op == hir.LAnd || e.Op == hir.LOr) {
		if x := v.value(e.X); hir.BitsOf(x, hir.Bool) != 0 == (e.Op == hir.LOr) {
			return x
		}
		v.mark(e.Mark)
		return v.value(e.Y)
	}
	return v.elementwise(e, e.Op, v.value(e.X), v.value(e.Y), e.X.Type(), e.Y.Type(), e.Type())
}

// elementwise applies an operator component by component. The count of a shift has a type of its own.
func (v *evaluation) elementwise(at hir.Expr, op hir.Op, x, y []byte, tx, ty, result hir.Type) []byte {
	kx, xs := components(tx)
	ky, ys := components(ty)
	kr, rs := components(result)
	if kr == hir.Void || len(rs) != len(xs) {
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
func (v *evaluation) matMul(e *hir.Binary) []byte {
	a, rows, inner := grid(v.value(e.X), e.X.Type(), false)
	b, inner2, cols := grid(v.value(e.Y), e.Y.Type(), true)
	k := hir.ElemOf(e.Type())
	_, outs := components(e.Type())
	if inner != inner2 || len(outs) != rows*cols || !k.IsFloat() {
		v.fail(e.Pos(), "it is not a constant expression")
	}
	out := make([]byte, e.Type().Size())
	for j := range cols {
		for i := range rows {
			sum := hir.RoundBits(k, 0)
			for n := range inner {
				p := v.binaryBits(e.Pos(), hir.Mul, k, a(i, n), b(n, j))
				if n == 0 {
					sum = p
				} else {
					sum = v.binaryBits(e.Pos(), hir.Add, k, sum, p)
				}
			}
			putBits(out[outs[j*rows+i]:], k, sum)
		}
	}
	return out
}

// grid reads a matrix, or a vector as a column (or as a row on the left of a product).
func grid(data []byte, t hir.Type, right bool) (at func(row, col int) uint64, rows, cols int) {
	k, offs := components(t)
	rows, cols = len(offs), 1
	if m, ok := t.(hir.Matrix); ok {
		rows, cols = m.Rows, m.Cols
	} else if !right {
		rows, cols = 1, len(offs)
		return func(_, col int) uint64 { return getBits(data[offs[col]:], k) }, rows, cols
	}
	return func(row, col int) uint64 { return getBits(data[offs[col*rows+row]:], k) }, rows, cols
}

// wholeBytes refuses bit-fields: they have no location.
func (v *evaluation) wholeBytes(e *hir.FieldExpr) {
	if e.X.Type().(*hir.Struct).Fields[e.Field].Bits > 0 {
		v.fail(e.Pos(), "the value of a bit-field is no constant here")
	}
}

// putField stores the value of a bit-field in the struct that data is.
func putField(f hir.Field, data []byte, value uint64) {
	for i := range f.Bits {
		at := 8*f.Offset + f.Shift + i
		data[at/8] |= byte(value>>i&1) << (at % 8)
	}
}

func (v *evaluation) construct(e *hir.Construct) []byte {
	out := make([]byte, e.Type().Size())
	switch t := e.Type().(type) {
	case *hir.Struct:
		for i, a := range e.Args {
			if f := t.Fields[i+e.Field]; f.Bits > 0 {
				putField(f, out, hir.BitsOf(v.value(a), f.Type))
			} else {
				copy(out[f.Offset:], v.value(a))
			}
		}
		return out
	case *hir.Array:
		for i, a := range e.Args {
			copy(out[i*t.Elem.Size():], v.value(a))
		}
		return out
	}
	k, offs := components(e.Type())
	if k == hir.Void {
		v.fail(e.Pos(), "it is not a constant expression")
	}
	if m, ok := e.Type().(hir.Matrix); ok && len(e.Args) == 1 && hir.ScalarKind(e.Args[0].Type()) != hir.Void {
		x := hir.BitsOf(v.value(e.Args[0]), e.Args[0].Type())
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

func (v *evaluation) assign(e *hir.Assign) location {
	if s, ok := e.L.(*hir.Swizzle); ok && len(s.Comps) > 1 {
		v.storeSwizzle(s, v.value(e.R))
		return v.lvalue(s.X)
	}
	data := v.value(e.R)
	p := v.lvalue(e.L)
	v.store(e.Pos(), p, data)
	return p
}

func (v *evaluation) storeSwizzle(s *hir.Swizzle, data []byte) {
	whole := v.lvalue(s.X)
	size := hir.ElemOf(s.Type()).Size()
	for i, comp := range s.Comps {
		v.store(s.Pos(), location{whole.obj, whole.off + comp*size}, data[i*size:(i+1)*size])
	}
}

func (v *evaluation) opAssign(e *hir.OpAssign) location {
	r := v.value(e.R)
	if s, ok := e.L.(*hir.Swizzle); ok && len(s.Comps) > 1 {
		v.storeSwizzle(s, v.combine(e, v.loadLvalue(s), r))
		return v.lvalue(s.X)
	}
	p := v.lvalue(e.L)
	v.store(e.Pos(), p, v.combine(e, v.load(e.Pos(), p, e.L.Type().Size()), r))
	return p
}

// combine is (type of L)((Comp)old Op r).
func (v *evaluation) combine(e *hir.OpAssign, old, r []byte) []byte {
	if t, ok := e.Comp.(*hir.Pointer); ok {
		i := int64(hir.BitsOf(r, e.R.Type()))
		if e.Op == hir.Sub {
			i = -i
		}
		return hir.BytesOf(v.advance(hir.BitsOf(old, t), i*int64(t.Elem.Size())), t)
	}
	x := v.convert(e.Pos(), old, e.L.Type(), e.Comp)
	y := v.elementwise(e, e.Op, x, r, e.Comp, e.R.Type(), e.Comp)
	return v.convert(e.Pos(), y, e.Comp, e.L.Type())
}

func (v *evaluation) incDec(e *hir.IncDec) location {
	p := v.lvalue(e.L)
	old := v.load(e.Pos(), p, e.L.Type().Size())
	op, by := hir.Add, int64(1)
	if e.Dec {
		op, by = hir.Sub, -1
	}
	if t, ok := e.L.Type().(*hir.Pointer); ok {
		v.store(e.Pos(), p, hir.BytesOf(v.advance(hir.BitsOf(old, t), by*int64(t.Elem.Size())), t))
		return p
	}
	k, offs := components(e.L.Type())
	one := uint64(1)
	if k.IsFloat() {
		one = hir.RoundBits(k, 1)
	}
	out := make([]byte, len(old))
	for _, off := range offs {
		putBits(out[off:], k, v.binaryBits(e.Pos(), op, k, getBits(old[off:], k), one))
	}
	v.store(e.Pos(), p, out)
	return p
}

func (v *evaluation) ptrAdd(e *hir.PtrAdd) []byte {
	t := e.Type().(*hir.Pointer)
	p := hir.BitsOf(v.value(e.P), t)
	i := int64(hir.BitsOf(v.value(e.I), e.I.Type()))
	if e.Neg {
		i = -i
	}
	return hir.BytesOf(v.advance(p, i*int64(t.Elem.Size())), t)
}

func (v *evaluation) advance(p uint64, by int64) uint64 {
	at := locationOf(p)
	return location{at.obj, at.off + int(by)}.pointer()
}

func (v *evaluation) ptrDiff(e *hir.PtrDiff) []byte {
	t := e.X.Type().(*hir.Pointer)
	x, y := locationOf(hir.BitsOf(v.value(e.X), t)), locationOf(hir.BitsOf(v.value(e.Y), t))
	if x.obj != y.obj {
		v.fail(e.Pos(), "it subtracts pointers into different objects")
	}
	return hir.BytesOf(uint64((x.off-y.off)/t.Elem.Size()), hir.Long)
}
