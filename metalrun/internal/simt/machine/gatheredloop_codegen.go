package machine

import "metalconform/metalrun/internal/ir"

// gatheredLoop recognises such a loop, n, whose parts are compiled, or gives nil.
func (c *Compiler) gatheredLoop(l *Counted, n *ir.Loop) *GatheredLoop {
	_, nodes := tallies(n.Body)
	if len(l.Body) != 1 || len(nodes) != 4 || !c.Does(passGatheredLoop) {
		return nil
	}
	// The loads of both factors and one instruction for the rest.
	body, _ := l.Body[0].(Straight)
	if len(body) != 3 || !body[2].sums(c) || body[2].a.kind != inSlot {
		return nil
	}
	counter := OnlyInstr(n.Post).Dst[0]
	t, own := factor(nodes[0], counter), factor(nodes[1], counter)
	if t == nil || own == nil || !addsProduct(nodes[2], nodes[3], t.Dst[0], own.Dst[0]) {
		return nil
	}
	load := body[0].load
	if !c.Uniform(t.Mem.Base) {
		t, own, load = own, t, body[1].load
	}
	rows := c.numbers[elementKey{own.Mem.Base, 4}]
	if load == nil || load.Access.In != t || load.Into != body[2].b.At || rows == nil || own.Mem.Disp%4 != 0 || !c.U.Local(own.Dst[0]) {
		return nil
	}
	return &GatheredLoop{Loop: l, t: load, rows: rows, shift: own.Mem.Disp / 4, signed: own.Mem.IndexSigned, sum: body[2].d}
}
