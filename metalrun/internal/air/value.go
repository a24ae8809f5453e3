package air

import (
	"metalconform/metalrun/internal/air/bitcode"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// value is a value in registers, one a scalar. That of a pointer may be an address that is not computed yet: the
// register, plus an index times its scale, plus a displacement.
type value struct {
	regs  []ir.Reg
	index ir.Reg // if scale is not 0
	scale int64
	short bool // the index has 32 bits, and is extended with its sign if signed
	sign  bool
	disp  int64
}

func (v value) plain() bool { return v.scale == 0 && v.disp == 0 }

// leaf is a scalar of a type.
type leaf struct {
	s      ir.Scalar
	offset int
}

// isMatrix reports whether a type is that of simdgroup matrices: 8×8 elements, of which a lane holds two.
func isMatrix(t *bitcode.Type) bool { return t.Kind == bitcode.Vector && t.Len == 64 }

// leaves are the scalars of a type.
func (l *lowerer) leaves(t *bitcode.Type) []leaf {
	if t.Scalars > maxScalars {
		refuse("a value of type %s has more than %d scalars", t, maxScalars)
	}
	return l.appendLeaves(nil, t, 0)
}

func (l *lowerer) appendLeaves(list []leaf, t *bitcode.Type, offset int) []leaf {
	switch t.Kind {
	case bitcode.Void:
		return list
	case bitcode.Vector, bitcode.Array:
		n := t.Len
		if isMatrix(t) {
			n = 2
		}
		for i := range n {
			list = l.appendLeaves(list, t.Elem, offset+i*t.Elem.Size)
		}
		return list
	case bitcode.Struct:
		for i, f := range t.Fields {
			list = l.appendLeaves(list, f, offset+t.Offsets[i])
		}
		return list
	}
	return append(list, leaf{scalarOf(t), offset})
}

// scalarOf is a type as a scalar in memory.
func scalarOf(t *bitcode.Type) ir.Scalar {
	switch t.Kind {
	case bitcode.Integer:
		switch t.Bits {
		case 1:
			return ir.B8
		case 8:
			return ir.U8
		case 16:
			return ir.U16
		case 32:
			return ir.U32
		case 64:
			return ir.U64
		}
	case bitcode.Half:
		return ir.H16
	case bitcode.BFloat:
		return ir.T16
	case bitcode.Float:
		return ir.R32
	case bitcode.Pointer:
		return ir.P64
	}
	refuse("the type %s is not supported", t)
	return 0
}

// elementOf is what a vector consists of, or the type itself.
func elementOf(t *bitcode.Type) *bitcode.Type {
	if t.Kind == bitcode.Vector {
		return t.Elem
	}
	return t
}

// space is an address space, by AIR's number.
func space(n int) syntax.Space {
	switch n {
	case 0:
		return syntax.Thread
	case 1:
		return syntax.Device
	case 2:
		return syntax.Constant
	case 3:
		return syntax.Threadgroup
	}
	refuse("the address space %d is not supported", n)
	return 0
}

// value is the value of an operand.
func (fr *frame) value(v *bitcode.Value) value {
	switch v.Kind {
	case bitcode.Argument, bitcode.Result:
		x, ok := fr.vals[v]
		if !ok {
			refuse("a value is used where it is not known")
		}
		return x
	case bitcode.GlobalValue:
		return value{regs: []ir.Reg{fr.global(v.Global)}}
	case bitcode.Cast:
		return fr.value(v.Elems[0])
	case bitcode.Address:
		return fr.address(v.Elem, v.Elems)
	}
	return value{regs: fr.constant(v)}
}

// constant is a constant in registers. An undefined one is zero: what depends on it is only what the compiler knows to
// be of no account.
func (fr *frame) constant(v *bitcode.Value) (regs []ir.Reg) {
	switch v.Kind {
	case bitcode.Bits:
		return []ir.Reg{fr.literal(scalarOf(v.Type).Type(), v.Bits)}
	case bitcode.Null, bitcode.Undef, bitcode.Poison:
		for _, x := range fr.leaves(v.Type) {
			regs = append(regs, fr.literal(x.s.Type(), 0))
		}
	case bitcode.Data:
		if len(v.Words) > maxScalars {
			refuse("a constant has more than %d scalars", maxScalars)
		}
		for _, w := range v.Words {
			regs = append(regs, fr.literal(scalarOf(v.Type.Elem).Type(), w))
		}
	case bitcode.Aggregate:
		for _, e := range v.Elems {
			if e.Type == nil {
				refuse("a constant is not supported")
			}
			regs = append(regs, fr.flat(e)...)
			if len(regs) > maxScalars {
				refuse("a constant has more than %d scalars", maxScalars)
			}
		}
	default:
		refuse("a constant of type %s is not supported", v.Type)
	}
	if isMatrix(v.Type) {
		for _, r := range regs[1:] {
			if r != regs[0] {
				refuse("a simdgroup matrix has different constant elements")
			}
		}
		regs = []ir.Reg{regs[0], regs[0]}
	}
	return regs
}

// flat is an operand in registers alone.
func (fr *frame) flat(v *bitcode.Value) []ir.Reg { return fr.computed(fr.value(v)) }

// computed is a value in registers alone.
func (l *lowerer) computed(x value) []ir.Reg {
	if x.plain() {
		return x.regs
	}
	r := x.regs[0]
	if x.scale != 0 {
		i := l.wide(x)
		if x.scale != 1 {
			i = l.op(ir.Mul, ir.I64, i, l.i64(x.scale))
		}
		r = l.op(ir.PtrAdd, ir.Ptr, r, i)
	}
	if x.disp != 0 {
		r = l.op(ir.PtrAdd, ir.Ptr, r, l.i64(x.disp))
	}
	return []ir.Reg{r}
}

// wide is the index of an address with 64 bits.
func (l *lowerer) wide(x value) ir.Reg {
	switch {
	case x.short && x.sign:
		return l.convert(ir.S32, ir.S64, x.index)
	case x.short:
		return l.convert(ir.U32, ir.U64, x.index)
	}
	return x.index
}

// one is an operand of one scalar.
func (fr *frame) one(v *bitcode.Value) ir.Reg {
	regs := fr.flat(v)
	if len(regs) != 1 {
		refuse("there are %d scalars where one should be", len(regs))
	}
	return regs[0]
}

// set makes registers the value of an instruction. What another block uses is copied to variables.
func (fr *frame) set(in *bitcode.Instr, x value) {
	v := in.Value
	if v == nil {
		return
	}
	if !fr.shared[v] {
		fr.vals[v] = x
		return
	}
	regs := fr.computed(x)
	vars := make([]ir.Reg, len(regs))
	for i, r := range regs {
		info := fr.k.Regs[r]
		switch info.Kind {
		case ir.Literal, ir.Input, ir.Address:
			vars[i] = r
		default:
			vars[i] = fr.variable(info.Type, v.Name)
			fr.copy(vars[i], r)
		}
	}
	fr.vals[v] = value{regs: vars}
}

// address is the address of a part: the base, then an index that counts objects of type t, then indices into it.
func (fr *frame) address(t *bitcode.Type, args []*bitcode.Value) value {
	x := fr.value(args[0])
	fr.add(&x, args[1], t.Size)
	for _, a := range args[2:] {
		switch t.Kind {
		case bitcode.Struct:
			n, ok := a.Constant()
			if !ok || n >= uint64(len(t.Fields)) {
				refuse("%s has no such member", t)
			}
			x.disp += int64(t.Offsets[n])
			t = t.Fields[n]
		case bitcode.Array, bitcode.Vector:
			t = t.Elem
			fr.add(&x, a, t.Size)
		default:
			refuse("%s has no parts", t)
		}
	}
	return x
}

// add adds an index to an address.
func (fr *frame) add(x *value, index *bitcode.Value, size int) {
	if n, ok := index.Constant(); ok {
		x.disp += int64(signExtended(n, index.Type.Bits)) * int64(size)
		return
	}
	if x.scale != 0 {
		disp := x.disp
		x.disp = 0
		*x = value{regs: fr.computed(*x), disp: disp}
	}
	x.scale = int64(size)
	x.index, x.short, x.sign = fr.index(index)
}

// index is an index, without its extension to 64 bits where the block has that.
func (fr *frame) index(v *bitcode.Value) (r ir.Reg, short, sign bool) {
	if in := v.Def; in != nil && in.Op == bitcode.CastOp && fr.home[v] == fr.at && (in.Sub == bitcode.SExt ||
		in.Sub == bitcode.ZExt) && in.Args[0].Type.Kind == bitcode.Integer && in.Args[0].Type.Bits == 32 {
		return fr.one(in.Args[0]), true, in.Sub == bitcode.SExt
	}
	switch bits := v.Type.Bits; bits {
	case 32:
		return fr.one(v), true, true
	case 64:
		return fr.one(v), false, false
	default:
		refuse("an address has an index of %d bits", bits)
		return 0, false, false
	}
}

func signExtended(v uint64, bits int) uint64 {
	shift := 64 - min(bits, 64)
	return uint64(int64(v<<shift) >> shift)
}
