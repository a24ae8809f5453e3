package llvm

import (
	"os"
	"slices"
	"strings"

	"metalconform/metalrun/internal/ir"
)

var knobs = os.Getenv("LLVMK")

func knob(s string) bool { return strings.Contains(knobs, s) }

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

func (f *function) fuse(in *ir.Instr) {
	order := []int{0, 1}
	if knob("right") {
		order = []int{1, 0}
	}
	if knob("few") && len(f.users[in.Args[0]]) > len(f.users[in.Args[1]]) {
		slices.Reverse(order)
	}
	for _, i := range order {
		r, minus := in.Args[i], in.Op == ir.Sub && i == 1
		p := f.def[r]
		if p != nil && p.Op == ir.Neg {
			p, minus = f.def[p.Args[0]], !minus
		}
		if p == nil || p.Op != ir.Mul || !licensed(p, ir.ContractFast) {
			continue
		}
		if !knob("aggr") && !f.once(r) {
			continue
		}
		if knob("block") && f.in[p].block != f.in[in].block {
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
