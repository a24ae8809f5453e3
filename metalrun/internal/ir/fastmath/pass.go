package fastmath

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// pass applies one rule to a kernel.
type pass struct {
	k    *ir.Kernel
	rule *Rule
	Chooser
	setBy  []*ir.Instr // per register: the instruction that sets it, if it is a temporary
	reader []*ir.Instr // per register: the only instruction that reads it, if one does
	out    []ir.Node   // the list under construction
	ids    numbers
	signs  []bool // per register: the sign of a zero in it is seen; see [pass.signSeen]
}

func newPass(k *ir.Kernel, r *Rule, c Chooser) *pass {
	p := &pass{k: k, rule: r, Chooser: c, setBy: make([]*ir.Instr, len(k.Regs)), reader: make([]*ir.Instr, len(k.Regs))}
	reads := make([]int, len(k.Regs))
	for in := range ir.Instrs(k.Body...) {
		for _, d := range in.Dst {
			if k.Regs[d].Kind == ir.Temp {
				p.setBy[d] = in
			}
		}
		for _, a := range in.Args {
			reads[a]++
			p.reader[a] = in
		}
	}
	for r, n := range reads {
		if n != 1 {
			p.reader[r] = nil
		}
	}
	return p
}

// list rewrites a list and its parts.
func (p *pass) list(nodes []ir.Node) []ir.Node {
	outer := p.out
	p.out = make([]ir.Node, 0, len(nodes))
	for _, n := range nodes {
		switch n := n.(type) {
		case *ir.Instr:
			if p.rule.at != nil && (n.Allow != 0 || n.Op == ir.Not) {
				p.rule.at(p, n)
			}
		case *ir.Loop:
			p.parts(n)
			if p.rule.around != nil {
				before, after := p.rule.around(p, n)
				p.out = append(append(append(p.out, before...), n), after...)
				continue
			}
		default:
			p.parts(n)
		}
		p.out = append(p.out, n)
	}
	out := p.out
	p.out = outer
	return out
}

func (p *pass) parts(n ir.Node) {
	for _, part := range ir.Parts(n) {
		*part = p.list(*part)
	}
}

// take asks the chooser.
func (p *pass) take(in *ir.Instr) (draw uint64, ok bool) { return p.Takes(p.rule, in) }

// may reports whether the flags of all instructions have all of what is needed.
func may(need ir.FastMathFlags, list ...*ir.Instr) bool {
	return !slices.ContainsFunc(list, func(in *ir.Instr) bool { return in == nil || in.Allow&need != need })
}

// typ is the type of a register.
func (p *pass) typ(r ir.Reg) ir.Type { return p.k.Regs[r].Type }

// past is the register that r copies, through copies of all but variables.
func (p *pass) past(r ir.Reg) ir.Reg {
	for in := p.set(r); in != nil && in.Op == ir.Copy && p.k.Regs[in.Args[0]].Kind != ir.Variable; in = p.set(r) {
		r = in.Args[0]
	}
	return r
}

// source is the instruction that sets what r holds; nil if none does.
func (p *pass) source(r ir.Reg) *ir.Instr { return p.set(p.past(r)) }

// set is the instruction that sets a temporary, nil of another register.
func (p *pass) set(r ir.Reg) *ir.Instr {
	if int(r) < len(p.setBy) {
		return p.setBy[r]
	}
	return nil
}

// is is the instruction that sets r, if it is an operation whose flags allow what is needed.
func (p *pass) is(r ir.Reg, need ir.FastMathFlags, ops ...ir.Op) *ir.Instr {
	if in := p.source(r); in != nil && slices.Contains(ops, in.Op) && may(need, in) {
		return in
	}
	return nil
}

// function is the instruction that sets r, if it calls a function whose flags allow what is
// needed.
func (p *pass) function(r ir.Reg, need ir.FastMathFlags, names ...string) *ir.Instr {
	if in := p.is(r, need, ir.Math); in != nil && slices.Contains(names, in.Fn) {
		return in
	}
	return nil
}

// own reports whether one instruction alone reads r.
func (p *pass) own(r ir.Reg) bool { return int(r) < len(p.reader) && p.reader[r] != nil }

// literal is the value of a floating literal.
func (p *pass) literal(r ir.Reg) (x float64, ok bool) {
	info := p.k.Regs[p.past(r)]
	if info.Kind != ir.Literal || !info.Type.IsFloat() {
		return 0, false
	}
	return float64(info.Type.Format().FromBits(uint32(info.Bits))), true
}

// equals reports whether r is a literal of this value.
func (p *pass) equals(r ir.Reg, x float64) bool {
	v, ok := p.literal(r)
	return ok && v == x
}

// constant is a literal of a type; it is rounded.
func (p *pass) constant(t ir.Type, x float64) ir.Reg {
	f := t.Format()
	p.k.Regs = append(p.k.Regs, ir.RegInfo{Kind: ir.Literal, Type: t, Bits: uint64(f.Bits(f.Round(x)))})
	return ir.Reg(len(p.k.Regs) - 1)
}

// truth is a literal bool.
func (p *pass) truth(is bool) ir.Reg {
	info := ir.RegInfo{Kind: ir.Literal, Type: ir.Bool}
	if is {
		info.Bits = 1
	}
	p.k.Regs = append(p.k.Regs, info)
	return ir.Reg(len(p.k.Regs) - 1)
}

// emit computes an operation before the instruction that is rewritten, which lends it
// its position and what else it says.
func (p *pass) emit(like *ir.Instr, op ir.Op, t ir.Type, args ...ir.Reg) ir.Reg {
	d := p.k.Temporary(t)
	in := become(&ir.Instr{Pos: like.Pos, Dst: []ir.Reg{d}, Fast: like.Fast, Allow: like.Allow}, op, args...)
	p.out = append(p.out, in)
	for int(d) >= len(p.setBy) {
		p.setBy = append(p.setBy, nil)
	}
	p.setBy[d] = in
	return d
}

// call is emit for a function of one argument.
func (p *pass) call(like *ir.Instr, name string, x ir.Reg) ir.Reg {
	d := p.emit(like, ir.Math, p.typ(x), x)
	p.setBy[d].Fn = name
	return d
}

// become makes an instruction another operation with the same result.
func become(in *ir.Instr, op ir.Op, args ...ir.Reg) *ir.Instr {
	in.Op, in.Args, in.Group = op, args, 0
	if op != ir.Math {
		in.Fn, in.Fast = "", in.Fast && op == ir.Div
	}
	if !op.Info().FastMath {
		in.Allow = 0
	}
	return in
}
