package lower

import (
	"math"
	"slices"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
)

// simd lowers communication in a simdgroup or quad, component by component.
func (l *lowerer) simd(e *hir.BuiltinCall) []ir.Reg {
	fn := e.Name[len("simd_"):]
	if fn == "is_helper_thread" {
		return []ir.Reg{l.literal(ir.Bool, 0)}
	}
	if ir.SimdFunctionOf(e.Name) == nil {
		l.fail("unsupported-builtin", "function %s is not supported", e.Name)
	}
	args := l.values(e.Args)
	from, t, n := ir.B8, l.leafTypes(e.Type())[0], 1
	if len(args) > 0 {
		from, n = scalarOf(scalarKind(e.Args[0].Type())), len(args[0])
	}
	out := make([]ir.Reg, n)
	for i := range out {
		regs := make([]ir.Reg, len(args))
		for j, a := range args {
			regs[j] = a[i%len(a)]
		}
		out[i] = l.result(t, &ir.Instr{Op: ir.Simd, Fn: e.Name, From: from, Args: regs})
	}
	return out
}

// vote asks the 32 bits of a ballot.
func (l *lowerer) vote(name string, v ir.Reg) ir.Reg {
	all := l.i64(math.MaxUint32)
	bits := l.op(ir.And, ir.I64, v, all)
	if name == "simd_vote.all" {
		return l.op(ir.Eq, ir.Bool, bits, all)
	}
	return l.op(ir.Ne, ir.Bool, bits, l.i64(0))
}

// atomic lowers atomic_OP_explicit and atomic_fetch_OP_explicit. Memory orders
// beyond relaxed do not reach here.
func (l *lowerer) atomic(e *hir.BuiltinCall) []ir.Reg {
	fn := strings.TrimSuffix(strings.TrimPrefix(e.Name, "atomic_"), "_explicit")
	fn = strings.TrimSuffix(strings.TrimPrefix(fn, "fetch_"), "_weak")
	p := e.Args[0].Type().(*hir.Pointer)
	kind := scalarKind(p.Elem)
	in := &ir.Instr{Op: ir.Atomic, Fn: fn, From: scalarOf(kind)}
	a := l.pointer(e.Args[0])
	if slices.ContainsFunc(e.Args[1:], l.hasEffects) {
		a = l.freezeAddress(a)
	}
	if fn == "compare_exchange" {
		return l.compareExchange(e, in, a, kind)
	}
	if fn != "load" {
		in.Args = l.value(e.Args[1])
	}
	in.Mem = a.mem(kind.Size())
	if fn == "store" {
		l.emit(in)
		return nil
	}
	old := l.temp(registerType(kind))
	in.Dst = []ir.Reg{old}
	l.emit(in)
	if e.Type() == hir.Void {
		return nil
	}
	return []ir.Reg{old}
}

// compareExchange sets *expected to the value found, which on success is the
// one expected.
func (l *lowerer) compareExchange(e *hir.BuiltinCall, in *ir.Instr, a address, kind hir.Kind) []ir.Reg {
	expected := l.pointee(e.Args[1])
	desired := l.value(e.Args[2])
	success, old := l.temp(ir.Bool), l.temp(registerType(kind))
	in.Dst, in.Args = []ir.Reg{success, old}, append(slices.Clone(l.read(expected)), desired...)
	in.Mem = a.mem(kind.Size())
	l.emit(in)
	l.write(expected, []ir.Reg{old})
	return []ir.Reg{success}
}

// pointee is what a pointer value points to.
func (l *lowerer) pointee(e hir.Expr) lvalue {
	switch x := samePointee(e).(type) {
	case *hir.AddrOf:
		return l.lvalue(x.X)
	case *hir.Load:
		if v, ok := pointerVar(x); ok {
			if p, ok := l.pointers[v]; ok {
				return p
			}
		}
	}
	return memory(e.Type().(*hir.Pointer).Elem, l.pointer(e))
}

// Simdgroup matrices. Lane l holds the elements (r, c) and (r, c+1) with
// r = (q&4) + (l/2)%4, c = (q&2)·2 + (l%2)·2, q = l/4.

// laneElement is the row and column of this lane's first element. They are
// computed once, at the start of the kernel.
func (l *lowerer) laneElement() (row, col ir.Reg) {
	if l.lane == nil {
		old := l.body
		l.body = &l.prelude
		lane := l.input(ir.ThreadIndexInSimdgroup, 0, "thread_index_in_simdgroup")
		quad := l.op(ir.LShr, ir.I32, lane, l.i32(2))
		half := l.op(ir.And, ir.I32, l.op(ir.LShr, ir.I32, lane, l.i32(1)), l.i32(3))
		row = l.op(ir.Add, ir.I32, l.op(ir.And, ir.I32, quad, l.i32(4)), half)
		left := l.op(ir.Shl, ir.I32, l.op(ir.And, ir.I32, quad, l.i32(2)), l.i32(1))
		odd := l.op(ir.Shl, ir.I32, l.op(ir.And, ir.I32, lane, l.i32(1)), l.i32(1))
		col = l.op(ir.Add, ir.I32, left, odd)
		l.body, l.lane = old, []ir.Reg{row, col}
	}
	return l.lane[0], l.lane[1]
}

func (l *lowerer) simdgroupMatrix(e *hir.BuiltinCall) []ir.Reg {
	switch e.Name {
	case "make_filled_simdgroup_matrix":
		v := l.value(e.Args[0])[0]
		return []ir.Reg{v, v}
	case "simdgroup_load":
		d := l.lvalue(e.Args[0])
		l.write(d, l.matrixLoad(e))
	case "simdgroup_store":
		l.matrixStore(e, l.freeze(l.value(e.Args[0])))
	case "simdgroup_multiply", "simdgroup_multiply_accumulate":
		d := l.lvalue(e.Args[0])
		operands := l.values(e.Args[1:])
		var c []ir.Reg
		if len(operands) == 3 {
			c = operands[2]
		}
		l.write(d, l.simdProduct(scalarKind(e.Args[0].Type()), operands[0], operands[1], c))
	default:
		l.fail("unsupported-builtin", "function %s is not supported", e.Name)
	}
	return nil
}

// simdProduct is a·b + c, with c zero if nil, in elements of kind k.
func (l *lowerer) simdProduct(k hir.Kind, a, b, c []ir.Reg) []ir.Reg {
	t := registerType(k)
	if c == nil {
		zero := l.literal(t, 0)
		c = []ir.Reg{zero, zero}
	}
	if l.typeOf(a[0]) != l.typeOf(b[0]) {
		a, b = l.widenMatrix(a), l.widenMatrix(b)
	}
	d := []ir.Reg{l.temp(t), l.temp(t)}
	l.emit(&ir.Instr{Op: ir.MatMul, Dst: d, Args: slices.Concat(a, b, c)})
	return d
}

// widenMatrix is a matrix with float elements: every half and bfloat is one.
func (l *lowerer) widenMatrix(m []ir.Reg) []ir.Reg {
	from := map[ir.Type]ir.Scalar{ir.F16: ir.H16, ir.BF16: ir.T16, ir.F32: ir.R32}[l.typeOf(m[0])]
	if from == ir.R32 {
		return m
	}
	return []ir.Reg{l.convert(from, ir.R32, m[0]), l.convert(from, ir.R32, m[1])}
}

// simdDiagonal is the matrix with v on its diagonal.
func (l *lowerer) simdDiagonal(k hir.Kind, v ir.Reg) []ir.Reg {
	t := registerType(k)
	row, col := l.laneElement()
	zero := l.literal(t, 0)
	first := l.op(ir.Eq, ir.Bool, row, col)
	second := l.op(ir.Eq, ir.Bool, row, l.op(ir.Add, ir.I32, col, l.i32(1)))
	return []ir.Reg{l.op(ir.Select, t, first, v, zero), l.op(ir.Select, t, second, v, zero)}
}

// matrixAccess is where the two elements of this lane are in memory.
type matrixAccess struct {
	first, second address
	run           run // of one element
	adjacent      bool
}

// matrixMemory lowers the arguments from the pointer on: pointer, elements of
// a row, origin (x is the column, y the row of the memory matrix), transpose.
//
// The origin counts in the matrix as it lies in memory, transposed or not: the
// element (r, c) is at row origin.y + r and column origin.x + c, or, transposed,
// at row origin.y + c and column origin.x + r.
func (l *lowerer) matrixMemory(args []hir.Expr) matrixAccess {
	p := args[0].Type().(*hir.Pointer)
	kind := scalarKind(p.Elem)
	base := l.freezeAddress(l.pointer(args[0]))
	stride := l.value(args[1])[0]
	origin := l.value(args[2])
	transposed := l.value(args[3])[0]
	bits, ok := l.constant(transposed)
	if !ok {
		return l.matrixDynamic(base, kind, stride, origin, transposed)
	}
	return l.matrixAt(base, kind, stride, origin, bits != 0)
}

func (l *lowerer) matrixAt(base address, kind hir.Kind, stride ir.Reg, origin []ir.Reg, transposed bool) matrixAccess {
	row, col := l.laneElement()
	size := int64(kind.Size())
	m := matrixAccess{run: run{scalar: scalarOf(kind), n: 1, align: kind.Size()}, adjacent: !transposed}
	if transposed {
		row, col = col, row
	}
	base, index := l.matrixIndex(base, stride, origin, row, col, size)
	m.first = l.indexedBy(base, index, false, size)
	if !transposed {
		m.second = m.first.plus(int(size))
		return m
	}
	if v, ok := l.constant(stride); ok {
		m.second = m.first.plus(int(int64(v) * size))
		return m
	}
	m.second = l.indexedBy(base, l.op(ir.Add, ir.I64, l.wide(index, false), stride), false, size)
	return m
}

// matrixIndex is (origin.y + row)·stride + origin.x + col, with constant terms
// moved to the address. It is computed in 32 bits if it cannot wrap.
func (l *lowerer) matrixIndex(
	base address, stride ir.Reg, origin []ir.Reg, row, col ir.Reg, size int64,
) (address, ir.Reg) {
	s, constStride := l.constant(stride)
	x, constX := l.constant(origin[0])
	y, constY := l.constant(origin[1])
	if constStride && s < 1<<20 {
		index := l.op(ir.Add, ir.I32, l.op(ir.Mul, ir.I32, row, l.i32(int64(s))), col)
		if constX && constY {
			base.disp += (int64(y)*int64(s) + int64(x)) * size
			return base, index
		}
		offset := l.op(ir.Add, ir.I64, l.op(ir.Mul, ir.I64, origin[1], stride), origin[0])
		return base, l.op(ir.Add, ir.I64, offset, l.wide(index, false))
	}
	line := l.wide(row, false)
	if !constY || y != 0 {
		line = l.op(ir.Add, ir.I64, origin[1], line)
	}
	index := l.op(ir.Mul, ir.I64, line, stride)
	if constX {
		base.disp += int64(x) * size
	} else {
		index = l.op(ir.Add, ir.I64, index, origin[0])
	}
	return base, l.op(ir.Add, ir.I64, index, l.wide(col, false))
}

// matrixDynamic decides at run time whether to transpose.
func (l *lowerer) matrixDynamic(
	base address, kind hir.Kind, stride ir.Reg, origin []ir.Reg, transposed ir.Reg,
) matrixAccess {
	plain, flipped := l.matrixAt(base, kind, stride, origin, false), l.matrixAt(base, kind, stride, origin, true)
	choose := func(a, b address) address {
		p := l.op(ir.Select, ir.Ptr, transposed, l.materialise(b), l.materialise(a))
		return address{space: base.space, base: p, index: ir.None}
	}
	return matrixAccess{first: choose(plain.first, flipped.first), second: choose(plain.second, flipped.second),
		run: plain.run}
}

func (l *lowerer) matrixLoad(e *hir.BuiltinCall) []ir.Reg {
	m := l.matrixMemory(e.Args[1:])
	l.emit(&ir.Instr{Op: ir.Converge})
	if m.adjacent {
		m.run.n = 2
		return l.load(m.first, m.run)
	}
	return append(l.load(m.first, m.run), l.load(m.second, m.run)...)
}

func (l *lowerer) matrixStore(e *hir.BuiltinCall, regs []ir.Reg) {
	m := l.matrixMemory(e.Args[1:])
	l.emit(&ir.Instr{Op: ir.Converge})
	if m.adjacent {
		m.run.n = 2
		l.store(m.first, m.run, regs)
		return
	}
	l.store(m.first, m.run, regs[:1])
	l.store(m.second, m.run, regs[1:])
}
