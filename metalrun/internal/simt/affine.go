package simt

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// A weight that is an integer q, scaled by s and shifted by c, meets its factor x as fma(q, s·x, c·x). Where that
// is added to a sum, all four operations are one loop.

// affineTerm is the slots of a sum with such a term: e + fma(q, s·x, c·x).
type affineTerm struct{ q, s, c, x, e int }

// fuse compiles a fused multiplication and addition, and remembers where factor and addend end if they waited
// for it alone.
func (c *compiler) fuse(d *deferred, in *ir.Instr) {
	c.plain(d, in)
	alone := func(r ir.Reg) bool { return c.defers(r) && c.u.Reads(r) == 1 }
	if alone(in.Args[1]) && alone(in.Args[2]) {
		d.products = len(c.code)
	}
}

// scaledSum swallows such a term that one operand of a sum is, if any.
func (c *compiler) scaledSum(d *deferred, in *ir.Instr) bool {
	term, sum := in.Args[0], in.Args[1]
	w := c.peekDeferred(term)
	if w == nil || w.products == 0 {
		term, sum = sum, term
		w = c.peekDeferred(term)
	}
	if w == nil || w.products != len(c.code) || c.uniform(sum) {
		return false
	}
	if e := c.peekDeferred(sum); e != nil && (e.view == nil || e.view.kind != inSlot) {
		return false
	}
	t := c.affineOf(w)
	if t == nil {
		return false
	}
	d.inherit(w)
	c.takeDeferred(term)
	c.code = c.code[:len(c.code)-2]
	t.e = c.within(d, sum).at
	d.in = instr{shape: affineSum, term: t}
	return true
}

// affineOf is a term but for the sum, if both products by x are the last instructions. They waited for it, so
// that their operands still are where they were. It is nil for others.
func (c *compiler) affineOf(w *deferred) *affineTerm {
	n := len(c.code) - 2
	if n < 0 {
		return nil
	}
	scaled, shifted := &c.code[n], &c.code[n+1]
	if !scaled.multiplies(c, w.in.b) || !shifted.multiplies(c, w.in.e) {
		return nil
	}
	for _, f := range [][2]operand{{scaled.a, scaled.b}, {scaled.b, scaled.a}} {
		for _, g := range [][2]operand{{shifted.a, shifted.b}, {shifted.b, shifted.a}} {
			of := []operand{w.in.a, f[0], g[0], f[1]}
			if f[1] == g[1] && !slices.ContainsFunc(of, func(o operand) bool { return o.kind != inSlot }) {
				return &affineTerm{q: of[0].at, s: of[1].at, c: of[2].at, x: of[3].at}
			}
		}
	}
	return nil
}

// multiplies reports whether all that an instruction does is to leave a product of lanes in a slot.
func (in *instr) multiplies(c *compiler, d operand) bool {
	return in.do == nil && in.shape == vectorVector && in.binary == &c.t.MulF && !in.partial && in.d == d && d.kind == inSlot
}
