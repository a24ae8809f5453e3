package fastmath

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// numbers tells values apart: registers that hold the same for certain have the same
// number.
type numbers struct {
	of    map[ir.Reg]int
	by    map[computation]int
	wrote map[*ir.Instr]int // per load: how often memory may have been written before
}

// computation is what makes a value.
type computation struct {
	op   ir.Op
	fn   string
	typ  ir.Type
	bits uint64    // of a literal
	from ir.Scalar // of a conversion
	args [3]int
	mem  loadKey // of a load
	reg  ir.Reg  // of anything else
}

// loadKey is where a load reads, and when.
type loadKey struct {
	mem         ir.Mem // without its registers
	base, index int
	wrote       int
}

// id is the number of a register's value.
func (p *pass) id(r ir.Reg) int {
	if p.ids.of == nil {
		p.ids.of, p.ids.by, p.ids.wrote = map[ir.Reg]int{}, map[computation]int{}, map[*ir.Instr]int{}
		p.ids.follow(p.k.Body, 0)
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
	case in != nil && in.Op == ir.Load && len(in.Dst) == 1 && !in.Mem.Volatile:
		return p.load(in)
	case in == nil || len(in.Dst) != 1 || len(in.Args) > 3 || in.Op.Info().Kept || in.Op.Info().Varies ||
		in.Op == ir.Copy || in.Op == ir.Poison:
		return computation{reg: r}
	}
	if slices.ContainsFunc(in.Args, p.varies) {
		return computation{reg: r}
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

// load says what a load reads: two of one place are equal if nothing was written between them.
func (p *pass) load(in *ir.Instr) computation {
	wrote, ok := p.ids.wrote[in]
	if !ok || p.varies(in.Mem.Base) || p.varies(in.Mem.Index) {
		return computation{reg: in.Dst[0]}
	}
	at := loadKey{mem: *in.Mem, base: p.id(in.Mem.Base), index: -1, wrote: wrote}
	if in.Mem.Index != ir.None {
		at.index = p.id(in.Mem.Index)
	}
	at.mem.Base, at.mem.Index = ir.None, ir.None
	return computation{op: in.Op, typ: p.typ(in.Dst[0]), mem: at, reg: ir.None}
}

// varies reports whether r is a variable, which may hold something else by then.
func (p *pass) varies(r ir.Reg) bool { return r != ir.None && p.k.Regs[r].Kind == ir.Variable }

// follow counts what may write memory before each load, and gives the count after. A loop that writes has done so by
// the time it turns.
func (n *numbers) follow(nodes []ir.Node, wrote int) int {
	for _, node := range nodes {
		if in, ok := node.(*ir.Instr); ok {
			if in.Op == ir.Load {
				n.wrote[in] = wrote
			}
			if writes(in) {
				wrote++
			}
			continue
		}
		if _, loop := node.(*ir.Loop); loop && writes(node) {
			wrote++
		}
		for _, part := range ir.Parts(node) {
			wrote = n.follow(*part, wrote)
		}
	}
	return wrote
}

// writes reports whether a node may write memory, or lets others do so.
func writes(n ir.Node) bool {
	for in := range ir.Instrs(n) {
		if effects := in.Op.Info().Effects; effects.Has(ir.Writes) || effects.Has(ir.Orders) {
			return true
		}
	}
	return false
}

// same reports whether two registers hold the same for certain.
func (p *pass) same(a, b ir.Reg) bool { return p.id(a) == p.id(b) }
