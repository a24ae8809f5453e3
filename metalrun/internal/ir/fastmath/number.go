package fastmath

import "metalconform/metalrun/internal/ir"

// numbers tells values apart: registers that hold the same for certain have the same
// number.
type numbers struct {
	of map[ir.Reg]int
	by map[computation]int
}

// computation is what makes a value.
type computation struct {
	op   ir.Op
	fn   string
	typ  ir.Type
	bits uint64    // of a literal
	from ir.Scalar // of a conversion
	args [3]int
	reg  ir.Reg // of anything else
}

// id is the number of a register's value.
func (p *pass) id(r ir.Reg) int {
	if p.ids.of == nil {
		p.ids.of, p.ids.by = map[ir.Reg]int{}, map[computation]int{}
	}
	if id, ok := p.ids.of[r]; ok {
		return id
	}
	c := p.computation(r)
	id, ok := p.ids.by[c]
	if !ok {
		id = len(p.ids.by)
		p.ids.by[c] = id
	}
	p.ids.of[r] = id
	return id
}

// computation says what makes the value of r.
func (p *pass) computation(r ir.Reg) computation {
	r = p.past(r)
	in, info := p.set(r), p.k.Regs[r]
	switch {
	case info.Kind == ir.Literal:
		return computation{typ: info.Type, bits: info.Bits, reg: ir.None}
	case in == nil || len(in.Dst) != 1 || len(in.Args) > 3 || in.Op.Info().Kept || in.Op.Info().Varies || in.Op == ir.Copy || in.Op == ir.Poison:
		return computation{reg: r}
	}
	for _, a := range in.Args {
		if p.k.Regs[a].Kind == ir.Variable { // may hold something else by then
			return computation{reg: r}
		}
	}
	c := computation{op: in.Op, fn: in.Fn, typ: p.typ(in.Dst[0]), from: in.From, reg: ir.None, args: [3]int{-1, -1, -1}}
	if in.Fast {
		c.bits = 1
	}
	for i, a := range in.Args {
		c.args[i] = p.id(a)
	}
	if in.Op.Info().Commutes && c.args[0] > c.args[1] {
		c.args[0], c.args[1] = c.args[1], c.args[0]
	}
	return c
}

// same reports whether two registers hold the same for certain.
func (p *pass) same(a, b ir.Reg) bool { return p.id(a) == p.id(b) }
