package lower

import (
	"math"
	"math/bits"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// address is a pointer value that is not computed yet:
// base + index·scale + disp bytes.
type address struct {
	space       syntax.Space
	base        ir.Reg
	index       ir.Reg // I32 or I64, None without index
	signed      bool   // an I32 index is signed
	scale       int64
	disp        int64
	volatile    bool
	vectorBytes int // size of the vector that it is a component of, or 0
	most        int // alignment that is sure in a packed struct, or 0
}

func (a address) mem(align int) *ir.Mem {
	m := &ir.Mem{Space: a.space, Base: a.base, Index: a.index, Disp: a.disp, Align: align, Volatile: a.volatile,
		VectorBytes: a.vectorBytes}
	if a.index != ir.None {
		m.IndexSigned, m.Scale = a.signed, a.scale
	}
	return m
}

func (a address) plus(bytes int) address {
	a.disp += int64(bytes)
	return a
}

// wide extends an integer to 64 bits.
func (l *lowerer) wide(r ir.Reg, signed bool) ir.Reg {
	switch {
	case l.typeOf(r) == ir.I64:
		return r
	case signed:
		return l.convert(ir.S32, ir.S64, r)
	}
	return l.convert(ir.U32, ir.U64, r)
}

// indexed is a plus size times index, an expression of integer type.
func (l *lowerer) indexed(a address, index hir.Expr, size int) address {
	reg, isSigned, disp := l.indexParts(index)
	return l.indexedBy(a.plus(disp*size), reg, isSigned, int64(size))
}

// indexedBy is a plus size times the value of reg, None for zero.
func (l *lowerer) indexedBy(a address, reg ir.Reg, isSigned bool, size int64) address {
	if reg == ir.None {
		return a
	}
	if v, ok := l.constant(reg); ok {
		if !isSigned && l.typeOf(reg) == ir.I32 {
			v &= math.MaxUint32
		}
		a.disp += int64(v) * size
		return a
	}
	switch {
	case a.index == ir.None:
	case l.k.Regs[a.base].Kind == ir.Address && a.scale%size == 0:
		// Rows of an object keep the object as base: executors know its layout.
		reg, isSigned = l.flatIndex(a, reg, isSigned, size)
	default:
		a = l.based(a)
	}
	a.index, a.signed, a.scale = reg, isSigned, size
	return a
}

// flatIndex is a's index in units of size, plus reg. It is computed in 64 bits
// unless it cannot wrap in 32.
func (l *lowerer) flatIndex(a address, reg ir.Reg, isSigned bool, size int64) (ir.Reg, bool) {
	factor := a.scale / size
	hi, over := bits.Mul64(l.bound(a.index), uint64(factor))
	if hi == 0 && over < 1<<31 && l.bound(reg) < 1<<30 {
		return l.op(ir.Add, ir.I32, l.times(a.index, factor), reg), false
	}
	row := l.times(l.wide(a.index, a.signed), factor)
	return l.op(ir.Add, ir.I64, row, l.wide(reg, isSigned)), true
}

func (l *lowerer) times(r ir.Reg, factor int64) ir.Reg {
	if factor == 1 {
		return r
	}
	t := l.typeOf(r)
	return l.op(ir.Mul, t, r, l.literal(t, uint64(factor)))
}

// based moves the index of a into its base.
func (l *lowerer) based(a address) address {
	if a.index == ir.None {
		return a
	}
	offset := l.times(l.wide(a.index, a.signed), a.scale)
	a.base, a.index, a.scale = l.op(ir.PtrAdd, ir.Ptr, a.base, offset), ir.None, 0
	return a
}

// materialise computes a.
func (l *lowerer) materialise(a address) ir.Reg {
	a = l.based(a)
	if a.disp == 0 {
		return a.base
	}
	return l.op(ir.PtrAdd, ir.Ptr, a.base, l.i64(a.disp))
}

// freezeAddress makes an address whose value stays while variables change.
func (l *lowerer) freezeAddress(a address) address {
	a.base, a.index = l.freezeReg(a.base), l.freezeReg(a.index)
	return a
}

// indexParts splits an index into a register, None if constant, and a constant
// term. A term of an unsigned 32-bit sum is split off only where the sum is
// known not to wrap, because its wrapping is defined.
func (l *lowerer) indexParts(e hir.Expr) (reg ir.Reg, isSigned bool, disp int) {
	if v, ok := constInt(e); ok {
		return ir.None, true, int(v)
	}
	kind := scalarKind(e.Type())
	switch e := e.(type) {
	case *hir.Convert:
		from := scalarKind(e.X.Type())
		if kind.Size() == 8 && from.IsInteger() && (from.Size() < 8 || from.IsSigned() == kind.IsSigned()) {
			return l.indexParts(e.X)
		}
	case *hir.Binary:
		if e.Op == hir.Add || e.Op == hir.Sub {
			if reg, isSigned, disp, ok := l.indexSum(e, kind); ok {
				return reg, isSigned, disp
			}
		}
	}
	return l.value(e)[0], kind.IsSigned(), 0
}

// indexSum splits x ± constant.
func (l *lowerer) indexSum(e *hir.Binary, kind hir.Kind) (reg ir.Reg, isSigned bool, disp int, ok bool) {
	x, term := e.X, e.Y
	c, isConst := constInt(term)
	if !isConst && e.Op == hir.Add {
		x, term = e.Y, e.X
		c, isConst = constInt(term)
	}
	if !isConst || kind.Size() < 4 {
		return 0, false, 0, false
	}
	if e.Op == hir.Sub {
		c = -c
	}
	if kind != hir.UInt {
		reg, isSigned, disp = l.indexParts(x)
		return reg, isSigned, disp + int(c), true
	}
	r := l.value(x)[0]
	if bound := l.bound(r); c < 0 || bound+uint64(c) > math.MaxUint32 {
		op, v := ir.Add, c
		if c < 0 {
			op, v = ir.Sub, -c
		}
		at := l.at(e.Pos())
		r = l.op(op, ir.I32, r, l.i32(v))
		at()
		return r, false, 0, true
	}
	return r, false, int(c), true
}

// bound is an upper bound of an integer register's value read as unsigned.
func (l *lowerer) bound(r ir.Reg) uint64 { return l.boundDepth(r, 8) }

func (l *lowerer) boundDepth(r ir.Reg, depth int) uint64 {
	info := &l.k.Regs[r]
	limit := uint64(math.MaxUint32)
	if info.Type == ir.I64 {
		limit = math.MaxUint64
	}
	if depth == 0 {
		return limit
	}
	switch info.Kind {
	case ir.Literal:
		return info.Bits & limit
	case ir.Input:
		return inputBound(info.Input)
	case ir.Variable:
		if v, ok := l.limits[r]; ok {
			return v
		}
	case ir.Temp:
		if in := l.defs[r]; in != nil {
			return min(limit, l.instrBound(in, limit, depth-1))
		}
	}
	return limit
}

func inputBound(s ir.Source) uint64 {
	switch s {
	case ir.ThreadPositionInThreadgroupX, ir.ThreadPositionInThreadgroupY, ir.ThreadPositionInThreadgroupZ,
		ir.ThreadIndexInThreadgroup,
		ir.ThreadsPerThreadgroupX, ir.ThreadsPerThreadgroupY, ir.ThreadsPerThreadgroupZ, ir.SimdgroupIndexInThreadgroup,
		ir.QuadgroupIndexInThreadgroup, ir.SimdgroupsPerThreadgroup, ir.QuadgroupsPerThreadgroup:
		return 1024 // Metal's limit on threads per threadgroup
	case ir.ThreadIndexInSimdgroup:
		return 31
	case ir.ThreadIndexInQuadgroup:
		return 3
	}
	return math.MaxUint32
}

// instrBound bounds the result of in, whose type holds values up to limit.
func (l *lowerer) instrBound(in *ir.Instr, limit uint64, depth int) uint64 {
	arg := func(i int) uint64 { return l.boundDepth(in.Args[i], depth) }
	switch in.Op {
	case ir.Copy:
		return arg(0)
	case ir.Load:
		return scalarBound(in.From)
	case ir.Convert:
		if in.From.Type().IsFloat() {
			return scalarBound(in.To)
		}
		if from := arg(0); !ir.IsSigned(in.From) && from <= scalarBound(in.To) {
			return from
		}
		return scalarBound(in.To)
	case ir.And:
		return min(arg(0), arg(1))
	case ir.Or, ir.Xor:
		return 1<<bits.Len64(max(arg(0), arg(1))) - 1
	case ir.UDiv, ir.URem, ir.LShr, ir.Shl:
		if c, ok := l.constant(in.Args[1]); ok {
			return constantBound(in.Op, arg(0), c&limit, limit)
		}
		if in.Op == ir.UDiv || in.Op == ir.LShr {
			return arg(0)
		}
	case ir.Add:
		if sum, carry := bits.Add64(arg(0), arg(1), 0); carry == 0 && sum <= limit {
			return sum
		}
	case ir.Mul:
		if hi, product := bits.Mul64(arg(0), arg(1)); hi == 0 && product <= limit {
			return product
		}
	case ir.Select:
		return max(arg(1), arg(2))
	}
	return limit
}

func constantBound(op ir.Op, a, c, limit uint64) uint64 {
	switch {
	case op == ir.UDiv && c != 0:
		return a / c
	case op == ir.URem && c != 0:
		return min(a, c-1)
	case op == ir.LShr && c < 32:
		return a >> c
	case op == ir.Shl && c < 32 && a <= limit>>c:
		return a << c
	}
	return limit
}

func scalarBound(s ir.Scalar) uint64 {
	switch s {
	case ir.B8:
		return 1
	case ir.U8:
		return math.MaxUint8
	case ir.U16:
		return math.MaxUint16
	case ir.U32:
		return math.MaxUint32
	}
	return math.MaxUint64
}
