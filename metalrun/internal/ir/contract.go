package ir

import "slices"

// Contract is a copy of k in which sums and differences swallow the products
// that they alone read: a*b + c becomes one fma, rounded once. It does what a
// compiler does that may contract, and always does so: within one contraction
// group or with the flag to contract across statements, for which k has the form of
// [Values]; the left operand before the right. where chooses among the sums and
// differences that have a product to swallow; nil takes all.
func Contract(k *Kernel, where func(sum *Instr) bool) *Kernel {
	c := &contraction{readers: Readers(k), where: where}
	return Rewrite(k, func(out *Kernel, before []Node, in *Instr) []Node {
		c.k = out
		return c.fuse(before, in)
	})
}

// Separate is a copy of k in which each fma of F32 is a product and a sum, both rounded.
func Separate(k *Kernel) *Kernel {
	return Rewrite(k, func(out *Kernel, before []Node, in *Instr) []Node {
		if in.Op != FMA || out.Regs[in.Dst[0]].Type != F32 {
			return before
		}
		product := &Instr{Op: Mul, Pos: in.Pos, Dst: []Reg{out.Temporary(F32)}, Args: in.Args[:2], Allow: in.Allow}
		in.Op, in.Args = Add, []Reg{product.Dst[0], in.Args[2]}
		return append(before, product)
	})
}

type contraction struct {
	k       *Kernel
	readers []int32 // of the original registers
	where   func(*Instr) bool
}

// fuse turns in into an fma if it is a sum and one operand is a product; before is
// what precedes it in its list, and fuse may append to it.
func (c *contraction) fuse(before []Node, in *Instr) []Node {
	if in.Op != Add && in.Op != Sub || !fusible(in, in) {
		return before
	}
	for i, r := range in.Args {
		found, minus := c.product(before, in, r)
		if found == nil {
			continue
		}
		if c.where != nil && !c.where(in) {
			break
		}
		product := before[found[len(found)-1]].(*Instr)
		for _, at := range found {
			before[at] = &Instr{Op: Nop, Pos: in.Pos}
		}
		x, y, z := product.Args[0], product.Args[1], in.Args[1-i]
		if in.Op == Sub && i == 0 {
			before, z = c.negate(before, in, z)
		}
		if minus != (in.Op == Sub && i == 1) {
			before, x = c.negate(before, in, x)
		}
		in.Op, in.Args, in.Group = FMA, []Reg{x, y, z}, 0
		break
	}
	return before
}

// product finds among nodes the product that is register r, or whose negation r is,
// if in may swallow it: the last of the instructions that fusing leaves without a
// reader. minus says that it is negated.
func (c *contraction) product(nodes []Node, in *Instr, r Reg) (found []int, minus bool) {
	at := c.source(nodes, in, r)
	if at < 0 {
		return nil, false
	}
	switch source := nodes[at].(*Instr); source.Op {
	case Mul:
		return []int{at}, false
	case Neg:
		if found, minus = c.product(nodes, in, source.Args[0]); found != nil {
			return append([]int{at}, found...), !minus
		}
	}
	return nil, false
}

// source finds the instruction that sets the temporary r, if only one reads r,
// if both may be fused, and if its operands are still what they were.
func (c *contraction) source(nodes []Node, in *Instr, r Reg) int {
	if int(r) >= len(c.readers) || c.readers[r] != 1 || c.k.Regs[r].Kind != Temp {
		return -1
	}
	for i := len(nodes) - 1; i >= 0; i-- {
		found, ok := nodes[i].(*Instr)
		if !ok || !slices.Contains(found.Dst, r) {
			continue
		}
		if !fusible(found, in) {
			return -1
		}
		for _, a := range found.Args {
			if c.k.Regs[a].Kind == Variable && Sets(nodes[i+1:], a) {
				return -1
			}
		}
		return i
	}
	return -1
}

// fusible reports whether two instructions may be parts of one fma.
func fusible(a, b *Instr) bool {
	return a.Group != 0 && a.Group == b.Group || a.Allow&b.Allow&ContractFast != 0
}

// negate appends the negation of r.
func (c *contraction) negate(nodes []Node, in *Instr, r Reg) ([]Node, Reg) {
	n := c.k.Temporary(c.k.Regs[r].Type)
	return append(nodes, &Instr{Op: Neg, Pos: in.Pos, Dst: []Reg{n}, Args: []Reg{r}}), n
}
