package machine

import (
	"metalconform/metalrun/internal/ir"
)

// dotLoop recognises such a loop, n, whose parts are compiled, or gives nil.
func (c *Compiler) dotLoop(l *Loop, n *ir.Loop) *DotLoop {
	_, nodes := tallies(n.Body)
	if !c.Does(passDotLoop) || l.step < 0 || len(l.Body) != 1 || len(nodes) != 4 {
		return nil
	}
	body, _ := l.Body[0].(Straight)
	if len(body) == 0 {
		return nil
	}
	last := &body[len(body)-1]
	if last.Shape != vectorVectorVector || last.triple != &c.t.MulAdd || last.d.kind != inSlot || last.e != last.d {
		return nil
	}
	gathered := 0 // operands that instructions of their own load
	for _, o := range []Operand{last.a, last.b} {
		if o.kind == inSlot {
			gathered++
		}
	}
	if len(body) != gathered+1 {
		return nil
	}
	counter := c.testOf(n).Args[0]
	a, b := factor(nodes[0], counter), factor(nodes[1], counter)
	if a == nil || b == nil || a.Mem.IndexSigned || b.Mem.IndexSigned || !addsProduct(nodes[2], nodes[3], a.Dst[0], b.Dst[0]) {
		return nil
	}
	d := &DotLoop{Loop: l, a: c.accessAgain(a), b: c.accessAgain(b), sum: last.d.At}
	d.adjoinsA, d.adjoinsB = c.adjoins(d.a), c.adjoins(d.b)
	return d
}

// accessAgain is the operand of an access that is compiled already.
func (c *Compiler) accessAgain(in *ir.Instr) *MemoryAccess {
	for _, r := range in.Reads() {
		c.Left[r]++
	}
	return c.Access(in)
}
