package llvm

import (
	"metalconform/metalrun/internal/ir"
)

// reciprocals makes each quotient a product with a reciprocal, which is all that the GPU has.
func (f *function) reciprocals() {
	for _, in := range f.order() {
		if in.Op != ir.Div || !licensed(in, ir.Reciprocal) || f.is(in.Args[0], 1) {
			continue
		}
		one := f.literal(f.typ(in.Dst[0]), 1)
		f.become(in, ir.Mul, in.Args[0], f.emit(in, ir.Div, one, in.Args[1]))
	}
}

// contract fuses sums with a product that they read.
func (f *function) contract() {
	for _, in := range f.order() {
		if in.Op != ir.Add && in.Op != ir.Sub || !f.typ(in.Dst[0]).IsFloat() || !licensed(in, ir.ContractFast) {
			continue
		}
		f.fuse(in)
	}
	f.sweep()
}

// fuse makes in an fma with the product that it alone reads, the left one of two.
func (f *function) fuse(in *ir.Instr) {
	for i, r := range in.Args {
		minus := in.Op == ir.Sub && i == 1
		p := f.def[r]
		if p != nil && p.Op == ir.Neg && f.once(r) {
			r, minus = p.Args[0], !minus
			p = f.def[r]
		}
		if p == nil || p.Op != ir.Mul || !f.once(r) || !licensed(p, ir.ContractFast) {
			continue
		}
		x, y, z := p.Args[0], p.Args[1], in.Args[1-i]
		if minus {
			x = f.emit(in, ir.Neg, x)
		}
		if in.Op == ir.Sub && i == 0 {
			z = f.emit(in, ir.Neg, z)
		}
		f.become(in, ir.FMA, x, y, z)
		return
	}
}
