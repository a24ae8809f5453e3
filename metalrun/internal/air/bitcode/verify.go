package bitcode

// verify checks the types of what instructions operate on, and where blocks end.
func (f *Func) verify() {
	for _, b := range f.Blocks {
		phis := true
		for i, in := range b.Instrs {
			if in.IsTerminator() != (i == len(b.Instrs)-1) {
				fail("%s has a block that does not end where it should", f.Name)
			}
			if in.Op == Phi && !phis {
				fail("%s has a phi within a block", f.Name)
			}
			phis = phis && in.Op == Phi
			for _, a := range in.Args {
				if a.Kind == Undefined {
					fail("%s has an operand that is no value known here", f.Name)
				}
			}
			if in.Op == Return && !f.returns(in) || !in.fits() {
				fail("%s has an instruction whose operands do not fit", f.Name)
			}
		}
	}
}

// returns reports whether an instruction returns what the function does.
func (f *Func) returns(in *Instr) bool {
	if len(in.Args) == 0 {
		return f.Type.Elem.Kind == Void
	}
	return same(in.Args[0].Type, f.Type.Elem)
}

// scalarOf is what a vector consists of, or the type itself.
func scalarOf(t *Type) *Type {
	if t.Kind == Vector {
		return t.Elem
	}
	return t
}

func alikeArgs(args []*Value) bool {
	for _, a := range args[1:] {
		if !same(a.Type, args[0].Type) {
			return false
		}
	}
	return true
}

// fits reports whether the operands of an instruction have types that it can have.
func (in *Instr) fits() bool {
	var t *Type
	if len(in.Args) > 0 {
		t = in.Args[0].Type
	}
	switch in.Op {
	case Binary:
		k := scalarOf(t)
		return alikeArgs(in.Args) && in.Sub <= Xor && (k.Kind == Integer || k.IsFloat() && in.Sub <= SRem)
	case Unary:
		return scalarOf(t).IsFloat() && in.Sub == 0
	case Compare:
		k := scalarOf(t)
		return alikeArgs(in.Args) && (k.IsFloat() && in.Sub <= FCmpTrue ||
			(k.Kind == Integer || k.Kind == Pointer) && in.Sub >= ICmpEQ && in.Sub <= ICmpSLE)
	case CastOp:
		return in.castFits(t)
	case Select:
		c := scalarOf(t)
		return alikeArgs(in.Args[1:]) && c.Kind == Integer && c.Bits == 1 &&
			(t.Kind != Vector || in.Type.Kind == Vector && in.Type.Len == t.Len)
	case ExtractElement:
		return in.Args[1].Type.Kind == Integer
	case InsertElement:
		return same(in.Args[1].Type, t.Elem) && in.Args[2].Type.Kind == Integer
	case Shuffle:
		return alikeArgs(in.Args[:2]) && scalarOf(in.Args[2].Type).Kind == Integer
	case GetElementPtr:
		return in.indicesFit()
	case Alloca:
		return in.Elem.Scalars > 0
	case Load:
		return t.Kind == Pointer && in.Type.Scalars > 0
	case Store:
		return in.Args[1].Type.Kind == Pointer && t.Scalars > 0
	case Phi:
		return len(in.Args) > 0 && alikeArgs(in.Args) && same(t, in.Type)
	case Branch:
		return len(in.Args) == 0 || t.Kind == Integer && t.Bits == 1
	case Switch:
		return t.Kind == Integer
	case Call:
		for i, p := range in.Callee.parameters() {
			if !same(in.Args[i].Type, p) {
				return false
			}
		}
	}
	return true
}

// parameters are those of a function that is called by its name.
func (v *Value) parameters() []*Type {
	if v.Func == nil {
		return nil
	}
	return v.Func.Type.Fields
}

func (in *Instr) castFits(t *Type) bool {
	from, to := scalarOf(t), scalarOf(in.Type)
	if in.Sub == BitCast {
		return from.Scalars == 1 && to.Scalars == 1 && t.Size == in.Type.Size &&
			(from.Kind == Pointer) == (to.Kind == Pointer)
	}
	if (t.Kind == Vector) != (in.Type.Kind == Vector) || t.Kind == Vector && t.Len != in.Type.Len {
		return false
	}
	integer, float, pointer := func(t *Type) bool { return t.Kind == Integer }, (*Type).IsFloat,
		func(t *Type) bool { return t.Kind == Pointer }
	switch in.Sub {
	case Trunc:
		return integer(from) && integer(to) && from.Bits > to.Bits
	case ZExt, SExt:
		return integer(from) && integer(to) && from.Bits < to.Bits
	case FPToUI, FPToSI:
		return float(from) && integer(to)
	case UIToFP, SIToFP:
		return integer(from) && float(to)
	case FPTrunc:
		return float(from) && float(to) && from.Size > to.Size
	case FPExt:
		return float(from) && float(to) && from.Size < to.Size
	case PtrToInt:
		return pointer(from) && integer(to)
	case IntToPtr:
		return integer(from) && pointer(to)
	case AddrSpaceCast:
		return pointer(from) && pointer(to)
	}
	return false
}

// indicesFit reports whether the indices of an address name parts of its type.
func (in *Instr) indicesFit() bool {
	t := in.Elem
	for i, a := range in.Args[1:] {
		if a.Type.Kind != Integer {
			return false
		}
		if i == 0 {
			continue
		}
		switch t.Kind {
		case Array, Vector:
			t = t.Elem
		case Struct:
			n, ok := a.Constant()
			if !ok || n >= uint64(len(t.Fields)) {
				return false
			}
			t = t.Fields[n]
		default:
			return false
		}
	}
	return true
}
