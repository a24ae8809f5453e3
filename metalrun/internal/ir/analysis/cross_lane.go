package analysis

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fixpoint"
	"metalconform/metalrun/internal/syntax"
)

// CrossLane says which instructions another lane may depend on: their results, or what they write, may reach a value
// that another thread reads. It starts from the operations of several lanes and from stores to memory that threads
// share and read, and goes back to what these depend on (a backward slice, the least fixpoint).
type CrossLane struct {
	x    *FloatDependence
	read map[MemoryObject]bool // objects that threads share and read
	regs []bool                // registers whose values may reach another lane
	own  map[MemoryObject]bool // objects of a thread that hold such values
	all  map[*ir.Instr]bool
}

// CrossLane finds the cross-lane dependences of a kernel.
func (x *FloatDependence) CrossLane() *CrossLane {
	c := &CrossLane{x: x, read: map[MemoryObject]bool{}, regs: make([]bool, len(x.k.Regs)),
		own: map[MemoryObject]bool{}, all: map[*ir.Instr]bool{}}
	for in := range ir.Instrs(x.k.Body...) {
		if in.Mem != nil && in.Mem.Space != syntax.Thread && in.Op.Info().Effects.Has(ir.Reads) {
			for _, at := range x.Objects(in.Mem) {
				c.read[at] = true
			}
		}
	}
	fixpoint.Iterate(func(p *fixpoint.Pass) {
		for in := range ir.Instrs(x.k.Body...) {
			if !c.all[in] && c.leads(in) {
				fixpoint.MoveIn(p, c.all, in, true)
				c.back(in)
			}
		}
	})
	return c
}

// Reaches reports whether another lane may depend on an instruction.
func (c *CrossLane) Reaches(in *ir.Instr) bool { return c.all[in] }

// back adds what an instruction depends on.
func (c *CrossLane) back(in *ir.Instr) {
	for _, a := range in.Args {
		if a != ir.None {
			c.regs[a] = true
		}
	}
	if in.Op == ir.Load && in.Mem.Space == syntax.Thread {
		for _, at := range c.x.Objects(in.Mem) {
			c.own[at] = true
		}
	}
}

// leads reports whether what an instruction does may reach another lane.
func (c *CrossLane) leads(in *ir.Instr) bool {
	info := in.Op.Info()
	if info.Effects.Has(ir.Collective) || slices.ContainsFunc(in.Dst, func(r ir.Reg) bool { return c.regs[r] }) {
		return true
	}
	if in.Mem == nil || !info.Effects.Has(ir.Writes) {
		return false
	}
	return slices.ContainsFunc(c.x.Objects(in.Mem), func(at MemoryObject) bool { return c.read[at] || c.own[at] })
}
