package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// numberPointers finds the pointers that accesses can count from.
func (c *Compiler) numberPointers() {
	c.numbers = map[machine.ElementKey]*machine.ElementSlot{}
	for in := range ir.Instrs(c.P.Kernel.Body...) {
		c.numberPointer(in)
	}
}

// numberPointer looks at one access. Its pointer must be a temporary whose uses
// all lie within the list that defines it: then no lane reads what another
// iteration of a loop left.
func (c *Compiler) numberPointer(in *ir.Instr) {
	mem := in.Mem
	if mem == nil || in.Op == ir.Atomic || mem.Space == syntax.Thread || c.Uniform(mem.Base) {
		return
	}
	key := machine.ElementKey{Pointer: mem.Base, Size: int64(in.From.Size())}
	object := c.U.PointsInto(mem.Base, mem.Space)
	if !c.Does(machine.PassElementNumbers) || !c.counts(in) || object < 0 ||
		c.P.Kernel.Regs[mem.Base].Kind != ir.Temp || !c.U.SetFirst(mem.Base) || c.numbers[key] != nil {
		return
	}
	e := &machine.ElementSlot{Slot: c.newSlot(false), Simdgroups: -1, Valid: len(c.P.Uni32), Object: object}
	if c.P.Slots[mem.Base].Grouped {
		e.Simdgroups = c.newSlot(false)
	}
	c.numbers[key] = e
	c.P.Uni32 = append(c.P.Uni32, 0)
}

// counts reports whether an access goes to an element that lies a whole number of such after its
// pointer: other accesses by the same pointer need not.
func (c *Compiler) counts(in *ir.Instr) bool {
	mem, size := in.Mem, int64(in.From.Size())
	_, sized := machine.Log2(size)
	plain := mem.Index == ir.None || mem.Scale == size && !c.P.Slots[mem.Index].Wide
	return sized && plain && mem.Disp%size == 0 && machine.Abs(mem.Disp) <= machine.MostElements
}

// numbered emits the numbering of a pointer that was just defined.
func (c *Compiler) numbered(r ir.Reg) {
	for _, size := range []int64{1, 2, 4} {
		e := c.numbers[machine.ElementKey{Pointer: r, Size: size}]
		if e == nil {
			continue
		}
		shift, _ := machine.Log2(size)
		from, origin := c.P.Slots[r].Index, c.origin(e.Object)
		if c.P.Slots[r].Grouped {
			c.numberSimdgroups(e, from, shift)
			continue
		}
		c.Do(func(m *machine.Machine) {
			d := m.Lanes(e.Slot)
			bad := m.P.Table.Narrow(d, m.Wide(from), m.Mask, origin, machine.MostElements<<shift, shift) < len(d)
			m.Uni32[e.Valid] = ^machine.Lane(bad)
		})
	}
}

// origin is the pointer to the beginning of an object.
func (c *Compiler) origin(object int) uint64 {
	switch {
	case object >= analysis.FirstStatic:
		return uint64(object-analysis.FirstStatic+ir.FirstObject) << ir.ObjectShift
	case object >= analysis.FirstThreadgroup:
		object -= analysis.FirstThreadgroup
	}
	return uint64(object+ir.FirstArg) << ir.ObjectShift
}
