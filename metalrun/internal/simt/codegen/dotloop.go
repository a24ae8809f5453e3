package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// dotLoop recognises such a loop, n, whose parts are compiled, or gives nil.
func (c *Compiler) dotLoop(l *machine.Loop, n *ir.Loop) *machine.DotLoop {
	_, nodes := machine.SplitCounters(n.Body)
	if !c.Does(machine.PassDotLoop) || l.Step < 0 || len(l.Body) != 1 || len(nodes) != 4 {
		return nil
	}
	body, _ := l.Body[0].(machine.Straight)
	if len(body) == 0 {
		return nil
	}
	last := &body[len(body)-1]
	if last.Shape != machine.VectorVectorVector || last.Triple != &c.t.MulAdd || last.D.Kind != machine.InSlot ||
		last.E != last.D {
		return nil
	}
	gathered := 0 // operands that instructions of their own load
	for _, o := range []machine.Operand{last.A, last.B} {
		if o.Kind == machine.InSlot {
			gathered++
		}
	}
	if len(body) != gathered+1 {
		return nil
	}
	counter := c.testOf(n).Args[0]
	a, b := machine.Factor(nodes[0], counter), machine.Factor(nodes[1], counter)
	if a == nil || b == nil || a.Mem.IndexSigned || b.Mem.IndexSigned ||
		!machine.AddsProduct(nodes[2], nodes[3], a.Dst[0], b.Dst[0]) {
		return nil
	}
	d := &machine.DotLoop{Loop: l, A: c.accessAgain(a), B: c.accessAgain(b), Sum: last.D.At}
	d.AdjoinsA, d.AdjoinsB = c.simdgroupRuns(d.A), c.simdgroupRuns(d.B)
	return d
}

// accessAgain is the operand of an access that is compiled already.
func (c *Compiler) accessAgain(in *ir.Instr) *machine.MemoryAccess {
	for _, r := range in.Reads() {
		c.Left[r]++
	}
	return c.Access(in)
}
