package lower

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// value lowers an expression to the leaves of its value. A register of the
// result may belong to a variable; who keeps it while other code runs has to
// freeze it.
func (l *lowerer) value(e hir.Expr) []ir.Reg {
	defer l.at(e.Pos())()
	switch e := e.(type) {
	case *hir.Const:
		return []ir.Reg{l.constantValue(e)}
	case *hir.Load:
		return l.loadValue(e.X)
	case *hir.Unary:
		return l.unary(e)
	case *hir.Binary:
		return l.binary(e)
	case *hir.PtrDiff:
		return l.pointerDifference(e)
	case *hir.Convert:
		return l.conversion(e)
	case *hir.Construct:
		return l.construct(e)
	case *hir.AsType:
		return l.reinterpret(l.value(e.X), e.X.Type(), e.Type())
	case *hir.Call:
		return l.call(e)
	case *hir.PointerCall:
		return l.pointerCall(e)
	case *hir.BuiltinCall:
		return l.builtin(e)
	case *hir.Cond:
		return l.cond(e, l.value)
	case *hir.AddrOf, *hir.Decay, *hir.PtrAdd:
		return []ir.Reg{l.materialise(l.pointer(e))}
	case *hir.IncDec:
		if e.Postfix {
			_, old := l.incDec(e)
			return old
		}
	case *hir.Comma:
		if !isLvalue(e) {
			l.effect(e.X)
			return l.value(e.Y)
		}
	}
	return l.partValue(e)
}

// partValue is the value of an lvalue, or of a part of a value.
func (l *lowerer) partValue(e hir.Expr) []ir.Reg {
	switch e := e.(type) {
	case *hir.Index:
		return l.read(l.index(l.operandLvalue(e.X), e.I))
	case *hir.FieldExpr:
		return l.read(l.field(l.operandLvalue(e.X), e.Field))
	case *hir.Swizzle:
		return l.read(l.swizzle(l.operandLvalue(e.X), e.Comps, e.Type()))
	}
	if !isLvalue(e) {
		l.fail("internal", "no value for %T", e)
	}
	return l.read(l.lvalue(e))
}

func (l *lowerer) operandLvalue(e hir.Expr) lvalue {
	if isLvalue(e) {
		return l.lvalue(e)
	}
	return registers(e.Type(), l.value(e))
}

// loadValue is the value of an lvalue. A selection between two loads only the
// one that is selected.
func (l *lowerer) loadValue(lvalue hir.Expr) []ir.Reg {
	if c, ok := lvalue.(*hir.Cond); ok && c.LValue {
		return l.cond(c, func(e hir.Expr) []ir.Reg { return l.read(l.lvalue(e)) })
	}
	return l.read(l.lvalue(lvalue))
}

// effect evaluates e for what it does.
func (l *lowerer) effect(e hir.Expr) {
	switch x := e.(type) {
	case *hir.Convert:
		if x.Type() == hir.Void {
			l.effect(x.X)
			return
		}
	case *hir.IncDec:
		defer l.at(e.Pos())()
		l.increment(x)
		return
	case *hir.Load:
		l.value(x)
		return
	}
	if isLvalue(e) {
		l.lvalue(e)
		return
	}
	l.value(e)
}

// values evaluates a list of expressions from left to right.
func (l *lowerer) values(list []hir.Expr) [][]ir.Reg {
	out := make([][]ir.Reg, len(list))
	last := l.lastEffect(list)
	for i, e := range list {
		out[i] = l.value(e)
		if i < last {
			out[i] = l.freeze(out[i])
		}
	}
	return out
}

func (l *lowerer) pair(x, y hir.Expr) (a, b []ir.Reg) {
	v := l.values([]hir.Expr{x, y})
	return v[0], v[1]
}

func (l *lowerer) constantValue(e *hir.Const) ir.Reg {
	if _, ok := e.Type().(*hir.Pointer); ok {
		return l.literal(ir.Ptr, 0)
	}
	s := scalarOf(scalarKind(e.Type()))
	bits := e.Bits
	if !s.Type().IsFloat() {
		bits = ir.Wrap(s, bits)
	}
	if s.Type().IsFloat() {
		return l.decimal(s.Type(), bits, ir.Says(s.Type(), bits, e.Decimal))
	}
	return l.literal(s.Type(), bits)
}

func (l *lowerer) unary(e *hir.Unary) []ir.Reg {
	defer l.under(e.Math)()
	x := l.value(e.X)
	kind := scalarKind(e.Type())
	t := registerType(kind)
	out := make([]ir.Reg, len(x))
	for i, r := range x {
		switch e.Op {
		case hir.Neg:
			out[i] = l.narrow(kind, l.fusible(ir.Neg, t, r))
		case hir.Not:
			out[i] = l.narrow(kind, l.op(ir.Not, t, r))
		default:
			out[i] = l.op(ir.Not, ir.Bool, r)
		}
	}
	return out
}

// narrow wraps the result of 32-bit arithmetic to a narrower integer type.
func (l *lowerer) narrow(k hir.Kind, r ir.Reg) ir.Reg {
	if !k.IsInteger() || k.Size() >= 4 {
		return r
	}
	return l.convert(ir.S32, scalarOf(k), r)
}

func (l *lowerer) binary(e *hir.Binary) []ir.Reg {
	if e.Op == hir.LAnd || e.Op == hir.LOr {
		if e.Type() == hir.Bool {
			return []ir.Reg{l.shortCircuit(e)}
		}
	}
	defer l.under(e.Math)()
	x, y := l.pair(e.X, e.Y)
	return l.combine(e.Op, e.X.Type(), e.Y.Type(), x, y)
}

// combine is x op y for values of one type, or of the types that op takes.
func (l *lowerer) combine(op hir.Op, tx, ty hir.Type, x, y []ir.Reg) []ir.Reg {
	if op == hir.MatMul {
		return l.matrixProduct(tx, ty, x, y)
	}
	if m, ok := tx.(hir.SimdMatrix); ok && op == hir.Mul {
		return l.simdProduct(m.Elem, x, y, nil)
	}
	switch tx.(type) {
	case *hir.Pointer:
		return []ir.Reg{l.comparePointers(op, x[0], y[0])}
	case hir.SimdVote:
		return []ir.Reg{l.arith(op, hir.ULong, x[0], y[0])}
	}
	kind := scalarKind(tx)
	out := make([]ir.Reg, len(x))
	for i := range x {
		b := y[i%len(y)]
		if op == hir.Shl || op == hir.Shr {
			b = l.shiftCount(kind, scalarKind(ty), b)
		}
		out[i] = l.arith(op, kind, x[i], b)
	}
	return out
}

// shiftCount is a shift's count in the register type of what it shifts.
// Registers of 8 and 16 bits shift by the count modulo their width.
func (l *lowerer) shiftCount(kind, countKind hir.Kind, b ir.Reg) ir.Reg {
	switch {
	case kind.Size() == 8 && countKind.Size() < 8:
		b = l.convert(ir.U32, ir.U64, b)
	case kind.Size() < 8 && countKind.Size() == 8:
		b = l.convert(ir.U64, ir.U32, b)
	}
	if kind.Size() < 4 {
		b = l.op(ir.And, ir.I32, b, l.i32(int64(8*kind.Size()-1)))
	}
	return b
}

// opPair is an operation on signed or floating, and on unsigned operands.
type opPair struct{ signed, unsigned ir.Op }

var arithOps = map[hir.Op]opPair{
	hir.Add: {ir.Add, ir.Add}, hir.Sub: {ir.Sub, ir.Sub}, hir.Mul: {ir.Mul, ir.Mul},
	hir.Div: {ir.SDiv, ir.UDiv}, hir.Rem: {ir.SRem, ir.URem},
	hir.And: {ir.And, ir.And}, hir.LAnd: {ir.And, ir.And}, hir.Or: {ir.Or, ir.Or}, hir.LOr: {ir.Or, ir.Or},
	hir.Xor: {ir.Xor, ir.Xor},
	hir.Shl: {ir.Shl, ir.Shl}, hir.Shr: {ir.AShr, ir.LShr},
}

var compareOps = map[hir.Op]opPair{
	hir.Eq: {ir.Eq, ir.Eq}, hir.Ne: {ir.Ne, ir.Ne},
	hir.Lt: {ir.SLt, ir.ULt}, hir.Le: {ir.SLe, ir.ULe},
	hir.Gt: {ir.SLt, ir.ULt}, hir.Ge: {ir.SLe, ir.ULe},
}

// arith is a op b for scalars of kind k.
func (l *lowerer) arith(op hir.Op, k hir.Kind, a, b ir.Reg) ir.Reg {
	if pair, ok := compareOps[op]; ok {
		return l.compare(op, pair, k, a, b)
	}
	pair, ok := arithOps[op]
	if !ok {
		l.fail("internal", "no operation for %s", op)
	}
	t := registerType(k)
	switch {
	case k.IsFloat() && op == hir.Div:
		return l.quotient(t, l.fast, a, b)
	case k.IsFloat():
		return l.fusible(pair.signed, t, a, b)
	case k.IsSigned():
		return l.narrow(k, l.op(pair.signed, t, a, b))
	}
	return l.narrow(k, l.op(pair.unsigned, t, a, b))
}

func (l *lowerer) compare(op hir.Op, pair opPair, k hir.Kind, a, b ir.Reg) ir.Reg {
	if op == hir.Gt || op == hir.Ge {
		a, b = b, a
	}
	o := pair.unsigned
	switch {
	case op == hir.Eq || op == hir.Ne:
	case k.IsFloat() && pair.signed == ir.SLt:
		o = ir.FLt
	case k.IsFloat():
		o = ir.FLe
	case k.IsSigned():
		o = pair.signed
	case k == hir.Bool:
		a, b = l.convert(ir.B8, ir.U32, a), l.convert(ir.B8, ir.U32, b)
	}
	return l.op(o, ir.Bool, a, b)
}

func (l *lowerer) comparePointers(op hir.Op, a, b ir.Reg) ir.Reg {
	if op == hir.Gt || op == hir.Ge {
		a, b = b, a
	}
	return l.op(compareOps[op].unsigned, ir.Bool, a, b)
}

// shortCircuit is scalar && or ||.
func (l *lowerer) shortCircuit(e *hir.Binary) ir.Reg {
	a := l.value(e.X)[0]
	and := e.Op == hir.LAnd
	if bits, ok := l.constant(a); ok {
		if (bits != 0) == and {
			l.mark(e.Mark)
			return l.value(e.Y)[0]
		}
		return a
	}
	if e.Mark == nil && l.cheap(e.Y) {
		op := ir.Or
		if and {
			op = ir.And
		}
		return l.op(op, ir.Bool, a, l.value(e.Y)[0])
	}
	v := l.variable(ir.Bool, "")
	l.copy(v, a)
	right := func() {
		l.mark(e.Mark)
		l.copy(v, l.value(e.Y)[0])
	}
	if and {
		l.ifElse(v, right, nil)
	} else {
		l.ifElse(v, nil, right)
	}
	return v
}

// cond is C ? X : Y with the sides evaluated by side.
func (l *lowerer) cond(e *hir.Cond, side func(hir.Expr) []ir.Reg) []ir.Reg {
	defer l.under(e.Math)()
	c := l.value(e.C)[0]
	if bits, ok := l.constant(c); ok {
		if bits != 0 {
			l.mark(e.MarkX)
			return side(e.X)
		}
		l.mark(e.MarkY)
		return side(e.Y)
	}
	t := e.Type()
	if e.MarkX == nil && e.MarkY == nil && leafCount(t) > 0 && leafCount(t) <= 4 && l.cheap(e.X) && l.cheap(e.Y) {
		x, y := side(e.X), side(e.Y)
		out := make([]ir.Reg, len(x))
		for i := range x {
			if out[i] = x[i]; x[i] != y[i] {
				out[i] = l.op(ir.Select, l.typeOf(x[i]), c, x[i], y[i])
			}
		}
		return out
	}
	l.checkSize(t)
	v := l.variables(t, "")
	arm := func(mark *syntax.StmtID, x hir.Expr) func() {
		return func() {
			l.mark(mark)
			l.assignRegs(v, side(x))
		}
	}
	l.ifElse(c, arm(e.MarkX, e.X), arm(e.MarkY, e.Y))
	return v
}

// Assignment

func (l *lowerer) assign(e *hir.Assign) lvalue {
	t := e.L.Type()
	if from, ok := e.R.(*hir.Load); ok && leafCount(t) > maxLeaves {
		source := l.lvalue(from.X)
		if source.inMemory {
			p := l.lvalue(e.L)
			l.copyMemory(p, source)
			return p
		}
	}
	r := l.value(e.R)
	if l.hasEffects(e.L) {
		r = l.freeze(r)
	}
	p := l.lvalue(e.L)
	l.write(p, r)
	return p
}

func (l *lowerer) opAssign(e *hir.OpAssign) lvalue {
	defer l.under(e.Math)()
	if _, ok := e.Comp.(*hir.Pointer); ok {
		p := l.lvalue(e.L)
		l.write(p, []ir.Reg{l.pointerStep(e.L.Type(), l.read(p)[0], e.R, e.Op == hir.Sub)})
		return p
	}
	r := l.value(e.R)
	if l.hasEffects(e.L) {
		r = l.freeze(r)
	}
	p := l.lvalue(e.L)
	old := l.convertValue(l.read(p), e.L.Type(), e.Comp)
	sum := l.combine(e.Op, e.Comp, e.R.Type(), old, r)
	l.write(p, l.convertValue(sum, e.Comp, e.L.Type()))
	return p
}

// pointerStep is the pointer of type t plus or minus an index.
func (l *lowerer) pointerStep(t hir.Type, base ir.Reg, index hir.Expr, negative bool) ir.Reg {
	p := t.(*hir.Pointer)
	return l.materialise(l.stepped(address{space: p.Space, base: base, index: ir.None}, index, p.Elem.Size(), negative))
}

func (l *lowerer) stepped(a address, index hir.Expr, size int, negative bool) address {
	if !negative {
		return l.indexed(a, index, size)
	}
	if v, ok := constInt(index); ok {
		return a.plus(-int(v) * size)
	}
	reg := l.wide(l.value(index)[0], scalarKind(index.Type()).IsSigned())
	return l.indexedBy(a, l.op(ir.Neg, ir.I64, reg), true, int64(size))
}

// incDec is ++ or --, with the value before if e is postfix.
func (l *lowerer) incDec(e *hir.IncDec) (p lvalue, old []ir.Reg) {
	p = l.lvalue(e.L)
	old = l.read(p)
	if e.Postfix {
		old = l.freeze(old)
	}
	l.write(p, l.stepOne(e, old))
	return p, old
}

// increment is incDec if the old value is not needed.
func (l *lowerer) increment(e *hir.IncDec) {
	p := l.lvalue(e.L)
	l.write(p, l.stepOne(e, l.read(p)))
}

func (l *lowerer) stepOne(e *hir.IncDec, old []ir.Reg) []ir.Reg {
	defer l.under(e.Math)()
	t := e.L.Type()
	if p, ok := t.(*hir.Pointer); ok {
		size := int64(p.Elem.Size())
		if e.Dec {
			size = -size
		}
		return []ir.Reg{l.op(ir.PtrAdd, ir.Ptr, old[0], l.i64(size))}
	}
	kind := scalarKind(t)
	op := hir.Add
	if e.Dec {
		op = hir.Sub
	}
	one := l.convertScalar(hir.Int, kind, l.i32(1))
	out := make([]ir.Reg, len(old))
	for i, r := range old {
		out[i] = l.arith(op, kind, r, one)
	}
	return out
}

// Pointers

// pointer lowers a value of pointer type to an address.
func (l *lowerer) pointer(e hir.Expr) address {
	defer l.at(e.Pos())()
	t := e.Type().(*hir.Pointer)
	switch e := e.(type) {
	case *hir.AddrOf:
		return l.addressOfLvalue(l.lvalue(e.X))
	case *hir.Decay:
		return l.addressOfLvalue(l.lvalue(e.X))
	case *hir.PtrAdd:
		a := l.pointer(e.P)
		if l.hasEffects(e.I) {
			a = l.freezeAddress(a)
		}
		return l.stepped(a, e.I, t.Elem.Size(), e.Neg)
	case *hir.Convert:
		if _, ok := e.X.Type().(*hir.Pointer); ok {
			return l.pointer(e.X)
		}
	case *hir.Comma:
		l.effect(e.X)
		return l.pointer(e.Y)
	}
	return address{space: t.Space, base: l.value(e)[0], index: ir.None}
}

func (l *lowerer) addressOfLvalue(p lvalue) address {
	if !p.inMemory {
		p = l.spill(p)
	}
	return p.addr
}

func (l *lowerer) pointerDifference(e *hir.PtrDiff) []ir.Reg {
	x, y := l.pair(e.X, e.Y)
	d := l.op(ir.PtrSub, ir.I64, x[0], y[0])
	if size := e.X.Type().(*hir.Pointer).Elem.Size(); size > 1 {
		d = l.op(ir.SDiv, ir.I64, d, l.i64(int64(size)))
	}
	return []ir.Reg{d}
}
