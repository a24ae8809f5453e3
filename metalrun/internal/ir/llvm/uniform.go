package llvm

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// uniforms are the values that constants of the launch alone determine. The GPU computes them once, ahead of all
// threads, and keeps them in registers that all share. So it splits a product: such factors are multiplied
// with each other, and the rest by their product, last.
type uniforms struct {
	f     *function
	known map[ir.Reg]bool
}

func (f *function) splitProducts() {
	u := uniforms{f, map[ir.Reg]bool{}}
	for _, in := range f.order() {
		if in.Op == ir.Select {
			u.takeOut(in)
		}
	}
	for _, in := range f.order() {
		if _, there := f.in[in]; there && u.whole(in) {
			u.split(in)
		}
	}
	f.sweep()
}

// has reports whether r is the same in all threads of a launch for certain.
func (u uniforms) has(r ir.Reg) bool {
	same, met := u.known[r]
	if !met {
		same = u.determined(r)
		u.known[r] = same
	}
	return same
}

func (u uniforms) determined(r ir.Reg) bool {
	switch info := u.f.k.Regs[r]; info.Kind {
	case ir.Literal, ir.Address:
		return true
	case ir.Input:
		return info.Input == ir.BufferPointer
	}
	in := u.f.def[r]
	if in == nil {
		return false
	}
	info := in.Op.Info()
	constant := in.Op == ir.Load && in.Mem.Space == syntax.Constant && !in.Mem.Volatile
	if !constant && (info.Effects != 0 || info.Kept || info.Varies || in.Op == ir.Poison) {
		return false
	}
	return !slices.ContainsFunc(reads(in), func(a *ir.Reg) bool { return !u.has(*a) })
}

// whole reports whether an instruction is a product, and no factor of another.
func (u uniforms) whole(in *ir.Instr) bool {
	if in.Op != ir.Mul || !allows(in, anyOrder) || !u.f.typ(in.Dst[0]).IsFloat() {
		return false
	}
	user := u.f.user(in.Dst[0])
	return user == nil || user.Op != ir.Mul || !allows(user, anyOrder)
}

// split orders the factors of a product.
func (u uniforms) split(in *ir.Instr) {
	shared, rest := u.parts(in)
	if len(shared) == 0 || len(rest) == 0 || len(shared)+len(rest) == 2 {
		return
	}
	by := u.joined(in, shared)
	u.f.users[by] = append(u.f.users[by], nil, nil) // it stays a leaf
	u.f.rewrite(in, append([]operand{{reg: by}}, rest...))
	u.f.drop(by, nil)
	u.f.drop(by, nil)
}

// takeOut makes c ? x·y : 0, of a uniform y, a product of c ? x : 0 and y, which it is where y is finite.
func (u uniforms) takeOut(in *ir.Instr) {
	for i := 1; i <= 2; i++ {
		p := u.f.inner(in.Args[i], ir.Mul)
		if p == nil || !u.f.is(in.Args[3-i], 0) || !allows(p, ir.NoNaNs|ir.NoInfs) {
			continue
		}
		shared, rest := u.parts(p)
		if len(shared) == 0 || len(rest) == 0 {
			return
		}
		by := u.joined(in, shared)
		if len(rest) > 1 {
			u.f.rewrite(p, rest)
		} else {
			u.f.set(in, i, rest[0].reg)
		}
		u.multiply(in, by, p.Allow)
		return
	}
}

// multiply lets those that read what an instruction computes read its product with a factor.
func (u uniforms) multiply(in *ir.Instr, by ir.Reg, allow ir.FastMathFlags) {
	f, whole := u.f, in.Dst[0]
	part := f.k.Temporary(f.typ(whole))
	f.grow()
	in.Dst[0], f.def[part], f.def[whole] = part, in, nil
	product := f.emit(in, ir.Mul, part, by)
	f.def[product].Allow = allow
	f.early(f.def[product], part)
	f.replace(whole, product)
}

// joined is the product of uniform factors.
func (u uniforms) joined(before *ir.Instr, shared []operand) ir.Reg {
	last := len(shared) - 1
	by := shared[last].reg
	for _, o := range slices.Backward(shared[:last]) {
		by = u.f.emit(before, ir.Mul, by, o.reg)
	}
	return by
}

// parts are the uniform factors of a product and the others, outermost first. Literals stay where they are.
func (u uniforms) parts(in *ir.Instr) (shared, rest []operand) {
	for _, r := range append(u.f.ownFactors(in.Args[1]), u.f.ownFactors(in.Args[0])...) {
		if u.has(r) && !u.f.isLiteral(r) {
			shared = append(shared, operand{reg: r})
		} else {
			rest = append(rest, operand{reg: r})
		}
	}
	return shared, rest
}
