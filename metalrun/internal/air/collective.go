package air

import (
	"math"
	"slices"

	"metalconform/metalrun/internal/air/bitcode"
	"metalconform/metalrun/internal/ir"
)

// simd translates communication in a simdgroup or quad, element by element.
func (fr *frame) simd(in *bitcode.Instr, name []string) {
	fn := name[0]
	if (fn == "simd_vote_all" || fn == "simd_vote_any") && len(in.Args) == 1 {
		fr.set(in, value{regs: []ir.Reg{fr.vote(fn, fr.one(in.Args[0]))}})
		return
	}
	f := ir.SimdFunctionOf(fn)
	if f == nil || in.Type.Kind == bitcode.Void || len(in.Args) < len(f.Args) {
		unsupported(in)
	}
	t := elementOf(in.Type)
	from, signed := scalarOf(t), len(name) > 2 && name[len(name)-2] == "s"
	if len(f.Args) == 0 || f.Args[0] == ir.Bool {
		from, signed = ir.B8, false
	} else if signed {
		from = signedScalar(t)
	}
	call := func(a []ir.Reg) ir.Reg {
		a = slices.Clone(a[:len(f.Args)])
		for i := range a {
			if signed && i < 2 && fr.typeOf(a[i]) == from.Type() && f.Args[i] != ir.I32 {
				a[i] = fr.extend(t, a[i])
			}
		}
		d := fr.temp(scalarOf(t).Type())
		fr.emit(&ir.Instr{Op: ir.Simd, Fn: fn, From: from, Dst: []ir.Reg{d}, Args: a})
		if signed {
			return fr.narrow(t, d)
		}
		return d
	}
	if len(in.Args) == 0 {
		fr.set(in, value{regs: []ir.Reg{call(nil)}})
		return
	}
	fr.elements(in, call)
}

// vote asks the 32 bits of a ballot.
func (l *lowerer) vote(fn string, v ir.Reg) ir.Reg {
	all := l.i64(math.MaxUint32)
	bits := l.op(ir.And, ir.I64, v, all)
	if fn == "simd_vote_all" {
		return l.op(ir.Eq, ir.Bool, bits, all)
	}
	return l.op(ir.Ne, ir.Bool, bits, l.i64(0))
}

// atomic translates air.atomic.SPACE.OPERATION.TYPE.
func (fr *frame) atomic(in *bitcode.Instr, name []string) {
	if len(name) < 4 || len(in.Args) == 0 || in.Args[0].Type.Kind != bitcode.Pointer {
		unsupported(in)
	}
	fn, last := name[2], name[len(name)-1]
	from, ok := map[string]ir.Scalar{"i32": ir.U32, "f32": ir.R32, "i64": ir.U64, "i1": ir.B8, "i8": ir.B8}[last]
	if !ok {
		unsupported(in)
	}
	if name[len(name)-2] == "s" && from == ir.U32 {
		from = ir.S32
	}
	switch fn {
	case "xchg":
		fn = "exchange"
	case "cmpxchg":
		fr.compareExchange(in, from)
		return
	}
	x := &ir.Instr{Op: ir.Atomic, Fn: fn, From: from, Mem: fr.mem(in.Args[0], 0, from.Size(), false)}
	switch fn {
	case "load":
	case "store", "exchange", "add", "sub", "and", "or", "xor", "min", "max":
		if len(in.Args) < 2 {
			unsupported(in)
		}
		x.Args = []ir.Reg{fr.one(in.Args[1])}
	default:
		unsupported(in)
	}
	if from == ir.B8 {
		refuse("atomic operations on bool are not supported")
	}
	if fn == "store" {
		fr.emit(x)
		return
	}
	x.Dst = []ir.Reg{fr.temp(from.Type())}
	fr.emit(x)
	fr.set(in, value{regs: x.Dst})
}

// compareExchange stores what it found where it found the value that it expected.
func (fr *frame) compareExchange(in *bitcode.Instr, from ir.Scalar) {
	if len(in.Args) < 3 || in.Args[1].Type.Kind != bitcode.Pointer {
		unsupported(in)
	}
	expected, ok, old := fr.temp(from.Type()), fr.temp(ir.Bool), fr.temp(from.Type())
	at := func() *ir.Mem { return fr.mem(in.Args[1], 0, from.Size(), false) }
	fr.emit(&ir.Instr{Op: ir.Load, Dst: []ir.Reg{expected}, From: from, Mem: at()})
	fr.emit(&ir.Instr{Op: ir.Atomic, Fn: "compare_exchange", From: from, Dst: []ir.Reg{ok, old},
		Args: []ir.Reg{expected, fr.one(in.Args[2])}, Mem: fr.mem(in.Args[0], 0, from.Size(), false)})
	fr.emit(&ir.Instr{Op: ir.Store, Args: []ir.Reg{old}, From: from, Mem: at()})
	if in.Type.Kind == bitcode.Integer && in.Type.Bits == 1 {
		old = ok
	}
	fr.set(in, value{regs: []ir.Reg{old}})
}

// Simdgroup matrices. Lane l holds the elements (r, c) and (r, c+1) with r = (q&4) + (l/2)%4, c = (q&2)·2 + (l%2)·2,
// q = l/4.

// laneElement is the row and column of this lane's first element, computed once.
func (l *lowerer) laneElement() (row, col ir.Reg) {
	if l.lane == nil {
		nodes := l.into(func() {
			lane := l.input(ir.ThreadIndexInSimdgroup, 0, "thread_index_in_simdgroup")
			and := func(r ir.Reg, bits int) ir.Reg { return l.op(ir.And, ir.I32, r, l.i32(bits)) }
			quad := l.op(ir.LShr, ir.I32, lane, l.i32(2))
			row = l.op(ir.Add, ir.I32, and(quad, 4), and(l.op(ir.LShr, ir.I32, lane, l.i32(1)), 3))
			col = l.op(ir.Shl, ir.I32, l.op(ir.Add, ir.I32, and(quad, 2), and(lane, 1)), l.i32(1))
		})
		l.prelude = append(l.prelude, nodes...)
		l.lane = []ir.Reg{row, col}
	}
	return l.lane[0], l.lane[1]
}

func (fr *frame) matrix(in *bitcode.Instr, fn string) {
	t := in.Type
	if fn == "store" && len(in.Args) > 0 {
		t = in.Args[0].Type
	}
	if !isMatrix(t) || !t.Elem.IsFloat() {
		unsupported(in)
	}
	switch {
	case fn == "init_filled" && len(in.Args) == 1:
		r := fr.one(in.Args[0])
		fr.set(in, value{regs: []ir.Reg{r, r}})
	case fn == "multiply_accumulate" && len(in.Args) == 3:
		fr.product(in)
	case fn == "load" && len(in.Args) == 4:
		fr.matrixLoad(in, scalarOf(t.Elem))
	case fn == "store" && len(in.Args) == 5:
		fr.matrixStore(in, scalarOf(t.Elem))
	default:
		unsupported(in)
	}
}

func (fr *frame) matrixLoad(in *bitcode.Instr, s ir.Scalar) {
	m := fr.matrixMemory(in.Args, s.Size())
	d := []ir.Reg{fr.temp(s.Type()), fr.temp(s.Type())}
	fr.emit(&ir.Instr{Op: ir.Converge})
	if m.adjacent {
		fr.emit(&ir.Instr{Op: ir.Load, From: s, Dst: d, Mem: m.first})
	} else {
		fr.emit(&ir.Instr{Op: ir.Load, From: s, Dst: d[:1], Mem: m.first})
		fr.emit(&ir.Instr{Op: ir.Load, From: s, Dst: d[1:], Mem: m.second})
	}
	fr.set(in, value{regs: d})
}

func (fr *frame) matrixStore(in *bitcode.Instr, s ir.Scalar) {
	x, m := fr.flat(in.Args[0]), fr.matrixMemory(in.Args[1:], s.Size())
	fr.emit(&ir.Instr{Op: ir.Converge})
	if m.adjacent {
		fr.emit(&ir.Instr{Op: ir.Store, From: s, Args: x, Mem: m.first})
		return
	}
	fr.emit(&ir.Instr{Op: ir.Store, From: s, Args: x[:1], Mem: m.first})
	fr.emit(&ir.Instr{Op: ir.Store, From: s, Args: x[1:], Mem: m.second})
}

// product is a·b + c. Operands of different types are widened to float.
func (fr *frame) product(in *bitcode.Instr) {
	a, b, c := fr.flat(in.Args[0]), fr.flat(in.Args[1]), fr.flat(in.Args[2])
	if len(a) != 2 || len(b) != 2 || len(c) != 2 {
		unsupported(in)
	}
	if fr.typeOf(a[0]) != fr.typeOf(b[0]) {
		for i, m := range []*[]ir.Reg{&a, &b} {
			if s := scalarOf(elementOf(in.Args[i].Type)); s != ir.R32 {
				*m = []ir.Reg{fr.convert(s, ir.R32, (*m)[0]), fr.convert(s, ir.R32, (*m)[1])}
			}
		}
	}
	t := fr.typeOf(c[0])
	d := []ir.Reg{fr.temp(t), fr.temp(t)}
	fr.emit(&ir.Instr{Op: ir.MatMul, Dst: d, Args: slices.Concat(a, b, c)})
	fr.set(in, value{regs: d})
}

// matrixAccess is where the two elements of this lane are.
type matrixAccess struct {
	first, second *ir.Mem
	adjacent      bool
}

// matrixMemory finds the elements of a matrix whose elements have some bytes. Up to AIR 2.6 the arguments are the
// pointer, elements of a row, the origin and whether to transpose; then the pointer, the shape, the strides of columns
// and rows, and the origin.
func (fr *frame) matrixMemory(args []*bitcode.Value, size int) matrixAccess {
	if args[0].Type.Kind != bitcode.Pointer {
		refuse("a simdgroup matrix is in no memory")
	}
	row, col := fr.laneElement()
	strides, origin := fr.flat(args[2]), fr.flat(args[3])
	step := 0 // the stride from the first element to the second
	if args[1].Type.Kind == bitcode.Integer {
		strides, origin = []ir.Reg{fr.i64(1), fr.one(args[1])}, fr.flat(args[2])
		transposed, ok := args[3].Constant()
		if !ok {
			refuse("a simdgroup matrix is transposed as a value says at run time")
		}
		if transposed != 0 {
			row, col, step = col, row, 1
		}
	}
	if len(strides) != 2 || len(origin) != 2 || fr.typeOf(strides[1]) != ir.I64 || fr.typeOf(origin[0]) != ir.I64 {
		refuse("a simdgroup matrix has strides or an origin that are no pairs of long")
	}
	m := matrixAccess{first: fr.matrixElement(args[0], [2]ir.Reg{col, row}, strides, origin, int64(size))}
	bits, ok := fr.literalBits(strides[step])
	switch {
	case ok && bits == 1:
		m.adjacent = true
	case ok:
		second := *m.first
		second.Disp += int64(bits) * int64(size)
		m.second = &second
	default:
		second := *m.first
		second.Base = fr.op(ir.PtrAdd, ir.Ptr, second.Base, fr.op(ir.Mul, ir.I64, strides[step], fr.i64(int64(size))))
		m.second = &second
	}
	return m
}

// matrixElement is the memory at (origin + at)·strides, both a column and a row. The index has 32 bits if it cannot
// wrap.
func (fr *frame) matrixElement(p *bitcode.Value, at [2]ir.Reg, strides, origin []ir.Reg, size int64) *ir.Mem {
	x := fr.value(p)
	base := value{regs: x.regs, index: x.index, scale: x.scale, short: x.short, sign: x.sign}
	m := &ir.Mem{Space: space(p.Type.Space), Base: fr.computed(base)[0], Disp: x.disp, Scale: size, Align: int(size)}
	sx, constX := fr.literalBits(strides[0])
	sy, constY := fr.literalBits(strides[1])
	ox, knownX := fr.literalBits(origin[0])
	oy, knownY := fr.literalBits(origin[1])
	var terms []ir.Reg
	if constX && constY && sx < 1<<20 && sy < 1<<20 {
		index := fr.op(ir.Add, ir.I32, fr.times(at[1], int(sy)), fr.times(at[0], int(sx)))
		if knownX && knownY && ox < 1<<30 && oy < 1<<30 {
			m.Disp += int64(oy*sy+ox*sx) * size
			m.Index = index
			return m
		}
		terms = append(terms, fr.convert(ir.U32, ir.U64, index))
	} else {
		for i := range 2 {
			terms = append(terms, fr.op(ir.Mul, ir.I64, fr.convert(ir.U32, ir.U64, at[i]), strides[i]))
		}
	}
	m.Index = terms[0]
	for i, known := range []bool{knownX && ox == 0, knownY && oy == 0} {
		if !known {
			terms = append(terms, fr.op(ir.Mul, ir.I64, origin[i], strides[i]))
		}
	}
	for _, t := range terms[1:] {
		m.Index = fr.op(ir.Add, ir.I64, m.Index, t)
	}
	return m
}

func (l *lowerer) times(r ir.Reg, n int) ir.Reg {
	if n == 1 {
		return r
	}
	return l.op(ir.Mul, ir.I32, r, l.i32(n))
}

// literalBits is the value of a register that is a literal.
func (l *lowerer) literalBits(r ir.Reg) (bits uint64, ok bool) {
	return l.k.Regs[r].Bits, l.k.Regs[r].Kind == ir.Literal
}
