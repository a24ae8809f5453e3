package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// reach gives that of an access of a loop with the counter, or false if it is of another kind.
func (c *Compiler) reach(in *ir.Instr, counter ir.Reg, n *ir.Loop) (r machine.Reach, ok bool) {
	mem := in.Mem
	if !c.Uniform(mem.Base) || mem.Volatile || len(in.Dst)+len(in.Args) != 1 || ir.Sets(n.Body, mem.Base) {
		return r, false
	}
	a := &machine.MemoryAccess{In: in, Disp: mem.Disp, Sign: mem.IndexSigned, Size: int64(in.From.Size()),
		Write: in.Op == ir.Store, Base64: c.P.Slots[mem.Base].Index}
	if a.Log, ok = machine.Log2(a.Size); !ok {
		return r, false
	}
	if a.Object = c.U.PointsInto(mem.Base, mem.Space); a.Object >= 0 {
		a.Origin = c.origin(a.Object)
	}
	r = machine.Reach{A: a, Index: -1}
	switch {
	case mem.Index == ir.None || c.Uniform(mem.Index):
		if r.Single = true; mem.Index != ir.None {
			r.Index = c.P.Slots[mem.Index].Index
		}
		return r, !a.Write && (mem.Index == ir.None || !c.P.Slots[mem.Index].Wide && !ir.Sets(n.Body, mem.Index))
	case mem.Scale != a.Size || !c.ConsecutiveInLine[mem.Index]:
		return r, false
	}
	r.Terms, ok = c.shifts(mem.Index, counter, n)
	return r, ok
}

// shifts gives what is added to the counter of a loop for a register of its body, if that is known before the
// loop.
func (c *Compiler) shifts(r, counter ir.Reg, n *ir.Loop) (terms []machine.Shift, ok bool) {
	for r != counter {
		in := c.U.Setter(r)
		if in == nil || c.P.Kernel.Regs[r].Kind != ir.Temp || in.Op != ir.Add && in.Op != ir.Sub && in.Op != ir.Copy {
			return nil, false
		}
		if in.Op == ir.Copy {
			r = in.Args[0]
			continue
		}
		from, by := in.Args[0], in.Args[1]
		if c.Uniform(from) && in.Op == ir.Add {
			from, by = by, from
		}
		if !c.Uniform(by) || ir.Sets(n.Body, by) {
			return nil, false
		}
		terms, r = append(terms, machine.Shift{At: c.P.Slots[by].Index, Subtract: in.Op == ir.Sub}), from
	}
	return terms, true
}
