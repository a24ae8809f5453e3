package ir

import (
	"slices"

	"metalconform/metalrun/internal/syntax"
)

// NarrowIndices is a copy of k in which accesses whose 64-bit index is a 32-bit
// value, extended, or a uniform value and such a one, count from a uniform
// pointer by 32 bits: an executor then computes in 64 bits once for all threads.
func NarrowIndices(k *Kernel, uniform func(Reg) bool) *Kernel {
	n := &narrowing{uniform: uniform, setter: make([]*Instr, len(k.Regs)), narrow: map[Reg]Reg{}}
	for in := range Instrs(k.Body...) {
		for _, d := range in.Dst {
			if k.Regs[d].Kind == Temp {
				n.setter[d] = in
			}
		}
	}
	for in := range Instrs(k.Body...) {
		if _, extended, ok := n.parts(k, in.Mem); ok {
			n.narrow[extended] = None
		}
	}
	if len(n.narrow) == 0 {
		return k
	}
	out := Rewrite(k, n.instr)
	out.Body = countUses(out).sweep(out.Body)
	compact(out)
	return out
}

type narrowing struct {
	uniform func(Reg) bool
	setter  []*Instr    // per temporary
	narrow  map[Reg]Reg // of an extended value: the 32-bit one, once it is known
}

// parts takes an access's index apart: a uniform value, or None, and an
// extended one.
func (n *narrowing) parts(k *Kernel, m *Mem) (rest, extended Reg, ok bool) {
	if m == nil || m.Space == syntax.Thread || m.Index == None || k.Regs[m.Index].Type != I64 || n.uniform(m.Index) {
		return None, None, false
	}
	if n.extends(k, m.Index) {
		return None, m.Index, true
	}
	if k.Regs[m.Index].Kind != Temp || n.setter[m.Index] == nil || n.setter[m.Index].Op != Add || !n.uniform(m.Base) {
		return None, None, false
	}
	a, b := n.setter[m.Index].Args[0], n.setter[m.Index].Args[1]
	if n.uniform(b) {
		a, b = b, a
	}
	if !n.uniform(a) || k.Regs[a].Kind == Variable || !n.extends(k, b) {
		return None, None, false
	}
	return a, b, true
}

// extends reports whether r is a 32-bit value made 64 bits wide.
func (n *narrowing) extends(k *Kernel, r Reg) bool {
	if k.Regs[r].Kind != Temp || n.setter[r] == nil {
		return false
	}
	in := n.setter[r]
	return in.Op == Convert && in.From.Type() == I32 && in.To.Type() == I64
}

func (n *narrowing) instr(k *Kernel, before []Node, in *Instr) []Node {
	if len(in.Dst) == 1 {
		if _, wanted := n.narrow[in.Dst[0]]; wanted {
			return n.keep(k, before, in)
		}
	}
	rest, extended, ok := n.parts(k, in.Mem)
	if !ok {
		return before
	}
	m, source := *in.Mem, n.setter[extended]
	if rest != None {
		offset, base := k.Temporary(I64), k.Temporary(Ptr)
		scale := Reg(len(k.Regs))
		k.Regs = append(k.Regs, RegInfo{Kind: Literal, Type: I64, Bits: uint64(m.Scale)})
		before = append(before,
			&Instr{Op: Mul, Pos: in.Pos, Dst: []Reg{offset}, Args: []Reg{rest, scale}},
			&Instr{Op: PtrAdd, Pos: in.Pos, Dst: []Reg{base}, Args: []Reg{m.Base, offset}})
		m.Base = base
	}
	m.Index = n.narrow[extended]
	m.IndexSigned = slices.Contains([]Scalar{S8, S16, S32}, source.From)
	in.Mem = &m
	return before
}

// keep makes the value that in extends one that nothing changes.
func (n *narrowing) keep(k *Kernel, before []Node, in *Instr) []Node {
	from := in.Args[0]
	if k.Regs[from].Kind == Variable {
		t := k.Temporary(I32)
		before = append(before, &Instr{Op: Copy, Pos: in.Pos, Dst: []Reg{t}, Args: []Reg{from}})
		from = t
	}
	n.narrow[in.Dst[0]] = from
	return before
}
