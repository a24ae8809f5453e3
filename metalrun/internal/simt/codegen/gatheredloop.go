package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// gatheredLoop recognises such a loop, n, whose parts are compiled, or gives nil.
func (c *Compiler) gatheredLoop(l *machine.Counted, n *ir.Loop) *machine.GatheredLoop {
	_, nodes := machine.SplitCounters(n.Body)
	if len(l.Body) != 1 || len(nodes) != 4 || !c.Does(machine.PassGatheredLoop) {
		return nil
	}
	// The loads of both factors and one instruction for the rest.
	body, _ := l.Body[0].(machine.Straight)
	if len(body) != 3 || !sums(&body[2], c) || body[2].A.Kind != machine.InSlot {
		return nil
	}
	counter := machine.OnlyInstr(n.Post).Dst[0]
	t, own := machine.Factor(nodes[0], counter), machine.Factor(nodes[1], counter)
	if t == nil || own == nil || !machine.AddsProduct(nodes[2], nodes[3], t.Dst[0], own.Dst[0]) {
		return nil
	}
	load := body[0].Load
	if !c.Uniform(t.Mem.Base) {
		t, own, load = own, t, body[1].Load
	}
	rows := c.numbers[machine.ElementKey{Pointer: own.Mem.Base, Size: 4}]
	if load == nil || load.Access.In != t || load.Into != body[2].B.At || rows == nil || own.Mem.Disp%4 != 0 ||
		!c.U.Local(own.Dst[0]) {
		return nil
	}
	return &machine.GatheredLoop{Loop: l, T: load, Rows: rows, Shift: own.Mem.Disp / 4, Signed: own.Mem.IndexSigned,
		Sum: body[2].D}
}
