package codegen

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// A weight that is an integer q, scaled by s and shifted by c, meets its factor x as fma(q, s·x, c·x). Where that
// is added to a sum, all four operations are one loop.

// fuse compiles a fused multiplication and addition, and remembers where factor and addend end if they waited
// for it alone.
func (c *Compiler) fuse(d *machine.Pending, in *ir.Instr) {
	c.plain(d, in)
	alone := func(r ir.Reg) bool { return c.defers(r) && c.U.Reads(r) == 1 }
	if alone(in.Args[1]) && alone(in.Args[2]) {
		d.Products = len(c.code)
	}
}

// scaledSum swallows such a term that one operand of a sum is, if any.
func (c *Compiler) scaledSum(d *machine.Pending, in *ir.Instr) bool {
	term, sum := in.Args[0], in.Args[1]
	w := c.peekPending(term)
	if w == nil || w.Products == 0 {
		term, sum = sum, term
		w = c.peekPending(term)
	}
	if w == nil || w.Products != len(c.code) || c.Uniform(sum) {
		return false
	}
	if e := c.peekPending(sum); e != nil && (e.View == nil || e.View.Kind != machine.InSlot) {
		return false
	}
	t := c.affineOf(w)
	if t == nil {
		return false
	}
	d.Inherit(w)
	c.takePending(term)
	c.code = c.code[:len(c.code)-2]
	t.E = c.within(d, sum).At
	d.In = machine.Instr{Shape: machine.AffineSum, Term: t}
	return true
}

// affineOf is a term but for the sum, if both products by x are the last instructions. They waited for it, so
// that their operands still are where they were. It is nil for others.
func (c *Compiler) affineOf(w *machine.Pending) *machine.AffineTerm {
	n := len(c.code) - 2
	if n < 0 {
		return nil
	}
	scaled, shifted := &c.code[n], &c.code[n+1]
	if !multiplies(scaled, c, w.In.B) || !multiplies(shifted, c, w.In.E) {
		return nil
	}
	for _, f := range [][2]machine.Operand{{scaled.A, scaled.B}, {scaled.B, scaled.A}} {
		for _, g := range [][2]machine.Operand{{shifted.A, shifted.B}, {shifted.B, shifted.A}} {
			of := []machine.Operand{w.In.A, f[0], g[0], f[1]}
			if f[1] == g[1] &&
				!slices.ContainsFunc(of, func(o machine.Operand) bool { return o.Kind != machine.InSlot }) {
				return &machine.AffineTerm{Q: of[0].At, S: of[1].At, C: of[2].At, X: of[3].At}
			}
		}
	}
	return nil
}

// multiplies reports whether all that an instruction does is to leave a product of lanes in a slot.
func multiplies(in *machine.Instr, c *Compiler, d machine.Operand) bool {
	return in.Do == nil && in.Shape == machine.VectorVector && in.Binary == &c.t.MulF && !in.Partial && in.D == d &&
		d.Kind == machine.InSlot
}
