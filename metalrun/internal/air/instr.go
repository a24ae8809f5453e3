package air

import (
	"slices"

	"metalconform/metalrun/internal/air/bitcode"
	"metalconform/metalrun/internal/ir"
)

var integerOps = [...]ir.Op{bitcode.Add: ir.Add, bitcode.Sub: ir.Sub, bitcode.Mul: ir.Mul, bitcode.UDiv: ir.UDiv,
	bitcode.SDiv: ir.SDiv, bitcode.URem: ir.URem, bitcode.SRem: ir.SRem, bitcode.Shl: ir.Shl, bitcode.LShr: ir.LShr,
	bitcode.AShr: ir.AShr, bitcode.And: ir.And, bitcode.Or: ir.Or, bitcode.Xor: ir.Xor}

var floatOps = map[uint8]ir.Op{bitcode.Add: ir.Add, bitcode.Sub: ir.Sub, bitcode.Mul: ir.Mul, bitcode.SDiv: ir.Div}

// instr translates an instruction that is neither a phi nor a terminator.
func (fr *frame) instr(in *bitcode.Instr) {
	switch in.Op {
	case bitcode.Binary:
		fr.each(in, fr.binary)
	case bitcode.Unary:
		fr.each(in, func(_ *bitcode.Instr, t *bitcode.Type, a []ir.Reg) ir.Reg {
			return fr.op(ir.Neg, scalarOf(t).Type(), a...)
		})
	case bitcode.Compare:
		fr.each(in, fr.compare)
	case bitcode.Select:
		fr.selection(in)
	case bitcode.CastOp:
		fr.cast(in)
	case bitcode.Freeze:
		fr.set(in, fr.value(in.Args[0]))
	case bitcode.ExtractElement, bitcode.InsertElement, bitcode.Shuffle, bitcode.ExtractValue, bitcode.InsertValue:
		fr.set(in, value{regs: fr.parts(in)})
	case bitcode.GetElementPtr:
		fr.set(in, fr.address(in.Elem, in.Args))
	case bitcode.Alloca:
		fr.set(in, value{regs: []ir.Reg{fr.variableObject(in)}})
	case bitcode.Load:
		fr.set(in, value{regs: fr.load(in)})
	case bitcode.Store:
		fr.store(in)
	case bitcode.Call:
		fr.call(in)
	case bitcode.Fence:
		refuse("the instruction fence is not supported")
	default:
		refuse("instruction %d is not supported", in.Op)
	}
}

// each computes an operation for each element. It gets the type of an element of the first operand.
func (fr *frame) each(in *bitcode.Instr, f func(in *bitcode.Instr, t *bitcode.Type, args []ir.Reg) ir.Reg) {
	var args [][]ir.Reg
	for _, a := range in.Args {
		args = append(args, fr.flat(a))
	}
	t := elementOf(in.Args[0].Type)
	fr.set(in, value{regs: elementwise(args, func(a []ir.Reg) ir.Reg { return f(in, t, a) })})
}

// elementwise calls f for each element. Operands of one element serve all.
func elementwise(args [][]ir.Reg, f func(a []ir.Reg) ir.Reg) []ir.Reg {
	n := 1
	for _, a := range args {
		if len(a) > 1 && n > 1 && len(a) != n {
			refuse("operands have %d and %d elements", n, len(a))
		}
		n = max(n, len(a))
	}
	out := make([]ir.Reg, n)
	for i := range out {
		one := make([]ir.Reg, len(args))
		for j, a := range args {
			one[j] = a[i%len(a)]
		}
		out[i] = f(one)
	}
	return out
}

// narrow clears the bits of a register that an integer of fewer than 32 bits does not have.
func (l *lowerer) narrow(t *bitcode.Type, r ir.Reg) ir.Reg {
	if t.Kind == bitcode.Integer && t.Bits > 1 && t.Bits < 32 {
		return l.op(ir.And, ir.I32, r, l.i32(1<<t.Bits-1))
	}
	return r
}

// extend extends the sign of an integer of fewer than 32 bits.
func (l *lowerer) extend(t *bitcode.Type, r ir.Reg) ir.Reg {
	switch {
	case t.Kind != bitcode.Integer:
	case t.Bits == 8:
		return l.convert(ir.U32, ir.S8, r)
	case t.Bits == 16:
		return l.convert(ir.U32, ir.S16, r)
	}
	return r
}

func (fr *frame) binary(in *bitcode.Instr, t *bitcode.Type, a []ir.Reg) ir.Reg {
	kind := scalarOf(t).Type()
	if t.IsFloat() {
		if in.Sub == bitcode.SRem {
			return fr.math("fmod", false, kind, a...)
		}
		op, ok := floatOps[in.Sub]
		if !ok {
			refuse("operation %d on floats is not supported", in.Sub)
		}
		return fr.divided(op, kind, a)
	}
	op := integerOps[in.Sub]
	if kind == ir.Bool {
		return fr.logic(in.Sub, a)
	}
	switch in.Sub {
	case bitcode.SDiv, bitcode.SRem:
		a = []ir.Reg{fr.extend(t, a[0]), fr.extend(t, a[1])}
	case bitcode.AShr:
		a = []ir.Reg{fr.extend(t, a[0]), a[1]}
	}
	r := fr.op(op, kind, a...)
	switch in.Sub {
	case bitcode.UDiv, bitcode.URem, bitcode.LShr, bitcode.And, bitcode.Or, bitcode.Xor:
		return r // no bits beyond those of the operands
	}
	return fr.narrow(t, r)
}

// divided is an operation on floats. A quotient that may be approximate is the fast one.
func (l *lowerer) divided(op ir.Op, t ir.Type, a []ir.Reg) ir.Reg {
	return l.result(t, &ir.Instr{Op: op, Args: a, Fast: op == ir.Div && t == ir.F32 && l.allow&ir.Approximate != 0})
}

// logic is an operation on integers of one bit.
func (l *lowerer) logic(sub uint8, a []ir.Reg) ir.Reg {
	switch sub {
	case bitcode.And, bitcode.Mul:
		return l.op(ir.And, ir.Bool, a...)
	case bitcode.Or:
		return l.op(ir.Or, ir.Bool, a...)
	case bitcode.Xor, bitcode.Add, bitcode.Sub:
		return l.op(ir.Xor, ir.Bool, a...)
	}
	refuse("operation %d on integers of one bit is not supported", sub)
	return 0
}

func (fr *frame) compare(in *bitcode.Instr, t *bitcode.Type, a []ir.Reg) ir.Reg {
	if t.IsFloat() {
		return fr.compareFloats(in.Sub, a[0], a[1])
	}
	switch in.Sub {
	case bitcode.ICmpEQ:
		return fr.op(ir.Eq, ir.Bool, a...)
	case bitcode.ICmpNE:
		return fr.op(ir.Ne, ir.Bool, a...)
	}
	signed := in.Sub >= bitcode.ICmpSGT
	switch {
	case t.Kind == bitcode.Integer && t.Bits == 1: // as bytes; a true that has a sign is -1, below false
		one, zero := fr.i32(1), fr.i32(0)
		if signed {
			one = fr.i32(-1)
		}
		a = []ir.Reg{fr.op(ir.Select, ir.I32, a[0], one, zero), fr.op(ir.Select, ir.I32, a[1], one, zero)}
	case signed && t.Kind == bitcode.Pointer:
		refuse("pointers are compared as integers with a sign")
	case signed:
		a = []ir.Reg{fr.extend(t, a[0]), fr.extend(t, a[1])}
	}
	less, notGreater := ir.ULt, ir.ULe
	if signed {
		less, notGreater = ir.SLt, ir.SLe
	}
	switch in.Sub {
	case bitcode.ICmpUGT, bitcode.ICmpSGT:
		return fr.op(less, ir.Bool, a[1], a[0])
	case bitcode.ICmpUGE, bitcode.ICmpSGE:
		return fr.op(notGreater, ir.Bool, a[1], a[0])
	case bitcode.ICmpULT, bitcode.ICmpSLT:
		return fr.op(less, ir.Bool, a...)
	}
	return fr.op(notGreater, ir.Bool, a...)
}

// compareFloats compares by a predicate, a set of the outcomes for which it holds: 1 equal, 2 greater, 4 less and 8
// unordered. A set with 8 is the complement of one without.
func (l *lowerer) compareFloats(set uint8, x, y ir.Reg) ir.Reg {
	not := func(r ir.Reg) ir.Reg { return l.op(ir.Not, ir.Bool, r) }
	switch set {
	case 0:
		return l.literal(ir.Bool, 0)
	case 1:
		return l.op(ir.Eq, ir.Bool, x, y)
	case 2:
		return l.op(ir.FLt, ir.Bool, y, x)
	case 3:
		return l.op(ir.FLe, ir.Bool, y, x)
	case 4:
		return l.op(ir.FLt, ir.Bool, x, y)
	case 5:
		return l.op(ir.FLe, ir.Bool, x, y)
	case 6:
		return l.op(ir.Or, ir.Bool, l.op(ir.FLt, ir.Bool, x, y), l.op(ir.FLt, ir.Bool, y, x))
	case 7:
		return l.op(ir.And, ir.Bool, l.op(ir.Eq, ir.Bool, x, x), l.op(ir.Eq, ir.Bool, y, y))
	case 14:
		return l.op(ir.Ne, ir.Bool, x, y)
	case 15:
		return l.literal(ir.Bool, 1)
	}
	return not(l.compareFloats(15-set, x, y))
}

// selection is a choice: of one of two values, or element by element.
func (fr *frame) selection(in *bitcode.Instr) {
	c, x, y := fr.flat(in.Args[0]), fr.flat(in.Args[1]), fr.flat(in.Args[2])
	var out []ir.Reg
	for i := range x {
		out = append(out, fr.op(ir.Select, fr.typeOf(x[i]), c[i%len(c)], x[i], y[i]))
	}
	fr.set(in, value{regs: out})
}

func (fr *frame) cast(in *bitcode.Instr) {
	from, to := in.Args[0].Type, in.Type
	f, t := elementOf(from), elementOf(to)
	each := func(convert func(r ir.Reg) ir.Reg) {
		args := [][]ir.Reg{fr.flat(in.Args[0])}
		fr.set(in, value{regs: elementwise(args, func(a []ir.Reg) ir.Reg { return convert(a[0]) })})
	}
	switch in.Sub {
	case bitcode.BitCast, bitcode.AddrSpaceCast:
		if t.Kind == bitcode.Pointer {
			if from.Space != to.Space {
				refuse("a pointer changes its address space")
			}
			fr.set(in, fr.value(in.Args[0]))
			return
		}
		fr.set(in, value{regs: fr.reinterpret(from, to, fr.flat(in.Args[0]))})
	case bitcode.Trunc, bitcode.ZExt, bitcode.SExt:
		each(func(r ir.Reg) ir.Reg { return fr.resize(in.Sub, f, t, r) })
	case bitcode.FPTrunc, bitcode.FPExt:
		each(func(r ir.Reg) ir.Reg { return fr.convert(scalarOf(f), scalarOf(t), r) })
	case bitcode.UIToFP:
		each(func(r ir.Reg) ir.Reg { return fr.convert(scalarOf(f), scalarOf(t), r) })
	case bitcode.SIToFP:
		each(func(r ir.Reg) ir.Reg { return fr.convert(signedScalar(f), scalarOf(t), fr.extend(f, r)) })
	case bitcode.FPToUI:
		each(func(r ir.Reg) ir.Reg { return fr.convert(scalarOf(f), scalarOf(t), r) })
	case bitcode.FPToSI:
		each(func(r ir.Reg) ir.Reg { return fr.narrow(t, fr.convert(scalarOf(f), signedScalar(t), r)) })
	case bitcode.PtrToInt:
		each(func(r ir.Reg) ir.Reg {
			return fr.resize(bitcode.Trunc, bitcode.NewInteger(64), t, fr.bitcast(ir.P64, ir.U64, r))
		})
	case bitcode.IntToPtr:
		if f.Bits != 64 {
			refuse("a pointer is made of %d bits", f.Bits)
		}
		each(func(r ir.Reg) ir.Reg { return fr.bitcast(ir.U64, ir.P64, r) })
	}
}

// signedScalar is an integer type with a sign.
func signedScalar(t *bitcode.Type) ir.Scalar {
	switch s := scalarOf(t); s {
	case ir.U8:
		return ir.S8
	case ir.U16:
		return ir.S16
	case ir.U32:
		return ir.S32
	case ir.U64:
		return ir.S64
	default:
		return s
	}
}

// resize is an integer with more or fewer bits.
func (l *lowerer) resize(cast uint8, from, to *bitcode.Type, r ir.Reg) ir.Reg {
	kind := scalarOf(to).Type()
	if from.Bits == 1 {
		one := uint64(1)
		if cast == bitcode.SExt {
			one = 1<<min(to.Bits, 63) - 1
			if to.Bits == 64 {
				one = ^uint64(0)
			}
		}
		return l.op(ir.Select, kind, r, l.literal(kind, one), l.literal(kind, 0))
	}
	switch cast {
	case bitcode.Trunc:
		if from.Bits == 64 && to.Bits < 64 {
			r = l.convert(ir.U64, ir.U32, r)
		}
		if to.Bits == 1 {
			return l.op(ir.Ne, ir.Bool, l.op(ir.And, ir.I32, r, l.i32(1)), l.i32(0))
		}
		return l.narrow(to, r)
	case bitcode.ZExt:
		if to.Bits == 64 {
			return l.convert(ir.U32, ir.U64, r)
		}
		return r
	}
	r = l.extend(from, r)
	if to.Bits == 64 {
		return l.convert(ir.S32, ir.S64, r)
	}
	return l.narrow(to, r)
}

// raw is a scalar as an integer of its size.
func (l *lowerer) raw(t *bitcode.Type, r ir.Reg) ir.Reg {
	return l.bitcast(scalarOf(t), rawScalar(t), r)
}

func rawScalar(t *bitcode.Type) ir.Scalar {
	switch t.Kind {
	case bitcode.Float:
		return ir.U32
	case bitcode.Half, bitcode.BFloat:
		return ir.U16
	case bitcode.Pointer:
		return ir.U64
	}
	return scalarOf(t)
}

// reinterpret is a value with the same bits and another type: vectors and scalars of one size.
func (l *lowerer) reinterpret(from, to *bitcode.Type, regs []ir.Reg) []ir.Reg {
	f, t := elementOf(from), elementOf(to)
	if isMatrix(from) || isMatrix(to) || f.Kind == bitcode.Integer && f.Bits%8 != 0 ||
		t.Kind == bitcode.Integer && t.Bits%8 != 0 {
		refuse("a bitcast from %s to %s is not supported", from, to)
	}
	ints := make([]ir.Reg, len(regs))
	for i, r := range regs {
		ints[i] = l.raw(f, r)
	}
	if f.Size != t.Size {
		ints = l.joined(l.split(ints, f.Size, min(f.Size, t.Size)), min(f.Size, t.Size), t.Size)
	}
	for i, r := range ints {
		ints[i] = l.bitcast(rawScalar(t), scalarOf(t), r)
	}
	return ints
}

// split takes integers of some bytes apart into integers of fewer.
func (l *lowerer) split(ints []ir.Reg, size, part int) (out []ir.Reg) {
	if size == part {
		return ints
	}
	if size == 8 {
		var words []ir.Reg
		for _, r := range ints {
			low, high := l.temp(ir.I32), l.temp(ir.I32)
			l.emit(&ir.Instr{Op: ir.Unpack, Dst: []ir.Reg{low, high}, Args: []ir.Reg{r}})
			words = append(words, low, high)
		}
		return l.split(words, 4, part)
	}
	for _, r := range ints {
		for i := range size / part {
			p := r
			if i > 0 {
				p = l.op(ir.LShr, ir.I32, r, l.i32(8*part*i))
			}
			out = append(out, l.op(ir.And, ir.I32, p, l.i32(1<<(8*part)-1)))
		}
	}
	return out
}

// joined puts integers of some bytes together into integers of more.
func (l *lowerer) joined(parts []ir.Reg, size, whole int) (out []ir.Reg) {
	if size == whole {
		return parts
	}
	if whole == 8 {
		words := l.joined(parts, size, 4)
		for i := 0; i+1 < len(words); i += 2 {
			out = append(out, l.op(ir.Pack, ir.I64, words[i], words[i+1]))
		}
		return out
	}
	n := whole / size
	for i := 0; i+n <= len(parts); i += n {
		r := parts[i]
		for j := 1; j < n; j++ {
			r = l.op(ir.Or, ir.I32, r, l.op(ir.Shl, ir.I32, parts[i+j], l.i32(8*size*j)))
		}
		out = append(out, r)
	}
	return out
}

// parts is a part of a value, or a value with another part.
func (fr *frame) parts(in *bitcode.Instr) []ir.Reg {
	x := fr.flat(in.Args[0])
	switch in.Op {
	case bitcode.ExtractElement:
		return []ir.Reg{fr.element(x, in.Args[1])}
	case bitcode.InsertElement:
		return fr.replaced(x, fr.one(in.Args[1]), in.Args[2])
	case bitcode.Shuffle:
		all := append(slices.Clone(x), fr.flat(in.Args[1])...)
		mask := fr.flat(in.Args[2])
		out := make([]ir.Reg, len(mask))
		for i, m := range mask {
			n := fr.k.Regs[m]
			if n.Kind != ir.Literal || n.Bits >= uint64(len(all)) {
				refuse("a shuffle has a mask that is not constant")
			}
			out[i] = all[n.Bits]
		}
		return out
	}
	first, t := 0, in.Args[0].Type
	for _, i := range in.Indices {
		if t.Kind == bitcode.Array {
			first, t = first+i*len(fr.leaves(t.Elem)), t.Elem
			continue
		}
		for _, f := range t.Fields[:i] {
			first += len(fr.leaves(f))
		}
		t = t.Fields[i]
	}
	if in.Op == bitcode.ExtractValue {
		return x[first : first+len(fr.leaves(t))]
	}
	x = slices.Clone(x)
	copy(x[first:], fr.flat(in.Args[1]))
	return x
}

// element is one element of a vector.
func (fr *frame) element(x []ir.Reg, index *bitcode.Value) ir.Reg {
	if n, ok := index.Constant(); ok {
		if n >= uint64(len(x)) {
			refuse("a vector of %d has no element %d", len(x), n)
		}
		return x[n]
	}
	i := fr.one(index)
	r := x[0]
	for j := 1; j < len(x); j++ {
		r = fr.op(ir.Select, fr.typeOf(r), fr.op(ir.Eq, ir.Bool, i, fr.literal(fr.typeOf(i), uint64(j))), x[j], r)
	}
	return r
}

// replaced is a vector with another element.
func (fr *frame) replaced(x []ir.Reg, e ir.Reg, index *bitcode.Value) []ir.Reg {
	x = slices.Clone(x)
	if n, ok := index.Constant(); ok {
		if n >= uint64(len(x)) {
			refuse("a vector of %d has no element %d", len(x), n)
		}
		x[n] = e
		return x
	}
	i := fr.one(index)
	for j := range x {
		x[j] = fr.op(ir.Select, fr.typeOf(e), fr.op(ir.Eq, ir.Bool, i, fr.literal(fr.typeOf(i), uint64(j))), e, x[j])
	}
	return x
}
