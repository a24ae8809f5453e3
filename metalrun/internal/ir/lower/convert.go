package lower

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

func (l *lowerer) conversion(e *hir.Convert) []ir.Reg {
	if e.Type() == hir.Void {
		l.effect(e.X)
		return nil
	}
	if _, ok := e.Type().(*hir.Pointer); ok {
		if _, ok := e.X.Type().(*hir.Pointer); ok {
			return []ir.Reg{l.materialise(l.pointer(e.X))}
		}
	}
	return l.convertValue(l.value(e.X), e.X.Type(), e.Type())
}

// convertValue changes the type of a value.
func (l *lowerer) convertValue(x []ir.Reg, from, to hir.Type) []ir.Reg {
	if hir.Identical(from, to) {
		return x
	}
	_, toPointer := to.(*hir.Pointer)
	_, fromPointer := from.(*hir.Pointer)
	switch {
	case toPointer && fromPointer:
		return x
	case toPointer:
		return []ir.Reg{l.bitcast(ir.U64, ir.P64, l.convertScalar(scalarKind(from), hir.ULong, x[0]))}
	case fromPointer && to == hir.Bool:
		return []ir.Reg{l.op(ir.Ne, ir.Bool, x[0], l.literal(ir.Ptr, 0))}
	case fromPointer:
		return []ir.Reg{l.convertScalar(hir.ULong, scalarKind(to), l.bitcast(ir.P64, ir.U64, x[0]))}
	}
	fk, tk := voteKind(from), voteKind(to)
	if fk == hir.Void || tk == hir.Void {
		l.fail("unsupported-conversion", "conversion from %s to %s is not supported", from, to)
	}
	out := make([]ir.Reg, leafCount(to))
	for i := range out {
		if i < len(x) {
			out[i] = l.convertScalar(fk, tk, x[i])
		} else {
			out[i] = out[0] // a scalar goes to every component
		}
	}
	return out
}

// voteKind is scalarKind, and ulong for the result of a vote.
func voteKind(t hir.Type) hir.Kind {
	if _, ok := t.(hir.SimdVote); ok {
		return hir.ULong
	}
	return scalarKind(t)
}

// convertScalar converts a register of kind from to kind to.
func (l *lowerer) convertScalar(from, to hir.Kind, r ir.Reg) ir.Reg {
	switch {
	case from == to:
		return r
	case to == hir.Bool:
		return l.op(ir.Ne, ir.Bool, r, l.literal(l.typeOf(r), 0))
	case from.IsInteger() && to.IsInteger():
		return l.convertInteger(from, to, r)
	}
	return l.convert(extended(from), scalarOf(to), r)
}

// extended is the format in which registers hold integers of kind k.
func extended(k hir.Kind) ir.Scalar {
	switch {
	case !k.IsInteger():
		return scalarOf(k)
	case k.Size() == 8:
		return scalarOf(k)
	case k.IsSigned():
		return ir.S32
	}
	return ir.U32
}

func (l *lowerer) convertInteger(from, to hir.Kind, r ir.Reg) ir.Reg {
	fits := from.Size() < to.Size() && (to.IsSigned() || !from.IsSigned())
	switch {
	case to.Size() == 8 && from.Size() == 8:
		return r
	case to.Size() == 8:
		return l.wide(r, from.IsSigned())
	case from.Size() == 8:
		return l.convert(ir.U64, scalarOf(to), r)
	case to.Size() == 4 || fits:
		return r
	}
	return l.convert(extended(from), scalarOf(to), r)
}

// construct makes a vector, matrix, struct, union or array.
func (l *lowerer) construct(e *hir.Construct) []ir.Reg {
	t := e.Type()
	l.checkSize(t)
	switch t := t.(type) {
	case hir.SimdMatrix:
		return l.simdDiagonal(t.Elem, l.value(e.Args[0])[0])
	case hir.Matrix:
		if len(e.Args) == 1 && t.Cols*t.Rows > 1 {
			return l.diagonal(t, l.value(e.Args[0])[0])
		}
	case *hir.Struct:
		if t.Union {
			return l.constructUnion(t, e)
		}
	}
	parts := l.values(e.Args)
	if s, ok := t.(*hir.Struct); ok {
		for i, f := range s.Fields[:len(parts)] {
			if f.Bits > 0 {
				parts[i] = []ir.Reg{l.truncated(parts[i][0], scalarOf(scalarKind(f.Type)), f.Bits)}
			}
		}
	}
	regs := slices.Concat(parts...)
	for _, typ := range l.leafTypes(t)[len(regs):] {
		regs = append(regs, l.literal(typ, 0))
	}
	return regs
}

func (l *lowerer) diagonal(m hir.Matrix, d ir.Reg) []ir.Reg {
	regs := l.zero(m)
	for i := range min(m.Cols, m.Rows) {
		regs[i*m.Rows+i] = d
	}
	return regs
}

// constructUnion makes a union with a value for one field.
func (l *lowerer) constructUnion(t *hir.Struct, e *hir.Construct) []ir.Reg {
	parts := l.values(e.Args)
	p := l.spill(registers(t, l.zero(t)))
	if len(parts) > 0 {
		l.write(l.field(p, e.Field), parts[0])
	}
	return l.read(p)
}

// initialise gives an object in memory its first value. Aggregates are stored
// element by element, without passing through registers as a whole.
func (l *lowerer) initialise(p lvalue, e hir.Expr) {
	defer l.at(e.Pos())()
	switch e := e.(type) {
	case *hir.Load:
		if leafCount(p.typ) > maxLeaves {
			if source := l.lvalue(e.X); source.inMemory {
				l.copyMemory(p, source)
				return
			}
		}
	case *hir.Construct:
		switch t := p.typ.(type) {
		case *hir.Array:
			l.initialiseArray(p, t, e.Args)
			return
		case *hir.Struct:
			l.initialiseStruct(p, t, e)
			return
		}
	}
	l.write(p, l.value(e))
}

func (l *lowerer) initialiseArray(p lvalue, t *hir.Array, args []hir.Expr) {
	size := t.Elem.Size()
	for i, a := range args {
		l.initialise(memory(t.Elem, p.addr.plus(i*size)), a)
	}
	rest := memory(&hir.Array{Elem: t.Elem, Len: t.Len - len(args)}, p.addr.plus(len(args)*size))
	l.zeroMemory(rest)
}

func (l *lowerer) initialiseStruct(p lvalue, t *hir.Struct, e *hir.Construct) {
	if t.Union {
		l.zeroMemory(p)
		if len(e.Args) > 0 {
			l.initialise(fieldMemory(p, t.Fields[e.Field]), e.Args[0])
		}
		return
	}
	for i, f := range t.Fields {
		field := fieldMemory(p, f)
		if i < len(e.Args) {
			l.initialise(field, e.Args[i])
		} else {
			l.zeroMemory(field)
		}
	}
}

// unrolled is the number of scalars up to which memory is moved without a loop. It bounds the instructions of a copy.
// With 4 or 64, the kernels of maxLeaves take as long within 10 %.
const unrolled = 16

// zeroMemory stores zeros.
func (l *lowerer) zeroMemory(p lvalue) {
	if leafCount(p.typ) <= unrolled {
		l.write(p, l.zero(p.typ))
		return
	}
	if t, ok := p.typ.(*hir.Array); ok {
		l.eachElement(t, func(at ir.Reg) {
			l.zeroMemory(memory(t.Elem, l.elementAt(p.addr, at, t.Elem.Size())))
		})
		return
	}
	l.write(p, l.zero(p.typ))
}

// copyMemory copies an object that is too large for registers.
func (l *lowerer) copyMemory(to, from lvalue) {
	switch t := to.typ.(type) {
	case *hir.Array:
		if leafCount(t) > unrolled {
			to.addr, from.addr = l.freezeAddress(to.addr), l.freezeAddress(from.addr)
			l.eachElement(t, func(at ir.Reg) {
				size := t.Elem.Size()
				l.copyMemory(memory(t.Elem, l.elementAt(to.addr, at, size)),
					memory(t.Elem, l.elementAt(from.addr, at, size)))
			})
			return
		}
	case *hir.Struct:
		if !t.Union && leafCount(t) > unrolled {
			for _, f := range t.Fields {
				l.copyMemory(fieldMemory(to, f), fieldMemory(from, f))
			}
			return
		}
	}
	l.write(to, l.read(from))
}

func (l *lowerer) elementAt(a address, index ir.Reg, size int) address {
	return l.indexedBy(a, index, false, int64(size))
}

// eachElement runs body for every index of an array.
func (l *lowerer) eachElement(t *hir.Array, body func(index ir.Reg)) {
	i := l.variable(ir.I32, "")
	l.copy(i, l.i32(0))
	l.limits[i] = uint64(t.Len - 1)
	loop := &ir.Loop{Pos: l.pos}
	loop.Head = l.into(func() { loop.Cond = l.op(ir.ULt, ir.Bool, i, l.i32(int64(t.Len))) })
	loop.Body = l.into(func() { body(i) })
	loop.Post = l.into(func() { l.copy(i, l.op(ir.Add, ir.I32, i, l.i32(1))) })
	*l.body = append(*l.body, loop)
}

// Reinterpretation

// reinterpret gives the bits of x another type of the same size. Padding is
// indeterminate.
func (l *lowerer) reinterpret(x []ir.Reg, from, to hir.Type) []ir.Reg {
	fk, tk := voteKind(from), voteKind(to)
	if fk == hir.Void || tk == hir.Void {
		return l.reinterpretMemory(x, from, to)
	}
	n := leafCount(to)
	if fk.Size() == tk.Size() {
		out := make([]ir.Reg, n)
		for i := range out {
			if i < len(x) {
				out[i] = l.fromBits(tk, l.toBits(fk, x[i]))
			} else {
				out[i] = l.poison(registerType(tk))
			}
		}
		return out
	}
	return l.splitWords(l.joinWords(x, fk), tk, n)
}

// toBits is a scalar's bit pattern as an unsigned integer, zero-extended.
func (l *lowerer) toBits(k hir.Kind, r ir.Reg) ir.Reg {
	switch k {
	case hir.Float:
		return l.bitcast(ir.R32, ir.U32, r)
	case hir.Half:
		return l.bitcast(ir.H16, ir.U16, r)
	case hir.BFloat:
		return l.bitcast(ir.T16, ir.U16, r)
	case hir.Char:
		return l.convert(ir.S32, ir.U8, r)
	case hir.Short:
		return l.convert(ir.S32, ir.U16, r)
	case hir.Bool:
		return l.convert(ir.B8, ir.U8, r)
	}
	return r
}

// fromBits is the inverse of toBits.
func (l *lowerer) fromBits(k hir.Kind, r ir.Reg) ir.Reg {
	switch k {
	case hir.Float:
		return l.bitcast(ir.U32, ir.R32, r)
	case hir.Half:
		return l.bitcast(ir.U16, ir.H16, r)
	case hir.BFloat:
		return l.bitcast(ir.U16, ir.T16, r)
	case hir.Char:
		return l.convert(ir.U32, ir.S8, r)
	case hir.Short:
		return l.convert(ir.U32, ir.S16, r)
	case hir.Bool:
		return l.op(ir.Ne, ir.Bool, l.op(ir.And, ir.I32, r, l.i32(1)), l.i32(0))
	}
	return r
}

// joinWords packs scalars into 32-bit words, the last one zero-filled.
func (l *lowerer) joinWords(x []ir.Reg, k hir.Kind) []ir.Reg {
	var words []ir.Reg
	if k.Size() == 8 {
		for _, r := range x {
			lo, hi := l.temp(ir.I32), l.temp(ir.I32)
			l.emit(&ir.Instr{Op: ir.Unpack, Dst: []ir.Reg{lo, hi}, Args: []ir.Reg{r}})
			words = append(words, lo, hi)
		}
		return words
	}
	per := 4 / k.Size()
	for i, r := range x {
		bits := l.toBits(k, r)
		if i%per == 0 {
			words = append(words, bits)
			continue
		}
		shifted := l.op(ir.Shl, ir.I32, bits, l.i32(int64(i%per*8*k.Size())))
		words[len(words)-1] = l.op(ir.Or, ir.I32, words[len(words)-1], shifted)
	}
	return words
}

// splitWords takes n scalars out of 32-bit words.
func (l *lowerer) splitWords(words []ir.Reg, k hir.Kind, n int) []ir.Reg {
	out := make([]ir.Reg, n)
	for i := range out {
		at := i * k.Size() / 4
		switch {
		case at+k.Size()/8 >= len(words):
			out[i] = l.poison(registerType(k))
		case k.Size() == 8:
			out[i] = l.op(ir.Pack, ir.I64, words[at], words[at+1])
		case k.Size() == 4:
			out[i] = l.fromBits(k, words[at])
		default:
			shift, mask := i*k.Size()%4*8, int64(1)<<(8*k.Size())-1
			bits := words[at]
			if shift > 0 {
				bits = l.op(ir.LShr, ir.I32, bits, l.i32(int64(shift)))
			}
			out[i] = l.fromBits(k, l.op(ir.And, ir.I32, bits, l.i32(mask)))
		}
	}
	return out
}

// reinterpretMemory goes through memory: for structs and unions.
func (l *lowerer) reinterpretMemory(x []ir.Reg, from, to hir.Type) []ir.Reg {
	p := l.spill(registers(from, x))
	object := &l.k.Objects[l.k.Regs[p.addr.base].Index]
	object.Align = max(object.Align, to.Align())
	return l.read(memory(to, address{space: syntax.Thread, base: p.addr.base, index: ir.None}))
}
